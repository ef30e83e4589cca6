package layout

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

// listed states the rows of a room one by one: of unequal length and position, some turned, with reserved positions.
// Paths keep to the positions that there are.
func listed(t *rapid.T, s *RoomSpec) {
	longest := 0
	if rapid.Bool().Draw(t, "types") {
		s.Types = []RackType{{Name: "wide", Units: 48, Width: 0.8, Depth: 1, Height: 2.3}}
	}
	s.Gaps = slices.DeleteFunc(slices.Clone(s.Gaps), func(g Gap) bool { return g.After >= s.PerRow })
	for i := range s.Rows {
		l := RowSpec{Racks: rapid.IntRange(1, s.PerRow).Draw(t, "racks")}
		if rapid.Bool().Draw(t, "x given") {
			x := units.Length(math.Round(rapid.Float64Range(0, 5).Draw(t, "x")*20) / 20)
			l.X = &x
		}
		if i == 0 && rapid.Bool().Draw(t, "y given") {
			y := units.Length(rapid.IntRange(0, 3).Draw(t, "y"))
			l.Y = &y
		}
		if rapid.IntRange(0, 3).Draw(t, "turned") == 0 {
			turned := rapid.Bool().Draw(t, "how")
			l.Turned = &turned
		}
		if rapid.IntRange(0, 3).Draw(t, "named") == 0 {
			l.Name = fmt.Sprintf("R%d", i)
		}
		if rapid.IntRange(0, 2).Draw(t, "reserved") == 0 {
			first := rapid.IntRange(1, l.Racks).Draw(t, "first")
			l.Reserved = []Stretch{{first, rapid.IntRange(first, l.Racks).Draw(t, "last")}}
		}
		if len(s.Types) > 0 && rapid.Bool().Draw(t, "typed") {
			first := rapid.IntRange(1, l.Racks).Draw(t, "first typed")
			l.Types = []TypeStretch{{Stretch{first, rapid.IntRange(first, l.Racks).Draw(t, "last typed")}, 1}}
		}
		longest = max(longest, l.Racks)
		s.List = append(s.List, l)
	}
	s.PerRow = longest
	s.Gaps = slices.DeleteFunc(s.Gaps, func(g Gap) bool { return g.After >= longest })
	within := func(c []int) []int {
		return slices.DeleteFunc(slices.Clone(c), func(c int) bool { return c > longest })
	}
	s.Trays.Cross = within(s.Trays.Cross)
	if len(s.Trays.Cross) == 0 {
		s.Trays.Cross = []int{0}
	}
	for i := range s.Trays.Levels {
		if l := &s.Trays.Levels[i]; l.Cross != nil {
			l.Cross = []int{longest}
		}
	}
	for i := range s.Trays.Paths {
		for _, p := range []*Position{&s.Trays.Paths[i].From, &s.Trays.Paths[i].To} {
			p.Number = min(p.Number, s.List[p.Row].Racks)
		}
	}
}

// drawListed draws a room of rows that differ, with all that drawTrays draws. Trays have to join nothing.
func drawListed(t *rapid.T) RoomSpec {
	s := drawTrays(t)
	listed(t, &s)
	return s
}

