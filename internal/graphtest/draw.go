package graphtest

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// draws has a function for every family.
var draws = map[string]func(*rapid.T) topology.Params{
	"torus":               of(drawTorus),
	"mesh":                of(drawMesh),
	"hypercube":           of(drawHypercube),
	"ibt":                 of(drawIBT),
	"pec":                 of(drawPEC),
	"srt":                 of(drawSRT),
	"rdt":                 of(drawRDT),
	"ccc":                 of(drawCCC),
	"barrel-shifter":      of(drawBarrelShifter),
	"de-bruijn":           of(drawDeBruijn),
	"hybrid-fat-tree":     of(drawHybridFatTree),
	"clex":                of(drawCLEX),
	"hyperx":              of(drawHyperX),
	"flattened-butterfly": of(drawFlattenedButterfly),
	"k-ary-n-tree":        of(drawKAryNTree),
	"thin-tree":           of(drawThinTree),
	"fat-tree":            of(drawFatTree),
	"folded-clos":         of(drawFoldedClos),
	"dragonfly":           of(drawDragonfly),
	"moore":               of(drawMoore),
	"slim-fly":            of(drawSlimFly),
	"polarfly":            of(drawPolarFly),
	"angelfish":           of(drawAngelfish),
	"flying-fish":         of(drawFlyingFish),
	"random-regular":      of(drawRandomRegular),
	"dragonfly-plus":      of(drawDragonflyPlus),
	"fat-clique":          of(drawFatClique),
	"rail-only":           of(drawRailOnly),
	"bcube":               of(drawBCube),
	"dcell":               of(drawDCell),
	"hammingmesh":         of(drawHammingMesh),
	"zcube":               of(drawZCube),
	"hexagonal-torus":     of(drawHexagonalTorus),
	"access":              of(drawAccess),
	"leaf-pair":           of(drawLeafPair),
	"leaf-spine":          of(drawLeafSpine),
	"cray-dragonfly":      of(drawCrayDragonfly),
	"ocs-torus":           of(drawOCSTorus),
	"file":                of(drawFile),
}

func of[P topology.Params](draw func(*rapid.T) P) func(*rapid.T) topology.Params {
	return func(t *rapid.T) topology.Params { return draw(t) }
}

// Draw draws random parameters of a family, which topology.New may refuse.
func Draw(t *rapid.T, family string) topology.Params {
	draw, ok := draws[family]
	if !ok {
		t.Fatalf("internal/graphtest/draw.go has no function that draws parameters of the family %s; add one", family)
	}
	return draw(t)
}

// Member draws a member of a family with at most as many vertices as given. It draws again until the parameters are
// right, so that no property test runs out of them.
func Member(t *rapid.T, family string, most int) (topology.Params, topology.Graph) {
	for range 10_000 {
		p := Draw(t, family)
		if g, err := topology.New(p); err == nil && topology.Vertices(g) <= most {
			return p, g
		}
	}
	t.Fatalf("of 10,000 drawn members of the family %s none has at most %d vertices; see internal/graphtest/draw.go",
		family, most)
	return nil, nil
}

// Network draws parameters until there is a network of them, so that no property test runs out of draws.
func Network(t *rapid.T, draw func() topology.Params) topology.Graph {
	var wrong error
	for range 10_000 {
		g, err := topology.New(draw())
		if err == nil {
			return g
		}
		wrong = err
	}
	t.Fatalf("10,000 drawn parameters have no network; the last ones: %v", wrong)
	return nil
}

func drawCLEX(t *rapid.T) topology.CLEX {
	s := topology.CLEX{
		Clique: rapid.IntRange(2, 24).Draw(t, "clique"), Bundled: rapid.Bool().Draw(t, "bundled"),
		Terminals: drawTerminals(t),
	}
	most := 1
	for n := s.Clique; n*s.Clique <= 600; n *= s.Clique {
		most++
	}
	s.Levels = rapid.IntRange(1, most).Draw(t, "levels")
	if s.Levels > 1 {
		s.Local = drawLocal(t, s.Clique)
	}
	return s
}

