package solid

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// planned plans an example, without the list of cables where that is of no use: in rooms.
func planned(t testing.TB, name string) *machine.Result {
	t.Helper()
	s, err := machine.Load(filepath.Join("../../examples", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: len(s.Room.Containers) == 0})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// modelled makes the model of a plan.
func modelled(t testing.TB, r *machine.Result, limits Limits) *Model {
	t.Helper()
	m, err := New(context.Background(), r, limits)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// volume is what the triangles of a mesh enclose, by the divergence theorem: right only if all face outwards and leave
// no gap.
func (m *mesh) volume() float64 {
	sum := 0.0
	for i := 0; i < len(m.indices); i += 3 {
		a, b, c := m.points[m.indices[i]], m.points[m.indices[i+1]], m.points[m.indices[i+2]]
		sum += dot(a, crossed(b, c)) / 6
	}
	return sum
}

// outwards reports whether the normals are on the side from which triangles go anticlockwise.
func (m *mesh) outwards() bool {
	for i := 0; i < len(m.indices); i += 3 {
		a, b, c := m.indices[i], m.indices[i+1], m.indices[i+2]
		n := crossed(sub(m.points[b], m.points[a]), sub(m.points[c], m.points[a]))
		if dot(n, add(m.normals[a], add(m.normals[b], m.normals[c]))) < 0 {
			return false
		}
	}
	return true
}

// Blocks, prisms of any simple polygon and tubes enclose the volume that geometry gives them.
func TestVolumes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	check := func(what string, m *mesh, want float64) {
		t.Helper()
		if got := m.volume(); math.Abs(got-want) > 1e-9*max(1, want) {
			t.Errorf("%s: volume %g, want %g", what, got, want)
		}
		if !m.outwards() {
			t.Errorf("%s: a normal faces inwards", what)
		}
	}
	for range 200 {
		var m mesh
		w, d, h := random.Float64()+0.1, random.Float64()+0.1, random.Float64()+0.1
		m.block([3]float64{1, 2, 3}, [3]float64{1 + w, 2 + d, 3 + h})
		check("block", &m, w*d*h)

		// A polygon whose corners are seen from its middle in order, convex or not.
		p := Part{Lo: [3]float64{2: 1}, Hi: [3]float64{2: 1 + h}}
		n := 3 + random.IntN(9)
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			r := 0.2 + random.Float64()
			p.Ring = append(p.Ring, [2]float64{5 + r*cos, 7 + r*sin})
		}
		area := 0.0
		for i, a := range p.Ring {
			b := p.Ring[(i+1)%n]
			area += (a[0]*b[1] - a[1]*b[0]) / 2
		}
		m = mesh{}
		m.prism(&p)
		check("prism", &m, area*h)

		// A line that turns at right angles: mitred corners add and take away alike.
		l := Line{Diameter: 0.01, Points: []layout.Point{{}}}
		length := 0.0
		for axis := range 2 + random.IntN(5) {
			at := l.Points[len(l.Points)-1]
			step := units.Length(0.5 + random.Float64())
			length += float64(step)
			if random.IntN(2) == 0 {
				step = -step
			}
			switch axis % 3 {
			case 0:
				at.X += step
			case 1:
				at.Z += step
			case 2:
				at.Y += step
			}
			l.Points = append(l.Points, at)
		}
		m = l.tube()
		section := sides / 2 * 0.005 * 0.005 * math.Sin(2*math.Pi/sides)
		if got, want := m.volume(), section*length; math.Abs(got-want) > 1e-9 {
			t.Errorf("tube of %v: volume %g, want %g", l.Points, got, want)
		}
	}
}

// A concave ring with corners in one line and a repeated corner is cut whole.
func TestTriangles(t *testing.T) {
	ring := [][2]float64{{0, 0}, {2, 0}, {4, 0}, {4, 3}, {3, 3}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}
	area := 0.0
	for _, c := range triangles(ring) {
		area += cross(ring[c[0]], ring[c[1]], ring[c[2]]) / 2
	}
	if want := 4.0*3 - 2*2; math.Abs(area-want) > 1e-12 {
		t.Errorf("area %g, want %g", area, want)
	}
}

