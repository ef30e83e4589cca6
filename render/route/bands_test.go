package route

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Bands are as wide as their cables: in proportion, classes that have any at least LeastBand, the widest as stated.
func TestWidthsFollowCables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Int64Range(0, 1e6), 1, 6).Draw(t, "cables")
		s := Stretch{Cables: counts}
		most := max(1, s.Total()+rapid.Int64Range(0, 1e6).Draw(t, "more"))
		widest := Widest(rapid.Float64Range(0, 500).Draw(t, "scale"))
		all := 0.0
		for k, w := range s.Widths(most, widest) {
			exact := widest * float64(counts[k]) / float64(most)
			switch {
			case counts[k] == 0 && w != 0, counts[k] > 0 && w < LeastBand:
				t.Errorf("%d cables are %v wide", counts[k], w)
			case w > LeastBand && math.Abs(w-exact) > 1e-9*widest:
				t.Errorf("%d cables of %d are %v wide of %v, not %v", counts[k], most, w, widest, exact)
			}
			all += w
		}
		if limit := widest + LeastBand*float64(len(counts)); all > limit+1e-9 {
			t.Errorf("%v of %v is %v wide, more than %v", counts, most, all, limit)
		}
	})
	if got := (&Stretch{Cables: []int64{24, 10_780}}).Widths(10_804, 40); got[1] < 49*got[0] {
		t.Errorf("24 and 10,780 cables are %v wide", got)
	}
}

// The band of a stretch goes on where it makes a corner with another: compared stretch by stretch.
func TestCorners(t *testing.T) {
	c := runsOf(t, `{topology: {family: torus, dims: [8, 8, 8]}, room: {racks_per_row: 4}}`)
	sums := c.Stretches()
	some := false
	for i := range sums {
		s := &sums[i]
		for end, at := range [...][2]float64{s.From, s.To} {
			var want int64
			along := s.From[1] == s.To[1]
			for k := range sums {
				q := &sums[k]
				meets := q.From == at || q.To == at
				switch {
				case k == i || !meets:
				case (q.From[1] == q.To[1]) == along, want > 0:
					want = math.MinInt64 // one goes on straight, or to both sides
				case want == 0:
					want = q.Total()
				}
			}
			if got := s.Beyond[end]; got != max(0, want) {
				t.Errorf("%v goes on for %d cables at end %d, not %d", s, got, end, want)
			}
			some = some || want > 0
		}
		before, after := s.Corners(2*MostOn(sums), 40)
		if got := before + after; math.Abs(got-10*float64(s.Beyond[0]+s.Beyond[1])/float64(MostOn(sums))) > 1e-9 {
			t.Errorf("%v goes on for %v and %v", s, before, after)
		}
	}
	if !some {
		t.Error("no corner")
	}
}

// The most of what is drawn are counted as they are drawn, one by one.
func TestMosts(t *testing.T) {
	c := runsOf(t, `{topology: {family: fat-tree, nodes: 48, radix: 16}, room: {racks_per_row: 4}}`)
	sums := c.Stretches()
	on, inside := MostOn(sums), c.MostInside()
	found, full := false, false
	for i := range sums {
		found = found || sums[i].Total() == on
		if sums[i].Total() > on {
			t.Errorf("a stretch has %d cables, more than the most, %d", sums[i].Total(), on)
		}
	}
	for place, counts := range c.Inside {
		full = full || Sum(counts) == inside
		if Sum(counts) > inside {
			t.Errorf("rack %d has %d cables inside, more than the most, %d", place, Sum(counts), inside)
		}
	}
	if !found || !full || MostOn(nil) != 0 {
		t.Errorf("the most are %d and %d", on, inside)
	}
}
