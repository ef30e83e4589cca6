package graphio

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// merge makes one link of the edges that link the same two vertices on a level.
func (b *reading) merge() error {
	order := b.byEnds()
	for i := 0; i < len(order); {
		end := i + 1
		for end < len(order) && sameEnds(&b.links[order[i]], &b.links[order[end]]) {
			end++
		}
		head := &b.links[order[i]]
		if b.pairs++; end == i+1 && !b.anynet && !b.listed {
			if head.way == arc {
				head.way = duplex
			}
		} else if err := b.bundle(order[i:end]); err != nil {
			return err
		}
		i = end
	}
	b.links = slices.DeleteFunc(b.links, func(l fileLink) bool { return l.width == 0 })
	return nil
}

func sameEnds(x, y *fileLink) bool {
	return x.level == y.level && min(x.a, x.b) == min(y.a, y.b) && max(x.a, x.b) == max(y.a, y.b)
}

// bundle makes the first of a run of edges between the same two vertices the link of all. Edges that carry both
// ways are parallel channels of it. Of those that are drawn in a direction, as many as there are in the direction
// that has more: the file draws both directions of a channel then. An edge that carries one way only needs one that
// carries back, or all others the same way.
func (b *reading) bundle(run []int32) error {
	head := &b.links[run[0]]
	var channels [simplex + 1][2]int // by way and direction
	var there, back []int32          // attributes of the edges that carry from the head's first end, and of others
	oneWay := false                  // there is an edge against the direction of the head that has a direction
	most := int32(0)
	for _, at := range run {
		l, side := &b.links[at], 0
		if l.a != head.a {
			side = 1
		}
		if l.way == duplex || side == 0 {
			there = append(there, l.attrs)
		}
		if l.way == duplex || side == 1 {
			back = append(back, l.attrs)
		}
		oneWay = oneWay || l.way != duplex && side == 1
		if n := &channels[l.way][side]; b.strict {
			*n = max(*n, int(l.width))
		} else {
			*n += int(l.width)
		}
		most = max(most, l.width)
	}
	if b.listed && channels[arc][0] != channels[arc][1] {
		i := 0
		if channels[arc][0] < channels[arc][1] {
			i = slices.IndexFunc(run, func(at int32) bool { return b.links[at].a != head.a })
		}
		l := &b.links[run[i]]
		return fmt.Errorf("%s:%d: vertex %s lists %s more often than %s lists %s; an edge stands at both its ends",
			b.name, l.line, b.vertices[l.a].id, b.vertices[l.b].id, b.vertices[l.b].id, b.vertices[l.a].id)
	}
	both := channels[duplex][0] + channels[duplex][1]
	if b.strict {
		both = max(channels[duplex][0], channels[duplex][1])
	}
	paired := min(channels[simplex][0], channels[simplex][1])
	both += max(channels[arc][0], channels[arc][1]) + paired
	single := channels[simplex][0] + channels[simplex][1] - 2*paired
	switch {
	case single > 0 && both > 0:
		last := &b.links[run[len(run)-1]]
		return fmt.Errorf("%s:%d: %d of the channels between %s and %s carry one way only, and %d both ways; give "+
			"them "+
			"levels of their own", b.name, last.line, single, b.vertices[head.a].id, b.vertices[head.b].id, both)
	case both+single > topology.MaxPorts:
		return fmt.Errorf("%s:%d: %s and %s are linked by more than %d channels", b.name, head.line,
			b.vertices[head.a].id, b.vertices[head.b].id, topology.MaxPorts)
	}
	b.count(channels, len(run), both+single > int(most))
	attrs := b.agreedAttributes(there)
	switch {
	case b.anynet && b.levels[head.level].Name == "terminal": // a latency holds both ways
		attrs = b.agreedAttributes(append(there, back...))
	case oneWay:
		attrs = bothDirections(attrs, b.agreedAttributes(back))
	case b.anynet:
		attrs = bothDirections(attrs, map[string]string{})
	}
	head.attrs = b.attributes(attrs)
	head.width, head.way = int32(both), duplex
	if single > 0 {
		head.width, head.way = int32(single), simplex
	}
	if b.anynet && b.vertices[head.a].role == topology.Terminal { // the line of a node
		head.a, head.b = head.b, head.a
	}
	for _, at := range run[1:] {
		b.links[at].width = 0
	}
	return nil
}

