package cabling

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// Colours says which colours the cables of links have. A link on a rail with a colour has that, any other the colour of
// its level. Trunks between patch panels have no colour.
type Colours struct {
	Levels []string      // of each level of the topology; "" for none
	Rails  []RailColours // of each level; nil where no rail has a colour
}

// RailColours are the colours of the rails of a level. The rail of a link is that of its end A, or of its end B where A
// is on none.
type RailColours struct {
	Names []string // of each rail, from 0; "" for none
	// Rail is the rail of a vertex, from 0, negative for a vertex on none. It is called only where Names has colours.
	Rail func(v int32) int32
}

// colour is the colour of a link by its rail, "" where that has none.
func (r *RailColours) colour(l *topology.Link) string {
	if len(r.Names) == 0 {
		return ""
	}
	rail := r.Rail(l.A)
	if rail < 0 {
		rail = r.Rail(l.B)
	}
	if rail < 0 || int(rail) >= len(r.Names) {
		return ""
	}
	return r.Names[rail]
}

// ColourPieces is how many cables of a product have a colour.
type ColourPieces struct {
	Product int16 // index into Schedule.Products
	Colour  string
	Pieces  int64
}

// colouring is the colours of the cables of a schedule.
type colouring struct {
	names  []string // from 1; names[0] is ""
	levels []uint8  // of each level
	links  []uint8  // of each link of the topology; nil where no rail has a colour
	cables []uint8  // of each cable, by its number from 1; unseen before the first of its links is scheduled
	count  map[colourKey]int64
}

// unseen is in place of the colour of a cable of which no link is scheduled yet.
const unseen = 255

// colourKey is a product in a colour.
type colourKey struct {
	product int16
	colour  uint8
}

// MostColours is the most different colours of a machine, of levels and rails together. Callers have to check it.
const MostColours = 200

// newColouring prepares to count cables by colour; nil without colours.
func newColouring(c *Colours, g topology.Graph) *colouring {
	if c == nil {
		return nil
	}
	k := &colouring{names: []string{""}, count: map[colourKey]int64{}}
	number := func(name string) uint8 {
		i := slices.Index(k.names, name)
		if i < 0 {
			i = len(k.names)
			k.names = append(k.names, name)
		}
		return uint8(i)
	}
	for _, name := range c.Levels {
		k.levels = append(k.levels, number(name))
	}
	if !slices.ContainsFunc(c.Rails, func(r RailColours) bool { return len(r.Names) > 0 }) {
		return k
	}
	for l := range g.Links() {
		of := k.levels[l.Level]
		if name := c.Rails[l.Level].colour(&l); name != "" {
			of = number(name)
		}
		k.links = append(k.links, of)
	}
	return k
}

// linkColour is the colour of the link of a segment, 0 for none.
func (s *Schedule) linkColour(seg *Segment) uint8 {
	k := s.colouring
	switch {
	case seg.Product == IsTrace, s.Panel(seg.A) >= 0 && s.Panel(seg.B) >= 0:
		return 0
	case k.links != nil:
		return k.links[seg.Link]
	}
	return k.levels[seg.Level]
}

// countColour counts the cable of a segment.
func (s *Schedule) countColour(seg *Segment) {
	k := s.colouring
	if k == nil || seg.Product < 0 || seg.Cable == 0 {
		return
	}
	for len(k.cables) < int(seg.Cable) {
		k.cables = append(k.cables, unseen)
	}
	of, before := s.linkColour(seg), &k.cables[seg.Cable-1]
	switch *before {
	case of:
		return
	case unseen:
	default: // links of several colours
		k.count[colourKey{seg.Product, *before}]--
		of = 0
	}
	*before = of
	k.count[colourKey{seg.Product, of}]++
}

// HasColours reports whether the machine states colours of cables.
func (s *Schedule) HasColours() bool { return s.colouring != nil }

// Colour returns the colour of the cable of a segment, "" where none is stated: that of its link. A cable of several
// links has the colour that they share, and none where they differ.
func (s *Schedule) Colour(seg *Segment) string {
	k := s.colouring
	if k == nil {
		return ""
	}
	if i := int(seg.Cable) - 1; seg.Product >= 0 && i < len(k.cables) && k.cables[i] != unseen {
		return k.names[k.cables[i]]
	}
	return k.names[s.linkColour(seg)]
}

// ColourPieces counts the cables that have a colour, by product and then by colour.
func (s *Schedule) ColourPieces() []ColourPieces {
	if s.colouring == nil {
		return nil
	}
	var out []ColourPieces
	for key, n := range s.colouring.count {
		if key.colour > 0 && n > 0 {
			out = append(out, ColourPieces{key.product, s.colouring.names[key.colour], n})
		}
	}
	slices.SortFunc(out, func(a, b ColourPieces) int {
		return cmp.Or(cmp.Compare(a.Product, b.Product), cmp.Compare(a.Colour, b.Colour))
	})
	return out
}
