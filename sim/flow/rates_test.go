package flow

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// filled is the slow twin: the rates of all messages rise in step until a resource, or
// the link of a terminal, is full; the messages on it stay, and the others rise on.
func filled(uses map[int32][]use, resources int) map[int32]float64 {
	rate := map[int32]float64{}
	fixed := map[int32]bool{}
	for len(fixed) < len(uses) {
		room := make([]float64, resources)
		rising := make([]float64, resources)
		step := math.Inf(1)
		for i := range room {
			room[i] = 1
		}
		for m, list := range uses {
			for _, u := range list {
				share := float64(u.share) / float64(whole)
				room[u.resource] -= float64(share * rate[m])
				if !fixed[m] {
					rising[u.resource] += share
				}
			}
			if !fixed[m] {
				step = min(step, 1-rate[m])
			}
		}
		for i := range room {
			if rising[i] > 0 {
				step = min(step, room[i]/rising[i])
			}
		}
		for m := range uses {
			if !fixed[m] {
				rate[m] += step
			}
		}
		for m, list := range uses {
			full := rate[m] >= 1-1e-12
			for _, u := range list {
				full = full || rising[u.resource] > 0 && room[u.resource]-float64(step*rising[u.resource]) < 1e-12
			}
			if full {
				fixed[m] = true
			}
		}
	}
	return rate
}

// Rates after any beginnings and ends of messages are those of progressive filling from
// nothing.
func TestRatesAreThoseOfProgressiveFilling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resources := rapid.IntRange(1, 8).Draw(t, "resources")
		r := newRates(resources)
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
						list = append(list, use{i, whole / share})
					}
				}
				now[m] = list
				r.begin(m, list)
			}
			r.settle()
			want := filled(now, resources)
			for m := range now {
				if math.Abs(r.rate[m]-want[m]) > 1e-9 {
					t.Fatalf("message %d has %g, slowly %g, of %v", m, r.rate[m], want[m], now)
				}
			}
		}
	})
}
