package rounds

import (
	"math/rand/v2"

	"github.com/plenum-planner/plenum/internal/splitmix"
)

// stream is a source of random numbers for one step of one instance. It is
// seeded by what the step is, never by when or where it runs.
type stream struct{ pcg rand.PCG }

// start begins the stream of a step: the level, the number of the copy, and the
// path of calls that led there.
func (r *stream) start(seed uint64, level, instance int, path uint64) {
	r.pcg.Seed(splitmix.Mix(seed+uint64(level)*splitmix.Gamma), splitmix.Mix(path^splitmix.Mix(uint64(instance))))
}

// below returns a number from 0 to n-1 (D. Lemire, Fast random integer
// generation in an interval, ACM TOMACS 29, 2019, algorithm 5).
func (r *stream) below(n int) int {
	m := uint32(n)
	product := (r.pcg.Uint64() >> 32) * uint64(m)
	if low := uint32(product); low < m {
		for least := -m % m; low < least; low = uint32(product) {
			product = (r.pcg.Uint64() >> 32) * uint64(m)
		}
	}
	return int(product >> 32)
}

// happens reports whether an event of the given chance occurs; chance is in
// units of 2^-64.
func (r *stream) happens(chance uint64) bool { return r.pcg.Uint64() < chance }

// step extends a path of calls.
func step(path uint64, n int) uint64 { return path*67 + uint64(n) + 1 }
