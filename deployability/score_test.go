package deployability

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// small are machines of racks, of panels, of containers and of boards.
var small = []string{
	"{name: tree, topology: {family: fat-tree, nodes: 96, radix: 16, tiers: 3}}",
	"{name: panels, topology: {family: fat-tree, nodes: 96, radix: 16}, cabling: {structured: {beyond: rack}}}",
	"{name: dragonfly, topology: {family: dragonfly, p: 2, a: 4, h: 2, groups: 5}}",
	"{name: random, topology: {family: random-regular, nodes: 30, degree: 5, terminals: 4}, " +
		"packaging: {switch: {per_rack: 3}}}",
	"{name: hyperx, topology: {family: hyperx, dims: [4, 4], terminals: 4}}",
	"{name: slimfly, topology: {family: slim-fly, q: 5, terminals: 4}}",
}

func plan(t testing.TB, text string, opt machine.Options) *machine.Result {
	t.Helper()
	s, err := machine.Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := machine.PlanWith(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// laid is a cable as the slow twins see it.
type laid struct {
	a, b    string // racks
	product *cabling.Product
	need    units.Length
}

// cables lists them with the names of their racks, by looking for the first segment of every number.
func cables(p *machine.Result) []laid {
	s := p.Schedule
	var out []laid
	for number := int32(1); int64(number) <= s.Cables; number++ {
		i := slices.IndexFunc(s.Segments, func(seg cabling.Segment) bool { return seg.Cable == number })
		seg := &s.Segments[i]
		l := s.Placement.Layout
		out = append(out, laid{
			l.Rack(s.Placement.Slot[seg.A]), l.Rack(s.Placement.Slot[seg.B]), s.Product(seg), seg.Length,
		})
	}
	return out
}

// Every figure of a plan is that of a program that looks at all pairs of cables.
func TestScoresAreThoseOfSlowTwins(t *testing.T) {
	for _, text := range small {
		p := plan(t, text, machine.Options{})
		d, err := Score(p, &p.Network, Options{})
		if err != nil {
			t.Fatal(err)
		}
		all := cables(p)
		lengths, products, items := map[units.Length]bool{}, map[string]bool{}, map[string]bool{}
		kg, longest, between := 0.0, units.Length(0), int64(0)
		crossing := int64(0)
		bundles, inBundle := map[string]int{}, map[string]int{}
		for i := range p.Schedule.Segments {
			seg := &p.Schedule.Segments[i]
			l, slot := p.Schedule.Placement.Layout, p.Schedule.Placement.Slot
			racks := []string{l.Rack(slot[seg.A]), l.Rack(slot[seg.B])}
			slices.Sort(racks)
			if racks[0] != racks[1] {
				crossing++
				inBundle[fmt.Sprint(racks, p.Schedule.Product(seg).Length)]++
			}
		}
		for _, c := range all {
			lengths[c.product.Length], products[c.product.Part.ID] = true, true
			items[c.product.Part.ID+fmt.Sprint(c.product.Length)] = true
			kg += float64(c.product.Part.Weight) * float64(c.product.Length)
			longest = max(longest, c.need)
			if c.a != c.b {
				between++
				racks := []string{c.a, c.b}
				slices.Sort(racks)
				bundles[strings.Join(racks, " ")+fmt.Sprintf(" %012.4f", float64(c.product.Length))]++
			}
		}
		types, kinds := map[string]bool{}, map[string]string{}
		for _, key := range slices.Sorted(mapKeys(bundles)) {
			i := strings.LastIndexByte(key, ' ')
			bundle := fmt.Sprintf("%d of %s, ", bundles[key], key[i:])
			kinds[key[:i]] += bundle
		}
		for key, n := range inBundle {
			_, length, _ := strings.Cut(key, "]")
			types[fmt.Sprint(n, length)] = true
		}
		distinct, standard := map[string]bool{}, 0
		for racks, kind := range kinds {
			distinct[kind] = true
			for other, same := range kinds {
				if other != racks && same == kind {
					standard++
					break
				}
			}
		}
		b := d.Bundling
		if types := BundleTypes(p.Schedule); types == nil || *types != b.Types {
			t.Errorf("%s: %v types of bundles", p.Spec.Name, types)
		}
		if b.Cables != between || b.Links != crossing || b.Bundles != len(inBundle) || b.Types != len(types) ||
			b.Harnesses != len(kinds) ||
			b.HarnessKinds != len(distinct) ||
			len(kinds) > 0 && math.Abs(*b.StandardShare*float64(len(kinds))-float64(standard)) > 1e-3 {
			t.Errorf("%s: %+v: %d cables, %d bundles of %d types, %d harnesses of %d kinds, %d standard", p.Spec.Name,
				*b, between, len(inBundle), len(types), len(kinds), len(distinct), standard)
		}
		if d.Lengths != len(lengths) || d.Products != len(products) || d.Items != len(items) ||
			d.LongestRun != longest || math.Abs(float64(d.Weight)-kg) > 1e-4*float64(len(all)) || d.Unweighed != 0 {
			t.Errorf("%s: %+v: %d lengths, %d products, %d items, %v, %v kg", p.Spec.Name, *d, len(lengths),
				len(products), len(items), longest, kg)
		}
		r := p.Report()
		if d.Switches != r.Switches || d.LongestRun != r.Length.Max {
			t.Errorf("%s: %d switches and %v, not %d and %v as planned", p.Spec.Name, d.Switches, d.LongestRun,
				r.Switches, r.Length.Max)
		}
		if r.Structured != nil && (d.Panels != r.Structured.Panels || d.Racks != r.Structured.Racks || d.Panels == 0) {
			t.Errorf("%s: %d panels in %d racks, not %+v", p.Spec.Name, d.Panels, d.Racks, *r.Structured)
		}
		most := int64(0)
		if p.Schedule.Trays != nil {
			for _, l := range r.Trays.Segments {
				most = max(most, l.Cables)
			}
			if *d.Busiest != most || most == 0 {
				t.Errorf("%s: %d cables in the busiest piece, not %d", p.Spec.Name, *d.Busiest, most)
			}
		}
	}
}

func mapKeys(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Units are the groups of the topology, and the board or the box is exchanged.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		text, unit, box string
		count           int
	}{
		{small[0], "pod", "box", 2},
		{small[2], "group", "box", 5},
		{small[3], "rack", "box", 10},
	} {
		p := plan(t, c.text, machine.Options{})
		d, err := Score(p, &p.Network, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Unit.Name != c.unit || d.Unit.Count != c.count || d.Replaceable.Name != c.box || d.Unit.Racks == 0 {
			t.Errorf("%s: %+v, %+v", p.Spec.Name, d.Unit, d.Replaceable)
		}
	}
	l := &layout.Layout{Levels: []layout.Level{{Name: "all"}}}
	if got := replaceable(l, nil); got.Name != "box" || got.Boxes != 1 {
		t.Errorf("%+v", got)
	}
}

// A switch can do without the links to others that its nodes do not need.
func TestDrainable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, g := graphtest.Member(t, rapid.SampledFrom([]string{"fat-tree", "dragonfly", "random-regular"}).Draw(t, "f"),
			300)
		residual := float64(rapid.IntRange(0, 20).Draw(t, "residual")) / 20
		most := drainable(g, residual)
		for v := range topology.Vertices(g) {
			up, down := 0, 0
			for l := range g.Links() {
				if int(l.A) == v || int(l.B) == v {
					other := l.A + l.B - int32(v)
					if topology.KindOf(g.Kinds(), int(other)) == len(g.Kinds())-1 && len(g.Kinds()) > 1 {
						down += int(l.Width)
					} else {
						up += int(l.Width)
					}
				}
			}
			carries := func(n int) float64 { // the share of what it carries with so many links to others
				if down == 0 {
					return float64(n) / float64(up)
				}
				return math.Min(1, float64(n)/math.Min(float64(up), float64(down)))
			}
			want := 0
			for want < up && carries(up-want-1) >= residual-1e-12 {
				want++
			}
			if most[v] != want {
				t.Fatalf("%v of %d up and %d down at %v: %d, not %d", g.Label(v), up, down, residual, most[v], want)
			}
		}
	})
}

