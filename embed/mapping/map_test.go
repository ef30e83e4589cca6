package mapping_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/topology"
)

// solvable is a problem that a hidden placement solves.
type solvable struct {
	*mapping.Problem
	hidden []int32
}

// drawProblem draws a problem that a hidden placement solves.
func drawProblem(t *rapid.T, n, places int) (*mapping.Problem, []int32) {
	classes := rapid.IntRange(1, 3).Draw(t, "classes")
	p := &mapping.Problem{Graph: drawGraph(t, n, classes), Costs: drawCosts(t, places, classes)}
	s := solvable{p, make([]int32, n)}
	for v := range s.hidden {
		s.hidden[v] = int32(rapid.IntRange(0, places-1).Draw(t, "place"))
	}
	if rapid.Bool().Draw(t, "together") && n > 2 {
		s.Together = [][]int32{{0, 2}}
		s.hidden[2] = s.hidden[0]
	}
	s.drawCapacities(t, places)
	if rapid.Bool().Draw(t, "pins") {
		s.Pinned = slices.Repeat([]int32{-1}, n)
		v := rapid.IntRange(0, n-1).Draw(t, "pinned")
		s.Pinned[v] = s.hidden[v]
	}
	if rapid.Bool().Draw(t, "rows") {
		s.addRows(places)
	}
	if rapid.Bool().Draw(t, "allowed") {
		s.PlaceClass, s.Allowed = make([]uint8, places), slices.Repeat([]uint64{math.MaxUint64}, n)
		for q := range s.PlaceClass {
			s.PlaceClass[q] = uint8(q % 3)
		}
		v := rapid.IntRange(0, n-1).Draw(t, "choosy")
		s.Allowed[v] = 1 << s.PlaceClass[s.hidden[v]]
	}
	if rapid.Bool().Draw(t, "apart") && n > 3 {
		s.addApart(rapid.IntRange(0, len(s.Layers)).Draw(t, "layer"))
	}
	switch rapid.IntRange(0, 2).Draw(t, "objective") {
	case 1:
		s.Objective.LongestFirst = true
	case 2:
		s.Objective.Lambda = 5
	}
	return p, s.hidden
}

