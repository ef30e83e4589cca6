package exchange

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The output of ibnetdiscover is also what ibsim reads. A record names a switch, an adapter (Ca or Hca) or a router,
// its ports and its id, which may be its name; the lines of its ports follow:
//
//	Switch	64 "S-000000000020001f"		# "leaf-32" base port 0 lid 0 lmc 0
//	[1]	"H-0000000000100360"[8](100368) 		# "node-097" lid 0 4xNDR
var (
	recordLine = regexp.MustCompile(`^(Switch|Ca|Hca|Rt)\s+(\d+)\s+"([^"]*)"\s*(?:#\s*"([^"]*)")?`)
	portLine   = regexp.MustCompile(
		`^\[(\d+)\](?:\([^)]*\))?\s+"([^"]*)"\s*\[(\d+)\](?:\([^)]*\))?` +
			`\s*(?:#(?:[^"]*"([^"]*)")?(?:.*\s(\d+x\w+))?.*)?$`)
	attributeLine = regexp.MustCompile(`^(vendid|devid|sysimgguid|switchguid|caguid|rtguid)=|^#|^(Chassis|DR path)\b`)
)

func isIBNetDiscover(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || attributeLine.Match(line) {
			continue
		}
		return recordLine.Match(line)
	}
	return bytes.Contains(head, []byte("# Topology file"))
}

// ReadIBNetDiscover reads the output of ibnetdiscover.
func ReadIBNetDiscover(path string, r io.Reader) (*Wiring, error) {
	b, in := newBuilder(), newLines(path, r)
	at := -1
	for text, ok := in.next(); ok; text, ok = in.next() {
		text = strings.TrimSpace(text)
		if text == "" || attributeLine.MatchString(text) {
			continue
		}
		if m := recordLine.FindStringSubmatch(text); m != nil {
			at = b.box(m[3], nameOf(m[3], m[4]))
			box := &b.w.Boxes[at]
			if box.Listed {
				in.wrong(1, fmt.Sprintf("%q is listed twice", m[3]), "")
			}
			box.Listed, box.Role = true, "adapter"
			if m[1] == "Switch" {
				box.Role = "switch"
			}
			continue
		}
		m := portLine.FindStringSubmatch(text)
		switch {
		case m == nil:
			in.wrong(1, "is neither a record nor a port",
				`expected a line like: Switch 36 "name", Ca 1 "name" or [1] "name"[2]`)
		case at < 0:
			in.wrong(1, "is a port of no record", "a line like this comes before it: Switch 36 \"name\"")
		default:
			far := b.box(m[2], nameOf(m[2], m[4]))
			b.link(Link{
				A: End{Box: at, Port: port(m[1]), Form: Subnet},
				B: End{Box: far, Port: port(m[3]), Form: Subnet}, Rate: m[5], Line: in.line,
			})
		}
	}
	for id, i := range b.boxes { // nobody has named these
		if b.w.Boxes[i].Name == "" {
			b.w.Boxes[i].Name = id
		}
	}
	return b.w, in.end()
}

// nameOf is what a box is called: by the comment of the record, else by its id, unless that is made of a GUID and a
// comment that names it may come.
func nameOf(id, comment string) string {
	if comment != "" {
		return comment
	}
	if madeOfGUID.MatchString(id) {
		return ""
	}
	return id
}

var madeOfGUID = regexp.MustCompile(`^[SHR]-[0-9a-fA-F]{12,16}$`)

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
// and a shorter one for a port that is down.
var (
	reportLine = regexp.MustCompile(`^(SW|CA|RT)\s+\d+\s+(\d+)\s+0x([0-9a-fA-F]+)\s+(\d+x)\s+(\S+)\s+-` +
		`\s+(SW|CA|RT)\s+\d+\s+(\d+)\s+0x([0-9a-fA-F]+)\s+\(\s*'(.*)'\s+-\s+'(.*)'\s*\)\s*$`)
	downLine = regexp.MustCompile(`^(SW|CA|RT)\s+\d+\s+(\d+)\s+0x([0-9a-fA-F]+)\s+\S+\s+\S+\s+'(.*)'\s*$`)
)

func isPortsReport(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	line = bytes.TrimSpace(line)
	return reportLine.Match(line) || downLine.Match(line)
}

// ReadPortsReport reads the output of ibnetdiscover -p.
func ReadPortsReport(path string, r io.Reader) (*Wiring, error) {
	b, in := newBuilder(), newLines(path, r)
	box := func(kind, guid, name string, number string, listed bool) int {
		if kind == "CA" { // the GUID is that of the port; a box is told by its name
			guid = "name " + name
		}
		i := b.box(kind+guid, name)
		b.w.Boxes[i].Role = "adapter"
		if kind == "SW" {
			b.w.Boxes[i].Role = "switch"
		}
		b.w.Boxes[i].Listed = b.w.Boxes[i].Listed || listed
		return i
	}
	for text, ok := in.next(); ok; text, ok = in.next() {
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		if m := reportLine.FindStringSubmatch(text); m != nil {
			near := box(m[1], m[3], m[9], m[2], true)
			far := box(m[6], m[8], m[10], m[7], false)
			b.link(Link{
				A: End{Box: near, Port: port(m[2]), Form: Subnet},
				B: End{Box: far, Port: port(m[7]), Form: Subnet}, Rate: m[4] + m[5],
				Line: in.line,
			})
		} else if m := downLine.FindStringSubmatch(text); m != nil {
			box(m[1], m[3], m[4], m[2], true)
		} else {
			in.wrong(1, "is no line of a ports report",
				"expected a line like: SW 1 1 0x2c90200 4x NDR - CA 2 1 0x2c90300 ( 'leaf-1' - 'node-1' )")
		}
	}
	return b.w, in.end()
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
			return fmt.Errorf("exchange: port %q of %s is no number", near.Port, x.Boxes[near.Box].Name)
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
