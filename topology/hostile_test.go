package topology_test

import (
	"fmt"
	"iter"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/internal/hostile"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
)

// TestHostileParameters puts values that nobody means into every parameter of every family, beside others that are
// right: each is refused at its parameter or makes a graph that can be asked, in bounded time and memory.
func TestHostileParameters(t *testing.T) {
	seeds := 2
	if os.Getenv("PLENUM_LONG") == "1" {
		seeds = 40
	}
	bounds := hostile.Bounds{Time: 2 * time.Second, Bytes: 300 << 20}
	cases := 0
	for _, f := range topology.Families() {
		for seed := range seeds {
			for name, p := range hostileMembers(rightMember(f.Name, seed)) {
				name = f.Name + " " + name
				bounds.Plus(linksOf(p)).Hold(t, name, func() { buildHostile(t, name, p) })
				cases++
			}
		}
	}
	t.Logf("%d cases", cases)
	if cases < 1000 {
		t.Errorf("only %d cases", cases)
	}
}

// linksOf is the links of a graph that is right though large, and makes or follows each of them at once: a random
// graph, a dragonfly whose groups have many links to each other. It is 0 for others.
func linksOf(p topology.Params) int64 {
	switch p := p.(type) {
	case topology.RandomRegular:
		if links := arith.Times(int64(p.Nodes), int64(p.Degree)) / 2; links > 0 && links <= 1<<24 {
			return links
		}
	case clusters.CrayDragonfly:
		pairs := arith.Times(int64(p.Groups), int64(p.Groups)) / 2
		if links := arith.Times(pairs, int64(p.LinksPerPair)); p.Groups > 0 && p.LinksPerPair > 0 && links <= 1<<24 {
			return links
		}
	}
	return 0
}

// rightMember is parameters of a family that make a graph.
func rightMember(family string, seed int) topology.Params {
	draw := rapid.Custom(func(t *rapid.T) topology.Params { return graphtest.Draw(t, family) })
	for try := 0; ; try++ {
		p := draw.Example(1000*seed + try)
		if _, err := topology.New(p); err == nil || try == 100 {
			return p
		}
	}
}

// hostileMembers yields parameters one of whose values is hostile, with its name and value.
func hostileMembers(p topology.Params) iter.Seq2[string, topology.Params] {
	v := reflect.Indirect(reflect.ValueOf(p))
	return func(yield func(string, topology.Params) bool) {
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				continue
			}
			for value := range hostileValues(v.Field(i).Type()) {
				changed := reflect.New(v.Type()).Elem()
				changed.Set(v)
				changed.Field(i).Set(value)
				p := changed.Interface().(topology.Params)
				if !yield(fmt.Sprintf("%s: %.60s", v.Type().Field(i).Name, shortened(value)), p) {
					return
				}
			}
		}
	}
}

// shortened is a value as a name tells it.
func shortened(v reflect.Value) string {
	if v.Kind() == reflect.Slice && v.Len() > 3 {
		return fmt.Sprintf("%d times %v", v.Len(), v.Index(0))
	}
	return fmt.Sprint(v)
}

// hostileValues yields values of a type.
func hostileValues(t reflect.Type) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		of := func(x any) bool { return yield(reflect.ValueOf(x).Convert(t)) }
		switch {
		case t.Kind() == reflect.Int:
			for _, n := range hostile.Ints {
				of(n)
			}
		case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Int:
			for _, n := range hostile.Ints {
				for _, length := range []int{1, 2, 3, 40, 1000} {
					of(slices.Repeat([]int{n}, length))
				}
			}
			of(make([]int, 1_000_000))
			of(slices.Repeat([]int{1}, 1_000_000))
		case t.Kind() == reflect.String:
			for _, s := range hostile.Texts {
				of(s)
			}
		case t.Kind() == reflect.Bool:
			_ = of(true) && of(false)
		case t.Kind() == reflect.Float64:
			for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1, 1e-308, 1e18} {
				of(x)
			}
		case t.Kind() == reflect.Uint64:
			of(uint64(math.MaxUint64))
		}
	}
}

