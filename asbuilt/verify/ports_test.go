package verify

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
)

// TestPortsOfSmallMachines finds the box of every port by going through all boxes, and every port by its name, by its
// number in a subnet and by adapters that are counted.
func TestPortsOfSmallMachines(t *testing.T) {
	for _, name := range []string{"panels", "breakout", "nested", "mesh", "hosts", "dragonfly", "fabrics"} {
		p, _ := smallPlan(t, name, "")
		for v := range int32(len(p.first) - 1) {
			for i := range p.first[v+1] - p.first[v] {
				port := p.first[v] + i
				if got := p.vertex(port); got != v {
					t.Fatalf("%s: port %d is of box %d, want %d", name, port, got, v)
				}
				claims := []identity.Claim{{Text: p.end(port).Port}}
				if p.planned[port] >= 0 {
					number := p.schedule.PortNumber(v, uint16(i))
					claims = append(claims, identity.Claim{Text: strconv.Itoa(number), Subnet: true})
				}
				for _, c := range claims {
					if got, _ := p.ports(v, &c); !slices.Equal(got, []int32{port}) {
						t.Fatalf("%s: %s %+v is %v, want %d", name, p.schedule.Device(v), c, got, port)
					}
				}
			}
			for _, none := range []string{"0", "9000", "a/b:1", "", "eno1"} {
				if got, _ := p.ports(v, &identity.Claim{Text: none}); got != nil {
					t.Errorf("%s: %s has a port %q: %v", name, p.schedule.Device(v), none, got)
				}
			}
		}
	}
	p, _ := smallPlan(t, "breakout", "")
	v := p.called("LF1")
	for lane, want := range []int{2, 1, 1} { // of swp1, in two lanes
		got, _ := p.ports(v, &identity.Claim{Text: "SWP1", Lane: lane})
		if len(got) != want || lane == 1 && got[0] != p.first[v] || lane == 2 && got[0] != p.first[v]+1 {
			t.Errorf("lane %d: %v", lane, got)
		}
	}
}

// TestHomeFabrics computes the fabric of every box: that of most of its planned links, of several the one that
// it has first.
func TestHomeFabrics(t *testing.T) {
	p, _ := smallPlan(t, "fabrics", "")
	for v := range len(p.first) - 1 {
		count := map[int16]int{}
		for _, l := range p.links {
			for _, port := range []int32{l.a, l.b} {
				if port >= p.first[v] && port < p.first[v+1] {
					count[l.fabric]++
				}
			}
		}
		most := 0
		for _, n := range count {
			most = max(most, n)
		}
		if h := p.home[v]; (h < 0) != (most == 0) || h >= 0 && count[h] != most {
			t.Errorf("%s is of fabric %d: %v", p.schedule.Device(int32(v)), h, count)
		}
	}
}

