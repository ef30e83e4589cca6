package exchange

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/units"
)

// laneRates are the rates of a lane of InfiniBand: the word, the nominal rate, and the rate of signals where programs
// print that one.
var laneRates = []struct {
	word            string
	nominal, signal units.Rate
}{
	{"SDR", 2.5, 2.5},
	{"DDR", 5, 5},
	{"QDR", 10, 10},
	{"FDR10", 10, 10},
	{"FDR", 14, 14.0625},
	{"EDR", 25, 25.78125},
	{"HDR", 50, 53.125},
	{"NDR", 100, 106.25},
	{"XDR", 200, 212.5},
}

// InfiniBandRate returns the nominal rate of a lane of InfiniBand: 2.5G for SDR, 5G for DDR, 10G for QDR and FDR10, 14G
// for FDR, 25G for EDR, 50G for HDR, 100G for NDR and 200G for XDR. The word is one of these names, or a number of
// gigabits per second within 0.5 % of the nominal rate or the rate of signals, such as "106.25" or "53.125 Gbps". What
// follows the first space is ignored, and so is case. The rate is 0 for any other word.
func InfiniBandRate(word string) units.Rate {
	word, _, _ = strings.Cut(strings.TrimSpace(word), " ")
	number, err := strconv.ParseFloat(word, 64)
	for _, r := range laneRates {
		if strings.EqualFold(word, r.word) {
			return r.nominal
		}
		if err == nil {
			for _, rate := range []units.Rate{r.nominal, r.signal} {
				if math.Abs(number/float64(rate)-1) < 0.005 {
					return r.nominal
				}
			}
		}
	}
	return 0
}

// linkRate splits what a program prints for a link, such as 4xNDR, 4X 106.25 Gbps or XDR, into the number of lanes,
// from 1 to 32, and the nominal rate of each. Either is 0 where the text does not tell it. A number alone gives no
// rate, as it may be that of all lanes together.
func linkRate(text string) (lanes int, lane units.Rate) {
	text = strings.TrimSpace(text)
	times := strings.IndexAny(text, "xX")
	if times < 1 { // the X of XDR is not a times sign
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return 0, 0
		}
		return 0, InfiniBandRate(text)
	}
	lane = InfiniBandRate(text[times+1:])
	lanes, err := strconv.Atoi(strings.TrimSpace(text[:times]))
	if err != nil || lanes < 1 || lanes > 32 {
		return 0, lane
	}
	return lanes, lane
}

// hexGUID writes a GUID, with or without 0x, in 16 small hexadecimal digits. It returns "" for a text that is not a
// hexadecimal number of 64 bits, and for 0.
func hexGUID(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	text = strings.TrimPrefix(text, "0x")
	if n, err := strconv.ParseUint(text, 16, 64); err != nil || n == 0 {
		return ""
	}
	return strings.Repeat("0", max(0, 16-len(text))) + text
}

// subnet reads what a program tells of an InfiniBand subnet, line by line, into a wiring.
type subnet struct {
	*builder
	*lines
	strays     int             // lines that are not data
	strayLine  int             // the number of the first of them
	stray      string          // its text
	aggregates map[string]bool // ids of the adapters inside switches, see passAggregate
	alike      int             // ends of links at boxes that the text does not tell apart
	// lids is whether a line so far shows that a subnet manager has given out LIDs. Before it does, links show the rate
	// at which they begin.
	lids bool
}

func newSubnet(path string, r io.Reader) *subnet {
	return &subnet{builder: newBuilder(), lines: newLines(path, r), aggregates: map[string]bool{}}
}

// next returns the next line, and false after the last one. It also notes whether the line shows a LID.
func (s *subnet) next() (string, bool) {
	text, ok := s.lines.next()
	s.lids = s.lids || withLID.MatchString(text)
	return text, ok
}

