package power

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// drawn draws a rack.
func drawn(t *rapid.T) *Rack {
	boxes, supplies := drawnBoxes(t)
	return New(boxes, supplies, nil)
}

// drawnBoxes draws what a rack holds.
func drawnBoxes(t *rapid.T) ([]Box, []Supply) {
	var boxes []Box
	for range rapid.IntRange(0, 7).Draw(t, "boxes") {
		part := &catalog.Part{Inlets: map[string]int{}}
		for _, kind := range []string{"c14", "c20", catalog.Busbar} {
			if n := rapid.IntRange(0, 3).Draw(t, kind); n > 0 {
				part.Inlets[kind] = n
			}
		}
		if n := part.InletCount(); n > 0 {
			choice := []catalog.Redundancy{"", "N"}
			if n%2 == 0 {
				choice = append(choice, "2N")
			}
			for k := 1; k < n; k++ {
				choice = append(choice, catalog.Redundancy(fmt.Sprintf("N+%d", k)))
			}
			part.Redundancy = rapid.SampledFrom(choice).Draw(t, "redundancy")
		}
		boxes = append(boxes, Box{part, units.Power(rapid.IntRange(0, 5000).Draw(t, "power"))})
	}
	var supplies []Supply
	for range rapid.IntRange(0, 5).Draw(t, "supplies") {
		s := Supply{
			Own:  units.Power(rapid.SampledFrom([]int{0, 30}).Draw(t, "own")),
			Feed: rapid.IntRange(-1, 2).Draw(t, "feed"),
		}
		s.Phases = rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "phases")
		s.Volts = rapid.SampledFrom([]units.Voltage{0, 208, 230, 415}).Draw(t, "volts")
		s.Breaker = rapid.SampledFrom([]units.Current{0, 16, 32, 60}).Draw(t, "breaker")
		s.Power = rapid.SampledFrom([]units.Power{0, 3000, 9000}).Draw(t, "most")
		if rapid.IntRange(0, 2).Draw(t, "bar") == 0 {
			s.Outlets = []catalog.OutletGroup{{Type: catalog.Busbar}}
		} else {
			for _, kind := range []string{"c13", "c19", "c39"} {
				if n := rapid.IntRange(0, 4).Draw(t, kind); n > 0 {
					phase := rapid.IntRange(0, max(s.Phases, 1)).Draw(t, "phase")
					s.Outlets = append(s.Outlets, catalog.OutletGroup{Type: kind, Count: n, Phase: phase})
				}
			}
		}
		supplies = append(supplies, s)
	}
	return boxes, supplies
}

// outletOf finds the type and the phase of an outlet by counting.
func outletOf(s *Supply, number int) (kind string, phase int) {
	for _, g := range s.Outlets {
		if n := max(g.Count, 1); number > n {
			number -= n
			continue
		}
		if g.Phase > 0 {
			return g.Type, g.Phase
		}
		return g.Type, (number-1)%max(s.Phases, 1) + 1
	}
	return "", 0
}

// Each inlet is in exactly one outlet of a fitting type, no outlet takes two, and as many inlets have one as can.
func TestInletsHaveOutlets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkOutlets(t, drawn(t)) })
}

