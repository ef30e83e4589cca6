package clusters_test

import (
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/measure"
)

// TestDragonfliesAsBuilt: published counts.
func TestDragonfliesAsBuilt(t *testing.T) {
	type ints = topology.Ints
	for _, tt := range []struct {
		name string
		spec topology.Params
		want string
	}{
		{
			"Frontier: 74 groups of 32 switches with 16 ports for nodes, 4 links between any two groups: 10,804 " +
				"global links",
			clusters.CrayDragonfly{Dims: ints{32}, Terminals: 16, Groups: 74, LinksPerPair: 4},
			"switch 2368, node 37888; terminal 37888, local 36704, global 10804",
		},
		{
			"Cray XC, Faanes et al., SC 2012: a group of 6 chassis of 16 routers, 4 nodes each, 1 link within a " +
				"chassis " +
				"and 3 to each other chassis",
			clusters.CrayDragonfly{Dims: ints{16, 6}, Widths: ints{1, 3}, Terminals: 4, Groups: 1},
			"switch 96, node 384; terminal 384, local1 720, local2 720, global 0",
		},
		{
			"three kinds of groups",
			clusters.CrayDragonfly{
				Dims: ints{8}, Terminals: 4, Groups: 5, OtherGroups: ints{2, 1}, OtherDims: ints{4, 2},
				OtherTerminals: ints{2, 1}, PairLinks: ints{4, 2, 1, 6, 3, 9},
			},
			// 10 pairs x 4, 10 x 2, 5 x 1, 1 x 6, 2 x 3
			"switch 50, node 178; terminal 178, local 153, global 77",
		},
	} {
		t.Run(tt.name, func(t *testing.T) { graphtest.CheckCounts(t, tt.spec, tt.want) })
	}
}

// TestCascadeFull: the largest Cray XC has 241 groups, which use all 10 global ports of the 96 routers of a group for 4
// links to every other, and all 48 ports of a router but 8 to nodes: 15 within the chassis, 15 to the others, 10 global
// (G. Faanes et al., SC 2012).
func TestCascadeFull(t *testing.T) {
	p := clusters.CrayDragonfly{
		Dims: topology.Ints{16, 6}, Widths: topology.Ints{1, 3}, Terminals: 4, Groups: 241, LinksPerPair: 4, H: 10,
	}
	g := graphtest.New(t, p)
	kinds := g.Kinds()
	graphtest.Equal(t, "ports", int64(kinds[0].Ports), 4+15+15+10)
	graphtest.Equal(t, "nodes", int64(kinds[1].Count), 92_544)
	graphtest.Equal(t, "global links", g.(topology.Counted).LevelChannels()[3], 241*240/2*4)
	p.Groups = 242
	if _, err := topology.New(p); err == nil ||
		!strings.Contains(err.Error(), "h: a group has 964 global links, 11 to a switch at most") {
		t.Error(err)
	}
}

// TestArrangements: in groups of a switches with h global ports each, one link for every two groups, switch and port of
// the link to another group are as E. Hastings et al., CLUSTER 2015, section II, define the arrangements; the circulant
// one joins switches of the same number if h is even.
func TestArrangements(t *testing.T) {
	const a, h = 4, 2
	const groups = a*h + 1
	for order, port := range map[string]func(from, to int) int{
		"absolute": func(from, to int) int {
			if to > from {
				return to - 1
			}
			return to
		},
		"relative": func(from, to int) int { return (to-from+groups)%groups - 1 },
		"circulant": func(from, to int) int {
			if up := (to - from + groups) % groups; up <= groups/2 {
				return 2*up - 2
			}
			return 2*((from-to+groups)%groups) - 1
		},
	} {
		g := graphtest.New(t, clusters.CrayDragonfly{
			Dims: topology.Ints{a}, Terminals: 1, Groups: groups, Arrangement: order,
		})
		for l := range g.Links() {
			if l.Level != 2 {
				continue
			}
			x, y := int(l.A)/a, int(l.B)/a
			if int(l.A)%a != port(x, y)/h || int(l.B)%a != port(y, x)/h {
				t.Errorf("%s: %s to %s", order, g.Label(int(l.A)), g.Label(int(l.B)))
			}
			if order == "circulant" && l.A%a != l.B%a {
				t.Errorf("circulant: %s is joined to %s", g.Label(int(l.A)), g.Label(int(l.B)))
			}
		}
		if d := graphtest.Hops(t, g, measure.Routers).Diameter; d != 3 {
			t.Errorf("%s: diameter %d", order, d)
		}
	}
}

// TestCrayMistakes: everything that is wrong is reported in one run, and none takes long.
func TestCrayMistakes(t *testing.T) {
	const huge = math.MaxInt
	type ints = topology.Ints
	for _, tt := range []struct {
		spec topology.Params
		want []string
	}{
		{
			clusters.CrayDragonfly{Dims: ints{2, 2, 2}, Terminals: 1, Groups: 2, Arrangement: "relativ"},
			[]string{
				"cray-dragonfly: dims: takes one or two numbers, not 3",
				`arrangement: must be one of absolute, rel`,
			},
		},
		{
			clusters.CrayDragonfly{Dims: ints{huge}, Terminals: huge, Groups: huge, H: -1, OtherGroups: make(ints, 99)},
			[]string{
				"dims[0]: must be", "terminals: must be", "groups: must be", "h: must be", "other_groups[0]: must " +
					"be from 1",
				"other_groups: there may be 16 further kinds, not 99",
			},
		},
		{
			clusters.CrayDragonfly{
				Dims: ints{4, 2}, Widths: ints{1}, Terminals: 1, Groups: 2, OtherGroups: ints{1}, OtherDims: ints{4},
				OtherTerminals: ints{1, 2}, PairLinks: ints{1, 2}, LinksPerPair: 1,
			},
			[]string{
				"widths: has 1 number; 2 are wanted", "other_dims: has 1 number; 2 are wanted",
				"other_terminals: has 2 numbers; 1 are wanted", "pair_links: has 2 numbers; 3 are wanted",
				"links_per_pair: follows from pair_links",
			},
		},
		{
			clusters.CrayDragonfly{Dims: ints{60000, 60000}, Terminals: 1, Groups: 2},
			[]string{"dims: leads to 119999 ports"},
		},
		{
			clusters.CrayDragonfly{Dims: ints{30000, 30000}, Terminals: 1, Groups: 3},
			[]string{"groups: leads to 2700000000 vertices"},
		},
		{
			clusters.CrayDragonfly{Dims: ints{1}, Terminals: 1, Groups: 100_000},
			[]string{"links_per_pair: leads to 100000 ports"},
		},
		{
			clusters.CrayDragonfly{Dims: ints{1}, Terminals: 1, Groups: 1 << 29, LinksPerPair: 65535},
			[]string{"links_per_pair: gives a group 35183", "global links; the most possible is"},
		},
	} {
		g, err := topology.New(tt.spec)
		if err == nil || g != nil {
			t.Fatalf("New(%+v) returned %v, %v", tt.spec, g, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v\nexpected %s", tt.spec, err, want)
			}
		}
	}
}
