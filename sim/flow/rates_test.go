package flow

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// offered is the slow twin: of all messages without a rate, those with the lowest offer of any resource have it as
// their rate, and offers are found anew.
func offered(uses map[int32][]use, resources int) map[int32]float64 {
	rate := map[int32]float64{}
	for len(rate) < len(uses) {
		least, offers := 1.0, map[int32]float64{}
		for m, list := range uses {
			if _, known := rate[m]; known {
				continue
			}
			offers[m] = 1
			for _, u := range list {
				offers[m] = min(offers[m], offerOf(uses, rate, m, u))
			}
			least = min(least, offers[m])
		}
		for m, offer := range offers {
			if offer <= least*(1+1e-10) {
				rate[m] = offer
			}
		}
	}
	return rate
}

// offerOf is what a resource offers to a message, from the definition.
func offerOf(uses map[int32][]use, rate map[int32]float64, message int32, of use) float64 {
	none, sure, chances := map[int32]float64{}, 0.0, 0
	inputs := map[int32]float64{} // by input, or ^message
	input := func(m int32, u use) int32 {
		if u.from == fromSeveral {
			return ^m
		}
		return u.from
	}
	each := func(do func(m int32, u use)) {
		for m := range int32(10) {
			for _, u := range uses[m] {
				if u.resource == of.resource {
					do(m, u)
				}
			}
		}
	}
	each(func(m int32, u use) {
		inputs[input(m, u)] += u.part()
		if u.fork == certain {
			sure += u.part()
		} else {
			none[u.fork] += u.part()
			chances++
		}
	})
	capacity := 1.0
	if chances > 1 {
		product := 1.0
		for _, x := range none {
			product *= max(1-x, 0)
		}
		capacity = min(1, sure+1-product)
	}
	// What inputs cannot take even at the full rate, the others share.
	can := map[int32]bool{}
	for {
		left, parts := capacity, 0.0
		for i, x := range inputs {
			if can[i] {
				left -= x
			} else {
				parts++
			}
		}
		some := false
		for i, x := range inputs {
			if !can[i] && x <= left/parts {
				can[i], some = true, true
			}
		}
		if !some {
			break
		}
	}
	if can[input(message, of)] {
		return 1
	}
	left, asked := capacity, 0.0
	each(func(m int32, u use) {
		r, known := rate[m]
		switch {
		case known:
			left -= float64(u.part() * r)
		case can[input(m, u)]:
			left -= u.part()
		default:
			asked += u.part() / inputs[input(m, u)]
		}
	})
	return left / asked / inputs[input(message, of)]
}

// Rates after any beginnings and ends of messages are those that follow from the definition.
func TestRatesAreWhatIsOffered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resources := rapid.IntRange(1, 8).Draw(t, "resources")
		r := newRates(max(resources, 3), 3)
		now := map[int32][]use{}
		for range rapid.IntRange(1, 30).Draw(t, "changes") {
			for range rapid.IntRange(1, 4).Draw(t, "at once") {
				m := rapid.Int32Range(0, 9).Draw(t, "message")
				if now[m] != nil {
					r.end(m)
					delete(now, m)
					continue
				}
				list := []use{}
				for i := range int32(resources) {
					if share := rapid.Int64Range(0, 4).Draw(t, "share"); share > 0 {
						list = append(list, use{
							resource: i, share: whole / share,
							from: rapid.SampledFrom([]int32{fromSeveral, 0, 1, 2}).Draw(t, "from"),
							fork: rapid.SampledFrom([]int32{certain, certain, 0, 1, 2}).Draw(t, "fork"),
						})
					}
				}
				now[m] = list
				r.begin(m, list)
			}
			r.settle()
			want := offered(now, resources)
			for m := range now {
				if math.Abs(r.rate[m]-want[m]) > 1e-8 {
					t.Fatalf("message %d has %g, slowly %g, of %v", m, r.rate[m], want[m], now)
				}
			}
		}
	})
}
