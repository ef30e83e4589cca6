package exchange

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// The output of ibnetdiscover is also what ibsim reads. A record names a switch, an adapter (Ca or Hca) or a router,
// its ports and its id, which may be its name; the lines of its ports follow. With -g, the numbers that are printed at
// ports of switches of several chips stand behind those of the chip:
//
//	switchguid=0x20001f(20001f)
//	Switch	64 "S-000000000020001f"		# "leaf-32" base port 0 lid 0 lmc 0
//	[1]	"H-0000000000100360"[8](100368) 		# "node-097" lid 0 4xNDR
//	[5][ext 17]	"S-0000000000200020"[3][ext 9]		# "core-1" lid 2 4xNDR
var (
	recordLine = lazyregexp.New(`^(Switch|Ca|Hca|Rt)\s+(\d+)\s+"([^"]*)"\s*(?:#\s*"([^"]*)")?`)
	portLine   = lazyregexp.New(
		`^\[(\d+)\](?:\[ext (\d+)\])?(?:\(([^)]*)\))?\s+"([^"]*)"\s*\[(\d+)\](?:\[ext (\d+)\])?\s*(?:\(([^)]*)\))?` +
			`\s*(?:#(?:[^"]*"([^"]*)")?(?:.*\s((?:\d+x|\?\?)(?:\w+|\?\?\?)))?.*)?$`)
	guidLine      = lazyregexp.New(`^(?:sysimg|switch|ca|rt)guid=(?:0x)?([0-9a-fA-F]+)(?:\(([0-9a-fA-F]+)\))?`)
	attributeLine = lazyregexp.New(`^(?:(?:vendid|devid)=|#|(?:Chassis|DR path|Hostname:|Non-Chassis Nodes)\b)`)
	beginsData    = lazyregexp.New(`^(?:\[|(?:Switch|Ca|Hca|Rt)\s)`)
)

func isIBNetDiscover(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if recordLine.Match(line) {
			return true
		}
		if len(line) > 0 && (line[0] == '{' || line[0] == '<') {
			return false
		}
	}
	return bytes.Contains(head, []byte("# Topology file"))
}

// ReadIBNetDiscover reads the output of ibnetdiscover, with -g or -f as well. Adapters inside switches that reduce data
// (SHARP) are not boxes, and lines that are not data are passed over; notes count both.
func ReadIBNetDiscover(path string, r io.Reader) (*Wiring, error) {
	s := newSubnet(path, r)
	at, inside := -1, false // the record, and whether it is of an adapter inside a switch
	var guids []string      // for the record that follows
	for text, ok := s.next(); ok; text, ok = s.next() {
		text = strings.TrimSpace(text)
		if text == "" || attributeLine.MatchString(text) {
			continue
		}
		if m := guidLine.FindStringSubmatch(text); m != nil {
			guids = append(guids, m[1], m[2])
			continue
		}
		if m := recordLine.FindStringSubmatch(text); m != nil {
			if inside = s.passAggregate(m[3], m[4]); !inside {
				at = s.record(m, guids)
			}
			guids = nil
			continue
		}
		m := portLine.FindStringSubmatch(text)
		switch {
		case m != nil && at >= 0 && !inside:
			if !s.passAggregate(m[4], m[8]) {
				s.port(at, m)
			}
		case inside && m != nil:
		case m == nil && beginsData.MatchString(text):
			s.wrong(1, "is neither a record nor a port",
				`expected a line like: Switch 36 "name", Ca 1 "name" or [1] "name"[2]`)
		default:
			s.pass(text)
		}
	}
	for id, i := range s.boxes { // nobody has named these
		if s.w.Boxes[i].Name == "" {
			s.w.Boxes[i].Name = id
		}
	}
	s.cutOff(at)
	return s.finish()
}

// cutOff has the last record, if devices at the ends of links have none of their own, not list all links of its device:
// every device has a record, so that the text ends too early, perhaps within the last one.
func (s *subnet) cutOff(last int) {
	bare := 0
	for i := range s.w.Boxes {
		if !s.w.Boxes[i].Listed {
			bare++
		}
	}
	if last < 0 || bare == 0 {
		return
	}
	s.w.Boxes[last].Listed = false
	s.w.Notes = append(s.w.Notes, fmt.Sprintf("%s: seems to be cut off, as it has no record of %s at the ends of "+
		"links; what else is plugged into the last device listed, %s, is unknown", filepath.Base(s.path),
		english.Count(bare, "device"), s.w.Boxes[last].Name))
}

// record adds the box of a record. With -g, those of a chassis may be there twice.
func (s *subnet) record(m, guids []string) int {
	at := s.box(m[3], nameOf(m[3], m[4]))
	box := &s.w.Boxes[at]
	if box.Listed && !madeOfGUID.MatchString(m[3]) {
		s.wrong(1, fmt.Sprintf("%q is listed twice", m[3]), "")
	}
	box.Listed, box.Role = true, recordRoles[m[1]]
	box.Ports, _ = strconv.Atoi(m[2])
	s.addGUIDs(at, guids...)
	s.id(at, m[3])
	return at
}

// recordRoles are what boxes are by the words of records and the letters of ids.
var recordRoles = map[string]string{
	"Switch": "switch", "S": "switch", "Ca": "adapter", "Hca": "adapter", "H": "adapter",
}

// id adds what an id that is made of a GUID tells.
func (s *subnet) id(at int, id string) {
	if madeOfGUID.MatchString(id) {
		s.addGUIDs(at, id[2:])
		s.w.Boxes[at].Role = recordRoles[id[:1]]
	}
}