// withLID matches a line with a LID above 0, or with a link that is in use, of ibnetdiscover, of it with -p, of
// iblinkinfo, and of ibdiagnet.
var withLID = lazyregexp.New(`\blid [1-9]|^(?:SW|CA|RT)\s+[1-9]|\bActive\b|\bACT\b|LID [1-9]|START_`)

// pass counts the line at hand, which is not data, such as a warning among them, and keeps the first for a note.
func (s *subnet) pass(text string) {
	if s.strays++; s.strays == 1 {
		s.strayLine, s.stray = s.line, text
	}
}

// passAggregate reports whether a description is that of an adapter inside a switch (SHARP), which has no cable and is
// passed over. It counts such adapters for a note of finish, those with one id once.
func (s *subnet) passAggregate(id, description string) bool {
	if !strings.HasSuffix(description, identity.AggregationNode) { // of most lines, at little cost
		return false
	}
	if _, model, _, _ := identity.Description(description); model != identity.AggregationNode {
		return false
	}
	s.aggregates[id] = true
	return true
}

// addGUIDs adds GUIDs to a device, as hexGUID writes them, each once. Texts that are not GUIDs are left out.
func (b *builder) addGUIDs(box int, guids ...string) {
	at := &b.w.Boxes[box]
	for _, g := range guids {
		if g = hexGUID(g); g != "" && !slices.Contains(at.GUIDs, g) {
			at.GUIDs = append(at.GUIDs, g)
		}
	}
}

// finish returns the wiring, with notes on the lines, adapters and ends of links that were passed over, and the error
// of the mistakes found so far; both may be set. Without LIDs in the text it sets lanes and rates of all links to 0.
// Boxes without a name are called by their first GUID, as 0x0000001000000100, if they have one.
func (s *subnet) finish() (*Wiring, error) {
	note := func(format string, args ...any) {
		s.w.Notes = append(s.w.Notes, filepath.Base(s.path)+": "+fmt.Sprintf(format, args...))
	}
	told := false
	for i := range s.w.Links {
		l := &s.w.Links[i]
		if told = told || l.LaneRate > 0; !s.lids {
			l.Lanes, l.LaneRate = 0, 0
		}
	}
	if told && !s.lids {
		note("has no LIDs, so that no subnet manager has set up the links: their rates are not looked at")
	}
	for i := range s.w.Boxes { // nobody has named these
		if b := &s.w.Boxes[i]; b.Name == "" && len(b.GUIDs) > 0 {
			b.Name = "0x" + b.GUIDs[0]
		}
	}
	if s.strays > 0 {
		text := s.stray
		if len(text) > 60 {
			text = strings.ToValidUTF8(text[:60], "") + "..."
		}
		note("passes over %s without data, the first in line %d: %q", english.Count(s.strays, "line"), s.strayLine,
			text)
	}
	if n := len(s.aggregates); n > 0 {
		note("passes over %s inside switches (SHARP), which have no cables", english.Count(n, "aggregation node"))
	}
	if s.alike > 0 {
		note("passes over %s of links, which are at boxes of one description that the file does not tell apart; "+
			"iblinkinfo --line does", english.Count(s.alike, "end"))
	}
	return s.w, s.end()
}

// subnetPort is a port in a report of ports. The report does not say which ports are of one adapter.
type subnetPort struct {
	role string // of its box: switch, adapter, router, or "" where the report does not tell
	guid string // of the port, as hexGUID writes it; a switch has one for all its ports
	id   string // identifies the port where it has no GUID; addPorts replaces it by the id of its box
	name string // the description of its box
	port string // its number
}

// discoveredPort is a line of a report of ports: a port, and the port at the far end of its link if it has one.
type discoveredPort struct {
	near, far subnetPort
	linked    bool
	unsure    bool // there is a link, and the report does not tell where to: it does not list all links of the box
	link      Link // all but the boxes
}

