package topology

import (
	"iter"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/internal/hyperxsearch"
)

// hyperX is a lattice of switches in which every switch is joined to all
// others that differ from it in one coordinate, by K_k parallel channels in
// dimension k, and carries T terminals (J. H. Ahn, N. Binkert, A. Davis, M.
// McLaren and R. S. Schreiber, "HyperX: topology, routing, and packaging of
// efficient large-scale networks", SC 2009, section 2.1). A flattened
// butterfly is the case K = 1 (J. Kim, W. J. Dally and D. Abts, "Flattened
// butterfly: a cost-efficient topology for high-radix networks", ISCA 2007,
// section 2).
//
// The kinds are "switch" and "node"; the levels are terminal, dim1 ... dimN; the grouping "block" is a switch with its
// nodes. Node t of a switch is on its port t. The ports of the first dimension follow, then those of the next: K_k
// ports for every other coordinate in ascending order, leaving out the switch's own.
type hyperX struct {
	family    string
	dims      []int
	widths    []int
	terminals int
	kinds     []Kind
	levels    []Level
}

var (
	_ Symmetric      = (*hyperX)(nil)
	_ Formulas       = (*hyperX)(nil)
	_ PlainLattice   = (*hyperX)(nil)
	_ Counted        = (*hyperX)(nil)
	_ LevelSymmetric = (*hyperX)(nil)
	_ UsualRouter    = (*hyperX)(nil)
)

var switchDimsParam = Param{
	Name: "dims", Doc: "the number of switches in each dimension, each at least 1", Required: true,
}

var terminalsParam = Param{
	Name: "terminals", Doc: "the number of nodes on each switch, at least 1", Required: true,
}

var hyperXFamily = Family{
	Name: "hyperx",
	Doc:  "a grid of switches, fully joined within each dimension, with nodes on every switch",
	Source: "J. H. Ahn et al., HyperX: topology, routing, and packaging of efficient large-scale networks, SC 2009, " +
		"section 2.1",
	Params: []Param{
		switchDimsParam,
		terminalsParam,
		{Name: "widths", Doc: "the number of parallel channels of a link in each dimension; 1 when left out"},
	},
	Zero:  HyperX{},
	Sizes: hyperXSizes,
	SizesDoc: "one to eight equal sides of S switches, 1 to 4 channels wide, with terminals for a relative " +
		"bisection of 1/2 and 1; with --ports also those with the fewest switches at many points of the range",
}

// HyperX is a grid of switches, fully joined within each dimension.
type HyperX struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // switches in each dimension: S
	// parallel channels in each dimension, 1 when left out: K
	Widths    Ints `yaml:"widths,omitempty" json:"widths,omitempty"`
	Terminals int  `yaml:"terminals,omitempty" json:"terminals,omitempty"` // nodes on each switch: T
}

// Family is "hyperx".
func (HyperX) Family() string { return "hyperx" }

// ShortName has the sides.
func (p HyperX) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build makes the grid.
func (p HyperX) Build(m *Mistakes) Graph { return newHyperX(p.Family(), p, m) }

var flattenedButterflyFamily = Family{
	Name: "flattened-butterfly",
	Doc:  "a HyperX whose links are single channels",
	Source: "J. Kim, W. J. Dally and D. Abts, Flattened butterfly: a cost-efficient topology for high-radix " +
		"networks, ISCA 2007, section 2",
	Params:   []Param{switchDimsParam, terminalsParam},
	Zero:     FlattenedButterfly{},
	Sizes:    flattenedButterflySizes,
	SizesDoc: "k-ary n-flats: n-1 sides of k switches with k nodes each",
}

// FlattenedButterfly is a HyperX of single channels.
type FlattenedButterfly struct {
	Dims      Ints `yaml:"dims,omitempty" json:"dims,omitempty"`           // switches in each dimension
	Terminals int  `yaml:"terminals,omitempty" json:"terminals,omitempty"` // nodes on each switch
}

// Family is "flattened-butterfly".
func (FlattenedButterfly) Family() string { return "flattened-butterfly" }

// ShortName has the sides.
func (p FlattenedButterfly) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build makes the grid.
func (p FlattenedButterfly) Build(m *Mistakes) Graph {
	return newHyperX(p.Family(), HyperX{Dims: p.Dims, Terminals: p.Terminals}, m)
}

