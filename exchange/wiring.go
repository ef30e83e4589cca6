package exchange

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/internal/sheettable"
	"github.com/plenum-planner/plenum/units"
)

// Wiring is what a source says is cabled.
type Wiring struct {
	Source string // the file
	Boxes  []Box
	Links  []Link
	// Places and Racks are what a source tells of where boxes stand.
	Places []Place
	Racks  []Rack
	// Absent is cables that the source lists and says are not laid.
	Absent []Link
	// Printed is where the boxes of a list of cables stand by its columns a_rack, a_unit, b_rack and b_unit: what the
	// plan says whose list it is, and nobody has seen.
	Printed []Place
	// Notes say what of the source was passed over, and why.
	Notes []string
	// Partial says that the source is a page of an answer: what it does not list may stand on another; see JoinPages.
	Partial bool
	page    *page
}

// Box is a box as a source calls it. Names stand as they are in the source: what a name of some form means, such as
// MF0;leaf-1:MQM9700/U1 or node-7 mlx5_0, package identity knows.
type Box struct {
	Name string // what people call it
	// GUIDs are those of the box and of its ports, in small hexadecimal digits without 0x, where the source tells.
	GUIDs []string
	// MACs are addresses of the box itself, such as the id of a chassis, in small letters with colons.
	MACs    []string
	Serial  string // of the maker; "" where the source does not tell
	Address string // of its management; likewise
	Model   string // its type, as the source calls it; likewise
	// Role is "switch", "adapter" (of a node, which may have several) or "", where the source does not tell.
	Role string
	// Ports is how many ports it has, 0 where the source does not tell.
	Ports int
	// Listed says that the source lists the links of the box: a port without one has none. Other boxes are only named
	// at the far ends of links.
	Listed bool
}

// Place is where a box stands.
type Place struct {
	Box  string
	Rack string // "" where the source has the box in none
	// Unit is the lowest, in the count of the rack, and Half says that it begins half a unit higher; 0 where the source
	// does not tell.
	Unit   int
	Half   bool
	Height float64 // of the box, in units; 0 where the source does not tell
	Face   string  // of the rack, "front" or "rear"; "" where the source does not tell
	Line   int     // where it stands in the source
}

// FromFloor is the lowest unit of a box of so many units in a rack as if the lowest of the rack were 1; half says that
// it begins half a unit higher. Of a rack that counts from the top, NetBox has the least number that the box covers.
// The unit is 0 where the sources do not tell it.
func (p *Place) FromFloor(r *Rack, height float64) (unit int, half bool) {
	if p.Unit == 0 || r.FromTop && r.Units == 0 {
		return 0, false
	}
	at := float64(p.Unit)
	if p.Half {
		at += 0.5
	}
	start := float64(max(r.Start, 1))
	if r.FromTop {
		at = float64(r.Units) - (at + height - 1 - start)
	} else {
		at -= start - 1
	}
	return int(math.Floor(at)), at != math.Floor(at)
}

// Rack is a rack that a source knows.
type Rack struct {
	Name  string
	Units int // how high it is, 0 where the source does not tell
	// FromTop says that its units count from the top, and Start is the number of the first, 1 where it is 0.
	FromTop bool
	Start   int
	Line    int
}

// PortForm is what the text of a port is.
type PortForm string

// The forms of ports.
const (
	// Named is what people or a system call it: a label, an interface, an alias, a number that is printed.
	Named PortForm = ""
	// Subnet is the number by which an InfiniBand or Omni-Path subnet knows the port of its box or adapter.
	Subnet PortForm = "subnet"
	// Hardware is a MAC address.
	Hardware PortForm = "mac"
	// Untold is a text that names no port, such as the index of an interface: the source tells the box alone.
	Untold PortForm = "untold"
)

