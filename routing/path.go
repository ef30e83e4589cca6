package routing

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// ErrNoWay is in the chain of errors about two nodes between which a function finds no path, as in a network of several
// parts.
var ErrNoWay = errors.New("no way")

// maxHops is the most hops of a path that is followed.
const maxHops = 1 << 14

// Path appends the channels that a packet takes on an idle network from router src to router dst. A function that
// chooses at random draws from the seed and the pair of routers. Of several hops it takes one of the first tier, the
// one listed first. With an error, which says at which router there was no way on (ErrNoWay) or that the path is too
// long, it returns the channels up to there.
func Path(n *Network, f Function, src, dst int32, seed uint64, channels []int32) ([]int32, error) {
	state := &State{Rand: rand.New(rand.NewPCG(seed, uint64(src)<<32|uint64(uint32(dst))))}
	return PathFrom(n, f, src, dst, state, channels)
}

// PathFrom is Path with a state of the network, by whose loads and random numbers the function chooses. It must not be
// nil.
func PathFrom(n *Network, f Function, src, dst int32, state *State, channels []int32) ([]int32, error) {
	h := NewHeader(src, dst)
	for at := src; ; {
		f.Arrive(&h, at, state)
		if h.HasArrived(at) {
			return channels, nil
		}
		best, err := firstHop(n, f, &h, at, state)
		if err != nil {
			return channels, err
		}
		h.Take(best)
		channels = append(channels, best.Channel)
		at = n.To[best.Channel]
	}
}

// firstHop is the hop that an idle network takes: of the first tier, the one listed first.
func firstHop(n *Network, f Function, h *Header, at int32, state *State) (Hop, error) {
	hops := f.Next(h, at, state, state.next[:0])
	state.next = hops
	if len(hops) == 0 {
		return Hop{}, fmt.Errorf("%w from %s to %s: %s ends at %s", ErrNoWay, n.Label(h.Src), n.Label(h.Dst), f.Name(),
			n.Label(at))
	}
	if h.Hops >= maxHops {
		return Hop{}, fmt.Errorf("%s does not arrive at %s from %s in %d hops", f.Name(), n.Label(h.Dst),
			n.Label(h.Src), maxHops)
	}
	best := hops[0]
	for _, hop := range hops[1:] {
		if hop.Tier < best.Tier {
			best = hop
		}
	}
	return best, nil
}

// Label is the name of a router.
func (n *Network) Label(r int32) string { return n.Names.NameOrAddress(int(n.Vertex[r])) }
