package delay

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/topology"
)

// Every block of a tree passed in plain Go and in what instructions there are, from random keys.
func TestWidePassesEqualPlain(t *testing.T) {
	if !hasAVX2 {
		t.Skip("neither AVX2 nor AVX-512")
	}
	g, err := topology.New(topology.ThinTree{Down: 7, Up: 5, Levels: 3})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	n, err := newNetwork(g.Kinds(), topology.NewCSR(g), model(g), lengths(g, rng, 100), false)
	if err != nil {
		t.Fatal(err)
	}
	s := newTreeSweeper(&tally{net: n}, newTree(n))
	passes := map[string][2]func(*passArgs) bool{"AVX2": {passAVX2, backAVX2}}
	if hasAVX512 {
		passes["AVX-512"] = [2]func(*passArgs) bool{passAVX512, backAVX512}
	}
	near, sooner := 0, 0
	for i := range 2000 {
		b := &s.blocks[i%len(s.blocks)]
		bound := uint64(1) << (20 + rng.IntN(42))
		for v := range s.keys {
			for lane := range abreast {
				s.keys[v][lane] = rng.Uint64N(bound)
			}
		}
		before := slices.Clone(s.keys)
		want, back := s.passPlain(b), s.backPlain(b)
		keys := slices.Clone(s.keys)
		if want {
			near++
		}
		if back {
			sooner++
		}
		for name, pass := range passes {
			copy(s.keys, before)
			if got := pass[0](s.args(b, s.down)); got != want || !slices.Equal(s.keys, keys) {
				t.Fatalf("%s: near is %v, not %v, or keys differ", name, got, want)
			}
			if got := pass[1](s.args(b, s.back)); got != back {
				t.Fatalf("%s: sooner is %v, not %v", name, got, back)
			}
		}
	}
	if sooner == 0 || near == sooner || near == 2000 {
		t.Errorf("of 2000 blocks, %d may lead sooner and %d do", near, sooner)
	}
}
