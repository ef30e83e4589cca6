package topology_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

func ibt(bypassDims int, lengths topology.Ints, dims ...int) topology.Params {
	return topology.IBT{Dims: dims, BypassDims: bypassDims, BypassLengths: lengths}
}

func checkIBT(t graphtest.T, s topology.IBT, g topology.Graph) {
	t.Helper()
	m, k := s.BypassDims, len(s.BypassLengths)
	strides := []int{1}
	for _, side := range s.Dims {
		strides = append(strides, strides[len(strides)-1]*side)
	}
	checkArcs(t, g, false, func(v int, add func(to, level int)) {
		p := coordinates(s.Dims, v)
		step := func(d, by, level int) {
			side := s.Dims[d]
			add(v+((p[d]+by%side+side)%side-p[d])*strides[d], level)
		}
		sum := 0
		for d := range s.Dims {
			step(d, 1, d)
			step(d, -1, d)
			if d < m {
				sum += p[d]
			}
		}
		h := sum % (m * k) / m
		step(sum%m, s.BypassLengths[h], len(s.Dims)+h)
		step(sum%m, -s.BypassLengths[h], len(s.Dims)+h)
	})
}

// TestFigures holds the distances and bisections of Table 1 and Fig. 1 of
// Zhang, Powell and Deng (IEEE TPDS 22(2), 2011) against the graphs: means and
// population deviations over all ordered pairs, self pairs included. The cost
// is the diameter times the degree that the table prints.
func TestFigures(t *testing.T) {
	type spec = topology.Params
	type ints = topology.Ints
	type row struct {
		name      string
		spec      spec
		mean, dev float64 // as printed, to `digits` places
		diameter  int
		bisection float64 // NaN where the row has none
		degree    int     // as printed
		cost      int     // network cost as printed, 0 where the row has none
		digits    int
	}
	none := math.NaN()
	square := func(bisection float64, length ...int) func(mean, dev float64, diameter, cost int) row {
		return func(mean, dev float64, diameter, cost int) row {
			s := ibt(2, length, 32, 32, 32)
			return row{fmt.Sprint("Table 1, iBT 32x32x32 L=2 ", length), s, mean, dev, diameter, bisection, 8, cost, 4}
		}
	}
	flat := func(bisection float64, length ...int) func(mean, dev float64, diameter, cost int) row {
		return func(mean, dev float64, diameter, cost int) row {
			s := ibt(2, length, 64, 64, 8)
			return row{fmt.Sprint("Table 1, iBT 64x64x8 L=2 ", length), s, mean, dev, diameter, bisection, 8, cost, 4}
		}
	}
	cube := func(bisection float64, length ...int) func(mean, dev float64, diameter, cost int) row {
		return func(mean, dev float64, diameter, cost int) row {
			s := ibt(3, length, 30, 30, 36)
			return row{fmt.Sprint("Table 1, iBT 30x30x36 L=3 ", length), s, mean, dev, diameter, bisection, 8, cost, 4}
		}
	}
	tests := []row{
		{"Fig. 1, torus 4x8", topology.Torus{Dims: ints{4, 8}}, 3.00, 1.41, 6, none, 4, 0, 2},
		{"Fig. 1, iBT 32 L=1 <4,8>", ibt(1, ints{4, 8}, 32), 2.41, 0.95, 4, none, 4, 0, 2},
		{"Fig. 1, iBT 32 L=1 <8>", ibt(1, ints{8}, 32), 2.94, 1.32, 5, none, 4, 0, 2},

		square(2048, 2)(16.7344, 5.6961, 33, 264),
		square(2048, 4)(13.8594, 4.9855, 26, 208), // printed 13.8593; the mean is 13.859375
		square(2048, 6)(13.3730, 4.8800, 26, 208),
		square(2048, 8)(13.8984, 4.9872, 26, 208),
		square(2048, 16)(16.9414, 5.6963, 32, 256),
		square(2048, 4, 8)(13.1035, 4.8235, 24, 192),
		square(2048, 4, 16)(13.3257, 4.8199, 24, 192),
		square(2048, 8, 16)(13.6416, 4.9104, 26, 208),
		flat(2048, 2)(18.7422, 6.6664, 37, 296),
		flat(3072, 4)(11.8672, 3.5835, 22, 176),
		flat(5120, 8)(9.9023, 2.6172, 18, 144), // printed 6120
		flat(8192, 16)(11.9434, 3.5945, 22, 176),
		flat(8192, 32)(18.9697, 6.6687, 36, 288),
		flat(4096, 4, 8)(9.2908, 2.3277, 16, 128),
		flat(6144, 4, 16)(8.5679, 1.9477, 14, 112),
		flat(6144, 4, 32)(9.5942, 2.2946, 16, 128),
		flat(7168, 8, 16)(8.7402, 2.1133, 16, 128),
		flat(7168, 8, 32)(8.9987, 2.0954, 16, 128),
		flat(8192, 16, 32)(11.5198, 3.4786, 22, 176),
		cube(3600, 3)(10.3464, 2.8542, 19, 152),
		cube(5400, 6)(8.2800, 1.9675, 15, 120),
		cube(7200, 9)(8.8034, 2.2895, 16, 128),
		cube(9000, 12)(8.8827, 2.3044, 15, 120),
		cube(7560, 15)(11.3114, 3.3441, 21, 168),
		cube(7200, 6, 12)(7.5152, 1.5288, 12, 96),

		{"Table 1, 3D torus 32x32x32", topology.Torus{Dims: ints{32, 32, 32}}, 24, 8.0312, 48, 2048, 6, 288, 4},
		{"Table 1, 4D torus 16x16x16x8", topology.Torus{Dims: ints{16, 16, 16, 8}}, 14, 4.2426, 28, 4096, 8, 224, 4},
		{"Table 1, hypercube 2^15", topology.Hypercube{Dims: ints{15}}, 7.5, 1.9365, 15, 16384, 15, 225, 4},
		// PEC is not reproduced: printed 8.9068 and 1.8342.
		{"Table 1, PEC 256x128", topology.PEC{Dims: ints{256, 128}}, 8.9016, 1.8574, 15, 1920, 8, 120, 4},
		{"Table 1, SRT 128x128", topology.SRT{Dims: ints{128, 128}}, 7.8904, 1.6543, 13, 1664, 8, 104, 4},
		{"Table 1, SRT 256x256", topology.SRT{Dims: ints{256, 256}}, 10.0529, 1.9974, 16, 3840, 8, 128, 4},
		{"Table 1, RDT(2,4,1) 128x128", topology.RDT{Dims: ints{128, 128}}, 6.6113, 1.2340, 10, 5632, 8, 80, 4},
		{"Table 1, RDT(2,4,1) 256x256", topology.RDT{Dims: ints{256, 256}}, 7.8076, 1.4521, 12, 23552, 8, 96, 4},
		// The deviation is printed as 2.8432.
		{"Table 1, CCC 11", topology.CCC{Dims: ints{11}}, 15.2685, 2.8431, 25, 1024, 3, 75, 4},
		// The deviation is printed as 2.9487.
		{"Table 1, CCC 12", topology.CCC{Dims: ints{12}}, 16.9020, 2.9486, 28, 2048, 3, 84, 4},
		{
			"Table 1, scalable barrel shifter 2^15",
			topology.BarrelShifter{Nodes: 1 << 15},
			5.1111, 1.1000, 8, 49150, 29,
			232, 4,
		},
		{"Table 1, de Bruijn DG(4,7)", topology.DeBruijn{Base: 4, Digits: 7}, 6.0287, 0.9025, 7, 32768, 8, 56, 4},
		{"Table 1, de Bruijn DG(4,8)", topology.DeBruijn{Base: 4, Digits: 8}, 7.0145, 0.9134, 8, 131072, 8, 64, 4},
		// 4 is the mean degree.
		{"Table 1, hybrid fat tree 2^15", topology.HybridFatTree{Nodes: 1 << 15}, 9.3334, 1.6922, 15, 3, 4, 60, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := graphtest.New(t, tt.spec)
			if f, ok := g.(topology.Formulas); ok {
				if got := f.ClosedForms().Bisection; !math.IsNaN(tt.bisection) && got != tt.bisection {
					t.Errorf("bisection %g, expected %g", got, tt.bisection)
				}
			}
			var h hops
			if tt.spec.Family() == "hybrid-fat-tree" && !graphtest.Long() { // no orbits: searches from 32,768 nodes
				s := graphtest.Hops(t, g, measure.Routers)
				h = hops{mean: s.MeanWithSelf, deviation: s.Std, diameter: s.Diameter}
			} else {
				h = hopsOf(t, g)
			}
			round := math.Pow(10, float64(tt.digits))
			if math.Round(h.mean*round) != math.Round(tt.mean*round) ||
				math.Round(h.deviation*round) != math.Round(tt.dev*round) {
				t.Errorf("%.6f +- %.6f, expected %g +- %g", h.mean, h.deviation, tt.mean, tt.dev)
			}
			if h.diameter != tt.diameter || tt.cost > 0 && tt.degree*h.diameter != tt.cost {
				t.Errorf("diameter %d, cost %d, expected %d, %d", h.diameter, tt.degree*h.diameter, tt.diameter,
					tt.cost)
			}
		})
	}
}

