package topology

import (
	"fmt"
	"iter"
	"math"
)

// fatTree is a folded Clos network of switches of one radix, for a given
// number of nodes (C. E. Leiserson, "Fat-trees: universal networks for
// hardware-efficient supercomputing", IEEE Trans. Computers C-34 (10), 1985;
// with several rails, the rail-optimised form of NVIDIA's DGX SuperPOD
// reference architecture).
//
// A node has a port on each of r rails. A unit is r leaves and up to `down`
// nodes: node port j goes to leaf j of the unit, down port m of a leaf to node
// m of the unit. The last unit may be partly filled.
//
// A leaf has as many down ports as leave up ports for the taper, unless they
// are given. The channels of a pod's leaves are the down ports of its spines;
// the taper, or the ports that are left, gives their up ports. A taper thus
// holds twice in three tiers; down and up ports without a taper narrow the
// leaves only.
//
// Two tiers: the up ports of all leaves, in order, are dealt out to the spines
// in turn. Three tiers: units form pods, each with spines of its own, on which
// its leaves are dealt out; the spines are dealt out to the cores, spine j of
// every pod to the j-th group of cores where the spines of a pod divide the
// cores, otherwise all spines to all cores. The last pod may be partly filled
// and still has all its spines. Dealing in turn fills the upper switches
// evenly. Channels between the same two switches are one link, on consecutive
// ports at both ends.
//
// The kinds are "leaf", "spine", "core" (three tiers) and "node"; the levels
// are terminal, tier1 (leaf to spine) and tier2 (spine to core); the nests are
// "unit" and, with three tiers, "pod", which contains the pod's spines. Down
// ports come first, then the up ports.
type fatTree struct {
	rails    int
	down, up int // ports of a leaf
	units    int
	podUnits int // units of a full pod; with two tiers, all units
	pods     int

	spines             int // of one pod
	spineDown, spineUp int // ports of a spine
	cores, coreDown    int

	leaf, spine, core, node Kind
	kinds                   []Kind
	levels                  []Level
}

var (
	_ Symmetric   = (*fatTree)(nil)
	_ Formulas    = (*fatTree)(nil)
	_ Counted     = (*fatTree)(nil)
	_ EvenTree    = (*fatTree)(nil)
	_ UpDown      = (*fatTree)(nil)
	_ UsualRouter = (*fatTree)(nil)
	_ Placeable   = (*fatTree)(nil)
)

var fatTreeFamily = Family{
	Name: "fat-tree",
	Doc:  "two or three tiers of equal switches over any number of nodes, with one or more rails",
	Source: "C. E. Leiserson, Fat-trees: universal networks for hardware-efficient supercomputing, IEEE Trans. " +
		"Computers, 1985; NVIDIA DGX SuperPOD reference architecture (rails)",
	Params: []Param{
		{Name: "nodes", Doc: "the number of nodes, at least 1", Required: true},
		{Name: "radix", Doc: "the number of ports of every switch, at least 2", Required: true},
		{Name: "tiers", Doc: "the number of tiers of switches, 2 or 3; 2 when left out"},
		{
			Name: "taper",
			Doc:  "the ratio of down to up ports of a leaf, and with three tiers of a spine; 1 when left out",
		},
		{Name: "down", Doc: "the down ports of a leaf; as many as radix and taper allow when left out"},
		{Name: "up", Doc: "the up ports of a leaf; as many as the down ports and the taper ask for when left out"},
		{Name: "rails", Doc: "the ports of a node, each on a leaf of its own; 1 when left out"},
		{Name: "spines", Doc: "the number of spines, with three tiers those of a pod; the fewest that spread evenly " +
			"when left out"},
		{Name: "cores", Doc: "the number of cores (three tiers); the fewest that have the ports when left out"},
		{Name: "pod_units", Doc: "the number of units in a pod (three tiers); as many as its spines can hold when " +
			"left out"},
	},
	Zero: FatTree{},
}

// FatTree is two or three tiers of equal switches over any number of nodes.
type FatTree struct {
	Down  int `yaml:"down,omitempty" json:"down,omitempty"`   // ports of a leaf towards its nodes
	Up    int `yaml:"up,omitempty" json:"up,omitempty"`       // ports of a leaf towards the spines
	Nodes int `yaml:"nodes,omitempty" json:"nodes,omitempty"` // the last unit may be partly filled
	Radix int `yaml:"radix,omitempty" json:"radix,omitempty"` // ports of every switch
	Tiers int `yaml:"tiers,omitempty" json:"tiers,omitempty"` // of switches, 2 (default) or 3
	// ratio of down to up ports of a leaf, and with three tiers of a spine
	Taper float64 `yaml:"taper,omitempty" json:"taper,omitempty"`
	// ports of a node, each on a leaf of its own
	Rails  int `yaml:"rails,omitempty" json:"rails,omitempty"`
	Spines int `yaml:"spines,omitempty" json:"spines,omitempty"` // with three tiers those of a pod
	Cores  int `yaml:"cores,omitempty" json:"cores,omitempty"`   // with three tiers
	// units, a leaf per rail and its nodes, in a pod of three tiers
	PodUnits int `yaml:"pod_units,omitempty" json:"pod_units,omitempty"`
}