// Rewired links of a growth are the links that the larger network lacks, and steps keep the residual capacity.
func TestExpansion(t *testing.T) {
	for _, text := range []string{small[0], small[2], small[3]} {
		p := plan(t, text, machine.Options{})
		none := 0.0
		last := 0
		for _, residual := range []float64{none, 0.5, 0.75, 0.95} {
			d, err := Score(p, &p.Network, Options{Residual: &residual, Growth: 0.5})
			if err != nil {
				t.Fatal(err)
			}
			e := d.Expansion
			if e == nil {
				t.Fatalf("%s: %s", p.Spec.Name, d.ExpansionUnknown)
			}
			if e.Rewired < e.LeastRewired || e.Rewired == 0 || e.Steps < e.LeastSteps || e.LeastSteps < 1 ||
				e.Steps < last || e.Added < p.Counts.Nodes/2 || e.Residual != residual {
				t.Errorf("%s: %+v", p.Spec.Name, *e)
			}
			last = e.Steps
		}
		if last < 2 && text != small[2] { // whose switches rewire one link each
			t.Errorf("%s: %d steps at 95 %%", p.Spec.Name, last)
		}
	}
	p := plan(t, small[3], machine.Options{})
	e, err := expand(p.Graph, Options{})
	if err != nil {
		t.Fatal(err)
	}
	larger, err := p.Graph.(topology.Growable).Grown(30)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for l := range larger.Links() {
		there[larger.Label(int(l.A))+" "+larger.Label(int(l.B))] = true
	}
	gone := int64(0)
	for l := range p.Graph.Links() {
		if !there[p.Graph.Label(int(l.A))+" "+p.Graph.Label(int(l.B))] {
			gone++
		}
	}
	if e.Rewired > gone || e.Rewired == 0 {
		t.Errorf("%d links rewired, %d are gone", e.Rewired, gone)
	}
}