func newHyperX(family string, p HyperX, m *Mistakes) Graph {
	points := m.checkDims(p.Dims)
	m.Within("terminals", p.Terminals, 1, MaxPorts)
	widths := append([]int(nil), p.Widths...)
	if len(widths) == 0 {
		for range p.Dims {
			widths = append(widths, 1)
		}
	}
	if len(p.Dims) > 0 && len(widths) != len(p.Dims) {
		m.Add("widths", "has %s for %s; give one for each",
			plural(len(widths), "number"), plural(len(p.Dims), "dimension"))
	}
	for i, w := range widths {
		if w < 1 || w > MaxPorts {
			m.AddAt("widths", i, "must be from 1 to %d, not %d", MaxPorts, w)
		}
	}
	if !m.None() {
		return nil
	}
	radix := int64(p.Terminals)
	for d, side := range p.Dims {
		radix += int64(side-1) * int64(widths[d])
	}
	m.Ports("dims", radix)
	nodes := int64(points) * int64(p.Terminals)
	m.Vertices("terminals", int64(points)+nodes)
	if !m.None() {
		return nil
	}
	return &hyperX{
		family:    family,
		dims:      append([]int(nil), p.Dims...),
		widths:    widths,
		terminals: p.Terminals,
		kinds: []Kind{
			{Name: "switch", Count: points, Role: Switch, Ports: int(radix)},
			{Name: "node", First: points, Count: int(nodes), Role: Terminal, Ports: 1},
		},
		levels: appendLevels([]Level{{Name: "terminal"}}, len(p.Dims)),
	}
}

func (g *hyperX) Family() string          { return g.family }
func (g *hyperX) Kinds() []Kind           { return g.kinds }
func (g *hyperX) Levels() []Level         { return g.levels }
func (g *hyperX) Dims() []int             { return g.dims }
func (g *hyperX) Wraps(int) bool          { return false }
func (g *hyperX) TerminalsPerRouter() int { return g.terminals }
func (g *hyperX) Orbits() []Orbit         { return []Orbit{{0, g.kinds[0].Count}} }

func (g *hyperX) Groupings() []Grouping {
	return []Grouping{blocks(g.kinds[0].Count, g.terminals)}
}

// blocks is the grouping of switches 0 ... n-1, each with its terminals, which follow the switches in order.
func blocks(n, terminals int) Grouping {
	return Grouping{Name: "block", Count: n, Of: func(v int) int32 {
		if v < n {
			return int32(v)
		}
		return int32((v - n) / terminals)
	}}
}

// ClosedForms are over switches. The source cuts the dimension with the least
// K_m S_m in half; with that side odd the parts differ by one layer.
func (g *hyperX) ClosedForms() ClosedForms {
	switches := g.kinds[0].Count
	if switches == 1 {
		return starForms(g.terminals)
	}
	c := ClosedForms{BisectionSource: "P/4 K_m S_m for the least K_m S_m, floor(S_m^2/4) in place of S_m^2/4: J. H. " +
		"Ahn et al., SC 2009, section 2.1", SingleLinks: true}
	sum, least := 0.0, 0
	for d, side := range g.dims {
		if side == 1 {
			continue
		}
		c.DegreeMax += side - 1
		c.Diameter++
		c.SingleLinks = c.SingleLinks && g.widths[d] == 1
		sum += float64(side-1) / float64(side)
		if weight := g.widths[d] * side; least == 0 || weight < least || weight == least && side%2 == 0 {
			least = weight
			c.Bisection = float64(g.widths[d]) * halves(side) * float64(switches/side)
		}
	}
	c.DegreeMin = c.DegreeMax
	c.MeanHops = withoutSelf(sum, switches)
	return c
}

// Label is the coordinates of a switch, or those of a node's switch and the
// node's port there: "(3,0)", "(3,0):5".
func (g *hyperX) Label(v int) string {
	switches := g.kinds[0].Count
	if v < switches {
		return pointLabel(g.dims, v)
	}
	v -= switches
	return pointLabel(g.dims, v/g.terminals) + ":" + strconv.Itoa(v%g.terminals)
}

// Links yields the terminals, then one dimension after the other.
func (g *hyperX) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if !terminalLinks(g.kinds[0].Count, g.terminals, yield) {
			return
		}
		stride, port := 1, g.terminals
		for d := range g.dims {
			if !g.dimension(d, stride, port, yield) {
				return
			}
			stride *= g.dims[d]
			port += (g.dims[d] - 1) * g.widths[d]
		}
	}
}

