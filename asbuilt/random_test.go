package asbuilt

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
)

// drawTopology draws a small machine of one of the families that differ most to those who rewire them.
func drawTopology(t *rapid.T) topology.Params {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	switch rapid.SampledFrom([]string{"fat-tree", "torus", "mesh", "hyperx", "dragonfly", "leaf-pair", "leaf-spine"}).
		Draw(t, "family") {
	case "torus":
		return topology.Torus{Dims: rapid.SliceOfN(rapid.IntRange(1, 5), 1, 3).Draw(t, "dims")}
	case "mesh":
		return topology.Mesh{Dims: rapid.SliceOfN(rapid.IntRange(1, 5), 1, 2).Draw(t, "dims")}
	case "hyperx":
		return topology.HyperX{
			Dims: rapid.SliceOfN(rapid.IntRange(1, 4), 1, 2).Draw(t, "dims"), Terminals: n("terminals", 1, 3),
		}
	case "dragonfly":
		return topology.Dragonfly{P: n("p", 1, 2), A: n("a", 1, 3), H: n("h", 1, 2), Groups: n("groups", 0, 4)}
	case "leaf-pair":
		return clusters.LeafPair{
			Nodes: n("nodes", 1, 30), Down: n("down", 0, 16), Links: n("links", 0, 2), PeerLinks: n("peer links", 0, 3),
		}
	case "leaf-spine":
		p := clusters.LeafSpine{
			Nodes: n("nodes", 1, 40), Down: n("down", 1, 12), Up: n("up", 1, 6), Rails: n("rails", 0, 3),
			Planes: n("planes", 1, 2),
		}
		p.Spines = p.Planes * n("spines", 1, p.Up)
		return p
	}
	return topology.FatTree{
		Nodes: n("nodes", 1, 60), Radix: n("radix", 2, 8) * 2, Rails: n("rails", 0, 3),
		Taper: rapid.SampledFrom([]float64{0, 1, 2}).Draw(t, "taper"),
	}
}

// drawPlan draws a machine and plans it.
func drawPlan(t *rapid.T) *machine.Result {
	r, _ := drawPlanOf(t)
	return r
}

// drawPlanOf draws a machine and plans it; it returns its file as well.
func drawPlanOf(t *rapid.T) (*machine.Result, *spec.Spec) {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	s := &spec.Spec{Name: "drawn", Topology: topology.Spec{Params: drawTopology(t)}}
	switch n("layout", 0, 4) {
	case 0:
		s.Room.Containers = []spec.Container{{Name: "cube", Count: []int{6, 6, 6}, Links: "cable"}}
	case 1:
		s.Packaging.Chassis = map[string]spec.Chassis{"blades": {
			Units: 6, Slots: []int{4, 1, 1}, Links: rapid.SampledFrom([]string{"trace", "cable"}).Draw(t, "links"),
		}}
		s.Packaging.Node = &spec.Box{Chassis: "blades"}
	case 2:
		s.Packaging.Node = &spec.Box{PerRack: n("per rack", 1, 6)}
		s.Cabling.Structured = &spec.Structured{}
		s.Cabling.Media = []spec.MediaRule{{Use: []string{"fibre"}}}
	}
	s.Room.RacksPerRow = n("racks per row", 0, 6)
	if n("part", 0, 2) == 0 {
		s.Packaging.Switch = &spec.Box{Part: "nvidia-qm9700"}
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Skip(err)
	}
	return r, s
}

// wires lists the cables of a plan as one would read them off: which plug is in which port.
func wires(r *machine.Result, box func(v int32) string) []string {
	var out []string
	s := r.Schedule
	s.Each(func(_ int64, seg *cabling.Segment) bool {
		if s.Panel(seg.A) >= 0 && s.Panel(seg.B) >= 0 {
			return true // positions of trunks
		}
		out = append(out, oneWire(s, seg, box))
		return true
	})
	slices.Sort(out)
	return out
}

// TestRandomDifferences draws two machines and compares them in both directions.
func TestRandomDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := drawPlan(t), drawPlan(t)
		checkSteps(t, old, new)
		checkMirror(t, old, new)
		checkOrder(t, compare(t, old, new))
		checkPaths(t, compare(t, old, new))
	})
}

