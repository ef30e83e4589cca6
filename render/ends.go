package render

import (
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
)

// endText holds what lists of cables and ports say of their ends, ready as fields of comma-separated values. It is not
// changed once it is made, so that files that are written at a time share one.
type endText struct {
	s *cabling.Schedule
	// text is, of every vertex and then every panel, its label up to the port (unless Naming.Ends has it), its rack,
	// and its unit and device behind commas.
	text []byte
	at   []int // at[3v]: where the label of v starts in text, then its rack, then its unit
	// ports are the names of the ports of each kind, those of panels last.
	ports    [][][]byte
	products [][]byte // what a cable is ordered as
	plain    bool     // labels are fields as they are
	// plainPorts says that the names of ports are, too.
	plainPorts bool
}

func newEndText(s *cabling.Schedule) *endText {
	n := len(s.Placement.Slot) // vertices, and panels after them
	t := &endText{s: s, at: make([]int, 0, 3*n+1), plain: s.Naming.Ends == nil, plainPorts: true}
	for _, b := range s.Boxes {
		var names [][]byte
		for _, p := range b.Ports {
			names = append(names, []byte(p.Name))
		}
		t.ports = append(t.ports, names)
	}
	if s.Patching != nil {
		var names [][]byte
		for _, name := range s.Patching.PortNames() {
			names = append(names, []byte(name))
		}
		t.ports = append(t.ports, names)
	}
	for _, names := range t.ports {
		for _, name := range names {
			t.plain = t.plain && csvtable.Plain("of-"+string(name)) // in a label, it is not what comes first
			t.plainPorts = t.plainPorts && csvtable.Plain(name)
		}
	}
	for i := range s.Products {
		t.products = append(t.products, csvtable.AppendText(nil, s.Products[i].Item().String()))
	}
	l := s.Placement.Layout
	t.text = make([]byte, 0, 40*n)
	var device []byte
	for v := range n {
		slot := s.Placement.Slot[v]
		device = s.AppendDevice(device[:0], int32(v))
		from := len(t.text)
		t.at = append(t.at, from)
		if s.Naming.Ends == nil {
			t.text = append(append(l.AppendPath(t.text, slot), '/'), device...)
			t.text = append(t.text, '-')
			t.plain = t.plain && csvtable.Plain(t.text[from:])
		}
		t.at = append(t.at, len(t.text))
		t.text = csvtable.AppendText(t.text, l.Rack(slot))
		t.at = append(t.at, len(t.text))
		t.text = append(t.text, ',')
		if unit := l.Unit(slot); unit > 0 {
			t.text = strconv.AppendInt(t.text, int64(unit), 10)
		}
		t.text = csvtable.AppendText(append(t.text, ','), device)
	}
	t.at = append(t.at, len(t.text))
	return t
}

// rack is the field of the rack (or innermost container) in which v stands.
func (t *endText) rack(v int32) []byte { return t.text[t.at[3*v+1]:t.at[3*v+2]] }

// place is the fields of rack, unit and device of v.
func (t *endText) place(v int32) []byte { return t.text[t.at[3*v+1]:t.at[3*v+3]] }

// appendID appends the field of a cable's id.
func (t *endText) appendID(b []byte, number int64) []byte {
	if t.s.Naming.Cables == nil {
		return t.s.AppendCableID(b, number)
	}
	return csvtable.AppendText(b, t.s.AppendCableID(nil, number))
}

// appendProduct appends the field of what a cable is ordered as, empty where there is none.
func (t *endText) appendProduct(b []byte, seg *cabling.Segment) []byte {
	if seg.Product < 0 {
		return b
	}
	return append(b, t.products[seg.Product]...)
}

// appendLabel appends the field of an end's label.
func (t *endText) appendLabel(b []byte, v int32, port uint16) []byte {
	from := len(b)
	return t.guarded(t.label(b, v, port), from)
}

// appendLabels appends the fields of what stands on the label of a cable's end: both ends, and each by itself.
func (t *endText) appendLabels(b []byte, near, far plugEnd) []byte {
	at := len(b)
	b = t.label(b, near.v, near.port)
	behind := len(b)
	b = append(b, between...)
	second := len(b)
	b = t.label(b, far.v, far.port)
	end := len(b)
	if t.plain {
		b = append(append(b, ','), b[at:behind]...)
		return append(append(b, ','), b[second:end]...)
	}
	b = append(t.guarded(b, at), ',')
	b = append(t.appendLabel(b, near.v, near.port), ',')
	return t.appendLabel(b, far.v, far.port)
}

// guarded makes a field of the label that was appended from there on.
func (t *endText) guarded(b []byte, from int) []byte {
	if t.plain || csvtable.Plain(b[from:]) {
		return b
	}
	return csvtable.AppendText(b[:from], string(b[from:]))
}

// label appends an end's label.
func (t *endText) label(b []byte, v int32, port uint16) []byte {
	if t.s.Naming.Ends != nil {
		return t.s.AppendLabel(b, v, port)
	}
	b = append(b, t.text[t.at[3*v]:t.at[3*v+1]]...)
	return append(b, t.port(v, port)...)
}

// port is the name printed at a port. A port that the box does not have is a
// violation; it counts on.
func (t *endText) port(v int32, port uint16) []byte {
	names := t.ports[len(t.ports)-1] // of the panels, if there are any
	if t.s.Panel(v) < 0 {
		names = t.ports[topology.KindOf(t.s.Kinds, int(v))]
	}
	if int(port) < len(names) {
		return names[port]
	}
	return strconv.AppendInt(nil, int64(port)+1, 10)
}
