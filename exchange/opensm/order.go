package opensm

import (
	"math/bits"
	"slices"
)

// channel is a link in one direction, from a port of a switch.
type channel struct {
	from, to, port int
}

// waits tells which channels wait for which in one lane, and keeps the channels in an order in which each comes before
// those that it waits for: as long as there is one, no channels wait for each other in a circle.
type waits struct {
	net   *channels
	after [][]uint64 // by channel, a bit for each channel that leaves the switch where it ends
	place []int32    // in the order
	mark  []uint32   // of the search that met a channel last
	stamp uint32
	ahead []int32 // scratch: channels that a search meets
	back  []int32
	slots []int32
}

// channels are those of a fabric, numbered by switch and there by port.
type channels struct {
	all   []channel
	out   []int32   // first channel of each switch
	into  [][]int32 // channels that end at each switch
	words []int32   // of a bit for each channel of a switch
}

func channelsOf(f *fabric) *channels {
	c := &channels{into: make([][]int32, len(f.hops))}
	for s, hops := range f.hops {
		c.out = append(c.out, int32(len(c.all)))
		for _, h := range hops {
			c.into[h.to] = append(c.into[h.to], int32(len(c.all)))
			c.all = append(c.all, channel{s, h.to, h.port})
		}
		c.words = append(c.words, int32((len(hops)+63)/64))
	}
	c.out = append(c.out, int32(len(c.all)))
	return c
}

func newWaits(c *channels) *waits {
	w := &waits{
		net: c, after: make([][]uint64, len(c.all)), place: make([]int32, len(c.all)), mark: make([]uint32, len(c.all)),
	}
	for i := range c.all {
		w.after[i] = make([]uint64, c.words[c.all[i].to])
		w.place[i] = int32(i)
	}
	return w
}

// has reports whether a waits for b.
func (w *waits) has(a, b int32) bool {
	i := b - w.net.out[w.net.all[a].to]
	return w.after[a][i/64]&(1<<(i%64)) != 0
}

// drop takes a wait back.
func (w *waits) drop(a, b int32) {
	i := b - w.net.out[w.net.all[a].to]
	w.after[a][i/64] &^= 1 << (i % 64)
}

// add lets a wait for b, which leaves the switch where a ends, and reports whether it may: not if b already waits for
// a, over others or not. The order is kept by D. J. Pearce and P. H. J. Kelly, "A dynamic topological sort algorithm
// for directed acyclic graphs", ACM Journal of Experimental Algorithmics 11 (2006).
func (w *waits) add(a, b int32) bool {
	if w.place[a] > w.place[b] && !w.reorder(a, b) {
		return false
	}
	i := b - w.net.out[w.net.all[a].to]
	w.after[a][i/64] |= 1 << (i % 64)
	return true
}

// reorder moves b and what it waits for behind a and what waits for a. It fails where b waits for a.
func (w *waits) reorder(a, b int32) bool {
	w.stamp++
	w.ahead = append(w.ahead[:0], b)
	w.mark[b] = w.stamp
	for i := 0; i < len(w.ahead); i++ {
		x := w.ahead[i]
		first := w.net.out[w.net.all[x].to]
		for k, word := range w.after[x] {
			for ; word != 0; word &= word - 1 {
				y := first + int32(64*k+bits.TrailingZeros64(word))
				if y == a {
					return false
				}
				if w.place[y] < w.place[a] && w.mark[y] != w.stamp {
					w.mark[y] = w.stamp
					w.ahead = append(w.ahead, y)
				}
			}
		}
	}
	w.back = append(w.back[:0], a)
	w.mark[a] = w.stamp
	for i := 0; i < len(w.back); i++ {
		x := w.back[i]
		for _, y := range w.net.into[w.net.all[x].from] {
			if w.place[y] > w.place[b] && w.mark[y] != w.stamp && w.has(y, x) {
				w.mark[y] = w.stamp
				w.back = append(w.back, y)
			}
		}
	}
	byPlace := func(x, y int32) int { return int(w.place[x] - w.place[y]) }
	slices.SortFunc(w.ahead, byPlace)
	slices.SortFunc(w.back, byPlace)
	w.slots = w.slots[:0]
	for _, x := range w.back {
		w.slots = append(w.slots, w.place[x])
	}
	for _, x := range w.ahead {
		w.slots = append(w.slots, w.place[x])
	}
	slices.Sort(w.slots)
	for i, x := range w.back {
		w.place[x] = w.slots[i]
	}
	for i, x := range w.ahead {
		w.place[x] = w.slots[len(w.back)+i]
	}
	return true
}
