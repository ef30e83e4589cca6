package packet

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
)

// stats counts what is delivered. It is split into what goes on (injected, lost)
// and what starts anew with each window.
type stats struct {
	injected, delivered, lost int64 // packets since the start
	undeliverable             int64 // packets, never injected or lost

	window
}

// window is sums over the packets delivered in some cycles.
type window struct {
	packets  int64
	hops     int64 // channels between routers
	latency  int64
	distance int64 // cycles on links
	passed   int64 // cycles in routers and terminals
	most     int64
	counts   histogram
}

// add takes note of a packet whose last phit arrives at a time.
func (s *stats) add(e *engine, p *record, at int64) {
	s.delivered++
	latency := at - p.made
	s.packets++
	s.hops += int64(p.Hops)
	s.latency += latency
	s.distance += int64(p.distance)
	s.passed += int64(p.passed)
	s.most = max(s.most, latency)
	s.counts.add(latency)
}

func (w *window) merge(o *window) {
	w.packets += o.packets
	w.hops += o.hops
	w.latency += o.latency
	w.distance += o.distance
	w.passed += o.passed
	w.most = max(w.most, o.most)
	w.counts.merge(&o.counts)
}

// clear keeps the space of the histogram.
func (w *window) clear() {
	counts := w.counts
	clear(counts.bins)
	*w = window{counts: counts}
}

// histogram counts numbers below 2^11 exactly and others to 11 leading bits.
type histogram struct{ bins []int64 }

const exactBits = 11

func binOf(v int64) int {
	if v < 1<<exactBits {
		return int(max(v, 0))
	}
	shift := bits.Len64(uint64(v)) - exactBits
	return shift<<(exactBits-1) + int(v>>shift)
}

// valueOf is the least number of a bin.
func valueOf(bin int) int64 {
	if bin < 1<<exactBits {
		return int64(bin)
	}
	shift := bin>>(exactBits-1) - 1
	return int64(bin-shift<<(exactBits-1)) << shift
}

func (h *histogram) add(v int64) {
	bin := binOf(v)
	if bin >= len(h.bins) {
		grown := make([]int64, max(bin+1, 2*len(h.bins), 1<<exactBits))
		copy(grown, h.bins)
		h.bins = grown
	}
	h.bins[bin]++
}

func (h *histogram) merge(o *histogram) {
	for len(h.bins) < len(o.bins) {
		h.bins = append(h.bins, 0)
	}
	for i, n := range o.bins {
		h.bins[i] += n
	}
}

// quantile is the least number that at least the share p of the total are not
// above, as exact as the bins are.
func (h *histogram) quantile(p float64, total int64) int64 {
	rank := int64(math.Ceil(p * float64(total)))
	for bin, n := range h.bins {
		if rank -= n; rank <= 0 && n > 0 {
			return valueOf(bin)
		}
	}
	return 0
}

// audit counts the packets in the buffers and holds the sums against each other.
func (c *crew) audit() error {
	var inside, alive int64
	s := &c.sumStats().stats
	for _, e := range c.engines {
		var own, gone int64
		if e.worm != nil {
			own, gone = e.heldWorms()
		} else {
			own = e.countHeld()
		}
		if freed := int64(len(e.free)); own+freed != int64(len(e.packets)) {
			return fmt.Errorf("packet: %d records, of which %d are in buffers and %d free", len(e.packets), own, freed)
		}
		inside += own - gone
		alive += e.alive
	}
	if c.engines[0].worm != nil {
		if err := c.auditPhits(); err != nil {
			return err
		}
	}
	if inside != alive || s.injected != s.delivered+s.lost+inside {
		return fmt.Errorf("packet: %d packets injected, %d delivered, %d lost, %d counted in the network where "+
			"there should be %d",
			s.injected, s.delivered, s.lost, inside, alive)
	}
	return nil
}

// ownBuffers has the buffers of an engine's routers.
func (e *engine) ownBuffers() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		vcs := int32(e.vcs)
		for r := range int32(e.net.Routers()) {
			if e.part != nil && e.part[r] != e.number {
				continue
			}
			for b := e.firstPort[r] * vcs; b < e.firstPort[r+1]*vcs; b++ {
				if !yield(b) {
					return
				}
			}
		}
	}
}

// countHeld counts the packets in an engine's buffers.
func (e *engine) countHeld() int64 {
	n := int64(0)
	for b := range e.ownBuffers() {
		for i := e.buffers[b].head; i >= 0; i = e.packets[i].next {
			n++
		}
	}
	return n
}

// stuck describes a packet that does not move.
func (c *crew) stuck(alive, moved int64) error {
	for _, e := range c.engines {
		for b := range e.ownBuffers() {
			buf := &e.buffers[b]
			if buf.head < 0 || buf.ready > e.now || e.worm != nil && e.worm.segments[b].out != noOut {
				continue
			}
			p := &e.packets[buf.head]
			r := e.inputs[e.perVCs(b)].router
			return fmt.Errorf("packet: deadlock: %d packets have not moved since cycle %d, such as one from "+
				"%s to terminal %d, at %s after %d hops (routing %s, %d virtual channels)",
				alive, moved, e.net.Label(p.Src), p.dst, e.net.Label(r), p.Hops, e.fn.Name(), e.vcs)
		}
	}
	return fmt.Errorf("packet: %d packets have not moved since cycle %d", alive, moved)
}
