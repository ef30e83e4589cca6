package machine

import (
	"maps"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/spec"
)

// breakOut breaks out ports of a box as an entry at a path says: a key names ports, and "" those that links take by
// default. If ports of one cage would differ, it only reports that.
func (r *resolver) breakOut(path string, b *cabling.Box, given spec.Breakout) {
	into := make([]int, len(b.Ports))
	by := make([]string, len(b.Ports)) // the key of the file that says so
	names := newPortNames(b)
	for _, key := range slices.Sorted(maps.Keys(given)) {
		at, ports := path, defaultPorts(b)
		if key != "" {
			at = diag.Key(path, key)
			var mistake string
			if ports, mistake = names.find(spec.Ports(key)); mistake != "" {
				r.fault(diag.OfKey(path, key), "%s", mistake)
				continue
			}
		}
		n := given[key]
		if !slices.Contains([]int{1, 2, 4, 8}, n) {
			r.fault(at, "a port is broken out into 2, 4 or 8, not %d", n)
			n = 1
		}
		r.lanesSuffice(at, b, ports, n)
		for _, p := range ports {
			if by[p] != "" {
				r.fault(at, "port %q is broken out by %q already", b.Ports[p].Name, by[p])
				break
			}
			into[p], by[p] = n, key
		}
	}
	if r.cagesAlike(path, b, into) {
		b.BreakOut(into)
		r.partsApart(path, b)
	}
}

// partsApart refuses parts of ports with a printed name that other ports of the box have as well, as sources that name
// such a port could mean either.
func (r *resolver) partsApart(path string, b *cabling.Box) {
	names := map[string]int{}
	for i := range b.Ports {
		p := &b.Ports[i]
		id := p.Identity()
		for _, name := range append(id.Aliases, id.Label, id.Interface, id.Device) {
			if k, taken := names[name]; name != "" && taken && k != i && (p.Lane > 0 || b.Ports[k].Lane > 0) {
				r.fault(path, "port %q and port %q are both called %q\ngive the ports of %s names of their parts that "+
					"no other port has, such as split: \"#s{lane}\"", b.Ports[k].Name, p.Name, name, b.Part.ID)
				return
			}
			names[name] = i
		}
	}
}

// lanesSuffice refuses to break out ports with optics of their own into more parts than they have lanes: a lane of an
// optic is not split. The lanes of a cage are those of its plug.
func (r *resolver) lanesSuffice(path string, b *cabling.Box, ports []int, into int) {
	for _, p := range ports {
		g := b.Ports[p].Group
		if g.Optic == nil {
			continue
		}
		if lanes := g.BuiltIn().Optic.Lanes() / max(g.PerCage, 1); lanes > 0 && into > lanes {
			r.fault(path, "port %q of %s is optics of %s, which at the port have no more than %s: it cannot be broken "+
				"out into %d", b.Ports[p].Name, b.Part.ID, g.Optic.Standard, english.Count(lanes, "lane"), into)
			return
		}
	}
}

// cagesAlike reports whether the ports of every cage are broken out into as many each, as a plug fills its cage; if
// not, it adds a fault.
func (r *resolver) cagesAlike(path string, b *cabling.Box, into []int) bool {
	for p := 1; p < len(into); p++ {
		if x, y := &b.Ports[p-1], &b.Ports[p]; x.Cage == y.Cage && max(into[p-1], 1) != max(into[p], 1) {
			r.fault(path, "ports %q and %q share a cage, and only ports of a cage that are all broken out alike can "+
				"be cabled\nbreak both out into as many", x.Name, y.Name)
			return false
		}
	}
	return true
}

// namedPorts reports whether an entry without a part breaks out single ports, and adds a fault for that: only the ports
// of a part have names.
func (r *resolver) namedPorts(path string, entry *spec.Box) bool {
	if entry.Part != "" || entry.Breakout == nil || entry.Breakout[""] > 0 {
		return false
	}
	r.fault(path+".breakout", "ports are those of a part\nname it with part, or break all out into as many")
	return true
}
