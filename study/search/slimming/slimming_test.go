package slimming

import (
	"context"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// table6 is Table 6 of J. Navaridas et al., Parallel Computing 36, 2010: switches, and phi over the three costs, of the
// 8:k',n-trees with k' from 1 to 8.
var table6 = map[int][8]struct {
	switches                    int
	constant, linear, quadratic float64
}{
	2: {
		{9, 0.7857, 1.3967, 2.4831},
		{10, 1.1152, 1.7843, 2.8549},
		{11, 1.2152, 1.7675, 2.5709},
		{12, 1.2125, 1.6166, 2.1555},
		{13, 1.1740, 1.4449, 1.7783},
		{14, 1.1190, 1.2789, 1.4616},
		{15, 1.0560, 1.1264, 1.2015},
		{16, 1, 1, 1},
	},
	3: {
		{73, 0.3708, 0.6592, 1.1719},
		{84, 0.9765, 1.5623, 2.4997},
		{97, 1.3352, 1.9421, 2.8249},
		{112, 1.4182, 1.8910, 2.5213},
		{129, 1.3527, 1.6648, 2.0490},
		{148, 1.2354, 1.4119, 1.6136},
		{169, 1.1014, 1.1748, 1.2531},
		{192, 1, 1, 1},
	},
}

// best are the trees that section 6.2 calls the most efficient, by their up ports, for the three costs. At a constant
// cost the 8:3,2-tree is 0.2 % ahead of the 8:4,2-tree there; here it is behind.
var best = map[int]map[string][]int{
	2: {Constant: {3, 4}, Linear: {2}, Quadratic: {2}},
	3: {Constant: {4}, Linear: {3}, Quadratic: {3}},
}

// TestTable6 holds the comparison against the paper's: switches exactly, phi over cost within what phi itself is off in
// Table 4 (5 % to 8:4, 10 % beyond), and which tree is best.
func TestTable6(t *testing.T) {
	like, err := packet.Like("thin-trees")
	if err != nil {
		t.Fatal(err)
	}
	for levels, rows := range table6 {
		if levels == 3 && os.Getenv("PLENUM_LONG") == "" {
			continue
		}
		trees, err := Compare(t.Context(), Options{
			Down: 8, Levels: levels, Switches: like, Seed: 1,
			Suite: packet.Suite{Workloads: traffic.ThinTreeSuite(), Seeds: 3, Placement: "consecutive"},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			tree := trees[i]
			if tree.Switches != row.switches || tree.Radix != 9+i {
				t.Errorf("%s: %d switches of %d ports", tree.Topology, tree.Switches, tree.Radix)
			}
			tolerance := 0.05
			if i < 3 {
				tolerance = 0.10
			}
			for _, c := range [][2]float64{
				{tree.PhiPerCost.Constant, row.constant},
				{tree.PhiPerCost.Linear, row.linear},
				{tree.PhiPerCost.Quadratic, row.quadratic},
			} {
				if off := math.Abs(c[0]/c[1] - 1); off > tolerance {
					t.Errorf("%s: phi over cost %.4f, published %.4f", tree.Topology, c[0], c[1])
				}
			}
			t.Logf("%s: phi %.4f, over cost %.4f %.4f %.4f", tree.Topology, tree.Phi, tree.PhiPerCost.Constant,
				tree.PhiPerCost.Linear, tree.PhiPerCost.Quadratic)
		}
		for by, up := range best[levels] {
			if got := Best(trees, by); !slices.Contains(up, got+1) {
				t.Errorf("%d levels, cost %s: 8:%d is best, published 8:%d", levels, by, got+1, up[0])
			}
		}
	}
}

func TestMoney(t *testing.T) {
	like, err := packet.Like("thin-trees")
	if err != nil {
		t.Fatal(err)
	}
	trees, err := Compare(t.Context(), Options{
		Down: 2, Levels: 2, Switches: like, Seed: 1,
		Suite: packet.Suite{Workloads: []string{"BU"}, Seeds: 1, Placement: "consecutive"},
		Money: func(_ context.Context, p topology.Params) (float64, error) {
			return 100 * float64(p.(topology.ThinTree).Up), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if off := *trees[0].PhiPerMoney - 2*trees[0].Phi; *trees[0].Cost != 100 || math.Abs(off) > 1e-12 ||
		*trees[1].PhiPerMoney != 1 || trees[1].Phi != 1 {
		t.Errorf("%+v", trees)
	}
	if Best(trees, Money) < 0 || Best(trees[:0], Money) != -1 {
		t.Error("no best")
	}
	if _, err := Compare(t.Context(), Options{Down: 1, Levels: 1}); err == nil {
		t.Error("a tree of one port is taken")
	}
}