func drawGraph(t *rapid.T, n, classes int) *mapping.Graph {
	var edges []mapping.Edge
	for range rapid.IntRange(0, 3*n).Draw(t, "edges") {
		a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
		if a != b {
			edges = append(edges, mapping.Edge{
				A: int32(a), B: int32(b), Weight: rapid.Int64Range(0, 3).Draw(t, "weight"),
				Class: uint8(rapid.IntRange(0, classes-1).Draw(t, "class")),
			})
		}
	}
	g, err := mapping.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// drawCapacities draws sizes, and what the hidden placement needs or a little more.
func (s solvable) drawCapacities(t *rapid.T, places int) {
	if rapid.Bool().Draw(t, "sizes") {
		s.Resources = []string{"rack units", "power"}
		for range 2 * len(s.hidden) {
			s.Size = append(s.Size, rapid.Int64Range(0, 4).Draw(t, "size"))
		}
	}
	s.Capacity = s.loads(places, func(q int32) int32 { return q })
	for i := range s.Capacity {
		s.Capacity[i] += rapid.Int64Range(0, 2).Draw(t, "spare")
	}
}

// loads is what the hidden placement puts into each of so many domains of places.
func (s solvable) loads(domains int, of func(place int32) int32) []int64 {
	resources := max(1, len(s.Resources))
	out := make([]int64, domains*resources)
	for v, q := range s.hidden {
		for r := range resources {
			size := int64(1)
			if s.Size != nil {
				size = s.Size[v*resources+r]
			}
			out[int(of(q))*resources+r] += size
		}
	}
	return out
}

// addRows divides the places into two rows that offer the required places.
func (s solvable) addRows(places int) {
	layer := mapping.Layer{Of: make([]int32, places)}
	for q := range layer.Of {
		layer.Of[q] = int32(q % 2)
	}
	layer.Capacity = s.loads(2, func(q int32) int32 { return layer.Of[q] })
	s.Layers = append(s.Layers, layer)
}

// addApart keeps three vertices as far apart as they are.
func (s solvable) addApart(layer int) {
	a := mapping.AntiAffinity{Vertices: []int32{1, 2, 3}, Layer: layer}
	count := make(map[int32]int)
	for _, v := range a.Vertices {
		d := s.hidden[v]
		if layer > 0 {
			d = s.Layers[0].Of[d]
		}
		count[d]++
		a.AtMost = max(a.AtMost, count[d])
	}
	s.AntiAffinity = append(s.AntiAffinity, a)
}

func drawCosts(t *rapid.T, places, classes int) *mapping.Costs {
	must := func(c *mapping.Costs, err error) *mapping.Costs {
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	coordinates := func() []int32 {
		return rapid.SliceOfN(rapid.Int32Range(-5, 5), places, places).Draw(t, "coordinates")
	}
	switch rapid.IntRange(0, 3).Draw(t, "costs") {
	case 0:
		return mapping.Grid(places, 1)
	case 1:
		return must(mapping.Taxicab(coordinates(), coordinates(), coordinates()))
	case 2:
		curves := make([][]int32, classes)
		for i := range curves {
			curves[i] = rapid.SliceOfN(rapid.Int32Range(0, 9), 1, 12).Draw(t, "curve")
		}
		return must(mapping.Taxicab(coordinates(), coordinates(), nil, curves...))
	}
	tables := make([][]int32, classes)
	for i := range tables {
		tables[i] = rapid.SliceOfN(rapid.Int32Range(0, 9), places*places, places*places).Draw(t, "table")
	}
	return must(mapping.Tables(places, tables...))
}

// broken names a rule that a placement breaks.
func broken(p *mapping.Problem, place []int32) string {
	resources := max(1, len(p.Resources))
	load := make([]int64, len(p.Capacity))
	rows := make(map[[3]int]int64)
	for v, q := range place {
		if p.Pinned != nil && p.Pinned[v] >= 0 && p.Pinned[v] != q {
			return fmt.Sprintf("vertex %d is pinned to %d", v, p.Pinned[v])
		}
		if p.Allowed != nil && p.Allowed[v]>>p.PlaceClass[q]&1 == 0 {
			return fmt.Sprintf("vertex %d may not stand on %d", v, q)
		}
		for r := range resources {
			s := int64(1)
			if p.Size != nil {
				s = p.Size[v*resources+r]
			}
			load[int(q)*resources+r] += s
			for l, layer := range p.Layers {
				rows[[3]int{l, int(layer.Of[q]), r}] += s
			}
		}
	}
	for i, c := range p.Capacity {
		if load[i] > c {
			return fmt.Sprintf("place %d holds %d of %d", i/resources, load[i], c)
		}
	}
	for k, x := range rows {
		if c := p.Layers[k[0]].Capacity; c != nil && x > c[k[1]*resources+k[2]] {
			return fmt.Sprintf("domain %v holds %d", k, x)
		}
	}
	for _, group := range p.Together {
		for _, v := range group {
			if place[v] != place[group[0]] {
				return fmt.Sprintf("group %v is torn apart", group)
			}
		}
	}
	for _, a := range p.AntiAffinity {
		count := make(map[int32]int)
		for _, v := range a.Vertices {
			d := place[v]
			if a.Layer > 0 {
				d = p.Layers[a.Layer-1].Of[d]
			}
			if count[d]++; count[d] > a.AtMost {
				return fmt.Sprintf("%d of group %v are together", count[d], a.Vertices)
			}
		}
	}
	return ""
}

// scoreAnew counts the score edge by edge.
func scoreAnew(p *mapping.Problem, place []int32) mapping.Score {
	var s mapping.Score
	for v := range p.Graph.Vertices() {
		for k := p.Graph.First[v]; k < p.Graph.First[v+1]; k++ {
			if p.Graph.Class[k]%2 == 1 {
				continue
			}
			w := int64(1)
			if p.Graph.Weight != nil {
				w = p.Graph.Weight[k]
			}
			c := p.Costs.At(p.Graph.Class[k]/2, int(place[v]), int(place[p.Graph.To[k]]))
			s.Sum += c * w
			if c > s.Longest {
				s.Longest, s.AtLongest = c, 0
			}
			if c == s.Longest {
				s.AtLongest++
			}
		}
	}
	return s
}

func better(o mapping.Objective, a, b mapping.Score) bool {
	if o.LongestFirst {
		return slices.Compare([]int64{a.Longest, a.AtLongest, a.Sum}, []int64{b.Longest, b.AtLongest, b.Sum}) < 0
	}
	return a.Sum+o.Lambda*a.Longest < b.Sum+o.Lambda*b.Longest
}

// Small problems with all kinds of rules: every step adds up, rules hold, scores
// are exact, more effort and a start never make it worse, and bound <= optimum
// <= result, where the optimum comes from trying everything.
func TestSmallProblems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, places := rapid.IntRange(1, 5).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "places")
		p, hidden := drawProblem(t, n, places)
		if bad := broken(p, hidden); bad != "" {
			t.Fatalf("the hidden placement breaks a rule: %s", bad)
		}
		if bad, err := mapping.Check(p, hidden, 200, 3, 1); bad != "" || err != nil {
			t.Fatal(bad, err)
		}
		optimum, least := exhaust(p, n, places)
		for _, starts := range [][][]int32{{hidden}, nil} {
			r, err := mapping.Map(context.Background(), p, mapping.Options{Effort: mapping.Quick, Starts: starts})
			if errors.Is(err, mapping.ErrInfeasible) && starts == nil {
				break // it may not be found without a start
			}
			if err != nil {
				t.Fatal(err)
			}
			if bad := broken(p, r.Place); bad != "" {
				t.Fatal(bad)
			}
			if s := scoreAnew(p, r.Place); s != r.Score {
				t.Fatalf("score %+v is %+v", r.Score, s)
			}
			if better(p.Objective, r.Score, optimum) {
				t.Fatalf("%+v is better than the optimum %+v", r.Score, optimum)
			}
			if starts != nil && better(p.Objective, scoreAnew(p, hidden), r.Score) {
				t.Fatal("the result is worse than the start")
			}
		}
		b, err := mapping.LowerBound(p)
		if err != nil {
			t.Fatal(err)
		}
		if b.Value > least {
			t.Fatalf("the bound %+v is above the optimum %d", b, least)
		}
	})
}

