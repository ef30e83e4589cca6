package topology

import (
	"github.com/plenum-planner/plenum/internal/trees"

	"github.com/plenum-planner/plenum/internal/arith"
)

// fatTree is a folded Clos network of switches of one radix, for a given number of nodes (C. E. Leiserson, "Fat-trees:
// universal networks for hardware-efficient supercomputing", IEEE Trans. Computers C-34 (10), 1985; with several rails,
// the rail-optimised form of NVIDIA's DGX SuperPOD reference architecture).
//
// A node has a port on each of r rails. A unit is r leaves and up to `down` nodes: node port j goes to leaf j of the
// unit, down port m of a leaf to node m of the unit. The last unit may be partly filled.
//
// A leaf has as many down ports as leave up ports for the taper, unless they are given. The channels of a pod's leaves
// are the down ports of its spines; the taper, or the ports that are left, gives their up ports. A taper thus holds
// twice in three tiers; down and up ports without a taper narrow the leaves only.
//
// Two tiers: the up ports of all leaves, in order, are dealt out to the spines in turn. Three tiers: units form pods,
// each with spines of its own, on which its leaves are dealt out; the spines are dealt out to the cores, spine j of
// every pod to the j-th group of cores where the spines of a pod divide the cores, otherwise all spines to all cores.
// The last pod may be partly filled and still has all its spines. Dealing in turn fills the upper switches evenly.
// Channels between the same two switches are one link, on consecutive ports at both ends.
//
// The kinds are "leaf", "spine", "core" (three tiers) and "node"; the levels are terminal, tier1 (leaf to spine) and
// tier2 (spine to core); the groupings are "unit" and, with three tiers, "pod", which contains the pod's spines. Down
// ports come first, then the up ports.
type fatTree struct {
	of       FatTree // its parameters
	rails    int
	down, up int // ports of a leaf
	units    int
	podUnits int // units of a full pod; with two tiers, all units
	pods     int

	spines             int // of one pod
	spineDown, spineUp int // ports of a spine
	cores, coreDown    int
	// the fewest spines with enough ports, if there are more spines so that all leaves are alike; else 0
	enough int

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
	_ Advised     = (*fatTree)(nil)
	_ Growable    = (*fatTree)(nil)
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
	Zero:  FatTree{},
	Sizes: fatTreeSizes,
	SizesDoc: "full trees of two and three tiers with tapers 1, 2 and 3; of switches of --ports ports also any " +
		"number of leaves or pods; trees for the nodes at both ends of the range",
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

// newFatTree returns nil if the parameters do not make a tree. A tree with too many vertices is returned together with
// a mistake in m, so callers check m as well.
func newFatTree(p FatTree, m *Mistakes) *fatTree {
	t := &fatTree{of: p, rails: max(p.Rails, 1)}
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
	t.units = arith.CeilDiv(p.Nodes, t.down)
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
		t.down, t.up = p.Down, trees.UpPorts(p.Down, taper)
	case p.Up != 0:
		t.down, t.up = trees.DownPorts(p.Radix-p.Up, taper, p.Up), p.Up
	default:
		t.down, t.up = trees.SplitRadix(p.Radix, taper)
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

// addSpines adds the spines of a tree of two tiers. Two leaves are sure to share a spine as long as there are less than
// twice as many spines as up ports on a leaf.
func (t *fatTree) addSpines(p FatTree, m *Mistakes) {
	leaves := t.units * t.rails
	t.podUnits, t.pods = t.units, 1
	most := 2*t.up - 1
	if leaves == 1 {
		most = t.up
	}
	if t.spines = p.Spines; t.spines == 0 {
		t.spines = trees.FewestUpper(leaves, t.up, p.Radix)
		if least := arith.CeilDiv(leaves*t.up, p.Radix); least < t.spines {
			t.enough = least
		}
		if t.spines > most {
			m.Add("nodes", "too many for 2 tiers: %s with %s each need %s of %d ports, "+
				"and then not every two leaves share a spine; use 3 tiers",
				plural(leaves, "leaf"), plural(t.up, "up port"), plural(t.spines, "spine"), p.Radix)
		}
	} else if least := arith.CeilDiv(leaves*t.up, p.Radix); t.spines < least {
		m.Add("spines", "%s with %s each need at least %s of %d ports, not %d",
			plural(leaves, "leaf"), plural(t.up, "up port"), plural(least, "spine"), p.Radix, t.spines)
	} else if t.spines > most {
		m.Add("spines", "%s with %s each can use at most %s, not %d",
			plural(leaves, "leaf"), plural(t.up, "up port"), plural(most, "spine"), t.spines)
	}
	t.spineDown = arith.CeilDiv(leaves*t.up, t.spines)
}

// addPods forms pods and their spines in a tree of three tiers. Every leaf reaches every spine of its pod.
func (t *fatTree) addPods(p FatTree, taper float64, m *Mistakes) {
	most, _ := trees.SplitRadix(p.Radix, taper) // down ports of a spine
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
	t.pods = arith.CeilDiv(t.units, t.podUnits)
	leaves := int64(t.podUnits) * int64(t.rails)
	m.Vertices(param, leaves)
	if !m.None() {
		return
	}
	if t.spines = p.Spines; t.spines == 0 {
		t.spines = trees.FewestUpper(int(leaves), t.up, most)
		if t.spines > t.up { // more leaves than the taper allows
			t.spines = t.up
			if int(leaves) >= p.Radix {
				m.Add(param, "a pod of %s is too large for spines of %d ports, one for each leaf and at least one "+
					"for a core",
					plural(int(leaves), "leaf"), p.Radix)
				return
			}
		} else if least := arith.CeilDiv(int(leaves)*t.up, most); least < t.spines {
			t.enough = least
		}
	} else if least := arith.CeilDiv(int(leaves)*t.up, p.Radix-1); t.spines < least {
		m.Add("spines", "a pod of %s with %s each needs at least %s of %d ports, not %d",
			plural(int(leaves), "leaf"), plural(t.up, "up port"), plural(least, "spine"), p.Radix, t.spines)
		return
	}
	m.Vertices("nodes", int64(t.pods)*int64(t.spines))
	t.spineDown = arith.CeilDiv(int(leaves)*t.up, t.spines)
	t.spineUp = min(trees.UpPorts(t.spineDown, taper), p.Radix-t.spineDown)
}

// addCores adds the cores of a tree of three tiers. Two pods are sure to share a core as long as there are less than
// twice as many cores as up ports on the spines of a pod.
func (t *fatTree) addCores(p FatTree, m *Mistakes) {
	spines := t.pods * t.spines
	most := 2*t.spines*t.spineUp - 1
	if t.pods == 1 {
		most = t.spines * t.spineUp
	}
	least := arith.CeilDiv(spines*t.spineUp, p.Radix)
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
	t.coreDown = arith.CeilDiv(spines*t.spineUp, t.cores)
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

// Grown returns a tree with at least so many nodes more, all of whose units are full.
func (t *fatTree) Grown(nodes int) (Graph, error) {
	p := t.of
	p.Nodes = arith.CeilDiv(p.Nodes+nodes, t.down) * t.down
	return New(p)
}

// fatTreeSizes offers the full trees of switches with any even number of ports, in two and three tiers with tapers 1, 2
// and 3. Of switches with as many ports as the limit, which come first, it offers the trees of any number of full
// leaves (two tiers) or full pods (three tiers). Of these, or without a limit of those with 32, 36, 40, 48, 64 and 128
// ports, it also offers the trees that have as many nodes as the range begins and ends with.
func fatTreeSizes(s *SizeSearch) {
	for taper := 1; taper <= 3; taper++ {
		for radix := 4; radix <= s.MaxPorts; radix += 2 {
			down := radix * taper / (taper + 1)
			if radix != s.Radix {
				s.Add(2+taper, fatTreeSize(radix, taper, 2, radix))
			}
			if radix != s.Radix && radix*down*down <= s.MaxNodes {
				s.Add(2+taper, fatTreeSize(radix, taper, 3, radix))
			}
			if radix*down > s.MaxNodes {
				break
			}
		}
		partFatTrees(s, taper)
		if s.Radix < 3 {
			continue
		}
		down := s.Radix * taper / (taper + 1)
		for tiers, nodes := 2, down; tiers <= 3; tiers, nodes = tiers+1, nodes*down {
			s.AddFittingRun(s.Radix-1, 2*nodes, nodes, func(int) int { return taper - 1 },
				func(i int) Size { return fatTreeSize(s.Radix, taper, tiers, 2+i) })
		}
	}
}

// partFatTrees offers the trees with as many nodes as the range begins and ends with, if these are not full leaves or
// pods.
func partFatTrees(s *SizeSearch, taper int) {
	radices, ends := s.Ends()
	for _, radix := range radices {
		down := radix * taper / (taper + 1)
		if down < 2 {
			continue
		}
		for _, nodes := range ends {
			for tiers, part := 2, down; tiers <= 3; tiers, part = tiers+1, part*down {
				if full := nodes == radix*part || radix == s.Radix && nodes%part == 0; full ||
					nodes <= radix || nodes > radix*part {
					continue
				}
				p := FatTree{Nodes: nodes, Radix: radix}
				if taper > 1 {
					p.Taper = float64(taper)
				}
				if tiers > 2 {
					p.Tiers = tiers
				}
				if z, ok := p.Size(); ok {
					s.Add(9+taper, z)
				}
			}
		}
	}
}

// Size counts the tree without building its links. It reports whether there is such a tree, with more leaves than one
// and, of three tiers, more pods than one.
func (p FatTree) Size() (z Size, ok bool) {
	m := &Mistakes{}
	t := newFatTree(p, m)
	if !m.None() || t.leaf.Count < 2 || t.cores > 0 && t.pods < 2 {
		return z, false
	}
	return Size{
		Spec: Spec{Params: p}, Nodes: t.node.Count, Switches: t.node.First, Terminals: t.down,
		Ports: max(t.leaf.Ports, t.spine.Ports, t.core.Ports),
		Links: int64(t.node.Count)*int64(t.rails) + int64(t.leaf.Count)*int64(t.up) +
			int64(t.spine.Count)*int64(t.spineUp),
		Diameter: 2 * (len(t.kinds) - 1),
	}, true
}

// fatTreeSize is a fat tree of two tiers with the given number of full leaves, or of three with that of full pods.
func fatTreeSize(radix, taper, tiers, parts int) Size {
	down := radix * taper / (taper + 1)
	up := arith.CeilDiv(down, taper)
	p := FatTree{Nodes: parts * down, Radix: radix}
	z := Size{Terminals: down, Ports: down + up, Diameter: 2 * tiers}
	if taper > 1 {
		p.Taper = float64(taper)
	}
	if tiers == 2 {
		spines := trees.FewestUpper(parts, up, radix)
		z.Switches = parts + spines
		z.Ports = max(z.Ports, arith.CeilDiv(parts*up, spines))
		z.Links = int64(parts) * int64(up)
	} else { // a pod has down leaves and up spines
		p.Tiers = 3
		p.Nodes *= down
		cores := arith.CeilDiv(parts*up*up, radix)
		z.Switches = parts*(down+up) + cores
		z.Ports = max(z.Ports, arith.CeilDiv(parts*up*up, cores))
		z.Links = int64(parts) * int64(up) * int64(down+up)
	}
	z.Spec, z.Nodes = Spec{Params: p}, p.Nodes
	z.Links += int64(z.Nodes)
	return z
}
