package pick

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
)

func superPod(t *testing.T) *machine.Result {
	t.Helper()
	text, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := machine.Parse("machine.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// numbers are the cables chosen, in their order.
func numbers(r *machine.Result, c *Chosen) []int32 {
	var out []int32
	for _, i := range c.Segments {
		out = append(out, r.Schedule.Segments[i].Cable)
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}

// What is chosen is what every row of the schedule says of itself.
func TestChoosesAsTheScheduleSays(t *testing.T) {
	r := superPod(t)
	s := r.Schedule
	level := func(i int) string { return r.Graph.Levels()[s.Segments[i].Level].Name }
	ends := func(i int) string { return s.Device(s.Segments[i].A) + " " + s.Device(s.Segments[i].B) }
	label := s.Label(s.Segments[7].A, s.Segments[7].PortA)
	product := s.Products[s.Segments[0].Product].Item()
	for _, c := range []struct {
		of    Filter
		is    func(i int) bool
		words string
	}{
		{Filter{}, func(int) bool { return true }, ""},
		{
			Filter{Levels: []string{"compute/*"}},
			func(i int) bool { return strings.HasPrefix(level(i), "compute/") },
			"level compute/*",
		},
		{
			Filter{Fabrics: []string{"storage"}},
			func(i int) bool { return strings.HasPrefix(level(i), "storage/") },
			"fabric storage",
		},
		{
			Filter{Ends: []string{"dgx-00?"}, Media: []string{"copper"}},
			func(i int) bool {
				medium := string(s.Medium(&s.Segments[i]))
				return strings.Contains(ends(i), "dgx-00") && strings.HasSuffix(medium, "copper")
			},
			"end dgx-00?, medium copper",
		},
		{Filter{Cables: []string{"C0009", "c12"}}, func(i int) bool {
			return s.Segments[i].Cable == 9 || s.Segments[i].Cable == 12
		}, "cable C0009 or c12"},
		{Filter{Cables: []string{label}}, func(i int) bool {
			return s.Label(s.Segments[i].A, s.Segments[i].PortA) == label ||
				s.Label(s.Segments[i].B, s.Segments[i].PortB) == label
		}, "cable " + label},
		{Filter{Products: []string{product.String()}}, func(i int) bool {
			return s.Segments[i].Product >= 0 && s.Products[s.Segments[i].Product].Item() == product
		}, "product " + product.String()},
		{Filter{Products: []string{product.Part}}, func(i int) bool {
			return s.Segments[i].Product >= 0 && s.Products[s.Segments[i].Product].Part.ID == product.Part
		}, "product " + product.Part},
	} {
		got, err := Of(r, c.of)
		if err != nil {
			t.Errorf("%+v: %v", c.of, err)
			continue
		}
		var want []int32
		for i := range s.Segments {
			if n := s.Segments[i].Cable; n > 0 && c.is(i) {
				want = append(want, n)
			}
		}
		want = slices.Compact(slices.Sorted(slices.Values(want)))
		if have := numbers(r, got); !slices.Equal(have, want) || got.Cables != int64(len(want)) {
			t.Errorf("%+v: %d cables, want %d", c.of, len(have), len(want))
		}
		if got.Words != c.words || got.All != s.Cables {
			t.Errorf("%+v: %q of %d", c.of, got.Words, got.All)
		}
	}
}

// No cable that is left out is longer than one of the longest.
func TestLongest(t *testing.T) {
	r := superPod(t)
	c, err := Of(r, Filter{Fabrics: []string{"compute"}, Longest: 5})
	if err != nil {
		t.Fatal(err)
	}
	if c.Cables != 5 || c.Words != "fabric compute, the 5 longest" {
		t.Fatalf("%d cables: %s", c.Cables, c.Words)
	}
	chosen := numbers(r, c)
	shortest := 1e9
	for _, i := range c.Segments {
		shortest = min(shortest, float64(r.Schedule.Segments[i].Length))
	}
	for i := range r.Schedule.Segments {
		seg := &r.Schedule.Segments[i]
		if strings.HasPrefix(r.Graph.Levels()[seg.Level].Name, "compute/") && float64(seg.Length) > shortest &&
			!slices.Contains(chosen, seg.Cable) {
			t.Fatalf("%s is longer than one of the longest", r.Schedule.CableID(int64(seg.Cable)))
		}
	}
}

// Names that nothing has are refused with the nearest, all at once; so are conditions that no cable meets.
func TestRefuses(t *testing.T) {
	r := superPod(t)
	for _, c := range []struct {
		of   Filter
		want string
	}{
		{Filter{Media: []string{"coper"}}, `Media: no medium coper; did you mean "copper"?`},
		{Filter{Ends: []string{"dgx001"}}, `Ends: no box or rack dgx001; did you mean "dgx-001"?`},
		{
			Filter{Levels: []string{"x", "compute/teir1"}},
			`Levels: no level compute/teir1; did you mean "compute/tier1"?`,
		},
		{Filter{Fabrics: []string{"storag"}}, `Fabrics: no fabric storag; did you mean "storage"?`},
		{Filter{Products: []string{"dac"}}, "Products: no cable dac; there are "},
		{Filter{Cables: []string{"C9999"}}, "Cables: no cable C9999; the plan has 3,216, C0001 to C3216"},
		{Filter{Cables: []string{"zz*"}}, "Cables: no cable or label of an end zz*; there are "},
		{Filter{Longest: -1}, "Longest: must be at least 1, not -1"},
		{
			Filter{Fabrics: []string{"storage"}, Levels: []string{"compute/tier1"}},
			"no cable of the plan meets all of: level compute/tier1, fabric storage",
		},
	} {
		_, err := Of(r, c.of)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.of, err, c.want)
		}
	}
}

// Wildcards are those of a regular expression.
func TestMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab.é*?]{0,8}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[ab.é]{0,8}`).Draw(t, "name")
		expr := "^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern)) + "$"
		if got, want := Match(pattern, name), regexp.MustCompile(expr).MatchString(name); got != want {
			t.Fatalf("Match(%q, %q) is %v", pattern, name, got)
		}
	})
}
