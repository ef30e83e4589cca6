package qap

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// libraries are the folders of instances of QAPLIB, by R. E. Burkard, S. E. Karisch and F. Rendl: a few small ones come
// along, the others are used where they stand beside the repository.
var libraries = []string{"testdata/qaplib", "../../../shared/data/qaplib"}

// drawInstance draws a small instance: symmetric or not, sparse or not, with a
// diagonal or without, with pins and classes or without.
func drawInstance(t *rapid.T, most int) *Instance {
	n := rapid.IntRange(1, most).Draw(t, "n")
	q := &Instance{N: n, A: drawMatrix(t, n, "A", 1<<31), B: drawMatrix(t, n, "B", 1<<15)}
	if rapid.Bool().Draw(t, "classes") {
		locations := rapid.SliceOfN(rapid.IntRange(0, 2), n, n).Draw(t, "classes of locations")
		q.LocationClass = locations
		q.ObjectClass = rapid.Permutation(locations).Draw(t, "classes of objects")
	}
	if rapid.Bool().Draw(t, "pins") {
		p := drawAllowed(t, q)
		for i := range p {
			if rapid.IntRange(0, 2).Draw(t, "free") > 0 {
				p[i] = -1
			}
		}
		q.Pins = p
	}
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	return q
}

func drawMatrix(t *rapid.T, n int, name string, most int64) []int64 {
	largest := rapid.SampledFrom([]int64{1, 9, 1000, most}).Draw(t, name+" up to")
	sparse := rapid.IntRange(0, 3).Draw(t, name+" sparse")
	seed := rapid.Uint64().Draw(t, name+" seed")
	random := rand.New(rand.NewPCG(seed, 0))
	a := make([]int64, n*n)
	for i := range a {
		if random.IntN(sparse+1) == 0 {
			a[i] = random.Int64N(2*largest+1) - largest
		}
	}
	symmetric, diagonal := rapid.Bool().Draw(t, name+" symmetric"), rapid.Bool().Draw(t, name+" diagonal")
	for i := range n {
		for j := range i {
			if symmetric {
				a[i*n+j] = a[j*n+i]
			}
		}
		if !diagonal {
			a[i*n+i] = 0
		}
	}
	return a
}

// drawAllowed draws a permutation that keeps to pins and classes.
func drawAllowed(t *rapid.T, q *Instance) []int {
	p := make([]int, q.N)
	taken := map[int]bool{}
	for i := range p {
		p[i] = -1
		if q.Pins != nil && q.Pins[i] >= 0 {
			p[i] = q.Pins[i]
			taken[p[i]] = true
		}
	}
	for i := range p {
		if p[i] >= 0 {
			continue
		}
		var open []int
		for k := range q.N {
			if !taken[k] && (q.ObjectClass == nil || q.ObjectClass[i] == q.LocationClass[k]) {
				open = append(open, k)
			}
		}
		p[i] = rapid.SampledFrom(open).Draw(t, "location")
		taken[p[i]] = true
	}
	return p
}

// bruteForce tries every permutation that is allowed.
func bruteForce(q *Instance) int64 {
	least := int64(math.MaxInt64)
	permute(q.N, func(p []int) {
		if q.Allows(p) == nil {
			least = min(least, q.Cost(p))
		}
	})
	return least
}

// permute calls f with all permutations of n numbers.
func permute(n int, f func([]int)) {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	var from func(i int)
	from = func(i int) {
		if i == n {
			f(p)
		}
		for j := i; j < n; j++ {
			p[i], p[j] = p[j], p[i]
			from(i + 1)
			p[i], p[j] = p[j], p[i]
		}
	}
	from(0)
}

func TestModelKeepsTheCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawInstance(t, 12)
		m := newModel(q)
		p := drawAllowed(t, q)
		inside := m.toModel(p)
		if got, want := m.cost(inside), q.Cost(p); got != want {
			t.Errorf("cost %d, expected %d", got, want)
		}
		if got := m.fromModel(inside); !slices.Equal(got, p) {
			t.Errorf("%v came back as %v", p, got)
		}
		for i, k := range inside {
			if int(k) < m.begin[i] || int(k) >= m.end[i] {
				t.Errorf("object %d at %d is not in its class [%d, %d)", i, k, m.begin[i], m.end[i])
			}
		}
	})
}