// dimension yields the links of dimension d, whose neighbours are stride apart
// and whose ports start at port.
func (g *hyperX) dimension(d, stride, port int, yield func(Link) bool) bool {
	side, width := g.dims[d], g.widths[d]
	l := Link{Level: int32(d + 1), Width: int32(width)}
	for plane := 0; plane < g.kinds[0].Count; plane += stride * side {
		for i := range side {
			l.PortB = int32(port + i*width)
			for j := i + 1; j < side; j++ {
				l.PortA = int32(port + (j-1)*width)
				b := plane + j*stride
				for a := plane + i*stride; a < plane+(i+1)*stride; a++ {
					l.A, l.B = int32(a), int32(b)
					if !yield(l) {
						return false
					}
					b++
				}
			}
		}
	}
	return true
}

// terminalLinks joins terminals to switches 0 ... n-1, which they follow in
// order: terminal t of a switch to its port t, on level 0.
func terminalLinks(n, terminals int, yield func(Link) bool) bool {
	node := n
	for s := range n {
		for t := range terminals {
			if !yield(Link{A: int32(s), B: int32(node), PortA: int32(t), Width: 1}) {
				return false
			}
			node++
		}
	}
	return true
}

// SameLevels holds as the coordinates of a dimension may be permuted.
func (g *hyperX) SameLevels() bool { return true }

// LevelChannels: K_k S_k (S_k - 1)/2 for each line of dimension k.
func (g *hyperX) LevelChannels() []int64 {
	switches := int64(g.kinds[0].Count)
	out := []int64{switches * int64(g.terminals)}
	for d, side := range g.dims {
		out = append(out, switches/int64(side)*int64(g.widths[d])*int64(side)*int64(side-1)/2)
	}
	return out
}

// DimensionPorts follow those of the terminals, dimension by dimension.
func (g *hyperX) DimensionPorts(d int) DimensionPorts {
	first := g.terminals
	for i, side := range g.dims[:d] {
		first += (side - 1) * g.widths[i]
	}
	return DimensionPorts{Full: true, First: first, Width: g.widths[d]}
}

// UsualRouting is the dimensionally adaptive, load-balanced routing of the source, section 4.
func (g *hyperX) UsualRouting() string { return "dal" }

// hyperXSizes offers the regular networks, with L sides of S switches, K
// channels and T terminals each: L up to 8, K up to 4, T = K S for a relative
// bisection of 1/2 or T = K S/2 for 1. With a limit of ports it also offers the
// networks with the fewest switches for the nodes at which each step begins, by
// SmallestHyperX with a relative bisection of 1/2 and 1.
func hyperXSizes(s *SizeSearch) {
	regular := func(p HyperX) bool {
		w := 1
		if len(p.Widths) > 0 {
			w = p.Widths[0]
		}
		side := p.Dims[0]
		for d := range p.Dims {
			if p.Dims[d] != side || len(p.Widths) > 0 && p.Widths[d] != w {
				return false
			}
		}
		t := p.Terminals
		return side > 1 && len(p.Dims) <= 8 && w <= 4 && (t == w*side || t == w*side/2)
	}
	for side := 2; side <= s.MaxNodes; side++ {
		if side > s.MaxPorts {
			break
		}
		s.Powers(side, 1, func(n, switches int) {
			if n > 8 {
				return
			}
			for width := 1; width <= 4; width++ {
				for _, terminals := range [2]int{width * side, width * side / 2} {
					p := HyperX{Dims: slices.Repeat(Ints{side}, n), Terminals: terminals}
					if width > 1 {
						p.Widths = slices.Repeat(Ints{width}, n)
					}
					s.Add(width-1, hyperXSize(p, p))
				}
			}
		})
	}
	if s.Radix == 0 {
		return
	}
	var found []HyperX
	for _, nodes := range append(s.found.Steps(), s.MaxNodes) {
		for _, beta := range []float64{0.5, 1} {
			best, err := SmallestHyperX(nodes, s.Radix, beta)
			if err != nil {
				continue
			}
			p := best[0]
			same := func(o HyperX) bool {
				return o.Terminals == p.Terminals && slices.Equal(o.Dims, p.Dims) && slices.Equal(o.Widths, p.Widths)
			}
			if !regular(p) && !slices.ContainsFunc(found, same) {
				found = append(found, p)
				s.Add(0, hyperXSize(p, p))
			}
		}
	}
}

