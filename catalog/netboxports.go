package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// deviceInterface is an interface of a device type: its place in the file, its socket with NetBox's word for it, its
// name and its label, the name printed on the box if the file gives one.
type deviceInterface struct {
	at          *yaml.Node
	socket      socket
	kind        string
	name, label string
}

// group makes interfaces the ports of the part: a group for each socket, and groups of their own for management. The
// ports are called as the interfaces are.
func (d *device) group(data, management []deviceInterface) {
	var of [][]deviceInterface
	for i, list := range [][]deviceInterface{data, management} {
		from := len(of)
		for _, x := range list {
			at := from + slices.IndexFunc(of[from:], func(o []deviceInterface) bool { return o[0].socket == x.socket })
			if at < from {
				at = len(of)
				of = append(of, nil)
				g := PortGroup{Connector: x.socket.connector, Rate: x.socket.rate}
				if i > 0 {
					g.Name, g.ByName = "management", true
					if at > from {
						g.Name += "-" + strconv.Itoa(at-from+1)
					}
				}
				d.part.Ports = append(d.part.Ports, g)
			}
			of[at] = append(of[at], x)
			d.part.Ports[at].Count++
			if strings.HasPrefix(x.kind, "infiniband-") && !slices.Contains(d.part.Estimated, "connector") {
				d.part.Estimated = append(d.part.Estimated, "connector")
			}
		}
	}
	labelled := distinctLabels(of)
	for i := range d.part.Ports {
		d.namePorts(&d.part.Ports[i], of[i], labelled)
	}
	for i := range d.part.Ports { // once all ports have names, with which those of their parts may clash
		d.nameParts(&d.part.Ports[i])
	}
}

// distinctLabels reports whether all interfaces have labels that are names of ports, of which no two are alike and none
// is the name of another interface.
func distinctLabels(groups [][]deviceInterface) bool {
	names, labels := map[string]string{}, map[string]bool{}
	for _, list := range groups {
		for _, x := range list {
			if !portPattern.MatchString(x.label) || labels[x.label] {
				return false
			}
			names[x.name], labels[x.label] = x.label, true
		}
	}
	for name, label := range names {
		if labels[name] && label != name {
			return false
		}
	}
	return true
}

// namePorts names the ports of a group after interfaces: the interfaces as they are, and the printed names by their
// labels, or after the interfaces where the file has no labels.
func (d *device) namePorts(g *PortGroup, list []deviceInterface, labelled bool) {
	names, printed := make([]string, len(list)), make([]string, len(list))
	canPrint, seen := true, map[string]bool{}
	for i, x := range list {
		if len(x.name) > longestPortName || !systemPattern.MatchString(x.name) {
			why := "has characters that names of ports do not"
			switch {
			case strings.Contains(x.name, "{module}"):
				why = "depends on the bay of a module"
			case len(x.name) > longestPortName:
				why = fmt.Sprintf("has more than %d characters", longestPortName)
			}
			d.remark(x.at, "the name %s %s and is not kept", clip(x.name), why)
		} else {
			names[i] = x.name
		}
		if printed[i] = strings.ReplaceAll(x.name, " ", "-"); labelled {
			printed[i] = x.label
		}
		canPrint = canPrint && portPattern.MatchString(printed[i]) && !seen[printed[i]]
		seen[printed[i]] = true
	}
	if canPrint {
		d.labelPorts(g, printed)
	}
	if g.Interface = names; !slices.ContainsFunc(names, func(name string) bool { return name != "" }) {
		g.Interface = nil
		return
	}
	if pattern, ok := g.patternOf(names); ok {
		g.Interface = []string{pattern}
	}
}

// nameParts names the parts of ports that are broken out as the maker's system does, where the ports have a pattern of
// that system and no part is called as a port is.
func (d *device) nameParts(g *PortGroup) {
	if len(g.Interface) != 1 {
		return
	}
	pattern, split := g.Interface[0], *g
	if split.InterfaceSplit = splitOf(pattern, g.Connector, d.part.Maker); split.InterfaceSplit == "" {
		return
	}
	if split.Split == "" && split.Label == pattern {
		split.Split = split.InterfaceSplit
	}
	if !d.clashes(g, &split) {
		*g = split
	}
}

// labelPorts gives ports their printed names, by a pattern where there is one.
func (d *device) labelPorts(g *PortGroup, printed []string) {
	if m := firstNumber(printed); m > 1 {
		g.First = m
	}
	pattern, ok := g.patternOf(printed)
	switch {
	case !ok:
		g.First, g.Names = 0, printed
	case pattern != "#":
		g.Label = pattern
	}
	if g.Label != "" && !strings.Contains(g.Label, "#") {
		g.First = 0
		g.Label, _ = g.patternOf(printed)
	}
}

