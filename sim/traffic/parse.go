package traffic

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/throughput"
)

// PatternInfo describes a pattern that ParsePattern knows.
type PatternInfo struct {
	Name   string
	Syntax string // with its arguments: "hotspot[:FRACTION][@T,...]"
	Doc    string // one line: the definition, and what the pattern requires of the topology
}

// patterns lists all patterns in the order of the documentation. parse builds one for the n terminals of g; nil stands
// for parseWorstCase, which calls ParsePattern for the pattern that the family names.
var patterns = []struct {
	PatternInfo
	parse func(arg string, g topology.Graph, n int, seed uint64) (Pattern, error)
}{
	{
		PatternInfo{UniformName, UniformName, "any other terminal, all equally likely"},
		func(arg string, _ topology.Graph, n int, _ uint64) (Pattern, error) {
			return Uniform(n), noArgument(arg)
		},
	},
	{
		PatternInfo{"uniform-all", "uniform-all", "any terminal, itself among them, all equally likely"},
		func(arg string, _ topology.Graph, n int, _ uint64) (Pattern, error) {
			return UniformAll(n), noArgument(arg)
		},
	},
	{
		PatternInfo{"bit-complement", "bit-complement", "every bit inverted; terminal n-1-s"},
		func(arg string, _ topology.Graph, n int, _ uint64) (Pattern, error) {
			return BitComplement(n), noArgument(arg)
		},
	},
	{
		PatternInfo{"bit-reverse", "bit-reverse", "bits in reverse order; a power of two of terminals"},
		bitPattern(BitReverse),
	},
	{
		PatternInfo{
			"bit-rotate", "bit-rotate",
			"bits shifted right, the lowest to the top; a power of two of terminals",
		},
		bitPattern(BitRotate),
	},
	{
		PatternInfo{"shuffle", "shuffle", "bits shifted left, the highest to the bottom; a power of two of terminals"},
		bitPattern(Shuffle),
	},
	{PatternInfo{"transpose", "transpose", "(x,y) to (y,x); a square number of terminals"}, bitPattern(Transpose)},
	{PatternInfo{
		"tornado", "tornado[:DIMS]",
		"just under half way round in every dimension; a lattice, or the sides of a grid like 16x16",
	}, parseTornado},
	{PatternInfo{
		"neighbour", "neighbour[:DIMS]",
		"the next router in every dimension; a lattice, or the sides of a grid",
	}, parseNeighbour},
	{PatternInfo{
		"hotspot", "hotspot[:FRACTION][@T,...]",
		"a fraction (0.1) to the hot terminals (0), the rest uniform",
	}, parseHotSpot},
	{PatternInfo{
		"swap2", "swap2[:EVEN,ODD]",
		"even terminals across dimension EVEN (0), odd ones across ODD (1); a lattice of even sides",
	}, parseSwap2},
	{PatternInfo{"permutation", "permutation[:SEED]", "a permutation drawn at random"}, parsePermutation},
	{
		PatternInfo{"next-group", "next-group", "random terminals of the next group; a topology with groups"},
		parseNextGroup,
	},
	{
		PatternInfo{
			"worst-case", "worst-case",
			"against minimal routing; dragonflies, Slim Fly and others of diameter 2",
		},
		nil,
	},
	{
		PatternInfo{LongestMatching, LongestMatching, "the permutation of switches with the longest ways"},
		parseLongestMatching,
	},
}

// Names of patterns that every topology has, and that bounds are known for.
const (
	UniformName     = "uniform"
	LongestMatching = "longest-matching"
)

// Patterns lists the patterns that ParsePattern knows.
func Patterns() []PatternInfo {
	list := make([]PatternInfo, len(patterns))
	for i, p := range patterns {
		list[i] = p.PatternInfo
	}
	return list
}

// ParsePattern builds the pattern with a name, such as "uniform", "hotspot:0.2@0,7" or "tornado:16x16", for the
// terminals of g. Patterns lists names and arguments. Random choices in a pattern depend only on seed, unless the text
// gives one. The error suggests the nearest name, or says which sizes the pattern needs.
func ParsePattern(text string, g topology.Graph, seed uint64) (Pattern, error) {
	end := strings.IndexAny(text, ":@")
	if end < 0 {
		end = len(text)
	}
	name, arg := text[:end], text[end:]
	n := topology.Count(g).Nodes
	if strings.EqualFold(name, "neighbor") {
		name = "neighbour"
	}
	for _, p := range patterns {
		if strings.EqualFold(p.Name, name) {
			parse := p.parse
			if parse == nil { // not in the table: it would refer to itself
				parse = parseWorstCase
			}
			pattern, err := parse(strings.TrimPrefix(arg, ":"), g, n, seed)
			if err != nil {
				return nil, fmt.Errorf("traffic %q: %w", text, err)
			}
			return pattern, nil
		}
	}
	names := make([]string, len(patterns))
	for i, p := range patterns {
		names[i] = p.Name
	}
	return nil, unknownName("traffic pattern", name, names)
}

