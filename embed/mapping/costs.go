package mapping

import (
	"fmt"
	"math"
	"slices"
)

// Costs says what an edge costs by its class and by the places of its ends. A
// cost is from 0 to 2^31-1, in any unit: steps of a grid, millimetres, cents.
type Costs struct {
	places  int
	classes int
	// Of taxicab costs: where the places are, and for each class the cost of each distance (a single curve is for all
	// classes), or nil if the distance is the cost.
	at     []point
	z      []int32 // nil if all are 0
	curves [][]int32
	// Of tables: two for each class, the second for the way back, from place a to
	// place b at a*places + b. The two are one where the class is symmetric.
	tables [][]int32
	hint   []point // where the places of tables are, as far as known
}

type point struct{ x, y int32 }

// Grid is the cost of a grid of w x h places, numbered along the first axis
// first: the number of steps between two places.
func Grid(w, h int) *Costs {
	c := &Costs{places: w * h, classes: maxClasses, at: make([]point, w*h)}
	for i := range c.at {
		c.at[i] = point{int32(i % w), int32(i / w)}
	}
	return c
}

// maxCoordinate bounds coordinates, so that no sum of differences overflows.
const maxCoordinate = 1 << 28

// Taxicab is the cost of places at these coordinates, |dx| + |dy| + |dz|; a nil z stands for 0. With curves, one for
// each class of edges, an edge of class c and distance d costs curves[c][min(d, len-1)]: a price that rises in steps.
// It returns an error for lists of different lengths, coordinates beyond +-2^28, and empty or negative curves.
func Taxicab(x, y, z []int32, curves ...[]int32) (*Costs, error) {
	if len(x) != len(y) || z != nil && len(z) != len(x) {
		return nil, fmt.Errorf("there are %d, %d and %d coordinates", len(x), len(y), len(z))
	}
	c := &Costs{places: len(x), classes: maxClasses, at: make([]point, len(x)), z: z}
	for i := range c.at {
		height := int32(0)
		if z != nil {
			height = z[i]
		}
		for _, v := range [3]int32{x[i], y[i], height} {
			if v < -maxCoordinate || v > maxCoordinate {
				return nil, fmt.Errorf("place %d has the coordinate %d; coordinates are within +-%d",
					i, v, maxCoordinate)
			}
		}
		c.at[i] = point{x[i], y[i]}
	}
	if len(curves) > 0 {
		c.curves, c.classes = curves, len(curves)
		for i, curve := range curves {
			if len(curve) == 0 {
				return nil, fmt.Errorf("the curve of class %d is empty", i)
			}
			for d, v := range curve {
				if v < 0 {
					return nil, fmt.Errorf("the curve of class %d is %d at distance %d", i, v, d)
				}
			}
		}
	}
	return c, nil
}

// Tables is the cost given by a table for each class: an edge from place a to place b costs tables[class][a*places+b],
// where a is the place of the edge's end A. It keeps the tables, which must not change. It returns an error for no
// table, more than 128, a table of another size, and negative costs.
func Tables(places int, tables ...[]int32) (*Costs, error) {
	c := &Costs{places: places, classes: len(tables)}
	if len(tables) == 0 || len(tables) > maxClasses {
		return nil, fmt.Errorf("there are %d tables of costs; there may be from 1 to %d", len(tables), maxClasses)
	}
	for class, t := range tables {
		if len(t) != places*places {
			return nil, fmt.Errorf("table %d has %d costs; %d places need %d", class, len(t), places, places*places)
		}
		symmetric := true
		for a := range places {
			for b := range places {
				if v := t[a*places+b]; v < 0 {
					return nil, fmt.Errorf("table %d: the cost from place %d to %d is %d", class, a, b, v)
				}
				symmetric = symmetric && t[a*places+b] == t[b*places+a]
			}
		}
		back := t
		if !symmetric {
			back = make([]int32, len(t))
			for a := range places {
				for b := range places {
					back[b*places+a] = t[a*places+b]
				}
			}
		}
		c.tables = append(c.tables, t, back)
	}
	return c, nil
}

// WithPositions states where the places of Tables are in the plane, in any unit, one coordinate for each place. Map
// then divides them along the axes; costs do not change. It returns c.
func (c *Costs) WithPositions(x, y []int32) *Costs {
	c.hint = make([]point, c.places)
	for i := range c.hint {
		c.hint[i] = point{x[i], y[i]}
	}
	return c
}

// uniform is the cost of a partition: 1 between different places.
func uniform(places int) *Costs {
	t := make([]int32, places*places)
	for a := range places {
		for b := range places {
			if a != b {
				t[a*places+b] = 1
			}
		}
	}
	return &Costs{places: places, classes: maxClasses, tables: [][]int32{t}}
}

