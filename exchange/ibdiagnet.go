package exchange

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// ibdiagnet writes what it finds into several files. Its net_dump has a block for each switch, with a line for each
// port: what is printed at it, its number in the subnet, states, MTU, width, Gb/s of a lane, and more, and what is at
// the far end: GUID, port, LID and description:
//
//	"MF0;leaf-1:MQM9700/U1", Mellanox, 0x0000001000000000, LID 5
//	 # : IB# : Sta : PhysSta : MTU : LWA : LSA : FEC mode : Retran : Neighbor Guid : N# : NLID : Neighbor Description
//	 1/1/1 : 1 : ACT : LINK UP : 5 : 4x : 100 : STD-RS : NO-RTR : 0x0000001000000101 : 1 : 9 : "node-1 mlx5_0"
//	 1/1/2 : 2 : DOWN : POLLING : N/A : N/A : N/A : N/A : N/A : : : :
var (
	dumpHead  = lazyregexp.New(`^"(.*)",\s*[^,]*,\s*0x([0-9a-fA-F]{1,16}),\s*LID\s+\d+`)
	dumpWidth = lazyregexp.New(`^\d+[xX]$`)
)

func isNetDump(head []byte) bool {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return dumpHead.Match(line)
		}
	}
	return false
}

// ReadNetDump reads ibdiagnet2.net_dump, which lists the ports of all switches.
func ReadNetDump(path string, r io.Reader) (*Wiring, error) {
	s := newSubnet(path, r)
	var all []discoveredPort
	var head subnetPort
	labels := map[[2]string]string{} // the numbers of ports, by the GUID of the switch and what is printed
	for text, ok := s.next(); ok; text, ok = s.next() {
		text = strings.TrimSpace(text)
		if m := dumpHead.FindStringSubmatch(text); m != nil {
			head = subnetPort{role: "switch", guid: hexGUID(m[2]), name: m[1]}
			continue
		}
		columns, description, _ := strings.Cut(text, `"`)
		fields := strings.Split(columns, ":")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if text == "" || text[0] == '#' {
			continue
		}
		if _, err := strconv.Atoi(at(fields, 1)); err != nil || len(fields) < 4 || head.role == "" {
			s.pass(text)
			continue
		}
		x := discoveredPort{near: head, link: Link{Down: fields[2] == "DOWN", Line: s.line}}
		if fields[0] != "N/A" {
			x.link.A.Also = fields[0]
		}
		x.near.port = port(fields[1])
		labels[[2]string{head.guid, fields[0]}] = x.near.port
		for i := range fields[:len(fields)-1] {
			if dumpWidth.MatchString(fields[i]) {
				x.link.Rate = fields[i] + " " + fields[i+1]
			}
		}
		if n := len(fields); hexGUID(at(fields, n-4)) != "" {
			x.linked = true
			x.far = subnetPort{
				guid: hexGUID(fields[n-4]), port: fields[n-3], name: strings.TrimSuffix(description, `"`),
			}
		}
		all = append(all, x)
	}
	switches := map[string]bool{}
	for i := range all {
		switches[all[i].near.guid] = true
	}
	for i := range all {
		x := &all[i]
		if x.linked = x.linked && !s.passAggregate(x.far.guid, x.far.name); !x.linked {
			continue
		}
		s.farDump(x, switches, labels)
	}
	s.addPorts(all)
	return s.finish()
}

// farDump finds out what is at the far end of a line: it may have the printed name of the port in place of its number.
func (s *subnet) farDump(x *discoveredPort, switches map[string]bool, labels map[[2]string]string) {
	_, _, _, device := identity.Description(x.far.name)
	switch {
	case switches[x.far.guid]:
		x.far.role = "switch"
	case device != "":
		x.far.role = "adapter"
	}
	if _, err := strconv.Atoi(x.far.port); err == nil {
		return
	}
	if number, ok := labels[[2]string{x.far.guid, x.far.port}]; ok {
		x.link.B.Also, x.far.port = x.far.port, number
		return
	}
	// What a dump calls ports of adapters, as NA/1/1/1, is printed nowhere.
	if x.link.B.Form = Named; x.far.role != "switch" {
		x.link.B.Form = Untold
	}
}

// at is a field, "" where there is none.
func at(fields []string, i int) string {
	if i < 0 || i >= len(fields) {
		return ""
	}
	return fields[i]
}