// slowRows is the shortest way over trays by relaxing a graph that is made from the statement of the rows alone: a
// straight ladder above each, and cross trays that join each row that reaches to them with the next that does.
func slowRows(r *Room, cross []int, a, b int32) float64 {
	type node struct {
		row int
		x   units.Length
	}
	s := &r.Spec
	x0, racks := make([]units.Length, len(r.Rows)), make([]int, len(r.Rows))
	gaps := func(before int) (sum units.Length) {
		for _, g := range s.Gaps {
			if g.After < before {
				sum += g.Width
			}
		}
		return sum
	}
	longest := 0
	for i := range s.List {
		if x0[i] = s.Margin; s.List[i].X != nil {
			x0[i] = *s.List[i].X
		}
		racks[i] = s.List[i].Racks
		if racks[i] > racks[longest] {
			longest = i
		}
	}
	width := func(row, number int) units.Length { return s.TypeAt(row, number).Width }
	end := func(row int) units.Length {
		x := x0[row] + gaps(racks[row])
		for n := 1; n <= racks[row]; n++ {
			x += width(row, n)
		}
		return x
	}
	centre := func(row, number int) units.Length {
		x := x0[row] + gaps(number)
		for n := 1; n < number; n++ {
			x += width(row, n)
		}
		return x + width(row, number)/2
	}
	var nodes []node
	dist := map[int]float64{}
	add := func(row int, x units.Length) int {
		nodes = append(nodes, node{row, x})
		dist[len(nodes)-1] = math.Inf(1)
		return len(nodes) - 1
	}
	from := add(r.Places[a].Row, centre(r.Places[a].Row, r.Places[a].Number))
	to := add(r.Places[b].Row, centre(r.Places[b].Row, r.Places[b].Number))
	type edge struct {
		u, v   int
		length float64
	}
	var edges []edge
	for _, c := range cross {
		x := end(longest)
		switch {
		case c == 0:
			x = x0[longest]
		case c < racks[longest]:
			x = (centre(longest, c) + width(longest, c)/2 + centre(longest, c+1) - width(longest, c+1)/2) / 2
		}
		last := -1
		for row := range r.Rows {
			if x < x0[row]-1e-7 || x > end(row)+1e-7 {
				continue
			}
			n := add(row, x)
			if last >= 0 && r.Rows[nodes[last].row].Hall == r.Rows[row].Hall {
				edges = append(edges, edge{last, n, float64(r.Rows[row].Y - r.Rows[nodes[last].row].Y)})
			}
			last = n
		}
	}
	for u := range nodes {
		for v := range u {
			if nodes[u].row == nodes[v].row {
				edges = append(edges, edge{u, v, float64((nodes[u].x - nodes[v].x).Abs())})
			}
		}
	}
	dist[from] = 0
	for changed := true; changed; {
		changed = false
		for _, e := range edges {
			u, v := e.u, e.v
			for range 2 {
				if d := dist[u] + e.length; d < dist[v]-1e-12 {
					dist[v], changed = d, true
				}
				u, v = v, u
			}
		}
	}
	return dist[to]
}

// TestWaysBetweenUnequalRows walks the ways between racks of rows of unequal length and position, and holds them
// against
// relaxing a graph made from the statement of the rows.
func TestWaysBetweenUnequalRows(t *testing.T) {
	apart, joined := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawRoom(t)
		s.KeepOuts, s.Trays.Movable, s.Trays.Unused = nil, false, true
		listed(t, &s)
		r, err := NewRoom(s)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Places) == 0 {
			t.Skip("no free place")
		}
		pick := rapid.Int32Range(0, int32(len(r.Places)-1))
		a, b := pick.Draw(t, "a"), pick.Draw(t, "b")
		got, want := float64(r.Trays.Distance(a, b)), slowRows(r, s.Trays.Cross, a, b)
		if math.IsInf(want, 1) {
			apart++
			if !math.IsInf(got, 1) || r.Trays.Route(0, a, b) != nil {
				t.Fatalf("%s to %s: %v, but no tray leads there", r.Name(int(a)), r.Name(int(b)), got)
			}
			return
		}
		joined++
		if math.Abs(got-want) > 1e-3 {
			t.Fatalf("%s to %s: %.4f, want %.4f", r.Name(int(a)), r.Name(int(b)), got, want)
		}
		followWay(t, r, 0, a, b, r.Trays.Route(0, a, b), want)
	})
	if (apart == 0 || joined == 0) && !testing.Short() { // twenty draws may have none
		t.Errorf("%d pairs apart, %d joined", apart, joined)
	}
}

// TestListOfEqualRows holds rows that are stated one by one, all alike, against rows that are not.
func TestListOfEqualRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawTrays(t)
		want, err := NewRoom(s)
		if err != nil {
			t.Fatal(err)
		}
		one := s
		for range s.Rows {
			one.List = append(one.List, RowSpec{Racks: s.PerRow})
		}
		got, err := NewRoom(one)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Places, want.Places) || !slices.Equal(got.Lost, want.Lost) || got.Bound != want.Bound ||
			!slices.Equal(got.Aisles, want.Aisles) || got.Trays.Pieces() != want.Trays.Pieces() {
			t.Fatalf("%+v\n%+v", got, want)
		}
		for n := range int32(got.Trays.Pieces()) {
			if got.Trays.Piece(n) != want.Trays.Piece(n) || got.Trays.IsLaid(n) != want.Trays.IsLaid(n) ||
				got.Trays.DescribeRun(n, n) != want.Trays.DescribeRun(n, n) {
				t.Fatalf("piece %d: %+v %s, want %+v %s", n, got.Trays.Piece(n), got.Trays.DescribeRun(n, n),
					want.Trays.Piece(n), want.Trays.DescribeRun(n, n))
			}
		}
		for a := range int32(len(got.Places)) {
			if d, w := got.Trays.Distance(0, a), want.Trays.Distance(0, a); d != w && (d-w).Abs() > 1e-3 {
				t.Fatalf("to %s: %v, want %v", got.Name(int(a)), d, w)
			}
		}
	})
}