// TestPrintedBisectionsAreNotMinimumCuts finds smaller cuts of equal halves than Table 1 of Zhang et al. prints: halves
// that repeat along a dimension as often as the bypass links of that dimension reach, so that none of these is cut.
func TestPrintedBisectionsAreNotMinimumCuts(t *testing.T) {
	tests := []struct {
		spec    topology.Params
		printed float64
		cut     int
		half    func(x, y, z int) bool
	}{
		{ibt(2, topology.Ints{16}, 64, 64, 8), 8192, 4096, func(x, _, _ int) bool { return x%16 < 8 }},
		{ibt(2, topology.Ints{8, 32}, 64, 64, 8), 7168, 6144, func(x, _, _ int) bool { return x%32 < 16 }},
		{ibt(3, topology.Ints{12}, 30, 30, 36), 9000, 5400, func(_, _, z int) bool { return z%12 < 6 }},
		// 15 is odd: blocks of 7 and 8 along x take turns along y, and along z where these leave a remainder.
		{ibt(3, topology.Ints{15}, 30, 30, 36), 7560, 4640, func(x, y, z int) bool {
			return x%15 < 7 || x%15 == 7 && (y%15 < 7 || y%15 == 7 && z < 30 && z%15 < 9)
		}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.spec), func(t *testing.T) {
			g := graphtest.New(t, tt.spec)
			if got := g.(topology.Formulas).ClosedForms().Bisection; got != tt.printed {
				t.Errorf("cut by planes %g, printed %g", got, tt.printed)
			}
			dims := g.(topology.Lattice).Dims()
			side := func(v int32) bool {
				x, rest := int(v)%dims[0], int(v)/dims[0]
				return tt.half(x, rest%dims[1], rest/dims[1])
			}
			size, cut := 0, 0
			for v := range topology.Vertices(g) {
				if side(int32(v)) {
					size++
				}
			}
			for l := range g.Links() {
				if side(l.A) != side(l.B) {
					cut++
				}
			}
			if 2*size != topology.Vertices(g) || cut != tt.cut {
				t.Errorf("a part of %d nodes has %d links across, expected a half with %d", size, cut, tt.cut)
			}
		})
	}
}
