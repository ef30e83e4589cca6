package cabling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
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
	// Beyond is added to the length of every cable that ends at the box: its way from there on, out of the room.
	Beyond units.Length

	cages int                // of the part, used or not
	split []Port             // as BreakOut left Ports; nil where nothing is broken out
	shown catalog.PortNaming // as ShowPorts set it
}

// Port is one port of a box.
type Port struct {
	Name  string // by which the port is shown: as printed on the box, unless ShowPorts has chosen another
	Cage  int    // from 0; ports that share a cage have the same
	Group *catalog.PortGroup
	// Whole is the name of the port that this one is broken out of, and Lane its number among these, from 1. Both are
	// zero of a port that is whole.
	Whole string
	Lane  int

	// Number counts the ports of the box from 1, in the order of the part, in any order of plugging: as a
	// subnet does.
	Number int

	of     *catalog.PortGroup // of the part
	number int                // there, from 0
	into   int                // how many parts Whole is broken out into
}

// Identity returns what the port is called.
func (p *Port) Identity() catalog.PortIdentity {
	if p.Lane > 0 {
		return p.of.SplitIdentity(p.number, p.Lane-1, p.into)
	}
	return p.of.Identity(p.number)
}

// WholeIdentity returns what the port is called that this one is broken out of; nothing for a port that is whole.
func (p *Port) WholeIdentity() catalog.PortIdentity {
	if p.Lane == 0 {
		return catalog.PortIdentity{}
	}
	return p.of.Identity(p.number)
}

// PrintedNumber returns the number in the name of the port, or of the port that it is part of, as its group counts.
func (p *Port) PrintedNumber() int { return max(p.of.First, 1) + p.number }

// NewBox lists the ports of a part in its order. Ports that are used only by name are left out.
func NewBox(part *catalog.Part) *Box { return newBox(part, false) }

// NewWholeBox is such a box with the ports that are used only by name.
func NewWholeBox(part *catalog.Part) *Box { return newBox(part, true) }

