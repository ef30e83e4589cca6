package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/spec"
)

// portNames finds the ports of a box by their names in a machine file.
type portNames struct {
	box    *cabling.Box
	groups []string         // names of groups of ports
	of     map[string][]int // ports by the name of a group
	ports  map[string][]int // a port by its name; all lanes of a broken-out port by the name of that port
	number map[int][]int    // the same by printed number, of the ports that are used without a name
}

// newPortNames indexes the ports of a box by their names, groups and printed numbers. A name that several ports have is
// that of the first; parts of a port that is broken out share the name of the whole.
func newPortNames(b *cabling.Box) *portNames {
	n := &portNames{box: b, of: map[string][]int{}, ports: map[string][]int{}, number: map[int][]int{}}
	first := map[string]int{} // by name of a broken-out port: the cage of the first port with that name
	for i := range b.Ports {
		p := &b.Ports[i]
		if g := p.Group.Name; g != "" {
			if n.of[g] == nil {
				n.groups = append(n.groups, g)
			}
			n.of[g] = append(n.of[g], i)
		}
		if _, ok := n.ports[p.Name]; !ok {
			n.ports[p.Name] = []int{i}
		}
		if !b.Part.OnlyByName(p.Group) {
			n.number[p.PrintedNumber()] = append(n.number[p.PrintedNumber()], i)
		}
		if p.Whole == "" {
			continue
		}
		if _, ok := n.ports[p.Whole]; !ok {
			first[p.Whole] = p.Cage
		}
		if cage, ok := first[p.Whole]; ok && cage == p.Cage {
			n.ports[p.Whole] = append(n.ports[p.Whole], i)
		}
	}
	return n
}

// find returns the ports of a name: that of a group, of a port, of a range of ports, or odd or even for those with such
// printed numbers. With a slash and a number after it, it returns that lane, from 1, of each port, all of which have to
// be broken out. If there are no such ports, mistake is the message that says why.
func (n *portNames) find(name spec.Ports) (ports []int, mistake string) {
	ports, mistake = n.whole(name)
	if mistake == "" {
		return ports, ""
	}
	at := strings.LastIndexByte(string(name), '/')
	if at < 0 {
		return nil, mistake
	}
	all, other := n.whole(name[:at])
	lane, err := strconv.Atoi(string(name[at+1:]))
	if other != "" || err != nil || lane < 1 {
		return nil, mistake
	}
	wholes := map[string]bool{}
	for _, i := range all {
		p := &n.box.Ports[i]
		if p.Lane == 0 {
			return nil, fmt.Sprintf("port %q of %s is not broken out", p.Name, n.box.Part.ID)
		}
		wholes[p.Whole] = true
		if p.Lane == lane {
			ports = append(ports, i)
		}
	}
	if len(ports) < len(wholes) {
		return nil, fmt.Sprintf("not every port of %q is broken out into %d or more", name[:at], lane)
	}
	return ports, ""
}

// whole does the same as find for a name without a lane.
func (n *portNames) whole(name spec.Ports) (ports []int, mistake string) {
	if ports = n.of[string(name)]; ports != nil {
		return ports, ""
	}
	list := name.List()
	if list == nil {
		return nil, fmt.Sprintf("%q is not a range of ports\nwrite the lower number first, and a step of 1 or more: "+
			"1-32, 1-63:2", name)
	}
	if rest, ok := parities[string(name)]; ok && n.ports[string(name)] == nil {
		return n.withRest(string(name), rest)
	}
	for _, one := range list {
		found := n.ports[one]
		if found == nil {
			found = n.numbered(one)
		}
		if found == nil {
			return nil, n.unknown(one)
		}
		ports = append(ports, found...)
	}
	return ports, ""
}

// parities are the words for ports by what is left of their printed numbers when divided by two.
var parities = map[string]int{"odd": 1, "even": 0}

// withRest returns the ports, in their order, whose printed numbers leave a rest when divided by two.
func (n *portNames) withRest(name string, rest int) (ports []int, mistake string) {
	for number, found := range n.number {
		if number%2 == rest {
			ports = append(ports, found...)
		}
	}
	if len(ports) == 0 {
		return nil, fmt.Sprintf("no port of %s has an %s number", n.box.Part.ID, name)
	}
	slices.Sort(ports)
	return ports, ""
}

// numbered returns the ports with a printed number, such as 3 for swp3; none if several ports have the number.
func (n *portNames) numbered(name string) []int {
	number, err := strconv.Atoi(name)
	if err != nil || strconv.Itoa(number) != name {
		return nil
	}
	ports := n.number[number]
	for _, i := range ports {
		if n.box.Ports[i].Cage != n.box.Ports[ports[0]].Cage || n.box.Ports[i].Whole != n.box.Ports[ports[0]].Whole {
			return nil
		}
	}
	return ports
}

// unknown returns the message about a name that no port or group has, with the nearest names.
func (n *portNames) unknown(name string) string {
	part, ports := n.box.Part.ID, n.box.Ports
	known := make([]string, 0, len(ports))
	for i := range ports {
		if len(n.groups) == 0 || ports[i].Group.Name == "" {
			known = append(known, ports[i].Name)
		}
	}
	if len(n.groups) > 0 {
		hint := diag.Suggest(name, n.groups, "its groups are ")
		if _, near := diag.Closest(name, n.groups); !near && len(known) > 0 {
			hint += "; " + cabling.PortHint(name, known)
		}
		return fmt.Sprintf("%s has no port or group of ports %q\n%s", part, name, hint)
	}
	return fmt.Sprintf("%s has no port %q\n%s", part, name, cabling.PortHint(name, known))
}

// choose returns the ports that a file names, in its order. Without names it returns defaultPorts, and reports a fault
// with number -1 if the box has groups among which the file has to choose. Other faults, such as a port named twice,
// have the index of the name.
func (n *portNames) choose(named []spec.Ports, fault func(i int, format string, args ...any)) []int {
	if len(named) == 0 {
		if len(n.groups) > 1 || len(n.groups) == 1 && len(n.of[n.groups[0]]) < len(n.box.Ports) {
			fault(-1, "missing\nname a group of ports of %s: %s", n.box.Part.ID, english.List(n.groups))
			return nil
		}
		return defaultPorts(n.box)
	}
	var out []int
	taken := map[int]bool{}
	for i, name := range named {
		found, mistake := n.find(name)
		if mistake != "" {
			fault(i, "%s", mistake)
		}
		for _, p := range found {
			if taken[p] {
				fault(i, "port %q is named twice", n.box.Ports[p].Name)
				break
			}
			taken[p] = true
			out = append(out, p)
		}
	}
	return out
}

// defaultPorts returns the ports that links use where the file names no ports: all but those of groups that are used
// only by name.
func defaultPorts(b *cabling.Box) []int {
	var out []int
	for i := range b.Ports {
		if !b.Part.OnlyByName(b.Ports[i].Group) {
			out = append(out, i)
		}
	}
	return out
}