// drawLocal draws a local network of so many nodes, nil in most draws.
func drawLocal(t *rapid.T, nodes int) *topology.Local {
	if nodes < 2 || rapid.IntRange(0, 3).Draw(t, "local network") > 0 {
		return nil
	}
	var dims topology.Ints
	for left := nodes; left > 1 || dims == nil; {
		var sides []int
		for side := 2; side <= left; side++ {
			if left%side == 0 {
				sides = append(sides, side)
			}
		}
		dims = append(dims, rapid.SampledFrom(sides).Draw(t, "local side"))
		left /= dims[len(dims)-1]
	}
	choices := []topology.Params{
		topology.Torus{Dims: dims},
		topology.Mesh{Dims: dims},
		topology.HyperX{Dims: dims},
		topology.FlattenedButterfly{Dims: dims},
	}
	if bits.OnesCount(uint(nodes)) == 1 {
		choices = append(choices, topology.Hypercube{Dims: topology.Ints{bits.TrailingZeros(uint(nodes))}})
	}
	if nodes%2 == 0 && nodes > 4 {
		choices = append(choices, topology.RandomRegular{Nodes: nodes, Degree: 3})
	}
	for k := 2; k*k <= nodes; k++ {
		switch nodes {
		case k * k:
			choices = append(choices, topology.CLEX{Clique: k, Levels: 2, Bundled: true})
		case k * (k + 1):
			choices = append(choices, topology.Dragonfly{LocalPorts: k - 1})
		}
	}
	return &topology.Local{Spec: topology.Spec{Params: rapid.SampledFrom(choices).Draw(t, "local")}}
}

// PrimePowers up to 32.
var PrimePowers = []int{2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32}

func drawTerminals(t *rapid.T) int { return rapid.IntRange(0, 3).Draw(t, "terminals") }

// drawFewTerminals is for families whose members are large.
func drawFewTerminals(t *rapid.T) int {
	return rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "terminals")
}

func drawDragonfly(t *rapid.T) topology.Dragonfly {
	s := topology.Dragonfly{
		P: rapid.IntRange(1, 5).Draw(t, "p"),
		A: rapid.IntRange(1, 7).Draw(t, "a"),
		H: rapid.IntRange(1, 12).Draw(t, "h"),
	}
	s.Groups = rapid.IntRange(0, s.A*s.H+1).Draw(t, "groups")
	most := s.A * s.H / max(s.Groups-1, 1)
	s.LinksPerPair = rapid.IntRange(0, most).Draw(t, "links per pair")
	s.Arrangement = drawArrangement(t)
	s.Local = drawLocal(t, s.A)
	return s
}

func drawArrangement(t *rapid.T) string {
	return rapid.SampledFrom(append(topology.Arrangements(), "")).Draw(t, "arrangement")
}

func drawFatTree(t *rapid.T) topology.FatTree {
	maybe := func(name string, most int) int {
		if rapid.IntRange(0, 3).Draw(t, "give "+name) > 0 {
			return 0
		}
		return rapid.IntRange(1, most).Draw(t, name)
	}
	return topology.FatTree{
		Nodes:    rapid.IntRange(1, 400).Draw(t, "nodes"),
		Radix:    rapid.IntRange(2, 40).Draw(t, "radix"),
		Tiers:    rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "tiers"),
		Taper:    rapid.SampledFrom([]float64{0, 0, 0, 1, 0.5, 1.1, 2, 3, 7.3}).Draw(t, "taper"),
		Down:     maybe("down", 20),
		Up:       maybe("up", 20),
		Rails:    maybe("rails", 8),
		Spines:   maybe("spines", 20),
		Cores:    maybe("cores", 20),
		PodUnits: maybe("pod_units", 8),
	}
}

func drawFoldedClos(t *rapid.T) topology.FoldedClos {
	return topology.FoldedClos{
		Nodes: rapid.IntRange(1, 600).Draw(t, "nodes"),
		Radix: rapid.IntRange(4, 24).Draw(t, "radix"),
		Tiers: rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3, 4, 5}).Draw(t, "tiers"),
		Taper: rapid.SampledFrom([]float64{0, 0, 0.5, 1.4, 2, 3}).Draw(t, "taper"),
	}
}