// Places returns the number of places.
func (c *Costs) Places() int { return c.places }

// At returns the cost of an edge of a class whose end A is at place a and whose end B is at place b.
func (c *Costs) At(class uint8, a, b int) int64 { return c.arc(2*class, int32(a), int32(b)) }

// arc returns the cost of an arc from place a to place b, by its directed class: as in Graph.Class.
func (c *Costs) arc(class uint8, a, b int32) int64 {
	if c.tables != nil {
		return int64(c.table(class)[int(a)*c.places+int(b)])
	}
	d := c.distance(a, b)
	if c.curves == nil {
		return d
	}
	curve := c.curves[0]
	if len(c.curves) > 1 {
		curve = c.curves[class>>1]
	}
	return int64(curve[min(d, int64(len(curve)-1))])
}

func (c *Costs) table(class uint8) []int32 {
	if len(c.tables) == 1 {
		return c.tables[0]
	}
	return c.tables[class]
}

// distance is the taxicab distance of two places.
func (c *Costs) distance(a, b int32) int64 {
	p, q := c.at[a], c.at[b]
	d := abs(p.x-q.x) + abs(p.y-q.y)
	if c.z != nil {
		d += abs(c.z[a] - c.z[b])
	}
	return int64(d)
}

func abs(x int32) int32 {
	sign := x >> 31
	return (x ^ sign) - sign
}

// grid returns the columns and rows of the grid if the costs are those of Grid: the Manhattan distances of places that
// are numbered row by row. Else it returns 0, 0.
func (c *Costs) grid() (w, h int) {
	if c.tables != nil || c.curves != nil || c.z != nil || c.places == 0 {
		return 0, 0
	}
	w = int(c.at[c.places-1].x) + 1
	if w < 1 || c.places%w != 0 {
		return 0, 0
	}
	for i, p := range c.at {
		if p != (point{int32(i % w), int32(i / w)}) {
			return 0, 0
		}
	}
	return w, c.places / w
}

// symmetric reports whether no class depends on the direction.
func (c *Costs) symmetric() bool {
	for i := 0; i+1 < len(c.tables); i += 2 {
		if &c.tables[i][0] != &c.tables[i+1][0] {
			return false
		}
	}
	return true
}

// oneClass reports whether all classes cost the same and no direction matters.
func (c *Costs) oneClass() bool {
	return len(c.tables) == 1 || len(c.tables) == 2 && c.symmetric() || c.tables == nil && len(c.curves) <= 1
}

// positions returns where the places are, nil where that is not known.
func (c *Costs) positions() []point {
	if c.tables != nil {
		return c.hint
	}
	return c.at
}

// transform returns costs in which everything that costs x in c costs f(x).
func (c *Costs) transform(f func(cost int32) int32) *Costs {
	m := &Costs{places: c.places, classes: c.classes, at: c.at, z: c.z, hint: c.hint}
	if c.tables != nil {
		done := make(map[*int32][]int32)
		for _, t := range c.tables {
			if done[&t[0]] == nil {
				to := make([]int32, len(t))
				for i, v := range t {
					to[i] = f(v)
				}
				done[&t[0]] = to
			}
			m.tables = append(m.tables, done[&t[0]])
		}
		return m
	}
	curves := c.curves
	if curves == nil {
		line := make([]int32, c.longestDistance()+1)
		for d := range line {
			line[d] = int32(d)
		}
		curves = [][]int32{line}
	}
	for _, curve := range curves {
		to := make([]int32, len(curve))
		for i, v := range curve {
			to[i] = f(v)
		}
		m.curves = append(m.curves, to)
	}
	return m
}

// longestDistance returns an upper bound of the taxicab distances of places.
func (c *Costs) longestDistance() int64 {
	if len(c.at) == 0 {
		return 0
	}
	lo, hi := c.at[0], c.at[0]
	for _, p := range c.at {
		lo, hi = point{min(lo.x, p.x), min(lo.y, p.y)}, point{max(hi.x, p.x), max(hi.y, p.y)}
	}
	d := int64(hi.x-lo.x) + int64(hi.y-lo.y)
	if c.z != nil {
		least, most := int32(math.MaxInt32), int32(math.MinInt32)
		for _, z := range c.z {
			least, most = min(least, z), max(most, z)
		}
		d += int64(most - least)
	}
	return d
}

// largest returns an upper bound of the cost of an edge.
func (c *Costs) largest() int64 {
	most := int64(0)
	for _, t := range c.tables {
		for _, v := range t {
			most = max(most, int64(v))
		}
	}
	for _, curve := range c.curves {
		most = max(most, int64(slices.Max(curve)))
	}
	if c.tables == nil && c.curves == nil {
		most = c.longestDistance()
	}
	return most
}
