package edited

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// cableTexts are the cells of the sheets of cables as texts, row by row in any order, without a workbook. Its rows take
// 14 bytes each.
type cableTexts struct {
	s       *cabling.Schedule
	heads   []string // of the columns; the first is of the ids
	set     render.CableCells
	rows    []int32 // segments, in the order of the sheets
	leg     []uint16
	link    []int32
	ordered []int32          // rows by cable and leg
	named   map[string]int64 // cables by ids, where these are not numbers; made when needed
	cells   []string         // of the last row
	digits  []byte
}

// newCableTexts prepares the cells of the cables of a plan; nil where its workbook does not list them.
func newCableTexts(r *machine.Result) *cableTexts {
	heads, set := render.NewCableCells(r)
	if set == nil {
		return nil
	}
	s := r.Schedule
	c := &cableTexts{s: s, heads: heads, set: set, cells: make([]string, len(heads))}
	legs, link := s.Legs(), int32(0)
	for i := range s.Segments {
		seg := &s.Segments[i]
		if seg.Product == cabling.IsTrace {
			continue
		}
		c.leg = append(c.leg, uint16(legs.Next(seg)))
		if !s.Continues(seg) {
			link++
		}
		c.ordered = append(c.ordered, int32(len(c.rows)))
		c.rows, c.link = append(c.rows, int32(i)), append(c.link, link)
	}
	slices.SortFunc(c.ordered, func(x, y int32) int {
		return cmp.Or(cmp.Compare(c.cable(x), c.cable(y)), cmp.Compare(c.leg[x], c.leg[y]))
	})
	return c
}

// cable is the number of the cable of a row.
func (c *cableTexts) cable(row int32) int64 { return int64(c.s.Segments[c.rows[row]].Cable) }

// legs is the column, from 0, with which link of its cable a row is.
func (c *cableTexts) legs() int { return slices.Index(c.heads, "leg") }

// count is how many rows there are.
func (c *cableTexts) count() int { return len(c.rows) }

// find is the row, from 0, of a link of a cable; -1 where there is none.
func (c *cableTexts) find(id string, leg int) int {
	n, ok := c.number(id)
	if !ok {
		return -1
	}
	i, found := slices.BinarySearchFunc(c.ordered, leg, func(row int32, leg int) int {
		return cmp.Or(cmp.Compare(c.cable(row), n), cmp.Compare(int(c.leg[row]), leg))
	})
	if !found {
		return -1
	}
	return int(c.ordered[i])
}

// number is that of a cable by its id.
func (c *cableTexts) number(id string) (int64, bool) {
	s := c.s
	if s.Naming.Cables == nil {
		if len(id) < 2 {
			return 0, false
		}
		n, err := strconv.ParseInt(id[1:], 10, 64)
		return n, err == nil && n > 0 && s.CableID(n) == id
	}
	if c.named == nil {
		c.named = make(map[string]int64, len(c.rows))
		for row := range c.rows {
			c.named[s.CableID(c.cable(int32(row)))] = c.cable(int32(row))
		}
	}
	n, ok := c.named[id]
	return n, ok
}

// row has the cells of a row, from 0; they change with the next call.
func (c *cableTexts) row(row int) []string {
	clear(c.cells)
	seg := &c.s.Segments[c.rows[row]]
	c.set(int64(c.link[row]), int(c.leg[row]), seg, func(column int, v any) {
		switch v := v.(type) {
		case string:
			c.cells[column] = v
		case int64:
			c.cells[column] = strconv.FormatInt(v, 10)
		case float64:
			c.digits = strconv.AppendFloat(c.digits[:0], v, 'f', -1, 64)
			c.cells[column] = string(c.digits)
		}
	})
	return c.cells
}
