package embed

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// drawTight draws a problem with a small room, in which racks of a few units hold boxes of different heights.
func drawTight(t *rapid.T) *Problem {
	p := problem(drawGraph(t))
	p.Strategy = Hierarchy
	p.Room.Rack.Units = rapid.IntRange(6, 12).Draw(t, "units")
	p.Room.Rack.Power = units.Power(rapid.SampledFrom([]int{0, 4000}).Draw(t, "power"))
	for i := range p.Kinds {
		k := &p.Kinds[i]
		k.Box = layout.NewBox(rapid.IntRange(1, 5).Draw(t, "height"), 0.44, 0.8, nil)
		k.PerRack = rapid.SampledFrom([]int{0, 0, 2, 3, 4}).Draw(t, "per rack")
		k.Power = units.Power(100 * rapid.IntRange(1, 12).Draw(t, "power of a box"))
		k.Class = rapid.SampledFrom([]Class{InRack, InRack, NetworkRow}).Draw(t, "class")
	}
	if rapid.Bool().Draw(t, "apart") {
		var all []int32
		k := p.Graph.Kinds()[0]
		for v := k.First; v < k.First+k.Count; v++ {
			all = append(all, int32(v))
		}
		p.AntiAffinity = []AntiAffinity{{
			Groups: []Group{{Name: "x", Vertices: all}}, AtMost: rapid.IntRange(1, 3).Draw(t, "at most"),
		}}
	}
	p.FreeUnits = rapid.IntRange(0, 1).Draw(t, "free units")
	p.Room.Rows = 1
	p.Room.PerRow = max(1, packSlowly(p)+rapid.IntRange(-2, 3).Draw(t, "free positions"))
	return p
}

// contents is what a rack holds.
type contents struct {
	class        Class
	units, apart int
	power        float64
	count        map[int]int
}

// within reports whether a rack of a problem may hold its contents.
func (c contents) within(p *Problem) bool {
	for kind, n := range c.count {
		if most := p.Kinds[kind].PerRack; most > 0 && n > most {
			return false
		}
	}
	limit := float64(p.Room.Rack.Power)
	return c.units <= p.Room.Rack.Units-p.FreeUnits && (limit == 0 || c.power <= limit) &&
		(p.AntiAffinity == nil || c.apart <= p.AntiAffinity[0].AtMost)
}

// with returns the contents with n more boxes of a kind, of which AntiAffinity has those of kind 0.
func (c contents) with(p *Problem, kind, n int) contents {
	count := map[int]int{kind: c.count[kind] + n}
	for k, many := range c.count {
		if k != kind {
			count[k] = many
		}
	}
	c.count, c.units = count, c.units+n*p.Kinds[kind].Box.Units
	c.power += float64(n) * float64(p.Kinds[kind].Power)
	if kind == 0 {
		c.apart += n
	}
	return c
}

// packSlowly counts the racks that boxes take if each goes into the first rack of its class with room, the tallest
// first.
func packSlowly(p *Problem) int {
	kinds := make([]int, len(p.Kinds))
	for i := range kinds {
		kinds[i] = i
	}
	slices.SortStableFunc(kinds, func(a, b int) int { return p.Kinds[b].Box.Units - p.Kinds[a].Box.Units })
	var racks []contents
	for _, kind := range kinds {
		if !(contents{}).with(p, kind, 1).within(p) {
			return 1 // no rack holds a box
		}
		for range p.Graph.Kinds()[kind].Count {
			i := slices.IndexFunc(racks, func(c contents) bool {
				c = c.with(p, kind, 1)
				return c.class == p.Kinds[kind].Class && c.within(p)
			})
			if i < 0 {
				i = len(racks)
				racks = append(racks, contents{class: p.Kinds[kind].Class})
			}
			racks[i] = racks[i].with(p, kind, 1)
		}
	}
	return len(racks)
}

