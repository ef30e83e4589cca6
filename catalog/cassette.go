package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// multiFibre are the families of plugs with a row of fibres, whose names the number of positions follows: "mpo12-apc".
var multiFibre = []string{"mpo", "mmc", "snmt"}

// Positions is the number of positions of a plug with a row of fibres, such as MPO, 0 of another plug.
func Positions(plug string) int {
	family, _, _ := strings.Cut(plug, "-")
	digits := strings.TrimLeft(family, "abcdefghijklmnopqrstuvwxyz")
	if !slices.Contains(multiFibre, strings.TrimSuffix(family, digits)) {
		return 0
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// duplex is the number of fibres in a plug of a pair, such as LC.
const duplex = 2

// Passes is the number of mated pairs of plugs that a link passes in a panel: one at the front, and one at the rear of
// cassettes.
func (p *Panel) Passes() int {
	if p.Cassette != nil {
		return 2
	}
	return 1
}

// perRear is the number of adapters at the front to which each plug at the rear leads.
func (c *Cassette) perRear() int { return max(c.Fronts/max(c.Rears, 1), 1) }

// Share is the number of fibres of a plug at the rear that lead to each of its adapters at the front.
func (c *Cassette) Share() int { return c.RearFibres() / c.perRear() }

// RearFibres is the number of fibres of a plug at the rear.
func (c *Cassette) RearFibres() int {
	if c.Fibres > 0 {
		return c.Fibres
	}
	return Positions(c.Rear)
}

// nth is the position, from 1, of fibre i of n, from 0, in a plug: the fibres are at its first and its last positions.
func nth(i, n, positions int) int {
	if i < n/2 {
		return i + 1
	}
	return positions - n + i + 1
}

// index is the inverse of nth; false at a position without a fibre.
func index(at, n, positions int) (int, bool) {
	switch {
	case at >= 1 && at <= n/2:
		return at - 1, true
	case at > positions-n/2 && at <= positions:
		return at - 1 - positions + n, true
	}
	return 0, false
}

// frontPositions is the number of positions of an adapter at the front.
func (p *Panel) frontPositions() int {
	if n := Positions(p.Connector); n > 0 {
		return n
	}
	return duplex
}

// fibre is the fibre of the plug at the rear, from 0, that leads to fibre k of its adapter front.
func (c *Cassette) fibre(front, k int) int {
	m := c.Share()
	if c.Pairs != Ends {
		return front*m + k
	}
	if k < m/2 {
		return front*(m/2) + k
	}
	return c.RearFibres() - 1 - (front*(m/2) + m - 1 - k)
}

// RearOf is the position in the plug at the rear to which a position of an adapter at the front leads. Adapters are
// counted from 0 among those of their plug, positions from 1. It is false where there is no fibre. Without a cassette
// every position leads to itself.
func (p *Panel) RearOf(front, at int) (int, bool) {
	c := p.Cassette
	if c == nil {
		return at, true
	}
	k, ok := index(at, c.Share(), p.frontPositions())
	if !ok {
		return 0, false
	}
	return nth(c.fibre(front, k), c.RearFibres(), Positions(c.Rear)), true
}

// FrontOf is the inverse of RearOf: the adapter, from 0 among those of the plug (0 without a cassette), and its
// position, from 1, to which a position of the plug at the rear leads; false where there is no fibre.
func (p *Panel) FrontOf(at int) (front, position int, ok bool) {
	c := p.Cassette
	if c == nil {
		return 0, at, true
	}
	for front = range c.perRear() {
		for k := range c.Share() {
			position = nth(k, c.Share(), p.frontPositions())
			if rear, _ := p.RearOf(front, position); rear == at {
				return front, position, true
			}
		}
	}
	return 0, 0, false
}

// HasFibre reports whether the plugs of a trunk have a fibre at a position, from 1; true for plugs without a row of
// fibres.
func (c *Cable) HasFibre(at int) bool {
	n := Positions(c.Connector)
	if c.Fibres == 0 || n == 0 {
		return true
	}
	_, ok := index(at, c.Fibres, n)
	return ok
}

// checkCassette checks the cassettes of a panel.
func (k *checker) checkCassette(p *Panel) {
	c := p.Cassette
	if c == nil {
		return
	}
	notNegative(k, "panel.cassette.fibres", c.Fibres)
	notNegative(k, "panel.cassette.rears", c.Rears)
	positive(k, "panel.cassette.fronts", c.Fronts)
	if c.Pairs != "" {
		word(k, "panel.cassette.pairs", c.Pairs, []Pairs{Neighbours, Ends})
	}
	if Positions(c.Rear) == 0 {
		k.fault("panel.cassette.rear", "%q is not a plug with a row of fibres, such as mpo12-apc\n%s", c.Rear,
			k.nearConnector(c.Rear))
		return
	}
	k.checkFibres("panel.cassette.fibres", c.Fibres, c.Rear)
	n, most, fronts := c.RearFibres(), p.frontPositions(), c.perRear()
	switch {
	case c.Fronts <= 0 || c.Fibres < 0 || c.Rears < 0:
	case p.Shuffle > 0:
		k.fault("panel.cassette", "a panel holds cassettes or shuffles, not both")
	case c.Rears > 1 && c.Fronts%c.Rears != 0:
		k.fault("panel.cassette.rears", "%d plugs at the rear do not lead to as many of %d adapters each, and an "+
			"adapter with fibres of several plugs cannot be planned", c.Rears, c.Fronts)
	case n%(duplex*fronts) != 0:
		hint := ""
		if all := duplex * fronts * max(c.Rears, 1); all > n && all%n == 0 {
			hint = fmt.Sprintf("\na cassette with %d plugs at the rear has rears: %[1]d", all/n)
		}
		k.fault("panel.cassette.fronts", "%d adapters do not share %d fibres of %s in pairs%s", fronts, n, c.Rear, hint)
	case c.Share() > most:
		k.fault("panel.cassette.fronts", "each of %d adapters has %d of the %d fibres of %s, and %s takes %d\n"+
			"use %d adapters", fronts, c.Share(), n, c.Rear, p.Connector, most, (n+most-1)/most*max(c.Rears, 1))
	case p.Ports > 0 && p.Ports%c.Fronts != 0:
		k.fault("panel.cassette.fronts", "cassettes of %d adapters do not fill %d ports", c.Fronts, p.Ports)
	}
}
