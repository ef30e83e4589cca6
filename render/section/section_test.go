package section

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/scene"
)

func planned(t *testing.T, text string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func superPod(t *testing.T) *machine.Result {
	t.Helper()
	text, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return planned(t, string(text))
}

// slow packs as pack does, from all pairs of discs for every disc.
func slow(width float64, radii []float64) []disc {
	width = max(width, 2*radii[0])
	var out []disc
	for _, r := range radii {
		all := []spot{{r, r}}
		for i, a := range out {
			reach := a.r + r
			if math.Abs(a.y-r) <= reach {
				dx := math.Sqrt(max(0, reach*reach-(a.y-r)*(a.y-r)))
				all = append(all, spot{a.x - dx, r}, spot{a.x + dx, r})
			}
			for _, x := range []float64{r, width - r} {
				if dx := x - a.x; math.Abs(dx) <= reach {
					all = append(all, spot{x, a.y + math.Sqrt(reach*reach-dx*dx)})
				}
			}
			for _, b := range out[:i] {
				if x, y, ok := onBoth(a, b, r); ok {
					all = append(all, spot{x, y})
				}
			}
		}
		best := spot{y: math.Inf(1)}
		for _, s := range all {
			if s.x < r-slip || s.x > width-r+slip || s.y < r-slip || (spots{s, best}).Less(1, 0) {
				continue
			}
			if !slices.ContainsFunc(out, func(o disc) bool { return math.Hypot(o.x-s.x, o.y-s.y) < o.r+r-slip }) {
				best = s
			}
		}
		out = append(out, disc{best.x, best.y, r})
	}
	return out
}

// Discs lie where the slow twin puts them, inside the walls, and none in another.
func TestPack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		radii := rapid.SliceOfN(rapid.SampledFrom([]float64{0.0015, 0.003, 0.004, 0.0061}), 1, 40).Draw(t, "radii")
		slices.Sort(radii)
		slices.Reverse(radii)
		width := rapid.Float64Range(0.005, 0.1).Draw(t, "width")
		got, want := pack(width, radii), slow(width, radii)
		for i, d := range got {
			if math.Abs(d.x-want[i].x) > 1e-6 || math.Abs(d.y-want[i].y) > 1e-6 || d.r != radii[i] {
				t.Fatalf("disc %d lies at %v, want %v", i, d, want[i])
			}
			if d.x < d.r-2*slip || d.x > max(width, 2*radii[0])-d.r+2*slip || d.y < d.r-2*slip {
				t.Fatalf("disc %d is outside: %v", i, d)
			}
			for k, o := range got[:i] {
				if math.Hypot(d.x-o.x, d.y-o.y) < d.r+o.r-2*slip {
					t.Fatalf("discs %d and %d overlap", k, i)
				}
			}
		}
	})
}

// Sections have the cables and the cross-section that the plan has on their pieces, all of them drawn.
func TestSectionsAreThoseOfThePlan(t *testing.T) {
	for _, r := range []*machine.Result{
		superPod(t), planned(t, `{topology: {family: torus, dims: [8, 8, 8]}}`),
		planned(t, `{topology: {family: fat-tree, nodes: 512, radix: 32},
room: {trays: {levels: [{name: copper, height: 2.4 m, use: [copper]}, {name: fibre, height: 2.7 m}]}}}`),
	} {
		trays := r.Schedule.Trays
		var names []string
		for piece := range int32(trays.Network.Pieces()) {
			if trays.Network.IsLaid(piece) && len(names) < 100 {
				names = append(names, trays.ID(piece))
			}
		}
		sections, err := Of(r, names)
		if err != nil {
			t.Fatal(err)
		}
		for i := range sections {
			s := &sections[i]
			piece := slices.IndexFunc(names, func(n string) bool { return n == s.ID })
			if piece != i {
				t.Fatalf("%s is section %d", s.ID, i)
			}
			var n int64
			for _, p := range s.Parts {
				n += p.Cables
			}
			drawn, area := int64(0), 0.0
			for _, tray := range s.laid() {
				drawn += int64(len(tray))
				for _, c := range tray {
					area += math.Pi * c.r * c.r
				}
			}
			if n != s.Cables || drawn != s.Cables-s.Bare {
				t.Errorf("%s: %d cables by product, %d drawn, of %d", s.ID, n, drawn, s.Cables)
			}
			if whole := float64(s.Width) * float64(s.Depth) * float64(s.Trays); whole > 0 &&
				math.Abs(area/whole-s.Fill) > 1e-3 {
				t.Errorf("%s: cables take %g of the trays, the fill is %g", s.ID, area/whole, s.Fill)
			}
		}
		fullest, err := Of(r, nil)
		if err != nil || len(fullest) > len(trays.Rules) {
			t.Errorf("%d sections, %v", len(fullest), err)
		}
		if first := trays.ID(trays.Fullest()[0]); !slices.ContainsFunc(fullest, func(s Section) bool {
			return s.ID == first
		}) {
			t.Errorf("the fullest, %s, is not drawn", first)
		}
	}
}

// A drawing is the marks that it was when it was last looked at.
func TestMarksOfSections(t *testing.T) {
	r := planned(t, `{name: "Two <levels>", topology: {family: fat-tree, nodes: 32, radix: 16}}`)
	c, err := Draw(r, Options{Date: "1 May 2026"})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := scene.List(&b, c.Scene); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "sections.txt", strings.ReplaceAll(b.String(), "Plenum "+machine.Version, "Plenum VERSION"))
}

// What cannot be drawn is refused.
func TestRefuses(t *testing.T) {
	pod := superPod(t)
	direct := planned(t, `{topology: {family: torus, dims: [4, 4, 4]}, cabling: {route: direct}}`)
	for _, c := range []struct {
		r     *machine.Result
		trays []string
		want  string
	}{
		{direct, nil, "cables do not run on trays"},
		{pod, []string{"T9999"}, `no piece of tray T9999; did you mean "T00`},
		{pod, []string{"13", "roow C, C03-C04"}, `no piece of tray roow C, C03-C04; did you mean "row C, C03-C04"?`},
		{pod, []string{"row*"}, "the sections take"},
	} {
		if _, err := Draw(c.r, Options{Trays: c.trays}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.trays, err, c.want)
		}
	}
	pages, err := Pages(pod, Options{Trays: []string{"row*", "T0013"}})
	if err != nil || len(pages) < 2 {
		t.Errorf("%d pages, %v", len(pages), err)
	}
}
