package layout

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/units"
)

// closeTo compares points to a micrometre.
func closeTo(p, q Point) bool { return p.Distance(q) < 1e-6 }

// TestPortsOfBoxesByHand: a box of 2 units, 88.9 mm, 0.4 m wide and 0.8 m deep. Six ports in cages of two on two rows
// are
// two columns, at a quarter and three quarters of the width; rows at three quarters and a quarter of the height.
func TestPortsOfBoxesByHand(t *testing.T) {
	h := 2 * units.RackUnit
	b := NewBox(2, 0.4, 0.8, []Ports{
		{Count: 6, PerCage: 2, Rows: 2},
		{Count: 3, Rear: true},
		{Count: 2, At: [][2]units.Length{{0.1, 0.02}, {0.3, 0.05}}},
		{Count: 1, Rear: true, At: [][2]units.Length{{0.1, 0.02}}},
	})
	want := []Point{
		{-0.1, -0.4, h * 3 / 4},
		{-0.1, -0.4, h * 3 / 4},
		{-0.1, -0.4, h / 4},
		{-0.1, -0.4, h / 4},
		{0.1, -0.4, h * 3 / 4},
		{0.1, -0.4, h * 3 / 4},
		// At the rear, from its left as seen from there: thirds of the width, mirrored.
		{0.4 / 3, 0.4, h / 2},
		{0, 0.4, h / 2},
		{-0.4 / 3, 0.4, h / 2},
		{-0.1, -0.4, 0.02},
		{0.1, -0.4, 0.05},
		{0.1, 0.4, 0.02},
	}
	if b.PortCount() != len(want) {
		t.Fatalf("%d ports", b.PortCount())
	}
	for i, p := range want {
		if !closeTo(b.Port(i), p) {
			t.Errorf("port %d at %v, expected %v", i, b.Port(i), p)
		}
	}
	if b.Port(len(want)) != (Point{}) {
		t.Error("a port that is not there")
	}
	some := b.WithPorts([]int{6, 4, 0})
	if some.PortCount() != 3 || some.Port(0) != b.Port(6) || some.Port(2) != b.Port(0) {
		t.Errorf("%+v", some)
	}
	broken := some.BreakOut([]int{2, 0, 3})
	var at []Point
	for i := range broken.PortCount() {
		at = append(at, broken.Port(i))
	}
	if !slices.Equal(at, []Point{b.Port(6), b.Port(6), b.Port(4), b.Port(0), b.Port(0), b.Port(0)}) {
		t.Errorf("ports at %v", at)
	}
	five := NewBox(1, 0.5, 0.6, []Ports{{Count: 5, PerCage: 2}}) // three cages in a row
	if got, want := five.Port(4), (Point{0.5 * (2.5/3 - 0.5), -0.3, units.RackUnit / 2}); !closeTo(got, want) {
		t.Errorf("the fifth port at %v, expected %v", got, want)
	}
	if got := NewBox(0, 0.5, 0.6, []Ports{{Count: 2}}).Port(1); !closeTo(got, Point{0.125, -0.3, 0}) {
		t.Errorf("a port of a box without height at %v", got)
	}
}

