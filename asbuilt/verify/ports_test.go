package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/exchange"
)

// TestPortsOfSmallMachines finds the box of every port by going through all boxes, and every port by its name, by its
// number and by the names that adapters have: counted from 0 as mlx5_0 and hfi1_0, from 1 as HCA-1.
func TestPortsOfSmallMachines(t *testing.T) {
	for _, name := range []string{"panels", "breakout", "nested", "mesh", "hosts", "dragonfly", "fabrics"} {
		p, _ := smallPlan(t, name, "")
		for v := range len(p.first) - 1 {
			box := p.schedule.Device(int32(v))
			ports := int(p.first[v+1] - p.first[v])
			for i := range ports {
				port := p.first[v] + int32(i)
				if got := p.vertex(port); got != int32(v) {
					t.Fatalf("%s: port %d is of box %d, want %d", name, port, got, v)
				}
				for _, called := range []struct {
					box, port string
				}{
					{box, p.end(port).Port},
					{box + " mlx5_" + strconv.Itoa(i), "1"},
					{box + " hfi1_" + strconv.Itoa(i), "1"},
					{box + " HCA-" + strconv.Itoa(i+1), "1"},
					{box + " mlx5_0", strconv.Itoa(i + 1)},
				} {
					found, adapter, ok := p.box(&exchange.Box{Name: called.box})
					if !ok || found != int32(v) {
						t.Fatalf("%s: %s is %d", name, called.box, found)
					}
					got := p.ports(found, adapter, exchange.End{Port: called.port})
					if !slices.Equal(got, []int32{port}) {
						t.Fatalf("%s: %s %s is %v, want %d", name, called.box, called.port, got, port)
					}
				}
			}
			for _, none := range []string{"0", strconv.Itoa(ports + 9000), "a/b:1", ""} {
				if got := p.ports(int32(v), 0, exchange.End{Port: none}); got != nil {
					t.Errorf("%s: %s has a port %q: %v", name, box, none, got)
				}
			}
			for adapter, port := range map[int]string{ports + 1: "1", 1: strconv.Itoa(ports + 1), 2: "0"} {
				if got := p.ports(int32(v), adapter, exchange.End{Port: port}); got != nil {
					t.Errorf("%s: adapter %d of %s has a port %q: %v", name, adapter, box, port, got)
				}
			}
		}
	}
	p, _ := smallPlan(t, "breakout", "")
	v, _, _ := p.box(&exchange.Box{Name: "LF1"})
	for lane, want := range []int{2, 1, 1} { // of swp1, in two lanes
		got := p.ports(v, 0, exchange.End{Port: "SWP1", Lane: lane})
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

// TestPortsThatNobodyPlans takes links to ports that the plan does not have: each is a difference with the names of its
// own ends, the same link again is not, and a link of a port that has another one is passed over with a note.
func TestPortsThatNobodyPlans(t *testing.T) {
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
		{A: b, B: c},
		{A: c, B: a}, // of ports that have others
		{A: exchange.End{Box: s1, Port: "4"}, B: exchange.End{Box: s2, Port: "4"}},
	}
	for i := range x.Boxes {
		x.Boxes[i].Listed = false
	}
	r := p.Compare([]*exchange.Wiring{&x})
	var found []string
	for _, d := range r.Differences {
		for _, l := range d.Found {
			for _, e := range []End{l.A, l.B} {
				if strings.HasPrefix(e.Box, "s") {
					found = append(found, e.Box+" "+e.Port)
				}
			}
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, []string{"s1 11", "s1 33", "s2 22"}) || !slices.Equal(r.Strangers, []string{"s1", "s2"}) {
		t.Errorf("%q, %q", found, r.Strangers)
	}
	notes := []string{
		"panels.csv: 1 link between ports that the plan does not have",
		"panels.csv: 2 links of ports that another line or source has elsewhere, which stands",
	}
	if !slices.Equal(r.Notes, notes) {
		t.Errorf("%q", r.Notes)
	}
	if err := r.FindOrder(t.Context(), asbuilt.Options{}); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, st := range r.Order.Steps {
		for _, m := range st.Moves {
			out = append(out, fmt.Sprint(m.Do, " ", m.From, " ", m.To, " ", m.Other))
		}
	}
	for _, end := range []string{"s1 11", "s1 33", "s2 22"} {
		if n := strings.Count(strings.Join(out, "\n"), end); n != 1 {
			t.Errorf("%s is in %d moves: %q", end, n, out)
		}
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
