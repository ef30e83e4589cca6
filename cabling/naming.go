package cabling

import (
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// Naming says what boxes, panels, cables and their ends are called. Its zero value stands for the default names.
type Naming struct {
	Boxes *names.Names // those of names.Of when nil
	// Cables has some of CableFields, {n} among them; "C00042" when nil.
	Cables *names.Pattern
	// Panels has some of PanelFields; "PP01" when nil.
	Panels *names.Pattern
	// Ends has some of EndFields; place, box and port as "A03/U12/SW01-24" when nil.
	Ends *names.Pattern
}

// CableFields are what the name of a cable can tell: its number from 1, in the order of the first segments, the level
// of its first link, and the fabric, of a machine that has several.
func CableFields(several bool) []string {
	if several {
		return []string{"n", "level", "fabric"}
	}
	return []string{"n", "level"}
}

// PanelFields are what the name of a panel can tell: its number from 1, its row and rack, its number in the rack from
// 1, the highest first, and its lowest rack unit.
func PanelFields() []string { return []string{"n", "row", "rack", "in_rack", "u"} }

// EndFields are what the label of one end of a cable can tell: the rack (or innermost container) and row of the box,
// its lowest rack unit, the same with the cell in a chassis and the name of a box that takes no unit, the box's name,
// and the port as it is printed.
func EndFields(racks bool) []string {
	if racks {
		return []string{"rack", "row", "u", "unit", "box", "port"}
	}
	return []string{"rack", "box", "port"}
}

// TIA606 is the form of ANSI/TIA-606 for a port of a cabinet, "A03-12:24": the cabinet, the rack unit counted from the
// bottom, and the port. Both ends of a cable are written one after the other, the near one first.
const TIA606 = "{rack}-{unit}:{port}"

// name takes over how things are called.
func (s *Schedule) name(n Naming) {
	if s.Naming = n; n.Boxes == nil {
		s.Naming.Boxes = names.Of(s.Graph)
	}
	if n.Cables == nil || !n.Cables.Has("level") && !n.Cables.Has("fabric") {
		return
	}
	for _, l := range s.Graph.Levels() {
		fabric, level, ok := strings.Cut(l.Name, "/")
		if !ok {
			fabric, level = "", l.Name
		}
		s.fabrics, s.levels = append(s.fabrics, fabric), append(s.levels, level)
	}
	s.levelOf = []uint8{}
}

// Device is the name of a box or of a panel.
func (s *Schedule) Device(v int32) string { return string(s.AppendDevice(nil, v)) }

// AppendDevice appends the name of the box of v.
func (s *Schedule) AppendDevice(b []byte, v int32) []byte {
	if panel := s.Panel(v); panel >= 0 {
		return s.appendPanel(b, panel)
	}
	return s.Naming.Boxes.Append(b, int(v))
}

// appendPanel appends the name of a panel.
func (s *Schedule) appendPanel(b []byte, panel int) []byte {
	k := s.Patching
	if s.Naming.Panels == nil {
		return AppendNumber(append(b, "PP"...), int64(panel)+1, k.digits)
	}
	at := &k.Panels[panel]
	room := s.Placement.Layout.Room
	return must(s.Naming.Panels.Append(b, func(field string) names.Value {
		switch field {
		case "n":
			return names.Number(panel + 1)
		case "row":
			return names.Text(room.Rows[room.Places[at.Rack].Row].Name)
		case "rack":
			return names.Text(room.Name(int(at.Rack)))
		case "in_rack":
			n := 1
			for i := panel - 1; i >= 0 && k.Panels[i].Rack == at.Rack; i-- {
				n++
			}
			return names.Number(n)
		}
		return names.Number(at.Unit)
	}))
}

// must is what a pattern makes whose fields all have values. Where a number falls below 0, what precedes it stands.
func must(b []byte, _ error) []byte { return b }

// AppendNumber appends a number with leading zeros to at least so many digits.
func AppendNumber(b []byte, n int64, digits int) []byte {
	if n >= 0 && n < 1e9 && digits <= 9 { // as all are but in odd machines; strconv and a loop take twice as long
		rest, width := uint32(n), max(digits, 1)
		for width < len(tens) && rest >= tens[width] {
			width++
		}
		b = append(b, "000000000"[:width]...)
		for i := len(b) - 1; rest > 0; i-- {
			b[i] = byte('0' + rest%10)
			rest /= 10
		}
		return b
	}
	for limit := int64(10); digits > 1; digits-- {
		if n < limit {
			b = append(b, '0')
		}
		limit *= 10
	}
	return strconv.AppendInt(b, n, 10)
}

// tens are the powers of ten below that of AppendNumber.
var tens = [...]uint32{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// PortName returns the name by which port p, from 0, of a box or panel v is shown (Port.Name); p+1 if the box has fewer
// ports.
func (s *Schedule) PortName(v int32, p uint16) string {
	if s.Panel(v) >= 0 {
		return s.Patching.portName(p)
	}
	box := s.Boxes[topology.KindOf(s.Kinds, int(v))]
	if int(p) < len(box.Ports) {
		return box.Ports[p].Name
	}
	return strconv.Itoa(int(p) + 1)
}

// PortNumber is the number of a port of a box as a subnet counts the ports, from 1.
func (s *Schedule) PortNumber(v int32, p uint16) int {
	if s.Panel(v) >= 0 {
		return int(p) + 1
	}
	return s.Boxes[topology.KindOf(s.Kinds, int(v))].PortNumber(int(p))
}

// PortIdentity returns all names of port p, from 0, of a box or panel v. Of a panel, and beyond the ports of a box,
// only the label is set.
func (s *Schedule) PortIdentity(v int32, p uint16) catalog.PortIdentity {
	if s.Panel(v) < 0 {
		if box := s.Boxes[topology.KindOf(s.Kinds, int(v))]; int(p) < len(box.Ports) {
			return box.Ports[p].Identity()
		}
	}
	return catalog.PortIdentity{Label: s.PortName(v, p)}
}

// AppendLabel appends the label of one end: that of Naming.Ends, else rack, rack unit, device and port,
// "A03/U12/SW01-24".
func (s *Schedule) AppendLabel(b []byte, v int32, p uint16) []byte {
	if s.Naming.Ends != nil {
		return s.appendEnd(b, v, p)
	}
	b = append(b, s.Placement.Layout.Path(s.Placement.Slot[v])...)
	b = append(b, '/')
	b = s.AppendDevice(b, v)
	b = append(b, '-')
	return append(b, s.PortName(v, p)...)
}

// appendEnd appends the label of an end by the pattern for ends.
func (s *Schedule) appendEnd(b []byte, v int32, p uint16) []byte {
	l, slot := s.Placement.Layout, s.Placement.Slot[v]
	return must(s.Naming.Ends.Append(b, func(field string) names.Value {
		switch field {
		case "rack":
			return names.Text(l.Rack(slot))
		case "row":
			return names.Text(l.ContainerName(layout.RowLevel, l.Container(layout.RowLevel, slot)))
		case "u":
			return names.Number(l.Unit(slot))
		case "unit":
			return names.Text(s.unit(v))
		case "box":
			return names.Text(s.Device(v))
		}
		return names.Text(s.PortName(v, p))
	}))
}

// unit is the lowest rack unit of a box, with the cell of one in a chassis; the name of a box that takes none.
func (s *Schedule) unit(v int32) string {
	l, slot := s.Placement.Layout, s.Placement.Slot[v]
	u := l.Unit(slot)
	if u == 0 {
		return s.Device(v)
	}
	out := AppendNumber(nil, int64(u), 2)
	if cell := l.Cell(slot); cell >= 0 {
		out = strconv.AppendInt(append(out, '.'), int64(cell)+1, 10)
	}
	return string(out)
}

// Label returns the label of one end.
func (s *Schedule) Label(v int32, p uint16) string { return string(s.AppendLabel(nil, v, p)) }

// CableID returns the id of the cable of the given number: "C00042", or as Naming.Cables has it. Cables are counted
// from 1 in the order of their first segments.
func (s *Schedule) CableID(number int64) string { return string(s.AppendCableID(nil, number)) }

// AppendCableID appends the id of a cable.
func (s *Schedule) AppendCableID(b []byte, number int64) []byte {
	if s.Naming.Cables == nil {
		return AppendNumber(append(b, 'C'), number, s.digits)
	}
	level := -1
	if number > 0 && number <= int64(len(s.levelOf)) {
		level = int(s.levelOf[number-1])
	}
	return must(s.Naming.Cables.Append(b, func(field string) names.Value {
		switch {
		case field == "n":
			return names.Number(int(number))
		case level < 0:
			return names.Value{}
		case field == "fabric":
			return names.Text(s.fabrics[level])
		}
		return names.Text(s.levels[level])
	}))
}