// ReadIBDiagnetCSV reads ibdiagnet2.db_csv: tables of nodes, ports, inventory and links, each between START_NAME and
// END_NAME. Other tables are passed over.
func ReadIBDiagnetCSV(path string, r io.Reader) (*Wiring, error) {
	t := &diagnetTables{subnet: newSubnet(path, r), rates: map[[2]string]string{}, inside: map[string]bool{}}
	table, heads, seen := "", []string(nil), map[string]bool{}
	for text, ok := t.next(); ok; text, ok = t.next() {
		text = strings.TrimSpace(text)
		switch {
		case strings.HasPrefix(text, "START_"):
			table, heads = text[len("START_"):], nil
			seen[table] = true
			continue
		case strings.HasPrefix(text, "END_"):
			table = ""
			continue
		}
		take, known := diagnetTable[table]
		if text == "" || text[0] == '#' || !known {
			continue
		}
		row, err := diagnetRow(text)
		switch {
		case err != nil:
			t.wrong(1, fmt.Sprintf("is not a row of a table: %v", err), "")
		case heads == nil:
			heads = row
			for i := range heads {
				heads[i] = strings.ToLower(heads[i])
			}
		case len(row) != len(heads):
			t.wrong(1, fmt.Sprintf("the row of %s has %d fields, expected the %d of its head", table, len(row),
				len(heads)), "")
		default:
			take(t, func(name string) string {
				if at := columnNumbers(heads, name)[0]; at >= 0 && row[at] != "N/A" {
					return row[at]
				}
				return ""
			})
		}
	}
	if table != "" && len(t.found) == 0 {
		t.wrong(1, fmt.Sprintf("the file ends within the table %s", table), "its last line is END_"+table)
	}
	if !seen["LINKS"] && len(t.found) == 0 {
		t.wrong(1, "there is no table START_LINKS", "give ibdiagnet2.net_dump or ibdiagnet2.lst, which have the links")
	}
	for i := range t.w.Links { // tables may stand in any order
		l := &t.w.Links[i]
		l.Rate = cmp.Or(t.rates[[2]string{t.ids[l.A.Box], l.A.Port}], t.rates[[2]string{t.ids[l.B.Box], l.B.Port}])
		l.Lanes, l.LaneRate = linkRate(l.Rate)
	}
	return t.finish()
}

func isIBDiagnetCSV(head []byte) bool {
	return diagnetStart.Match(head)
}

var diagnetStart = lazyregexp.New(`(?m)^START_[A-Z_0-9]+\s*$`)

// diagnetRow takes a row apart.
func diagnetRow(text string) ([]string, error) {
	in := csv.NewReader(strings.NewReader(text))
	in.TrimLeadingSpace, in.LazyQuotes = true, true
	row, err := in.Read()
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	return row, err
}

// diagnetTables reads the tables of ibdiagnet.
type diagnetTables struct {
	*subnet
	ids    []string // of boxes
	inside map[string]bool
	rates  map[[2]string]string // by the GUID of the node and the number of the port
}

// node is the box of a GUID.
func (t *diagnetTables) node(guid, name string) int {
	i := t.box(guid, name)
	if i == len(t.ids) {
		t.ids = append(t.ids, guid)
		t.addGUIDs(i, guid)
	}
	return i
}

// diagnetTable are the tables that are read, and what takes a row of each by the names of its fields.
var diagnetTable = map[string]func(t *diagnetTables, field func(name string) string){
	"NODES": func(t *diagnetTables, field func(string) string) {
		guid := hexGUID(field("nodeguid"))
		if guid == "" {
			t.wrong(1, fmt.Sprintf("NodeGUID %q is not a GUID", field("nodeguid")), "")
			return
		}
		if t.inside[guid] = t.passAggregate(guid, field("nodedesc")); t.inside[guid] {
			return
		}
		i := t.node(guid, field("nodedesc"))
		t.w.Boxes[i].Listed = true
		t.w.Boxes[i].Role = map[string]string{"1": "adapter", "2": "switch"}[field("nodetype")]
		t.addGUIDs(i, field("systemimageguid"), field("portguid"))
	},
	"PORTS": func(t *diagnetTables, field func(string) string) {
		guid := hexGUID(field("nodeguid"))
		if i, ok := t.boxes[guid]; ok {
			t.addGUIDs(i, field("portguid"))
		}
		width, _ := strconv.Atoi(field("linkwidthactv"))
		speed, _ := strconv.ParseInt(field("linkspeedactv"), 0, 64)
		if lanes, word := diagnetWidths[width], diagnetSpeeds[speed]; lanes > 0 && field("portstate") != "1" {
			t.rates[[2]string{guid, port(field("portnum"))}] = fmt.Sprintf("%dx%s", lanes, word)
		}
	},
	"SYSTEM_GENERAL_INFORMATION": func(t *diagnetTables, field func(string) string) {
		if i, ok := t.boxes[hexGUID(field("nodeguid"))]; ok {
			t.w.Boxes[i].Serial, t.w.Boxes[i].Model = field("serialnumber"), field("partnumber")
		}
	},
	"LINKS": func(t *diagnetTables, field func(string) string) {
		a, portA := hexGUID(field("nodeguid1")), field("portnum1")
		z, portZ := hexGUID(field("nodeguid2")), field("portnum2")
		switch {
		case a == "" || z == "" || portA == "" || portZ == "":
			t.wrong(1, "an end of the link is not told in full",
				"expected the columns NodeGuid1, PortNum1, NodeGuid2 and PortNum2")
		case !t.inside[a] && !t.inside[z]:
			t.add(Link{A: End{Box: t.node(a, "")}, B: End{Box: t.node(z, "")}, Line: t.line}, portA, portZ)
		}
	},
}

