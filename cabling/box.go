package cabling

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Box is how one kind of vertex is built, as far as cables are concerned.
type Box struct {
	Part *catalog.Part
	Box  *layout.Box
	// Ports are those that links are plugged into, in that order: port i of a
	// vertex is Ports[i].
	Ports []Port
	Code  string // prefix of device names: "SW"
	// Beyond is how far cables that end at the box go on, out of the room, from where it stands.
	Beyond units.Length

	cages int // of the part, used or not
}

// Port is one port of a box.
type Port struct {
	Name  string // as printed on the box
	Cage  int    // from 0; ports that share a cage have the same
	Group *catalog.PortGroup
}

// NewBox lists the ports of a part, which realises a kind of vertex, in the
// order of the part.
func NewBox(part *catalog.Part, kind string) *Box { return NewSplitBox(part, kind, 1) }

// NewSplitBox is a box each of whose ports is broken out into several, which
// share its rate and its cage: port 3 becomes 3/1, 3/2, ... Ports that are used only
// by name are left out.
func NewSplitBox(part *catalog.Part, kind string, into int) *Box {
	return newBox(part, kind, into, false)
}

// NewWholeBox is such a box with the ports that are used only by name, which stay
// whole.
func NewWholeBox(part *catalog.Part, kind string, into int) *Box {
	return newBox(part, kind, into, true)
}

func newBox(part *catalog.Part, kind string, into int, byName bool) *Box {
	b := &Box{Part: part, Code: code(kind)}
	var faces []layout.Ports
	for i := range part.Ports {
		g := &part.Ports[i]
		if g.ByName && !byName {
			continue
		}
		if into > 1 && !g.ByName {
			g = breakOut(g, into)
		}
		per := max(g.PerCage, 1)
		rows := g.Rows
		if rows == 0 {
			rows = 1
			if g.Count > 12 {
				rows = 2
			}
		}
		for p := range g.Count {
			b.Ports = append(b.Ports, Port{Name: g.PortName(p), Cage: b.cages + p/per, Group: g})
		}
		b.cages += (g.Count + per - 1) / per
		face := layout.Ports{Count: g.Count, PerCage: per, Rows: rows, Rear: g.Face != catalog.Front}
		bottom := units.Length(0)
		if part.ZeroU { // it shows its front to the aisle behind the rack
			face.Rear, bottom = g.Face == catalog.Rear, -part.Height/2
		}
		for _, at := range g.At {
			face.At = append(face.At, [2]units.Length{at[0], bottom + at[1]})
		}
		faces = append(faces, face)
	}
	height := max(part.Units, 1)
	if part.ZeroU {
		height = 0
	}
	b.Box = layout.NewBox(height, part.Width, part.Depth, faces)
	return b
}

// breakOut is a group each of whose ports is broken out into several.
func breakOut(g *catalog.PortGroup, into int) *catalog.PortGroup {
	out := *g
	out.Count, out.Rate, out.PerCage = g.Count*into, g.Rate/units.Rate(into), max(g.PerCage, 1)*into
	out.Label, out.Split, out.Names, out.At = "", "", make([]string, 0, out.Count), nil
	if out.Rows == 0 && g.Count > 12 {
		out.Rows = 2
	} else if out.Rows == 0 {
		out.Rows = 1
	}
	for p := range g.Count {
		for lane := range into {
			out.Names = append(out.Names, g.SplitName(p, lane))
			if g.At != nil {
				out.At = append(out.At, g.At[p])
			}
		}
	}
	return &out
}

// Plug puts the ports in the order of the given names, in which links are plugged
// in; a port that is not among them stays free. Faults are reported by the index
// of the name.
func (b *Box) Plug(names []string, fault func(i int, format string, args ...any)) {
	index := make(map[string]int, len(b.Ports))
	known := make([]string, len(b.Ports))
	for i := range b.Ports {
		known[i] = b.Ports[i].Name
		if _, twice := index[known[i]]; !twice {
			index[known[i]] = i
		}
	}
	order := make([]int, 0, len(names))
	ports := make([]Port, 0, len(names))
	taken := make(map[int]bool, len(names))
	for i, name := range names {
		at, ok := index[name]
		switch {
		case !ok:
			fault(i, "%s has no port %q\n%s", b.Part.ID, name, portHint(name, known))
			continue
		case taken[at]:
			fault(i, "port %q is named twice", name)
			continue
		}
		taken[at] = true
		order = append(order, at)
		ports = append(ports, b.Ports[at])
	}
	b.Ports = ports
	b.Box = b.Box.WithPorts(order)
}

// Take puts the ports of the given numbers in the order in which links are plugged in. The others stay free; one may be
// named twice, for boxes that are plugged into several networks with different ports.
func (b *Box) Take(numbers []int) {
	ports := make([]Port, len(numbers))
	for i, n := range numbers {
		ports[i] = b.Ports[n]
	}
	b.Ports = ports
	b.Box = b.Box.WithPorts(numbers)
}

// portHint suggests the name that a misspelt one means, or says which there are.
func portHint(name string, known []string) string {
	if near, ok := diag.Closest(name, known); ok {
		return diag.DidYouMean(near)
	}
	if len(known) > 8 {
		return fmt.Sprintf("its ports are %s to %s", known[0], known[len(known)-1])
	}
	return "its ports are " + strings.Join(slices.Clone(known), ", ")
}

// Cages returns the number of cages, used or not.
func (b *Box) Cages() int { return b.cages }
