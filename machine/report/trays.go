package report

import (
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// Trays tells what lies on the trays.
type Trays struct {
	Levels []TrayLevel `json:"levels"`
	// Rerouted cables were led around full trays, Extra longer together than on
	// their shortest ways.
	Rerouted int64        `json:"rerouted_cables"`
	Extra    units.Length `json:"extra_length_m"`
	// Overfull is the number of segments above their limit.
	Overfull int `json:"overfull_segments"`
	// Segments are the pieces of tray with cables, the fullest first; at most
	// 10,000 of them.
	Segments []TraySegment `json:"segments"`
	LeftOut  int           `json:"segments_left_out,omitempty"`
}

// TrayLevel is about one level of trays.
type TrayLevel struct {
	Level   string       `json:"level"`
	Height  units.Length `json:"height_m"` // above the floor
	Part    string       `json:"part"`
	Count   int          `json:"count"` // trays side by side
	Length  units.Length `json:"length_m"`
	Section units.Area   `json:"section_mm2"` // of all trays side by side
	Limit   float64      `json:"limit_percent"`
	Fill    float64      `json:"fill_percent"` // of its fullest segment
	Weight  units.Mass   `json:"weight_kg"`    // of all cables on it
}

// TraySegment is about one piece of tray.
type TraySegment struct {
	Segment    string          `json:"segment"`
	Level      string          `json:"level"`
	Tray       string          `json:"tray"`
	From       [3]units.Length `json:"from_m"`
	To         [3]units.Length `json:"to_m"`
	Length     units.Length    `json:"length_m"`
	Cables     int64           `json:"cables"`
	Area       units.Area      `json:"cables_mm2"`
	Fill       float64         `json:"fill_percent"`
	Excess     units.Area      `json:"excess_mm2"`
	LineWeight units.Mass      `json:"weight_kg_per_m"`
	Weight     units.Mass      `json:"weight_kg"`
}

// mostSegments bounds the list of segments of a report.
const mostSegments = 10_000

// NewTrays reports what lies on trays whose levels are of the given parts. It is
// nil where there are none.
func NewTrays(t *cabling.Trays, parts []*catalog.Part) *Trays {
	if t == nil {
		return nil
	}
	r := &Trays{Rerouted: t.Rerouted, Extra: Round(t.Extra), Segments: []TraySegment{}}
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
			Segment: t.ID(piece), Level: level.Level, Tray: at.Name,
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
	Bundles  int            `json:"bundles"`
	Cables   int64          `json:"cables"`
	Largest  int32          `json:"cables_max"`
	Thickest units.Diameter `json:"diameter_max_mm"`
	Heaviest units.Mass     `json:"weight_max_kg"`
}

// NewBundles sums up the bundles of a schedule. It is nil for nested containers,
// which have none.
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
