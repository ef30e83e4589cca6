package route

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/pick"
)

// runsOf finds the runs of all cables of a machine.
func runsOf(t *testing.T, text string) *Runs {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pick.Of(r, pick.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Of(r, all, "level")
	if err != nil {
		t.Fatal(err)
	}
	var n, counted int64
	for i := range c.Runs {
		n += c.Runs[i].Cables
	}
	for _, counts := range c.Inside {
		n += Sum(counts)
	}
	for _, k := range c.Classes {
		counted += k.Cables
	}
	if n != c.Cables || counted != c.Cables {
		t.Fatalf("%d cables are drawn and %d counted of %d", n, counted, c.Cables)
	}
	return c
}

// length is that of the cables of runs, along x, along y and aslant.
func length(points [][2]float64) float64 {
	sum := 0.0
	for i := 1; i < len(points); i++ {
		sum += math.Hypot(points[i][0]-points[i-1][0], points[i][1]-points[i-1][1])
	}
	return sum
}

// Stretches have the metres of all runs, and none lies on another.
func TestStretchesAddUp(t *testing.T) {
	for _, text := range []string{
		`{topology: {family: fat-tree, nodes: 48, radix: 16}, room: {racks_per_row: 4}}`,
		`topology: {family: torus, dims: [6, 6, 6]}`,
		`{topology: {family: torus, dims: [6, 6, 6]}, cabling: {route: manhattan}}`,
		`{topology: {family: torus, dims: [6, 6, 6]}, cabling: {route: direct}}`,
	} {
		c := runsOf(t, text)
		var want, got float64
		for i := range c.Runs {
			want += float64(c.Runs[i].Cables) * length(c.Runs[i].Points)
		}
		sums := c.Stretches()
		for i := range sums {
			got += float64(sums[i].Total()) * length([][2]float64{sums[i].From, sums[i].To})
			a, ok := partOf(sums[i].From, sums[i].To)
			for k := range sums[:i] {
				b, is := partOf(sums[k].From, sums[k].To)
				if ok && is && a.axis == b.axis && a.from < b.to && b.from < a.to {
					t.Errorf("%s: stretches %d and %d lie on each other", text, k, i)
				}
			}
		}
		if math.Abs(got-want) > 1e-6*want || want == 0 {
			t.Errorf("%s: stretches have %g m, runs %g m", text, got, want)
		}
	}
}

// No two runs have the same lane where they lie on each other.
func TestLanesAreApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Runs
		coordinate := rapid.IntRange(0, 4)
		for range rapid.IntRange(1, 12).Draw(t, "runs") {
			x, y := float64(coordinate.Draw(t, "x")), float64(coordinate.Draw(t, "y"))
			points := [][2]float64{{x, y}}
			for range rapid.IntRange(1, 4).Draw(t, "pieces") {
				if x = float64(coordinate.Draw(t, "x")); rapid.Bool().Draw(t, "turn") {
					y = float64(coordinate.Draw(t, "y"))
				}
				points = append(points, [2]float64{x, points[len(points)-1][1]}, [2]float64{x, y})
			}
			c.Runs = append(c.Runs, Run{Points: points, Cables: 1})
		}
		lanes := c.Lanes(40)
		if lanes == nil {
			t.Fatal("40 lanes are too few")
		}
		type cell struct {
			lane, x, y int
			upright    bool
		}
		for i := range c.Runs {
			mine := map[cell]bool{}
			for k := range i + 1 {
				points := c.Runs[k].Points
				for n := 1; n < len(points); n++ {
					a, b := points[n-1], points[n]
					for x := min(a[0], b[0]); x < max(a[0], b[0]); x++ {
						at := cell{lanes[k], int(x), int(a[1]), false}
						if k == i && mine[at] {
							t.Fatalf("run %d lies on another in lane %d", i, lanes[i])
						}
						if k < i {
							mine[at] = true
						}
					}
					for y := min(a[1], b[1]); y < max(a[1], b[1]); y++ {
						at := cell{lanes[k], int(a[0]), int(y), true}
						if k == i && mine[at] {
							t.Fatalf("run %d lies on another in lane %d", i, lanes[i])
						}
						if k < i {
							mine[at] = true
						}
					}
				}
			}
		}
	})
}

// Classes are in the order of the machine file, as on the page: fabrics and levels are not sorted by their names.
func TestClassesAreInTheOrderOfTheFile(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(`
boxes: [{name: node, count: 8, part: node}]
fabrics:
  - {name: storage, topology: {family: access, down: 48}, ends: [{boxes: node, ports: bmc}],
     switches: {leaf: {part: nvidia-sn2201}}}
  - {name: compute, topology: {family: access, down: 48}, ends: [{boxes: node, ports: mgmt}],
     switches: {leaf: {part: nvidia-sn2201}}}
parts:
  - {id: node, kind: node, units: 1, ports: [{name: bmc, count: 1, connector: rj45, rate: 1G},
     {name: mgmt, count: 1, connector: rj45, rate: 1G}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pick.Of(r, pick.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for by, want := range map[string][]string{
		"fabric": {"storage", "compute"}, "level": {"storage/terminal", "compute/terminal"},
	} {
		c, err := Of(r, all, by)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range c.Classes {
			got = append(got, k.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %s: %q", by, got)
		}
	}
}
