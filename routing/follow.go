package routing

import (
	"fmt"
	"math/rand/v2"
)

// Follow takes the path of an idle network from every router with terminals to every other, by the hop that Path
// takes, and looks for paths that do not arrive and for channels that wait for each other in a cycle: the tables are
// tried, not what makes them. Pairs for which joined is false are left out, of a network in parts; nil joins all. Of
// more than most pairs those from evenly spread sources are followed, with all destinations of each; pairs is how many
// were followed, also with an error. Random numbers of a pair are drawn from seed 0.
//
// It is CheckDependencies for a function that offers one path, in the time of a path a pair.
func Follow(n *Network, f Function, most int, joined func(src, dst int32) bool) (pairs int, err error) {
	ends := homes(n)
	w := &waits{net: n, f: f, classes: f.Classes()}
	w.edges = make([]map[int32]bool, n.Channels()*w.classes)
	step := max(1, (len(ends)*len(ends)+most-1)/max(most, 1))
	state := &State{}
	for i := 0; i < len(ends); i += step {
		for _, dst := range ends {
			if src := ends[i]; src != dst && (joined == nil || joined(src, dst)) {
				if err := w.follow(src, dst, state); err != nil {
					return pairs, err
				}
				pairs++
			}
		}
	}
	return pairs, w.cycle()
}

// follow takes one path and notes what waits for what along it.
func (w *waits) follow(src, dst int32, state *State) error {
	state.Rand = rand.New(rand.NewPCG(0, uint64(src)<<32|uint64(uint32(dst))))
	h := NewHeader(src, dst)
	for at := src; ; {
		w.f.Arrive(&h, at, state)
		if h.HasArrived(at) {
			return nil
		}
		hop, err := firstHop(w.net, w.f, &h, at, state)
		if err != nil {
			return err
		}
		if int(hop.Class) >= w.classes {
			return fmt.Errorf("%s: class %d of %d", w.f.Name(), hop.Class, w.classes)
		}
		if h.Last >= 0 {
			from := w.key(h.Last, h.Class)
			if w.edges[from] == nil {
				w.edges[from] = map[int32]bool{}
			}
			w.edges[from][w.key(hop.Channel, hop.Class)] = true
		}
		h.Take(hop)
		at = w.net.To[hop.Channel]
	}
}
