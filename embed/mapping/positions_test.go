package mapping_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/embed/mapping"
)

// The kernel of steps on a grid adds up distances.
func TestDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		position := rapid.Uint16()
		line := rapid.Bool().Draw(t, "a cache line each")
		list := func(name string) []uint16 {
			n := 32
			if !line {
				n = 8 * rapid.IntRange(0, 32).Draw(t, "words of "+name)
			}
			return rapid.SliceOfN(position, n, n).Draw(t, name)
		}
		v, u, a, b := list("v"), list("u"), position.Draw(t, "a"), position.Draw(t, "b")
		distance := func(p, q uint16) int {
			x, y := int(p&0xff)-int(q&0xff), int(p>>8)-int(q>>8)
			return max(x, -x) + max(y, -y)
		}
		want := 0
		for _, p := range v {
			want += distance(p, b) - distance(p, a)
		}
		for _, p := range u {
			want -= distance(p, b) - distance(p, a)
		}
		if got := mapping.Distances(v, u, a, b); got != want {
			t.Errorf("%d, expected %d", got, want)
		}
		if line {
			if got := mapping.DistancesInLine(v, u, a, b); got != want {
				t.Errorf("%d in cache lines, expected %d", got, want)
			}
		}
	})
}