// rowsOf is a room of rows of 0.6 m racks, 1.2 m deep, with the lengths given.
func rowsOf(racks ...int) RoomSpec {
	s := RoomSpec{
		Rows: len(racks), PerRow: slices.Max(racks), Rack: RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2},
		Cold: 1.2, Hot: 1.2, Alternate: true, Margin: 1.2, Trays: TraySpec{Height: 2.3},
	}
	for _, n := range racks {
		s.List = append(s.List, RowSpec{Racks: n})
	}
	return s
}

func at(x float64) *units.Length { l := units.Length(x); return &l }

// TestUnequalRows works out one room by hand: a short row between two long ones.
func TestUnequalRows(t *testing.T) {
	s := rowsOf(10, 4, 10)
	s.List[1].Name, s.List[1].X, s.List[1].Reserved = "net", at(2.4), []Stretch{{2, 3}}
	r, err := NewRoom(s.Complete())
	if err != nil {
		t.Fatal(err)
	}
	if supply := r.Supply(); supply.Free != 22 || supply.Lost[Reserved] != 2 || supply.Shortest != 4 {
		t.Errorf("%+v", supply)
	}
	place := func(name string) int32 {
		p, ok := s.Position(name)
		if !ok {
			t.Fatalf("no position %s", name)
		}
		return r.Rows[p.Row].Position[p.Number-1]
	}
	// Cross trays are at both ends of the long rows, 1.2 m and 7.2 m, and at the ends of the short one, 2.4 m and 4.8
	// m:
	// both are 1.8 m or more from any other that the row reaches to. Rows are 2.4 m apart.
	for _, c := range []struct {
		from, to string
		want     float64
	}{
		{"A10", "C10", 0.3 + 4.8 + 0.3},                      // past the short row
		{"A01", "net01", 2.7 - 1.5 + 2.4 + 2*(-0.3) + 2*0.3}, // along its own row to 2.4 m, across, 0.3 m back in
		{"net01", "net04", 1.8},
		{"net04", "C10", 0.3 + 2.4 + (6.9 - 4.8)},
		{"A06", "C06", 0.3 + 4.8 + 0.3},
	} {
		if got := r.Trays.Distance(place(c.from), place(c.to)); math.Abs(float64(got)-c.want) > 1e-6 {
			t.Errorf("%s to %s: %v, want %g m", c.from, c.to, got, c.want)
		}
	}
	for name, want := range map[string]bool{
		"A01": true, "net4": true, "net04": true, "B01": false, "net": false,
		"4": false,
	} {
		if _, ok := s.Position(name); ok != want {
			t.Errorf("position %q: %v", name, ok)
		}
	}
}

func TestRowNamesWithDigits(t *testing.T) {
	s := rowsOf(3, 2)
	s.List[0].Name, s.List[1].Name = "12", "12b"
	r, err := NewRoom(s.Complete())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range r.Places {
		names = append(names, r.Name(i))
		if p, ok := s.Position(r.Name(i)); !ok || p != (Position{r.Places[i].Row, r.Places[i].Number}) {
			t.Errorf("%s is read as %v", r.Name(i), p)
		}
	}
	if got := strings.Join(names, " "); got != "12-01 12-02 12-03 12b01 12b02" {
		t.Error(got)
	}
}