// TestFailedPanelsAndCables fails every panel and every cable of a plan by itself: the links over it are those that
// have a segment with it.
func TestFailedPanelsAndCables(t *testing.T) {
	p, _ := smallPlan(t, "panels", "")
	s := p.schedule
	over := map[string]map[int]bool{}
	i := 0
	for l := range exchange.PlannedLinks(p.result, "") {
		for _, seg := range l.Segments {
			names := []string{s.CableID(int64(seg.Cable))}
			if s.Panel(seg.A) >= 0 {
				names = append(names, s.Device(seg.A))
			}
			if s.Panel(seg.B) >= 0 {
				names = append(names, s.Device(seg.B))
			}
			for _, name := range names {
				if over[name] == nil {
					over[name] = map[int]bool{}
				}
				over[name][i] = true
			}
		}
		// A segment by itself is named by both of its ends.
		for _, seg := range l.Segments {
			var panels []string
			for _, v := range [2]int32{seg.A, seg.B} {
				if s.Panel(v) >= 0 {
					panels = append(panels, s.Device(v))
				}
			}
			if got := p.failing(&seg); !slices.Equal(got[1:], panels) || got[0] != s.CableID(int64(seg.Cable)) {
				t.Fatalf("%v, want %v", got, panels)
			}
		}
		i++
	}
	for name, links := range over {
		f, err := p.Fail([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		for l, failed := range f.links {
			if failed != links[l] {
				t.Errorf("%s: link %d fails: %v", name, l, failed)
			}
		}
	}
}

// TestBoxesThatNobodyKnows takes links to boxes that the plan does not have: each is a difference with the names of its
// own ends and its planned link, nothing is proposed for it, and the same link again is not another.
func TestBoxesThatNobodyKnows(t *testing.T) {
	p, w := smallPlan(t, "panels", "")
	x := *w
	x.Boxes = append(slices.Clone(w.Boxes), exchange.Box{Name: "s1"}, exchange.Box{Name: "s2"})
	s1, s2 := len(w.Boxes), len(w.Boxes)+1
	a, b, c := w.Links[0].A, w.Links[1].A, w.Links[2].B
	x.Links = []exchange.Link{
		{A: a, B: exchange.End{Box: s1, Port: "11"}},
		{A: b, B: exchange.End{Box: s2, Port: "22"}},
		{A: exchange.End{Box: s1, Port: "33"}, B: c}, // the other way round
		{A: exchange.End{Box: s1, Port: "11"}, B: a}, // again
		{A: exchange.End{Box: s1, Port: "4"}, B: exchange.End{Box: s2, Port: "4"}},
	}
	for i := range x.Boxes {
		x.Boxes[i].Listed = false
	}
	r := p.Compare([]*exchange.Wiring{&x})
	var found []string
	for _, d := range r.Differences {
		if d.Kind != NotIdentified || d.Confidence != Guess || len(d.Plan) != 1 || len(d.Found) != 1 {
			t.Errorf("%+v", d)
			continue
		}
		for _, e := range []End{d.Found[0].A, d.Found[0].B} {
			if strings.HasPrefix(e.Box, "s") {
				found = append(found, e.Box+" "+e.Port)
			}
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, []string{"s1 11", "s1 33", "s2 22"}) || !slices.Equal(r.Strangers, []string{"s1", "s2"}) {
		t.Errorf("%q, %q", found, r.Strangers)
	}
	if err := r.FindOrder(t.Context(), asbuilt.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, st := range r.Order.Steps {
		if len(st.Moves) > 0 {
			t.Errorf("%+v", st.Moves)
		}
	}
	if len(r.Moves) > 0 {
		t.Errorf("%+v", r.Moves)
	}

	// Links of the same ports stand against each other; what is known of these ports otherwise does not count.
	x.Links = append(x.Links, exchange.Link{A: b, B: c, Line: 7}, exchange.Link{A: c, B: a, Line: 8})
	x.Source = "x.csv"
	for range 2 {
		r = p.Compare([]*exchange.Wiring{&x})
		if len(r.Differences) != 1 || r.Differences[0].Kind != Conflict || len(r.Differences[0].Plan) != 3 ||
			len(r.Differences[0].Found) != 2 || len(r.Moves) > 0 || r.OK {
			t.Errorf("%+v", r.Differences)
		}
		var at []string
		for _, l := range r.Differences[0].Found {
			at = append(at, l.Source)
		}
		slices.Sort(at)
		if !slices.Equal(at, []string{"x.csv:7", "x.csv:8"}) {
			t.Errorf("%q", at)
		}
		slices.Reverse(x.Links)
	}
}

// TestNamesThatDifferBehindADot finds boxes whose names differ in what follows a dot alone by their whole names, other
// boxes with any domain, and none by what two have in common.
func TestNamesThatDifferBehindADot(t *testing.T) {
	p, w := smallPlan(t, "dragonfly", "")
	for i := range w.Boxes {
		if strings.HasPrefix(w.Boxes[i].Name, "sw.") {
			w.Boxes[i].Name = strings.Replace(strings.ToUpper(w.Boxes[i].Name), ".0", ".", 1)
		} else {
			w.Boxes[i].Name += ".example.com"
		}
	}
	if r := p.Compare([]*exchange.Wiring{w}); !r.OK || len(r.Identified) > 0 || len(r.Strangers) > 0 || r.Unknown > 0 {
		t.Errorf("%+v, %v, %d unknown", r.Identified, r.Strangers, r.Unknown)
	}
	if v := p.called("sw"); v >= 0 {
		t.Errorf("sw is %s", p.schedule.Device(v))
	}
	f, err := p.Fail([]string{"sw.02"})
	if err != nil {
		t.Fatal(err)
	}
	for v, failed := range f.boxes {
		if failed != (p.schedule.Device(int32(v)) == "sw.02") {
			t.Errorf("%s fails: %v", p.schedule.Device(int32(v)), failed)
		}
	}
	if _, err := p.Fail([]string{"sw.02", "sw.99"}); err == nil || !strings.Contains(err.Error(), "sw.99") {
		t.Error(err)
	}
}
