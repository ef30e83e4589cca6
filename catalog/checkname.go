package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// checkPortNames checks that the ports of a group have names, and different ones.
func (k *checker) checkPortNames(at string, g *PortGroup) {
	if len(g.Names) > 0 && g.Label != "" {
		k.fault(at+".label", "stands beside names")
	}
	if len(g.Names) > 0 && len(g.Names) != g.Count {
		k.fault(at+".names", "%d names for %d ports", len(g.Names), g.Count)
		return
	}
	if len(g.Names) == 0 && g.Label == "" && g.Split == "" || g.Count > mostPorts {
		return
	}
	seen := make(map[string]int, 3*g.Count) // the port that has a name
	take := func(name string, port int) bool {
		if !portPattern.MatchString(name) {
			k.fault(at, "%q is not the name of a port: letters, digits and . _ + : / -, beginning with a letter or "+
				"digit%s",
				name, unknownWord(name))
			return false
		}
		if other, taken := seen[name]; taken && other != port {
			k.fault(at, "two ports are called %q", name)
			return false
		}
		seen[name] = port
		return true
	}
	for i := range g.Count {
		if !take(g.PortName(i), i) {
			return
		}
	}
	for i := range g.Count {
		if g.Split == "" {
			break
		}
		one, other := g.SplitName(i, 0, 2), g.SplitName(i, 1, 2)
		if one == other {
			k.fault(at, "two ports are called %q", one)
			return
		}
		if !take(one, i) || !take(other, i) {
			return
		}
	}
}

var (
	// portPattern keeps names of ports out of the way of formulas and separators.
	portPattern = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._+:/-]{0,39}$`)
	// systemPattern is for names of operating systems: some have a blank, "ib 1/1", others end in brackets,
	// "Eth1(Port1)".
	systemPattern = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._+:/-]*( [A-Za-z0-9._+:/-]+)*(\([A-Za-z0-9._+:/-]+\))?$`)
	pciPattern    = lazyregexp.New(`^([0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$`)
	inBraces      = lazyregexp.New(`\{([^{}]*)\}`)
	wordInBraces  = lazyregexp.New(`[A-Za-z_]+[0-9]*`)
)

// unknownWord is a suggestion for a name whose pattern has something in braces that is none of PortWords.
func unknownWord(name string) string {
	for _, m := range inBraces.FindAllStringSubmatch(name, -1) {
		for _, w := range wordInBraces.FindAllString(m[1], -1) {
			if !slices.Contains(PortWords, w) {
				return "\n" + diag.Suggest(w, PortWords, "what may stand in braces: ")
			}
		}
	}
	return ""
}

const (
	longestPortName = 64      // characters
	mostAliases     = 16      // names of one kind
	mostPortNames   = 1 << 20 // of all ports of a part, in all ways of breaking them out
)

// splits are the numbers of parts that a port may be broken out into.
var splits = []int{2, 4, 8}

// identities checks what the ports of a part are called beside their printed names.
type identities struct {
	*checker
	labels map[string]int    // the port that a name is printed at, of all groups; -1 where there are several
	owner  map[string]int    // the port that has a name, in the order of all of the part
	parted map[splitName]int // the part of a port that has a name
	left   int               // names that may still come
}

// splitName is the name of a part of a port that is broken out into a number of parts.
type splitName struct {
	name string
	into int
}

// checkIdentities checks the names of ports in the operating system, of devices, on the bus, and their aliases: that
// they are as many as the ports, and that no two ports have one name.
func (k *checker) checkIdentities(p *Part) {
	x := identities{k, map[string]int{}, map[string]int{}, map[splitName]int{}, mostPortNames}
	port, any := 0, false
	for i := range p.Ports {
		g := &p.Ports[i]
		any = any || g.Interface != nil || g.Device != nil || g.PCI != nil || g.Aliases != nil ||
			g.AliasesSplit != nil || g.InterfaceSplit != ""
		port += max(g.Count, 0)
	}
	if !any || port > mostPorts {
		return
	}
	port = 0
	for i := range p.Ports {
		g := &p.Ports[i]
		for n := range max(g.Count, 0) {
			name := g.PortName(n)
			if _, twice := x.labels[name]; twice {
				x.labels[name] = -1
			} else {
				x.labels[name] = port
			}
			port++
		}
	}
	port = 0
	for i := range p.Ports {
		x.group(fmt.Sprintf("ports[%d]", i), &p.Ports[i], port)
		port += max(p.Ports[i].Count, 0)
	}
}

