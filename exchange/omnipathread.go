package exchange

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

func isOmniPathReport(head []byte) bool {
	head = bytes.TrimSpace(head)
	return bytes.HasPrefix(head, []byte("<")) &&
		(bytes.Contains(head, []byte("<Report")) || bytes.Contains(head, []byte("<LinkSummary")))
}

// omniPathLink is a link of a report.
type omniPathLink struct {
	Rate  string
	Ports []struct {
		ID       string `xml:"id,attr"` // the GUID of the node, and its port
		NodeGUID string
		PortGUID string
		Number   string `xml:"PortNum"`
		Type     string `xml:"NodeType"`
		Name     string `xml:"NodeDesc"`
	} `xml:"Port"`
}

// ReadOmniPathReport reads what opareport -o links -x prints, or the topology that opaxlattopology makes: every link
// with its two ports. An adapter is called by its host, as "node-7 hfi1_0"; boxes are distinguished by their GUIDs
// where the report has them.
func ReadOmniPathReport(path string, r io.Reader) (*Wiring, error) {
	in, b := csvtable.XML(path, r), newBuilder()
	wrong := func(line int, format string, args ...any) error {
		return diag.List{{Pos: diag.Position{File: path, Line: line, Column: 1}, Message: fmt.Sprintf(format, args...)}}
	}
	for {
		token, err := in.Token()
		line, _ := in.InputPos()
		if errors.Is(err, io.EOF) {
			return b.w, nil
		}
		if err != nil {
			return nil, wrong(line, "%v", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "Link" {
			continue
		}
		var l omniPathLink
		if err := in.DecodeElement(&l, &start); err != nil {
			return nil, wrong(line, "%v", err)
		}
		if len(l.Ports) != 2 {
			return nil, wrong(line, "a link has %d ports, expected two", len(l.Ports))
		}
		for _, p := range l.Ports {
			if p.Name == "" || p.Number == "" {
				return nil, wrong(line, "a port of the link has no NodeDesc or no PortNum")
			}
		}
		added := Link{Rate: l.Rate, Line: line}
		for i, e := range []*End{&added.A, &added.B} {
			p := &l.Ports[i]
			node, _, _ := strings.Cut(p.ID, ":")
			*e = End{Port: p.Number, Form: Subnet}
			e.Box = b.box(cmp.Or(hexGUID(p.NodeGUID), hexGUID(node), p.Name), p.Name)
			b.w.Boxes[e.Box].Listed = true
			b.role(e.Box, p.Type)
			b.addGUIDs(e.Box, node, p.NodeGUID, p.PortGUID)
		}
		b.link(added)
	}
}

// subnetLink adds a link between ports that a fabric or a system knows by their numbers.
func (b *builder) subnetLink(boxA, portA, boxB, portB string, line int) *Link {
	l := b.addNamedLink(boxA, portA, boxB, portB, line)
	if l != nil {
		l.A.Form, l.B.Form = Subnet, Subnet
	}
	return l
}

// role notes what a box is, in the letters of Omni-Path.
func (b *builder) role(box int, kind string) {
	switch kind {
	case "SW":
		b.w.Boxes[box].Role = "switch"
	case "FI":
		b.w.Boxes[box].Role = "adapter"
	}
}

func isOmniPathLinks(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.Contains(line, []byte("Port.NodeDesc;Port.PortNum;Port.NodeDesc;Port.PortNum"))
}

// ReadOmniPathLinks reads what opaextractlink prints: a table with the ports of every link in its last four columns.
func ReadOmniPathLinks(path string, r io.Reader) (*Wiring, error) {
	t, b := newRows(path, r, ';'), newBuilder()
	if _, err := t.next(); err != nil {
		return nil, err
	}
	width := len(t.row)
	rate := columnNumbers(csvtable.Heads(t.row), "rate")[0]
	for {
		more, err := t.next()
		if err != nil {
			return nil, err
		}
		if !more {
			return b.w, t.found.Err()
		}
		if len(t.row) != width {
			t.wrong(fmt.Sprintf("the row has %d fields, expected the %d of the head", len(t.row), width), "")
			continue
		}
		n := width - 4
		if t.ends(t.field(n), t.field(n+1), t.field(n+2), t.field(n+3)) {
			if l := b.subnetLink(t.field(n), t.field(n+1), t.field(n+2), t.field(n+3), t.line()); l != nil {
				l.Rate = t.field(rate)
			}
		}
	}
}

func isOmniPathSheet(head []byte) bool {
	_, line, _ := bytes.Cut(head, []byte("\n"))
	return bytes.HasPrefix(line, []byte("Rack Group,Rack,Name,Name-2,Port,Type,"))
}

// ReadOmniPathSheet reads a topology sheet as WriteOmniPath writes it. An empty row ends the links; what comes after it
// describes the cores of director switches, and links to these are none of ports that a plan has.
func ReadOmniPathSheet(path string, r io.Reader) (*Wiring, error) {
	t, b := newRows(path, r, ','), newBuilder()
	for range 2 {
		if _, err := t.next(); err != nil {
			return nil, err
		}
	}
	const name, second, port, kind, far = 2, 3, 4, 5, 6
	for {
		more, err := t.next()
		if err != nil {
			return nil, err
		}
		if !more {
			return b.w, t.found.Err()
		}
		var ends [4]string
		for i := range 2 {
			ends[2*i], ends[2*i+1] = t.field(i*far+name), t.field(i*far+port)
			if more := t.field(i*far + second); more != "" {
				ends[2*i] += " " + more
			}
		}
		if ends == [4]string{} || t.field(kind) == "" {
			return b.w, t.found.Err()
		}
		if t.ends(ends[:]...) {
			if l := b.subnetLink(ends[0], ends[1], ends[2], ends[3], t.line()); l != nil {
				b.role(l.A.Box, t.field(kind))
				b.role(l.B.Box, t.field(far+kind))
			}
		}
	}
}
