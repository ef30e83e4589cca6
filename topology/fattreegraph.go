package topology

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/trees"
)

func (t *fatTree) Family() string { return fatTreeFamily.Name }

func (t *fatTree) Kinds() []Kind { return t.kinds }

func (t *fatTree) Levels() []Level { return t.levels }

// Rails is the number of leaves of a unit, each with a port of every node.
func (t *fatTree) Rails() int { return t.rails }

func (t *fatTree) Groupings() []Grouping {
	unit := Grouping{Name: "unit", Count: t.units, Of: t.unitOf}
	if t.cores == 0 {
		return []Grouping{unit}
	}
	return []Grouping{unit, {Name: "pod", Count: t.pods, Of: func(v int) int32 {
		if v >= t.spine.First && v < t.core.First {
			return int32((v - t.spine.First) / t.spines)
		}
		if u := t.unitOf(v); u >= 0 {
			return u / int32(t.podUnits)
		}
		return -1
	}}}
}

// Coordinates is the rail of a leaf, its number in its unit.
func (t *fatTree) Coordinates() []Coordinate {
	return []Coordinate{{"rail", func(v int) int32 {
		if v < t.spine.First {
			return int32(v % t.rails)
		}
		return -1
	}}}
}

func (t *fatTree) unitOf(v int) int32 {
	switch {
	case v < t.spine.First:
		return int32(v / t.rails)
	case v >= t.node.First:
		return int32((v - t.node.First) / t.down)
	}
	return -1
}

// even reports whether every leaf has channels of the same width to every spine of
// its pod, and every spine to every core of its group.
func (t *fatTree) even() bool {
	if t.up%t.spines != 0 {
		return false
	}
	return t.cores == 0 || t.spineUp%t.coresOf() == 0
}

// EvenTiers holds if besides all units and pods are full.
func (t *fatTree) EvenTiers() bool {
	return t.even() && t.node.Count%t.down == 0 && t.units%t.podUnits == 0
}

// coresOf is the number of cores that a spine is dealt out to.
func (t *fatTree) coresOf() int { return t.cores / t.coreGroups() }

// Orbits are the leaves, the spines and the cores of an even tree, those of a last pod that is not full apart, and in
// it those of a unit that is not full. In another tree every switch stands alone.
func (t *fatTree) Orbits() []Orbit {
	if !t.even() {
		return alone(t.node.First)
	}
	partUnits, part := t.units%t.podUnits, t.node.Count%t.down != 0
	if partUnits == 0 && part {
		partUnits = t.podUnits
	}
	fullPods := (t.units - partUnits) / t.podUnits
	var out []Orbit
	add := func(first, count int) {
		if count > 0 {
			out = append(out, Orbit{first, count})
		}
	}
	full := fullPods * t.podUnits * t.rails
	rest := t.leaf.Count - full
	add(0, full)
	if part {
		add(full, rest-t.rails)
		add(t.leaf.Count-t.rails, t.rails)
	} else {
		add(full, rest)
	}
	add(t.spine.First, fullPods*t.spines)
	add(t.spine.First+fullPods*t.spines, t.spine.Count-fullPods*t.spines)
	add(t.core.First, t.core.Count)
	return out
}

// alone makes every one of the first n vertices an orbit.
func alone(n int) []Orbit {
	out := make([]Orbit, n)
	for v := range out {
		out[v] = Orbit{v, 1}
	}
	return out
}

// ClosedForms has the distances, which hold in every tree as any two leaves share a spine, or any two pods a core. Half
// the channels of a tier are the bisection if the tree is even, its units are full, and they, or the pods, make two
// halves.
func (t *fatTree) ClosedForms() ClosedForms {
	c := ClosedForms{DegreeMin: -1, DegreeMax: -1, Bisection: -1}
	n := t.node.Count
	tiers := []trees.Tier{{Size: t.down, Hops: 2}, {Size: t.down * t.podUnits, Hops: 4}}
	if t.pods > 1 {
		tiers = append(tiers, trees.Tier{Size: n, Hops: 6})
	}
	c.Diameter, c.MeanHops = trees.Distances(n, tiers)
	if !t.even() || t.units%t.podUnits != 0 {
		return c
	}
	spine := t.podUnits * t.rails // links of a spine
	least, most := min(t.spines, spine), max(t.spines, spine)
	if t.cores > 0 {
		spine += t.coresOf()
		core := t.spine.Count / t.coreGroups()
		least, most = min(t.spines, spine, core), max(t.spines, spine, core)
	}
	c.DegreeMin, c.DegreeMax = least, most
	if n%t.down != 0 || t.pods == 1 && t.units%2 != 0 || t.pods > 1 && t.pods%2 != 0 {
		return c
	}
	channels := min(n*t.rails, t.leaf.Count*t.up)
	if t.pods > 1 {
		channels = min(channels, t.spine.Count*t.spineUp)
	}
	c.Bisection = float64(channels) / 2
	c.BisectionSource = "half the channels of the tier with the fewest; of the highest tier in J. Navaridas et al., " +
		"Parallel Computing 36, 2010, equation 4"
	return c
}

