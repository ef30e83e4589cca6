package packet

import "github.com/plenum-planner/plenum/internal/splitmix"

// streams are sources of random numbers, one for each router and terminal: what one
// draws does not depend on the order in which a cycle looks at them. Each is
// SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014) from a start of its own.
type streams struct {
	state []uint64
	at    int // the one in use
}

func newStreams(seed uint64, n int) streams {
	s := streams{state: make([]uint64, n+1)} // the last is the run's own
	start := splitmix.First(seed)
	for i := range s.state {
		s.state[i] = splitmix.Mix(start + uint64(i+1)*splitmix.Gamma)
	}
	s.at = n
	return s
}

// use has the numbers that follow drawn from a stream.
func (s *streams) use(i int) { s.at = i }

// Uint64 makes streams a rand.Source.
func (s *streams) Uint64() uint64 {
	return splitmix.Next(&s.state[s.at])
}
