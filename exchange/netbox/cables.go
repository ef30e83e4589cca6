package netbox

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/units"
)

// termination is where a cable ends.
type termination struct {
	Type   string `json:"object_type"`
	Device string `json:"device"`
	Name   string `json:"name"`
}

// cable is what NetBox knows of a cable, in the words of its REST API.
type cable struct {
	Label       string        `json:"label"`
	Type        string        `json:"type"`
	Status      string        `json:"status"`
	Length      json.Number   `json:"length"`
	Unit        string        `json:"length_unit"`
	Description string        `json:"description"`
	A           []termination `json:"a_terminations"`
	B           []termination `json:"b_terminations"`
}

// termination is that of a segment at a port.
func (x *Export) termination(v int32, p uint16) termination {
	called := x.s.PortIdentity(v, p)
	t := termination{"dcim.interface", x.deviceName(v), x.portName(&called)}
	if i := x.s.Panel(v); i >= 0 {
		t.Type = "dcim.frontport"
		if panel := x.s.Patching.Panels[i].Part.Panel; panel.Shuffle > 0 || int(p) >= panel.Ports {
			t.Type = "dcim.rearport"
		}
	} else if port := x.port(v, p); port.Whole != "" && x.lanes[outlet{v, port.Whole}] != manyCables {
		whole := port.WholeIdentity()
		t.Name = x.portName(&whole)
	}
	return t
}

// portName is what NetBox calls a port.
func (x *Export) portName(id *catalog.PortIdentity) string {
	if x.printed {
		return id.Label
	}
	return id.System()
}

// cable is a cable without its ends.
func (x *Export) cable(number int64, seg *cabling.Segment) cable {
	c := cable{
		Label: shorter(x.s.CableID(number), longestName), Status: planned, Unit: "m",
		Length: json.Number(metres(seg.Length)),
	}
	if seg.Product >= 0 {
		p := &x.s.Products[seg.Product]
		c.Type, c.Length = cableType(p.Part.Cable), json.Number(metres(p.Length))
		c.Description = clip(p.Item().String(), longestText)
	}
	return c
}

// metres is a length to the centimetre, as finely as NetBox has it, rounded up.
func metres(l units.Length) string {
	return strconv.FormatFloat(math.Ceil(float64(l)*100-1e-6)/100, 'f', -1, 64)
}

// cableType is what NetBox calls a medium. Parts do not tell the grade of their fibre: that of new ones is taken.
func cableType(c *catalog.Cable) string {
	switch c.Medium {
	case catalog.PassiveCopper:
		switch {
		case c.Connector != "rj45":
			return "dac-passive"
		case c.Rate > 10:
			return "cat8"
		}
		return "cat6a"
	case catalog.ActiveCopper:
		return "dac-active"
	case catalog.ActiveOptical:
		return "aoc"
	case catalog.Multimode:
		return "mmf-om4"
	case catalog.SingleMode:
		return "smf-os2"
	}
	return ""
}

// writeCables writes the cables that have one termination at each side.
func (x *Export) writeCables(ctx context.Context, w io.Writer) error {
	return x.writeChosen(ctx, w, func(int64) bool { return true })
}

// writeChosen writes those of them that are chosen, by number.
func (x *Export) writeChosen(ctx context.Context, w io.Writer, chosen func(number int64) bool) error {
	out := csvtable.NewWriter(ctx, w, []string{
		"side_a_site", "side_a_device", "side_a_type", "side_a_name", "side_b_site", "side_b_device", "side_b_type",
		"side_b_name", "type", "status", "label", "length", "length_unit", "description",
	})
	for number, seg := range x.cables() {
		if x.ends[number] == 0 || x.isSeveral(number) || !chosen(number) {
			continue
		}
		c := x.cable(number, seg)
		a, b := x.termination(seg.A, seg.PortA), x.termination(seg.B, seg.PortB)
		out.Texts(x.site, a.Device, a.Type, a.Name, x.site, b.Device, b.Type, b.Name, c.Type, c.Status, c.Label,
			string(c.Length), c.Unit, c.Description)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeSeveral writes the other cables, as a list with a line for each.
func (x *Export) writeSeveral(ctx context.Context, w io.Writer) error {
	all, _ := x.severalEnds()
	return writeList(ctx, w, all)
}

// severalEnds are the cables with several terminations at a side, and their numbers.
func (x *Export) severalEnds() (all []cable, numbers []int64) {
	at := map[int64]int{}
	for number, seg := range x.cables() {
		if x.ends[number] == 0 || !x.isSeveral(number) {
			continue
		}
		i, there := at[number]
		if !there {
			i = len(all)
			at[number] = i
			all, numbers = append(all, x.cable(number, seg)), append(numbers, number)
			x.trunk(&all[i], number)
		}
		if x.trunks[int32(number)] == nil {
			all[i].join(x.termination(seg.A, seg.PortA), x.termination(seg.B, seg.PortB))
		}
	}
	return all, numbers
}

// writeList writes cables as the REST API takes them.
func writeList(ctx context.Context, w io.Writer, all []cable) error {
	out := bufio.NewWriter(w)
	for i := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := json.Marshal(all[i].guard())
		if err != nil {
			return err
		}
		lead := ",\n "
		if i == 0 {
			lead = "[\n "
		}
		out.WriteString(lead)
		out.Write(data)
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

// trunk gives a trunk all of its plugs, those of spare positions too.
func (x *Export) trunk(c *cable, number int64) {
	t := x.trunks[int32(number)]
	if t == nil {
		return
	}
	k := x.s.Patching
	for leg := range uint16(k.Positions(t.Part)) {
		c.A = append(c.A, x.termination(k.Vertex(t.A), k.Rear(t.PortA+leg)))
		c.B = append(c.B, x.termination(k.Vertex(t.B), k.Rear(t.PortB+k.FarPosition(leg))))
	}
}

// join adds the ends of a link to those of its cable, whichever way round the link is.
func (c *cable) join(a, b termination) {
	on := func(side []termination, t termination) bool {
		return slices.ContainsFunc(side, func(o termination) bool { return o.Device == t.Device })
	}
	if !on(c.A, a) && !on(c.B, b) && (on(c.A, b) || on(c.B, a)) {
		a, b = b, a
	}
	if !slices.Contains(c.A, a) {
		c.A = append(c.A, a)
	}
	if !slices.Contains(c.B, b) {
		c.B = append(c.B, b)
	}
}

// guard returns a cable with its texts guarded against formulas, as the tables have them.
func (c *cable) guard() *cable {
	out := *c
	out.Label, out.Description = csvtable.Guard(c.Label), csvtable.Guard(c.Description)
	for _, side := range []*[]termination{&out.A, &out.B} {
		*side = slices.Clone(*side)
		for i := range *side {
			t := &(*side)[i]
			t.Device, t.Name = csvtable.Guard(t.Device), csvtable.Guard(t.Name)
		}
	}
	return &out
}