// Family is "fat-tree".
func (FatTree) Family() string { return "fat-tree" }

// Build makes the tree.
func (p FatTree) Build(m *Mistakes) Graph {
	if t := newFatTree(p, m); t != nil {
		return t
	}
	return nil
}

// newFatTree returns nil if the parameters do not make a tree; some mistakes are found on a
// tree that is made.
func newFatTree(p FatTree, m *Mistakes) *fatTree {
	t := &fatTree{rails: max(p.Rails, 1)}
	taper := p.Taper
	if taper == 0 {
		taper = 1
	}
	if p.Tiers == 0 {
		p.Tiers = 2
	}
	p.check(m)
	if !m.None() {
		return nil
	}
	t.splitLeaf(p, taper, m)
	if !m.None() {
		return nil
	}
	t.units = ceilDiv(p.Nodes, t.down)
	m.Vertices("nodes", int64(t.units)*int64(t.rails)+int64(p.Nodes))
	if !m.None() {
		return nil
	}
	if p.Tiers == 2 {
		t.addSpines(p, m)
	} else {
		t.addPods(p, taper, m)
		if m.None() {
			t.addCores(p, m)
		}
	}
	if !m.None() {
		return nil
	}
	t.addKinds(p.Nodes, p.Tiers)
	m.Vertices("nodes", int64(t.node.First)+int64(t.node.Count))
	return t
}

// check checks each parameter by itself.
func (p FatTree) check(m *Mistakes) {
	m.Within("nodes", p.Nodes, 1, MaxVertices)
	m.Within("radix", p.Radix, 2, MaxPorts)
	m.Within("tiers", p.Tiers, 2, 3)
	if p.Taper != 0 && !(p.Taper > 0 && p.Taper <= MaxPorts) {
		m.Add("taper", "must be above 0 and at most %d, not %v", MaxPorts, p.Taper)
	}
	if p.Taper != 0 && p.Down != 0 && p.Up != 0 {
		m.Add("taper", "follows from down and up; leave it out or leave one of them out")
	}
	m.Within("down", p.Down, 1, MaxPorts)
	m.Within("up", p.Up, 1, MaxPorts)
	m.Within("rails", p.Rails, 1, MaxPorts)
	m.Within("spines", p.Spines, 1, MaxVertices)
	m.Within("cores", p.Cores, 1, MaxVertices)
	m.Within("pod_units", p.PodUnits, 1, MaxVertices)
	if p.Tiers == 2 {
		if p.Cores != 0 {
			m.Add("cores", "only a fat tree of 3 tiers has cores")
		}
		if p.PodUnits != 0 {
			m.Add("pod_units", "only a fat tree of 3 tiers has pods")
		}
	}
}

// splitLeaf divides the ports of a leaf.
func (t *fatTree) splitLeaf(p FatTree, taper float64, m *Mistakes) {
	switch {
	case p.Down != 0 && p.Up != 0:
		t.down, t.up = p.Down, p.Up
	case p.Down != 0:
		t.down, t.up = p.Down, upPorts(p.Down, taper)
	case p.Up != 0:
		t.down, t.up = downPorts(p.Radix-p.Up, taper, p.Up), p.Up
	default:
		t.down, t.up = splitRadix(p.Radix, taper)
	}
	switch param := "radix"; {
	case t.down < 1:
		if p.Up != 0 {
			param = "up"
		} else if p.Taper != 0 {
			param = "taper"
		}
		m.Add(param, "leaves no down port on a leaf of %d ports", p.Radix)
	case t.down+t.up > p.Radix:
		if p.Down != 0 {
			param = "down"
		}
		m.Add(param, "a leaf of %d ports has no room for %d down and %d up ports", p.Radix, t.down, t.up)
	}
}

// splitRadix returns the most down ports that leave enough up ports.
func splitRadix(radix int, taper float64) (down, up int) {
	for down = radix - 1; down > 0; down-- {
		if up = upPorts(down, taper); down+up <= radix {
			return down, up
		}
	}
	return 0, 0
}

