package packet

// streams are sources of random numbers, one for each router and terminal: what one
// draws does not depend on the order in which a cycle looks at them. Each is
// SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014) from a start of its own.
type streams struct {
	state []uint64
	at    int // the one in use
}

const golden = 0x9e3779b97f4a7c15

func newStreams(seed uint64, n int) streams {
	s := streams{state: make([]uint64, n+1)} // the last is the run's own
	start := mix(seed + golden)
	for i := range s.state {
		s.state[i] = mix(start + uint64(i+1)*golden)
	}
	s.at = n
	return s
}

// use has the numbers that follow drawn from a stream.
func (s *streams) use(i int) { s.at = i }

// Uint64 makes streams a rand.Source.
func (s *streams) Uint64() uint64 {
	s.state[s.at] += golden
	return mix(s.state[s.at])
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
