// Package route finds the lines that cables take over the floor of a room: along the trays, along the axes or straight,
// as a machine file has it. It counts and colours them, and draws nothing.
package route

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pick"
	"github.com/plenum-planner/plenum/units"
)

// Colours are what cables may be coloured by, the usual one first.
var Colours = []string{"medium", "product", "level", "fabric", "length", "stated"}

// unstated is the class of cables without a colour in the machine file.
const unstated = "no stated colour"

// Class is cables of one colour.
type Class struct {
	Name   string
	Color  color.RGBA
	Cables int64
	Metres units.Length // that they need
}

// Run is the cables of one class that run between two racks on one way. As on trays, each leg of a splitter counts.
type Run struct {
	Class  int          // index of Runs.Classes
	Points [][2]float64 // metres of the floor
	Cables int64
}

// Runs are chosen cables as lines on the floor.
type Runs struct {
	*pick.Chosen
	Classes []Class
	Runs    []Run
	Inside  map[int32][]int64 // of each rack position, cables of each class that stay in the rack
	Ends    []int32           // rack positions at which runs end, ascending

	by        string
	summed    sync.Once
	stretches []Stretch // result of Stretches, once summed
}

// runKey is what the cables of a run share: the class and the way along the trays, or the racks off them.
type runKey struct {
	class   int
	way     int32
	a, b    int32
	outside bool // of one rack
}

// Of finds the ways of the chosen cables of a machine in a room and colours them by one of Colours, by the first when
// empty. What the machine does not have is a diag.FieldError of CableColour.
func Of(r *machine.Result, chosen *pick.Chosen, by string) (*Runs, error) {
	c := &Runs{Chosen: chosen, by: cmp.Or(by, Colours[0]), Inside: map[int32][]int64{}}
	class, err := c.classify(r)
	if err != nil {
		return nil, err
	}
	s := r.Schedule
	legs := s.Legs()
	counts := map[runKey]int64{}
	var order []runKey
	for k, i := range c.Segments {
		seg := &s.Segments[i]
		if !s.Jacket(seg, legs.Next(seg)) {
			continue
		}
		key := runKey{class: class[k], way: -1}
		if seg.Bundle > 0 {
			b := &s.Bundles[seg.Bundle-1]
			key.way, key.a, key.b, key.outside = b.Way, b.A, b.B, true
		} else {
			key.a = s.Placement.Layout.Container(layout.RackLevel, s.Placement.Slot[seg.A])
		}
		if !key.outside {
			if c.Inside[key.a] == nil {
				c.Inside[key.a] = make([]int64, len(c.Classes))
			}
			c.Inside[key.a][key.class]++
			continue
		}
		if counts[key]++; counts[key] == 1 {
			order = append(order, key)
		}
	}
	ends := map[int32]bool{}
	for _, key := range order {
		c.Runs = append(c.Runs, Run{key.class, c.course(r, key), counts[key]})
		ends[key.a], ends[key.b] = true, true
	}
	c.Ends = slices.Sorted(maps.Keys(ends))
	return c, nil
}

// course is the line that a run takes from above one rack to above the other.
func (c *Runs) course(r *machine.Result, key runKey) [][2]float64 {
	places := r.Room().Places
	a, b := places[key.a], places[key.b]
	out := [][2]float64{{float64(a.X), float64(a.Y)}}
	add := func(x, y units.Length) {
		p := [2]float64{float64(x), float64(y)}
		if n := len(out); out[n-1] == p {
			return
		} else if n > 1 && (out[n-2][0] == out[n-1][0] && out[n-1][0] == p[0] ||
			out[n-2][1] == out[n-1][1] && out[n-1][1] == p[1]) {
			out = out[:n-1]
		}
		out = append(out, p)
	}
	if key.way < 0 {
		if r.Spec.Cabling.Route != spec.Direct {
			add(a.X, b.Y)
		}
		add(b.X, b.Y)
		return out
	}
	s := r.Schedule
	for _, p := range s.Trays.Network.Follow(nil, s.WayLegs(key.way), layout.Point{X: a.X, Y: a.Y}) {
		add(p.X, p.Y)
	}
	add(b.X, b.Y)
	return out
}