// noArgument returns an error if the pattern has an argument.
func noArgument(arg string) error {
	if arg != "" {
		return fmt.Errorf("takes no argument, not %q", arg)
	}
	return nil
}

func bitPattern(build func(n int) (Pattern, error)) func(string, topology.Graph, int, uint64) (Pattern, error) {
	return func(arg string, _ topology.Graph, n int, _ uint64) (Pattern, error) {
		if err := noArgument(arg); err != nil {
			return nil, err
		}
		return build(n)
	}
}

// gridOf returns the grid of a lattice's routers, or one of the sides given in arg, over whose routers the n terminals
// are divided evenly. The error says that g is not a lattice, or that the routers of the grid do not divide n.
func gridOf(arg string, g topology.Graph, n int) (Grid, error) {
	if arg != "" {
		dims, err := parseDims(arg)
		if err != nil {
			return Grid{}, err
		}
		grid := Grid{Dims: dims, PerRouter: 1}
		points := grid.Terminals()
		if points > n || n%points != 0 {
			return Grid{}, fmt.Errorf("the %d terminals cannot be spread evenly over a grid of %d routers", n, points)
		}
		grid.PerRouter = n / points
		return grid, nil
	}
	lattice, ok := g.(topology.Lattice)
	if !ok {
		return Grid{}, fmt.Errorf("%s is not a lattice; give the sides of a grid, like 16x16", g.Family())
	}
	return Grid{Dims: lattice.Dims(), PerRouter: max(1, lattice.TerminalsPerRouter())}, nil
}

func parseTornado(arg string, g topology.Graph, n int, _ uint64) (Pattern, error) {
	grid, err := gridOf(arg, g, n)
	if err != nil {
		return nil, err
	}
	for _, side := range grid.Dims {
		if side > 2 {
			return Tornado(grid), nil
		}
	}
	return nil, errors.New("needs a side of at least 3: on shorter ones every terminal sends to itself")
}

func parseNeighbour(arg string, g topology.Graph, n int, _ uint64) (Pattern, error) {
	grid, err := gridOf(arg, g, n)
	if err != nil {
		return nil, err
	}
	return Neighbour(grid), nil
}

func parseSwap2(arg string, g topology.Graph, n int, _ uint64) (Pattern, error) {
	grid, err := gridOf("", g, n)
	if err != nil {
		return nil, err
	}
	even, odd := 0, 1
	if arg != "" {
		first, second, two := strings.Cut(arg, ",")
		var err1, err2 error
		even, err1 = strconv.Atoi(first)
		odd, err2 = strconv.Atoi(second)
		if !two || err1 != nil || err2 != nil {
			return nil, fmt.Errorf("%q is not a pair of dimensions like 0,1", arg)
		}
	}
	return Swap2(grid, even, odd)
}

func parseHotSpot(arg string, _ topology.Graph, n int, _ uint64) (Pattern, error) {
	share, places, given := strings.Cut(arg, "@")
	fraction := 0.1
	if share != "" {
		f, err := strconv.ParseFloat(share, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a fraction from 0 to 1", share)
		}
		fraction = f
	}
	hot := []int32{0}
	if given {
		hot = hot[:0]
		for place := range strings.SplitSeq(places, ",") {
			t, err := strconv.ParseInt(place, 10, 32)
			if err != nil {
				return nil, fmt.Errorf("%q is not the number of a terminal", place)
			}
			hot = append(hot, int32(t))
		}
	}
	return HotSpot(n, fraction, hot)
}

func parsePermutation(arg string, _ topology.Graph, n int, seed uint64) (Pattern, error) {
	if arg != "" {
		s, err := strconv.ParseUint(arg, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a seed: expected a number from 0", arg)
		}
		seed = s
	}
	return Permutation(n, seed), nil
}

func parseNextGroup(arg string, g topology.Graph, _ int, _ uint64) (Pattern, error) {
	if err := noArgument(arg); err != nil {
		return nil, err
	}
	groups, err := groupsOf(g)
	if err != nil {
		return nil, err
	}
	return NextGroup(groups)
}

// parseWorstCase returns the worst case of minimal routing that is published for the family; see worstCase.
func parseWorstCase(arg string, g topology.Graph, _ int, seed uint64) (Pattern, error) {
	if err := noArgument(arg); err != nil {
		return nil, err
	}
	return worstCase(g, seed)
}

// parseLongestMatching returns the permutation of throughput.LongestMatching, which is as hard for every family.
func parseLongestMatching(arg string, g topology.Graph, _ int, _ uint64) (Pattern, error) {
	if err := noArgument(arg); err != nil {
		return nil, err
	}
	to, err := throughput.LongestMatching(context.Background(), g)
	return fixed(to), err
}
