package routing

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/plenum-planner/plenum/topology"
)

// faultFigures is what a function makes of the pairs of a network with failures.
type faultFigures struct {
	undelivered, hops, both float64
	halfWidth               float64 // of the 95 % confidence interval of undelivered, over the draws of links
}

// compareFaults follows all pairs with two functions on networks with a share of
// failed links: the shares of connected pairs that each leaves undelivered, and
// mean hops over the pairs that both deliver.
func compareFaults(t *testing.T, whole *Network, share float64, seeds int, names [2]string) [2]faultFigures {
	t.Helper()
	var lost, hops [2]int
	pairs, both := 0, 0
	var shares [2][]float64 // of each draw
	for seed := range uint64(seeds) {
		n := whole.Fail(exactly(whole, rand.New(rand.NewPCG(seed, 77)), share), nil)
		var f [2]Function
		for i := range f {
			var err error
			if f[i], err = New(n, names[i], Options{}); err != nil {
				t.Fatal(err)
			}
		}
		pairsBefore, lostBefore := pairs, lost
		for _, src := range homes(n) {
			dist := searchFrom(n, src, nil)
			for _, dst := range homes(n) {
				if src == dst || dist[dst] < 0 {
					continue
				}
				pairs++
				length := [2]int{-1, -1}
				for i := range f {
					if path, err := Path(n, f[i], src, dst, seed, nil); err == nil {
						length[i] = len(path)
					} else {
						lost[i]++
					}
				}
				if length[0] >= 0 && length[1] >= 0 {
					both++
					hops[0] += length[0]
					hops[1] += length[1]
				}
			}
		}
		for i := range shares {
			shares[i] = append(shares[i], float64(lost[i]-lostBefore[i])/float64(pairs-pairsBefore))
		}
	}
	var out [2]faultFigures
	for i := range out {
		out[i] = faultFigures{
			float64(lost[i]) / float64(pairs), float64(hops[i]) / float64(max(both, 1)),
			float64(both) / float64(pairs), halfWidth(shares[i]),
		}
	}
	return out
}

// halfWidth is that of the 95 % confidence interval of the mean of draws, by Student's distribution.
func halfWidth(draws []float64) float64 {
	n := float64(len(draws))
	if n < 2 {
		return 0
	}
	_, variance := stat.MeanVariance(draws, nil)
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * math.Sqrt(variance/n)
}

// exactly draws a share of the links, rounded.
func exactly(n *Network, rng *rand.Rand, share float64) []int32 {
	var links []int32
	seen := map[int32]bool{}
	for _, l := range n.Link {
		if !seen[l] {
			seen[l] = true
			links = append(links, l)
		}
	}
	rng.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
	return links[:int(share*float64(len(links))+0.5)]
}

// FaultPoint is a point of the chart of undelivered pairs, in per cent, with half of its 95 % confidence interval.
type FaultPoint struct {
	Function                      string
	Failed, Undelivered, Interval float64
}

// DrawFaults writes the chart of undelivered pairs. Package chart imports this one, so that it is set from outside.
var DrawFaults func(t *testing.T, points []FaultPoint)

// TestSafetyVectorsAgainstDAL is the figure of I. Snir, "HyperX", 2021, section
// 5.5: [4,3,3,3] with 0 to 40 % failed links. The paper says that hops by safety
// vectors are fewer than DAL's; it does not count the pairs that are left
// undelivered. docs/internals/reproduction.md has the table, and the chart that this draws under PLENUM_UPDATE=1.
func TestSafetyVectorsAgainstDAL(t *testing.T) {
	whole := network(t, topology.HyperX{Dims: topology.Ints{4, 3, 3, 3}, Terminals: 5})
	shares, seeds := []float64{0, 0.1}, 2
	if os.Getenv("PLENUM_LONG") != "" {
		shares, seeds = []float64{0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4}, 20
	}
	var points []FaultPoint
	for _, share := range shares {
		for _, name := range []string{"safety-vector", "safety-vector-any", "safety-vector-escape"} {
			f := compareFaults(t, whole, share, seeds, [2]string{"dal", name})
			t.Logf("%2.0f %% of the links: %-20s undelivered %.4f, DAL %.4f; hops %.4f, DAL %.4f over the %.3f that "+
				"both deliver", 100*share, name,
				f[1].undelivered, f[0].undelivered, f[1].hops, f[0].hops, f[1].both)
			points = append(points, FaultPoint{name, 100 * share, 100 * f[1].undelivered, 100 * f[1].halfWidth})
			if name == "safety-vector" {
				points = append(points, FaultPoint{"dal", 100 * share, 100 * f[0].undelivered, 100 * f[0].halfWidth})
			}
			if name == "safety-vector-escape" && f[1].undelivered > 0 {
				t.Errorf("%.0f %%: with an escape route, %.4f of the connected pairs are undelivered", 100*share,
					f[1].undelivered)
			}
			if share == 0 && (f[1].undelivered > 0 || f[0].undelivered > 0 || f[0].hops != f[1].hops) {
				t.Errorf("without failures: %+v", f)
			}
			if name == "safety-vector" && share >= 0.05 && f[1].hops > f[0].hops {
				t.Errorf("%.0f %%: %.4f hops by safety vectors, %.4f by DAL", 100*share, f[1].hops, f[0].hops)
			}
		}
	}
	if os.Getenv("PLENUM_LONG") != "" && os.Getenv("PLENUM_UPDATE") == "1" {
		DrawFaults(t, points)
	}
}
