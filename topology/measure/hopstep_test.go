package measure

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestStep(t *testing.T) { checkStep(t, (*step).advance, (*step).uncovered) }

// checkStep holds steps in assembly against their twins, for rows of any length, lines that are
// full and lines that are empty.
func checkStep(t *testing.T, advance func(*step) stepped, uncovered func(*step, []int32) int) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "vertices")
		vertex := rapid.Int32Range(0, int32(n-1))
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]int32 {
			return [2]int32{vertex.Draw(t, "a"), vertex.Draw(t, "b")}
		}), 0, 200).Draw(t, "arcs")
		in := newArcs(n, func(add func(a, b int32)) {
			for _, x := range list {
				add(x[0], x[1])
			}
		})
		bits := rapid.OneOf(rapid.Just(uint64(0)), rapid.Just(^uint64(0)), rapid.Uint64())
		var full line
		for k := range full {
			full[k] = bits.Draw(t, "full")
		}
		all := func(name string) []line {
			x := make([]line, n)
			for v := range x {
				if rapid.Bool().Draw(t, name) {
					x[v] = full
				}
				for k := range x[v] {
					x[v][k] |= full[k] & bits.Draw(t, name)
				}
			}
			return x
		}
		plain := step{now: all("now"), next: all("next"), full: &full, in: in}
		plain.begin, plain.end = vertex.Draw(t, "begin"), vertex.Draw(t, "end")+1
		fast := plain
		fast.next = slices.Clone(plain.next)
		rows, wanted := make([]int32, n), make([]int32, n)
		found := plain.uncoveredPlain(wanted)
		if got := uncovered(&fast, rows); !slices.Equal(rows[:got], wanted[:found]) {
			t.Fatalf("uncovered: %v, expected %v", rows[:got], wanted[:found])
		}
		want, got := plain.advancePlain(), advance(&fast)
		if got != want || !slices.Equal(fast.next, plain.next) {
			t.Fatalf("%+v\n%v\nplain: %+v\n%v", got, fast.next, want, plain.next)
		}
	})
}