// besides ends a message about the number of ports with the groups that are left out because they are used only by
// name.
func (b *Box) besides() string {
	var names []string
	for i := range b.Part.Ports {
		if g := &b.Part.Ports[i]; b.Part.OnlyByName(g) && !slices.ContainsFunc(b.Ports, func(p Port) bool {
			return p.of == g
		}) {
			names = append(names, cmp.Or(g.Name, fmt.Sprintf("group %d", i+1)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " besides those of " + english.List(names) + ", which are by_name: used only where the machine file names" +
		" them under ports"
}

func newBox(part *catalog.Part, byName bool) *Box {
	b := &Box{Part: part}
	var faces []layout.Ports
	for i := range part.Ports {
		g := &part.Ports[i]
		if part.OnlyByName(g) && !byName {
			continue
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
			b.Ports = append(b.Ports, Port{Name: g.PortName(p), Cage: b.cages + p/per, Group: g, of: g, number: p})
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
	b.count()
	height := max(part.Units, 1)
	if part.ZeroU {
		height = 0
	}
	b.Box = layout.NewBox(height, part.Width, part.Depth, faces)
	return b
}

// ShowPorts shows the ports by another name than the printed one. It returns what is printed at the first port that has
// no such name, "" if all have one. The box is of no use after the former: only the ports before that one are renamed.
func (b *Box) ShowPorts(by catalog.PortNaming) (missing string) {
	b.shown = by
	for i := range b.Ports {
		p := &b.Ports[i]
		called, whole := p.Identity(), p.WholeIdentity()
		if p.Name = called.ShownName(by); p.Name == "" {
			return called.Label
		}
		if p.Lane > 0 {
			p.Whole = cmp.Or(whole.ShownName(by), whole.Label)
		}
	}
	return ""
}

// BreakOut breaks port i of Ports out into into[i] ports, which share its rate and its cage: port 3 becomes 3/1, 3/2,
// ..., or what its part says. A port with 1 or less stays whole. Ports of one cage must be broken out alike. BreakOut
// has to come before Plug and Take, while the ports are in the order of the part.
func (b *Box) BreakOut(into []int) {
	type kind struct {
		group *catalog.PortGroup
		into  int
	}
	groups := map[kind]*catalog.PortGroup{}
	var ports []Port
	for i, p := range b.Ports {
		n := into[i]
		if n <= 1 {
			ports = append(ports, p)
			continue
		}
		k := kind{p.Group, n}
		if groups[k] == nil {
			groups[k] = brokenOutGroup(p.Group, n)
		}
		groups[k].Count += n
		for lane := range n {
			ports = append(ports, Port{
				Name: p.of.SplitName(p.number, lane, n), Cage: p.Cage, Group: groups[k], Whole: p.Name, Lane: lane + 1,
				of: p.of, number: p.number, into: n,
			})
		}
	}
	b.Ports = ports
	b.count()
	b.split = slices.Clone(ports)
	b.Box = b.Box.BreakOut(into)
}

// count numbers all ports of a box.
func (b *Box) count() {
	for i := range b.Ports {
		b.Ports[i].Number = i + 1
	}
}

// OwnGroups replaces the groups of the ports of a box by copies, which MediaRule.Ends can tell from those of other
// boxes of the same part. It returns the copies in the order of their first ports.
func (b *Box) OwnGroups() []*catalog.PortGroup {
	own := map[*catalog.PortGroup]*catalog.PortGroup{}
	var out []*catalog.PortGroup
	for i := range b.Ports {
		g := b.Ports[i].Group
		if own[g] == nil {
			own[g] = new(*g)
			out = append(out, own[g])
		}
		b.Ports[i].Group = own[g]
	}
	return out
}

// brokenOutGroup returns the group, without any yet, of ports that those of another are broken out into.
func brokenOutGroup(g *catalog.PortGroup, into int) *catalog.PortGroup {
	out := *g
	out.Count, out.Rate, out.PerCage = 0, g.Rate/units.Rate(into), max(g.PerCage, 1)*into
	out.Label, out.Split, out.Names, out.At = "", "", nil, nil
	out.Interface, out.Device, out.PCI, out.Aliases = nil, nil, nil, nil
	out.InterfaceSplit, out.AliasesSplit = "", nil
	return &out
}

// Plug reduces Ports to the ports with the given names (Port.Name), in this order, in which links are plugged in; a
// port that is not named stays free. Of several ports with one name it takes the first. It calls fault with the index
// in names of each name that is unknown or comes a second time, and leaves that name out.
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
			fault(i, "%s has no port %q\n%s", b.Part.ID, name, PortHint(name, known))
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

// Take reduces Ports to those with the given indices in Ports, from 0, in the order in which links are plugged in. The
// others stay free. An index may come twice, for boxes that are plugged into several networks with different ports.
func (b *Box) Take(numbers []int) {
	ports := make([]Port, len(numbers))
	for i, n := range numbers {
		ports[i] = b.Ports[n]
	}
	b.Ports = ports
	b.Box = b.Box.WithPorts(numbers)
}

// PortHint returns a line for a message about an unknown port: the most similar of the known names, else which there
// are. There has to be one.
func PortHint(name string, known []string) string {
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

// PortNumber is the number, from 1, by which a subnet knows the port with an index in Ports. Beyond the last port,
// where a box has fewer than links, it is the index plus 1.
func (b *Box) PortNumber(port int) int {
	if port < len(b.Ports) {
		return b.Ports[port].Number
	}
	return port + 1
}

// PortRate is the rate of the port with an index in Ports; 0 where there is no such port.
func (b *Box) PortRate(port int) units.Rate {
	if port < 0 || port >= len(b.Ports) {
		return 0
	}
	return b.Ports[port].Group.Rate
}

// portKey tells the ports of a box apart: a port of a group of its part, or a part of such a port.
type portKey struct {
	of           *catalog.PortGroup
	number, lane int
}

func (p *Port) key() portKey { return portKey{p.of, p.number, p.Lane} }

// AllPorts returns every port that the box has, used or not, each once: Ports, without those that it lists twice, and
// Spare after them. A port that BreakOut breaks out counts as its parts, whether cables are in them or not. own has the
// index in the result of each of Ports.
func (b *Box) AllPorts() (all []Port, own []int) {
	at := make(map[portKey]int, len(b.Ports))
	for i := range b.Ports {
		key := b.Ports[i].key()
		n, known := at[key]
		if !known {
			n = len(all)
			at[key] = n
			all = append(all, b.Ports[i])
		}
		own = append(own, n)
	}
	return append(all, b.Spare()...), own
}

// PortTotal is the number of ports that the box has, used or not: those of AllPorts.
func (b *Box) PortTotal() int {
	all, _ := b.AllPorts()
	return len(all)
}

// Spare returns the ports of the box that are not among Ports: those that no link of the plan may be in, and those that
// are used only by name and are not named. A port that BreakOut breaks out is in it as those of its parts that are not
// among Ports. Their Cage is that of NewWholeBox, which is not comparable with that of Ports where NewBox left out a
// group before them. Their Number is 0 where BreakOut did not count them. Without a part the result is nil.
func (b *Box) Spare() []Port {
	if b.Part == nil {
		return nil
	}
	known := make(map[portKey]bool, len(b.Ports))
	for i := range b.Ports {
		known[b.Ports[i].key()] = true
	}
	type whole struct {
		of     *catalog.PortGroup
		number int
	}
	parts := make(map[whole][]Port, len(b.split))
	for _, p := range b.split {
		k := whole{p.of, p.number}
		parts[k] = append(parts[k], p)
	}
	var out []Port
	for _, port := range newBox(b.Part, true).Ports {
		of := parts[whole{port.of, port.number}]
		if of == nil {
			if b.split != nil {
				port.Number = 0 // a subnet counts lanes
			}
			of = []Port{port}
		}
		for _, p := range of {
			if !known[p.key()] {
				called := p.Identity()
				p.Name, p.Cage = cmp.Or(called.ShownName(b.shown), called.Label), port.Cage
				out = append(out, p)
			}
		}
	}
	return out
}
