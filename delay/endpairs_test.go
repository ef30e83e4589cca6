package delay

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Ways that are spread over the bins together count as if every pair of ends were counted by itself.
func TestEndPairsCountAsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		shift := uint(rapid.IntRange(0, 20).Draw(t, "shift"))
		const width = 1 << 12
		count := rapid.SampledFrom([]uint64{1, 1, 3, 1 << 20}).Draw(t, "count") // ends of each delay
		delays := func() []bundle {
			var times []uint64
			for range rapid.IntRange(0, 20).Draw(t, "ends") {
				times = append(times, rng.Uint64N(width<<shift/8))
			}
			out := bundleUp(nil, times)
			for i := range out {
				out[i].count *= count
			}
			return out
		}
		if rapid.Bool().Draw(t, "narrow") { // many ways in few bins
			shift = max(shift, 14)
		}
		stay := rapid.SampledFrom([]int{1, 30, 3000}).Draw(t, "stay") // ways from the same source
		ups := [][]bundle{delays(), delays(), delays()}
		downs := [][]bundle{delays(), delays()}
		got, want := make([]uint64, width), make([]uint64, width)
		e := newEndPairs(got, shift, downs)
		up := ups[0]
		longest := rapid.SampledFrom([]uint64{4, 1 << 9, width / 2}).Draw(t, "longest") // in bins
		for range 2000 {
			if rng.IntN(stay) == 0 {
				up = ups[rng.IntN(len(ups))]
			}
			down := rng.IntN(len(downs))
			time := rng.Uint64N(longest << shift)
			e.from(up)
			e.wait(time, uint32(down))
			if rng.IntN(2000) == 0 {
				e.countAll()
			}
			for _, u := range up {
				for _, d := range downs[down] {
					want[(time+u.time+d.time)>>shift] += u.count * d.count
				}
			}
		}
		e.countAll()
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// More ways than the table holds, all of different delays, count as one by one as well; so do more ways of one delay
// than a place of the table can count.
func TestMoreWaysThanTheTableHolds(t *testing.T) {
	const width, shift = 64, 20
	downs := [][]bundle{{{5, 1}, {1 << 19, 2}}, {{7, 1}, {1 << 18, 1}, {3 << 18, 1}, {1 << 20, 4}, {9 << 17, 1}}}
	up := []bundle{{1, 3}, {1 << 17, 1}, {3 << 17, 2}}
	got, want := make([]uint64, width), make([]uint64, width)
	e := newEndPairs(got, shift, downs)
	e.from(up)
	rng := rand.New(rand.NewPCG(4, 2))
	wait := func(time uint64, down uint32, times uint64) {
		e.wait(time, down)
		for _, u := range up {
			for _, d := range downs[down] {
				want[(time+u.time+d.time)>>shift] += u.count * d.count * times
			}
		}
	}
	for i := range uint64(5 * fullWays) {
		wait(i*(60<<shift)/(5*fullWays)+rng.Uint64N(2), uint32(rng.IntN(2)), 1)
		if len(e.now.used) > fullWays {
			t.Fatalf("%d ways are kept", len(e.now.used))
		}
	}
	e.countAll()
	wait(11<<shift, 0, 1)
	e.now.ways[e.now.used[0]].count = math.MaxUint32 - 1
	wait(11<<shift, 0, math.MaxUint32-1) // with the one before, as many as are counted
	if e.now.ways[0].count != 0 || len(e.now.used) != 0 {
		t.Error("a count that cannot rise is kept")
	}
	wait(11<<shift, 0, 1)
	e.countAll()
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
}

// Sources that take turns count as one by one, also where they have more lists of delays of entering than are kept.
func TestSourcesThatTakeTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const width, shift = 64, 20
		bundles := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bundle {
			return bundle{rapid.Uint64Max(3<<shift).Draw(t, "time"), rapid.Uint64Range(1, 5).Draw(t, "count")}
		}), 2, 6)
		ups := rapid.SliceOfN(bundles, 1, 2*manyOrigins).Draw(t, "ups")
		downs := rapid.SliceOfN(bundles, 1, 3).Draw(t, "downs")
		got, want := make([]uint64, width), make([]uint64, width)
		e := newEndPairs(got, shift, downs)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 4 * len(ups) {
			up := ups[rng.IntN(len(ups))]
			e.from(up)
			for range 20 {
				time, down := rng.Uint64N(40)<<shift, uint32(rng.IntN(len(downs)))
				e.wait(time, down)
				for _, u := range up {
					for _, d := range downs[down] {
						want[(time+u.time+d.time)>>shift] += u.count * d.count
					}
				}
			}
		}
		e.countAll()
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}
