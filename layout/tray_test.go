package layout

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

// followWay walks along the pieces of a way: it starts above a, ends above b, and
// is as long as it should be.
func followWay(t interface{ Fatalf(string, ...any) }, r *Room, level int, a, b int32, way []TrayLeg, want float64) {
	above := func(place int32) Point {
		p := r.Places[place]
		return Point{p.X, p.Y, r.Rows[p.Row].Z + r.Trays.Levels[level].Height}
	}
	at, sum := above(a), 0.0
	near := func(p, q Point) bool { return p.Distance(q) < 1e-6 }
	for _, g := range way {
		g.Pieces(func(n int32) {
			p := r.Trays.Piece(n)
			switch {
			case !r.Trays.IsLaid(n):
				t.Fatalf("the way takes piece %d, %+v, which is not laid", n, p)
			case p.Level != level || r.Trays.LevelOf(n) != level:
				t.Fatalf("piece %d is on level %d, not %d", n, p.Level, level)
			case near(p.From, at):
				at = p.To
			case near(p.To, at):
				at = p.From
			default:
				t.Fatalf("the way jumps from %v to %+v", at, p)
			}
			sum += float64(p.Length)
		})
	}
	if !near(at, above(b)) {
		t.Fatalf("the way ends at %v, not %v", at, above(b))
	}
	if math.Abs(sum-want) > 1e-3 {
		t.Fatalf("pieces add up to %.4f, the way to %.4f", sum, want)
	}
}

// drawTrays draws a room of several halls, levels and paths.
func drawTrays(t *rapid.T) RoomSpec {
	s := drawRoom(t)
	for left := s.Rows; left > 0; {
		n := rapid.IntRange(1, left).Draw(t, "rows of a hall")
		floor := units.Length(rapid.IntRange(0, 1).Draw(t, "floor") * 4)
		s.Halls = append(s.Halls, Hall{Rows: n, Distance: 5, Floor: floor})
		left -= n
	}
	for _, name := range []string{"copper", "fibre", "floor"}[:rapid.IntRange(0, 3).Draw(t, "levels")] {
		l := TrayLevel{Name: name, Height: 2.3 + units.Length(len(s.Trays.Levels))*0.3}
		if rapid.Bool().Draw(t, "own crosses") {
			l.Cross = []int{s.PerRow}
		}
		s.Trays.Levels = append(s.Trays.Levels, l)
	}
	drawObstacles(t, &s)
	position := func(row int) Position {
		return Position{row, rapid.IntRange(1, s.PerRow).Draw(t, "position")}
	}
	for row := 1; row < s.Rows; row++ {
		if rapid.IntRange(0, 2).Draw(t, "path") == 0 {
			p := TrayPath{Name: "path", From: position(row), To: position(rapid.IntRange(0, row-1).Draw(t, "to"))}
			p.Length = units.Length(rapid.SampledFrom([]float64{0, 0.5, 20}).Draw(t, "length"))
			if len(s.KeepOuts) > 0 { // straight lines are not led around anything
				p.Length = max(p.Length, 0.5)
			}
			if len(s.Trays.Levels) > 1 && rapid.Bool().Draw(t, "one level") {
				p.Levels = []int{1}
			}
			s.Trays.Paths = append(s.Trays.Paths, p)
		}
	}
	return s
}

