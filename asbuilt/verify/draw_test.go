package verify

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
)

// TestMarks holds the marks of racks and the lines of a floor to the differences: every port of the plan that differs
// has one mark, with what is there and what belongs there, and every rack is counted once for each difference.
func TestMarks(t *testing.T) {
	p, w := planned(t, plan(t, tree), "")
	if r := p.Compare([]*exchange.Wiring{w}); len(r.Marks()) > 0 || len(r.Floor().Lines)+len(r.Floor().Racks) > 0 {
		t.Errorf("nothing differs: %+v, %+v", r.Marks(), r.Floor())
	}
	inject(p, w, 10, rand.New(rand.NewPCG(3, 1)))
	r := p.Compare([]*exchange.Wiring{w})
	ports, racks := map[string]string{}, map[string]int{}
	lines := 0
	for _, d := range r.Differences {
		seen := map[string]bool{}
		for _, l := range append(append([]Link{}, d.Plan...), d.Found...) {
			for _, e := range []End{l.A, l.B} {
				ports[e.Box+" "+e.Port] = string(d.Kind)
				rack, _, _ := strings.Cut(e.Place, "/")
				if !seen[rack] {
					seen[rack] = true
					racks[rack]++
				}
			}
		}
		if lines += len(d.Plan) + len(d.Found); d.Kind == WrongProduct {
			lines -= len(d.Plan)
		}
	}
	marks := r.Marks()
	for i, m := range marks {
		if ports[m.Box+" "+m.Port] != m.Kind {
			t.Errorf("%s %s is marked as %s", m.Box, m.Port, m.Kind)
		}
		empty := strings.HasPrefix(m.Text, "is empty; planned ")
		if empty != (m.Kind == string(Missing)) && m.Kind != string(WrongBox) && m.Kind != string(WrongPort) {
			t.Errorf("%s %s, %s: %s", m.Box, m.Port, m.Kind, m.Text)
		}
		if i > 0 && (marks[i-1].Place > m.Place || marks[i-1].Place == m.Place && marks[i-1].Unit < m.Unit) {
			t.Errorf("mark %d is out of order", i)
		}
	}
	if len(marks) != len(ports) || len(ports) < 20 {
		t.Errorf("%d marks of %d ports", len(marks), len(ports))
	}
	f := r.Floor()
	room := p.result.Room()
	for place, n := range f.Racks {
		if racks[room.Name(int(place))] != n {
			t.Errorf("rack %s has %d differences, expected %d", room.Name(int(place)), n, racks[room.Name(int(place))])
		}
	}
	drawn := 0
	for _, l := range f.Lines {
		drawn += l.Links
	}
	if len(f.Racks) != len(racks) || drawn != lines || f.Count != len(r.Differences) {
		t.Errorf("%d racks, %d links, %d differences; expected %d, %d, %d", len(f.Racks), drawn, f.Count, len(racks),
			lines, len(r.Differences))
	}
}
