package machine

import (
	"math"
	"slices"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// wireBound bounds what signals take in cables along paths. Every link takes at least perMetre times the distance of
// its ends along the walls of the room (x and y), and its own residue besides; as that distance obeys the triangle
// inequality, a path takes at least perMetre times the distance of its ends and the residues of its links.
type wireBound struct {
	perMetre units.Propagation
	distance units.Length // of two injectors, mean over pairs
	// ends is the least residue of the links of an injector, mean over injectors; inner that of any link between
	// others.
	ends, inner units.Time
	// terminals reports whether no injector passes packets on, and none is linked to another: paths then have the ends
	// twice.
	terminals bool
}

// LeastWire is a lower bound of the mean over pairs of nodes of what signals take in cables along a path with a mean
// number of links, for any choice of links. It is known of the results that Options.Cabled is called with, of
// machines of one topology without circuit switches; 0 for others.
func (p *Result) LeastWire(hops float64) units.Time {
	if p.wires == nil || hops < 1 {
		return 0
	}
	b := p.wires()
	out := units.Time(b.perMetre) * units.Time(b.distance)
	if b.terminals {
		out += 2*b.ends + units.Time(max(0, hops-2))*b.inner
	} else {
		out += b.ends + units.Time(hops-1)*b.inner
	}
	return max(0, out-units.Time(arcSlack*(hops+1)))
}

// wireBound bounds what signals take in the cables that are scheduled.
func (m *measuring) wireBound() wireBound {
	s, g := m.cables.signals, m.graph
	kinds := g.Kinds()
	at := func(v int32) [2]float64 {
		q := m.placement.Layout.Position(m.placement.Slot[v])
		return [2]float64{float64(q.X), float64(q.Y)}
	}
	role := func(v int32) topology.Role { return kinds[topology.KindOf(kinds, int(v))].Role }
	apart := func(l topology.Link) float64 {
		a, b := at(l.A), at(l.B)
		return math.Abs(a[0]-b[0]) + math.Abs(a[1]-b[1])
	}
	perMetre := math.Inf(1)
	each := func(do func(l topology.Link, wire units.Time)) {
		i := 0
		for l := range g.Links() {
			do(l, s.Model.Wire(s.Links.At(i)))
			i++
		}
	}
	each(func(l topology.Link, wire units.Time) {
		if d := apart(l); d > 0 {
			perMetre = min(perMetre, float64(wire)/d)
		}
	})
	if math.IsInf(perMetre, 1) {
		perMetre = 0
	}
	out := wireBound{perMetre: units.Propagation(perMetre), terminals: true}
	inner, all := math.Inf(1), math.Inf(1)
	least := make([]float64, topology.Vertices(g))
	for v := range least {
		least[v] = math.Inf(1)
	}
	each(func(l topology.Link, wire units.Time) {
		residue := max(0, float64(wire)-float64(perMetre*apart(l)))
		all = min(all, residue)
		a, b := role(l.A), role(l.B)
		if a == topology.Switch && b == topology.Switch {
			inner = min(inner, residue)
		}
		out.terminals = out.terminals && (a == topology.Switch || b == topology.Switch)
		least[l.A], least[l.B] = min(least[l.A], residue), min(least[l.B], residue)
	})
	var x, y []float64
	for v, residue := range least {
		switch r := role(int32(v)); {
		case r == topology.Switch:
			continue
		case r != topology.Terminal:
			out.terminals = false
		}
		q := at(int32(v))
		x, y = append(x, q[0]), append(y, q[1])
		if !math.IsInf(residue, 1) {
			out.ends += units.Time(residue)
		}
	}
	if len(x) > 0 {
		out.ends /= units.Time(len(x))
	}
	if !out.terminals {
		inner = all
	}
	if !math.IsInf(inner, 1) {
		out.inner = units.Time(inner)
	}
	out.distance = units.Length(meanApart(x) + meanApart(y))
	return out
}

// meanApart is the mean over pairs of the differences between values, 0 for fewer than two. It sorts values.
func meanApart(values []float64) float64 {
	n := len(values)
	if n < 2 {
		return 0
	}
	slices.Sort(values)
	sum := 0.0
	for i, v := range values {
		sum += float64(2*i-n+1) * v
	}
	return 2 * sum / (float64(n) * float64(n-1))
}