// relaxed is the cost of the cheapest way, by relaxing all pieces until nothing
// changes.
func relaxed(r *Room, level int, a, b int32, price func(int32) float64) float64 {
	cost := map[Point]float64{}
	key := func(p Point) Point {
		f := func(x units.Length) units.Length { return units.Length(math.Round(float64(x) * 1e5)) }
		return Point{f(p.X), f(p.Y), f(p.Z)}
	}
	above := func(place int32) Point {
		p := r.Places[place]
		return key(Point{p.X, p.Y, r.Rows[p.Row].Z + r.Trays.Levels[level].Height})
	}
	at := func(p Point) float64 {
		if c, ok := cost[p]; ok {
			return c
		}
		return math.Inf(1)
	}
	cost[above(a)] = 0
	for changed := true; changed; {
		changed = false
		for n := range int32(r.Trays.Pieces()) {
			p := r.Trays.Piece(n)
			if p.Level != level || !r.Trays.IsLaid(n) {
				continue
			}
			from, to := key(p.From), key(p.To)
			for range 2 {
				if c := at(from) + price(n); c < at(to)-1e-9 {
					cost[to], changed = c, true
				}
				from, to = to, from
			}
		}
	}
	return at(above(b))
}

// TestWaysAreCheapest compares ways on several levels, in several halls, with
// and without prices, with relaxing the pieces.
func TestWaysAreCheapest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SampledFrom([]func(*rapid.T) RoomSpec{drawTrays, drawListed, drawObstructed}).Draw(t, "room")
		r, err := NewRoom(draw(t))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Places) == 0 {
			t.Skip("no free place")
		}
		pick := rapid.Int32Range(0, int32(len(r.Places)-1))
		a, b := pick.Draw(t, "a"), pick.Draw(t, "b")
		if a == b {
			return
		}
		level := rapid.IntRange(0, len(r.Trays.Levels)-1).Draw(t, "level")
		want := relaxed(r, level, a, b, func(n int32) float64 { return float64(r.Trays.Piece(n).Length) })
		got := float64(r.Trays.DistanceOn(level, a, b))
		if math.IsInf(want, 1) != math.IsInf(got, 1) || math.Abs(got-want) > 1e-3 {
			t.Fatalf("%s to %s: %g, want %g", r.Name(int(a)), r.Name(int(b)), got, want)
		}
		prices := make([]int64, r.Trays.Pieces())
		for i := range prices {
			prices[i] = rapid.SampledFrom([]int64{1, 3, 10, 100}).Draw(t, "price")
		}
		way, cost := r.Trays.NewRouter().Route(level, a, b, func(n int32) int64 { return prices[n] })
		priced := relaxed(r, level, a, b, func(n int32) float64 { return float64(prices[n]) })
		if math.IsInf(want, 1) {
			if way != nil || cost != NoRoute || r.Trays.Route(level, a, b) != nil {
				t.Fatalf("a way from nowhere: %v for %d", way, cost)
			}
			return
		}
		followWay(t, r, level, a, b, r.Trays.Route(level, a, b), want)
		followWay(t, r, level, b, a, r.Trays.Route(level, b, a), want)
		if float64(cost) != priced {
			t.Fatalf("a way for %d, want %g", cost, priced)
		}
		sum, length := int64(0), 0.0
		for _, g := range way {
			g.Pieces(func(n int32) {
				sum += prices[n]
				length += float64(r.Trays.Piece(n).Length)
			})
		}
		if sum != cost {
			t.Fatalf("pieces cost %d, the way %d", sum, cost)
		}
		followWay(t, r, level, a, b, way, length)
	})
}

// TestGridDistances compares the distances of junctions on a grid with those that a search finds, to the last bit.
// Rooms whose edges are not whole tenths of a millimetre are searched.
func TestGridDistances(t *testing.T) {
	grids, searched := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawTrays(t)
		s.Trays.Paths = nil
		s.Rack.Width = units.Length(rapid.SampledFrom([]float64{0.6, 0.7239, 0.60005, 0.6 + 1e-7}).Draw(t, "width"))
		r, err := NewRoom(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Trays.plans {
			if p.grid == nil {
				searched++
				continue
			}
			grids++
			for j := range p.edges {
				from := p.source(int32(j))
				for i, want := range p.dijkstra(int32(j)) {
					if got := from.to(int32(i)); got != want {
						t.Fatalf("junctions %d to %d: %v, want %v", j, i, got, want)
					}
				}
			}
		}
	})
	if (grids == 0 || searched == 0) && !testing.Short() { // twenty draws may have none
		t.Errorf("%d grids, %d others", grids, searched)
	}
}

