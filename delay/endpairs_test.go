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
		delays := func(most int) []bundle {
			var times []uint64
			for range rapid.IntRange(0, most).Draw(t, "ends") {
				times = append(times, rng.Uint64N(width<<shift/8))
			}
			return bundleUp(nil, times)
		}
		var ups [][]bundle
		for range rapid.SampledFrom([]int{1, 3, manyUps + 3}).Draw(t, "sources") {
			ups = append(ups, delays(rapid.SampledFrom([]int{3, 30, 2 * manyCuts}).Draw(t, "most")))
		}
		values := make([]uint64, rapid.SampledFrom([]int{1, 10, 1000, 50000}).Draw(t, "values"))
		for i := range values {
			values[i] = rng.Uint64N(width << shift / 2)
		}
		downs := [][]bundle{delays(2), delays(20)}
		got, want := make([]uint64, width), make([]uint64, width)
		e := newEndPairs(got, shift, downs)
		for range 300 {
			up, down := ups[rng.IntN(len(ups))], rng.IntN(len(downs))
			time := values[rng.IntN(len(values))]
			e.from(up)
			e.wait(time, uint32(down))
			if rng.IntN(200) == 0 {
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
