// Package section draws cross-sections of cable trays with the cables on them: circles of their outside diameters, laid
// from the bottom up, which tells how full a tray looks at its fill. Where a cable lies in a tray nobody plans: the
// same plan gives the same picture, and the fitters another.
package section

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/pick"
	"github.com/plenum-planner/plenum/units"
)

// Most is the most sections of a drawing, and mostCables the most cables of one.
const (
	Most       = 200
	mostCables = 20_000
)

// Section is a piece of tray and what lies on it.
type Section struct {
	ID, Name string
	// Width and Depth are those of one tray; 0 where they are not stated. There are Trays side by side.
	Width, Depth units.Length
	Trays        int
	// Fill and Limit are shares of the cross-section; 0 where none is known.
	Fill, Limit float64
	Over        bool // above the limit
	// Cables lie on it, Bare of them of parts that state no diameter, which are not drawn.
	Cables, Bare int64
	// Parts are the cables by product, the most first.
	Parts []Part
}

// Part is the cables of one product on a piece of tray.
type Part struct {
	Part   *catalog.Part
	Cables int64
}

// Of finds what lies on pieces of tray: those that are named by their ids in trays.csv, the numbers of these, or by
// where they are ("row C, C03-C04", with * and ? as wildcards); the fullest of each level where none is. A name of no
// piece is an error.
func Of(r *machine.Result, names []string) ([]Section, error) {
	s := r.Schedule
	switch {
	case s.Trays == nil:
		return nil, errors.New("cables do not run on trays")
	case s.Segments == nil:
		return nil, errors.New("the plan is a summary, which does not know what lies on its trays")
	}
	pieces, err := chosen(s.Trays, names)
	if err != nil {
		return nil, err
	}
	counts := count(s, pieces)
	out := make([]Section, len(pieces))
	for i, piece := range pieces {
		t := s.Trays
		rule, load := &t.Rules[t.Network.LevelOf(piece)], &t.Loads[piece]
		out[i] = Section{
			ID: t.ID(piece), Name: t.PieceName(piece), Trays: max(rule.Count, 1), Width: rule.Width, Depth: rule.Depth,
			Fill: t.Fill(piece), Over: t.Excess(piece) > 0, Cables: load.Cables, Bare: load.Bare,
		}
		if rule.Width > 0 && rule.Depth > 0 {
			out[i].Limit = rule.Fill
		}
		for part, n := range counts[i] {
			out[i].Parts = append(out[i].Parts, Part{part, n})
		}
		slices.SortFunc(out[i].Parts, func(a, b Part) int {
			return cmp.Or(cmp.Compare(b.Cables, a.Cables), cmp.Compare(a.Part.ID, b.Part.ID))
		})
		if load.Cables > mostCables {
			return nil, diag.Fieldf("Trays", "%s: %d cables are more than the %d of a section that can be drawn",
				out[i].ID, load.Cables, mostCables)
		}
	}
	return out, nil
}

// chosen finds the pieces of names, in their order.
func chosen(t *cabling.Trays, names []string) ([]int32, error) {
	var out []int32
	if len(names) == 0 {
		for level := range t.Rules {
			for _, piece := range t.Fullest() {
				if t.Network.LevelOf(piece) == level {
					out = append(out, piece)
					break
				}
			}
		}
		if out == nil {
			return nil, errors.New("no cable lies on a tray")
		}
		return out, nil
	}
	var laid []int32
	var ids, places []string
	for piece := range int32(t.Network.Pieces()) {
		if t.Network.IsLaid(piece) {
			laid, ids = append(laid, piece), append(ids, t.ID(piece))
			places = append(places, t.PieceName(piece))
		}
	}
	var wrong diag.FieldErrors
	for _, name := range names {
		found := false
		number, bad := strconv.Atoi(strings.TrimLeft(name, "Tt"))
		for i, piece := range laid {
			if bad == nil && int(piece)+1 == number || pick.Match(name, places[i]) || pick.Match(name, ids[i]) {
				found = true
				if !slices.Contains(out, piece) {
					out = append(out, piece)
				}
			}
			if len(out) > Most {
				return nil, diag.Fieldf("Trays", "more than %d pieces of tray are not drawn; name fewer", Most)
			}
		}
		if !found {
			known := places
			if bad == nil {
				known = ids
			}
			wrong.Add("Trays", "no piece of tray %s; %s", diag.Escape(name),
				diag.DidYouMean(diag.Nearest(name, known)))
		}
	}
	return out, wrong.Err()
}

// count counts the cables of every product on pieces.
func count(s *cabling.Schedule, pieces []int32) []map[*catalog.Part]int64 {
	out := make([]map[*catalog.Part]int64, len(pieces))
	for i := range out {
		out[i] = map[*catalog.Part]int64{}
	}
	over := make([][]int, len(s.Ways)) // of each way, which of the pieces it runs on
	for way := range s.Ways {
		for _, leg := range s.WayLegs(int32(way)) {
			for i, piece := range pieces {
				if min(leg.From, leg.To) <= piece && piece <= max(leg.From, leg.To) {
					over[way] = append(over[way], i)
				}
			}
		}
	}
	legs := s.Legs()
	s.Each(func(_ int64, seg *cabling.Segment) bool {
		leg := legs.Next(seg)
		way, _ := s.WayOf(seg)
		if way < 0 || seg.Product < 0 || !s.Jacket(seg, leg) {
			return true
		}
		for _, i := range over[way] {
			out[i][s.Products[seg.Product].Part]++
		}
		return true
	})
	return out
}

// cable is a cable in a tray.
type cable struct {
	disc
	part *catalog.Part
}

// assumed is the width of a tray that states none, so that cables lie about as high in it as it is wide.
func (s *Section) assumed() float64 {
	if s.Width > 0 {
		return float64(s.Width)
	}
	area := 0.0
	for _, p := range s.Parts {
		d := float64(p.Part.Cable.Diameter)
		area += float64(p.Cables) * d * d
	}
	return max(0.1, math.Sqrt(1.5*area))
}

// laid are the cables in each of the trays side by side, which take their shares: the next largest cable goes into the
// tray with the least in it.
func (s *Section) laid() [][]cable {
	parts := slices.DeleteFunc(slices.Clone(s.Parts), func(p Part) bool { return !(p.Part.Cable.Diameter > 0) })
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Part.Cable.Diameter, a.Part.Cable.Diameter), cmp.Compare(a.Part.ID, b.Part.ID))
	})
	in := make([][]*catalog.Part, s.Trays)
	areas := make([]float64, s.Trays)
	for _, p := range parts {
		d := float64(p.Part.Cable.Diameter)
		for range p.Cables {
			least := 0
			for i, a := range areas {
				if a < areas[least]-slip {
					least = i
				}
			}
			in[least], areas[least] = append(in[least], p.Part), areas[least]+float64(d*d)
		}
	}
	out := make([][]cable, s.Trays)
	for i, parts := range in {
		var radii []float64
		for _, p := range parts {
			radii = append(radii, float64(p.Cable.Diameter)/2)
		}
		for k, d := range pack(s.assumed(), radii) {
			out[i] = append(out[i], cable{d, parts[k]})
		}
	}
	return out
}