// End is a port of a box.
type End struct {
	Box  int    // of Wiring.Boxes
	Port string // as the source calls it
	Form PortForm
	// Also is a second text that may name the port and counts only if it is exactly one of the box's, as the
	// description beside a MAC address; "" where there is none.
	Also string
	// Outer is the number that is printed at the port of an InfiniBand switch of several chips, for which Port is that
	// of the chip; "" where the source does not tell.
	Outer string
	// Lane is which of those that a port is broken out into, from 1; 0 where the source does not tell.
	Lane int
}

// Link joins two ports. A source that sees it from both sides has it once.
type Link struct {
	A, B    End
	Product string // of the cable, where the source tells; "" elsewhere
	// Polarity is the type of the cable, a word of cabling.Polarity; of a link over panels those of its cables in order
	// from A to B, with commas between them. "" where the source does not tell.
	Polarity string
	Rate     string // as the source says it, such as "4xNDR"; "" where it does not
	// Lanes is its width, and LaneRate the nominal rate of each of its lanes; 0 where the source does not tell.
	Lanes    int
	LaneRate units.Rate
	Errors   int64 // that the source has counted at both ends
	Down     bool  // a port of it is down, disabled or not trained: the cable may be there
	// Choice is the number, from 1, of a set of links of which at most one is a cable, as several neighbours that a
	// port hears; 0 for a link by itself.
	Choice int
	Line   int // where it stands
}

// MaxBytes is the most that is read of a file.
const MaxBytes = 1 << 28

// maxLine is the longest line that is read, in bytes.
const maxLine = 1 << 16

// format is a form of files that are read.
type format struct {
	name string
	// is tells by the first bytes of a file, or by the outline of a JSON document, whether it has the form.
	is   func(head []byte) bool
	read func(path string, r io.Reader) (*Wiring, error)
}

var formats = []format{
	{"ibnetdiscover", isIBNetDiscover, ReadIBNetDiscover},
	{"ibnetdiscover -p", isPortsReport, ReadPortsReport},
	{"iblinkinfo", isIBLinkInfo, ReadIBLinkInfo},
	{"ibdiagnet2.net_dump", isNetDump, ReadNetDump},
	{"ibdiagnet2.db_csv", isIBDiagnetCSV, ReadIBDiagnetCSV},
	{"ibdiagnet2.lst", isIBDiagnetList, ReadIBDiagnetList},
	{"lldpctl -f json", isLLDP, ReadLLDP},
	{"EOS: LLDP", isEOS, ReadEOS},
	{"NX-OS: LLDP", isNXOS, ReadNXOS},
	{"Junos: LLDP", isJunos, ReadJunos},
	{"SONiC: show lldp table", isSONiCTable, ReadSONiCTable},
	{"SONiC: config_db.json", isConfigDB, ReadConfigDB},
	{"SONiC: minigraph.xml", isMinigraph, ReadMinigraph},
	{"containerlab", isContainerlab, ReadContainerlab},
	{"netlab", isNetlab, ReadNetlab},
	{"DSX Air", isAir, ReadAir},
	{"Batfish", isBatfish, ReadBatfish},
	{"CANU paddle", isPaddle, ReadPaddle},
	{"infragraph", isInfragraph, ReadInfragraph},
	{"cables.csv", isTable(isCableHead), ReadCables},
	{"NetBox: cables", isTable(isNetBoxCable), ReadNetBox},
	{"NetBox: devices and racks", isTable(isNetBoxPlace), ReadNetBoxPlaces},
	{"NetBox: JSON", isNetBoxJSON, readNetBoxJSON},
	{"NDT", isTable(isNDTHead), ReadNDT},
	{"opareport -o links -x", isOmniPathReport, ReadOmniPathReport},
	{"opaextractlink", isOmniPathLinks, ReadOmniPathLinks},
	{"Omni-Path topology sheet", isOmniPathSheet, ReadOmniPathSheet},
	{"tt-metal cut sheet", isCutSheet, ReadCutSheet},
	{"tt-metal system", isTTSystem, ReadTTSystem},
	{"tt-metal discovered", isTTDiscovered, ReadTTDiscovered},
	{"point-to-point", isTable(isPointToPoint), ReadPointToPoint},
	{"AVD", isTable(isAVD), ReadAVD},
	{"SHCD", isTable(isSHCD), ReadSHCD},
	{"ptm", isPTM, ReadPTM},
	{"topo", isTopo, ReadTopo},
	{"workbook", sheettable.IsBook, ReadCableBook},
}