// addPorts adds the boxes and links of a report of ports, in its order, and sets the ids in all. A switch is identified
// by its GUID. Ports of other boxes have GUIDs of their own; those of one name are of one box if the name is that of a
// host and no two of them have one number, or else if they have numbers and GUIDs in a row. The box at the near end of
// every line is Listed, unless a link of it is unsure.
func (s *subnet) addPorts(all []discoveredPort) {
	named := map[string][]*subnetPort{}
	for i := range all {
		for _, p := range []*subnetPort{&all[i].near, &all[i].far} {
			if p == &all[i].far && !all[i].linked {
				continue
			}
			if p.id = cmp.Or(p.guid, p.id); p.role != "switch" {
				named[p.name] = append(named[p.name], p)
			} else {
				p.id = "switch " + p.id
			}
		}
	}
	for name, ports := range named {
		setIDs(name, ports)
	}
	box := func(p *subnetPort) int {
		i := s.box(p.id, p.name)
		s.addGUIDs(i, p.guid)
		if role := p.role; role == "switch" || role == "adapter" {
			s.w.Boxes[i].Role = role
		}
		return i
	}
	for i := range all {
		x := &all[i]
		x.link.A.Box = box(&x.near)
		s.w.Boxes[x.link.A.Box].Listed = true
		if x.linked {
			x.link.B.Box = box(&x.far)
			s.add(x.link, x.near.port, x.far.port)
		}
	}
	for i := range all {
		if all[i].unsure {
			s.w.Boxes[all[i].link.A.Box].Listed = false
		}
	}
}

// setIDs gives ports of one name the id of their adapter: see addPorts. Ports with the same id before are one port.
func setIDs(name string, ports []*subnetPort) {
	byID := map[string]*subnetPort{}
	numbers := map[string]bool{}
	var each []*subnetPort
	for _, p := range ports {
		if byID[p.id] == nil {
			byID[p.id] = p
			each = append(each, p)
			numbers[p.port] = true
		}
	}
	ids := map[string]string{}
	if host, _, _, _ := identity.Description(name); host != "" && len(numbers) == len(each) {
		for _, p := range each {
			ids[p.id] = "name " + name
		}
	} else {
		slices.SortFunc(each, func(a, b *subnetPort) int { return strings.Compare(a.id, b.id) })
		for i, p := range each {
			ids[p.id] = "port " + p.id
			if i > 0 && follows(each[i-1], p) {
				ids[p.id] = ids[each[i-1].id]
			}
		}
	}
	for _, p := range ports {
		p.id = ids[p.id]
	}
}

// follows reports whether b is the port after a on one adapter: its GUID and its number are each higher by one. It is
// false where either port has no GUID or no number.
func follows(a, b *subnetPort) bool {
	x, errX := strconv.ParseUint(a.guid, 16, 64)
	y, errY := strconv.ParseUint(b.guid, 16, 64)
	n, errN := strconv.Atoi(a.port)
	m, errM := strconv.Atoi(b.port)
	return errX == nil && errY == nil && errN == nil && errM == nil && m == n+1 && y == x+1
}

// add adds a link between the ports a and b in the subnet's numbers. It sets their forms, unless that of end B is set,
// and the lanes and their rate from the link's Rate.
func (s *subnet) add(l Link, a, b string) {
	l.A.Port, l.A.Form, l.B.Port, l.B.Form = port(a), Subnet, port(b), cmp.Or(l.B.Form, Subnet)
	l.Lanes, l.LaneRate = linkRate(l.Rate)
	s.link(l)
}

// message matches a line that programs of InfiniBand print about their own work.
var message = lazyregexp.New(`^(?:ibwarn|ibpanic|ibdebug|ibdiag\w*|perror|mad_\w+|src/\S+|-[EWI]-)[:\s]`)

// pastMessages returns a text without the messages and blank lines at its beginning. A last line without a line end
// stays.
func pastMessages(head []byte) []byte {
	for {
		line, rest, more := bytes.Cut(head, []byte("\n"))
		if !more || len(bytes.TrimSpace(line)) > 0 && !message.Match(line) {
			return head
		}
		head = rest
	}
}