func drawIBT(t *rapid.T) topology.IBT {
	n := rapid.IntRange(1, 4).Draw(t, "n")
	m := rapid.IntRange(1, n).Draw(t, "m")
	k := rapid.IntRange(1, 3).Draw(t, "k")
	s := topology.IBT{BypassDims: m, Terminals: drawFewTerminals(t)}
	left, shortest := 700, 700
	for d := range n {
		most := left
		for range m - d - 1 { // room for the other sides
			most /= max(2*m*k, 4)
		}
		if d >= m {
			s.Dims = append(s.Dims, rapid.IntRange(1, min(4, most)).Draw(t, "plain side"))
		} else {
			step := m * k
			if most < 2*step || most < 4 {
				return topology.IBT{} // no room for this side: wrong parameters
			}
			s.Dims = append(s.Dims, step*rapid.IntRange(1, most/step).Draw(t, "side"))
			shortest = min(shortest, s.Dims[d])
		}
		left /= s.Dims[d]
	}
	for range k {
		s.BypassLengths = append(s.BypassLengths, m*k*rapid.IntRange(1, max(1, shortest/(m*k))).Draw(t, "length"))
	}
	return s
}

func drawTorus(t *rapid.T) topology.Torus {
	p := topology.Torus{Dims: drawDims(t, 5, 250), Terminals: drawTerminals(t)}
	if rapid.Bool().Draw(t, "plain") {
		return p
	}
	for range p.Dims {
		p.Wrap = append(p.Wrap, rapid.Bool().Draw(t, "wrap"))
	}
	p.DoubledSides = rapid.Bool().Draw(t, "doubled")
	return p
}

func drawMesh(t *rapid.T) topology.Mesh {
	return topology.Mesh{Dims: drawDims(t, 5, 250), Terminals: drawTerminals(t)}
}

func drawHypercube(t *rapid.T) topology.Hypercube {
	return topology.Hypercube{Dims: topology.Ints{rapid.IntRange(1, 8).Draw(t, "n")}, Terminals: drawTerminals(t)}
}

func drawFlattenedButterfly(t *rapid.T) topology.FlattenedButterfly {
	return topology.FlattenedButterfly{Dims: drawDims(t, 4, 250), Terminals: rapid.IntRange(1, 9).Draw(t, "terminals")}
}

func drawHyperX(t *rapid.T) topology.HyperX {
	flat := drawFlattenedButterfly(t)
	s := topology.HyperX{Dims: flat.Dims, Terminals: flat.Terminals}
	for range s.Dims {
		s.Widths = append(s.Widths, rapid.IntRange(1, 4).Draw(t, "width"))
	}
	return s
}

func drawDims(t *rapid.T, sides, points int) topology.Ints {
	var dims topology.Ints
	for n := 1; len(dims) < sides && (len(dims) == 0 || rapid.Bool().Draw(t, "more")); {
		side := rapid.IntRange(1, min(9, points/n)).Draw(t, "side")
		dims, n = append(dims, side), n*side
	}
	return dims
}

func drawSRT(t *rapid.T) topology.SRT {
	side := 1 << rapid.IntRange(2, 4).Draw(t, "n")
	return topology.SRT{Dims: topology.Ints{side, side}, Terminals: drawTerminals(t)}
}

func drawPEC(t *rapid.T) topology.PEC {
	rows := 1 << rapid.IntRange(2, 4).Draw(t, "n")
	return topology.PEC{
		Dims: topology.Ints{rows * rapid.IntRange(1, 2).Draw(t, "ratio"), rows}, Terminals: drawTerminals(t),
	}
}

func drawRDT(t *rapid.T) topology.RDT {
	side := rapid.SampledFrom([]int{4, 8, 12, 16, 20, 32})
	return topology.RDT{
		Dims: topology.Ints{side.Draw(t, "columns"), side.Draw(t, "rows")}, Terminals: drawTerminals(t),
	}
}

