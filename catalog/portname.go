package catalog

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// PortIdentity is what people and systems call a port. Fields are "" where nothing is known.
type PortIdentity struct {
	Label     string   // printed on the box
	Interface string   // of the operating system
	Device    string   // of RDMA, as mlx5_0
	PCI       string   // the address on the bus, as dc:00.0
	Aliases   []string // other names
}

// PortNaming is which of its names a port is shown by in the documents of a plan.
type PortNaming string

// The names that ports may be shown by.
const (
	NamedByLabel     PortNaming = "label"     // printed on the box
	NamedByInterface PortNaming = "interface" // of the operating system
	// NamedByDevice is the RDMA device; the interface of ports that are not known to be devices, as those of switches.
	NamedByDevice PortNaming = "device"
)

// Words lists them.
func (PortNaming) Words() []string {
	return words([]PortNaming{NamedByLabel, NamedByInterface, NamedByDevice})
}

// ShownName returns the name by which a port is shown, "" where it is not known.
func (id *PortIdentity) ShownName(by PortNaming) string {
	switch by {
	case NamedByInterface:
		return id.Interface
	case NamedByDevice:
		return cmp.Or(id.Device, id.Interface)
	}
	return id.Label
}

// System returns the name by which operating systems and their tools call the port: that of the interface, or the
// printed one where no other is known.
func (id *PortIdentity) System() string { return cmp.Or(id.Interface, id.Label) }

// portNumbers are the numbers of a port that a pattern may ask for.
type portNumbers struct {
	n, cage, port int // number printed at the port and at its cage, place in the cage from 1
	lane, into    int // of a part of a port that is broken out: its number from 0, and how many parts there are
}

// numbers returns the numbers of port i of the group, from 0.
func (g *PortGroup) numbers(i int) portNumbers {
	first, per := cmp.Or(g.First, 1), max(g.PerCage, 1)
	return portNumbers{n: first + i, cage: first + i/per, port: 1 + i%per}
}

// PortWords are the words that a pattern of names may have in braces, in the order in which the docs explain them.
var PortWords = []string{"n", "n0", "cage", "cage0", "port", "port0", "lane", "lane0", "letter"}

// word returns the number that a word stands for. Words that end in 0 count from 0.
func (x *portNumbers) word(w string) (value int, ok bool) {
	switch w {
	case "n":
		return x.n, true
	case "n0":
		return x.n - 1, true
	case "cage":
		return x.cage, true
	case "cage0":
		return x.cage - 1, true
	case "lane":
		if x.into == 0 { // of a port that is whole, as earlier versions called its place in the cage
			return x.port, true
		}
		return x.lane + 1, true
	case "lane0":
		return x.lane, x.into > 0
	case "port":
		return x.port, true
	case "port0":
		return x.port - 1, true
	}
	return 0, false
}

// term returns the value of a number, of a word, of a word times a number ("n0*8"), or of the first of so many
// electrical lanes of a port that a part of it has ("lane/8": 1 and 5 of two parts). The value is negative where the
// port has fewer lanes than parts.
func (x *portNumbers) term(text string) (value int, ok bool) {
	at := strings.IndexAny(text, "*/")
	if at < 0 {
		if value, ok = natural(text); !ok {
			value, ok = x.word(text)
		}
		return value, ok
	}
	w := text[:at]
	value, ok = x.word(w)
	by, isNumber := natural(text[at+1:])
	switch {
	case !ok || !isNumber:
		return 0, false
	case text[at] == '*':
		return value * by, true
	case x.into == 0 || w != "lane" && w != "lane0":
		return 0, false
	case by%x.into != 0:
		return math.MinInt / 4, true
	}
	return value - x.lane + x.lane*(by/x.into), true
}

// natural reads a number of at most six digits.
func natural(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && len(text) <= 6 && text[0] != '+'
}

// sum returns the value of terms that are added and subtracted.
func (x *portNumbers) sum(text string) (value int, ok bool) {
	for sign := 1; ; {
		end := strings.IndexAny(text, "+-")
		if end < 0 {
			end = len(text)
		}
		v, ok := x.term(text[:end])
		if !ok {
			return 0, false
		}
		if value += sign * v; end == len(text) {
			return value, true
		}
		if sign = 1; text[end] == '-' {
			sign = -1
		}
		text = text[end+1:]
	}
}