// port adds the link of a line of a port.
func (s *subnet) port(at int, m []string) {
	far := s.box(m[4], nameOf(m[4], m[8]))
	s.id(far, m[4])
	s.addGUIDs(at, m[3])
	s.addGUIDs(far, m[7])
	s.add(Link{
		A: End{Box: at, Outer: m[2]}, B: End{Box: far, Outer: m[6]}, Rate: m[9], Line: s.line,
	}, m[1], m[5])
}

// nameOf returns what a box is called: by the comment of the record, else by its id, unless that is made of a GUID and
// a comment that names it may come.
func nameOf(id, comment string) string {
	if comment != "" {
		return comment
	}
	if madeOfGUID.MatchString(id) {
		return ""
	}
	return id
}

var madeOfGUID = lazyregexp.New(`^[SHR]-[0-9a-fA-F]{12,16}$`)

// port is a number of a port without leading zeros.
func port(digits string) string {
	if n, err := strconv.Atoi(digits); err == nil {
		return strconv.Itoa(n)
	}
	return digits
}

// The ports report of ibnetdiscover -p has a line for each end of a link:
//
//	SW     0 31 0x000000000020001f 4x NDR - CA     0  8 0x0000000000100476 ( 'leaf-32' - 'node-127' )
//
// and a shorter one for a port that is down, in old versions without quotation marks.
var (
	reportLine = lazyregexp.New(`^(SW|CA|RT)\s+\d+\s+(\d+)\s+0x([0-9a-fA-F]+)\s+(\S+)\s+(\S+)\s+-` +
		`\s+(SW|CA|RT)\s+\d+\s+(\d+)\s+0x([0-9a-fA-F]+)\s+\(\s*'(.*)'\s+-\s+'(.*)'\s*\)\s*$`)
	downLine    = lazyregexp.New(`^(SW|CA|RT)\s+\d+\s+(\d+)\s+0x([0-9a-fA-F]+)\s+\S+\s+\S+\s+'?(.*?)'?\s*$`)
	reportRoles = map[string]string{"SW": "switch", "CA": "adapter", "RT": "router"}
)

func isPortsReport(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	line = bytes.TrimSpace(line)
	return reportLine.Match(line) || downLine.Match(line)
}

// ReadPortsReport reads the output of ibnetdiscover -p. Adapters are distinguished by the GUIDs of their ports, as
// hosts may have one description.
func ReadPortsReport(path string, r io.Reader) (*Wiring, error) {
	s := newSubnet(path, r)
	var all []discoveredPort
	for text, ok := s.next(); ok; text, ok = s.next() {
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		if m := reportLine.FindStringSubmatch(text); m != nil {
			near := subnetPort{role: reportRoles[m[1]], guid: hexGUID(m[3]), name: m[9], port: m[2]}
			far := subnetPort{role: reportRoles[m[6]], guid: hexGUID(m[8]), name: m[10], port: m[7]}
			x := discoveredPort{near: near, far: far, linked: true, link: Link{Rate: m[4] + m[5], Line: s.line}}
			switch {
			case s.passAggregate(near.guid, near.name):
				continue
			case s.passAggregate(far.guid, far.name):
				x.linked = false
			}
			all = append(all, x)
		} else if m := downLine.FindStringSubmatch(text); m != nil && !strings.Contains(m[4], "0x") {
			near := subnetPort{role: reportRoles[m[1]], guid: hexGUID(m[3]), name: m[4], port: m[2]}
			if !s.passAggregate(near.guid, near.name) {
				all = append(all, discoveredPort{near: near})
			}
		} else if first, _, _ := strings.Cut(text, " "); reportRoles[first] != "" {
			s.wrong(1, "is not a line of a ports report",
				"expected a line like: SW 1 1 0x2c90200 4x NDR - CA 2 1 0x2c90300 ( 'leaf-1' - 'node-1' )")
		} else {
			s.pass(text)
		}
	}
	s.addPorts(all)
	return s.finish()
}

// WriteIBNetDiscover writes a wiring as ibsim reads it and ibnetdiscover prints it: switches, then adapters, each under
// the name of its box. Ports are numbers, as Planned gives them.
func WriteIBNetDiscover(ctx context.Context, w io.Writer, x *Wiring) error {
	type end struct {
		port, far int
		farPort   string
	}
	ends := make([][]end, len(x.Boxes))
	add := func(near, far End) error {
		n, err := strconv.Atoi(near.Port)
		if err != nil || n < 1 {
			return fmt.Errorf("exchange: port %q of %s is not a number", near.Port, x.Boxes[near.Box].Name)
		}
		ends[near.Box] = append(ends[near.Box], end{n, far.Box, far.Port})
		return nil
	}
	for _, l := range x.Links {
		if err := errors.Join(add(l.A, l.B), add(l.B, l.A)); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(w)
	for _, record := range []string{"Switch", "Ca"} {
		for i, box := range x.Boxes {
			if err := ctx.Err(); err != nil {
				return err
			}
			if len(ends[i]) == 0 || (box.Role == "switch") != (record == "Switch") {
				continue // nothing would find a box without links
			}
			slices.SortFunc(ends[i], func(a, b end) int { return cmp.Compare(a.port, b.port) })
			most := max(box.Ports, ends[i][len(ends[i])-1].port)
			fmt.Fprintf(out, "%s\t%d \"%s\"\n", record, most, plainName(box.Name))
			for _, e := range ends[i] {
				fmt.Fprintf(out, "[%d]\t\"%s\"[%s]\n", e.port, plainName(x.Boxes[e.far].Name), e.farPort)
			}
			out.WriteString("\n")
		}
	}
	return out.Flush()
}

// plainName is a name without what the form has no way to write.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '"' || r < ' ' {
			return '_'
		}
		return r
	}, name)
}