// checkOutlets checks that each inlet is in one outlet of a fitting type, and that as many are in one as can be.
func checkOutlets(t *rapid.T, r *Rack) {
	inlets := 0
	for _, b := range r.Boxes {
		inlets += b.Part.InletCount()
	}
	if len(r.Cords) != inlets {
		t.Fatalf("%d cords for %d inlets", len(r.Cords), inlets)
	}
	fits := map[string][]string{"c14": {"c13", "c39"}, "c20": {"c19", "c39"}, "busbar": {"busbar"}}
	taken, bar := map[[2]int]bool{}, false
	for _, s := range r.Supplies {
		bar = bar || s.Feed >= 0 && s.HasBar()
	}
	plugged := map[string]int{}
	for _, c := range r.Cords {
		if c.Supply == Nothing {
			continue
		}
		plugged[c.Type]++
		if taken[[2]int{c.Supply, c.Outlet}] || c.Outlet < 1 || !slices.Contains(fits[c.Type], c.Fits) {
			t.Fatalf("%+v", c)
		}
		taken[[2]int{c.Supply, c.Outlet}] = true
		if c.Supply == Bar {
			if !bar {
				t.Fatal("a bar without a supply")
			}
			continue
		}
		kind, phase := outletOf(&r.Supplies[c.Supply], c.Outlet)
		if kind != c.Fits || phase != c.Phase || r.Supplies[c.Supply].Feed < 0 {
			t.Fatalf("%+v is in outlet %s, phase %d", c, kind, phase)
		}
	}
	need, have := map[string]int{}, map[string]int{}
	for _, c := range r.Cords {
		need[c.Type]++
	}
	for _, s := range r.Supplies {
		for _, g := range s.Outlets {
			if s.Feed >= 0 {
				have[g.Type] += max(g.Count, 1)
			}
		}
	}
	small, large := min(need["c14"], have["c13"]), min(need["c20"], have["c19"])
	most := small + large + min(need["c14"]-small+need["c20"]-large, have["c39"])
	if got := plugged["c14"] + plugged["c20"]; got != most {
		t.Fatalf("%d inlets have an outlet, %d can", got, most)
	}
	if bar != (plugged["busbar"] > 0) && need["busbar"] > 0 {
		t.Fatalf("bar %v, %d on it", bar, plugged["busbar"])
	}
}

// TestOutletsStay: a rack to which boxes and supplies are added, and whose boxes draw other powers, keeps its
// cords in their outlets, but for those that are too many on a feed, and those that make room for new ones in outlets
// that take two types of plugs.
func TestOutletsStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := drawn(t)
		more, supplies := drawnBoxes(t)
		first := rapid.IntRange(0, len(more)).Draw(t, "boxes before those that exist")
		kept, had := map[Inlet]Outlet{}, map[Inlet]Outlet{}
		for _, c := range old.Cords {
			if c.Supply != Nothing {
				had[Inlet{c.Box, c.Inlet}] = Outlet{c.Supply, c.Outlet}
				kept[Inlet{first + c.Box, c.Inlet}] = Outlet{c.Supply, c.Outlet}
			}
		}
		boxes := slices.Concat(more[:first], old.Boxes, more[first:])
		for i := range boxes {
			boxes[i].Power = units.Power(rapid.IntRange(0, 5000).Draw(t, "power now"))
		}
		if !rapid.Bool().Draw(t, "more supplies") {
			supplies = nil
		}
		supplies = slices.Concat(old.Supplies, supplies)
		r := New(boxes, supplies, kept)
		checkOutlets(t, r)
		feeds := map[int]bool{}
		free, need := map[string]int{}, map[string]int{}
		for _, s := range r.Supplies {
			for _, g := range s.Outlets {
				if s.Feed >= 0 && g.Type != catalog.Busbar {
					feeds[s.Feed] = true
					free[g.Type] += max(g.Count, 1)
				}
			}
		}
		most := func(need, free map[string]int) int {
			small, large := min(need["c14"], free["c13"]), min(need["c20"], free["c19"])
			return small + large + min(need["c14"]-small+need["c20"]-large, free["c39"])
		}
		now, all := 0, map[string]int{}
		for _, c := range r.Cords {
			all[c.Type]++
			need[c.Type]++
			if c.Supply >= 0 {
				now++
			}
		}
		if now != most(all, free) {
			t.Fatalf("%d inlets have an outlet, %d can", now, most(all, free))
		}
		crowded := 0 // cords that are too many on their feed
		for b := range old.Boxes {
			on, plugs := map[int]int{}, 0
			for _, c := range old.CordsOf(b) {
				if c.Type != catalog.Busbar {
					plugs++
				}
				if c.Supply >= 0 {
					on[old.Supplies[c.Supply].Feed]++
				}
			}
			for _, n := range on {
				crowded += max(0, n-(plugs+len(feeds)-1)/len(feeds))
			}
		}
		for _, c := range old.Cords { // what stays leaves no outlet free
			if c.Supply >= 0 {
				free[c.Fits]--
				need[c.Type]--
			}
		}
		moved, taken := 0, 0
		for _, c := range r.Cords {
			if _, ok := kept[Inlet{c.Box, c.Inlet}]; !ok && c.Fits == "c39" {
				taken++
			}
		}
		for b := range old.Boxes {
			for _, c := range r.CordsOf(first + b) {
				was, ok := had[Inlet{b, c.Inlet}]
				if ok && was != (Outlet{c.Supply, c.Outlet}) {
					moved++
				}
			}
		}
		// With several feeds, cords make room on the feed that a box lacks as well, so do those that were too many.
		allFit := len(feeds) == 1 && most(need, free) == need["c14"]+need["c20"]
		if moved > taken+2*crowded || crowded == 0 && allFit && moved > 0 {
			t.Fatalf("%d cords move, %d new ones are in outlets of two types, and %d were too many on their feed",
				moved, taken, crowded)
		}
	})
}

