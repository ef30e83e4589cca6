package qap

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// member is a permutation of a population.
type member struct {
	p    []int32
	cost int64
}

// insert takes a member into the population: in the place of the one it is much
// like, if it is better, or else of the worst. Without the first rule all would
// soon be like the best.
func (s *search) insert(m member) bool {
	for i, e := range s.members {
		if s.distance(e.p, m.p) > s.movable/10 {
			continue
		}
		if e.cost <= m.cost {
			return false
		}
		s.members = slices.Delete(s.members, i, i+1)
		break
	}
	i, _ := slices.BinarySearchFunc(s.members, m.cost, func(e member, cost int64) int {
		if e.cost <= cost {
			return -1
		}
		return 1
	})
	if i >= s.population {
		return false
	}
	s.members = slices.Insert(s.members, i, m)
	if len(s.members) > s.population {
		s.members = s.members[:s.population]
	}
	return true
}

// distance is the number of objects that stand elsewhere.
func (s *search) distance(a, b []int32) int {
	d := 0
	for i, k := range a {
		if k != b[i] {
			d++
		}
	}
	return d
}

// tournament draws two members and picks the better.
func (s *search) tournament() int {
	return min(below(s.random, len(s.members)), below(s.random, len(s.members)))
}

// crossover makes a permutation of two members, or mutates one if they are much
// alike. What the two share stays. Of the rest either half of the objects that
// stand around one location stay as in the first (Z. Drezner, "A new genetic
// algorithm for the quadratic assignment problem", INFORMS J. on Computing 15
// (3), 2003) and others go where they stand in the second; or each goes where it
// stands in either. Where the location is taken, any will do.
func (s *search) crossover() []int32 {
	a, b := s.members[s.tournament()].p, s.members[s.tournament()].p
	if s.distance(a, b) <= s.movable/50 {
		out := slices.Clone(a)
		s.mutate(out, max(2, s.movable/4))
		return out
	}
	out := make([]int32, s.n)
	taken := make([]bool, s.n)
	put := func(i int, k int32) {
		if out[i] < 0 && !taken[k] {
			out[i], taken[k] = k, true
		}
	}
	for i := range out {
		out[i] = -1
	}
	for i := range out {
		if a[i] == b[i] {
			put(i, a[i])
		}
	}
	order := s.shuffledObjects()
	if s.random.Uint64()>>63 == 0 {
		for _, i := range s.neighbourhood(a) {
			put(int(i), a[i])
		}
		for _, i := range order {
			put(int(i), b[i])
		}
	} else {
		for _, i := range order {
			first, second := a[i], b[i]
			if s.random.Uint64()>>63 == 0 {
				first, second = second, first
			}
			put(int(i), first)
			put(int(i), second)
		}
	}
	for _, i := range order {
		if out[i] >= 0 {
			continue
		}
		k := s.begin[i] + below(s.random, s.end[i]-s.begin[i])
		for taken[k] {
			if k++; k == s.end[i] {
				k = s.begin[i]
			}
		}
		put(int(i), int32(k))
	}
	return out
}

// neighbourhood is the half of the objects that stand nearest to a location
// drawn, or, where it is rather the first matrix that holds distances, that are
// nearest to an object drawn.
func (s *search) neighbourhood(p []int32) []int32 {
	objects := s.shuffledObjects()
	centre := below(s.random, s.movable)
	distance := func(i int32) int64 { return s.a[centre*s.n+int(i)] }
	if !s.distancesFirst {
		distance = func(i int32) int64 { return s.b[centre*s.n+int(p[i])] }
	}
	slices.SortStableFunc(objects, func(i, j int32) int { return cmp.Compare(distance(i), distance(j)) })
	return objects[:len(objects)/2]
}

// shuffledObjects is the objects that can move, shuffled.
func (s *search) shuffledObjects() []int32 {
	order := make([]int32, s.movable)
	for i := range order {
		j := below(s.random, i+1)
		order[i] = order[j]
		order[j] = int32(i)
	}
	return order
}

// shuffle puts the objects of every class in any order.
func (s *search) shuffle(p []int32, random *rand.PCG) {
	for i := range s.movable {
		j := i + below(random, s.end[i]-i)
		p[i], p[j] = p[j], p[i]
	}
}

// mutate moves about k objects.
func (s *search) mutate(p []int32, k int) {
	for range (k + 1) / 2 {
		i := below(s.random, s.movable)
		j := s.begin[i] + below(s.random, s.end[i]-s.begin[i])
		p[i], p[j] = p[j], p[i]
	}
}

// randomPermutation draws a permutation.
func (s *search) randomPermutation(random *rand.PCG) []int32 {
	p := make([]int32, s.n)
	for i := range p {
		p[i] = int32(i)
	}
	s.shuffle(p, random)
	return p
}