// After any exchanges, what every further one would cost is the difference of
// two costs worked out from the definition.
func TestDeltasEqualRecomputedCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawInstance(t, 24)
		m := newModel(q)
		m.fits32 = m.fits32 && rapid.Bool().Draw(t, "kernels")
		m.narrow = m.narrow && rapid.Bool().Draw(t, "narrow")
		s := newTabu(m)
		s.start(m.toModel(drawAllowed(t, q)), rand.NewPCG(1, 2))
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			if r, c := s.choose(); r >= 0 {
				s.swap(r, c)
			}
		}
		if got, want := s.current, q.Cost(m.fromModel(s.p)); got != want {
			t.Fatalf("cost %d, expected %d", got, want)
		}
		for u := range m.movable {
			row := s.deltas.below(nil, u, infinite)
			for v := m.begin[u]; v < u; v++ {
				p := slices.Clone(s.p)
				p[u], p[v] = p[v], p[u]
				want := q.Cost(m.fromModel(p)) - s.current
				if got := row[v-m.begin[u]]; got != (entry{v, want}) {
					t.Fatalf("exchanging %d and %d costs %v, expected %d", u, v, got, want)
				}
				if s.deltas.nextRow(u, u+1, want+1) != u {
					t.Fatalf("row %d has %d, but nothing as low is noted", u, want)
				}
			}
		}
	})
}

func TestKernels(t *testing.T) {
	if !hasAVX2 {
		t.Skip("the processor has no kernels")
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 37).Draw(t, "n")
		broad := func() []int64 { return rapid.SliceOfN(rapid.Int64Range(-1<<60, 1<<60), n, n).Draw(t, "wide") }
		entries := rapid.Int64Range(2-1<<30, 1<<30-2)
		slim := func() []int64 { return rapid.SliceOfN(entries, n, n).Draw(t, "narrow") }
		row, x, y := broad(), slim(), slim()
		xu, yu := entries.Draw(t, "xu"), entries.Draw(t, "yu")
		want := slices.Clone(row)
		slow, quick := &wide{model: &model{}}, &wide{model: &model{fits32: true}}
		lowest := slow.subtract(want, x, y, xu, yu)
		if got := quick.subtract(row, x, y, xu, yu); got != lowest || !slices.Equal(row, want) {
			t.Errorf("subtract: %d %v, expected %d %v", got, row, lowest, want)
		}
		slow.addScaled(want, xu, y)
		if quick.addScaled(row, xu, y); !slices.Equal(row, want) {
			t.Errorf("addScaled: %v, expected %v", row, want)
		}
	})
}

func TestAgainstBruteForce(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		q := drawInstance(t, 7)
		least := bruteForce(q)
		r, err := Solve(ctx, q, Options{Effort: Quick, Seed: rapid.Uint64().Draw(t, "seed"), steps: 200})
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Allows(r.Permutation); err != nil {
			t.Error(err)
		}
		if r.Cost != q.Cost(r.Permutation) || r.Cost != least {
			t.Errorf("found %d, costs %d, the least is %d", r.Cost, q.Cost(r.Permutation), least)
		}
		b, err := LowerBound(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if b.Value > least {
			t.Errorf("lower bound %d by %s, the least is %d", b.Value, b.Method, least)
		}
		m := newModel(q)
		for _, way := range []direction{flowsOut, flowsIn, flowsBoth} {
			if doubled, err := m.root().gilmoreLawler(ctx, way); err != nil || doubled > 2*least {
				t.Errorf("Gilmore-Lawler %d/2 by way %d, the least is %d: %v", doubled, way, least, err)
			}
		}
		if v, ok := m.projection(); ok && v > least {
			t.Errorf("projection %d, the least is %d", v, least)
		}
		p, cost, err := Exact(ctx, q)
		if err != nil || cost != least || q.Cost(p) != least || q.Allows(p) != nil {
			t.Errorf("exact %d at %v, the least is %d: %v", cost, p, least, err)
		}
	})
}