// classify makes the classes of the chosen segments and tells that of each.
func (c *Runs) classify(r *machine.Result) ([]int, error) {
	s := r.Schedule
	levels := r.Graph.Levels()
	step := 0.0
	name := func(seg *cabling.Segment) string {
		if seg.Product < 0 {
			return "no product can make it"
		}
		return s.Products[seg.Product].Item().Part
	}
	switch c.by {
	case "medium":
		name = func(seg *cabling.Segment) string { return cmp.Or(string(s.Medium(seg)), "no product can make it") }
	case "product":
	case "level":
		name = func(seg *cabling.Segment) string { return levels[seg.Level].Name }
	case "fabric":
		if len(r.Fabrics) < 2 {
			return nil, diag.Fieldf("CableColour", "the machine has one fabric")
		}
		name = func(seg *cabling.Segment) string {
			fabric, _, _ := strings.Cut(levels[seg.Level].Name, "/")
			return fabric
		}
	case "stated":
		if !s.HasColours() {
			return nil, diag.Fieldf("CableColour", "the machine file states no colours of cables: "+
				"cabling.colours has them by fabric or rail")
		}
		name = func(seg *cabling.Segment) string { return cmp.Or(s.Colour(seg), unstated) }
	case "length":
		longest := units.Length(0)
		for _, i := range c.Segments {
			longest = max(longest, s.Segments[i].Length)
		}
		const most = 5
		step = roundStep(float64(longest) / most)
		name = func(seg *cabling.Segment) string {
			n := math.Floor(float64(seg.Length) / step)
			return fmt.Sprintf("%s to %s m", chart.Short(n*step), chart.Short((n+1)*step))
		}
	default:
		return nil, diag.Fieldf("CableColour", "no colours of cables by %q", c.by)
	}
	first := map[string]int{} // the place of a name among those found
	var found []string
	var lengths []float64 // the least of a class, by which classes of lengths are sorted
	out := make([]int, len(c.Segments))
	for k, i := range c.Segments {
		seg := &s.Segments[i]
		n := name(seg)
		at, is := first[n]
		if !is {
			at = len(found)
			first[n], found, lengths = at, append(found, n), append(lengths, float64(seg.Length))
		}
		out[k], lengths[at] = at, min(lengths[at], float64(seg.Length))
	}
	order := c.ordered(r, found)
	if step > 0 {
		slices.SortFunc(order, func(a, b string) int { return cmp.Compare(lengths[first[a]], lengths[first[b]]) })
	}
	c.paint(r, order)
	number := make([]int, len(found))
	for i, n := range order {
		number[first[n]] = i
	}
	var last int32
	for _, i := range c.Segments {
		last = max(last, s.Segments[i].Cable)
	}
	counted := make([]bool, last+1)
	needs := make([]units.Length, last+1) // by cable: the most that one of its links needs
	for k, i := range c.Segments {
		seg := &s.Segments[i]
		out[k] = number[out[k]]
		of := &c.Classes[out[k]]
		if !counted[seg.Cable] {
			counted[seg.Cable] = true
			of.Cables++
		}
		of.Metres += max(0, seg.Length-needs[seg.Cable])
		needs[seg.Cable] = max(needs[seg.Cable], seg.Length)
	}
	return out, nil
}

// ordered are the names of classes as the machine file and the report list them: fabrics and levels by the file, media
// by the products that are used, everything else by the alphabet.
func (c *Runs) ordered(r *machine.Result, names []string) []string {
	var listed []string
	switch c.by {
	case "fabric":
		for _, n := range r.Fabrics {
			listed = append(listed, n.Name)
		}
	case "level":
		for _, l := range r.Graph.Levels() {
			listed = append(listed, l.Name)
		}
	case "medium":
		for _, p := range r.Schedule.Products {
			listed = append(listed, string(p.Part.Cable.Medium))
		}
	}
	rank := func(name string) int {
		if name == unstated {
			return len(listed) + 1
		}
		if at := slices.Index(listed, name); at >= 0 {
			return at
		}
		return len(listed)
	}
	out := slices.Clone(names)
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	return out
}

// roundStep is a round number that is no less than n.
func roundStep(n float64) float64 {
	if !(n > 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(n)))
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= n {
			return m * unit
		}
	}
	return 10 * unit
}

// paint gives classes their colours.
func (c *Runs) paint(r *machine.Result, names []string) {
	var levels []string
	for _, l := range r.Graph.Levels() {
		levels = append(levels, l.Name)
	}
	stated := slices.Clone(names)
	if n := len(stated); n > 0 && stated[n-1] == unstated {
		stated[n-1] = ""
	}
	jackets := palette.Jackets(stated)
	for i, name := range names {
		col := palette.Tint(palette.Series(i), 1/float64(1+palette.Round(i)))
		switch c.by {
		case "stated":
			col = jackets[i]
		case "medium":
			col = palette.Medium(catalog.Medium(name))
		case "length":
			col = palette.Heat(float64(i+1) / float64(len(names)))
		case "fabric": // as racks by their fabrics
			for k, n := range r.Fabrics {
				if n.Name == name {
					col = palette.Series(k)
				}
			}
		case "level":
			if k := slices.Index(levels, name); k >= 0 && palette.Round(k) == 0 {
				col = palette.Series(k)
			}
		}
		c.Classes = append(c.Classes, Class{Name: name, Color: col})
	}
}
