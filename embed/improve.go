package embed

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"plenum/layout"
)

// most exchange partners that are tried for one rack in one pass.
const partners = 256

// neighbour is another rack and the number of channels to it.
type neighbour struct {
	rack     int32
	channels float64
}

// improve exchanges the places of racks of one class as long as that shortens
// the sum of tray distances over all channels between racks: a descent over
// pairs, each pass trying for every rack the others of its class (at most
// partners of them, drawn with the seed). Places change in place; the result
// is never longer than what it starts from. A rack that holds a locked vertex
// stays, and rows keep to their limits.
func improve(ctx context.Context, p *Problem, f *filler, room *layout.Room, places []int32) {
	adjacent := rackNeighbours(p, f)
	byClass := map[Class][]int32{}
	locked := f.lockedRacks()
	load := make([]rowLoad, len(room.Rows))
	for i := range f.racks {
		load[room.Places[places[i]].Row].add(&f.racks[i].state)
	}
	// bears tells whether the rows still bear the racks when a and b change
	// places.
	bears := func(a, b int32) bool {
		ra, rb := room.Places[places[a]].Row, room.Places[places[b]].Row
		if ra == rb {
			return true
		}
		la, lb := load[ra], load[rb]
		la.remove(&f.racks[a].state)
		la.add(&f.racks[b].state)
		lb.remove(&f.racks[b].state)
		lb.add(&f.racks[a].state)
		return la.within(&room.Spec) && lb.within(&room.Spec)
	}
	for i := range f.racks {
		if locked[i] {
			continue
		}
		byClass[f.racks[i].class] = append(byClass[f.racks[i].class], int32(i))
	}
	random := rand.New(rand.NewPCG(p.Seed, 0xda942042e4dd58b5))
	distance := func(a, b int32) float64 { return float64(room.Trays.Distance(a, b)) }
	// gain is what exchanging the places of a and b saves; the distance between
	// the two stays what it is.
	gain := func(a, b int32) float64 {
		pa, pb := places[a], places[b]
		saved := 0.0
		for _, n := range adjacent[a] {
			if n.rack != b {
				saved += n.channels * (distance(pa, places[n.rack]) - distance(pb, places[n.rack]))
			}
		}
		for _, n := range adjacent[b] {
			if n.rack != a {
				saved += n.channels * (distance(pb, places[n.rack]) - distance(pa, places[n.rack]))
			}
		}
		return saved
	}
	for range p.Passes {
		improved := false
		for _, class := range []Class{InRack, EndOfRow, NetworkRow} {
			racks := byClass[class]
			for _, a := range racks {
				if ctx.Err() != nil {
					return
				}
				best, with := 1e-6, int32(-1)
				for k := range min(len(racks), partners) {
					b := racks[k]
					if len(racks) > partners {
						b = racks[random.IntN(len(racks))]
					}
					if g := gain(a, b); b != a && g > best && bears(a, b) {
						best, with = g, b
					}
				}
				if with >= 0 {
					ra, rb := &load[room.Places[places[a]].Row], &load[room.Places[places[with]].Row]
					ra.remove(&f.racks[a].state)
					rb.remove(&f.racks[with].state)
					ra.add(&f.racks[with].state)
					rb.add(&f.racks[a].state)
					places[a], places[with] = places[with], places[a]
					improved = true
				}
			}
		}
		if !improved {
			return
		}
	}
}

// rackNeighbours counts the channels between every two racks.
func rackNeighbours(p *Problem, f *filler) [][]neighbour {
	count := map[uint64]float64{}
	for l := range p.Graph.Links() {
		a, b := f.spots[l.A].rack, f.spots[l.B].rack
		if a != b {
			count[uint64(min(a, b))<<32|uint64(max(a, b))] += float64(l.Width)
		}
	}
	out := make([][]neighbour, len(f.racks))
	for pair, channels := range count {
		a, b := int32(pair>>32), int32(pair&0xffffffff)
		out[a] = append(out[a], neighbour{b, channels})
		out[b] = append(out[b], neighbour{a, channels})
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b neighbour) int { return cmp.Compare(a.rack, b.rack) })
	}
	return out
}
