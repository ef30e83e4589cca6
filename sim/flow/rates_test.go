package flow

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawn is what a message has of rates.stands and rates.luck.
type drawn struct{ stands, luck float64 }

// offered is the slow twin: of all messages without a rate, those with the lowest offer of any resource have it as
// their rate, and offers are found anew. Of fair rates, if there are any, follows how much of the time inputs are free.
func offered(uses map[int32][]use, traits map[int32]drawn, fair map[int32]float64) map[int32]float64 {
	rate := map[int32]float64{}
	for len(rate) < len(uses) {
		least, offers := 1.0, map[int32]float64{}
		for m, list := range uses {
			if _, known := rate[m]; known {
				continue
			}
			offers[m] = 1
			for _, u := range list {
				offers[m] = min(offers[m], offerOf(uses, traits, fair, rate, m, u))
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
func offerOf(
	uses map[int32][]use, traits map[int32]drawn, fair, rate map[int32]float64, message int32, of use,
) float64 {
	none, sure, chances := map[int32]float64{}, 0.0, 0
	inputs := map[int32]float64{} // by input, or ^message
	by := func(m int32, u use) []input {
		switch {
		case u.from != fromSeveral:
			return []input{{u.from, 1}}
		case u.inputs == nil:
			return []input{{^m, 1}}
		}
		return *u.inputs
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
		for _, x := range by(m, u) {
			inputs[x.resource] += u.part() * x.share * traits[m].stands
		}
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
	weight := func(m int32, u use) float64 {
		sum := 0.0
		for _, x := range by(m, u) {
			sum += traits[m].stands * freeOf(uses, fair, u.resource, x.resource) * x.share / inputs[x.resource]
		}
		return traits[m].luck * sum
	}
	// What messages cannot take even at the full rate, the others share.
	can := map[int32]bool{}
	for some := true; some; {
		some = false
		left, parts := capacity, 0.0
		each(func(m int32, u use) {
			if can[m] {
				left -= u.part()
			} else {
				parts += u.part() * weight(m, u)
			}
		})
		each(func(m int32, u use) {
			if !can[m] && 1-same <= left/parts*weight(m, u) {
				can[m], some = true, true
			}
		})
	}
	if can[message] {
		return 1
	}
	left, asked := capacity, 0.0
	each(func(m int32, u use) {
		r, known := rate[m]
		switch {
		case known:
			left -= float64(u.part() * r)
		case can[m]:
			left -= u.part()
		default:
			asked += u.part() * weight(m, u)
		}
	})
	return left / asked * weight(message, of)
}

// freeOf is the share of the time in which an input is not sending to other resources than one.
func freeOf(uses map[int32][]use, fair map[int32]float64, resource, from int32) float64 {
	if fair == nil || from < 0 {
		return 1
	}
	free := 1.0
	for m := range int32(10) {
		for _, u := range uses[m] {
			if u.resource == resource {
				continue
			}
			if u.from == from {
				free -= u.part() * fair[m]
			}
			for _, x := range u.several() {
				if x.resource == from {
					free -= u.part() * x.share * fair[m]
				}
			}
		}
	}
	return roundShare(free)
}

// severalInputs are values of use.inputs.
var severalInputs = []*[]input{nil, {{0, 0.5}, {2, 0.5}}, {{1, 0.25}, {2, 0.75}}, {{0, 0.25}, {1, 0.25}, {2, 0.5}}}

func settled(t *rapid.T, r *rates) {
	if _, err := r.settle(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// Rates after any beginnings and ends of messages are those that follow from the definition.
func TestRatesAreWhatIsOffered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resources := rapid.IntRange(1, 8).Draw(t, "resources")
		r := newRates(max(resources, 3), 3, false)
		now, traits := map[int32][]use{}, map[int32]drawn{}
		begin := func(r *rates, m int32) {
			r.begin(m, now[m])
			r.stands[m], r.luck[m] = traits[m].stands, traits[m].luck
		}
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
						u := use{
							resource: i, share: whole / share,
							from: rapid.SampledFrom([]int32{fromSeveral, 0, 1, 2}).Draw(t, "from"),
							fork: rapid.SampledFrom([]int32{certain, certain, 0, 1, 2}).Draw(t, "fork"),
						}
						if u.from == fromSeveral {
							u.inputs = rapid.SampledFrom(severalInputs).Draw(t, "inputs")
						}
						list = append(list, u)
					}
				}
				now[m] = list
				traits[m] = drawn{
					stands: rapid.SampledFrom([]float64{1, 1, behind}).Draw(t, "stands"),
					luck:   rapid.SampledFrom([]float64{1, 0.5, 1.75}).Draw(t, "luck"),
				}
				begin(r, m)
			}
			settled(t, r)
			for _, m := range slices.Sorted(maps.Keys(now)) {
				if rapid.IntRange(0, 3).Draw(t, "comes to the front") == 0 {
					r.unblock(m)
					traits[m] = drawn{1, traits[m].luck}
				}
			}
			settled(t, r)
			want := offered(now, traits, nil)
			again := newRates(len(r.members), 3, true)
			for _, m := range slices.Sorted(maps.Keys(now)) {
				if math.Abs(r.rate[m]-want[m]) > 1e-8 {
					t.Fatalf("message %d has %g, slowly %g, of %v", m, r.rate[m], want[m], now)
				}
				begin(again, m)
			}
			settled(t, again)
			want = offered(now, traits, want)
			for m := range now {
				if math.Abs(again.rate[m]-want[m]) > 1e-6 {
					t.Fatalf("message %d has %g where inputs are held, slowly %g, of %v", m, again.rate[m], want[m],
						now)
				}
			}
		}
	})
}