// The model has the racks, boxes and bundles of the plan, all of them by name, each within what holds it.
func TestModel(t *testing.T) {
	for _, name := range []string{
		"basepod", "superpod-h100-4su", "listed-hall/listed-hall", "four-columns/four-columns", "hall/hall",
	} {
		t.Run(name, func(t *testing.T) {
			r := planned(t, name)
			m := modelled(t, r, DefaultLimits)
			got := m.Counted()
			if want := len(r.Placement.Racks); got[Rack] != want {
				t.Errorf("%d racks, want %d", got[Rack], want)
			}
			boxes := len(r.Placement.Slot)
			if k := r.Schedule.Patching; k != nil {
				boxes += len(k.Panels)
			}
			if n := got[Node] + got[Switch] + got[Service] + got[Panel]; n != boxes {
				t.Errorf("%d boxes, want %d", n, boxes)
			}
			if n := got[Copper] + got[Fibre] + got[Mixed]; n != len(r.Schedule.Bundles) {
				t.Errorf("%d bundles, want %d", n, len(r.Schedule.Bundles))
			}
			for i := range m.Solids {
				inside(t, m, &m.Solids[i])
			}
		})
	}
}

// inside checks that a box is in its rack.
func inside(t *testing.T, m *Model, s *Solid) {
	t.Helper()
	if s.In < 0 || m.Solids[s.In].Kind != Rack {
		return
	}
	lo, hi := m.Shapes[s.Shape].bound()
	_, rack := m.Shapes[m.Solids[s.In].Shape].bound()
	at := [3]float64{float64(s.At.X), float64(s.At.Y), float64(s.At.Z)}
	for a := range 3 {
		least := -rack[a] // racks stand about their middle
		if a == 2 {
			least = 0
		}
		l, h := lo[a], hi[a]
		if s.Turned == 2 && a < 2 {
			l, h = -h, -l
		}
		if at[a]+l < least-1e-3 || at[a]+h > rack[a]+1e-3 {
			t.Errorf("%s reaches out of rack %s on axis %d: %g to %g, rack %g", s.Name, m.Solids[s.In].Name, a,
				at[a]+l, at[a]+h, rack[a])
		}
	}
}

// bound is the box around a shape.
func (s *Shape) bound() (lo, hi [3]float64) {
	lo, hi = s.Parts[0].Lo, s.Parts[0].Hi
	for _, p := range s.Parts {
		for a := range 3 {
			lo[a], hi[a] = min(lo[a], p.Lo[a]), max(hi[a], p.Hi[a])
		}
	}
	return lo, hi
}

// Bundles that share a piece of tray have lanes of their own on it, and run along the axes.
func TestLanes(t *testing.T) {
	r := planned(t, "superpod-h100-4su")
	b := &builder{Model: &Model{}, r: r, limits: DefaultLimits, shapes: map[string]int32{}}
	l := newLanes(b)
	type lane struct {
		piece      int32
		across, up units.Length
	}
	taken := map[lane]int32{}
	s := r.Schedule
	for i := range s.Bundles {
		x := &s.Bundles[i]
		if x.Way < 0 {
			continue
		}
		legs := s.WayLegs(x.Way)
		across, up := l.takeLane(int(s.Ways[x.Way].Level), legs)
		for _, leg := range legs {
			leg.Pieces(func(piece int32) {
				k := lane{piece, across, up}
				if other, is := taken[k]; is {
					t.Errorf("bundles %d and %d share a lane on piece %d", other, i, piece)
				}
				taken[k] = int32(i)
			})
		}
	}
	if len(taken) == 0 {
		t.Fatal("no bundle lies on a tray")
	}
	for _, line := range modelled(t, r, DefaultLimits).Lines {
		for i := 1; i < len(line.Points); i++ {
			a, z := line.Points[i-1], line.Points[i]
			if (a.Manhattan(z) - a.Distance(z)).Abs() > 1e-6 {
				t.Errorf("%s runs slantwise from %v to %v", line.Name, a, z)
			}
		}
	}
}