// TestPiecesAddUp checks that the pieces of a level are as long as its trays.
func TestPiecesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, err := NewRoom(rapid.SampledFrom([]func(*rapid.T) RoomSpec{drawTrays, drawListed}).Draw(t, "room")(t))
		if err != nil {
			t.Fatal(err)
		}
		sums := make([]units.Length, len(r.Trays.Levels))
		along := cursor{t: r.Trays}
		for n := range int32(r.Trays.Pieces()) {
			p := r.Trays.Piece(n)
			from := rapid.Int32Range(0, n).Draw(t, "from")
			for _, m := range []int32{from, n, max(n-1, 0), n} {
				if got, want := along.piece(m), r.Trays.Piece(m); got != want {
					t.Fatalf("piece %d is %+v by itself and %+v after others", m, want, got)
				}
			}
			way := []TrayLeg{{from, n}, {n, n}, {n, from}}
			var described []Segment
			tray := ""
			for _, leg := range way {
				leg.Pieces(func(m int32) {
					p := r.Trays.Piece(m)
					if len(described) == 0 || p.Name != tray {
						described, tray = append(described, Segment{}), p.Name
					}
					described[len(described)-1].Length += p.Length
				})
			}
			for i, got := range r.Trays.Describe(way) {
				if i >= len(described) || got.Length != described[i].Length {
					t.Fatalf("%v is described as %v, want lengths of %v", way, got, described)
				}
			}
			if r.Trays.IsLaid(n) {
				sums[p.Level] += p.Length
			}
		}
		for i, sum := range sums {
			if want := r.Trays.Length(i); math.Abs(float64(sum-want)) > 1e-6 {
				t.Fatalf("level %d: pieces of %v, trays of %v", i, sum, want)
			}
		}
	})
}

func TestTraysRefuseNonsense(t *testing.T) {
	good := RoomSpec{
		Rows: 3, PerRow: 2, Rack: RackType{Units: 42, Width: 0.6, Depth: 1.2},
		Halls: []Hall{{Rows: 2}, {Rows: 1, Distance: 3}},
		Trays: TraySpec{Cross: []int{0}, Paths: []TrayPath{{From: Position{0, 1}, To: Position{2, 2}}}},
	}
	if _, err := NewRoom(good); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*RoomSpec){
		"Halls: 3 rows in the halls, 4 in all": func(s *RoomSpec) { s.Rows = 4 },
		"Halls[1].Rows":                        func(s *RoomSpec) { s.Halls[1].Rows = 0 },
		"Trays.Paths[0].From":                  func(s *RoomSpec) { s.Trays.Paths[0].From.Number = 3 },
		"Trays.Paths[0].To: there":             func(s *RoomSpec) { s.Trays.Paths[0].To.Row = 7 },
		"Trays.Paths[0].To: both":              func(s *RoomSpec) { s.Trays.Paths[0].To.Row = 0 },
		"Trays.Levels[1].Cross": func(s *RoomSpec) {
			s.Trays.Levels = []TrayLevel{{Name: "a"}, {Name: "b", Cross: []int{3}}}
		},
	} {
		s := good
		s.Halls, s.Trays.Paths = slices.Clone(s.Halls), slices.Clone(s.Trays.Paths)
		change(&s)
		if _, err := NewRoom(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestParsePosition(t *testing.T) {
	for name, want := range map[string]Position{"A01": {0, 1}, "A1": {0, 1}, "Z12": {25, 12}, "AA003": {26, 3}} {
		if got, ok := ParsePosition(name); !ok || got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{
		"", "A", "12", "A0", "a01", "A-1", "A1B", "A99999999999999999999", strings.Repeat("Z", 30) + "1",
	} {
		if got, ok := ParsePosition(name); ok {
			t.Errorf("%s: %v", name, got)
		}
	}
}
