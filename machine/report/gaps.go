package report

import (
	"math"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/units"
)

// Gaps tells how full the gaps between containers are.
type Gaps struct {
	Levels []GapLevel `json:"levels"` // those whose cells are containers and that have several, outermost first
	// DiameterUnstated are the cables between containers whose parts state no diameter; left out where all do. What
	// cables fill is then a lower bound.
	DiameterUnstated []Unstated `json:"diameter_unstated,omitempty"`
}

// GapLevel is about the gaps between the cells of the containers of one level. Triples are along x, y and z.
type GapLevel struct {
	Level string          `json:"level"`   // its name
	Pitch [3]units.Length `json:"pitch_m"` // between neighbouring cells
	// Fitted tells along which axes the pitch was fitted to the cables; left out where along none.
	Fitted *[3]bool        `json:"fitted,omitempty"`
	Width  [3]units.Length `json:"gap_m"`         // the pitch less the size of a cell
	Fits   [3]units.Length `json:"fits_m"`        // the smallest pitch at which these cables fit
	Gaps   int64           `json:"gaps"`          // between two neighbouring cells each
	Limit  float64         `json:"limit_percent"` // the most of a gap's cross-section that cables may take
	// Mean is the share of a gap's cross-section, its width by the shorter side of the cells, that cables take; null
	// where cables cross gaps without width.
	Mean *float64 `json:"fill_mean_percent"`
	// Max is that of the fullest gap; null where cables cross gaps without width.
	Max      *float64   `json:"fill_max_percent"`
	Overfull int64      `json:"overfull_gaps"` // gaps whose cables take more than the limit
	Fullest  string     `json:"fullest"`       // the cells beside the fullest gap
	Cables   int64      `json:"cables"`        // that cross the fullest gap
	Copper   int64      `json:"copper_cables"` // of them
	Area     units.Area `json:"cables_mm2"`    // the sum of their cross-sections
	// Unmeasured are cables in any gap of the level that have no product, or state no diameter. With any, what cables
	// fill is a lower bound.
	Unmeasured int64 `json:"unmeasured_cables"`
}

// NewGaps reports how full gaps are, and which pitches were fitted. It is nil in rooms of racks, and where there are
// no gaps between containers.
func NewGaps(g *cabling.Gaps, fitted [][3]bool, unstated []Unstated) *Gaps {
	if g == nil {
		return nil
	}
	r := &Gaps{DiameterUnstated: unstated}
	for _, l := range g.Levels() {
		tree := &g.Tree.Levels[l.Level]
		out := GapLevel{
			Level: tree.Name, Gaps: l.Gaps, Limit: Round(100 * l.Limit), Overfull: l.Overfull,
			Mean: percent(l.Mean), Max: percent(l.Greatest), Fullest: g.Where(&l), Cables: l.Fullest.Cables,
			Copper: l.Fullest.Copper, Area: Round(l.Fullest.Area()), Unmeasured: l.Bare,
		}
		for axis := range 3 {
			out.Pitch[axis], out.Width[axis] = tree.Pitch[axis].Round4(), l.Width[axis]
			out.Fits[axis] = l.Pitch[axis]
		}
		if l.Level < len(fitted) && fitted[l.Level] != [3]bool{} {
			out.Fitted = &fitted[l.Level]
		}
		r.Levels = append(r.Levels, out)
	}
	if r.Levels == nil {
		return nil
	}
	return r
}

// percent is a share in per cent, nil if it is infinite.
func percent(share float64) *float64 {
	if math.IsInf(share, 0) {
		return nil
	}
	p := Round(100 * share)
	return &p
}
