package diag_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
)

func TestClosest(t *testing.T) {
	keys := []string{
		"width", "weight", "height", "power", "id", "idle", "made_to_measure", "passive-copper", "active-copper",
	}
	for _, test := range []struct {
		word, want string
		ok         bool
	}{
		{"hieght", "height", true},
		{"Wdith", "width", true},
		{"powr", "power", true},
		{"ID", "id", true},
		{"weigth", "weight", true},
		{"to_measure", "made_to_measure", true},
		{"copper", "", false}, // inside two of them
		{"", "", false},
		{"x", "", false},
	} {
		if got, ok := diag.Closest(test.word, keys); got != test.want || ok != test.ok {
			t.Errorf("Closest(%q) = %q, %v, want %q, %v", test.word, got, ok, test.want, test.ok)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"torus", "mesh", "dragonfly", "clos"}
	for _, test := range []struct{ word, want string }{
		{"Tours", "torus"},
		{"dragon", "dragonfly"},
		{"cols", "clos"},
		{"xyzzy", "torus"}, // however far; of those at distance 5 the first
		{"", "mesh"},
	} {
		if got := diag.Nearest(test.word, names); got != test.want {
			t.Errorf("Nearest(%q) = %q, want %q", test.word, got, test.want)
		}
	}
	if got := diag.Nearest("torus", nil); got != "" {
		t.Errorf("the nearest of none is %q", got)
	}
}

func TestSuggest(t *testing.T) {
	for _, test := range []struct{ word, otherwise, want string }{
		{"rwos", "the keys here are ", `did you mean "rows"?`},
		{"colour", "the keys here are ", "the keys here are aisle, rows"},
		{"colour", "", ""},
	} {
		if got := diag.Suggest(test.word, []string{"aisle", "rows"}, test.otherwise); got != test.want {
			t.Errorf("Suggest(%q, %q) = %q, want %q", test.word, test.otherwise, got, test.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"abc", "acb", 1},
		{"abc", "ab", 1},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3},
		{"größe", "grösse", 2},
	} {
		if got := diag.Distance(test.a, test.b); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// The table of distances says what the definition says: the last character of one
// word or of both is dropped, or their last two are a swap.
func TestDistanceIsTheRecurrence(t *testing.T) {
	var slow func(a, b []rune) int
	slow = func(a, b []rune) int {
		m, n := len(a), len(b)
		if m == 0 || n == 0 {
			return m + n
		}
		change := slow(a[:m-1], b[:n-1])
		if a[m-1] != b[n-1] {
			change++
		}
		d := min(slow(a[:m-1], b)+1, slow(a, b[:n-1])+1, change)
		if m > 1 && n > 1 && a[m-1] == b[n-2] && a[m-2] == b[n-1] {
			d = min(d, slow(a[:m-2], b[:n-2])+1)
		}
		return d
	}
	word := rapid.SliceOfN(rapid.SampledFrom([]rune("abc")), 0, 5)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		got := diag.Distance(string(a), string(b))
		if want := slow(a, b); got != want {
			t.Errorf("%d, want %d", got, want)
		}
		slices.Reverse(a)
		slices.Reverse(b)
		if back := diag.Distance(string(a), string(b)); back != got {
			t.Errorf("%d, and %d backwards", got, back)
		}
	})
}