func TestAssign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		costs := rapid.SliceOfN(rapid.Int64Range(-50, 50), n*n, n*n).Draw(t, "costs")
		columns, sum := assign(n, costs)
		check, seen := int64(0), map[int]bool{}
		for i, j := range columns {
			check += costs[i*n+j]
			seen[j] = true
		}
		least := int64(math.MaxInt64)
		var place func(i int, taken []bool, sum int64)
		place = func(i int, taken []bool, sum int64) {
			if i == n {
				least = min(least, sum)
				return
			}
			for j := range n {
				if !taken[j] {
					taken[j] = true
					place(i+1, taken, sum+costs[i*n+j])
					taken[j] = false
				}
			}
		}
		place(0, make([]bool, n), 0)
		if sum != least || check != sum || len(seen) != n {
			t.Errorf("%v costs %d (%d), the least is %d", columns, sum, check, least)
		}
	})
}

// A search depends neither on the number of cores nor on what was done before.
func TestSameOnAnyNumberOfCores(t *testing.T) {
	q := randomInstance(40, 1)
	solve := func(cores int) *Result {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		r, err := Solve(context.Background(), q, Options{Effort: Quick, Seed: 3, steps: 300})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one, two := solve(1), solve(2)
	if !slices.Equal(one.Permutation, two.Permutation) || one.Steps != two.Steps {
		t.Errorf("one core found %d in %d steps, two found %d in %d", one.Cost, one.Steps, two.Cost, two.Steps)
	}
}

func randomInstance(n int, seed uint64) *Instance {
	random := rand.New(rand.NewPCG(seed, 0))
	q := &Instance{N: n, A: make([]int64, n*n), B: make([]int64, n*n)}
	for i := range n {
		for j := range i {
			q.A[i*n+j], q.B[i*n+j] = random.Int64N(100), random.Int64N(100)
			q.A[j*n+i], q.B[j*n+i] = q.A[i*n+j], q.B[i*n+j]
		}
	}
	return q
}

func TestMoreEffortIsNeverWorse(t *testing.T) {
	for seed := range uint64(3) {
		q := randomInstance(30, seed)
		last, steps := int64(math.MaxInt64), int64(0)
		for _, e := range Efforts() {
			r, err := Solve(context.Background(), q, Options{Effort: e, Seed: seed, steps: 50})
			if err != nil {
				t.Fatal(err)
			}
			if r.Cost > last || r.Steps <= steps {
				t.Errorf("seed %d: %s found %d in %d steps, less effort %d in %d",
					seed, e, r.Cost, r.Steps, last, steps)
			}
			last, steps = r.Cost, r.Steps
		}
	}
}

func TestNeverWorseThanTheStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawInstance(t, 12)
		start := drawAllowed(t, q)
		ctx, cancel := context.WithCancel(context.Background())
		if rapid.Bool().Draw(t, "interrupted") {
			cancel()
		}
		defer cancel()
		r, err := Solve(ctx, q, Options{Effort: Quick, Start: start, steps: 20})
		if err != nil {
			t.Fatal(err)
		}
		if r.Cost > q.Cost(start) || r.Interrupted != (ctx.Err() != nil) || ctx.Err() != nil && r.Steps > 0 {
			t.Errorf("%d after %d steps, started at %d", r.Cost, r.Steps, q.Cost(start))
		}
	})
}

