package traffic

import "math/rand/v2"

// Uniform returns the pattern in which each of n terminals sends every message
// to one of the other terminals, all of them equally likely (W. J. Dally and
// B. Towles, "Principles and Practices of Interconnection Networks", Morgan
// Kaufmann 2004, section 3.2, there with the terminal itself among the
// destinations). A single terminal sends nothing.
func Uniform(n int) Pattern { return uniform(n) }

type uniform int32

func (n uniform) Destination(src int32, r *rand.Rand) int32 {
	if n < 2 {
		return -1
	}
	dst := r.Int32N(int32(n) - 1)
	if dst >= src {
		dst++
	}
	return dst
}

// UniformAll returns the pattern in which each of n terminals, n at least 1, sends every message to any terminal,
// itself among them, all of them equally likely: the uniform traffic of Dally and Towles, section 3.2, and of BookSim.
func UniformAll(n int) Pattern { return uniformAll(n) }

type uniformAll int32

func (n uniformAll) Destination(_ int32, r *rand.Rand) int32 { return r.Int32N(int32(n)) }