// group checks the names of a group whose first port has the given number among all of the part.
func (x *identities) group(at string, g *PortGroup, first int) {
	x.names(at+".interface", g, g.Interface, first, systemPattern)
	x.names(at+".device", g, g.Device, first, portPattern)
	if x.fits(at+".pci", g, g.PCI) { // ports of one card may share an address
		for i := range g.Count {
			n := g.numbers(i)
			if name := n.of(g.PCI, i); name != "" && !pciPattern.MatchString(name) {
				x.fault(elem(at+".pci", g.PCI, i), "%q is not a PCI address such as dc:00.0", name)
				break
			}
		}
	}
	if len(g.Aliases) > mostAliases || len(g.AliasesSplit) > mostAliases {
		x.fault(at+".aliases", "more than %d names for a port", mostAliases)
		return
	}
	for i, names := range g.Aliases {
		x.names(fmt.Sprintf("%s.aliases[%d]", at, i), g, names, first, systemPattern)
	}
	x.parts(at+".interface_split", g, g.InterfaceSplit, first)
	for i, pattern := range g.AliasesSplit {
		x.parts(fmt.Sprintf("%s.aliases_split[%d]", at, i), g, pattern, first)
	}
}

// elem is the path of the name of port i.
func elem(at string, names []string, i int) string {
	if len(names) == 1 {
		return at
	}
	return diag.Elem(at, i)
}

// fits reports whether names are none, one pattern, or as many as the ports.
func (x *identities) fits(at string, g *PortGroup, names []string) bool {
	if len(names) > 1 && len(names) != g.Count {
		x.fault(at, "%d names for %d ports\nwrite one pattern, such as swp#, or a name for each port", len(names),
			g.Count)
	}
	return len(names) == 1 || len(names) == g.Count
}

// names checks one name for each port.
func (x *identities) names(at string, g *PortGroup, names []string, first int, form *lazyregexp.Regexp) {
	if len(names) == 0 || !x.fits(at, g, names) {
		return
	}
	for i := range g.Count {
		n := g.numbers(i)
		name := n.of(names, i)
		if name == "" && len(names) > 1 {
			continue // not known
		}
		if !x.addName(elem(at, names, i), name, first+i, form) {
			return
		}
	}
}

// parts checks a pattern for the parts of ports that are broken out.
func (x *identities) parts(at string, g *PortGroup, pattern string, first int) {
	if pattern == "" {
		return
	}
	some := false
	for _, into := range splits {
		for i := range max(g.Count, 0) {
			for lane := range into {
				n := g.split(i, lane, into)
				name := n.name(pattern)
				if name == "" {
					continue // the port has fewer lanes
				}
				if some = true; !x.addName(at, name, first+i, systemPattern) {
					return
				}
				if other, taken := x.parted[splitName{name, into}]; taken && other != lane {
					x.fault(at, "two parts of a port are called %q%s", name, apart(true))
					return
				}
				x.parted[splitName{name, into}] = lane
			}
		}
	}
	if !some && g.Count > 0 {
		x.fault(at, "%q makes no name of any part of a port", pattern)
	}
}

// addName adds the name of a port, and reports whether it is valid; if not, it has recorded a fault.
func (x *identities) addName(at, name string, port int, form *lazyregexp.Regexp) bool {
	x.left--
	other, taken := x.owner[name]
	printed, isPrinted := x.labels[name]
	switch {
	case x.left < 0:
		x.fault(at, "the ports have more than %d names", mostPortNames)
	case name == "":
		x.fault(at, "a number in braces is negative")
	case len(name) > longestPortName || !form.MatchString(name):
		x.fault(at, "%q is not the name of a port: up to %d letters, digits and . _ + : / -, beginning with a "+
			"letter or "+
			"digit%s", name, longestPortName, unknownWord(name))
	case taken && other != port:
		x.fault(at, "two ports are called %q%s", name, apart(strings.Contains(at, "_split")))
	case isPrinted && printed != port:
		x.fault(at, "%q is printed at another port", name)
	default:
		x.owner[name] = port
		return true
	}
	return false
}

// apart suggests how a pattern tells ports, or the parts of one, apart.
func apart(parts bool) string {
	if parts {
		return "\nparts of a port are distinguished by {lane}, {lane0}, {letter} or, for the first of 8 lanes, {lane/8}"
	}
	return "\nports are distinguished by #, {n0}, {cage} or {port} in a pattern, or by a list with a name for each"
}