// What is too much to be drawn one by one stands for as much: stacks have the volume of their boxes, and the bodies in
// trays the cables.
func TestLimits(t *testing.T) {
	for _, name := range []string{"superpod-h100-4su", "basepod"} {
		r := planned(t, name)
		all, few := modelled(t, r, DefaultLimits), modelled(t, r, Limits{})
		if len(all.Notes) > 0 || len(few.Notes) != 2 {
			t.Errorf("%s: notes %q and %q", name, all.Notes, few.Notes)
		}
		if a, f := all.filled(), few.filled(); math.Abs(a-f) > 1e-6*a || a == 0 {
			t.Errorf("%s: racks and boxes fill %g m³ one by one, %g m³ in stacks", name, a, f)
		}
		if len(few.Lines) > 0 || few.Counted()[Mixed] == 0 {
			t.Errorf("%s: %d lines, %d bodies of cables", name, len(few.Lines), few.Counted()[Mixed])
		}
		var a, f bytes.Buffer
		if all.GLTF(&a) != nil || few.GLTF(&f) != nil || f.Len() > a.Len() {
			t.Errorf("%s: %d bytes one by one, %d otherwise", name, a.Len(), f.Len())
		}
	}
}

// filled is the volume of racks with their boxes.
func (m *Model) filled() float64 {
	sum := 0.0
	for i := range m.Solids {
		if m.Solids[i].Shape < 0 {
			continue
		}
		for _, p := range m.Shapes[m.Solids[i].Shape].Parts {
			if p.Kind >= Rack && p.Kind <= Panel {
				sum += (p.Hi[0] - p.Lo[0]) * (p.Hi[1] - p.Lo[1]) * (p.Hi[2] - p.Lo[2])
			}
		}
	}
	return sum
}

// Containers hold each other, down to a level with as many as may be drawn.
func TestContainers(t *testing.T) {
	r := planned(t, "torus-4096-cubes")
	tree := r.Placement.Layout.Tree
	for boxes, want := range map[int]int{20_000: 1 + 64, 4095: 1 + 64, 10: 1} {
		m := modelled(t, r, Limits{Boxes: boxes})
		got := m.Counted()
		if got[Container] != want {
			t.Errorf("at most %d: %d containers, want %d", boxes, got[Container], want)
		}
		if n := 4096; (boxes >= n) != (got[Node] == n) || boxes < n && got[Node] > 0 {
			t.Errorf("at most %d: %d boxes", boxes, got[Node])
		}
	}
	if len(tree.Levels) != 2 {
		t.Fatalf("%d levels: the numbers above are of two", len(tree.Levels))
	}
}

// Lines between containers stand for every cable that leaves one, once: cubes have those of all links between them.
func TestCablesBetweenContainers(t *testing.T) {
	r := planned(t, "torus-4096-cubes")
	l := r.Placement.Layout
	m := modelled(t, r, DefaultLimits)
	want, got := int64(0), int64(0)
	for i := range r.Schedule.Segments {
		seg := &r.Schedule.Segments[i]
		a, b := l.Container(1, r.Placement.Slot[seg.A]), l.Container(1, r.Placement.Slot[seg.B])
		if a != b && seg.Cable > 0 {
			want++
		}
	}
	named := map[string]bool{}
	for i := range m.Lines {
		line := &m.Lines[i]
		if named[line.Name] || len(line.Points) < 2 || line.Diameter <= 0 {
			t.Errorf("%s: drawn before, or nothing", line.Name)
		}
		named[line.Name] = true
		for _, f := range line.Facts {
			if f.Key == "cables" {
				got += int64(f.Number)
			}
		}
	}
	if got != want || want == 0 {
		t.Errorf("lines have %d cables, want %d", got, want)
	}
	few := modelled(t, r, Limits{Boxes: 20_000, Bends: 10})
	if len(few.Lines) != 0 || len(few.Notes) == 0 {
		t.Errorf("%d lines beyond the limit, notes %q", len(few.Lines), few.Notes)
	}
}