// mostSteps bounds the steps of fewestRacks.
const mostSteps = 20_000

// fewestRacks returns the fewest racks that boxes take, by trying all ways; -1 if that takes too long.
func fewestRacks(p *Problem, most int) int {
	steps := 0
	var fits func(racks []contents, kind, left, from, free int) bool
	fits = func(racks []contents, kind, left, from, free int) bool {
		if steps++; steps > mostSteps {
			return false
		}
		for left == 0 {
			if kind++; kind == len(p.Kinds) {
				return true
			}
			left, from = p.Graph.Kinds()[kind].Count, 0
		}
		for i := from; i < len(racks); i++ {
			if c := racks[i].with(p, kind, 1); c.class == p.Kinds[kind].Class && c.within(p) {
				next := slices.Clone(racks)
				next[i] = c
				if fits(next, kind, left-1, i, free) {
					return true
				}
			}
		}
		next := append(slices.Clone(racks), contents{class: p.Kinds[kind].Class}.with(p, kind, 1))
		return free > 0 && fits(next, kind, left-1, len(racks), free-1)
	}
	for n := 1; n <= most; n++ {
		if fits(nil, -1, 0, 0, n) {
			return n
		}
		if steps > mostSteps {
			return -1
		}
	}
	return most + 1
}

// checkLimits fails if a rack of a placement holds more than it may.
func checkLimits(t *rapid.T, p *Problem, pl *Placement) {
	racks := map[int32]contents{}
	for v, slot := range pl.Slot {
		at := pl.Layout.Container(layout.RackLevel, slot)
		racks[at] = racks[at].with(p, topology.KindOf(p.Graph.Kinds(), v), 1)
	}
	for _, c := range racks {
		if !c.within(p) {
			t.Fatalf("%+v", c)
		}
	}
	for _, r := range pl.Racks {
		for kind := range racks[r.Place].count {
			if p.Kinds[kind].Class != r.Class {
				t.Fatalf("a box of class %d in a rack of class %d", p.Kinds[kind].Class, r.Class)
			}
		}
	}
}

// What an obvious packer fits into a room is not refused, what groups that stay together fit into stays as it is, and
// all limits hold. What is refused by few boxes does not fit in any way, but for a rack more.
func TestDensePackingWhereGroupsDoNotFit(t *testing.T) {
	dense, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawTight(t)
		grouped := *p
		grouped.Grouped = true
		want, groupErr := Place(t.Context(), &grouped)
		pl, err := Place(t.Context(), p)
		if err != nil {
			refused++
			if !strings.Contains(err.Error(), "rack positions that are free") {
				t.Skip("a box that no rack holds")
			}
			first := func(err error) string { return strings.SplitN(err.Error(), "\n", 2)[0] }
			if groupErr == nil || first(err) != first(groupErr) {
				t.Fatalf("%v, by groups %v", err, groupErr)
			}
			if n := packSlowly(p); n <= p.Room.PerRow {
				t.Fatalf("refused, and an obvious packer takes %d racks of %d: %v", n, p.Room.PerRow, err)
			}
			if len(p.Graph.Kinds()) <= 3 && topology.Vertices(p.Graph) <= 12 {
				if n := fewestRacks(p, p.Room.PerRow); n > 0 && n < p.Room.PerRow {
					t.Fatalf("refused, and %d racks of %d suffice: %v", n, p.Room.PerRow, err)
				}
			}
			return
		}
		checkLimits(t, p, pl)
		if groupErr == nil {
			if pl.SharesRacks || !slices.Equal(pl.Slot, want.Slot) {
				t.Fatal("places differ although groups that stay together fit")
			}
			return
		}
		dense++
		if notes := strings.Join(pl.Notes, "\n"); !pl.SharesRacks || !strings.Contains(notes, "kept together") {
			t.Fatalf("notes %q", notes)
		}
	})
	t.Logf("%d placed densely, %d refused", dense, refused)
}