// Label names leaves and nodes by unit ("u3.r0", "u3.n17"), spines by number
// or by pod ("s4", "p2.s4") and cores by number ("c5").
func (t *fatTree) Label(v int) string {
	switch {
	case v < t.spine.First:
		return fmt.Sprintf("u%d.r%d", v/t.rails, v%t.rails)
	case v < t.core.First && t.cores == 0:
		return fmt.Sprintf("s%d", v-t.spine.First)
	case v < t.core.First:
		v -= t.spine.First
		return fmt.Sprintf("p%d.s%d", v/t.spines, v%t.spines)
	case v < t.node.First:
		return fmt.Sprintf("c%d", v-t.core.First)
	}
	v -= t.node.First
	return fmt.Sprintf("u%d.n%d", v/t.down, v%t.down)
}

// Links yields the terminals unit by unit, then tier1 pod by pod, then tier2.
func (t *fatTree) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		_ = t.terminals(yield) && t.tier1(yield) && t.tier2(yield)
	}
}

func (t *fatTree) terminals(yield func(Link) bool) bool {
	leaf, port := 0, 0
	for n := range t.node.Count {
		for rail := range t.rails {
			if !yield(Link{
				A: int32(leaf + rail), B: int32(t.node.First + n),
				PortA: int32(port), PortB: int32(rail), Width: 1,
			}) {
				return false
			}
		}
		if port++; port == t.down {
			leaf, port = leaf+t.rails, 0
		}
	}
	return true
}

func (t *fatTree) tier1(yield func(Link) bool) bool {
	leaves := t.podUnits * t.rails
	for pod := range t.pods {
		first := pod * leaves
		d := roundRobin{
			lower: first, step: 1, lowers: min(leaves, t.leaf.Count-first), up: t.up, lowerPort: t.down,
			upper: t.spine.First + pod*t.spines, uppers: t.spines, level: 1,
		}
		if !d.links(yield) {
			return false
		}
	}
	return true
}

// coreGroups is the number of groups of cores, each for the spines of one number
// in their pods.
func (t *fatTree) coreGroups() int {
	if t.cores%t.spines == 0 {
		return t.spines
	}
	return 1
}

func (t *fatTree) tier2(yield func(Link) bool) bool {
	if t.cores == 0 {
		return true
	}
	groups := t.coreGroups()
	for j := range groups {
		d := roundRobin{
			lower: t.spine.First + j, step: groups, lowers: t.spine.Count / groups, up: t.spineUp,
			lowerPort: t.spineDown,
			upper:     t.core.First + j*t.cores/groups, uppers: t.cores / groups, level: 2,
		}
		if !d.links(yield) {
			return false
		}
	}
	return true
}

// roundRobin joins the up ports of lower switches to upper switches in turn: channel
// k of the i-th lower switch goes to upper switch (i*up + k) mod uppers.
type roundRobin struct {
	lower, step, lowers int // first lower switch, distance between them, their number
	up, lowerPort       int // channels of a lower switch, its first port
	upper, uppers       int // first upper switch, their number; their first port is 0
	level               int32
}

func (d roundRobin) links(yield func(Link) bool) bool {
	width, wider := d.up/d.uppers, d.up%d.uppers
	for i := range d.lowers {
		l := Link{A: int32(d.lower + i*d.step), PortA: int32(d.lowerPort), Level: d.level}
		to, port := i*d.up%d.uppers, i*d.up/d.uppers
		for k := range min(d.up, d.uppers) {
			l.Width = int32(width)
			if k < wider {
				l.Width++
			}
			l.B, l.PortB = int32(d.upper+to), int32(port)
			if !yield(l) {
				return false
			}
			l.PortA += l.Width
			if to++; to == d.uppers {
				to, port = 0, port+1
			}
		}
	}
	return true
}

// LevelChannels: every up port of leaves and spines, and every rail of every node.
func (t *fatTree) LevelChannels() []int64 {
	all := []int64{
		int64(t.node.Count) * int64(t.rails), int64(t.leaf.Count) * int64(t.up),
		int64(t.spine.Count) * int64(t.spineUp),
	}
	return all[:len(t.levels)]
}

// Advice tells of spines whose ports stay empty. Of fewer, dealt out in turn, two leaves have the wider links to
// different ones.
func (t *fatTree) Advice() []string {
	if t.enough == 0 {
		return nil
	}
	common := t.enough*(t.up/t.enough) + max(0, 2*(t.up%t.enough)-t.enough)
	what, use := "spines", "ports"
	if t.cores > 0 {
		what, use = "spines of a pod", "ports to leaves"
	}
	return []string{fmt.Sprintf("the %d %s use %d %s each, so that every leaf has as many channels to all "+
		"of them; spines: %d have ports enough for the taper, but two leaves may then have only %d of their %d up "+
		"ports in common",
		t.spines, what, t.spineDown, use, t.enough, common, t.up)}
}

// TurnsOnce holds as nodes are on leaves only.
func (t *fatTree) TurnsOnce() bool { return true }

// UsualRouting goes up by any port and down to the node.
func (t *fatTree) UsualRouting() string { return "tree" }

// PlacementGroups are the largest parts below the highest switches.
func (t *fatTree) PlacementGroups() (strategy string, grouping int) {
	return "pods", len(t.Groupings()) - 1
}
