package topology_test

import (
	"fmt"
	"math/bits"
	"strconv"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// TestSRT checks a size that takes too long to be drawn often.
func TestSRT(t *testing.T) {
	s := topology.SRT{Dims: topology.Ints{32, 32}}
	g := graphtest.New(t, s)
	graphtest.Check(t, g)
	checkDeclared(t, g)
	checkSRT(t, s, g)
}

func checkSRT(t graphtest.T, s topology.SRT, g topology.Graph) {
	t.Helper()
	checkShifted(t, s.Dims, 1<<(bits.TrailingZeros(uint(s.Dims[0]))/2)+1, g)
}

func checkPEC(t graphtest.T, s topology.PEC, g topology.Graph) {
	t.Helper()
	checkShifted(t, s.Dims, 3, g)
}

// checkShifted follows the definition of the links by the sum x + b y.
func checkShifted(t graphtest.T, dims []int, b int, g topology.Graph) {
	t.Helper()
	columns, rows := dims[0], dims[1]
	n := bits.TrailingZeros(uint(columns))
	checkArcs(t, g, false, func(v int, add func(to, level int)) {
		x, y := v%columns, v/columns
		step := func(dx, dy, level int) {
			add((x+dx+columns)%columns+(y+dy+rows)%rows*columns, level)
		}
		step(1, 0, 0)
		step(0, 1, 1)
		for t := range n - 1 {
			if sum := (x + b*y) % columns; sum%(2<<t) == 1<<t {
				for _, d := range []int{2 << t, -2 << t} {
					step(d, 0, 2+t)
					step(0, d, 2+t)
				}
			}
		}
	})
	checkPlaneCut(t, g, columns)
}

// checkPlaneCut compares the bisection of a two-dimensional network with the links
// between the halves of its columns.
func checkPlaneCut(t graphtest.T, g topology.Graph, columns int) {
	t.Helper()
	cut := 0
	for l := range g.Links() {
		if (int(l.A)%columns < columns/2) != (int(l.B)%columns < columns/2) {
			cut++
		}
	}
	graphtest.Equal(t, "bisection", int64(g.(topology.Formulas).ClosedForms().Bisection), int64(cut))
}

func checkRDT(t graphtest.T, s topology.RDT, g topology.Graph) {
	t.Helper()
	columns, rows := s.Dims[0], s.Dims[1]
	checkArcs(t, g, false, func(v int, add func(to, level int)) {
		x, y := v%columns, v/columns
		step := func(dx, dy, level int) {
			if 2*max(dx, -dx) <= columns && 2*max(dy, -dy) <= rows {
				add((x+dx+columns)%columns+(y+dy+rows)%rows*columns, level)
			}
		}
		step(1, 0, 0)
		step(0, 1, 1)
		rank := int([]string{"1133", "4422", "3311", "2244"}[y%4][x%4] - '0')
		for _, d := range []int{[]int{0, 2, 8, 16, 64}[rank], -[]int{0, 2, 8, 16, 64}[rank]} {
			if rank%2 == 1 {
				step(d, d, 1+rank)
				step(d, -d, 1+rank)
			} else {
				step(d, 0, 1+rank)
				step(0, d, 1+rank)
			}
		}
	})
}

// TestRDTCut counts the links between the halves of the tori of Table 1.
func TestRDTCut(t *testing.T) {
	for side, want := range map[int32]int64{128: 5120, 256: 14336} {
		cut := 0
		for l := range graphtest.New(t, topology.RDT{Dims: topology.Ints{int(side), int(side)}}).Links() {
			if l.A%side < side/2 != (l.B%side < side/2) {
				cut++
			}
		}
		graphtest.Equal(t, "cut", int64(cut), want)
	}
}

// TestDeBruijnCuts counts the links between the halves of the de Bruijn graphs of Table 1.
func TestDeBruijnCuts(t *testing.T) {
	for digits, want := range map[int]int64{7: 32764, 8: 131068} {
		nodes := int32(1) << (2 * digits)
		cut := 0
		for l := range graphtest.New(t, topology.DeBruijn{Base: 4, Digits: digits}).Links() {
			if l.A < nodes/2 != (l.B < nodes/2) {
				cut++
			}
		}
		graphtest.Equal(t, "cut", int64(cut), want)
	}
}

func checkCCC(t graphtest.T, s topology.CCC, g topology.Graph) {
	t.Helper()
	n := s.Dims[0]
	checkArcs(t, g, false, func(v int, add func(to, level int)) {
		w, i := v/n, v%n
		add(w*n+(i+1)%n, 0)
		add(w*n+(i+n-1)%n, 0)
		add((w^1<<i)*n+i, 1+i)
		if want := fmt.Sprintf("(%d,%d)", w, i); g.Label(v) != want {
			t.Fatalf("label %s, expected %s", g.Label(v), want)
		}
	})
}

func checkBarrelShifter(t graphtest.T, s topology.BarrelShifter, g topology.Graph) {
	t.Helper()
	checkArcs(t, g, false, func(v int, add func(to, level int)) {
		for k := 0; 1<<k < s.Nodes; k++ {
			add((v+1<<k)%s.Nodes, k)
			add((v+s.Nodes-1<<k)%s.Nodes, k)
		}
	})
	halves, parity := 0, 0
	for l := range g.Links() {
		if (int(l.A) < s.Nodes/2) != (int(l.B) < s.Nodes/2) {
			halves++
		}
		parity += int(l.A^l.B) & 1
	}
	graphtest.Equal(t, "cut of halves", int64(g.(topology.Formulas).ClosedForms().Bisection), int64(halves))
	if s.Nodes > 2 {
		graphtest.Equal(t, "cut of even and odd", int64(s.Nodes), int64(parity))
	}
}

func checkDeBruijn(t graphtest.T, s topology.DeBruijn, g topology.Graph) {
	t.Helper()
	nodes := topology.Vertices(g)
	top := nodes / s.Base
	checkArcs(t, g, false, func(v int, add func(to, level int)) {
		for a := range s.Base {
			add((s.Base*v+a)%nodes, 0)
		}
		if s.Base <= 10 {
			want := strconv.FormatInt(int64(v), s.Base)
			for len(want) < s.Digits {
				want = "0" + want
			}
			if g.Label(v) != want {
				t.Fatalf("label %s, expected %s", g.Label(v), want)
			}
		}
	})
	if s.Base%2 == 0 && s.Digits > 1 {
		cut := 0
		for l := range g.Links() {
			if (int(l.A)/top < s.Base/2) != (int(l.B)/top < s.Base/2) {
				cut++
			}
		}
		want := int64(g.(topology.Formulas).ClosedForms().Bisection)
		graphtest.Equal(t, "cut", int64(cut), want-int64(s.Base*s.Base/4))
	}
}

func checkHybridFatTree(t graphtest.T, s topology.HybridFatTree, g topology.Graph) {
	t.Helper()
	checkArcs(t, g, false, func(v int, add func(to, level int)) {
		if v%2 == 0 {
			add(v+1, 0)
		}
		for k := 2; 1<<k <= s.Nodes; k++ {
			switch half := 1 << (k - 1); v % (1 << k) {
			case 0:
				add(v+half, k-1)
				add(v+half+half/2, k-1)
			case half / 2:
				add(v+half/2, k-1)
			}
		}
	})
	graphtest.Equal(t, "links", topology.Count(g).Links, int64(2*s.Nodes-3))
	cut := 0
	for l := range g.Links() {
		if (int(l.A) < s.Nodes/2) != (int(l.B) < s.Nodes/2) {
			cut++
		}
	}
	graphtest.Equal(t, "bisection", int64(g.(topology.Formulas).ClosedForms().Bisection), int64(cut))
}
