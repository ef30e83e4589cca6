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
// gigabits per second, nominal or as signals have it, such as "106.25" or "53.125 Gbps". It is 0 for any other word.
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

// linkRate takes what a program says of a link, as 4xNDR or 4X 106.25 Gbps, apart: how many lanes it has and the
// nominal rate of each, 0 where the text does not tell.
func linkRate(text string) (lanes int, lane units.Rate) {
	width, word, ok := strings.Cut(strings.Replace(text, "X", "x", 1), "x")
	if !ok {
		if _, err := strconv.ParseFloat(text, 64); err == nil { // of all lanes, perhaps
			return 0, 0
		}
		return 0, InfiniBandRate(text)
	}
	lanes, err := strconv.Atoi(strings.TrimSpace(width))
	if err != nil || lanes < 1 || lanes > 32 {
		return 0, InfiniBandRate(word)
	}
	return lanes, InfiniBandRate(word)
}

// hexGUID writes a GUID in 16 small hexadecimal digits; "" for what is none.
func hexGUID(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	text = strings.TrimPrefix(text, "0x")
	if n, err := strconv.ParseUint(text, 16, 64); err != nil || n == 0 {
		return ""
	}
	return strings.Repeat("0", max(0, 16-len(text))) + text
}

// subnet reads what a program tells of an InfiniBand subnet.
type subnet struct {
	*builder
	*lines
	// stray is the first of the lines that are not data.
	strays     int
	strayLine  int
	stray      string
	aggregates map[string]bool
	alike      int // ends of links at boxes that the text does not tell apart
	// lids says that a subnet manager has given out LIDs. Before it does, links show the rate at which they begin.
	lids bool
}

func newSubnet(path string, r io.Reader) *subnet {
	return &subnet{builder: newBuilder(), lines: newLines(path, r), aggregates: map[string]bool{}}
}

// next is the next line.
func (s *subnet) next() (string, bool) {
	text, ok := s.lines.next()
	s.lids = s.lids || withLID.MatchString(text)
	return text, ok
}

// withLID is a line that tells a LID, or a link that is in use: of ibnetdiscover, of it with -p, of iblinkinfo, and of
// ibdiagnet.
var withLID = lazyregexp.New(`\blid [1-9]|^(?:SW|CA|RT)\s+[1-9]|\bActive\b|\bACT\b|LID [1-9]|START_`)

// pass passes over the line at hand, which is not data, as a warning among them.
func (s *subnet) pass(text string) {
	if s.strays++; s.strays == 1 {
		s.strayLine, s.stray = s.line, text
	}
}

// aggregate reports whether a description is that of an adapter inside a switch, which has no cable; id tells those
// apart that are counted.
func (s *subnet) aggregate(id, description string) bool {
	if !strings.HasSuffix(description, identity.AggregationNode) { // of most lines, at little cost
		return false
	}
	if _, model, _, _ := identity.Description(description); model != identity.AggregationNode {
		return false
	}
	s.aggregates[id] = true
	return true
}

// addGUIDs adds GUIDs to a device.
func (b *builder) addGUIDs(box int, guids ...string) {
	at := &b.w.Boxes[box]
	for _, g := range guids {
		if g = hexGUID(g); g != "" && !slices.Contains(at.GUIDs, g) {
			at.GUIDs = append(at.GUIDs, g)
		}
	}
}

// finish returns the wiring, with notes on what of the text was passed over.
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

// subnetPort is a port as a report of ports tells of it, which has no word for the adapter that it is of.
type subnetPort struct {
	role string // of its box: switch, adapter, router, or "" where the report does not tell
	guid string // of the port; a switch has one for all its ports
	id   string // what tells it apart where there is no GUID
	name string
	port string
}

// discoveredPort is a line of a report of ports: a port, and the port at the far end of its link if it has one.
type discoveredPort struct {
	near, far subnetPort
	linked    bool
	unsure    bool // there is a link, and the report does not tell where to: it does not list all links of the box
	link      Link // all but the boxes
}

// addPorts adds the boxes and links of a report of ports. A switch is identified by its GUID. Ports of adapters have
// GUIDs of their own; those of one name are of one adapter if the name is that of a host and no two of them have one
// number, or else if they have numbers and GUIDs in a row.
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
		group(name, ports)
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

// group gives ports of one name that are of one adapter one id.
func group(name string, ports []*subnetPort) {
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

// follows reports whether a port is the next one of an adapter.
func follows(a, b *subnetPort) bool {
	x, errX := strconv.ParseUint(a.guid, 16, 64)
	y, errY := strconv.ParseUint(b.guid, 16, 64)
	n, errN := strconv.Atoi(a.port)
	m, errM := strconv.Atoi(b.port)
	return errX == nil && errY == nil && errN == nil && errM == nil && m == n+1 && y == x+1
}

// add adds a link between numbers of ports in the subnet.
func (s *subnet) add(l Link, a, b string) {
	l.A.Port, l.A.Form, l.B.Port, l.B.Form = port(a), Subnet, port(b), cmp.Or(l.B.Form, Subnet)
	l.Lanes, l.LaneRate = linkRate(l.Rate)
	s.link(l)
}

// message is a line that programs of InfiniBand print of their own work.
var message = lazyregexp.New(`^(?:ibwarn|ibpanic|ibdebug|ibdiag\w*|perror|mad_\w+|src/\S+|-[EWI]-)[:\s]`)

// pastMessages is a text without the messages at its beginning.
func pastMessages(head []byte) []byte {
	for {
		line, rest, more := bytes.Cut(head, []byte("\n"))
		if !more || len(bytes.TrimSpace(line)) > 0 && !message.Match(line) || len(rest) == len(head) {
			return head
		}
		head = rest
	}
}