// An interrupt keeps the best so far, which progress has shown.
func TestInterrupt(t *testing.T) {
	q := randomInstance(50, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var shown []Progress
	r, err := Solve(ctx, q, Options{Effort: Thorough, steps: 100, Progress: func(p Progress) {
		if shown = append(shown, p); len(shown) == 3 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted || len(shown) != 3 || r.Cost != shown[2].Cost || r.Cost != q.Cost(r.Permutation) ||
		r.Steps >= shown[2].Total {
		t.Errorf("%+v after %+v", r, shown)
	}
	for i := range shown[1:] {
		if shown[i+1].Cost > shown[i].Cost || shown[i+1].Steps <= shown[i].Steps {
			t.Errorf("%+v follows %+v", shown[i+1], shown[i])
		}
	}
}

// Progress of a large instance is shown before the first batch of searches ends, and an interrupt then keeps the best.
func TestProgressOfLargeInstances(t *testing.T) {
	q := randomInstance(600, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var shown []Progress
	r, err := Solve(ctx, q, Options{Effort: Quick, Progress: func(p Progress) {
		shown = append(shown, p)
		cancel()
	}})
	if err != nil {
		t.Fatal(err)
	}
	if first := shown[0]; first.Steps == 0 || first.Steps > first.Total/4 || r.Cost > first.Cost {
		t.Errorf("%+v after %+v", r.Cost, shown)
	}
	for i := range shown[1:] {
		if shown[i+1].Cost > shown[i].Cost || shown[i+1].Steps < shown[i].Steps {
			t.Errorf("%+v follows %+v", shown[i+1], shown[i])
		}
	}
	if !r.Interrupted || r.Cost != q.Cost(r.Permutation) {
		t.Errorf("cost %d", r.Cost)
	}
}

// A search that reaches a bound has nothing left to look for.
func TestBoundEndsTheSearch(t *testing.T) {
	q := &Instance{N: 20, A: make([]int64, 400), B: make([]int64, 400)}
	zero := int64(0)
	r, err := Solve(context.Background(), q, Options{Bound: &zero, steps: 50})
	if err != nil {
		t.Fatal(err)
	}
	full, err := Solve(context.Background(), q, Options{steps: 50})
	if err != nil || r.Steps >= full.Steps {
		t.Errorf("%d steps with a bound, %d without: %v", r.Steps, full.Steps, err)
	}
}

func TestWrongInstances(t *testing.T) {
	good := func() *Instance { return randomInstance(4, 1) }
	tests := []struct {
		want  string
		spoil func(q *Instance)
	}{
		{"qap: 0 objects; there may be 1 to 4096", func(q *Instance) { q.N = 0 }},
		{"qap: matrices of 16 and 15 entries for 4 objects", func(q *Instance) { q.B = q.B[1:] }},
		{"qap: entries are too large for exact costs", func(q *Instance) { q.A[1], q.B[1] = 1<<40, 1<<40 }},
		{"qap: entries are too large for exact costs", func(q *Instance) {
			q.A[1], q.A[2] = math.MinInt64, math.MinInt64
		}},
		{"qap: 1 pins for 4 objects", func(q *Instance) { q.Pins = []int{1} }},
		{"qap: object 1 is pinned to location 4 of 4", func(q *Instance) { q.Pins = []int{-1, 4, -1, -1} }},
		{"qap: object 0 is pinned to location -2 of 4", func(q *Instance) { q.Pins = []int{-2, 1, -1, -1} }},
		{"qap: two objects are pinned to location 2", func(q *Instance) { q.Pins = []int{2, -1, 2, -1} }},
		{"qap: classes of objects go with classes of locations", func(q *Instance) { q.ObjectClass = make([]int, 4) }},
		{"qap: classes of 4 objects and 3 locations, not 4", func(q *Instance) {
			q.ObjectClass, q.LocationClass = make([]int, 4), make([]int, 3)
		}},
		{"qap: class 1 has 1 objects more than locations", func(q *Instance) {
			q.ObjectClass, q.LocationClass = []int{1, 1, 2, 2}, []int{1, 2, 2, 2}
		}},
		{"qap: class 3 has 1 locations more than objects", func(q *Instance) {
			q.ObjectClass, q.LocationClass = []int{1, 1, 2, 2}, []int{3, 1, 1, 2}
		}},
		{"qap: object 0 of class 1 is pinned to location 3 of class 2", func(q *Instance) {
			q.ObjectClass, q.LocationClass, q.Pins = []int{1, 1, 2, 2}, []int{1, 1, 2, 2}, []int{3, -1, -1, -1}
		}},
	}
	for _, tt := range tests {
		q := good()
		tt.spoil(q)
		if _, err := Solve(context.Background(), q, Options{}); err == nil || err.Error() != tt.want {
			t.Errorf("%v, expected %s", err, tt.want)
		}
	}
	for _, start := range [][]int{{0, 1, 2}, {0, 1, 2, 2}, {0, 1, 2, 4}, {-1, 1, 2, 3}} {
		if _, err := Solve(context.Background(), good(), Options{Start: start}); err == nil {
			t.Errorf("%v is taken for a permutation of 4", start)
		}
	}
	if _, err := Solve(context.Background(), good(), Options{Effort: "some"}); err == nil {
		t.Error("any effort is taken")
	}
	if _, _, err := Exact(context.Background(), randomInstance(MaxExact+1, 1)); err == nil {
		t.Error("any number of objects is solved exactly")
	}
}

// open opens a file of QAPLIB, or skips the test.
func open(t testing.TB, name string) *os.File {
	t.Helper()
	for _, library := range libraries {
		f, err := os.Open(filepath.Join(library, name))
		if err == nil {
			t.Cleanup(func() { f.Close() })
			return f
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	t.Skipf("%s is not in %v", name, libraries)
	return nil
}

// load reads an instance of QAPLIB and its best known value, proved or not.
func load(t testing.TB, name string) (*Instance, int64) {
	t.Helper()
	f := open(t, name+".dat")
	q, err := Read(f.Name(), f)
	if err != nil {
		t.Fatal(err)
	}
	return q, bestKnown(t)[name]
}

func bestKnown(t testing.TB) map[string]int64 {
	t.Helper()
	known := map[string]int64{}
	for lines := bufio.NewScanner(open(t, "best-known.tsv")); lines.Scan(); {
		var name, symmetry string
		var n int
		var value int64
		if k, _ := fmt.Sscan(lines.Text(), &name, &n, &value, &symmetry); k == 4 {
			known[name] = value
		}
	}
	return known
}

// Published solutions cost what they are said to. Some list the inverse
// permutation, some halve the cost.
func TestPublishedSolutions(t *testing.T) {
	for name, best := range bestKnown(t) {
		t.Run(name, func(t *testing.T) {
			f := open(t, name+".sln")
			q, _ := load(t, name)
			p, cost, err := ReadSolution(f.Name(), f, q.N)
			if err != nil {
				t.Fatal(err)
			}
			inverse := make([]int, q.N)
			for i, k := range p {
				inverse[k] = i
			}
			got := []int64{q.Cost(p), q.Cost(inverse)}
			if !slices.Contains(got, best) && !slices.Contains(got, cost) && !slices.Contains(got, 2*cost) {
				t.Errorf("%d by the file, costs %v, best known %d", cost, got, best)
			}
			if min(got[0], got[1]) < best {
				t.Errorf("%v is better than the best known %d", got, best)
			}
		})
	}
}

// Gilmore-Lawler bounds as P. Hahn and T. Grant list them, "Lower bounds for the
// quadratic assignment problem based upon a dual formulation", Operations
// Research 46 (6), 1998.
func TestGilmoreLawlerAsPublished(t *testing.T) {
	for name, want := range map[string]int64{"nug12": 493, "nug15": 963, "nug20": 2057, "nug30": 4539} {
		q, _ := load(t, name)
		doubled, err := newModel(q).root().gilmoreLawler(context.Background(), flowsOut)
		if got := doubled>>1 + doubled&1; err != nil || got != want {
			t.Errorf("%s: %d, published %d: %v", name, got, want, err)
		}
	}
}

// Projection bounds as S. W. Hadley, F. Rendl and H. Wolkowicz list them, 1992.
func TestProjectionAsPublished(t *testing.T) {
	for name, want := range map[string]int64{"nug12": 472, "nug15": 973, "nug20": 2196, "nug30": 5266} {
		q, _ := load(t, name)
		if got, ok := newModel(q).projection(); !ok || got != want {
			t.Errorf("%s: %d, published %d", name, got, want)
		}
	}
}

func TestExactNug12(t *testing.T) {
	if testing.Short() {
		t.Skip("a search of seconds")
	}
	q, best := load(t, "nug12")
	p, cost, err := Exact(context.Background(), q)
	if err != nil || cost != best || q.Cost(p) != best {
		t.Errorf("%d at %v, published %d: %v", cost, p, best, err)
	}
}