// exhaust finds the best score, and the least sum, over all placements.
func exhaust(p *mapping.Problem, n, places int) (best mapping.Score, least int64) {
	place := make([]int32, n)
	found := false
	var try func(v int)
	try = func(v int) {
		if v < n {
			for q := range places {
				place[v] = int32(q)
				try(v + 1)
			}
			return
		}
		if broken(p, place) != "" {
			return
		}
		s := scoreAnew(p, place)
		if !found || better(p.Objective, s, best) {
			best = s
		}
		if !found || s.Sum < least {
			least = s.Sum
		}
		found = true
	}
	try(0)
	return best, least
}

// grids are middling problems on a grid.
func grids(t testing.TB) map[string]*mapping.Problem {
	out := make(map[string]*mapping.Problem)
	for name, spec := range map[string]topology.Params{
		"torus":  topology.Torus{Dims: topology.Ints{4, 4, 4}},
		"random": topology.RandomRegular{Nodes: 60, Degree: 5, Seed: 3},
	} {
		out[name] = &mapping.Problem{Graph: graph(t, spec), Costs: mapping.Grid(4, 4), Capacity: repeat(4, 16)}
	}
	rows := *out["random"]
	rows.Objective.Lambda = 10
	rows.Together = [][]int32{{3, 4}, {10, 20}}
	rows.AntiAffinity = []mapping.AntiAffinity{{Vertices: []int32{0, 1, 2, 3}, AtMost: 1, Layer: 1}}
	rows.Layers = []mapping.Layer{{Of: []int32{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}}}
	out["rules"] = &rows
	if testing.Short() {
		return out
	}
	longest := *out["torus"]
	longest.Objective.LongestFirst = true
	out["longest"] = &longest
	return out
}

