package exchange

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// half is the columns of one end of a table of links, -1 for those that it does not have.
type half struct{ rack, unit, name, kind, port int }

// halves finds the columns of both ends in a point-to-point table: those whose names begin with A- and Z-, as the
// manual of NVIDIA's cable validation tool has them, or those before and behind the second Rack, as its examples have
// them. In these the unit of the far end is called Name as well.
func halves(heads []string) (ends [2]half, ok bool) {
	ends = [2]half{{-1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1}}
	prefixed := slices.ContainsFunc(heads, func(h string) bool { return strings.HasPrefix(h, "z_") })
	racks := 0
	for i, head := range heads {
		side := max(racks-1, 0)
		if prefixed {
			prefix, rest, _ := strings.Cut(head, "_")
			if side = slices.Index([]string{"a", "z"}, prefix); side < 0 {
				continue
			}
			head = rest
		} else if head == "rack" {
			if racks++; racks > 2 {
				break
			}
			side = racks - 1
		}
		e := &ends[side]
		switch head {
		case "rack":
			e.rack = i
		case "u", "ru", "unit", "elevation":
			e.unit = i
		case "name", "node_name", "node", "host", "hostname", "device":
			if e.name >= 0 {
				e.unit = e.name
			}
			e.name = i
		case "type":
			e.kind = i
		case "hca_port", "hca", "port":
			e.port = i
		}
	}
	ok = (prefixed || racks == 2) && ends[0].name >= 0 && ends[0].port >= 0 && ends[1].name >= 0 && ends[1].port >= 0
	return ends, ok
}

// isPointToPoint also sees sheets of Omni-Path and cut sheets, which have racks and names as well, and leaves them to
// others.
func isPointToPoint(heads []string) bool {
	_, ok := halves(heads)
	return ok && !slices.Contains(heads, "rack_group") && !slices.Contains(heads, "tray")
}

// ReadPointToPoint reads a point-to-point table of NVIDIA's cable validation tool, as its manual describes it or as
// WritePointToPoint writes it: rack, unit, box and port of both ends. It tells where boxes stand as well.
func ReadPointToPoint(path string, r io.Reader) (*Wiring, error) {
	return readTable(path, r, isPointToPoint, (*builder).pointToPoint)
}

func (b *builder) pointToPoint(t *rows, heads []string) error {
	ends, ok := halves(heads)
	if !ok {
		t.wrong("the columns are not those of a point-to-point table",
			"expected Rack, U, Name and Port of both ends, or A-Node Name, A-Port, Z-Node Name, Z-Port")
		return t.found
	}
	return b.links(t, heads, func() (out [2]sheetEnd) {
		for i, e := range ends {
			out[i] = sheetEnd{
				box: t.field(e.name), rack: t.field(e.rack), unit: e.unit, portAt: e.port,
				role: p2pRole(t.field(e.kind)),
			}
		}
		return out
	})
}

// p2pRole is the role of a box by its type, Host or Switch.
func p2pRole(kind string) string {
	switch strings.ToLower(kind) {
	case "switch":
		return "switch"
	case "host":
		return "adapter"
	}
	return ""
}

// sheetEnd is an end of a link in a sheet.
type sheetEnd struct {
	box, rack, role string
	unit, portAt    int    // columns
	slot            string // before the port; "" where there is none
}

// links adds the links of a table whose rows have two ends, and where their boxes stand. Rows of which one end is empty
// are cables that are planned for later, and so are those that a column such as status says are not laid.
func (b *builder) links(t *rows, heads []string, ends func() [2]sheetEnd) error {
	marks := newDoneMarks(heads)
	for {
		if more, err := t.next(); !more || err != nil {
			if err == nil {
				err = t.found.Err()
			}
			return err
		}
		two := ends()
		if two[0].box == "" && two[1].box == "" {
			continue
		}
		var of [2]End
		whole := true
		for i, e := range two {
			port, ok := b.port(t, e.portAt)
			if m := jack.FindStringSubmatch(port); m != nil {
				port = m[1]
			}
			if e.slot != "" && port != "" {
				port = e.slot + ":" + port
			}
			whole = whole && ok
			of[i].Port = port
		}
		if !whole || !t.ends(two[0].box, of[0].Port, two[1].box, of[1].Port) {
			continue
		}
		done, known := marks.read(t)
		if !known {
			continue
		}
		for i, e := range two {
			of[i].Box = b.box(e.box, e.box)
			box := &b.w.Boxes[of[i].Box]
			if box.Listed = true; box.Role == "" {
				box.Role = e.role
			}
			b.stands(t, e)
		}
		if l := (Link{A: of[0], B: of[1], Line: t.line()}); done {
			b.link(l)
		} else {
			b.w.Absent = append(b.w.Absent, l)
		}
	}
}

// jack is a port as SHCDs call it: j3 is port 3.
var jack = lazyregexp.New(`^[jJ]([0-9]+)$`)

// unitText is a rack unit, such as 7, U07 or u7.
var unitText = lazyregexp.New(`^[uU]?0*([1-9][0-9]{0,2})$`)