// TestTraceForCable plans the move of two nodes that stay from a cable to a trace of their chassis and back: the trace
// is there before the cable is disconnected.
func TestTraceForCable(t *testing.T) {
	plan := func(links string) *machine.Result {
		s := &spec.Spec{Name: "pair", Topology: topology.Spec{Params: topology.Torus{Dims: []int{2}}}}
		s.Packaging.Chassis = map[string]spec.Chassis{"blades": {Units: 6, Slots: []int{4, 1, 1}, Links: links}}
		s.Packaging.Node = &spec.Box{Chassis: "blades"}
		r, err := machine.Plan(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	cable, trace := plan("cable"), plan("trace")
	checkPaths(t, compare(t, cable, trace))
	checkPaths(t, compare(t, trace, cable))
}

// checkSteps walks from one to the other by what the steps say alone: the cables of the old
// plan, those that are pulled out taken away and those that are plugged in added, are those of the new plan. Compare
// walks as well, and refuses steps in which a port is taken, a box is in the way or a path is missing.
func checkSteps(t *rapid.T, old, new *machine.Result) {
	opt := Options{
		Paths: rapid.IntRange(1, 3).Draw(t, "paths"), Capacity: rapid.SampledFrom([]float64{0, 50, 90}).Draw(t,
			"capacity"),
	}
	d, err := Compare(context.Background(), old, new, opt)
	if err != nil {
		t.Fatal(err)
	}
	name := func(side int) func(v int32) string {
		return func(v int32) string { return fmt.Sprint(d.inv[side].box[v]) }
	}
	have := map[string]int{}
	for _, w := range wires(old, name(0)) {
		have[w]++
	}
	legs := func(side int, c int32) []string {
		inv := d.inv[side]
		if inv.cables[c].trunk {
			return nil
		}
		var out []string
		s := inv.s
		for i := range s.Segments {
			if seg := &s.Segments[i]; seg.Cable == c+1 {
				out = append(out, oneWire(s, seg, name(side)))
			}
		}
		return out
	}
	for i := range d.Steps {
		for _, c := range d.Steps[i].Out {
			for _, w := range legs(0, c) {
				have[w]--
			}
		}
		for _, c := range d.Steps[i].In {
			for _, w := range legs(1, c) {
				have[w]++
			}
		}
	}
	var got []string
	for w, n := range have {
		if n < 0 || n > 1 {
			t.Fatalf("%s: %d times", w, n)
		}
		if n == 1 {
			got = append(got, w)
		}
	}
	slices.Sort(got)
	if want := wires(new, name(1)); !slices.Equal(got, want) {
		t.Fatalf("%d cables in the end, %d in the plan", len(got), len(want))
	}
}

func oneWire(s *cabling.Schedule, seg *cabling.Segment, box func(v int32) string) string {
	ends := []string{box(seg.A) + "-" + s.PortName(seg.A, seg.PortA), box(seg.B) + "-" + s.PortName(seg.B, seg.PortB)}
	slices.Sort(ends)
	product := ""
	if seg.Product >= 0 {
		product = s.Products[seg.Product].Item().String()
	}
	return strings.Join(append(ends, product), " ")
}

// checkMirror holds a difference against that the other way: what the one adds the other removes, what it plugs in
// elsewhere the other plugs back. A plan differs in nothing from itself.
func checkMirror(t *rapid.T, old, new *machine.Result) {
	there, back := compare(t, old, new).Document(), compare(t, new, old).Document()
	a, b := there.Cables, back.Cables
	b.Added, b.Removed = b.Removed, b.Added
	if a != b {
		t.Errorf("cables: %+v there, %+v back", a, b)
	}
	x, y := there.Boxes, back.Boxes
	y.Added, y.Removed = y.Removed, y.Added
	if x != y {
		t.Errorf("boxes: %+v there, %+v back", x, y)
	}
	if p, q := there.Ports, back.Ports; p.TakenUp != q.GivenUp || p.GivenUp != q.TakenUp {
		t.Errorf("ports: %+v there, %+v back", p, q)
	}
	if len(there.Parts) != len(back.Parts) {
		t.Fatalf("%d parts differ there, %d back", len(there.Parts), len(back.Parts))
	}
	for i := range there.Parts {
		p, q := &there.Parts[i], &back.Parts[i]
		if p.Item != q.Item || p.Buy != q.Free || p.Free != q.Buy {
			t.Errorf("%+v there, %+v back", p, q)
		}
	}
	same := compare(t, old, old).Document()
	if len(same.Steps)+len(same.BoxChanges)+len(same.Parts)+len(same.Panels) > 0 ||
		same.Cables.Kept != int(old.Schedule.Cables) ||
		same.RewiredLinks != 0 {
		t.Errorf("a plan and itself: %+v", same)
	}
}

func compare(t rapid.TB, old, new *machine.Result) *Difference {
	d, err := Compare(context.Background(), old, new, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// checkPaths plays the steps with a graph of its own and looks for every pair of boxes whether it keeps a path, by
// searching from each box through those that pass messages on.
func checkPaths(t rapid.TB, d *Difference) {
	in := func(side int) func(c *link) bool { return func(l *link) bool { return l.levels[side] != none } }
	var up []bool
	n := d.networks
	if len(n) == 0 {
		return
	}
	both := map[[2]int32]bool{}
	for _, pair := range pairs(n[0], d.links, in(0)) {
		both[pair] = true
	}
	wanted := map[[2]int32]bool{}
	for _, pair := range pairs(n[0], d.links, in(1)) {
		wanted[pair] = both[pair]
	}
	up = make([]bool, len(d.links))
	for i := range d.links {
		up[i] = d.links[i].levels[0] != none
	}
	set := func(side int, cables []int32, to bool) {
		for i := range d.changes[side] {
			c := &d.changes[side][i]
			if slices.ContainsFunc(c.cables, func(k int32) bool { return slices.Contains(cables, k) }) ||
				slices.ContainsFunc(c.trunks, func(k int32) bool { return slices.Contains(cables, k) }) {
				for _, l := range c.links {
					up[l] = to
				}
			}
		}
	}
	standing := make([]bool, len(d.Boxes)) // where the new plan has them
	for v := range d.Boxes {
		standing[v] = d.Boxes[v].Fate == Kept
	}
	trace := func() { // traces are there with their boxes: those of boxes that stay before the first step
		for i := range d.changes[1] {
			if c := &d.changes[1][i]; len(c.cables)+len(c.trunks) == 0 && standing[d.links[c.links[0]].a] &&
				standing[d.links[c.links[0]].b] {
				up[c.links[0]] = true
			}
		}
	}
	trace()
	for i := range d.Steps {
		st := &d.Steps[i]
		set(0, st.Out, false)
		off := map[int32]bool{}
		for _, c := range st.Cut {
			off[c.Box] = true
		}
		now := map[[2]int32]bool{}
		index := -1
		for _, pair := range pairs(n[0], d.links, func(*link) bool { index++; return up[index] }) {
			now[pair] = true
		}
		for pair := range wanted {
			if wanted[pair] && !now[pair] && !off[pair[0]] && !off[pair[1]] {
				t.Fatalf("step %d: no path between %s and %s", i+1, d.Boxes[pair[0]].Name, d.Boxes[pair[1]].Name)
			}
		}
		set(1, st.In, true)
		for _, v := range st.Stand {
			standing[v] = true
		}
		trace()
	}
}

// pairs lists the ends that have a path between them, by a search from each.
func pairs(n *network, links []link, up func(l *link) bool) [][2]int32 {
	around := map[int32][]int32{}
	for i := range links {
		if l := &links[i]; up(l) {
			around[l.a] = append(around[l.a], l.b)
			around[l.b] = append(around[l.b], l.a)
		}
	}
	var out [][2]int32
	for _, s := range n.ends {
		seen := map[int32]bool{s: true}
		for queue := []int32{s}; len(queue) > 0; queue = queue[1:] {
			if v := queue[0]; v == s || n.forward[v] {
				for _, w := range around[v] {
					if !seen[w] {
						seen[w] = true
						queue = append(queue, w)
					}
				}
			}
		}
		for _, t := range n.ends {
			if t > s && seen[t] {
				out = append(out, [2]int32{s, t})
			}
		}
	}
	return out
}