// TestSlotsByHand stands boxes in two rows of racks of 0.6 m x 1.1 m whose first unit begins at 0.05 m, in a row that
// is
// turned and one that is not.
func TestSlotsByHand(t *testing.T) {
	s := usual(2, 2)
	r, err := NewRoom(s.Complete())
	if err != nil {
		t.Fatal(err)
	}
	u := units.RackUnit
	b := NewRackBuilder(r, []Chassis{
		{Name: "blade", Units: 4, Slots: [3]int{2, 1, 2}, Traces: true},
		{Name: "shelf", Units: 2, Slots: [3]int{3, 2, 1}, Pitch: [3]units.Length{0.15, 0.4}},
	}, 8)
	blade := b.AddChassis(0, ChassisPlace{0, 1, 3})
	b.AddChassis(0, ChassisPlace{3, 1, 9})
	second := b.AddChassis(0, ChassisPlace{3, 2, 20})
	shelf := b.AddChassis(1, ChassisPlace{3, 1, 30})
	box := &Box{Width: 0.1, Depth: 0.3}
	slots := []int32{
		b.AddBox(0, 1, false), b.AddBox(3, 7, true), b.AddCell(0, blade, 1), b.AddCell(0, second, 2), b.AddCell(1,
			shelf, 5),
		b.AddBeside(0, 10, 0, false, box), b.AddBeside(0, 10, 1, true, box), b.AddBeside(3, 10, 2, true, box),
		b.AddBeside(3, 10, 19, false, &Box{Width: 0.1, Depth: 2}),
	}
	l := b.Layout()
	// A01 is at 1.0, 1.25 and turned; B02 at 1.6, 3.65 and not.
	for i, want := range []struct {
		pos                         Point
		unit, cell, chassis, height int
		rear                        bool
		path, rack                  string
	}{
		{Point{1, 1.25, 0.05}, 1, -1, -1, 0, false, "A01/U01", "A01"},
		{Point{1.6, 3.65, 0.05 + 6*u}, 7, -1, -1, 0, true, "B02/U07", "B02"},
		// Cell 1 of 2 x 1 x 2: the right one, 0.15 m from the middle, turned to the left; the lower of two of 2 units
		// each,
		// whose middle is one unit above the bottom.
		{Point{1 - 0.15, 1.25, 0.05 + 2*u + u}, 3, 1, 0, 4, false, "A01/blade1/U03", "A01"},
		{Point{1.6 - 0.15, 3.65, 0.05 + 19*u + 3*u}, 20, 2, 0, 4, false, "B02/blade2/U20", "B02"},
		// Cell 5 of 3 x 2: the third across at 0.15 m, the second from the front at 0.2 m behind the middle.
		{Point{1.6 + 0.15, 3.65 + 0.2, 0.05 + 29*u + u}, 30, 5, 1, 2, false, "B02/shelf1/U30", "B02"},
		// Beside the units: (0.6 - 0.1) / 2 = 0.25 to the left, front flush at (1.1 - 0.3) / 2 = 0.4 before the middle;
		// A01 is turned, so both swap.
		{Point{1 + 0.25, 1.25 + 0.4, 0.05 + 9*u + u/2}, 10, -1, -1, 0, false, "A01/U10", "A01"},
		{Point{1 - 0.25, 1.25 - 0.4, 0.05 + 9*u + u/2}, 10, -1, -1, 0, true, "A01/U10", "A01"},
		{Point{1.6 - 0.15, 3.65 + 0.4, 0.05 + 9*u + u/2}, 10, -1, -1, 0, true, "B02/U10", "B02"},
		{Point{1.6, 3.65, 0.05 + 9*u + u/2}, 10, -1, -1, 0, false, "B02/U10", "B02"},
	} {
		slot := slots[i]
		kind, at, ok := l.Chassis(slot)
		if !closeTo(l.Position(slot), want.pos) || l.Unit(slot) != want.unit || l.Cell(slot) != want.cell ||
			l.Rear(slot) != want.rear || l.Path(slot) != want.path || l.Rack(slot) != want.rack ||
			l.ChassisUnits(slot) != want.height || ok != (want.chassis >= 0) || ok && kind != want.chassis {
			t.Errorf("slot %d: %v, U%d, cell %d, rear %v, %s in %s, chassis %d %v %v of %d units, expected %+v", i,
				l.Position(slot), l.Unit(slot), l.Cell(slot), l.Rear(slot), l.Path(slot), l.Rack(slot), kind, at, ok,
				l.ChassisUnits(slot), want)
		}
	}
	// Turned boxes are turned about their slot: the front of the first faces +y, of that at the rear of B02 too.
	for i, want := range map[int32]Point{
		0: {1 - 0.1, 1.25 + 0.5, 0.05 + 0.02}, 1: {1.6 - 0.1, 3.65 + 0.5, 0.05 + 6*u + 0.02},
		4: {1.6 + 0.15 + 0.1, 3.65 + 0.2 - 0.5, 0.05 + 30*u + 0.02},
	} {
		if got := l.At(slots[i], Point{0.1, -0.5, 0.02}); !closeTo(got, want) {
			t.Errorf("a point of slot %d at %v, expected %v", i, got, want)
		}
	}
	for _, c := range []struct {
		a, b int32
		want int
	}{{0, 1, HallLevel}, {0, 2, RackLevel}, {1, 3, RackLevel}, {2, 2, RackLevel + 1}, {4, 4, RackLevel + 2}} {
		if got := l.Common(slots[c.a], slots[c.b]); got != c.want {
			t.Errorf("slots %d and %d share level %d, expected %d", c.a, c.b, got, c.want)
		}
	}
	for level, want := range []int{1, 2, 2, 2, 1} {
		if got := l.CountOccupied(level, slots); got != want {
			t.Errorf("level %d: %d occupied, expected %d", level, got, want)
		}
	}
	if l.Slots() != 9 || l.LevelIndex("shelf") != 4 || l.LevelIndex("blade") != 3 || l.LevelIndex("none") != -1 ||
		l.LevelOf(RoleRow) != RowLevel || l.Stands() != RackLevel || !l.InRack(RackLevel) || !l.InRack(4) ||
		l.InRack(RowLevel) {
		t.Errorf("%d slots, levels %+v", l.Slots(), l.Levels)
	}
	if got := fmt.Sprint(l.ContainerName(0, 0), l.ContainerName(1, 1), l.ContainerName(2, 3), l.ContainerName(3,
		second)); got !=
		"hallBB02B02/blade2" {
		t.Error(got)
	}
	more := l.With([]Stand{{2, 12}, {0, 40}})
	if more.Slots() != 11 || l.Slots() != 9 || !closeTo(more.Position(9), Point{1, 3.65, 0.05 + 11*u}) ||
		more.Path(10) != "A01/U40" || more.Container(3, 9) != -1 || more.Rear(10) {
		t.Errorf("%d slots, %v, %s", more.Slots(), more.Position(9), more.Path(10))
	}
	bare := &Layout{Levels: []Level{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
	if bare.Stands() != 2 || bare.InRack(2) || bare.LevelOf(RoleHall) != -1 {
		t.Errorf("levels without roles: %d", bare.Stands())
	}
}

// TestUnitSetsTakeAnyUnits: units below the first and above the last are in no set.
func TestUnitSetsTakeAnyUnits(t *testing.T) {
	for _, c := range []struct{ u, n, want int }{
		{-3, 3, 0},
		{-3, 5, 1},
		{0, 1, 0},
		{0, 2, 1},
		{1, 0, 0},
		{5, -1, 0},
		{63, 3, 3},
		{1, 64, 64},
		{2, 64, 64},
		{64, 1, 1},
		{250, 20, 7},
		{257, 1, 0},
	} {
		var s UnitSet
		s.Add(c.u, c.n)
		if s.Len() != c.want {
			t.Errorf("%d units from %d: %d, expected %d", c.n, c.u, s.Len(), c.want)
		}
	}
}

// TestDistances by hand: 3, 4 and 12 m apart along the axes are 13 m straight and 19 m along them.
func TestDistances(t *testing.T) {
	p, q := Point{1, 2, 3}, Point{4, -2, 15}
	if math.Abs(float64(p.Distance(q)-13)) > 1e-12 || p.Manhattan(q) != 19 || q.Manhattan(p) != 19 ||
		p.Add(q) != (Point{5, 0, 18}) {
		t.Errorf("%v, %v, %v", p.Distance(q), p.Manhattan(q), p.Add(q))
	}
}
