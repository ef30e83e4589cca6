package topology

import "slices"

// Channels returns Counts.ByLevel of g, from a closed form in the families that have one,
// else by a walk over all links.
func Channels(g Graph) []int64 {
	if n := closedChannels(g); n != nil {
		return n
	}
	return Count(g).ByLevel
}

// closedChannels is Channels by a closed form, nil where there is none.
func closedChannels(g Graph) []int64 {
	c, ok := g.(Counted)
	if !ok {
		return nil
	}
	levels, n := g.Levels(), c.LevelChannels()
	if len(n) != len(levels) { // families that build on another add levels
		return nil
	}
	n = slices.Clone(n)
	for i := range n {
		n[i] *= int64(levels[i].Ports())
	}
	return n
}

// AtMostLinks reports whether g has at most the given number of links, parallel channels of one link counted once. If
// ports and closed forms do not decide, it walks links until there are more than that.
func AtMostLinks(g Graph, most int64) bool {
	if ports, ok := portsOf(g); ok && ports <= most {
		return true // every link takes one at least
	}
	if own := closedChannels(g); own != nil {
		channels := int64(0)
		for _, n := range own {
			channels += n
		}
		f, formulas := g.(Formulas)
		if channels <= most || formulas && f.ClosedForms().SingleLinks {
			return channels <= most
		}
	}
	links := int64(0)
	for range g.Links() {
		if links++; links > most {
			return false
		}
	}
	return links <= most
}

// portsOf adds up the ports of all vertices; ok is false if a kind states no ports.
func portsOf(g Graph) (sum int64, ok bool) {
	for _, k := range g.Kinds() {
		if k.Ports <= 0 {
			return 0, false
		}
		sum += int64(k.Count) * int64(k.Ports)
	}
	return sum, true
}
