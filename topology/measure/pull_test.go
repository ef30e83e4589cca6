package measure

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestPull(t *testing.T) { checkPull(t, pull) }

// checkPull holds a pull in assembly against its twin, for rows of any length,
// lines that are full and frontiers that are empty.
func checkPull(t *testing.T, pull func(s *lines, in, out *arcs) pulled) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "vertices")
		vertex := rapid.Int32Range(0, int32(n-1))
		arcs := func(name string) *arcs {
			list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]int32 {
				return [2]int32{vertex.Draw(t, "a"), vertex.Draw(t, "b")}
			}), 0, 200).Draw(t, name)
			return newArcs(n, func(add func(a, b int32)) {
				for _, x := range list {
					add(x[0], x[1])
				}
			})
		}
		in, out := arcs("in"), arcs("out")
		bits := rapid.OneOf(rapid.Just(uint64(0)), rapid.Just(^uint64(0)), rapid.Uint64())
		all := func(name string, full line) []line {
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
		plain := &lines{nxt: make([]line, n), nxtMask: make([]uint8, n)}
		for k := range plain.full {
			plain.full[k] = bits.Draw(t, "full")
		}
		plain.cur, plain.seen = all("cur", plain.full), all("seen", plain.full)
		for v := range n { // what is left from before
			plain.nxt[v][v%lineWords], plain.nxtMask[v] = 5, 7
		}
		fast := &lines{
			cur: plain.cur, full: plain.full,
			nxt: slices.Clone(plain.nxt), seen: slices.Clone(plain.seen), nxtMask: slices.Clone(plain.nxtMask),
		}
		want, got := pullPlain(plain, in, out), pull(fast, in, out)
		if got != want || !slices.Equal(fast.nxt, plain.nxt) || !slices.Equal(fast.seen, plain.seen) ||
			!slices.Equal(fast.nxtMask, plain.nxtMask) {
			t.Fatalf("pull: %+v\n%v\nplain: %+v\n%v", got, fast.nxt, want, plain.nxt)
		}
	})
}

// TestPullWithoutVertices has nothing to do.
func TestPullWithoutVertices(t *testing.T) {
	none := newArcs(0, func(func(a, b int32)) {})
	if p := pull(&lines{}, none, none); p != (pulled{}) {
		t.Error(p)
	}
}
