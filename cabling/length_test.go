package cabling

import (
	"math"
	"testing"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// TestLengthRules works the rules out by hand for racks that stand both ways
// round, with ports at the front and at the rear.
func TestLengthRules(t *testing.T) {
	g := newGraph(t, topology.HyperX{Dims: topology.Ints{4}, Terminals: 3})
	p, err := machineOf(g, switchParts, func(e *embed.Problem) {
		for k := range e.Kinds {
			e.Kinds[k].PerRack = 2
		}
		e.Room.Rows, e.Room.PerRow, e.Room.Alternate = 3, 4, true
	})
	if err != nil {
		t.Fatal(err)
	}
	// The ports of the first kind move to the front, to the left of the middle.
	ports := p.Boxes[0].Box.PortCount()
	var places [][2]units.Length
	for range ports {
		places = append(places, [2]units.Length{0.1, 0.02})
	}
	p.Boxes[0].Box = layout.NewBox(1, 0.44, 0.8, []layout.Ports{{Count: ports, At: places}})
	l := p.Placement.Layout
	rack := func(v int32) int32 { return l.Container(layout.RackLevel, p.Placement.Slot[v]) }
	width := l.Room.Spec.Rack.Width
	crossings, turned := 0, 0
	for _, side := range []Side{AnySide, Nearest, Left, Right} {
		p.Mode = Tray
		p.Slack = Slack{Fixed: 0.3, InRack: 0.1, Loop: 0.4, Crossing: 1.1, Manager: side, RoundUp: 0.25}
		s := run(t, p)
		for i := range s.Segments {
			seg := &s.Segments[i]
			a, b := s.end(seg.A, seg.PortA), s.end(seg.B, seg.PortB)
			// In the rack's own frame, x runs to the right seen from the front; a box
			// that is not turned inside the rack has the same frame.
			ax, bx := a.port.X, b.port.X
			if l.Rear(a.slot) {
				ax = -ax
			}
			if l.Rear(b.slot) {
				bx = -bx
			}
			frontA, frontB := (a.port.Y < 0) != l.Rear(a.slot), (b.port.Y < 0) != l.Rear(b.slot)
			to := func(x units.Length, front bool, s Side) units.Length { // s as seen from the face
				if (s == Left) == front {
					return width/2 + x
				}
				return width/2 - x
			}
			pa, pb := l.At(a.slot, a.port), l.At(b.slot, b.port)
			want := units.Length(0)
			if rack(seg.A) == rack(seg.B) {
				switch side {
				case AnySide:
					want = (ax - bx).Abs()
				case Nearest:
					want = min(width/2+ax+width/2+bx, width/2-ax+width/2-bx)
				default:
					left := (side == Left) == frontA // of the rack, seen from the front
					if left {
						want = width + ax + bx
					} else {
						want = width - ax - bx
					}
				}
				want += (pa.Y - pb.Y).Abs() + (pa.Z - pb.Z).Abs() + 0.1
			} else {
				switch side {
				case AnySide:
				case Nearest:
					want = min(to(ax, frontA, Left), to(ax, frontA, Right)) +
						min(to(bx, frontB, Left), to(bx, frontB, Right))
				default:
					want = to(ax, frontA, side) + to(bx, frontB, side)
				}
				trays := l.Room.Trays
				want += 2*trays.Levels[0].Height - pa.Z - pb.Z + trays.Distance(rack(seg.A), rack(seg.B)) + 0.3 + 2*0.4
				if frontA != frontB {
					want += 1.1
					crossings++
				}
				if l.Room.Places[rack(seg.A)].Turned {
					turned++
				}
			}
			want = units.Length(math.Ceil(float64(want)*4-1e-3) / 4)
			if (seg.Length - want).Abs() > 1e-6 {
				t.Fatalf("manager %q: %v, want %v; %v", side, seg.Length, want, s.Pieces(seg))
			}
		}
	}
	if crossings == 0 || turned == 0 {
		t.Errorf("%d cables cross a rack, %d begin in a rack that is turned", crossings, turned)
	}
}

// TestPiecesAreTheParts checks that a part that is split keeps its sum.
func TestPiecesAreTheParts(t *testing.T) {
	pieces := []Piece{{"a", 0.33336}, {"b", 0.33336}, {"c", 0.33336}}
	sum := units.Length(0)
	for _, p := range split(pieces) {
		if p.Length != p.Length.Round4() {
			t.Errorf("%v", p)
		}
		sum += p.Length
	}
	if sum.Round4() != 1.0001 {
		t.Error(sum)
	}
}