func drawCCC(t *rapid.T) topology.CCC {
	return topology.CCC{Dims: topology.Ints{rapid.IntRange(3, 7).Draw(t, "n")}, Terminals: drawTerminals(t)}
}

func drawBarrelShifter(t *rapid.T) topology.BarrelShifter {
	return topology.BarrelShifter{Nodes: drawNodesPower(t), Terminals: drawTerminals(t)}
}

func drawHybridFatTree(t *rapid.T) topology.HybridFatTree {
	return topology.HybridFatTree{Nodes: drawNodesPower(t), Terminals: drawTerminals(t)}
}

func drawDeBruijn(t *rapid.T) topology.DeBruijn {
	s := topology.DeBruijn{Base: rapid.IntRange(2, 12).Draw(t, "base"), Terminals: drawTerminals(t)}
	most := 1
	for n := s.Base; n*s.Base <= 700; n *= s.Base {
		most++
	}
	s.Digits = rapid.IntRange(1, most).Draw(t, "digits")
	return s
}

func drawNodesPower(t *rapid.T) int { return 1 << rapid.IntRange(1, 9).Draw(t, "n") }

func drawKAryNTree(t *rapid.T) topology.KAryNTree {
	return topology.KAryNTree{
		Down:   rapid.IntRange(2, 9).Draw(t, "down"),
		Levels: rapid.IntRange(1, 5).Draw(t, "levels"),
	}
}

func drawThinTree(t *rapid.T) topology.ThinTree {
	s := drawKAryNTree(t)
	return topology.ThinTree{Down: s.Down, Up: rapid.IntRange(1, s.Down).Draw(t, "up"), Levels: s.Levels}
}

func drawMoore(t *rapid.T) topology.Moore {
	return topology.Moore{Graph: rapid.SampledFrom([]string{
		"pentagon", "petersen",
		"hoffman-singleton",
	}).Draw(t, "graph"), Terminals: drawTerminals(t)}
}

func drawSlimFly(t *rapid.T) topology.SlimFly {
	return topology.SlimFly{Q: rapid.SampledFrom(PrimePowers[1:]).Draw(t, "q"), Terminals: drawTerminals(t)}
}

func drawPolarFly(t *rapid.T) topology.PolarFly {
	return topology.PolarFly{Q: rapid.SampledFrom(PrimePowers).Draw(t, "q"), Terminals: drawTerminals(t)}
}

func drawAngelfish(t *rapid.T) topology.Angelfish {
	s := topology.Angelfish{Variant: rapid.SampledFrom([]string{"", "full", "lite", "mesh", "l-mesh"}).Draw(t,
		"variant"), Terminals: drawFewTerminals(t)}
	if rapid.Bool().Draw(t, "by q") {
		s.Q = rapid.SampledFrom([]int{3, 4, 5}).Draw(t, "q")
	} else {
		s.Subnet = rapid.SampledFrom([]string{"pentagon", "petersen", "hoffman-singleton"}).Draw(t, "subnet")
	}
	return s
}

func drawFlyingFish(t *rapid.T) topology.FlyingFish {
	return topology.FlyingFish{
		Side:      rapid.IntRange(2, 5).Draw(t, "side"),
		Variant:   rapid.SampledFrom([]string{"", "full", "lite"}).Draw(t, "variant"),
		Terminals: drawTerminals(t),
	}
}

func drawRandomRegular(t *rapid.T) topology.RandomRegular {
	n := rapid.IntRange(2, 60).Draw(t, "nodes")
	return topology.RandomRegular{
		Nodes: n, Degree: rapid.IntRange(1, n-1).Draw(t, "degree"),
		Seed: rapid.Uint64().Draw(t, "seed"), Terminals: drawTerminals(t),
	}
}

func drawFatClique(t *rapid.T) topology.FatClique {
	s := topology.FatClique{
		Switches: rapid.IntRange(1, 5).Draw(t, "s_c"), SubBlocks: rapid.IntRange(1, 5).Draw(t, "s_b"),
		Blocks: rapid.IntRange(1, 5).Draw(t, "blocks"), Terminals: drawTerminals(t),
	}
	if s.SubBlocks > 1 {
		s.SubBlockPorts = rapid.IntRange(1, 6).Draw(t, "p_c")
	}
	if s.Blocks > 1 {
		s.BlockPorts = rapid.IntRange(1, 6).Draw(t, "p_b")
	}
	return s
}

