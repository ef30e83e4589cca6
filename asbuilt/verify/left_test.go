package verify

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/exchange"
)

// left finds what is left of the only network of a machine.
func left(t testing.TB, p *Plan, sources []*exchange.Wiring, failed ...string) *Left {
	t.Helper()
	f, err := p.Fail(failed)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Compare(sources)
	if err := r.FindLeft(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if len(r.Left) != 1 {
		t.Fatalf("%d networks", len(r.Left))
	}
	return &r.Left[0]
}

func TestAllIsLeft(t *testing.T) {
	p, w := planned(t, plan(t, tree), "")
	for _, sources := range [][]*exchange.Wiring{nil, {w}} {
		l := left(t, p, sources)
		assumed := len(w.Links)
		if sources != nil {
			assumed = 0
		}
		if !l.OK || !l.Routes.OK || l.LinksLeft != l.LinksPlanned || l.LinksLeft != len(w.Links) || l.Nodes != 48 ||
			l.Assumed != assumed || len(l.CutOff)+len(l.SwitchesCutOff)+len(l.Fewer)+len(l.Notes) > 0 ||
			l.Uniform.Left != l.Uniform.Planned {
			t.Errorf("%+v", l)
		}
	}
}

// TestFailedLeaf: the nodes of a leaf are cut off with it where they have one link, and no others.
func TestFailedLeaf(t *testing.T) {
	p, w := planned(t, plan(t, tree), "")
	var behind []string
	for _, l := range w.Links {
		a, b := w.Boxes[l.A.Box], w.Boxes[l.B.Box]
		if b.Name == "LF1" {
			a, b = b, a
		}
		if a.Name == "LF1" && b.Role != "switch" {
			behind = append(behind, b.Name)
		}
	}
	slices.Sort(behind)
	for _, sources := range [][]*exchange.Wiring{nil, {w}} {
		l := left(t, p, sources, "lf01") // names are folded
		if l.OK || !slices.Equal(l.CutOff, behind) || !slices.Equal(l.SwitchesCutOff, []string{"LF1"}) ||
			!l.Routes.OK || l.Uniform.Left >= l.Uniform.Planned {
			t.Errorf("%+v, expected %v to be cut off", l, behind)
		}
	}
}

// TestFailedRail: a node with several links loses one, and no other node.
func TestFailedRail(t *testing.T) {
	p, w := planned(t, plan(t, "topology: {family: fat-tree, radix: 16, rails: 4, nodes: 48}"), "")
	cable := ""
	for i, l := range w.Links {
		if w.Boxes[l.A.Box].Name == "N07" || w.Boxes[l.B.Box].Name == "N07" {
			cable = p.cableName(int32(i))
		}
	}
	l := left(t, p, []*exchange.Wiring{w}, cable)
	if !l.OK || len(l.Fewer) != 1 || l.Fewer[0].Box != "N07" || l.Fewer[0].Planned != 4 || l.Fewer[0].Left != 3 ||
		l.LinksLeft != l.LinksPlanned-1 {
		t.Errorf("%s: %+v", cable, l)
	}
}

// TestPlannedInParts: access switches without links to each other, as their uplinks leave the room, part no nodes that
// the plan does not join.
func TestPlannedInParts(t *testing.T) {
	file, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := planned(t, plan(t, string(file)), "oob")
	if l := left(t, p, nil); !l.OK || l.Nodes < 100 || !l.Routes.OK {
		t.Errorf("%+v", l)
	}
	if l := left(t, p, nil, "dgx-005"); l.OK || !slices.Equal(l.CutOff, []string{"dgx-005"}) {
		t.Errorf("%+v", l)
	}
}

// TestPlugsAcrossNetworks: where plugs of two networks are exchanged, both lack a link, whichever links the two cables
// join.
func TestPlugsAcrossNetworks(t *testing.T) {
	file, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, w := planned(t, plan(t, string(file)), "")
	link := func(a, b string) *exchange.Link {
		for i := range w.Links {
			l := &w.Links[i]
			x, y := w.Boxes[l.A.Box].Name, w.Boxes[l.B.Box].Name
			if strings.HasPrefix(x, a) && strings.HasPrefix(y, b) || strings.HasPrefix(x, b) &&
				strings.HasPrefix(y, a) {
				return l
			}
		}
		t.Fatal(a, b)
		return nil
	}
	compute, storage := link("compute-leaf", "compute-spine"), link("storage-leaf", "storage-spine")
	compute.B, storage.B = storage.B, compute.B
	r := p.Compare([]*exchange.Wiring{w})
	if err := r.FindLeft(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for i := range r.Left {
		l := &r.Left[i]
		lost, channels := l.LinksPlanned-l.LinksLeft, 0
		for _, level := range l.Levels {
			channels += level.Planned - level.Left
		}
		want := 0
		if l.Fabric == "compute" || l.Fabric == "storage" {
			want = 1
		}
		if lost != want || channels != want || !l.OK {
			t.Errorf("%s: %d links and %d channels are lost: %+v", l.Fabric, lost, channels, l)
		}
	}
	if len(r.Left) != 4 {
		t.Errorf("%d networks", len(r.Left))
	}
}

func TestNamesOfWhatFails(t *testing.T) {
	p, _ := planned(t, plan(t, tree), "")
	_, err := p.Fail([]string{"LF1", "LFF2", "C00001"})
	if err == nil || !strings.Contains(err.Error(), `no box, panel or cable "LFF2"`) ||
		!strings.Contains(err.Error(), "did you mean") {
		t.Error(err)
	}
}

// TestCutOffIsRight draws failures of a torus and a tree, and holds what is cut off against searches from every node:
// all nodes that are left reach each other, and the largest set that does is no larger where every node has one link or
// forwards.
func TestCutOffIsRight(t *testing.T) {
	for _, text := range []string{
		"topology: {family: torus, dims: [4, 4]}", "topology: {family: fat-tree, radix: 8, nodes: 24}",
		"topology: {family: fat-tree, radix: 8, rails: 2, nodes: 16}",
	} {
		p, w := planned(t, plan(t, text), "")
		rapid.Check(t, func(t *rapid.T) {
			keep := rapid.SliceOfN(rapid.Bool(), len(w.Links), len(w.Links)).Draw(t, "links")
			x := *w
			x.Links = nil
			near := map[int][]int{}
			for i, l := range w.Links {
				if keep[i] {
					x.Links = append(x.Links, l)
					near[l.A.Box] = append(near[l.A.Box], l.B.Box)
					near[l.B.Box] = append(near[l.B.Box], l.A.Box)
				}
			}
			r := p.Compare([]*exchange.Wiring{&x})
			if err := r.FindLeft(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			l := r.Left[0]
			direct := strings.Contains(text, "torus")
			node := func(b int) bool { return direct || w.Boxes[b].Role != "switch" }
			most := 0
			for b := range w.Boxes {
				if !node(b) {
					continue
				}
				reached := map[int]bool{b: true}
				queue := []int{b}
				for i := 0; i < len(queue); i++ {
					if at := queue[i]; at != b && node(at) && !direct {
						continue // forwards nothing
					}
					for _, next := range near[queue[i]] {
						if !reached[next] {
							reached[next] = true
							queue = append(queue, next)
						}
					}
				}
				count := 0
				for other := range w.Boxes {
					if !node(other) {
						continue
					}
					if reached[other] {
						count++
					} else if !slices.Contains(l.CutOff, w.Boxes[b].Name) &&
						!slices.Contains(l.CutOff, w.Boxes[other].Name) {
						t.Fatalf("%s does not reach %s: %+v", w.Boxes[b].Name, w.Boxes[other].Name, l)
					}
				}
				most = max(most, count)
			}
			if rails := strings.Contains(text, "rails"); !rails && l.Nodes-len(l.CutOff) != most {
				t.Fatalf("%d of %d nodes are cut off, and %d reach each other", len(l.CutOff), l.Nodes, most)
			}
			if !l.Routes.OK {
				t.Fatalf("%+v", l.Routes)
			}
		})
	}
}

// TestLinksBetweenNetworks: a link between ports of two networks is left in neither, whichever end is listed first, and
// one between a port that is planned and one that is not in its network.
func TestLinksBetweenNetworks(t *testing.T) {
	p, planned := smallPlan(t, "fabrics", "")
	const compute, inBand = 0, 40 // links of dgx-1
	lost := func(change func(a, b *exchange.Link)) (out []int) {
		w := *planned
		w.Links = slices.Clone(planned.Links)
		change(&w.Links[compute], &w.Links[inBand])
		r := p.Compare([]*exchange.Wiring{&w})
		if err := r.FindLeft(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		for _, l := range r.Left {
			out = append(out, l.LinksPlanned-l.LinksLeft)
		}
		return out
	}
	free := func(l *exchange.Link, turned bool) {
		l.A.Port = "60"
		if turned {
			l.A, l.B = l.B, l.A
		}
	}
	for name, c := range map[string]struct {
		change func(a, b *exchange.Link)
		want   []int
	}{
		"nothing":        {func(a, b *exchange.Link) {}, []int{0, 0, 0}},
		"hosts' plugs":   {func(a, b *exchange.Link) { a.B, b.B = b.B, a.B }, []int{1, 1, 0}},
		"the other ends": {func(a, b *exchange.Link) { a.A, b.B = b.B, a.A; b.A, b.B = b.B, b.A }, []int{1, 1, 0}},
		"a free port":    {func(a, b *exchange.Link) { free(a, false) }, []int{0, 0, 0}},
		"turned":         {func(a, b *exchange.Link) { free(a, true) }, []int{0, 0, 0}},
	} {
		if got := lost(c.change); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v links are lost, want %v", name, got, c.want)
		}
	}
}

// TestCarriedIsRounded: of two leaves of six nodes that one link joins, each sends 6/11 of the traffic of its nodes to
// the other one: the link carries 1 of 36/11, and all twelve nodes send 11/3 channels' worth.
func TestCarriedIsRounded(t *testing.T) {
	p, _ := planned(t, plan(t, "topology: {family: leaf-spine, nodes: 12, down: 6, up: 1, spines: 1}"), "")
	if l := left(t, p, nil); l.Uniform == nil || l.Uniform.Planned != 3.666667 || l.Uniform.Left != 3.666667 {
		t.Errorf("%+v, want 3.666667", l.Uniform)
	}
}

// TestNodesThatAreLeftAlone: where no node reaches another one, the first is not cut off; nodes of a failed leaf are
// cut off together, and a node that lacks nothing is not.
func TestNodesThatAreLeftAlone(t *testing.T) {
	p, _ := planned(t, plan(t, leaves), "")
	for _, c := range []struct {
		failed, want []string
	}{
		{nil, nil},
		{[]string{"LF1", "LF2"}, []string{"N2", "N3", "N4", "N5", "N6", "N7", "N8"}},
		{[]string{"LF2"}, []string{"N5", "N6", "N7", "N8"}},
		{[]string{"SP1"}, nil},
		{[]string{"C0001"}, []string{"N1", "N2"}}, // carries the links of two
	} {
		l := left(t, p, nil, c.failed...)
		if !slices.Equal(l.CutOff, c.want) || l.OK != (c.want == nil) {
			t.Errorf("%v: cut off are %v, want %v", c.failed, l.CutOff, c.want)
		}
	}
}