// What supplies give and what unplugged boxes draw is what the rack draws.
func TestPhasesSumToTheRack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawn(t)
		l := r.Without(NoFeed)
		want := 0.0
		for b, box := range r.Boxes {
			plugged := 0
			for _, c := range r.CordsOf(b) {
				if c.Supply != Nothing {
					plugged++
				}
			}
			if need, _ := r.Needs(b); plugged >= need || plugged == 0 {
				want += float64(box.Power)
			}
		}
		for _, s := range r.Supplies {
			if s.Feed >= 0 {
				want += float64(s.Own)
			}
		}
		got := float64(l.Unplugged)
		for _, p := range l.Phases {
			got += float64(Sum(p))
		}
		if math.Abs(got-want) > 1e-6 {
			t.Fatalf("%v, want %v", got, want)
		}
		for s, p := range l.Phases {
			for i := max(r.Supplies[s].Phases, 1); i < 3; i++ {
				if p[i] != 0 {
					t.Fatalf("%v on phase %d", p[i], i+1)
				}
			}
		}
	})
}

// slowDark finds the boxes that go dark by switching off one supply after the other, with loads from first principles.
func slowDark(r *Rack, lost int) []int {
	state := func(off map[int]bool) (dark map[int]bool, watts map[[2]int]float64) {
		dark, watts = map[int]bool{}, map[[2]int]float64{}
		bars, most, known := []int{}, 0.0, true
		for s := range r.Supplies {
			if !off[s] && r.Supplies[s].HasBar() {
				bars = append(bars, s)
				most += float64(r.Supplies[s].Power)
				known = known && r.Supplies[s].Power > 0
			}
		}
		for b, box := range r.Boxes {
			var on []Cord
			for _, c := range r.Cords {
				if c.Box == b && (c.Supply >= 0 && !off[c.Supply] || c.Supply == Bar && len(bars) > 0) {
					on = append(on, c)
				}
			}
			all := box.Part.InletCount()
			need := map[catalog.Redundancy]int{"": 1, "N": all, "2N": all / 2}[box.Part.Redundancy]
			if all == 1 {
				need = 1
			}
			if need == 0 {
				var k int
				fmt.Sscanf(string(box.Part.Redundancy), "N+%d", &k)
				need = all - k
			}
			if all == 0 || len(on) < need {
				dark[b] = true
				continue
			}
			for _, c := range on {
				w := float64(box.Power) / float64(len(on))
				if c.Supply >= 0 {
					watts[[2]int{c.Supply, c.Phase}] += w
					continue
				}
				for _, s := range bars {
					part := w / float64(len(bars))
					if known {
						part = w * float64(r.Supplies[s].Power) / most
					}
					for i := range max(r.Supplies[s].Phases, 1) {
						watts[[2]int{s, i + 1}] += part / float64(max(r.Supplies[s].Phases, 1))
					}
				}
			}
		}
		return dark, watts
	}
	off := map[int]bool{}
	for s := range r.Supplies {
		if r.Supplies[s].Feed < 0 {
			off[s] = true
		}
	}
	before, _ := state(off)
	for s := range r.Supplies {
		if r.Supplies[s].Feed == lost {
			off[s] = true
		}
	}
	for {
		dark, watts := state(off)
		var over []int
		for s := range r.Supplies {
			sup := &r.Supplies[s]
			n := float64(max(sup.Phases, 1))
			phase := func(i int) float64 { return watts[[2]int{s, (i-1)%3 + 1}] + float64(sup.Own)/n }
			if off[s] {
				continue
			}
			sum := 0.0
			for i := range int(n) {
				sum += watts[[2]int{s, i + 1}]
			}
			most := 0.0
			if sup.Volts > 0 {
				for i := 1; i <= int(n); i++ {
					amps := phase(i) / float64(sup.Volts)
					if n == 3 && sup.Volts <= 240 {
						// The phasors of two pairs at 120 degrees: one enters the line, the other leaves it.
						x, y := phase(i)/float64(sup.Volts), phase(i+2)/float64(sup.Volts)
						amps = math.Hypot(x-y*math.Cos(2*math.Pi/3), y*math.Sin(2*math.Pi/3))
					} else if n == 3 {
						amps *= math.Sqrt(3)
					}
					most = max(most, amps)
				}
			}
			if sup.Breaker > 0 && most > float64(sup.Breaker)+rounding ||
				sup.Power > 0 && sum > float64(sup.Power)+rounding {
				over = append(over, s)
			}
		}
		if over == nil {
			var out []int
			for b := range r.Boxes {
				if dark[b] && !before[b] {
					out = append(out, b)
				}
			}
			return out
		}
		for _, s := range over {
			off[s] = true
		}
	}
}