// downPorts returns the most down ports, up to most, for which up are enough.
func downPorts(most int, taper float64, up int) int {
	for most > 0 && upPorts(most, taper) > up {
		most--
	}
	return most
}

// upPorts is down/taper rounded up, where rounding errors of the division do
// not count. It stops above any number of ports.
func upPorts(down int, taper float64) int {
	return int(math.Min(math.Ceil(float64(down)/taper-1e-9), MaxPorts+1))
}

// addSpines adds the spines of a tree of two tiers. Two leaves are sure to
// share a spine as long as there are less than twice as many spines as up ports
// on a leaf.
func (t *fatTree) addSpines(p FatTree, m *Mistakes) {
	leaves := t.units * t.rails
	t.podUnits, t.pods = t.units, 1
	most := 2*t.up - 1
	if leaves == 1 {
		most = t.up
	}
	if t.spines = p.Spines; t.spines == 0 {
		t.spines = fewestUpper(leaves, t.up, p.Radix)
		if t.spines > most {
			m.Add("nodes", "too many for 2 tiers: %s with %s each need %s of %d ports, "+
				"and then not every two leaves share a spine; use 3 tiers",
				plural(leaves, "leaf"), plural(t.up, "up port"), plural(t.spines, "spine"), p.Radix)
		}
	} else if least := ceilDiv(leaves*t.up, p.Radix); t.spines < least {
		m.Add("spines", "%s with %s each need at least %s of %d ports, not %d",
			plural(leaves, "leaf"), plural(t.up, "up port"), plural(least, "spine"), p.Radix, t.spines)
	} else if t.spines > most {
		m.Add("spines", "%s with %s each can use at most %s, not %d",
			plural(leaves, "leaf"), plural(t.up, "up port"), plural(most, "spine"), t.spines)
	}
	t.spineDown = ceilDiv(leaves*t.up, t.spines)
}

// fewestUpper returns how many upper switches with the given number of down
// ports take up the channels of lower switches: the fewest that divide up, so
// that every pair has links of the same width, or the fewest at all if those
// are more than up.
func fewestUpper(lower, up, ports int) int {
	fewest := ceilDiv(lower*up, ports)
	for n := fewest; n <= up; n++ {
		if up%n == 0 {
			return n
		}
	}
	return fewest
}

// addPods forms pods and their spines in a tree of three tiers. Every leaf
// reaches every spine of its pod.
func (t *fatTree) addPods(p FatTree, taper float64, m *Mistakes) {
	most, _ := splitRadix(p.Radix, taper) // down ports of a spine
	if p.Spines > t.up {
		m.Add("spines", "a leaf with %s can reach at most %s, not %d",
			plural(t.up, "up port"), plural(t.up, "spine"), p.Spines)
		return
	}
	param := "pod_units"
	if t.podUnits = p.PodUnits; t.podUnits == 0 {
		spines := t.up
		if p.Spines != 0 {
			spines = p.Spines
		}
		param = "rails"
		t.podUnits = min(max(1, spines*most/(t.up*t.rails)), t.units)
	}
	t.pods = ceilDiv(t.units, t.podUnits)
	leaves := int64(t.podUnits) * int64(t.rails)
	m.Vertices(param, leaves)
	if !m.None() {
		return
	}
	if t.spines = p.Spines; t.spines == 0 {
		t.spines = fewestUpper(int(leaves), t.up, most)
		if t.spines > t.up { // more leaves than the taper allows
			t.spines = t.up
			if int(leaves) >= p.Radix {
				m.Add(param, "a pod of %s is too large for spines of %d ports, one for each leaf and at least one "+
					"for a core",
					plural(int(leaves), "leaf"), p.Radix)
				return
			}
		}
	} else if least := ceilDiv(int(leaves)*t.up, p.Radix-1); t.spines < least {
		m.Add("spines", "a pod of %s with %s each needs at least %s of %d ports, not %d",
			plural(int(leaves), "leaf"), plural(t.up, "up port"), plural(least, "spine"), p.Radix, t.spines)
		return
	}
	m.Vertices("nodes", int64(t.pods)*int64(t.spines))
	t.spineDown = ceilDiv(int(leaves)*t.up, t.spines)
	t.spineUp = min(upPorts(t.spineDown, taper), p.Radix-t.spineDown)
}

