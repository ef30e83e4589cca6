package catalog_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
)

// The words of a label are replaced as if all at once.
func TestPortNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"#", "{cage}", "{lane}", "{", "}", "{la", "ne}", "{ca", "ge}", "p", "1"})
		g := catalog.PortGroup{
			Label:   strings.Join(rapid.SliceOfN(piece, 1, 9).Draw(t, "label"), ""),
			First:   rapid.IntRange(0, 20).Draw(t, "first"),
			PerCage: rapid.IntRange(0, 4).Draw(t, "per cage"),
		}
		i := rapid.IntRange(0, 200).Draw(t, "port")
		first, per := max(g.First, 1), max(g.PerCage, 1)
		want := strings.NewReplacer("#", strconv.Itoa(first+i), "{cage}", strconv.Itoa(first+i/per), "{lane}",
			strconv.Itoa(1+i%per)).Replace(g.Label)
		if got := g.PortName(i); got != want {
			t.Fatalf("port %d of %q is %q, want %q", i, g.Label, got, want)
		}
	})
}