// clashes reports whether the part would be wrong with a group in place of another.
func (d *device) clashes(g, with *PortGroup) bool {
	before := *g
	*g = *with
	defer func() { *g = before }()
	k := checker{catalog: Default(), part: d.part.ID}
	k.checkIdentities(&d.part)
	k.checkPortNames("", g)
	return len(k.faults) > 0
}

// firstNumber is the first number of the first name that the second name does not have at that place, 0 if there is
// none.
func firstNumber(names []string) int {
	if len(names) < 2 {
		return 0
	}
	a, b := digits.FindAllString(names[0], -1), digits.FindAllString(names[1], -1)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n, _ := natural(a[i])
			return n
		}
	}
	return 0
}

// patternOf returns the pattern that makes the names of all ports of the group, and whether there is one: of the
// numbers in the names, each is the same everywhere or grows by the same from port to port.
func (g *PortGroup) patternOf(names []string) (pattern string, ok bool) {
	if strings.ContainsAny(names[0], "#{") {
		return "", false
	}
	if len(names) == 1 {
		return names[0], true
	}
	first := g.numbers(0).n
	a, b := digits.FindAllStringIndex(names[0], -1), digits.FindAllString(names[1], -1)
	if len(a) != len(b) {
		return "", false
	}
	var out strings.Builder
	end := 0
	for i, at := range a {
		text := names[0][at[0]:at[1]]
		from, okFrom := natural(text)
		to, okTo := natural(b[i])
		switch step := to - from; {
		case text == b[i]:
			out.WriteString(names[0][end:at[1]])
		case !okFrom || !okTo || step < 0:
			return "", false
		default:
			out.WriteString(names[0][end:at[0]])
			out.WriteString(progression(from, step, first))
		}
		end = at[1]
	}
	out.WriteString(names[0][end:])
	pattern = out.String()
	for i, name := range names {
		if x := g.numbers(i); x.name(pattern) != name {
			return "", false
		}
	}
	return pattern, true
}

// progression writes a number that is from at the first port, which has the number first, and grows by step.
func progression(from, step, first int) string {
	switch rest := from - step*(first-1); {
	case step == 1 && from == first:
		return "#"
	case step == 1 && rest == 0:
		return "{n0}"
	case step == 1:
		return fmt.Sprintf("{n0%+d}", rest)
	case rest == 0:
		return fmt.Sprintf("{n0*%d}", step)
	default:
		return fmt.Sprintf("{n0*%d%+d}", step, rest)
	}
}

// broken-out ports of systems whose whole ports have names of a form. Of EOS and SONiC a part of a port is called after
// its first electrical lane.
var (
	cumulusPort = lazyregexp.New(`^swp#$`)
	junosPort   = lazyregexp.New(`^et-\d+/\d+/(#|\{n0\})$`)
	srLinuxPort = lazyregexp.New(`^ethernet-\d+/#$`)
	eosPort     = lazyregexp.New(`^Ethernet(\d+/)?#/1$`)
	nxosPort    = lazyregexp.New(`^Ethernet\d+/#$`)
	sonicPort   = lazyregexp.New(`^Ethernet\{n0\*(\d+)\}$`)
)

// lanesOf are the electrical lanes of a port of a cage, 0 where it has one or this is not known.
func lanesOf(connector string) int {
	switch {
	case strings.HasPrefix(connector, "qsfp-dd"), strings.HasPrefix(connector, "osfp"):
		return 8
	case strings.HasPrefix(connector, "qsfp"):
		return 4
	}
	return 0
}

// splitOf returns how the parts of a port that is broken out are called in the operating system whose ports have names
// of this pattern, "" where that is not known.
func splitOf(pattern, connector, maker string) string {
	lanes := lanesOf(connector)
	switch {
	case lanes == 0:
		return ""
	case cumulusPort.MatchString(pattern):
		return pattern + "s{lane0}"
	case junosPort.MatchString(pattern):
		return pattern + ":{lane0}"
	case srLinuxPort.MatchString(pattern), nxosPort.MatchString(pattern) && strings.HasPrefix(maker, "Cisco"):
		return pattern + "/{lane}"
	case eosPort.MatchString(pattern):
		return fmt.Sprintf("%s{lane/%d}", strings.TrimSuffix(pattern, "1"), lanes)
	}
	if m := sonicPort.FindStringSubmatch(pattern); m != nil && m[1] == strconv.Itoa(lanes) {
		return fmt.Sprintf("%s+lane0/%d}", strings.TrimSuffix(pattern, "}"), lanes)
	}
	return ""
}
