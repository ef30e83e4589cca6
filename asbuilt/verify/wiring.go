package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
)

// plugged is the links of one plug of a trunk.
type plugged struct {
	links  []int32             // that a source sees
	ways   [][]cabling.Segment // of links
	behind map[[2]int32]int32  // the port of a box, by the panel and the adapter of its cord
	wrong  int                 // links that are not as planned
}

// noteWiring adds a note for each plug of a trunk some of whose links are not as planned, if a trunk of another
// polarity or another cassette would lead all of its links that are seen, at least two, as they are: a mistake that
// many links have in common.
func (s *sight) noteWiring() {
	patching := s.p.schedule.Patching
	if patching == nil || len(patching.Trunks) == 0 {
		return
	}
	for _, g := range s.plugs() {
		if g.wrong == 0 || len(g.links) < 2 {
			continue
		}
		var fits []string
		for i, m := range s.p.schedule.Miswirings(g.ways[0]) {
			if g.explains(s, i) {
				fits = append(fits, m.What)
			}
		}
		if len(fits) == 0 {
			continue
		}
		trunk, sc := g.ways[0][1], s.p.schedule
		at := fmt.Sprintf("links of %s, in its plug at %s,", sc.CableID(int64(trunk.Cable)),
			sc.Label(trunk.A, sc.PlugPort(trunk.A, trunk.PortA)))
		which := fmt.Sprintf("%d of the %d %s are not", g.wrong, len(g.links), at)
		if g.wrong == len(g.links) {
			which = fmt.Sprintf("none of the %d %s is", len(g.links), at)
		}
		if g.dark(s) {
			fits = slices.Insert(fits, 0, "a plug that is not plugged in")
		}
		s.notes = append(s.notes, fmt.Sprintf("%s as planned: it may be %s", which, strings.Join(fits, ", or ")))
	}
}

// plugs lists the plugs of trunks, in the order of the schedule. All plugs of a trunk between panels without cassettes
// count as one.
func (s *sight) plugs() []*plugged {
	p := s.p
	at := map[[2]int32]*plugged{}
	var out []*plugged
	segs := p.schedule.Segments
	for i := 0; i+2 < len(segs); i++ {
		if p.schedule.Panel(segs[i].B) < 0 {
			continue
		}
		way := segs[i : i+3]
		i += 2
		key := [2]int32{way[1].Cable}
		if p.schedule.Patching.Part.Panel.Cassette != nil {
			key[1] = int32(p.schedule.PlugPort(way[1].A, way[1].PortA)) + 1
		}
		g := at[key]
		if g == nil {
			g = &plugged{behind: map[[2]int32]int32{}}
			at[key], out = g, append(out, g)
		}
		l := p.planned[p.first[way[0].A]+int32(way[0].PortA)]
		if l < 0 {
			continue
		}
		g.behind[[2]int32{way[0].B, int32(way[0].PortB)}] = p.links[l].a
		g.behind[[2]int32{way[2].A, int32(way[2].PortA)}] = p.links[l].b
		if !s.sees(l) {
			continue
		}
		g.links, g.ways = append(g.links, l), append(g.ways, way)
		if s.partner(p.links[l].a) != p.links[l].b {
			g.wrong++
		}
	}
	return out
}

// partner returns the port at the other end of the link that is found in a port, -1 where there is none.
func (s *sight) partner(port int32) int32 {
	if x := s.at[port]; x >= 0 {
		return s.links[x].other(port)
	}
	return -1
}

// explains reports whether a mistake, by its index in Miswirings, would lead all links of a plug as they are seen.
func (g *plugged) explains(s *sight, mistake int) bool {
	for i, l := range g.links {
		want := int32(-1)
		if leads := s.p.schedule.Miswirings(g.ways[i])[mistake].Leads; leads >= 0 {
			if port, ok := g.behind[[2]int32{g.ways[i][2].A, int32(leads)}]; ok {
				want = port
			}
		}
		if s.partner(s.p.links[l].a) != want {
			return false
		}
	}
	return true
}

// dark reports whether nothing is seen in any port of the links of a plug.
func (g *plugged) dark(s *sight) bool {
	return !slices.ContainsFunc(g.links, func(l int32) bool { return s.partner(s.p.links[l].a) >= 0 })
}
