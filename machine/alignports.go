package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/topology"
)

// alignPorts returns the ports of a box, of those given, that ports 0 to k.Ports-1 of a kind of switches of g are.
// There must be at least k.Ports of them. Where ports are broken out and enough are to spare, the links of a level
// begin with the first part of a broken-out port, and so do the links to another vertex where they fill such a port or
// more: the parts of a port share a plug, and a plug whose links lead in different directions needs a shuffle, or has
// no cable at all. Otherwise these are the first ports, and mixed is one that is broken out and has links of two
// levels, nil if none has. Which links lead where is read from the first switch of the kind.
func alignPorts(box *cabling.Box, ports []int, g topology.Graph, k topology.Kind) (aligned []int, mixed *cabling.Port) {
	if !slices.ContainsFunc(ports, func(p int) bool { return box.Ports[p].Lane > 0 }) {
		return ports[:k.Ports], nil
	}
	// parts has, of the broken-out port that each belongs to, how many of its parts are given; 1 of a whole port.
	parts := make([]int, len(ports))
	for first := 0; first < len(ports); {
		end := first + 1
		for end < len(ports) && isSamePort(box, ports[first], ports[end]) {
			end++
		}
		for i := first; i < end; i++ {
			parts[i] = end - first
		}
		first = end
	}
	of := linksOfPorts(g, k)
	for _, try := range []alignment{{peers: true, unused: true}, {unused: true}, {peers: true}, {}} {
		if at := try.lay(of, parts); at != nil {
			out := make([]int, k.Ports)
			for p := range out {
				out[p] = ports[at[p]]
			}
			return out, nil
		}
	}
	for p := range of[1:] {
		if before, l := of[p].level, of[p+1].level; before >= 0 && l >= 0 && l != before &&
			isSamePort(box, ports[p], ports[p+1]) {
			return ports[:k.Ports], &box.Ports[ports[p+1]]
		}
	}
	return ports[:k.Ports], nil
}

// isSamePort reports whether two ports of a box are parts of one port.
func isSamePort(box *cabling.Box, a, b int) bool {
	p, q := &box.Ports[a], &box.Ports[b]
	return p.Lane > 0 && q.Lane > 0 && p.Cage == q.Cage && p.Whole == q.Whole
}

// portLink is where the link of a port leads: its level and the vertex at its other end, both -1 where there is none.
type portLink struct{ level, peer int32 }

// linksOfPorts returns where the ports of the first vertex of a kind lead.
func linksOfPorts(g topology.Graph, k topology.Kind) []portLink {
	of := slices.Repeat([]portLink{{-1, -1}}, k.Ports)
	for l := range g.Links() {
		for c := range l.Width {
			if int(l.A) == k.First {
				of[l.PortA+c] = portLink{l.Level, l.B}
			}
			if int(l.B) == k.First {
				of[l.PortB+c] = portLink{l.Level, l.A}
			}
		}
	}
	return of
}

// alignment is what alignPorts keeps to: that links to one vertex begin with a port, and that ports without links,
// which are for more boxes, come between those of links as in the topology.
type alignment struct{ peers, unused bool }

// lay returns which of the ports of a box the ports of a switch are, given where their links lead and of how many parts
// the broken-out port of each of the box's ports is. A run of links of one level begins with the first part of a port
// where it or the run before it fills a port; with peers, so does a run of links to one vertex that fills a port. It
// returns nil if the box has too few ports.
func (a alignment) lay(of []portLink, parts []int) []int {
	out := slices.Repeat([]int{-1}, len(of))
	taken := make([]bool, len(parts))
	at, in := 0, 0 // the next port of the box, and how many parts of its port are before it
	before := 0    // length of the run of links of a level before this one
	last := portLink{-1, -1}
	take := func(p int) bool {
		if at >= len(parts) {
			return false
		}
		out[p], taken[at] = at, true
		if in++; in == parts[at] {
			in = 0
		}
		at++
		return true
	}
	end := len(of)
	for end > 0 && of[end-1].level < 0 {
		end--
	}
	for p, l := range of[:end] {
		if l.level < 0 {
			if a.unused && !take(p) {
				return nil
			}
			continue
		}
		isFirst := l.level != last.level
		level := before
		if isFirst {
			level = runLength(of, p, func(o portLink) bool { return o.level == l.level })
		}
		fills := func(run int) bool { return at < len(parts) && run >= parts[at] }
		if in > 0 && (isFirst && (fills(level) || fills(before)) || a.peers && l != last &&
			fills(runLength(of, p, func(o portLink) bool { return o == l }))) {
			at, in = at+parts[at]-in, 0
		}
		if before, last = level, l; !take(p) {
			return nil
		}
	}
	free := 0
	for p := range out {
		if out[p] >= 0 {
			continue
		}
		for taken[free] {
			free++
		}
		out[p], taken[free] = free, true
	}
	return out
}

// runLength returns how many ports from p on, without a gap, lead where is says.
func runLength(of []portLink, p int, is func(portLink) bool) int {
	n := 0
	for p+n < len(of) && is(of[p+n]) {
		n++
	}
	return n
}
