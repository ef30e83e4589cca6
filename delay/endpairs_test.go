package delay

import (
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
		delays := func() []bundle {
			var times []uint64
			for range rapid.IntRange(0, 20).Draw(t, "ends") {
				times = append(times, rng.Uint64N(width<<shift/8))
			}
			return bundleUp(nil, times)
		}
		ups := [][]bundle{delays(), delays(), delays()}
		downs := [][]bundle{delays(), delays()}
		got, want := make([]uint64, width), make([]uint64, width)
		e := newEndPairs(got, shift, downs)
		for range 2000 {
			up, down := ups[rng.IntN(len(ups))], rng.IntN(len(downs))
			time := rng.Uint64N(width << shift / 2)
			e.from(up)
			e.wait(time, uint32(down))
			if rng.IntN(500) == 0 {
				e.spread()
			}
			for _, u := range up {
				for _, d := range downs[down] {
					want[(time+u.time+d.time)>>shift] += u.count * d.count
				}
			}
		}
		e.spread()
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}