// buildHostile builds a graph, and asks it what can be asked of any at once.
func buildHostile(t *testing.T, name string, p topology.Params) {
	g, err := topology.New(p)
	if err != nil {
		if diag.Fields(err) == nil {
			t.Errorf("%s: the error names no parameter: %v", name, err)
		}
		if text := diag.Escape(err.Error()); len(text) > 4096 || strings.ContainsRune(text, '\x1b') {
			t.Errorf("%s: a message of %d bytes: %.300q", name, len(text), text)
		}
		return
	}
	n := topology.Vertices(g)
	if n < 1 || n > topology.MaxVertices {
		t.Errorf("%s has %d vertices", name, n)
		return
	}
	if n <= 500 && topology.AtMostLinks(g, 20_000) {
		graphtest.Pieces(t, g)
		return
	}
	for _, v := range []int{0, n / 2, n - 1} {
		_ = g.Label(v)
		for _, grouping := range g.Groupings() {
			if of := grouping.Of(v); of < -1 || int(of) >= grouping.Count {
				t.Errorf("%s: vertex %d is in %s %d of %d", name, v, grouping.Name, of, grouping.Count)
			}
		}
	}
	walked := 0
	for l := range g.Links() {
		if l.A < 0 || l.B < 0 || int(l.A) >= n || int(l.B) >= n || l.Width < 1 || l.PortA < 0 || l.PortB < 0 {
			t.Errorf("%s: %+v", name, l)
			return
		}
		if walked++; walked > 10_000 {
			return
		}
	}
}

// Whatever numbers the parameters of a family have, it makes a graph or says which of them is wrong.
func FuzzNew(f *testing.F) {
	for i := range len(topology.Families()) {
		f.Add(uint8(i), 4, 2, 8, 1)
		f.Add(uint8(i), 1<<31, 1_000_000_000_000_000_000, -1, 0)
	}
	f.Fuzz(func(t *testing.T, family uint8, a, b, c, d int) {
		all := topology.Families()
		zero := reflect.Indirect(reflect.ValueOf(all[int(family)%len(all)].Zero))
		v := reflect.New(zero.Type()).Elem()
		numbers := []int{a, b, c, d}
		for i := range v.NumField() {
			switch field := v.Field(i); {
			case !v.Type().Field(i).IsExported():
			case field.Kind() == reflect.Int:
				field.SetInt(int64(numbers[i%4]))
			case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Int:
				field.Set(reflect.ValueOf(numbers[:1+i%4]).Convert(field.Type()))
			}
		}
		p := v.Interface().(topology.Params)
		name := fmt.Sprintf("%T%+v", p, p)
		fuzzBounds.Hold(t, name, func() { buildHostile(t, name, p) })
	})
}

// fuzzBounds are wide, as fuzzing shares the processor with itself.
var fuzzBounds = hostile.Bounds{Time: 20 * time.Second, Bytes: 2 << 30}

// Whatever is asked, sizes are found in the range or the question is refused.
func FuzzSizes(f *testing.F) {
	for i := range len(topology.Families()) {
		f.Add(uint8(i), 100, 1000, 36, 20)
		f.Add(uint8(i), 1, 20_000, 0, 100)
	}
	f.Fuzz(func(t *testing.T, family uint8, low, high, ports, limit int) {
		all := topology.Families()
		name := all[int(family)%len(all)].Name
		q := topology.SizeQuery{MinNodes: low, MaxNodes: high, MaxPorts: ports, Limit: limit}
		fuzzBounds.Hold(t, fmt.Sprintf("%s %+v", name, q), func() {
			list, err := topology.Sizes(name, q)
			if err != nil && diag.Fields(err) == nil {
				t.Errorf("%s %+v: %v", name, q, err)
			}
			for _, z := range list.Sizes {
				if z.Nodes < low || high != 0 && z.Nodes > high || ports != 0 && z.Ports > ports {
					t.Errorf("%s %+v: found %+v", name, q, z)
				}
			}
		})
	})
}
