package cabling

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// pieces are all lengths of a candidate that its optics reach.
func (c *candidate) pieces() []units.Length {
	cable := c.part.Cable
	out := slices.Clone(cable.Lengths)
	if cable.MadeToMeasure > 0 {
		step := max(cable.Step, 1)
		if cable.Step > 0 {
			step = cable.Step
		}
		for n := 1; units.Length(n)*step < cable.MadeToMeasure; n++ {
			out = append(out, units.Length(n)*step)
		}
		out = append(out, cable.MadeToMeasure)
	}
	return slices.DeleteFunc(out, func(l units.Length) bool { return c.reach > 0 && l > c.reach+1e-9 })
}

// TestRefusalsAreTrue holds the reason of every cable that no product can make against all products that were rejected:
// in machines that are the same each time, among which there is every kind of reason, and in others.
func TestRefusalsAreTrue(t *testing.T) {
	seen := map[string]int{}
	fixed := rapid.Custom(drawRefusal)
	for seed := range 200 {
		checkRefusals(t, fixed.Example(seed), seen)
	}
	for _, want := range []string{"no rule", "rules too short", "too short", "none", "several"} {
		if seen[want] == 0 {
			t.Errorf("never seen: %s; %v", want, seen)
		}
	}
	rapid.Check(t, func(t *rapid.T) { checkRefusals(t, drawRefusal(t), map[string]int{}) })
}

// drawRefusal draws a machine whose rules of media may refuse cables.
func drawRefusal(t *rapid.T) *Problem {
	p := drawSplit(t)
	if len(p.Media) == 0 || rapid.Bool().Draw(t, "one more") {
		p.Media = append(p.Media, MediaRule{
			Longest: units.Length(rapid.SampledFrom([]float64{0, 1, 3}).Draw(t, "longest of one more")),
			Media: rapid.SampledFrom([][]catalog.Medium{
				{catalog.PassiveCopper}, {catalog.Multimode}, {catalog.ActiveOptical}, {catalog.SingleMode},
			}).Draw(t, "media of one more"),
		})
	}
	p.Slack.Fixed = units.Length(rapid.SampledFrom([]float64{0.5, 5, 60, 3000}).Draw(t, "slack"))
	return p
}

// checkRefusals holds all reasons of a machine, and counts them by kind.
func checkRefusals(t rapid.TB, p *Problem, seen map[string]int) {
	w, err := newWorker(p)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Run(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, v := range s.Violations.List() {
		if v.Rule == RuleReach.ID && v.Where != "" {
			said[v.Where] = v.Message
		}
	}
	for i := range s.Segments {
		seg := &s.Segments[i]
		message, ok := said[s.CableID(int64(seg.Cable))]
		if seg.Product != NoProduct {
			if ok {
				t.Fatalf("%v: %s", s.Products[seg.Product].Item(), message)
			}
			continue
		}
		if ok {
			seen[checkRefusal(t, w, s, seg, message)]++
		}
	}
}

var ledTo = regexp.MustCompile(`they lead to (\d+),`)

// checkRefusal holds one reason against all products, and says of which kind it is.
func checkRefusal(t rapid.TB, w *worker, s *Schedule, seg *Segment, message string) string {
	a, z := s.Boxes[topology.KindOf(s.Kinds, int(seg.A))], s.Boxes[topology.KindOf(s.Kinds, int(seg.B))]
	portA, portZ := &a.Ports[seg.PortA], &z.Ports[seg.PortB]
	class := linkClass{groupA: portA.Group, groupB: portZ.Group, level: seg.Level, within: seg.Within}
	level := s.Graph.Levels()[seg.Level].Name
	_, reason, _ := strings.Cut(message, ": ")
	rule, most := -1, units.Length(0)
	for i := range w.p.Media {
		m := &w.p.Media[i]
		if !m.matches(w.layout, level, &class) {
			continue
		}
		if most = max(most, m.Longest); rule < 0 && (m.Longest == 0 || seg.Length <= m.Longest+1e-9) {
			rule = i
		}
	}
	ports := class.describe() + " ports"
	holds := func(kind, text string) string {
		t.Helper()
		if !strings.HasPrefix(reason, text) {
			t.Fatalf("%s\n%s\nwant %s", kind, reason, text)
		}
		return kind
	}
	if rule < 0 && most == 0 {
		return holds("no rule", "no cable for "+ports+": no media rule matches")
	}
	if rule < 0 {
		if seg.Length <= most || !strings.HasSuffix(reason, fmt.Sprintf("allows %v at most", most)) &&
			!strings.HasSuffix(reason, fmt.Sprintf("allow %v at most", most)) {
			t.Fatalf("%s; the rules allow %v", reason, most)
		}
		return holds("rules too short", fmt.Sprintf("no cable for %s: %v needed, and media rule", ports, seg.Length))
	}
	under := fmt.Sprintf(" under media rule %d", rule+1)
	var longest units.Length
	for _, c := range w.buyer.candidates(portA.Group, portZ.Group) {
		if !w.p.Media[rule].allows(c.part) {
			continue
		}
		for _, l := range c.pieces() {
			longest = max(longest, l)
		}
	}
	switch {
	case longest == 0:
		holds("none", "no cable for "+ports+under)
		match := ledTo.FindStringSubmatch(reason)
		if match == nil {
			return "none"
		}
		want, _ := strconv.Atoi(match[1])
		if x, y := farCages(s, seg.A, portA.Cage), farCages(s, seg.B, portZ.Cage); x != want && y != want {
			t.Fatalf("%s: the links of its cages lead to %d and %d cages", reason, x, y)
		}
		return "several"
	case longest < seg.Length-1e-9:
		return holds("too short", fmt.Sprintf("%v needed, the longest cable for %s is %v%s", seg.Length, ports, longest,
			under))
	}
	return holds("transceivers", "no cable for "+ports+under+" goes with the transceivers in its cages, ")
}

// farCages counts the cages to which the links of a cage lead.
func farCages(s *Schedule, v int32, number int) int {
	found := map[string]bool{}
	for i := range s.Segments {
		x := &s.Segments[i]
		for _, ends := range [2][2]int32{{x.A, x.B}, {x.B, x.A}} {
			own, far := x.PortA, x.PortB
			if ends[0] != x.A {
				own, far = far, own
			}
			if ends[0] == v && s.Boxes[topology.KindOf(s.Kinds, int(v))].Ports[own].Cage == number {
				box := s.Boxes[topology.KindOf(s.Kinds, int(ends[1]))]
				found[fmt.Sprint(ends[1], box.Ports[far].Cage)] = true
			}
		}
	}
	return len(found)
}
