package routing

import "fmt"

// Wormhole reports whether f is free of deadlocks under wormhole switching, where a
// packet holds all the channels that it lies on: nil, or an error with the reason if
// it is not. Shared says that a buffer may hold phits of several packets.
//
// It is if each packet waits for all of its hops, and these waits have no cycle
// (Dally and Seitz 1987), or if it waits for its escape hop, these waits have no
// cycle, and packets never leave the escape network again, so that no escape channel
// depends on another by way of adaptive ones (J. Duato, "A new theory of
// deadlock-free adaptive routing in wormhole networks", IEEE TPDS 4 (12), 1993). The
// second also needs buffers with one packet each (assumption 4 there): a packet that
// stands behind another one in an adaptive channel cannot reach for its escape hop.
func Wormhole(f Function, shared bool) error {
	if c, ok := f.(CutThroughOnly); ok {
		if why := c.CutThroughOnly(); why != "" {
			return fmt.Errorf("routing %s may deadlock under wormhole switching: %s; use virtual cut-through, or "+
				"another routing such as dor", f.Name(), why)
		}
	}
	if a, ok := f.(AtomicBuffers); ok && shared && a.AtomicBuffers() {
		return fmt.Errorf("routing %s may deadlock under wormhole switching with shared buffers: a packet behind "+
			"another one in an adaptive channel cannot take its escape hop; leave buffers to one packet each, or "+
			"use another routing such as dor", f.Name())
	}
	return nil
}

// CutThroughOnly implements the interface of that name.
func (f *dimOrder) CutThroughOnly() string {
	if f.bubble {
		return "bubbles are room for whole packets"
	}
	return ""
}

// CutThroughOnly implements the interface of that name.
func (f *hyperX) CutThroughOnly() string {
	if f.byHops {
		return ""
	}
	return "packets leave the escape channels again"
}

// AtomicBuffers implements the interface of that name.
func (f *minimalLattice) AtomicBuffers() bool { return true }
