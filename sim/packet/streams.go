package packet

import "github.com/plenum-planner/plenum/internal/splitmix"

// streams are sources of random numbers: one for each router (switch), in their order,
// then one for each terminal, and last one for the run. What one draws does not depend
// on the order in which a cycle looks at them. Each is SplitMix64 (G. L. Steele, D. Lea
// and C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014) from a
// start of its own. Engines that play one run share state, but each has its own current,
// as they never use the same stream in a cycle.
type streams struct {
	state   []uint64 // by stream
	current int      // the stream that numbers are drawn from
}

// newStreams makes n streams for routers and terminals and one more for the run, number
// n, which is in use until use selects another one.
func newStreams(seed uint64, n int) streams {
	s := streams{state: make([]uint64, n+1)}
	start := splitmix.First(seed)
	for i := range s.state {
		s.state[i] = splitmix.Mix(start + uint64(i+1)*splitmix.Gamma)
	}
	s.current = n
	return s
}

// use selects the stream that the next numbers are drawn from, 0 to n.
func (s *streams) use(i int) { s.current = i }

// Uint64 returns the next number of the stream in use. It makes streams a rand.Source of math/rand/v2.
func (s *streams) Uint64() uint64 {
	return splitmix.Next(&s.state[s.current])
}