// name returns what a pattern makes of the numbers: # is the number of the port, and what stands in braces is
// calculated. Braces around anything else stay as they are. It is "" where a number would be negative, or the port has
// fewer lanes than parts.
func (x *portNumbers) name(pattern string) string {
	if !strings.ContainsAny(pattern, "#{") {
		return pattern
	}
	var b strings.Builder
	for {
		at := strings.IndexAny(pattern, "#{")
		if at < 0 {
			b.WriteString(pattern)
			return b.String()
		}
		b.WriteString(pattern[:at])
		mark := pattern[at]
		pattern = pattern[at+1:]
		if mark == '#' {
			b.WriteString(strconv.Itoa(x.n))
			continue
		}
		inside, rest, closed := strings.Cut(pattern, "}")
		value, ok := x.sum(inside)
		ok = ok && strings.ContainsAny(inside, "abcdefghijklmnopqrstuvwxyz") // a number alone is text
		switch {
		case closed && inside == "letter" && x.into > 0 && x.lane < 26:
			b.WriteByte(byte('a' + x.lane))
		case !closed || !ok:
			b.WriteByte('{')
			continue
		case value < 0:
			return ""
		default:
			b.WriteString(strconv.Itoa(value))
		}
		pattern = rest
	}
}

// of returns the name of port i by one pattern, or by a name for each port.
func (x *portNumbers) of(names []string, i int) string {
	switch {
	case len(names) == 1:
		return x.name(names[0])
	case i < len(names):
		return names[i]
	}
	return ""
}

// PortName returns the name printed at port i of the group, from 0. In a pattern, # or {n} is the number of the port,
// counted from First, {cage} that of its cage, and {port} the place of the port in its cage, from 1; {n0}, {cage0} and
// {port0} are one less. Braces may hold a sum: {n0*8+1}. The name is "" where a number of the pattern is negative.
func (g *PortGroup) PortName(i int) string {
	if i < len(g.Names) {
		return g.Names[i]
	}
	x := g.numbers(i)
	if g.Label == "" {
		return strconv.Itoa(x.n)
	}
	return x.name(g.Label)
}

// labelPorts gives the port groups that would have the numbers of earlier groups of the part printed at their ports a
// label by their name: "bmc", or "bmc1", "bmc2", ... where there are several ports. Groups without a name keep their
// numbers.
func (p *Part) labelPorts() {
	var groups []PortGroup // in place of those of p, which the caller keeps
	taken := map[string]bool{}
	for i := range p.Ports {
		g := &p.Ports[i]
		if g.Count > mostPorts {
			return
		}
		clashes := false
		for n := range g.Count {
			clashes = clashes || taken[g.PortName(n)]
		}
		if clashes && g.Label == "" && len(g.Names) == 0 && g.First == 0 {
			label := g.Name
			if g.Count > 1 {
				label += "#"
			}
			if portPattern.MatchString(strings.TrimSuffix(label, "#")) && !taken[g.Name] {
				if groups == nil {
					groups = slices.Clone(p.Ports)
				}
				g = &groups[i]
				g.Label = label
			}
		}
		for n := range g.Count {
			taken[g.PortName(n)] = true
		}
	}
	if groups != nil {
		p.Ports = groups
	}
}

// Identity returns what port i of the group, from 0, is called.
func (g *PortGroup) Identity(i int) PortIdentity {
	x := g.numbers(i)
	id := PortIdentity{
		Label: g.PortName(i), Interface: x.of(g.Interface, i), Device: x.of(g.Device, i), PCI: x.of(g.PCI, i),
	}
	for _, names := range g.Aliases {
		if name := x.of(names, i); name != "" {
			id.Aliases = append(id.Aliases, name)
		}
	}
	return id
}

// split returns the numbers of part lane, from 0, of port i where it is broken out into that many parts.
func (g *PortGroup) split(i, lane, into int) portNumbers {
	x := g.numbers(i)
	x.lane, x.into = lane, into
	return x
}

// SplitName returns the name of part lane, from 0, of port i of the group where it is broken out into that many.
func (g *PortGroup) SplitName(i, lane, into int) string {
	if g.Split == "" {
		return g.PortName(i) + "/" + strconv.Itoa(lane+1)
	}
	x := g.split(i, lane, into)
	return x.name(g.Split)
}

// SplitIdentity returns what part lane, from 0, of port i is called where the port is broken out into that many. In a
// pattern of parts, {lane} and {lane0} are the number of the part from 1 and from 0, {letter} is a, b and so on, and
// {lane/8} and {lane0/8} are the first of the 8 electrical lanes of the port that the part has. Device and PCI are "":
// nothing is known of those of parts.
func (g *PortGroup) SplitIdentity(i, lane, into int) PortIdentity {
	x := g.split(i, lane, into)
	id := PortIdentity{Label: g.SplitName(i, lane, into), Interface: x.name(g.InterfaceSplit)}
	for _, pattern := range g.AliasesSplit {
		if name := x.name(pattern); name != "" {
			id.Aliases = append(id.Aliases, name)
		}
	}
	return id
}
