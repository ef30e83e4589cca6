package packet

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// thinTree is k:k',n-tree and what J. Navaridas et al., "Reducing complexity in
// tree-like computer interconnection networks", Parallel Computing 36, 2010, print
// for it.
type thinTree struct {
	down, up, levels int
	phi              float64
}

func (x thinTree) String() string { return fmt.Sprintf("%d:%d,%d-tree", x.down, x.up, x.levels) }

func (x thinTree) spec() topology.Params {
	return topology.ThinTree{Down: x.down, Up: x.up, Levels: x.levels}
}

// Tables of the paper, the reference first.
var (
	table4a = []thinTree{
		{8, 8, 2, 1},
		{8, 7, 2, 0.9900},
		{8, 6, 2, 0.9791},
		{8, 5, 2, 0.9539},
		{8, 4, 2, 0.9094},
		{8, 3, 2, 0.8354},
		{8, 2, 2, 0.6970},
		{8, 1, 2, 0.4419},
	}
	table4b = []thinTree{
		{8, 8, 3, 1},
		{8, 7, 3, 0.9695},
		{8, 6, 3, 0.9523},
		{8, 5, 3, 0.9088},
		{8, 4, 3, 0.8273},
		{8, 3, 3, 0.6746},
		{8, 2, 3, 0.4272},
		{8, 1, 3, 0.1410},
	}
	table4c = []thinTree{
		{8, 8, 4, 1},
		{8, 7, 4, 0.9647},
		{8, 6, 4, 0.9276},
		{8, 5, 4, 0.8569},
		{8, 4, 4, 0.7243},
		{8, 3, 4, 0.5164},
		{8, 2, 4, 0.3157},
		{8, 1, 4, 0.0628},
	}
	table5a = []thinTree{
		{6, 6, 3, 1}, {7, 5, 3, 0.8644}, {8, 4, 2, 0.9969}, {9, 3, 2, 0.7341}, {10, 2, 2, 0.6277}, {11, 1, 2, 0.3491},
	}
	table5b = []thinTree{
		{6, 6, 4, 1}, {7, 5, 4, 0.7453}, {8, 4, 3, 0.8653}, {9, 3, 3, 0.5135}, {10, 2, 3, 0.3105}, {11, 1, 3, 0.0980},
	}
)

// tolerance is how far phi may be off: 5 % for slimming to 8:4, 10 % beyond.
func (x thinTree) tolerance() float64 {
	if x.down <= 2*x.up {
		return 0.05
	}
	return 0.10
}

func long() bool { return os.Getenv("PLENUM_LONG") != "" }

// A reading is a choice of what section 4 leaves open.
type reading struct {
	Options
	placement string // consecutive when empty
	params    string // of the workloads other than WF
}

