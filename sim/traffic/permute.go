package traffic

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// fixed is a pattern in which a terminal always sends to the same other one.
// An entry of -1 sends nothing.
type fixed []int32

func (f fixed) Destination(src int32, _ *rand.Rand) int32 { return f[src] }

// fill makes a fixed pattern of n terminals from a rule.
func fill(n int, rule func(src int) int) fixed {
	f := make(fixed, n)
	for src := range f {
		f[src] = int32(rule(src))
	}
	return f
}

// The permutations of the bits b-1 ... 0 of the terminal's number are those of
// W. J. Dally and B. Towles, "Principles and Practices of Interconnection
// Networks", Morgan Kaufmann 2004, table 3.1. As there, a terminal that a
// permutation maps to itself sends to itself. A number of terminals for which one
// is not defined is an error, which names those nearest to it.

// BitComplement returns the pattern in which every bit is inverted: d_i = not
// s_i. That is terminal n-1-s, which is used for every n; the middle one of an
// odd n sends to itself.
func BitComplement(n int) Pattern {
	return fill(n, func(s int) int { return n - 1 - s })
}

// BitReverse returns the pattern d_i = s_(b-1-i). n must be a power of two.
func BitReverse(n int) (Pattern, error) {
	b, err := bitCount("bit-reverse", n)
	if err != nil {
		return nil, err
	}
	return fill(n, func(s int) int { return int(bits.Reverse64(uint64(s)) >> (64 - b)) }), nil
}

// BitRotate returns the pattern d_i = s_((i+1) mod b): the number is shifted
// right by one bit and the lowest bit becomes the highest. n must be a power of
// two, 2 at least.
func BitRotate(n int) (Pattern, error) {
	b, err := bitCount("bit-rotate", n)
	if err != nil {
		return nil, err
	}
	return fill(n, func(s int) int { return s>>1 | s&1<<(b-1) }), nil
}

// Shuffle returns the pattern d_i = s_((i-1) mod b): the number is shifted left
// by one bit and the highest bit becomes the lowest. n must be a power of two, 2
// at least.
func Shuffle(n int) (Pattern, error) {
	b, err := bitCount("shuffle", n)
	if err != nil {
		return nil, err
	}
	return fill(n, func(s int) int { return s<<1&(n-1) | s>>(b-1) }), nil
}

// Transpose returns the pattern d_i = s_((i+b/2) mod b): the upper and the lower
// half of the bits change places. Seen as a matrix of side sqrt(n), terminal
// (x, y) sends to (y, x); in this form it is defined for every square n.
func Transpose(n int) (Pattern, error) {
	side := isqrt(n)
	if n < 1 || side*side != n {
		return nil, fmt.Errorf("transpose needs a square number of terminals, not %d; %s are the nearest",
			n, nearest(side*side, (side+1)*(side+1)))
	}
	return fill(n, func(s int) int { return s%side*side + s/side }), nil
}

// Permutation returns a permutation of n terminals drawn from all permutations
// with equal chances. Terminals that it maps to themselves send to themselves.
func Permutation(n int, seed uint64) Pattern {
	f := fill(n, func(s int) int { return s })
	rand.New(rand.NewPCG(seed, 0x7065726d)).Shuffle(n, func(i, j int) { f[i], f[j] = f[j], f[i] })
	return f
}

func bitCount(name string, n int) (int, error) {
	if n >= 2 && n&(n-1) == 0 {
		return bits.Len(uint(n)) - 1, nil
	}
	if n < 2 {
		return 0, fmt.Errorf("%s needs a power of two of terminals, at least 2, not %d", name, n)
	}
	up := 1 << bits.Len(uint(n))
	return 0, fmt.Errorf("%s needs a power of two of terminals, not %d; %s are the nearest", name, n, nearest(up/2, up))
}

func nearest(a, b int) string { return fmt.Sprintf("%d and %d", a, b) }

// isqrt is the largest r with r*r <= n.
func isqrt(n int) int {
	r := 0
	for bit := 1 << 31; bit > 0; bit >>= 1 {
		if next := r + bit; next*next <= n {
			r = next
		}
	}
	return r
}
