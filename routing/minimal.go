package routing

import (
	"fmt"

	"github.com/plenum-planner/plenum/topology"
)

// minimal follows the channels that lead nearer to the destination, by a table of
// the network as it is, failures left out. Adaptive, it offers all of them,
// otherwise one that depends on the two routers.
//
// No deadlock, by the layering:
//   - one: minimal paths between terminals of a tree go up and then down, and
//     turn once, so no channel waits for an earlier one (F. Petrini and M.
//     Vanneschi, IPPS 1997). That one class suffices is known of the trees of
//     package topology, where terminals are on switches of the lowest tier.
//   - hops: the class is the number of hops made, so it grows from channel to
//     channel (K. D. Günther, IEEE Trans. Communications 29 (4), 1981).
type minimal struct {
	undecided
	*distances
	next     *nextHops // of a single path, or nil
	name     string
	adaptive bool
	layering layering
	classes  int
}

type layering uint8

const (
	byOne layering = iota
	byHops
)

// homes lists the routers that have terminals.
func homes(n *Network) []int32 {
	var out []int32
	seen := make([]bool, n.Routers())
	for _, r := range n.Home {
		if r >= 0 && !seen[r] {
			seen[r] = true
			out = append(out, r)
		}
	}
	return out
}

// destinations lists the routers that packets are sent to.
func destinations(n *Network) []int32 {
	if n.Ends == nil {
		return homes(n)
	}
	to := make([]int32, n.Routers()) // intermediates have no terminals
	for r := range to {
		to[r] = int32(r)
	}
	return to
}

func newMinimal(n *Network, adaptive bool, name string) (*minimal, error) {
	to := destinations(n)
	d, err := newDistances(n, to)
	if err != nil {
		return nil, err
	}
	f := &minimal{distances: d, name: name, adaptive: adaptive}
	if !adaptive && worthNextHops(n, d.columns) {
		if f.next, err = newNextHops(d, to); err != nil {
			return nil, err
		}
	}
	f.layering, f.classes, err = layersOf(n, d.diameter)
	return f, err
}

// layersOf is how minimal paths of up to so many hops are kept from waiting for each other, and the number of classes.
func layersOf(n *Network, diameter int) (layering, int, error) {
	// With failures, a detour in a tree may go down and up again.
	if isTree(n.Graph) && (n.Dead == nil || diameter <= 2*len(n.Graph.Kinds())-4) {
		return byOne, 1, nil
	}
	classes := max(diameter, 1)
	if classes > 255 {
		return byHops, classes, fmt.Errorf("paths of %d hops need as many virtual channels, 255 at most; updown needs "+
			"one", classes)
	}
	return byHops, classes, nil
}

// isTree reports whether the minimal paths between terminals go up and then down.
func isTree(g topology.Graph) bool {
	t, ok := g.(topology.UpDown)
	return ok && t.TurnsOnce()
}

func (f *minimal) Name() string { return f.name }
func (f *minimal) Classes() int { return f.classes }

// SinglePath implements the interface of that name.
func (f *minimal) SinglePath() bool { return !f.adaptive }

// Steady implements the interface of that name.
func (f *minimal) Steady() bool { return true }

// Look implements Tabled.
func (f *minimal) Look(goal, at int32) int32 {
	if f.next == nil {
		return 0
	}
	return f.next.look(goal, at)
}

func (f *minimal) Next(h *Header, at int32, state *State, hops []Hop) []Hop {
	if f.next != nil {
		c := f.next.channel(at, h.Goal)
		if c < 0 {
			return hops
		}
		return append(hops, Hop{Channel: c, Class: f.class(h)})
	}
	var space [64]int32
	channels := f.channels(at, h.Goal, space[:0])
	if len(channels) == 0 {
		return hops
	}
	if !f.adaptive {
		i := 0
		if len(channels) > 1 {
			i = pick(at, h.Goal, len(channels))
		}
		channels = channels[i : i+1]
	}
	for _, c := range channels {
		hops = append(hops, Hop{Channel: c, Class: f.class(h)})
	}
	return hops
}

// class is that of the hop that follows.
func (f *minimal) class(h *Header) uint8 { return f.layering.class(h, f.classes) }

// class is that of the hop that follows, of so many classes.
func (l layering) class(h *Header, classes int) uint8 {
	if l == byOne {
		return 0
	}
	return uint8(min(int(h.Hops), classes-1))
}