// What cannot be scored is unknown with a reason, or an error.
func TestUnknown(t *testing.T) {
	p := plan(t, small[4], machine.Options{})
	d, err := Score(p, &p.Network, Options{})
	if err != nil || d.Expansion != nil || !strings.Contains(d.ExpansionUnknown, "hyperx") {
		t.Errorf("%+v, %v", d, err)
	}
	p = plan(t, "{name: ring, topology: {family: torus, dims: [4, 4]}}", machine.Options{})
	d, err = Score(p, &p.Network, Options{})
	if err != nil || d.Expansion != nil || !strings.Contains(d.ExpansionUnknown, "whole layers of a dimension") {
		t.Errorf("%+v, %v", d, err)
	}
	p = plan(t, "{name: full, topology: {family: dragonfly, p: 2, a: 4, h: 2}}", machine.Options{})
	d, err = Score(p, &p.Network, Options{})
	if err != nil || d.Expansion != nil || !strings.Contains(d.ExpansionUnknown, "global ports") {
		t.Errorf("%+v, %v", d, err)
	}
	p = plan(t, small[0], machine.Options{Summary: true})
	if _, err := Score(p, &p.Network, Options{}); !errors.Is(err, ErrSummary) {
		t.Errorf("a summary: %v", err)
	}
	for _, residual := range []float64{-0.1, 1, math.NaN()} {
		if _, err := Score(p, &p.Network, Options{Residual: &residual}); err == nil || errors.Is(err, ErrSummary) {
			t.Errorf("residual %v: %v", residual, err)
		}
	}
	if err := (Options{Growth: -1}).Check(); err == nil {
		t.Error("a growth of -1")
	}
}
