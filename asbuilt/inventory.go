package asbuilt

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// end is a port of a box or panel of either plan, so that ends of both plans can be compared: the upper 32 bits are the
// index of the box in Difference.Boxes, the lower ones the number of the port's name.
type end uint64

// box returns the index in Difference.Boxes.
func (e end) box() int32 { return int32(e >> 32) }

// names numbers texts from 0, so that those of two plans can be compared by their numbers.
type names struct {
	number map[string]int32
	text   []string
}

// newNames returns no names.
func newNames() *names { return &names{number: map[string]int32{}} }

// of returns the number of a text, and gives a new text the next number.
func (n *names) of(text string) int32 {
	i, ok := n.number[text]
	if !ok {
		i = int32(len(n.text))
		n.number[text] = i
		n.text = append(n.text, text)
	}
	return i
}

// cable is a cable of a plan. A trunk is a cable between two panels that cords of many channels may be patched to; its
// ends are ports at the rear of the panels.
type cable struct {
	product int32    // the product with its optics, among the names of products
	item    int32    // the product alone
	optics  [2]int32 // at the lower and the higher end of the first leg
	legs    [][2]end // both ends of each link that it carries, the lower end first; of a trunk, only its first position
	ports   []end    // all ports that it is plugged into
	first   int32    // the index of its first segment in Schedule.Segments
	units   []int32  // the units whose channels it carries; one unless it is a trunk. While gathering: channels
	trunk   bool     // between panels
	turned  bool     // the first segment begins at the higher end of its leg
	plugs   [2]plug  // the ends of its first leg, in the order of the schedule
}

// plug is a port of a vertex or panel of one plan.
type plug struct {
	v    int32
	port uint16
}

// label returns the text of the label at an end of a cable.
func (inv *inventory) label(p plug) string { return inv.s.Label(p.v, p.port) }

// channel is one channel of a link from end to end: over one cable, or over cords and trunks in series.
type channel struct {
	a, b  int32 // indices in Difference.Boxes
	level int32 // number of the name of its level
	ports [2]end
}

// unit is a set of channels that can only be disconnected and connected together, because they share cables: links of
// one splitter, for example. Sharing a trunk does not make channels one unit: the trunk stays while their cords change.
type unit struct {
	channels []int32
	cables   []int32 // all cables that carry the channels, with trunks: a trunk is in several units
}

// inventory is a plan whose boxes, ports, levels and products have the same numbers as those of the other plan.
type inventory struct {
	plan     *machine.Result
	s        *cabling.Schedule
	box      []int32 // the index in Difference.Boxes, by vertex, panels after the vertices
	channels []channel
	cables   []cable // by the number of the cable less 1
	units    []unit  // in the order of their first channels
}

// newInventory returns the inventory of a plan. box has the index in Difference.Boxes of every vertex and panel;
// products, levels and ports are those of the other plan's inventory too.
func newInventory(plan *machine.Result, box []int32, products, levels, ports *names) *inventory {
	inv := &inventory{plan: plan, s: plan.Schedule, box: box}
	s := inv.s
	inv.cables = make([]cable, s.Cables)
	levelOf := make([]int32, len(plan.Graph.Levels()))
	for i, l := range plan.Graph.Levels() {
		levelOf[i] = levels.of(l.Name)
	}
	g := gatherer{inventory: inv, products: products, ports: ports, number: inv.portNumbers(ports)}
	for i := range s.Segments {
		seg := &s.Segments[i]
		if !s.Continues(seg) {
			a := g.end(seg.A, seg.PortA)
			inv.channels = append(inv.channels, channel{box[seg.A], -1, levelOf[seg.Level], [2]end{a, a}})
			g.joined = append(g.joined, int32(len(g.joined)))
		}
		ch := &inv.channels[len(inv.channels)-1]
		ch.b, ch.ports[1] = box[seg.B], g.end(seg.B, seg.PortB)
		if seg.Product != cabling.IsTrace {
			g.addSegment(int32(i), seg)
		}
	}
	g.addTrunks()
	g.makeUnits()
	return inv
}

// gatherer fills an inventory.
type gatherer struct {
	*inventory
	products, ports *names
	number          [][]int32 // of the names of ports, by kind; those of panels last
	joined          []int32   // by channel, its parent in a union-find forest of channels that share cables
}

// portNumbers returns the numbers of the names of all ports by kind and port; those of panels are last.
func (inv *inventory) portNumbers(ports *names) [][]int32 {
	var out [][]int32
	for _, b := range inv.s.Boxes {
		var of []int32
		for _, p := range b.Ports {
			of = append(of, ports.of(p.Name))
		}
		out = append(out, of)
	}
	if p := inv.s.Patching; p != nil {
		var of []int32
		for _, name := range p.PortNames() {
			of = append(of, ports.of(name))
		}
		out = append(out, of)
	}
	return out
}