// The loss of each feed in turn turns exactly the boxes off that a slow search finds.
func TestLostFeedsTurnBoxesOff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawn(t)
		for feed := range 3 {
			if got, want := r.Without(feed).Dark, slowDark(r, feed); !slices.Equal(got, want) {
				t.Fatalf("without feed %d boxes %v go dark, want %v", feed, got, want)
			}
		}
	})
}

// A box is on as many feeds as have an outlet for it, regardless of what feeds the busbar beside them.
func TestInletsSpreadOverFeeds(t *testing.T) {
	supply := func(feed int, kind string) Supply {
		return Supply{Feed: feed, Supply: catalog.Supply{Outlets: []catalog.OutletGroup{{Type: kind, Count: 2}}}}
	}
	part := &catalog.Part{Inlets: map[string]int{"c14": 2}, Redundancy: "N+1"}
	bar := func(feed int) Supply {
		return Supply{Feed: feed, Supply: catalog.Supply{Outlets: []catalog.OutletGroup{{Type: catalog.Busbar}}}}
	}
	r := New([]Box{{part, 100}, {part, 100}}, []Supply{
		supply(0, "c13"), supply(1, "c19"), supply(2, "c39"), bar(0), bar(1), bar(2), bar(3),
	}, nil)
	for b := range 2 {
		if c := r.CordsOf(b); c[0].Supply+c[1].Supply != 2 || c[0].Supply == c[1].Supply {
			t.Errorf("%+v", c)
		}
	}
	for feed := range 4 {
		if dark := r.Without(feed).Dark; len(dark) > 0 {
			t.Errorf("without feed %d: %v", feed, dark)
		}
	}
}