// isTable tells tables by the names of their columns.
func isTable(is func(heads []string) bool) func(head []byte) bool {
	return func(head []byte) bool {
		_, _, found := csvtable.Find(head, is)
		return found
	}
}

// Read reads a file in any of the forms that are known: what programs of InfiniBand, Omni-Path and Ethernet find, what
// NetBox, UFM, CANU, tt-metal and labs have in files, and cables.csv or the workbook of a plan, as they are or as they
// were filled in. Mistakes are a diag.List.
func Read(path string) (*Wiring, error) {
	f, err := infile.OpenArgument(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case info.Size() > MaxBytes:
		return nil, fmt.Errorf("%s has %d bytes, and at most %d are read", path, info.Size(), int64(MaxBytes))
	}
	return ReadFrom(path, f)
}

// ReadFrom reads what Read does, of a file that is open or was sent, up to MaxBytes of it. Mistakes name its path.
func ReadFrom(path string, r io.Reader) (*Wiring, error) {
	in := bufio.NewReaderSize(io.LimitReader(r, MaxBytes+1), 1<<16)
	head, err := in.Peek(1 << 12)
	if err == nil || errors.Is(err, io.EOF) {
		if !sheettable.IsBook(head) {
			in = bufio.NewReaderSize(csvtable.Text(path, in), 1<<16)
		}
		head, err = in.Peek(in.Size())
	}
	if (err == nil || errors.Is(err, io.EOF)) && startsJSON(head) {
		// What a JSON document is may stand far behind its beginning.
		data, err := io.ReadAll(in)
		if err != nil {
			return nil, diag.AsList(err)
		}
		in, head = bufio.NewReader(bytes.NewReader(data)), data[:min(len(data), 1<<12)]
		if levels := keysByLevel(data); len(levels) > 0 {
			head = outlineJSON(data, levels)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return nil, diag.AsList(err)
	}
	head = pastMessages(head)
	head = head[:min(len(head), 1<<12)]
	for _, form := range formats {
		if form.is(head) {
			w, err := form.read(path, in)
			if err != nil {
				return nil, diag.AsList(err)
			}
			w.Source = filepath.Base(path)
			if len(w.Links)+len(w.Places)+len(w.Racks) == 0 {
				w.Notes = append(w.Notes, w.Source+": has no link, no box that stands anywhere and no rack")
			}
			return w, nil
		}
	}
	at := diag.Position{File: path, Line: 1, Column: 1}
	if len(head) == 0 {
		return nil, diag.List{{Pos: at, Message: "the file is empty"}}
	}
	if besideWiring.Match(head) || strings.HasSuffix(path, ".provenance.json") {
		source := filepath.Base(path)
		return &Wiring{Source: source, Notes: []string{
			source + ": tells of no cable and no place, as tables of NetBox for roles, types, makers and sites do not",
		}}, nil
	}
	for _, other := range otherForms {
		if other.is.Match(head) {
			return nil, diag.List{{
				Pos: at, Message: "is what " + other.name + " prints as text", Suggestion: "ask for JSON: " + other.ask,
			}}
		}
	}
	var names []string
	for _, form := range formats {
		names = append(names, form.name)
	}
	return nil, diag.List{{
		Pos: at, Message: "is in none of the forms that are read", Suggestion: "they are " + strings.Join(names, ", "),
	}}
}

// besideWiring is what stands beside tables of NetBox that are read, in an export of all: tables of roles, sites and
// makers, and types of devices.
var besideWiring = lazyregexp.New(`^(?:"?name"?,"?slug"?[,\r\n]|---\r?\nmanufacturer: .*\r?\nmodel: )`)

// otherForms are what programs print for people where they are not asked for the form that is read.
var otherForms = []struct {
	is        *lazyregexp.Regexp
	name, ask string
}{
	{
		lazyregexp.New(`(?m)^(?:LLDP neighbors:|lldp\.\S+=|\s*<lldp[ >])`), "lldpctl",
		"lldpctl -f json",
	},
	{
		lazyregexp.New(`(?m)^(?:Local (?:Intf|Interface)\b.*\bChassis I[dD]\b|Device ID\s+Local Intf\b|` +
			`Port\s+Neighbor Device ID\b|Local Interface\s+Parent Interface\b)`), "show lldp neighbors",
		"show lldp neighbors | json, or | display json",
	},
}

// builder makes a wiring: boxes by what the source tells them apart by, links once.
type builder struct {
	w     *Wiring
	boxes map[string]int
	seen  map[[2]seenEnd]int // links by their ends
	dates int                // ports that spreadsheets have made dates of
	dated string             // says so of the first
}

// seenEnd is what tells the ends of links apart.
type seenEnd struct {
	box  int
	port string
	lane int
}

func newBuilder() *builder {
	return &builder{w: &Wiring{}, boxes: map[string]int{}, seen: map[[2]seenEnd]int{}}
}

// box is the number of the box of an id. A name is taken where the box has none yet.
func (b *builder) box(id, name string) int {
	i, ok := b.boxes[id]
	if !ok {
		i = len(b.w.Boxes)
		b.boxes[id] = i
		b.w.Boxes = append(b.w.Boxes, Box{})
	}
	if b.w.Boxes[i].Name == "" {
		b.w.Boxes[i].Name = name
	}
	return i
}

// link adds a link unless it is there, and reports whether it was not. What one side of a link tells of its ends and
// the other does not is kept.
func (b *builder) link(l Link) bool {
	key := [2]seenEnd{{l.A.Box, l.A.Port, l.A.Lane}, {l.B.Box, l.B.Port, l.B.Lane}}
	x, y := l.A, l.B
	if cmp.Or(cmp.Compare(y.Box, x.Box), cmp.Compare(y.Port, x.Port), cmp.Compare(y.Lane, x.Lane)) < 0 {
		key[0], key[1] = key[1], key[0]
	}
	if i, ok := b.seen[key]; ok {
		old := &b.w.Links[i]
		if (seenEnd{old.A.Box, old.A.Port, old.A.Lane}) != (seenEnd{x.Box, x.Port, x.Lane}) {
			x, y = y, x
		}
		for _, e := range []struct{ old, more *End }{{&old.A, &x}, {&old.B, &y}} {
			e.old.Also, e.old.Outer = cmp.Or(e.old.Also, e.more.Also), cmp.Or(e.old.Outer, e.more.Outer)
		}
		return false
	}
	b.seen[key] = len(b.w.Links)
	b.w.Links = append(b.w.Links, l)
	return true
}

// lines reads a text line by line and collects its mistakes.
type lines struct {
	in    *bufio.Scanner
	path  string
	line  int
	found diag.List
}

func newLines(path string, r io.Reader) *lines {
	s := bufio.NewScanner(csvtable.Text(path, r))
	s.Buffer(make([]byte, 0, 1<<12), maxLine)
	return &lines{in: s, path: path}
}

func (l *lines) next() (string, bool) {
	if len(l.found) >= diag.Most || !l.in.Scan() {
		return "", false
	}
	l.line++
	return l.in.Text(), true
}

// wrong is a mistake in the line at hand.
func (l *lines) wrong(column int, message, suggestion string) {
	l.found = append(l.found, diag.Diagnostic{
		Pos: diag.Position{File: l.path, Line: l.line, Column: column}, Message: message, Suggestion: suggestion,
	})
}

// end is what has gone wrong in all.
func (l *lines) end() error {
	if err := l.in.Err(); err != nil {
		if err != bufio.ErrTooLong {
			return diag.AsList(err)
		}
		l.line++
		l.wrong(1, fmt.Sprintf("the line is longer than %d bytes", maxLine), "")
	}
	if len(l.found) > 0 {
		return l.found
	}
	return nil
}
