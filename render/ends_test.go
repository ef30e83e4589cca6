package render

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/elevation"
	"github.com/plenum-planner/plenum/units"
)

// slowLabels is Labels, field by field from what the schedule says, all plugs sorted at once.
func slowLabels(t *testing.T, w io.Writer, r *machine.Result) {
	out := csvtable.NewWriter(t.Context(), w, labelColumns)
	text := newLabelText(r)
	var plugs []plug
	text.each(func(p plug) { plugs = append(plugs, p) })
	s, l := r.Schedule, text.layout()
	rack := func(e plugEnd) int32 { return l.Container(text.level, s.Placement.Slot[e.v]) }
	slices.SortStableFunc(plugs, func(x, y plug) int {
		a, _, _ := text.ends(x)
		b, _, _ := text.ends(y)
		p, q := &s.Segments[x.seg()], &s.Segments[y.seg()]
		return cmp.Or(cmp.Compare(rack(a), rack(b)), cmp.Compare(text.pull(p), text.pull(q)),
			cmp.Compare(p.Cable, q.Cable))
	})
	for _, p := range plugs {
		near, far, name := text.ends(p)
		out.Text(l.ContainerName(text.level, rack(near)))
		seg := &s.Segments[p.seg()]
		if seg.Bundle > 0 {
			out.Int(int64(text.bundles.pull[seg.Bundle-1]))
			out.Text(string(text.bundles.appendID(nil, seg.Bundle)))
		} else {
			out.Empty(2)
		}
		a, b := s.Label(near.v, near.port), s.Label(far.v, far.port)
		out.Texts(s.CableID(int64(seg.Cable)), name, a+between+b, a, b, l.ContainerName(text.level, rack(far)),
			s.Colour(seg))
		if err := out.End(); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
}

// slowPorts is Ports, field by field.
func slowPorts(t *testing.T, w io.Writer, r *machine.Result) {
	s := r.Schedule
	out := csvtable.NewWriter(t.Context(), w, portColumns)
	type at struct {
		v    int32
		port int
	}
	plugged := map[at]*cabling.Segment{}
	for i := range s.Segments {
		if seg := &s.Segments[i]; seg.Product != cabling.IsTrace {
			plugged[at{seg.A, int(seg.PortA)}], plugged[at{seg.B, int(seg.PortB)}] = seg, seg
		}
	}
	for kind, k := range s.Kinds {
		for v := int32(k.First); v < int32(k.First+k.Count); v++ {
			stands := placeOf(s, s.Placement.Layout, v)
			all, own := s.Boxes[kind].AllPorts()
			for p, port := range all {
				out.Text(stands.rack)
				if stands.unit > 0 {
					out.Int(int64(stands.unit))
				} else {
					out.Empty(1)
				}
				out.Texts(stands.device, s.Boxes[kind].Part.ID, port.Name)
				out.Int(int64(port.Cage) + 1)
				out.Text(port.Group.Connector)
				var seg *cabling.Segment
				for i, n := range own { // a port may be listed for several networks
					if n == p && seg == nil {
						seg = plugged[at{v, i}]
					}
				}
				switch {
				case seg == nil:
					out.Empty(3)
				case seg.A == v && own[seg.PortA] == p:
					out.Texts(s.CableID(int64(seg.Cable)), product(s, seg), s.Label(seg.B, seg.PortB))
				default:
					out.Texts(s.CableID(int64(seg.Cable)), product(s, seg), s.Label(seg.A, seg.PortA))
				}
				if err := out.End(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
}

// slowElevations is Elevations, field by field.
func slowElevations(t *testing.T, w io.Writer, r *machine.Result) {
	out := csvtable.NewWriter(t.Context(), w, elevationColumns)
	for e := range elevation.Each(r) {
		for _, m := range e.Stack {
			out.Texts(e.Name, e.Row)
			if m.Unit > 0 {
				out.Int(int64(m.Unit + m.Units - 1))
				out.Int(int64(m.Unit))
			} else {
				out.Empty(2)
			}
			out.Int(int64(m.Units))
			out.Texts(m.What, m.Part)
			out.Int(int64(m.Boxes))
			out.Text(m.Face)
			if err := out.End(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
}

// slowPlacement is Placement, field by field.
func slowPlacement(t *testing.T, w io.Writer, r *machine.Result) {
	out := csvtable.NewWriter(t.Context(), w,
		[]string{"vertex", "label", "kind", "container", "cell", "unit", "face", "address", "x_m", "y_m", "z_m"})
	l := r.Placement.Layout
	for _, k := range r.Graph.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			slot, name, address := r.Placement.Slot[v], r.Names.Name(v), r.Names.Address(v)
			out.Int(int64(v))
			out.Texts(name, k.Name, l.Innermost(slot))
			if cell := l.Cell(slot); cell >= 0 {
				out.Int(int64(cell) + 1)
			} else {
				out.Empty(1)
			}
			switch {
			case l.Room == nil:
				out.Empty(2)
			case l.Rear(slot):
				out.Int(int64(l.Unit(slot)))
				out.Text("rear")
			default:
				out.Int(int64(l.Unit(slot)))
				out.Text("front")
			}
			if address == name {
				address = ""
			}
			out.Text(address)
			p := l.Position(slot)
			for _, x := range []units.Length{p.X, p.Y, p.Z} {
				out.Text(strconv.FormatFloat(math.Round(float64(x)*1e4)/1e4, 'f', -1, 64))
			}
			if err := out.End(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
}

// TestListsOfEndsEqualTheirTwins: lists are those of field by field, regardless of what things are called.
func TestListsOfEndsEqualTheirTwins(t *testing.T) {
	guarded := false
	for _, text := range machinesToName {
		for _, names := range []spec.Names{
			{},
			{Labels: "{rack}:{box}, {port}"},
			{Cables: "=C{n}", Boxes: map[string]string{"leaf": "=1+{n}", "spine": "a, {n}", "node": `-{n}"`}},
			{Cables: "{n}", Boxes: map[string]string{"leaf": "é{n}", "spine": "@{n}", "node": "a;{n}"}},
		} {
			s := toName(t, text)
			if s.Names = names; names.Boxes != nil {
				g := plan(t, toName(t, text)).Graph
				s.Names.Boxes = map[string]string{}
				for _, k := range g.Kinds() {
					if pattern, ok := names.Boxes[k.Name]; ok {
						s.Names.Boxes[k.Name] = pattern
					}
				}
			}
			r := plan(t, s)
			for name, c := range map[string]struct {
				fast Writer
				slow func(t *testing.T, w io.Writer, r *machine.Result)
			}{
				"labels.csv": {Labels, slowLabels}, "ports.csv": {Ports, slowPorts},
				"elevations.csv": {Elevations, slowElevations}, "placement.csv": {Placement, slowPlacement},
			} {
				var got, want bytes.Buffer
				c.slow(t, &want, r)
				if err := c.fast(t.Context(), &got, r); err != nil {
					t.Fatal(err)
				}
				guarded = guarded || strings.Contains(want.String(), `""`)
				if !bytes.Equal(got.Bytes(), want.Bytes()) {
					a, b := strings.Split(got.String(), "\n"), strings.Split(want.String(), "\n")
					for i := range min(len(a), len(b)) {
						if a[i] != b[i] {
							t.Fatalf("%s: %v: %s, line %d:\n%s\nwant\n%s", text, names, name, i+1, a[i], b[i])
						}
					}
					t.Fatalf("%s: %s has %d lines, not %d", text, name, len(a), len(b))
				}
			}
		}
	}
	if !guarded {
		t.Error("no name needs quotes")
	}
}
