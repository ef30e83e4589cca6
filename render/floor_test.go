package render

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/pen"
)

func TestArrange(t *testing.T) {
	head := func(width float64) float64 { return 200000 / width } // wraps where it is narrow
	foot := func(width float64) float64 { return 100000 / width }
	for _, c := range []struct{ w, h, label, most float64 }{
		{3, 3.6, 50, 150},
		{12, 12, 50, 150},
		{44, 74, 50, 150},
		{170, 292, 50, 150},
		{661, 3.6, 50, 150},
		{3, 569, 50, 150},
		{0, 0, 50, 150},
		{6.3, 6.3, 0, math.Inf(1)},
		{1e-3, 1e4, 0, 150},
	} {
		t.Run(fmt.Sprintf("%gx%g", c.w, c.h), func(t *testing.T) {
			s := paper{c.label, c.most, largest}.arrange(c.w, c.h, head, foot)
			if s.W > largest || s.H > largest || s.W < smallest {
				t.Errorf("the picture is %g x %g", s.W, s.H)
			}
			around := pen.Rect(s.Plan.X0-leftOf, s.Plan.Y0, s.Plan.X1+rightOf, s.Plan.Y1+below)
			boxes := []pen.Box{s.Head, around, s.Foot}
			for i, a := range boxes {
				if a.X0 < 0 || a.Y0 < 0 || a.X1 > s.W || a.Y1 > s.H {
					t.Errorf("pen.Box %d %v is outside the picture %g x %g", i, a, s.W, s.H)
				}
				for j, b := range boxes[:i] {
					if a.Overlaps(b) {
						t.Errorf("boxes %d and %d overlap: %v, %v", j, i, b, a)
					}
				}
			}
			if w, h := c.w*s.Scale, c.h*s.Scale; w > s.Plan.Width() || h > s.Plan.Height() {
				t.Errorf("%g x %g pixels do not fit into %v", w, h, s.Plan)
			}
		})
	}
}

func TestSheetIsToScale(t *testing.T) {
	none := func(float64) float64 { return 100 }
	s := paper{0, 150, largest}.arrange(20, 10, none, none)
	x0, y0 := s.at(2, 1)
	x1, y1 := s.at(12, 6)
	if math.Abs((x1-x0)/(y0-y1)-2) > 1e-9 || math.Abs((x1-x0)/10-s.Scale) > 1e-9 {
		t.Errorf("10 m x 5 m is %g x %g pixels at scale %g", x1-x0, y0-y1, s.Scale)
	}
}

func TestScaleLength(t *testing.T) {
	for scale := 0.1; scale < 5000; scale *= 1.07 {
		l := scaleLength(scale)
		if px := l * scale; px < 80 || px > 250 {
			t.Errorf("at %g pixels to a metre the scale bar is %g m, %g pixels", scale, l, px)
		}
	}
}

func TestFloorDecodes(t *testing.T) {
	long := torus(2, 2, 2)
	long.Name = "A name that goes on and on, far beyond what a title could ever hold, and on, and on, and on, and " +
		"on, and on"
	for _, s := range []*spec.Spec{dragonfly(), superPod(), cubes(), long} {
		r := plan(t, s)
		var b bytes.Buffer
		if err := Floor(context.Background(), &b, r); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		size := img.Bounds().Size()
		if size.X < smallest || size.X > largest || size.Y > largest {
			t.Errorf("%s: %v", s.Name, size)
		}
	}
}

// The racks of a picture stand where the room has them.
func TestFloorColoursRacks(t *testing.T) {
	r := plan(t, superPod())
	l, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	none := func(float64) float64 { return 50 }
	d := &roomDrawing{room: r.Room(), racks: rackContents(r), trays: r.Schedule.Trays}
	d.count()
	bound := d.room.Bound
	d.sheet = paper{50, closest, largest}.arrange(bound.Max[0], bound.Max[1], none, none)
	d.Canvas = newCanvas(l, &d.sheet, bound.Min)
	d.paint()
	img := painted(t, d.Canvas)
	for i, p := range d.room.Places {
		at := d.boxOf(p.Footprint(d.room.Spec.Rack))
		want := contents[d.racks[i]].col
		got := img.RGBAAt(int(at.X0)+10, int(at.Y0+at.Height()*0.3)) // beside the trays and their edges
		if got != want {
			t.Errorf("rack %s is %v, want %v", d.room.Name(i), got, want)
		}
	}
}

func TestRackContents(t *testing.T) {
	s := superPod()
	s.Packaging.Leaf = &spec.Box{Part: "nvidia-qm9700", Place: spec.EndOfRow}
	r := plan(t, s)
	var got [len(contents)]int
	for _, c := range rackContents(r) {
		got[c]++
	}
	if got[nodes] != 32 || got[network] == 0 || got[endOfRow] == 0 || got[mixed] != 0 {
		t.Errorf("racks by content: %v", got)
	}
}