// addCores adds the cores of a tree of three tiers. Two pods are sure to share
// a core as long as there are less than twice as many cores as up ports on the
// spines of a pod.
func (t *fatTree) addCores(p FatTree, m *Mistakes) {
	spines := t.pods * t.spines
	most := 2*t.spines*t.spineUp - 1
	if t.pods == 1 {
		most = t.spines * t.spineUp
	}
	least := ceilDiv(spines*t.spineUp, p.Radix)
	if t.cores = p.Cores; t.cores == 0 {
		t.cores = least
		if t.cores > most {
			m.Add("nodes", "too many for 3 tiers: %s in %s with %s each need %s of %d ports, "+
				"and then not every two pods share a core",
				plural(spines, "spine"), plural(t.pods, "pod"), plural(t.spineUp, "up port"), plural(t.cores, "core"),
				p.Radix)
		}
	} else if t.cores < least {
		m.Add("cores", "%s with %s each need at least %s of %d ports, not %d",
			plural(spines, "spine"), plural(t.spineUp, "up port"), plural(least, "core"), p.Radix, t.cores)
	} else if t.cores > most {
		m.Add("cores", "a pod of %s with %s each can use at most %s, not %d",
			plural(t.spines, "spine"), plural(t.spineUp, "up port"), plural(most, "core"), t.cores)
	}
	t.coreDown = ceilDiv(spines*t.spineUp, t.cores)
}

func (t *fatTree) addKinds(nodes, tiers int) {
	t.leaf = Kind{Name: "leaf", Count: t.units * t.rails, Role: Switch, Ports: t.down + t.up}
	t.spine = Kind{Name: "spine", Count: t.pods * t.spines, Role: Switch, Ports: t.spineDown + t.spineUp}
	t.core = Kind{Name: "core", Count: t.cores, Role: Switch, Ports: t.coreDown}
	t.node = Kind{Name: "node", Count: nodes, Role: Terminal, Ports: t.rails}
	t.spine.First = t.leaf.Count
	t.core.First = t.spine.First + t.spine.Count
	t.node.First = t.core.First + t.core.Count
	t.kinds = []Kind{t.leaf, t.spine, t.node}
	t.levels = []Level{{Name: "terminal"}, {Name: "tier1"}}
	if tiers == 3 {
		t.kinds = []Kind{t.leaf, t.spine, t.core, t.node}
		t.levels = append(t.levels, Level{Name: "tier2"})
	}
}

func (t *fatTree) Family() string  { return fatTreeFamily.Name }
func (t *fatTree) Kinds() []Kind   { return t.kinds }
func (t *fatTree) Levels() []Level { return t.levels }

// Rails is the number of leaves of a unit, each with a port of every node.
func (t *fatTree) Rails() int { return t.rails }

func (t *fatTree) Nests() []Nest {
	unit := Nest{Name: "unit", Count: t.units, Of: t.unitOf}
	if t.cores == 0 {
		return []Nest{unit}
	}
	return []Nest{unit, {Name: "pod", Count: t.pods, Of: func(v int) int32 {
		if v >= t.spine.First && v < t.core.First {
			return int32((v - t.spine.First) / t.spines)
		}
		if u := t.unitOf(v); u >= 0 {
			return u / int32(t.podUnits)
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

// even tells whether every leaf has channels of the same width to every spine of
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

// Orbits are the leaves, the spines and the cores of an even tree, those of a
// last pod that is not full apart, and in it those of a unit that is not full.
// In another tree every switch stands alone.
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

// ClosedForms has the distances, which hold in every tree as any two leaves share
// a spine, or any two pods a core. Half the channels of a tier are the bisection
// if the tree is even, its units are full, and they, or the pods, make two halves.
func (t *fatTree) ClosedForms() ClosedForms {
	c := ClosedForms{DegreeMin: -1, DegreeMax: -1, Bisection: -1}
	n := t.node.Count
	tiers := []tier{{t.down, 2}, {t.down * t.podUnits, 4}}
	if t.pods > 1 {
		tiers = append(tiers, tier{n, 6})
	}
	c.Diameter, c.MeanHops = treeDistances(n, tiers)
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
		d := deal{
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
		d := deal{
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

// deal joins the up ports of lower switches to upper switches in turn: channel
// k of the i-th lower switch goes to upper switch (i*up + k) mod uppers.
type deal struct {
	lower, step, lowers int // first lower switch, distance between them, their number
	up, lowerPort       int // channels of a lower switch, its first port
	upper, uppers       int // first upper switch, their number; their first port is 0
	level               int32
}

func (d deal) links(yield func(Link) bool) bool {
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

// TurnsOnce holds as nodes are on leaves only.
func (t *fatTree) TurnsOnce() bool { return true }

// UsualRouting goes up by any port and down to the node.
func (t *fatTree) UsualRouting() string { return "tree" }

// PlacementGroups are the largest parts below the highest switches.
func (t *fatTree) PlacementGroups() (strategy string, nest int) {
	return "pods", len(t.Nests()) - 1
}