// stands notes where a box stands, once.
func (b *builder) stands(t *rows, e sheetEnd) {
	if e.rack == "" {
		return
	}
	p := Place{Box: e.box, Rack: e.rack, Line: t.line()}
	if m := unitText.FindStringSubmatch(t.field(e.unit)); m != nil {
		p.Unit, _ = strconv.Atoi(m[1])
	}
	key := [2]seenEnd{{box: b.box(e.box, e.box), port: fmt.Sprint(p.Rack, " ", p.Unit)}, {box: -1}}
	if _, ok := b.seen[key]; ok {
		return
	}
	b.seen[key] = -1
	b.w.Places = append(b.w.Places, p)
}

// The columns of AVD's tables of a fabric.
var avdColumns = []string{"node", "node_interface", "peer_node", "peer_interface"}

func isAVD(heads []string) bool { return csvtable.Has(heads, avdColumns...) }

// ReadAVD reads the table of a fabric's topology that Arista's AVD writes (FABRIC-topology.csv): links are there from
// both sides. Interfaces that are not enabled are down.
func ReadAVD(path string, r io.Reader) (*Wiring, error) {
	return readTable(path, r, isAVD, (*builder).avd)
}

func (b *builder) avd(t *rows, heads []string) error {
	at, err := t.columns(heads, avdColumns...)
	if err != nil {
		return err
	}
	more := columnNumbers(heads, "node_type", "peer_type", "node_interface_enabled",
		"serial_number", "peer_serial_number")
	open := map[string]bool{}
	for {
		if more, err := t.next(); !more || err != nil {
			if err == nil {
				err = t.found.Err()
			}
			if len(open) > 0 {
				b.w.Notes = append(b.w.Notes, fmt.Sprintf("%s: passed over are interfaces without a peer: %d",
					filepath.Base(t.place(0).File), len(open)))
			}
			return err
		}
		node, port := t.field(at[0]), t.field(at[1])
		if node == "" {
			continue
		}
		i := b.box(node, node)
		b.w.Boxes[i].Listed = true
		b.avdBox(i, t.field(more[0]), t.field(more[3]))
		peer, far := t.field(at[2]), t.field(at[3])
		if peer == "" || far == "" || port == "" {
			open[node+" "+port] = true // a cable to something that AVD does not know
			continue
		}
		k := b.box(peer, peer)
		b.avdBox(k, t.field(more[1]), t.field(more[4]))
		enabled, known := csvtable.Mark(t.field(more[2]))
		b.link(Link{
			A: End{Box: i, Port: port}, B: End{Box: k, Port: far}, Line: t.line(),
			Down: more[2] >= 0 && t.field(more[2]) != "" && known && !enabled,
		})
	}
}

// avdBox has a box know its role and serial number.
func (b *builder) avdBox(i int, kind, serial string) {
	box := &b.w.Boxes[i]
	if serial != "" {
		box.Serial = serial
	}
	switch kind = strings.ToLower(kind); {
	case strings.Contains(kind, "leaf"), strings.Contains(kind, "spine"), kind == "p", kind == "pe", kind == "rr":
		box.Role = "switch"
	case kind == "server":
		box.Role = "adapter"
	}
}

// The columns of the tables in an SHCD, from Source on; those without a name hold notes such as the letter before a
// port.
var shcdColumns = []string{
	"source", "rack", "location", "slot", "", "port", "destination", "rack", "location", "", "port",
}

// shcdAt is where the table of an SHCD begins in a row, -1 where it does not.
func shcdAt(heads []string) int {
	for i := range heads {
		if i+len(shcdColumns) <= len(heads) && slices.Equal(heads[i:i+len(shcdColumns)], shcdColumns) {
			return i
		}
	}
	return -1
}

func isSHCD(heads []string) bool { return shcdAt(heads) >= 0 }

// ReadSHCD reads a sheet of an SHCD, the cabling diagram of HPE Cray systems, as the tables in the sheets
// 10G_25G_40G_100G, NMN and HMN of its workbook have it. A port is called by its slot, if it has one, and its number,
// as in ocp:1.
func ReadSHCD(path string, r io.Reader) (*Wiring, error) {
	return readTable(path, r, isSHCD, (*builder).shcd)
}

func (b *builder) shcd(t *rows, heads []string) error {
	at := shcdAt(heads)
	if at < 0 {
		t.wrong("the columns are not those of an SHCD", "expected Source, Rack, Location, Slot, a blank, Port, "+
			"Destination, Rack, Location, a blank, Port")
		return t.found
	}
	return b.links(t, heads, func() [2]sheetEnd {
		return [2]sheetEnd{
			{
				box: t.field(at), rack: t.field(at + 1), unit: at + 2, slot: strings.ToLower(t.field(at + 3)),
				portAt: at + 5,
			},
			{box: t.field(at + 6), rack: t.field(at + 7), unit: at + 8, portAt: at + 10},
		}
	})
}