// hyperXSize counts the HyperX p; params are the parameters that make it, of this family or of one like it.
func hyperXSize(params Params, p HyperX) Size {
	z := Size{Spec: Spec{Params: params}, Switches: 1, Terminals: p.Terminals, Ports: p.Terminals}
	between := 0 // channels of a switch to others
	for d, side := range p.Dims {
		z.Switches *= side
		width := 1
		if len(p.Widths) > 0 {
			width = p.Widths[d]
		}
		between += width * (side - 1)
		if side > 1 {
			z.Diameter++
		}
	}
	z.Nodes = z.Switches * p.Terminals
	z.Ports += between
	z.Links = int64(z.Nodes) + int64(z.Switches)*int64(between)/2
	if z.Switches == 1 { // the distance is that between terminals
		z.Diameter = 2
		if z.Nodes == 1 {
			z.Diameter = 0
		}
	}
	return z
}

// flattenedButterflySizes offers the k-ary n-flats: n-1 sides of k switches
// with k terminals each.
func flattenedButterflySizes(s *SizeSearch) {
	for k := 2; k*k <= s.MaxNodes; k++ {
		s.Powers(k, 2, func(n, _ int) {
			p := FlattenedButterfly{Dims: slices.Repeat(Ints{k}, n-1), Terminals: k}
			s.Add(0, hyperXSize(p, HyperX{Dims: p.Dims, Terminals: p.Terminals}))
		})
	}
}

// SmallestHyperX finds the HyperX with the fewest switches of the given number
// of ports that carry at least the given number of nodes with a relative
// bisection of at least beta, min K_k S_k/(2 T) (J. H. Ahn et al., SC 2009,
// section 2). Every switch has T = ceil(nodes/P) terminals, P being the number of
// switches, and every dimension the fewest channels K_k = max(1, ceil(2 beta T/
// S_k)) that make the bisection. Of networks with equally many switches it takes
// those with the fewest channels, all there are, in the order of the number of
// dimensions, then in ascending order of sides. A single switch is one dimension of
// side 1.
//
// The error joins a *diag.FieldError for every parameter out of range (nodes, ports,
// beta), or says that no such network exists.
func SmallestHyperX(nodes, ports int, beta float64) ([]HyperX, error) {
	return smallestHyperX(nodes, ports, beta, hyperxsearch.Smallest)
}

// SmallestRegularHyperX is SmallestHyperX among networks all of whose sides, and with
// them widths, are equal.
func SmallestRegularHyperX(nodes, ports int, beta float64) ([]HyperX, error) {
	return smallestHyperX(nodes, ports, beta, hyperxsearch.SmallestRegular)
}

// smallestHyperX checks the parameters of a search and makes HyperX of what it finds; one switch where its ports
// suffice for all nodes.
func smallestHyperX(
	nodes, ports int, beta float64, search func(nodes, ports int, beta float64) []hyperxsearch.Network,
) ([]HyperX, error) {
	m := &Mistakes{family: "hyperx"}
	if nodes < 1 || nodes > MaxVertices {
		m.Add("nodes", "must be from 1 to %d, not %d", MaxVertices, nodes)
	}
	if ports < 1 || ports > MaxPorts {
		m.Add("ports", "must be from 1 to %d, not %d", MaxPorts, ports)
	}
	if !(beta > 0 && beta <= MaxPorts) {
		m.Add("beta", "must be above 0 and at most %d, not %v", MaxPorts, beta)
	}
	if !m.None() {
		return nil, m.err()
	}
	if nodes <= ports {
		return []HyperX{{Dims: Ints{1}, Terminals: nodes}}, nil
	}
	var out []HyperX
	for _, n := range search(nodes, ports, beta) {
		p := HyperX{Dims: n.Dims, Terminals: n.Terminals}
		if slices.Max(n.Widths) > 1 {
			p.Widths = n.Widths
		}
		out = append(out, p)
	}
	if out == nil {
		m.Add("ports", "no HyperX of switches with %d ports has %d nodes at a relative bisection of %v", ports, nodes,
			beta)
	}
	return out, m.err()
}
