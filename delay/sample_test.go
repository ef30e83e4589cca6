package delay

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Of a sample the first are searched alone where the mean is known well enough from them, and all of it otherwise, in
// lattices row by row, along arcs and by translations; the stretch is that of the same sources.
func TestFirstOfASampleIsEnoughOrAllOfIt(t *testing.T) {
	for name, g := range map[string]topology.Graph{
		"rows": torus(9, 7), "orbit": torus(4, 6, 3), "mesh": lines(10, 6), "line": lines(40),
		"listed": &torus(9, 7).listed,
	} {
		c := topology.NewCSR(g)
		l := Links{}
		random := rand.New(rand.NewPCG(4, 9))
		for range len(c.To) / 2 {
			l.Add(units.Length(1+random.IntN(9)), uint8(random.IntN(2)))
		}
		at := func(v int) [3]units.Length { return [3]units.Length{units.Length(v), units.Length(v * v % 7), 0} }
		m := model(g)
		measure := func(opt Options) (*Result, *Stretch) {
			stretch := opt
			stretch.Progress = nil // told apart where both are not searched together
			r, s, err := PathsAndStretch(context.Background(), g, c, m, l, at, opt, stretch)
			if err != nil {
				t.Fatal(err)
			}
			alone, err := Paths(context.Background(), g, c, m, l, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(r, alone) || r.Sources != s.Sources {
				t.Errorf("%s, %+v: with the stretch of %d sources\n%+v\nwithout\n%+v", name, opt, s.Sources, r, alone)
			}
			return r, s
		}
		opt := Options{Limit: 1, Sources: 24, Seed: 5}
		whole, stretch := measure(opt)
		opt.First, opt.Within = 9, 0
		told := 0
		opt.Progress = func(done, total int) {
			if told = done; total != 24 {
				t.Errorf("%s: %d of %d sources", name, done, total)
			}
		}
		all, both := measure(opt)
		if told != 24 {
			t.Errorf("%s: %d sources told", name, told)
		}
		if d := cmp.Diff(whole, all); d != "" {
			t.Errorf("%s: a sample at once (-) and in two parts (+):\n%s", name, d)
		}
		if d := cmp.Diff(stretch, both, close9); d != "" {
			t.Errorf("%s: stretch of a sample at once (-) and in two parts (+):\n%s", name, d)
		}
		opt.Within = math.Inf(1)
		few, _ := measure(opt)
		if few.Sources != 9 || few.Pairs != 9*int64(few.Injectors-1) || told != 9 {
			t.Errorf("%s: %d sources and %d pairs, %d told; expected 9 sources", name, few.Sources, few.Pairs, told)
		}
		if off := math.Abs(float64(few.LeastMean - whole.LeastMean)); off > 6*float64(few.LeastStdErr) {
			t.Errorf("%s: %v of few, %v of more sources, standard error %v", name, few.LeastMean, whole.LeastMean,
				few.LeastStdErr)
		}
		opt.Within = float64(few.LeastStdErr/few.LeastMean) * 0.999
		if more, _ := measure(opt); more.Sources != 24 {
			t.Errorf("%s: %d sources for a smaller error than theirs", name, more.Sources)
		}
	}
}