func drawDragonflyPlus(t *rapid.T) topology.DragonflyPlus {
	s := topology.DragonflyPlus{
		P: rapid.IntRange(1, 4).Draw(t, "p"), A: rapid.IntRange(1, 5).Draw(t, "a"),
		H: rapid.IntRange(1, 5).Draw(t, "h"), Spines: rapid.IntRange(0, 5).Draw(t, "spines"),
		LinksPerPair: rapid.IntRange(0, 3).Draw(t, "links per pair"),
	}
	s.Groups = rapid.IntRange(0, 1+s.H*s.A).Draw(t, "groups")
	s.LocalWidth = rapid.IntRange(0, 3).Draw(t, "local width")
	if further := rapid.IntRange(-3, 2).Draw(t, "further kinds"); further > 0 {
		s.Groups = rapid.IntRange(1, 3).Draw(t, "groups of the first kind")
		few := func(name string, n, most int) topology.Ints {
			return topology.Ints(rapid.SliceOfN(rapid.IntRange(1, most), n, n).Draw(t, name))
		}
		s.H = rapid.IntRange(4, 30).Draw(t, "global ports")
		s.OtherGroups = few("other groups", further, 3)
		if rapid.Bool().Draw(t, "leaves differ") {
			s.OtherP, s.OtherA = few("other p", further, 4), few("other a", further, 5)
		}
		if rapid.Bool().Draw(t, "spines differ") {
			s.OtherSpines = few("other spines", further, 6)
			s.OtherLocalWidth = few("other local widths", further, 3)
		}
		if rapid.Bool().Draw(t, "pairs differ") {
			s.LinksPerPair = 0
			s.PairLinks = few("pair links", (further+1)*(further+2)/2, 9)
		}
	} else {
		s.Arrangement = drawArrangement(t)
	}
	return s
}

func drawRailOnly(t *rapid.T) clusters.RailOnly {
	return clusters.RailOnly{
		Nodes: rapid.IntRange(1, 100).Draw(t, "nodes"), Rails: rapid.IntRange(1, 5).Draw(t, "rails"),
		Radix: rapid.SampledFrom([]int{4, 8, 16, 32}).Draw(t, "radix"),
		Tiers: rapid.IntRange(0, 3).Draw(t, "tiers"),
	}
}

func drawBCube(t *rapid.T) clusters.BCube {
	return clusters.BCube{
		Radix:  rapid.IntRange(2, 6).Draw(t, "radix"),
		Levels: rapid.IntRange(1, 4).Draw(t, "levels"),
	}
}

func drawDCell(t *rapid.T) clusters.DCell {
	return clusters.DCell{
		Radix:  rapid.IntRange(2, 7).Draw(t, "radix"),
		Levels: rapid.IntRange(1, 3).Draw(t, "levels"),
	}
}

func drawHammingMesh(t *rapid.T) clusters.HammingMesh {
	draw := func(what string) topology.Ints {
		return topology.Ints{rapid.IntRange(1, 5).Draw(t, what), rapid.IntRange(1, 5).Draw(t, what)}
	}
	return clusters.HammingMesh{Dims: draw("dims"), Board: draw("board")}
}

// drawFile draws a random tree whose vertices are numbers or words.
func drawFile(t *rapid.T) graphio.File {
	dir, err := os.MkdirTemp("", "plenum")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	prefix := rapid.SampledFrom([]string{"", "v"}).Draw(t, "prefix")
	text := ""
	n := rapid.IntRange(2, 30).Draw(t, "vertices")
	for v := 1; v < n; v++ {
		text += fmt.Sprintf("%s%d %s%d\n", prefix, rapid.IntRange(0, v-1).Draw(t, "parent"), prefix, v)
	}
	path := filepath.Join(dir, "graph.edges")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return graphio.File{Path: path, Terminals: drawTerminals(t)}
}
