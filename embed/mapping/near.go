package mapping

import "slices"

// nearPlaces lists, for every place p, reach places near it from index p*reach on: itself, then others by rising cost
// of class 0, there and back. Of more than 2048 places with known positions, it looks only at those around p. If there
// are fewer places than reach, they repeat.
func (t *instance) nearPlaces(reach int) []int32 {
	places := t.costs.places
	near := make([]int32, 0, places*reach)
	var buckets *buckets
	if at := t.costs.positions(); t.costs.tables == nil && places > 1<<11 {
		buckets = newBuckets(at)
	}
	key := make([]int64, 0, reach)
	for p := range int32(places) {
		first := len(near)
		near = append(near, p)
		key = append(key[:0], -1)
		add := func(q int32) {
			d := t.costs.arc(0, p, q) + t.costs.arc(1, p, q)
			i := len(key)
			for i > 1 && key[i-1] > d {
				i--
			}
			switch {
			case q == p || i == reach:
			case len(key) < reach:
				key = slices.Insert(key, i, d)
				near = slices.Insert(near, first+i, q)
			default:
				copy(key[i+1:], key[i:])
				copy(near[first+i+1:], near[first+i:])
				key[i], near[first+i] = d, q
			}
		}
		if buckets != nil {
			buckets.ringsAround(p, 4*reach, add)
		} else {
			for i := 1; i < places; i++ { // so that equals are spread
				add((p + int32(i)) % int32(places))
			}
		}
		for len(near) < first+reach { // too few places
			near = append(near, near[first+(len(near)-first)%len(key)])
		}
	}
	return near
}

// buckets sorts places into squares of equal side, of which there are about half as many as places.
type buckets struct {
	at      []point // of the places
	low     point   // corner of the first square
	side    int32   // of a square
	columns int32
	rows    int32
	first   []int32 // by square: index in members of its first place
	members []int32 // places, square by square
}

func newBuckets(at []point) *buckets {
	c := &buckets{at: at, low: at[0], side: 1}
	high := at[0]
	for _, p := range at {
		c.low, high = point{min(c.low.x, p.x), min(c.low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
	}
	for {
		c.columns, c.rows = (high.x-c.low.x)/c.side+1, (high.y-c.low.y)/c.side+1
		if int64(c.columns)*int64(c.rows) <= int64(len(at))/2+1 {
			break
		}
		c.side += c.side/2 + 1
	}
	c.first = make([]int32, c.columns*c.rows+1)
	for _, p := range at {
		c.first[c.of(p)+1]++
	}
	for i := range len(c.first) - 1 {
		c.first[i+1] += c.first[i]
	}
	c.members = make([]int32, len(at))
	next := slices.Clone(c.first)
	for i, p := range at {
		k := c.of(p)
		c.members[next[k]] = int32(i)
		next[k]++
	}
	return c
}

// of returns the square of a point.
func (c *buckets) of(p point) int32 {
	return (p.x-c.low.x)/c.side + c.columns*((p.y-c.low.y)/c.side)
}

// ringsAround yields the places, p among them, of the square of p, of the 8 around it, of the 16 around those, and so
// on, until it has yielded enough and two rings at least.
func (c *buckets) ringsAround(p int32, enough int, yield func(int32)) {
	k := c.of(c.at[p])
	x, y := k%c.columns, k/c.columns
	found := 0
	for ring := int32(0); ring < max(c.columns, c.rows); ring++ {
		if found >= enough && ring > 1 {
			return
		}
		for j := max(0, y-ring); j <= min(c.rows-1, y+ring); j++ {
			for i := max(0, x-ring); i <= min(c.columns-1, x+ring); i++ {
				if max(i-x, x-i, j-y, y-j) != ring {
					continue
				}
				for _, q := range c.members[c.first[i+c.columns*j]:c.first[i+c.columns*j+1]] {
					yield(q)
					found++
				}
			}
		}
	}
}
