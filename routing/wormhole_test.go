package routing

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWormholeByFollowingPackets follows all that packets may do: where Wormhole
// agrees, a packet in an escape channel stays in escape channels and none waits for
// room of a whole packet, and where a buffer may be shared there is no choice between
// escape hops and others. What Wormhole refuses breaks one of these somewhere.
func TestWormholeByFollowingPackets(t *testing.T) {
	broken := map[string]bool{}
	for name, spec := range small {
		n := network(t, spec)
		for _, fn := range fits(spec) {
			if oneWay(spec) && fn == "updown" {
				continue
			}
			f, err := New(n, fn, Options{})
			if err != nil {
				t.Fatal(err)
			}
			left, mixed := walkAll(n, f)
			refused, apart := Wormhole(f, false) != nil, Wormhole(f, true) != nil
			if left && !refused || mixed && !apart {
				t.Errorf("%s on %s: leaves its escape channels or needs bubbles: %v, refused: %v; mixes escape hops "+
					"with others: %v, refused in shared buffers: %v", fn, name, left, refused, mixed, apart)
			}
			if refused {
				broken[f.Name()] = broken[f.Name()] || left
			} else if apart {
				broken[f.Name()+" shared"] = broken[f.Name()+" shared"] || mixed
			}
		}
	}
	for _, want := range []string{"bubble", "dal", "min-ad", "min-adaptive shared"} {
		if !broken[want] {
			t.Errorf("%s is refused, or should be, without a packet that shows why: %v", want, broken)
		}
	}
}

// walkAll reports whether a packet may leave the escape network or asks for more room
// than its own, and whether one may choose between an escape hop and others.
func walkAll(n *Network, f Function) (left, mixed bool) {
	seen := map[visit]bool{}
	var walk func(s visit, state *State)
	walk = func(s visit, state *State) {
		f.Arrive(&s.h, s.at, state)
		if s.h.HasArrived(s.at) || seen[s] {
			return
		}
		seen[s] = true
		hops := f.Next(&s.h, s.at, state, nil)
		escapes := 0
		for _, hop := range hops {
			if hop.Escape {
				escapes++
			}
			left = left || hop.Room > 1 || s.h.Escaped && !hop.Escape
		}
		mixed = mixed || escapes > 0 && escapes < len(hops)
		for _, hop := range hops {
			next := visit{n.To[hop.Channel], s.h}
			next.h.Take(hop)
			walk(next, state)
		}
	}
	for _, src := range homes(n) {
		for _, dst := range homes(n) {
			walk(visit{at: src, h: NewHeader(src, dst)}, &State{Rand: rand.New(rand.NewPCG(uint64(src), uint64(dst)))})
		}
	}
	return left, mixed
}

func TestWormholeSaysWhy(t *testing.T) {
	n := network(t, small["ring"])
	f, err := New(n, "bubble", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := Wormhole(f, false); err == nil || !strings.Contains(err.Error(), "whole packets") {
		t.Errorf("bubble: %v", err)
	}
}