// Two equal pairs of phases make the square root of 3 of one: three banks of 16 A are 27.7 A a line.
func TestLinesOfDelta(t *testing.T) {
	s := Supply{Supply: catalog.Supply{Volts: 208, Phases: 3}}
	lines := s.Lines([3]units.Power{16 * 208, 16 * 208, 16 * 208})
	for _, a := range lines {
		if math.Abs(float64(a)-27.71) > 0.01 {
			t.Errorf("%v", lines)
		}
	}
	lines = s.Lines([3]units.Power{0, 0, 16 * 208}) // between lines 3 and 1
	if lines != [3]units.Current{16, 0, 16} {
		t.Errorf("%v", lines)
	}
	s.Volts = 415
	if lines := s.Lines([3]units.Power{2396, 0, 4792}); math.Abs(float64(lines[0])-10) > 0.01 || lines[1] != 0 ||
		math.Abs(float64(lines[2])-20) > 0.01 {
		t.Errorf("%v", lines)
	}
}

// Boxes with two inlets are on both feeds, and feeds and phases carry alike.
func TestInletsAlternate(t *testing.T) {
	pdu := func(feed int) Supply {
		s := Supply{Feed: feed}
		s.Phases, s.Volts = 3, 415
		s.Outlets = []catalog.OutletGroup{{Type: "c13", Count: 24}}
		return s
	}
	part := &catalog.Part{Inlets: map[string]int{"c14": 2}, Redundancy: "2N"}
	single := &catalog.Part{Inlets: map[string]int{"c14": 1}}
	boxes := slices.Repeat([]Box{{part, 600}}, 12)
	boxes = append(boxes, slices.Repeat([]Box{{single, 100}}, 6)...)
	r := New(boxes, []Supply{pdu(0), pdu(1)}, nil)
	for b := range 12 {
		if c := r.CordsOf(b); c[0].Supply != 0 || c[1].Supply != 1 {
			t.Errorf("box %d: %+v", b, c)
		}
	}
	if l := r.Without(NoFeed); l.Phases[0] != [3]units.Power{1300, 1300, 1300} || l.Phases[1] != l.Phases[0] {
		t.Errorf("%v", l.Phases)
	}
	if l := r.Without(1); !slices.Equal(l.Dark, []int{13, 15, 17}) || Sum(l.Phases[0]) != 7500 {
		t.Errorf("%v %v", l.Dark, l.Phases)
	}
}

// TestWithoutSupplies takes shelves of a busbar away: the others share what is drawn, and boxes go dark where these are
// overloaded. A shelf draws what it gives divided by its efficiency, and its own power.
func TestWithoutSupplies(t *testing.T) {
	shelf := func(feed int) Supply {
		s := Supply{Feed: feed, Own: 10}
		s.Power, s.Efficiency = 1000, 80
		s.Outlets = []catalog.OutletGroup{{Type: catalog.Busbar}}
		return s
	}
	boxes := slices.Repeat([]Box{{&catalog.Part{Inlets: map[string]int{catalog.Busbar: 1}}, 500}}, 4)
	r := New(boxes, []Supply{shelf(0), shelf(1), shelf(0)}, nil)
	near := func(a, b units.Power) bool { return math.Abs(float64(a-b)) < 1e-9 }
	for s := range 3 {
		if l := r.Without(NoFeed); !near(Sum(l.Phases[s]), 2000.0/3/0.8+10) ||
			!near(r.Supplies[s].Given(l.Phases[s]), 2000.0/3) {
			t.Errorf("shelf %d: %v", s, l.Phases[s])
		}
		l := r.WithoutSupplies([]int{s})
		for other := range 3 {
			if want := units.Power(1000/0.8 + 10); other != s && !near(Sum(l.Phases[other]), want) ||
				other == s && Sum(l.Phases[other]) != 0 {
				t.Errorf("shelf %d without shelf %d: %v", other, s, l.Phases[other])
			}
		}
		if l.Dark != nil || l.Tripped != nil {
			t.Errorf("without shelf %d %v are dark", s, l.Dark)
		}
	}
	if l := r.WithoutSupplies([]int{0, 2}); !slices.Equal(l.Dark, []int{0, 1, 2, 3}) ||
		!slices.Equal(l.Tripped, []int{1}) || !slices.Equal(l.Dark, r.Without(0).Dark) {
		t.Errorf("without two shelves %v are dark, %v trip", l.Dark, l.Tripped)
	}
}