// More effort is never worse for the same seed, and the cores do not matter.
func TestEffortAndCores(t *testing.T) {
	for name, p := range grids(t) {
		t.Run(name, func(t *testing.T) {
			var last *mapping.Result
			for _, effort := range mapping.Efforts()[:2] {
				if effort == mapping.Normal && !long() && (name != "rules" || testing.Short()) {
					continue
				}
				var results [2]*mapping.Result
				for cores := range 2 {
					func() {
						defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores + 1))
						r, err := mapping.Map(context.Background(), p, mapping.Options{Effort: effort, Seed: 5})
						if err != nil {
							t.Fatal(err)
						}
						results[cores] = r
					}()
				}
				one, two := results[0], results[1]
				if !slices.Equal(one.Place, two.Place) || one.Score != two.Score || one.Steps != two.Steps {
					t.Errorf("%s: one core gives %+v, two %+v", effort, one.Score, two.Score)
				}
				if bad := broken(p, results[0].Place); bad != "" {
					t.Error(bad)
				}
				if last != nil && better(p.Objective, last.Score, results[0].Score) {
					t.Errorf("%s gives %+v, less effort %+v", effort, results[0].Score, last.Score)
				}
				last = results[0]
			}
		})
	}
}

// Every step adds up on middling problems too, also where many steps are taken.
func TestSteps(t *testing.T) {
	for name, p := range grids(t) {
		r, err := mapping.Map(context.Background(), p, mapping.Options{Effort: mapping.Quick})
		if err != nil {
			t.Fatal(err)
		}
		if bad, err := mapping.Check(p, r.Place, 3000, 4, 2); bad != "" || err != nil {
			t.Errorf("%s: %s %v", name, bad, err)
		}
	}
}

// Steps on grids of all shapes add up: long hops, full places and room, pins,
// parallel edges and vertices without any, and as many neighbours of all as fill a cache line.
func TestGridSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 40).Draw(t, "w"), rapid.IntRange(1, 12).Draw(t, "h")
		n := rapid.IntRange(1, 60).Draw(t, "n")
		var edges []mapping.Edge
		add := func(a, b int) {
			if a != b {
				edges = append(edges, mapping.Edge{A: int32(a), B: int32(b)})
			}
		}
		if rapid.Bool().Draw(t, "regular") {
			for range rapid.IntRange(7, 17).Draw(t, "rings") {
				step := rapid.IntRange(1, n).Draw(t, "step")
				for a := range n {
					add(a, (a+step)%n)
				}
			}
		} else {
			for range rapid.IntRange(0, 4*n).Draw(t, "edges") {
				add(rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b"))
			}
		}
		g, err := mapping.NewGraph(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		p := &mapping.Problem{Graph: g, Costs: mapping.Grid(w, h), Capacity: repeat(int64((n+w*h-1)/(w*h)), w*h)}
		place := mapping.Random(n, p.Capacity, 1)
		if rapid.Bool().Draw(t, "pins") {
			p.Pinned = slices.Repeat([]int32{-1}, n)
			v := rapid.IntRange(0, n-1).Draw(t, "pinned")
			p.Pinned[v] = place[v]
		}
		if !mapping.OnGrid(p) {
			t.Fatal("the steps are taken the slow way")
		}
		temperature := rapid.SampledFrom([]float64{0, 1, 30}).Draw(t, "temperature")
		if bad, err := mapping.Check(p, place, 100, temperature, 2); bad != "" || err != nil {
			t.Fatal(bad, err)
		}
	})
}