// count counts what the notes say of a bundle.
func (b *reading) count(channels [simplex + 1][2]int, edges int, parallel bool) {
	switch {
	case b.strict:
		b.repeated += edges - 1
	case parallel:
		b.bundles++
	}
	if channels[arc][0] > 0 && channels[arc][1] > 0 {
		b.opposite++
	}
	if channels[duplex][0] > 0 && channels[duplex][0] == channels[duplex][1] {
		b.mirrored++
	}
}

// remarks are the notes of a file.
func (b *reading) remarks() []string {
	if b.loops > 0 {
		b.notef("passed over %s from a vertex to itself, the first in line "+
			"%d", english.Count(b.loops, "edge"), b.firstLoop)
	}
	if b.repeated > 0 {
		b.notef("passed over %s that a strict graph repeats", english.Count(b.repeated, "edge"))
	}
	if b.opposite > 0 && !b.anynet && !b.listed {
		b.notef("%s of vertices with edges in both directions: one link each, which carries both ways",
			english.Count(b.opposite, "pair"))
	}
	if b.bundles > 0 {
		b.notef("%s of vertices with parallel edges: one link each, as wide as there are edges",
			english.Count(b.bundles, "pair"))
	}
	if b.plain && b.pairs > 0 && b.mirrored == b.pairs {
		b.notef("every edge is listed in both directions, which count as two channels; `directed: true` makes " +
			"them one link")
	}
	return b.notes
}

// agreedAttributes returns the attributes that all of some parallel edges have with the same value, and the greatest of
// their lengths and latencies, which not all need to have. In a strict graph, a later edge overwrites the attributes of
// an earlier one. It is nil for no edges.
func (b *reading) agreedAttributes(sets []int32) map[string]string {
	if len(sets) == 0 {
		return nil
	}
	all := parseAttributes(b.attrs[sets[0]])
	for i, set := range sets[1:] {
		if set == sets[i] {
			continue
		}
		other := parseAttributes(b.attrs[set])
		if b.strict {
			maps.Copy(all, other)
			continue
		}
		for k, v := range other {
			if slices.Contains(measures, k) && greater(v, all[k]) {
				all[k] = v
			}
		}
		maps.DeleteFunc(all, func(k, v string) bool { return !slices.Contains(measures, k) && other[k] != v })
	}
	return all
}

// measures are attributes that are numbers.
var measures = []string{"length_m", "latency", "latency_back"}

// greater reports whether a number is greater than another, which may be missing.
func greater(x, y string) bool {
	a, _ := strconv.ParseFloat(x, 64)
	b, err := strconv.ParseFloat(y, 64)
	return err != nil || a > b
}

// byEnds orders the links by their lower end, higher end and level, equal ones
// as in the file.
func (b *reading) byEnds() []int32 {
	next := make([]int32, len(b.vertices)+1)
	for i := range b.links {
		next[min(b.links[i].a, b.links[i].b)+1]++
	}
	for v := range b.vertices {
		next[v+1] += next[v]
	}
	order := make([]int32, len(b.links))
	for i := range b.links {
		v := min(b.links[i].a, b.links[i].b)
		order[next[v]] = int32(i)
		next[v]++
	}
	first := int32(0) // next[v] is now where v's links end
	for v := range b.vertices {
		slices.SortFunc(order[first:next[v]], func(i, j int32) int {
			x, y := &b.links[i], &b.links[j]
			if c := cmp.Compare(max(x.a, x.b), max(y.a, y.b)); c != 0 {
				return c
			}
			return cmp.Or(cmp.Compare(x.level, y.level), cmp.Compare(i, j))
		})
		first = next[v]
	}
	return order
}

// bothDirections is the attributes of a link from those of its directions.
// A latency that is not given is 1.
func bothDirections(attrs, other map[string]string) map[string]string {
	if attrs["latency"] != "" && other["latency"] == "" {
		other["latency"] = "1"
	}
	for k, v := range other {
		if own, ok := attrs[k]; !ok || own != v {
			attrs[k+"_back"] = v
		}
	}
	return attrs
}