// suiteTimes is the mean cycles of the seven workloads over seeds.
func suiteTimes(t *testing.T, x thinTree, tasks, seeds int, read reading) []float64 {
	t.Helper()
	n := network(t, x.spec())
	names := traffic.ThinTreeSuite()
	cycles := make([]int64, len(names)*seeds)
	err := parallel.Each(context.Background(), len(cycles), func(ctx context.Context, i int) error {
		name := fmt.Sprintf("%s:tasks=%d", names[i/seeds], tasks)
		if read.params != "" && names[i/seeds] != "WF" {
			name += "," + read.params
		}
		job, err := traffic.ParseJob(name, n.Terminals())
		if err != nil {
			return err
		}
		place, err := traffic.ParsePlacement(cmp.Or(read.placement, "consecutive"), tasks, n.Terminals(),
			uint64(i%seeds))
		if err != nil {
			return err
		}
		cfg := Config{Network: n, Routing: function(t, n, "tree"), Options: read.Options, Seed: uint64(1 + i%seeds)}
		r, err := RunJob(ctx, cfg, job.New(), place)
		if err == nil {
			cycles[i] = r.Cycles
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	means := make([]float64, len(names))
	for i, c := range cycles {
		means[i/seeds] += float64(c) / float64(seeds)
	}
	return means
}

// paperSwitch is the reading of section 4.1 that comes nearest.
var paperSwitch = readings["thin-trees"]

func phis(t *testing.T, trees []thinTree, tasks, seeds int, read reading) []float64 {
	t.Helper()
	out := make([]float64, len(trees))
	var reference []float64
	for i, x := range trees {
		times := suiteTimes(t, x, tasks, seeds, read)
		if i == 0 {
			reference = times
		}
		relative, weights := make([]float64, len(times)), make([]float64, len(times))
		for j := range times {
			relative[j], weights[j] = times[j]/reference[j], 1
		}
		out[i] = Phi(relative, weights)
		t.Logf("%v: phi %.4f, published %.4f (%+.1f %%); cycles %.0f; relative %.3f", x, out[i], x.phi,
			100*(out[i]/x.phi-1), times, relative)
	}
	return out
}

func checkPhis(t *testing.T, trees []thinTree, got []float64) {
	t.Helper()
	for i, x := range trees {
		if math.Abs(got[i]/x.phi-1) > x.tolerance() {
			t.Errorf("%v: phi %.4f, published %.4f", x, got[i], x.phi)
		}
	}
}

func TestThinTreesTable4aSmallSystems(t *testing.T) {
	trees, seeds := []thinTree{table4a[0], table4a[4], table4a[6]}, 2
	if long() {
		trees, seeds = table4a, 10
	}
	checkPhis(t, trees, phis(t, trees, 64, seeds, reading{Options: paperSwitch}))
}

func TestThinTreesTable4bMediumSystems(t *testing.T) {
	if !long() {
		t.Skip("PLENUM_LONG is not set")
	}
	got := phis(t, table4b, 512, 3, reading{Options: paperSwitch})
	checkPhis(t, table4b, got)
	checkTable6(t, table4b, got)
}

func TestThinTreesTable4cLargeSystems(t *testing.T) {
	if !long() {
		t.Skip("PLENUM_LONG is not set")
	}
	got := phis(t, table4c, 4096, 1, reading{Options: paperSwitch})
	checkPhis(t, table4c, got)
	checkTable6(t, table4c, got)
}

func TestThinTreesTable5aSameRadix(t *testing.T) {
	if !long() {
		t.Skip("PLENUM_LONG is not set")
	}
	checkPhis(t, table5a, phis(t, table5a, 64, 10, reading{Options: paperSwitch}))
}

// Table 5 (b) is not reproduced: docs/internals/reproduction.md says which readings were tried. Ours are all higher, by
// up to 30 %: BU is slow on the reference.
func TestThinTreesTable5bIsNotReproduced(t *testing.T) {
	if !long() {
		t.Skip("PLENUM_LONG is not set")
	}
	got := phis(t, table5b, 512, 3, reading{Options: paperSwitch})
	for i, x := range table5b {
		if off := got[i]/x.phi - 1; off < 0 || off > 0.4 {
			t.Errorf("%v: phi %.4f, published %.4f", x, got[i], x.phi)
		}
		if i > 2 && got[i] > got[i-1] {
			t.Errorf("%v: phi %.4f is more than that of the tree before it", x, got[i])
		}
	}
}

// Butterfly of 512 tasks on 8:4,3-tree: subtrees of 8 and 64 nodes make three of the nine stages cross
// the lowest up links of 8:4, half as many as nodes, and three more the upper ones, a quarter. No reading of what a
// switch does can take less than (3 + 3 x 2 + 3 x 4) x 2,560 cycles.
func TestButterflyIsBoundByUpLinksOfThinTree(t *testing.T) {
	if !long() {
		t.Skip("PLENUM_LONG is not set")
	}
	const bound = (3 + 3*2 + 3*4) * 2560
	for _, o := range []Options{
		paperSwitch, {VCs: 1}, {Select: Room, VCs: 2}, {Select: Room, VCs: 1, Arbiter: RoundRobin},
	} {
		times := suiteTimes(t, thinTree{down: 8, up: 4, levels: 3}, 512, 1, reading{Options: o})
		if bu := times[slices.Index(traffic.ThinTreeSuite(), "BU")]; bu < bound || bu > 1.25*bound {
			t.Errorf("BU takes %.0f cycles, bound %d", bu, bound)
		}
	}
}

// The readings of what section 4 leaves open, one changed at a time.
func TestThinTreesOtherReadings(t *testing.T) {
	if !long() {
		t.Skip("PLENUM_LONG is not set")
	}
	for _, x := range []struct {
		name string
		reading
	}{
		{"outputs that are free first", reading{Options: Options{VCs: 1}}},
		{"buffers of 2 packets", reading{Options: Options{Select: Room, VCs: 1, BufferPackets: 2}}},
		{"buffers of 8 packets", reading{Options: Options{Select: Room, VCs: 1, BufferPackets: 8}}},
		{"round-robin", reading{Options: Options{Select: Room, VCs: 1, Arbiter: RoundRobin}}},
		{"oldest first", reading{Options: Options{Select: Room, VCs: 1, Arbiter: Age}}},
		{"store-and-forward", reading{Options: Options{Select: Room, VCs: 1, Switching: StoreAndForward}}},
		{"2 virtual channels", reading{Options: Options{Select: Room, VCs: 2}}},
		{"a cycle of pipeline", reading{Options: Options{Select: Room, VCs: 1, Pipeline: 1}}},
		{"messages of 40,000 bytes", reading{Options: paperSwitch, params: "bytes=40000"}},
		{"messages of 4 KiB", reading{Options: paperSwitch, params: "bytes=4KiB"}},
		{"random placement", reading{Options: paperSwitch, placement: "random"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			for _, trees := range [][]thinTree{table4a, table5a} {
				worst, worstBeyond := 0.0, 0.0
				for i, phi := range phis(t, trees, 64, 3, x.reading) {
					off := math.Abs(phi/trees[i].phi - 1)
					if trees[i].tolerance() < 0.1 {
						worst = max(worst, off)
					} else {
						worstBeyond = max(worstBeyond, off)
					}
				}
				t.Logf("%s: off by at most %.1f %% to 2:1 and %.1f %% beyond", x.name, 100*worst, 100*worstBeyond)
			}
		})
	}
}

// table6 is performance per cost, as printed: constant, linear, quadratic.
var table6 = map[string][3]float64{
	"8:1,2-tree": {0.7857, 1.3967, 2.4831},
	"8:2,2-tree": {1.1152, 1.7843, 2.8549},
	"8:3,2-tree": {1.2152, 1.7675, 2.5709},
	"8:4,2-tree": {1.2125, 1.6166, 2.1555},
	"8:5,2-tree": {1.1740, 1.4449, 1.7783},
	"8:6,2-tree": {1.1190, 1.2789, 1.4616},
	"8:7,2-tree": {1.0560, 1.1264, 1.2015},
	"8:8,2-tree": {1, 1, 1},
	"8:1,3-tree": {0.3708, 0.6592, 1.1719},
	"8:2,3-tree": {0.9765, 1.5623, 2.4997},
	"8:3,3-tree": {1.3352, 1.9421, 2.8249},
	"8:4,3-tree": {1.4182, 1.8910, 2.5213},
	"8:5,3-tree": {1.3527, 1.6648, 2.0490},
	"8:6,3-tree": {1.2354, 1.4119, 1.6136},
	"8:7,3-tree": {1.1014, 1.1748, 1.2531},
	"8:8,3-tree": {1, 1, 1},
	"8:1,4-tree": {0.2197, 0.3906, 0.6944},
	"8:2,4-tree": {0.9509, 1.5214, 2.4342},
	"8:3,4-tree": {1.3171, 1.9158, 2.7866},
	"8:4,4-tree": {1.5452, 2.0602, 2.7470},
	"8:5,4-tree": {1.5167, 1.8668, 2.2976},
	"8:6,4-tree": {1.3569, 1.5508, 1.7723},
	"8:7,4-tree": {1.1656, 1.2434, 1.3262},
	"8:8,4-tree": {1, 1, 1},
}

func perCost(t *testing.T, x, reference thinTree, phi float64) [3]float64 {
	t.Helper()
	c := PhiPerCost(phi, network(t, x.spec()).Graph, network(t, reference.spec()).Graph)
	return [3]float64{c.Constant, c.Linear, c.Quadratic}
}

func checkTable6(t *testing.T, trees []thinTree, phi []float64) {
	t.Helper()
	for i, x := range trees {
		got, want := perCost(t, x, trees[0], phi[i]), table6[x.String()]
		for j := range got {
			if math.Abs(got[j]/want[j]-1) > x.tolerance() {
				t.Errorf("%v: performance per cost %.4f, published %.4f", x, got, want)
			}
		}
	}
}

// The published performance over our cost is the published efficiency; its four
// digits leave 0.1 %.
func TestThinTreesTable6FollowsFromTable4(t *testing.T) {
	for _, trees := range [][]thinTree{table4a, table4b, table4c} {
		for _, x := range trees {
			got, want := perCost(t, x, trees[0], x.phi), table6[x.String()]
			for j := range got {
				if math.Abs(got[j]/want[j]-1) > 0.001 {
					t.Errorf("%v: performance per cost %.4f, published %.4f", x, got, want)
				}
			}
		}
	}
}

// Uniform traffic at load 1 with four virtual channels, each with a way of its own
// into the crossbar: section 5.1 and Fig. 4. Theta = (k'/k)^(n-1) counts all traffic
// as crossing the top; of uniform traffic 1 - 1/k does, so the links there carry up to
// k/(k-1) theta. The paper measures after 30,000 cycles, in 10 batches of 5,000; here
// the network is taken as stationary sooner and measured for less.
func TestThinTreesUniformThroughput(t *testing.T) {
	trees := []thinTree{{down: 8, up: 2, levels: 3}, {down: 8, up: 4, levels: 3}}
	if long() {
		trees = []thinTree{
			{down: 8, up: 2, levels: 4},
			{down: 8, up: 4, levels: 4},
			{down: 8, up: 6, levels: 4},
			{down: 8, up: 8, levels: 4},
		}
	}
	accepted := make([]float64, len(trees))
	err := parallel.Each(context.Background(), len(trees), func(ctx context.Context, i int) error {
		n := network(t, trees[i].spec())
		cfg := Config{Network: n, Routing: function(t, n, "tree"), Options: Options{VCs: 4, FreeInputs: true}, Seed: 1}
		r, err := Run(ctx, cfg, OpenLoop{
			Pattern: traffic.Uniform(n.Terminals()), Load: 1,
			Measurement: Measurement{Warmup: new(3000), Batches: 3, Batch: 1000},
		})
		if err == nil {
			accepted[i] = r.Accepted
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range trees {
		theta := math.Pow(float64(x.up)/float64(x.down), float64(x.levels-1))
		least, most := 0.97*theta, theta*float64(x.down)/float64(x.down-1)
		if x.up == x.down { // Fig. 4: "is not able to reach the ideal limit"
			least, most = 0.6, 1
		}
		t.Logf("%v: accepted %.4f, theta %.4f, ratio %.3f", x, accepted[i], theta, accepted[i]/theta)
		if accepted[i] < least || accepted[i] > most {
			t.Errorf("%v accepts %.4f, expected %.4f to %.4f", x, accepted[i], least, most)
		}
	}
}