// An interrupt keeps the best placement so far, which holds every rule.
func TestInterrupt(t *testing.T) {
	for name, p := range grids(t) {
		ctx, cancel := context.WithCancel(context.Background())
		reports, last := 0, mapping.Score{}
		r, err := mapping.Map(ctx, p, mapping.Options{Effort: mapping.Thorough, Progress: func(x mapping.Progress) {
			if reports++; reports > 1 && better(p.Objective, last, x.Best) {
				t.Errorf("%s: the best becomes worse: %+v after %+v", name, x.Best, last)
			}
			if last = x.Best; reports == 5 {
				cancel()
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Interrupted || broken(p, r.Place) != "" || better(p.Objective, last, r.Score) {
			t.Errorf("%s: interrupted %v, %s, %+v after %+v", name, r.Interrupted, broken(p, r.Place), r.Score, last)
		}
	}
}

// What cannot fit is named.
func TestInfeasible(t *testing.T) {
	path := func(n int) *mapping.Graph {
		var edges []mapping.Edge
		for v := range int32(n - 1) {
			edges = append(edges, mapping.Edge{A: v, B: v + 1})
		}
		g, err := mapping.NewGraph(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	base := func() *mapping.Problem {
		return &mapping.Problem{Graph: path(4), Costs: mapping.Grid(3, 1), Capacity: []int64{2, 2, 2}}
	}
	tests := []struct {
		name   string
		change func(p *mapping.Problem)
		want   string
	}{
		{"too much in all", func(p *mapping.Problem) {
			p.Capacity = []int64{1, 1, 1}
		}, "the vertices take 4 vertices, the places offer 3"},
		{"too large", func(p *mapping.Problem) {
			p.Resources, p.Size = []string{"rack units"}, []int64{1, 3, 1, 1}
		}, "vertex 1 takes 3 rack units, the largest place allowed to it offers 2"},
		{"rows too small", func(p *mapping.Problem) {
			p.Layers = []mapping.Layer{{Of: []int32{0, 0, 1}, Capacity: []int64{2, 1}}}
		}, "the vertices take 4 vertices, the domains of layer 0 offer 3"},
		{"pins collide", func(p *mapping.Problem) {
			p.Pinned = []int32{1, 1, 1, -1}
		}, "vertex 2 is pinned to place 1, where the other"},
		{"pinned where not allowed", func(p *mapping.Problem) {
			p.Pinned = []int32{1, -1, -1, -1}
			p.PlaceClass, p.Allowed = []uint8{0, 1, 0}, []uint64{1, 3, 3, 3}
		}, "vertex 0 is pinned to place 1, whose class is not allowed to it"},
		{"no class", func(p *mapping.Problem) {
			p.PlaceClass, p.Allowed = []uint8{0, 1, 0}, []uint64{4, 3, 3, 3}
		}, "no place is of a class allowed to vertex 0"},
		{"too few allowed", func(p *mapping.Problem) {
			p.PlaceClass, p.Allowed = []uint8{0, 1, 0}, []uint64{2, 2, 2, 3}
		}, "the places allowed to it and to the others are too few"},
		{"apart", func(p *mapping.Problem) {
			p.AntiAffinity = []mapping.AntiAffinity{{Vertices: []int32{0, 1, 2, 3}, AtMost: 1}}
		}, "apart group 0 has 4 vertices, of which at most 1 may share one of 3 domains"},
		{"together", func(p *mapping.Problem) {
			p.Together = [][]int32{{0, 1, 3}}
		}, "the group of vertices [0 1 3] takes 3 vertices"},
		{"together and pinned", func(p *mapping.Problem) {
			p.Together, p.Pinned = [][]int32{{0, 1}}, []int32{0, 1, -1, -1}
		}, "vertex 1 is pinned to place 1, and another of its group to place 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := base()
			tt.change(p)
			_, err := mapping.Map(context.Background(), p, mapping.Options{Effort: mapping.Quick})
			if !errors.Is(err, mapping.ErrInfeasible) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v; want %q", err, tt.want)
			}
		})
	}
}

// Making way finds a placement wherever there is one: vertices that may stand on
// few places come last.
func TestMakingWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		g, err := mapping.NewGraph(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := &mapping.Problem{Graph: g, Costs: mapping.Grid(n, 1), Capacity: repeat(1, n), PlaceClass: make([]uint8, n)}
		order := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
			for v := range n {
				if !yield(v) {
					return
				}
			}
		})).Draw(t, "hidden")
		for v := range n {
			p.PlaceClass[v] = uint8(v)
			p.Allowed = append(p.Allowed, 1<<order[v]|rapid.Uint64Range(0, 1<<n-1).Draw(t, "others"))
		}
		r, err := mapping.Map(context.Background(), p, mapping.Options{Effort: mapping.Quick})
		if err != nil {
			t.Fatal(err)
		}
		if bad := broken(p, r.Place); bad != "" {
			t.Fatal(bad)
		}
	})
}

func TestGap(t *testing.T) {
	for sum, want := range map[int64]float64{0: 0, 80: 0, 100: 0.2, 160: 0.5} {
		if got := (mapping.Bound{Value: 80}).Gap(sum); got != want {
			t.Errorf("a sum of %d is %v above a bound of 80, want %v", sum, got, want)
		}
	}
}
