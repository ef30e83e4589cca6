package report

import (
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// Trays tells what lies on the trays.
type Trays struct {
	Levels   []TrayLevel  `json:"levels"`            // of trays, as the room declares them
	Rerouted int64        `json:"rerouted_cables"`   // cables that were led around full trays
	Extra    units.Length `json:"extra_length_m"`    // what that adds to their shortest ways, all together
	Overfull int          `json:"overfull_segments"` // segments whose cables take more than the limit
	// Segments are the pieces of tray that hold cables, the fullest first; at most 10,000 of them.
	Segments []TraySegment `json:"segments"`
	// LeftOut are segments with cables beyond the 10,000; left out where there are none.
	LeftOut int `json:"segments_left_out,omitempty"`
	// DiameterUnstated are the cables between racks whose parts state no diameter; left out where all do. Everything
	// that cables fill is then a lower bound.
	DiameterUnstated []Unstated `json:"diameter_unstated,omitempty"`
}

// TrayLevel is about one level of trays.
type TrayLevel struct {
	Level   string       `json:"level"`         // its name
	Height  units.Length `json:"height_m"`      // above the floor
	Part    string       `json:"part"`          // the id of its trays
	Count   int          `json:"count"`         // trays side by side
	Length  units.Length `json:"length_m"`      // the run of all its trays, side by side counted once
	Section units.Area   `json:"section_mm2"`   // of all trays side by side; 0 where not stated
	Limit   float64      `json:"limit_percent"` // the most of the section that cables may take
	Fill    float64      `json:"fill_percent"`  // what they take in its fullest segment
	Weight  units.Mass   `json:"weight_kg"`     // of all cables on it
}

// TraySegment is about one piece of tray.
type TraySegment struct {
	Segment    string          `json:"segment"`         // its id, such as T0117
	Name       string          `json:"name"`            // where it is, such as `row D, D11-D12`
	Level      string          `json:"level"`           // the level of trays that it belongs to
	Tray       string          `json:"tray"`            // the row, cross tray or path that it is a piece of
	From       [3]units.Length `json:"from_m"`          // one end: x along the rows, y across them, z up
	To         [3]units.Length `json:"to_m"`            // the other end, likewise
	Length     units.Length    `json:"length_m"`        // from end to end
	Cables     int64           `json:"cables"`          // pieces that run through it
	Area       units.Area      `json:"cables_mm2"`      // the sum of their cross-sections
	Fill       float64         `json:"fill_percent"`    // the share of the section that they take
	Excess     units.Area      `json:"excess_mm2"`      // what they take beyond the limit; 0 within it
	LineWeight units.Mass      `json:"weight_kg_per_m"` // what a metre of all its cables weighs
	Weight     units.Mass      `json:"weight_kg"`       // of the cables on its whole length
}

// mostSegments bounds the list of segments of a report.
const mostSegments = 10_000

// NewTrays reports what lies on trays whose levels are of the given parts. It is
// nil where there are none.
func NewTrays(t *cabling.Trays, parts []*catalog.Part, unstated []Unstated) *Trays {
	if t == nil {
		return nil
	}
	r := &Trays{Rerouted: t.Rerouted, Extra: Round(t.Extra), Segments: []TraySegment{}, DiameterUnstated: unstated}
	for level, l := range t.Network.Levels {
		rule := &t.Rules[level]
		r.Levels = append(r.Levels, TrayLevel{
			Level: l.Name, Height: Round(l.Height), Part: parts[level].ID, Count: rule.Count,
			Length: Round(t.Network.Length(level)), Section: Round(t.Section(level)), Limit: Round(100 * rule.Fill),
		})
	}
	fullest := t.Fullest()
	for i, piece := range fullest {
		at, load := t.Network.Piece(piece), &t.Loads[piece]
		level := &r.Levels[at.Level]
		weight := load.LineWeight() * units.Mass(at.Length)
		level.Fill = max(level.Fill, Round(100*t.Fill(piece)))
		level.Weight += Round(weight)
		if t.Excess(piece) > 0 {
			r.Overfull++
		}
		if i >= mostSegments {
			r.LeftOut++
			continue
		}
		r.Segments = append(r.Segments, TraySegment{
			Segment: t.ID(piece), Name: t.Network.DescribeRun(piece, piece), Level: level.Level, Tray: at.Name,
			From:   [3]units.Length{Round(at.From.X), Round(at.From.Y), Round(at.From.Z)},
			To:     [3]units.Length{Round(at.To.X), Round(at.To.Y), Round(at.To.Z)},
			Length: Round(at.Length), Cables: load.Cables, Area: Round(load.Area()), Fill: Round(100 * t.Fill(piece)),
			Excess: Round(t.Excess(piece)), LineWeight: Round(load.LineWeight()), Weight: Round(weight),
		})
	}
	for i := range r.Levels {
		r.Levels[i].Weight = Round(r.Levels[i].Weight)
	}
	return r
}

// Bundles sums bundles up.
type Bundles struct {
	Bundles  int            `json:"bundles"`         // how many there are
	Cables   int64          `json:"cables"`          // pieces in all bundles that have a product
	Largest  int32          `json:"cables_max"`      // the most cables in one
	Thickest units.Diameter `json:"diameter_max_mm"` // the largest estimated diameter of one
	Heaviest units.Mass     `json:"weight_max_kg"`   // the most that one weighs, its cables as bought
}

// NewBundles sums up the bundles of a schedule. It is nil for containers, which have none.
func NewBundles(s *cabling.Schedule) *Bundles {
	if s.Placement.Layout.Room == nil {
		return nil
	}
	bundles := s.Bundles
	r := &Bundles{Bundles: len(bundles)}
	for i := range bundles {
		b := &bundles[i]
		r.Cables += int64(b.Cables)
		r.Largest = max(r.Largest, b.Cables)
		r.Thickest = max(r.Thickest, Round(b.Diameter().AsDiameter()))
		r.Heaviest = max(r.Heaviest, Round(b.Weight()))
	}
	return r
}
