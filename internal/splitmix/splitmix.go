// Package splitmix is SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014): a generator whose state is one number, and a good hash of one number. What it returns
// is part of what plans and simulations are, for a seed: it must never change.
package splitmix

// Gamma is what the state grows by from number to number: 2^64 over the golden ratio, made odd.
const Gamma = 0x9e3779b97f4a7c15

// Mix is the finaliser: it scatters the bits of z, one to one. Zero stays zero.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Next moves a generator on and returns its next number.
func Next(state *uint64) uint64 {
	*state += Gamma
	return Mix(*state)
}

// First is the first number of the generator with state x: a hash of x.
func First(x uint64) uint64 { return Mix(x + Gamma) }