// end returns the end at a port of a vertex or panel.
func (g *gatherer) end(v int32, port uint16) end {
	of := g.number[len(g.number)-1]
	if g.s.Panel(v) < 0 {
		of = g.number[topology.KindOf(g.s.Kinds, int(v))]
	}
	n := int32(0)
	if int(port) < len(of) {
		n = of[port]
	} else {
		n = g.ports.of(g.s.PortName(v, port))
	}
	return end(g.box[v])<<32 | end(n)
}

// addSegment adds segment i, of the last channel, to its cable, and joins the channels that share a cable other than a
// trunk. Trunks get their ends from addTrunks, which also knows the positions that no channel uses.
func (g *gatherer) addSegment(i int32, seg *cabling.Segment) {
	ch := int32(len(g.channels) - 1)
	c := &g.cables[seg.Cable-1]
	if len(c.legs) == 0 && len(c.units) == 0 {
		c.first = i
	}
	if g.s.Panel(seg.A) >= 0 && g.s.Panel(seg.B) >= 0 {
		c.trunk = true
		c.units = append(c.units, ch) // the channel; makeUnits replaces it by its unit
		return
	}
	a, b := g.end(seg.A, seg.PortA), g.end(seg.B, seg.PortB)
	c.legs = append(c.legs, [2]end{min(a, b), max(a, b)})
	c.ports = append(c.ports, a, b)
	if len(c.units) > 0 {
		g.joined[g.root(ch)] = g.root(c.units[0])
		return
	}
	g.setProduct(c, seg, a > b)
	c.plugs, c.turned = [2]plug{{seg.A, seg.PortA}, {seg.B, seg.PortB}}, a > b
	c.units = append(c.units, ch)
}

// root returns the channel that represents all channels joined to ch, and shortens the paths on the way.
func (g *gatherer) root(ch int32) int32 {
	for g.joined[ch] != ch {
		g.joined[ch] = g.joined[g.joined[ch]]
		ch = g.joined[ch]
	}
	return ch
}

// setProduct sets the product of a cable and the optics at its ends, given one of its segments; turned if the segment
// begins at the higher end.
func (g *gatherer) setProduct(c *cable, seg *cabling.Segment, turned bool) {
	var texts [3]string
	if seg.Product >= 0 {
		p := &g.s.Products[seg.Product]
		texts[0] = p.Item().String()
		for i, optic := range p.Transceivers() {
			if optic != nil {
				texts[1+i] = optic.ID
			}
		}
	}
	if turned {
		texts[1], texts[2] = texts[2], texts[1]
	}
	c.item = g.products.of(texts[0])
	c.optics = [2]int32{g.products.of(texts[1]), g.products.of(texts[2])}
	c.product = g.products.of(strings.Join(texts[:], "\n"))
}

// addTrunks sets the ports and the first position of every trunk; its ports are those of all positions, used or not.
func (g *gatherer) addTrunks() {
	p := g.s.Patching
	if p == nil {
		return
	}
	for i := range p.Trunks {
		t := &p.Trunks[i]
		if t.Cable == 0 {
			continue
		}
		c := &g.cables[t.Cable-1]
		c.trunk = true
		va, vb := p.Vertex(t.A), p.Vertex(t.B)
		for k := range max(uint16(p.Positions(t.Part)), t.Links, 1) {
			c.ports = append(c.ports, g.end(va, p.Rear(t.PortA+k)), g.end(vb, p.Rear(t.PortB+p.FarPosition(k))))
		}
		a, b := c.ports[0], c.ports[1]
		c.legs = [][2]end{{min(a, b), max(a, b)}}
		g.setProduct(c, &g.s.Segments[c.first], false)
		c.plugs, c.turned = [2]plug{{va, p.Rear(t.PortA)}, {vb, p.Rear(t.PortB)}}, a > b
	}
}

// makeUnits makes units of the joined channels, in the order of their first channels, and sorts the legs of cables.
func (g *gatherer) makeUnits() {
	unitOf := make([]int32, len(g.channels))
	first := map[int32]int32{}
	for ch := range g.channels {
		r := g.root(int32(ch))
		u, ok := first[r]
		if !ok {
			u = int32(len(g.units))
			first[r] = u
			g.units = append(g.units, unit{})
		}
		unitOf[ch] = u
		g.units[u].channels = append(g.units[u].channels, int32(ch))
	}
	for i := range g.cables {
		c := &g.cables[i]
		for k, ch := range c.units {
			c.units[k] = unitOf[ch]
		}
		slices.Sort(c.units)
		c.units = slices.Compact(c.units)
		for _, u := range c.units {
			g.units[u].cables = append(g.units[u].cables, int32(i))
		}
		slices.SortFunc(c.legs, func(x, y [2]end) int {
			return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
		})
	}
}