// diagnetWidths are the codes of widths, in lanes, and diagnetSpeeds those of rates: from
// bit 8 on those of extended speeds, from bit 16 on the maker's own.
var (
	diagnetWidths = map[int]int{1: 1, 2: 4, 4: 8, 8: 12, 16: 2}
	diagnetSpeeds = map[int64]string{
		1: "SDR", 2: "DDR", 4: "QDR", 1 << 8: "FDR", 2 << 8: "EDR", 4 << 8: "HDR", 8 << 8: "NDR", 16 << 8: "XDR",
		1 << 16: "FDR10",
	}
)

// ibdiagnet.lst and ibdiagnet2.lst have a line for each link, with its two ports in hexadecimal numbers:
//
//	{ CA Ports:01 SystemGUID:0000001000000103 NodeGUID:0000001000000100 PortGUID:0000001000000101 VenID:000002C9
//	DevID:00001021 Rev:00000000 {node-1 mlx5_0} LID:0009 PN:01 } { SW ... } PHY=4x LOG=ACT SPD=100
const lstEnd = `\{\s*(CA|SW|RT)\s[^{]*?SystemGUID:([0-9a-fA-F]+)\s+NodeGUID:([0-9a-fA-F]+)\s+PortGUID:([0-9a-fA-F]+)` +
	`[^{]*\{(.*?)\}\s+LID:\S+\s+PN:([0-9a-fA-F]+)\s*\}\s*`

var (
	lstLine = lazyregexp.New(`^` + lstEnd + lstEnd + `(?:PHY=(\S+))?\s*(?:LOG=(\S+))?\s*(?:SPD=(\S+))?`)
	lstHead = lazyregexp.New(`(?m)^\{\s*(?:CA|SW|RT)\s+Ports:`)
)

func isIBDiagnetList(head []byte) bool { return lstHead.Match(head) }

// ReadIBDiagnetList reads ibdiagnet2.lst, or ibdiagnet.lst of ibutils: all links.
func ReadIBDiagnetList(path string, r io.Reader) (*Wiring, error) {
	s := newSubnet(path, r)
	for text, ok := s.next(); ok; text, ok = s.next() {
		text = strings.TrimSpace(text)
		m := lstLine.FindStringSubmatch(text)
		switch {
		case text == "" || text[0] == '#':
		case m == nil && text[0] == '{':
			s.wrong(1, "is not a link of ibdiagnet", "expected two ports in braces, and PHY=4x LOG=ACT SPD=100")
		case m == nil:
			s.pass(text)
		case s.passAggregate(m[3], m[5]) || s.passAggregate(m[9], m[11]): // counts it
		default:
			l := Link{Rate: strings.TrimSpace(m[13] + " " + m[15]), Line: s.line}
			l.Down = m[14] == "DWN" || m[14] == "DOWN"
			var numbers [2]string
			for i, e := range []*End{&l.A, &l.B} {
				f := m[1+6*i:]
				e.Box = s.box(hexGUID(f[2]), f[4])
				b := &s.w.Boxes[e.Box]
				if b.Listed = true; reportRoles[f[0]] != "router" {
					b.Role = reportRoles[f[0]]
				}
				s.addGUIDs(e.Box, f[1], f[2], f[3])
				n, _ := strconv.ParseInt(f[5], 16, 32)
				numbers[i] = strconv.FormatInt(n, 10)
			}
			s.add(l, numbers[0], numbers[1])
		}
	}
	return s.finish()
}
