package render

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// portColumns are the columns of port maps in comma-separated values.
var portColumns = []string{
	"rack", "unit", "device", "part", "port", "cage", "connector", "cable_id", "product",
	"to_label",
}

// portMap finds the cable at every port.
type portMap struct {
	s     *cabling.Schedule
	all   [][]cabling.Port // of each kind: those of a box, as cabling.Box.AllPorts lists them
	own   [][]int          // of each kind: the entries in all of the ports that links are plugged into
	ports []int            // of each kind: those in all up to the last that has a cable in any box
	first []int64          // of each kind: the entry of its first port
	at    []int32          // index of a segment plus 1, 0 for none
}

func newPortMap(s *cabling.Schedule) *portMap {
	m := &portMap{s: s, ports: make([]int, len(s.Kinds))}
	for _, b := range s.Boxes {
		all, own := b.AllPorts()
		m.all, m.own = append(m.all, all), append(m.own, own)
	}
	m.each(func(kind int, end plugEnd, _ int) { m.ports[kind] = max(m.ports[kind], int(end.port)+1) })
	n := int64(0)
	for i, k := range s.Kinds {
		m.first = append(m.first, n)
		n += int64(k.Count) * int64(m.ports[i])
	}
	m.at = make([]int32, n)
	m.each(func(kind int, end plugEnd, seg int) { m.at[m.index(kind, end.v)+int64(end.port)] = int32(seg) + 1 })
	return m
}

// each calls do for every port that a box has and a segment is plugged into, by its entry in all.
func (m *portMap) each(do func(kind int, end plugEnd, seg int)) {
	s, kind := m.s, 0
	for i := range s.Segments {
		seg := &s.Segments[i]
		if seg.Product == cabling.IsTrace {
			continue
		}
		for _, end := range [...]plugEnd{{seg.A, seg.PortA}, {seg.B, seg.PortB}} {
			if s.Panel(end.v) >= 0 {
				continue
			}
			kind = topology.KindNear(s.Kinds, kind, int(end.v))
			if int(end.port) < len(m.own[kind]) {
				do(kind, plugEnd{end.v, uint16(m.own[kind][end.port])}, i)
			}
		}
	}
}

// index is the entry of the first port of a box.
func (m *portMap) index(kind int, v int32) int64 {
	return m.first[kind] + int64(int(v)-m.s.Kinds[kind].First)*int64(m.ports[kind])
}

// of are the cables at the ports of a box, as in at; those behind have none.
func (m *portMap) of(kind int, v int32) []int32 {
	return m.at[m.index(kind, v):][:m.ports[kind]]
}

// cable is the cable at a port of a box, as of has it, and its other end; nil where none is plugged in.
func (m *portMap) cable(kind int, v int32, of []int32, port int) (seg *cabling.Segment, far plugEnd) {
	if port >= len(of) || of[port] == 0 {
		return nil, far
	}
	seg = &m.s.Segments[of[port]-1]
	if seg.A == v && int(seg.PortA) < len(m.own[kind]) && m.own[kind][seg.PortA] == port {
		return seg, plugEnd{seg.B, seg.PortB}
	}
	return seg, plugEnd{seg.A, seg.PortA}
}

// product is what a cable is ordered as, empty where there is none.
func product(s *cabling.Schedule, seg *cabling.Segment) string {
	if seg.Product < 0 {
		return ""
	}
	return s.Products[seg.Product].Item().String()
}

// Ports writes a map of the ports of every box as comma-separated values, box by box and port by port as links are
// plugged into them, free ones too: its cage, the cable in it, and the label of the cable's other end. Ports in one
// cage have its number in common. docs/cabling.md#ports says which ports a box has.
func Ports(ctx context.Context, w io.Writer, r *machine.Result) error {
	return ports(ctx, w, r, newEndText(r.Schedule))
}

func ports(ctx context.Context, w io.Writer, r *machine.Result, ends *endText) error {
	s := r.Schedule
	out := csvtable.NewWriter(ctx, w, portColumns)
	m := newPortMap(s)
	for kind, k := range s.Kinds {
		printed := portFields(s.Boxes[kind].Part.ID, m.all[kind])
		for v := k.First; v < k.First+k.Count; v++ {
			err := out.Rows(len(printed), func(b []byte) []byte { return m.append(b, kind, int32(v), printed, ends) })
			if err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// append appends the rows of a box.
func (m *portMap) append(b []byte, kind int, v int32, printed [][]byte, ends *endText) []byte {
	place, of := ends.place(v), m.of(kind, v)
	for p := range printed {
		b = append(append(b, place...), printed[p]...)
		seg, far := m.cable(kind, v, of, p)
		if seg == nil {
			b = append(b, ",,"+csvtable.RowEnd...)
			continue
		}
		b = append(ends.appendID(b, int64(seg.Cable)), ',')
		b = append(ends.appendProduct(b, seg), ',')
		b = append(ends.appendLabel(b, far.v, far.port), csvtable.RowEnd...)
	}
	return b
}

// portFields is, for each port of a box of a part, the fields of part, port, cage and connector, between commas.
func portFields(part string, ports []cabling.Port) [][]byte {
	var out [][]byte
	for _, port := range ports {
		row := csvtable.AppendText([]byte(","), part)
		row = csvtable.AppendText(append(row, ','), port.Name)
		row = strconv.AppendInt(append(row, ','), int64(port.Cage)+1, 10)
		row = csvtable.AppendText(append(row, ','), port.Group.Connector)
		out = append(out, append(row, ','))
	}
	return out
}

// mostPorts is the most ports on the sheet of port maps.
const mostPorts = 50_000

// ports is a map of the ports of every switch, one after the other.
func (b *book) ports() *grid {
	g := &grid{name: portsSheet, frozen: 1, filterTop: 1, screen: true}
	g.add(heads("Rack", "Unit", "Switch", "Part", "Port", "Cage", "Cable", "Product", "To")...)
	s := b.r.Schedule
	if s.Segments == nil {
		g.add(text(b.unlisted()).as(note))
		return g
	}
	total := int64(0)
	for kind, k := range s.Kinds {
		if k.Role == topology.Switch {
			total += int64(k.Count) * int64(s.Boxes[kind].PortTotal())
		}
	}
	if total > mostPorts {
		g.add(text(fmt.Sprintf("The %s ports of the switches are listed in ports.csv.", grouped(total))).as(note))
		return g
	}
	m := newPortMap(s)
	for kind, k := range s.Kinds {
		if k.Role != topology.Switch {
			continue
		}
		box := s.Boxes[kind]
		for v := k.First; v < k.First+k.Count; v++ {
			stands, of := placeOf(s, s.Placement.Layout, int32(v)), m.of(kind, int32(v))
			for p, port := range m.all[kind] {
				row := []cell{
					text(stands.rack), whole(int64(stands.unit)), text(stands.device), text(box.Part.ID),
					text(port.Name).as(unit), whole(int64(port.Cage) + 1),
					{},
					{},
					{},
				}
				if seg, far := m.cable(kind, int32(v), of, p); seg != nil {
					row[6], row[7] = text(s.CableID(int64(seg.Cable))), text(product(s, seg))
					row[8] = text(s.Label(far.v, far.port))
				}
				g.add(row...)
			}
		}
	}
	g.filter = max(g.next()-1, 2)
	return g
}
