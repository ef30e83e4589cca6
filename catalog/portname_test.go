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

// TestSplitName: a name is what replacing all words at once makes of it, regardless of what stands around them.
func TestSplitName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"#", "{lane}", "{lane0}", "{lane", "}", "0", "p"}), 1, 6)
		g := catalog.PortGroup{
			First: rapid.IntRange(-2, 2).Draw(t, "first"),
			Split: strings.Join(pieces.Draw(t, "pieces"), ""),
		}
		i, lane := rapid.IntRange(0, 12).Draw(t, "port"), rapid.IntRange(0, 7).Draw(t, "lane")
		first := g.First
		if first == 0 {
			first = 1
		}
		want := strings.NewReplacer("#", strconv.Itoa(first+i), "{lane}", strconv.Itoa(lane+1), "{lane0}",
			strconv.Itoa(lane)).Replace(g.Split)
		if got := g.SplitName(i, lane, 8); got != want {
			t.Fatalf("%q: %q, want %q", g.Split, got, want)
		}
	})
}