// TestContentsAtEndsOfRows: racks at the ends and in the middle of rows are those of switches only where they hold
// switches.
func TestContentsAtEndsOfRows(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(`
boxes:
- {name: pc, part: generic-server-1u}
- {name: helper, role: service, part: generic-server-1u}
- {name: admin, role: service, part: generic-server-1u}
racks:
- {name: pcs, count: 4, holds: [{boxes: pc, units: 1-8}]}
- {name: help, count: 1, place: end-of-row, holds: [{boxes: helper, units: 1-4}]}
- {name: admins, count: 1, place: middle-of-row, holds: [{boxes: admin, units: 1-4}]}
- {name: net, count: 1, place: end-of-row, holds: [{switch: oob, units: 40}]}
- {name: core, count: 1, place: middle-of-row, holds: [{switch: oob, units: 40}]}
fabrics:
- name: oob
  topology: {family: access}
  ends: [{boxes: "*", ports: bmc}]
  switches: {leaf: {part: nvidia-sn2201}}
room: {rows: 2, racks_per_row: 8}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got [len(contents)]int
	for _, c := range rackContents(plan(t, s)) {
		got[c]++
	}
	got[empty] = 0
	if want := [len(contents)]int{nodes: 4, serving: 2, endOfRow: 1, middleOfRow: 1}; got != want {
		t.Errorf("racks by content: %v, want %v", got, want)
	}
}

// The cables on the pieces of the trays, times the lengths of the pieces, are
// the metres that all jackets spend on trays.
func TestTrayLoadsAddUp(t *testing.T) {
	for _, given := range []*spec.Spec{dragonfly(), superPod(), torus(16, 16, 8)} {
		r := plan(t, given)
		s := r.Schedule
		want := 0.0
		legs := s.Legs()
		s.Each(func(_ int64, seg *cabling.Segment) bool {
			leg := legs.Next(seg)
			if way, _ := s.WayOf(seg); way >= 0 && s.Jacket(seg, leg) {
				want += float64(s.Parts(seg).Run)
			}
			return true
		})
		got := 0.0
		for piece := range s.Trays.Loads {
			got += float64(s.Trays.Loads[piece].Cables) * float64(s.Trays.Network.Piece(int32(piece)).Length)
		}
		if math.Abs(got-want) > 1e-3*want || want == 0 {
			t.Errorf("%s: %g m of cables on the trays, %g m by their ways", given.Name, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	l, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	k := pen.Letter{Size: 20}
	for _, s := range []string{
		"", "short", "a rather long line\nthat breaks",
		"ÄÖÜ äöü ß € × — a name in other letters",
	} {
		for width := 15.0; width < 400; width += 7 {
			if fit := l.Fit(s, k, width); l.Width(fit, k) > width {
				t.Errorf("%q in %g pixels is %q, %g wide", s, width, fit, l.Width(fit, k))
			}
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{grouped(0), "0"},
		{grouped(999), "999"},
		{grouped(-1000), "-1,000"},
		{grouped(1234567), "1,234,567"},
		{distance(0.3444), "0.34 m"},
		{distance(12.3456), "12.35 m"},
		{distance(297.94), "297.9 m"},
		{distance(8068.2), "8,068 m"},
		{distance(12643.9), "12.6 km"},
		{distance(24_249_000), "24,249 km"},
		{price(99_950, "USD"), "999.50 USD"},
		{price(454_619_750, "USD"), "4,546,198 USD"},
		{plural(1, "cable"), "1 cable"},
		{plural(2000, "cable"), "2,000 cables"},
		{sentence(superPod().Topology), "fat-tree, nodes 127, radix 64, rails 8"},
		{sentence(torus(8, 8, 8).Topology), "torus, dims 8 × 8 × 8"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func BenchmarkFloor(b *testing.B) {
	r := plan(b, torus(64, 32, 32))
	for b.Loop() {
		if err := Floor(context.Background(), new(bytes.Buffer), r); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRackContentsOfServices: racks of boxes that serve the nodes are not racks of nodes.
func TestRackContentsOfServices(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(`
boxes:
- {name: pc, count: 16, part: generic-server-1u, per_rack: 8}
- {name: helper, count: 8, role: service, part: generic-server-1u, racks: help, per_rack: 4}
- {name: admin, count: 4, role: service, part: generic-server-1u, racks: core}
fabrics:
- name: data
  topology: {family: leaf-spine, rails: 2, leaves: 2, up: 8, spines: 2}
  ends: [{boxes: pc, ports: data}, {boxes: helper, ports: data}, {boxes: admin, ports: data}]
  switches:
    leaf: {part: nvidia-sn4600c, place: network-row}
    spine: {part: nvidia-sn4600c, racks: core}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got [len(contents)]int
	for _, c := range rackContents(plan(t, s)) {
		got[c]++
	}
	got[empty] = 0
	if want := [len(contents)]int{nodes: 2, serving: 2, servers: 1, network: 1}; got != want {
		t.Errorf("racks by content: %v, want %v", got, want)
	}
}

// TestSentencesHaveNoTruth: a switch of a family is a word in the sentence of a floor plan, not "bundled true".
func TestSentencesHaveNoTruth(t *testing.T) {
	r := plan(t, toName(t, "topology: {family: clex, clique: 4, levels: 2, bundled: true}"))
	if got := networks(r.Spec); !strings.Contains(got, ", bundled") || strings.Contains(got, "true") {
		t.Errorf("%q", got)
	}
}