// TestListRefusesNonsense checks that rows that cannot stand are refused, each at its field.
func TestListRefusesNonsense(t *testing.T) {
	turned := true
	for want, change := range map[string]func(*RoomSpec){
		"List: 3 rows are stated":          func(s *RoomSpec) { s.Rows = 4 },
		"List[1].Racks: a row of 0 racks":  func(s *RoomSpec) { s.List[1].Racks = 0 },
		"List[1].Racks: a row of 11 racks": func(s *RoomSpec) { s.List[1].Racks = 11 },
		"List[2].Name: row 1 is called A":  func(s *RoomSpec) { s.List[2].Name = "A" },
		"List[1].Reserved[0]":              func(s *RoomSpec) { s.List[1].Reserved = []Stretch{{4, 5}} },
		"List[1].Y: row B stands at y":     func(s *RoomSpec) { s.List[1].Y = at(0.5) },
		"List[2]: row C stands on the floor of row B: from x 1.2 m to 3.6 m, from y 3.6 m to 4.2 m": func(s *RoomSpec) {
			s.List[2].Y = at(3.6)
			s.List[1].Y = at(3)
		},
		"List[1].Racks: row B takes up to x": func(s *RoomSpec) {
			s.Width, s.Depth = 7, 9
			s.List[0].Racks, s.List[1].Racks, s.List[2].Racks = 4, 10, 4
		},
		"List[1].X: row B takes up to x": func(s *RoomSpec) { s.Width, s.Depth = 8.4, 12; s.List[1].X = at(6.1) },
		"List[2]: row C takes up to y":   func(s *RoomSpec) { s.Width, s.Depth = 8.4, 8 },
		"List[2].Y: row C takes up to y": func(s *RoomSpec) { s.Width, s.Depth = 8.4, 9; s.List[2].Y = at(8) },
		"Trays: cross trays, which run straight across the rows, do not reach row C": func(s *RoomSpec) {
			s.List[2].X = at(20)
		},
	} {
		s := rowsOf(10, 4, 10)
		s.List[0].Turned = &turned
		change(&s)
		if _, err := NewRoom(s.Complete()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestRowsSideBySide lays two rows beside each other behind a third, as a cross-aisle divides them.
func TestRowsSideBySide(t *testing.T) {
	s := rowsOf(20, 8, 8)
	s.List[1].Y, s.List[2].Y, s.List[2].X = at(3.6), at(3.6), at(8.4)
	r, err := NewRoom(s.Complete())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Aisles) != 2 || r.Aisles[1].Bound.Min[0] != 8.4 {
		t.Errorf("aisles %+v", r.Aisles)
	}
	// From the last of row B at 5.7 m, up where it ends, along row A, and across to the first of row C at 8.7 m.
	b, c := r.Rows[1].Position[7], r.Rows[2].Position[0]
	if got := r.Trays.Distance(b, c); math.Abs(float64(got)-(3+2*2.4)) > 1e-6 {
		t.Errorf("%v from B to C", got)
	}
}

// TestRackTypes works out a row by hand in which two network racks of 0.8 m stand among four of 0.6 m.
func TestRackTypes(t *testing.T) {
	s := rowsOf(6, 6)
	s.Types = []RackType{{Name: "network", Units: 48, Width: 0.8, Depth: 1, Height: 2.3}}
	s.List[0].Types = []TypeStretch{{Stretch{3, 4}, 1}}
	r, err := NewRoom(s.Complete())
	if err != nil {
		t.Fatal(err)
	}
	if row := r.Rows[0]; (row.X1-(1.2+4*0.6+2*0.8)).Abs() > 1e-9 || r.Rows[1].X1 != r.Rows[1].Left[5]+0.6 {
		t.Errorf("rows end at %v and %v", row.X1, r.Rows[1].X1)
	}
	for i, want := range []float64{1.5, 2.1, 2.8, 3.6, 4.3, 4.9} {
		if x := r.Places[i].X; math.Abs(float64(x)-want) > 1e-9 ||
			r.Type(int32(i)).Units != []int{42, 42, 48, 48, 42, 42}[i] {
			t.Errorf("rack %d at %v, of %d units", i+1, x, r.Type(int32(i)).Units)
		}
	}
	if d := r.Trays.Distance(0, 5); math.Abs(float64(d)-3.4) > 1e-9 {
		t.Errorf("%v along the row", d)
	}
	for want, change := range map[string]func(*RoomSpec){
		"List[0].Types[0]: positions 3 to 7 of a row of 6": func(s *RoomSpec) { s.List[0].Types[0].Last = 7 },
		"List[0].Types[0]: racks of type 2, of 1 types":    func(s *RoomSpec) { s.List[0].Types[0].Type = 2 },
		"List[0].Types[1]: position 4 has a type already": func(s *RoomSpec) {
			s.List[0].Types = append(s.List[0].Types, TypeStretch{Stretch{4, 5}, 0})
		},
	} {
		bad := s
		bad.List = slices.Clone(s.List)
		bad.List[0].Types = slices.Clone(s.List[0].Types)
		change(&bad)
		if _, err := NewRoom(bad.Complete()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
