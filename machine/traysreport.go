package machine

import "github.com/plenum-planner/plenum/units"

// TraysReport tells what lies on the trays.
type TraysReport struct {
	Levels []TrayLevelReport `json:"levels"`
	// Rerouted cables were led around full trays, Extra longer together than on
	// their shortest ways.
	Rerouted int64        `json:"rerouted_cables"`
	Extra    units.Length `json:"extra_length_m"`
	// Overfull is the number of segments above their limit.
	Overfull int `json:"overfull_segments"`
	// Segments are the pieces of tray with cables, the fullest first; at most
	// 10,000 of them.
	Segments []TraySegmentReport `json:"segments"`
	LeftOut  int                 `json:"segments_left_out,omitempty"`
}

// TrayLevelReport is about one level of trays.
type TrayLevelReport struct {
	Level   string       `json:"level"`
	Height  units.Length `json:"height_m"` // above the floor
	Part    string       `json:"part"`
	Count   int          `json:"count"` // trays side by side
	Length  units.Length `json:"length_m"`
	Section float64      `json:"section_mm2"` // of all trays side by side
	Limit   float64      `json:"limit_percent"`
	Fill    float64      `json:"fill_percent"` // of its fullest segment
	Weight  units.Mass   `json:"weight_kg"`    // of all cables on it
}

// TraySegmentReport is about one piece of tray.
type TraySegmentReport struct {
	Segment    string          `json:"segment"`
	Level      string          `json:"level"`
	Tray       string          `json:"tray"`
	From       [3]units.Length `json:"from_m"`
	To         [3]units.Length `json:"to_m"`
	Length     units.Length    `json:"length_m"`
	Cables     int64           `json:"cables"`
	Area       float64         `json:"cables_mm2"`
	Fill       float64         `json:"fill_percent"`
	Excess     float64         `json:"excess_mm2"`
	LineWeight units.Mass      `json:"weight_kg_m"`
	Weight     units.Mass      `json:"weight_kg"`
}

// mostSegments bounds the list of segments of a report.
const mostSegments = 10_000

func (p *Result) traysReport() *TraysReport {
	t := p.Schedule.Trays
	if t == nil {
		return nil
	}
	r := &TraysReport{Rerouted: t.Rerouted, Extra: round(t.Extra), Segments: []TraySegmentReport{}}
	for level, l := range t.Network.Levels {
		rule := &t.Rules[level]
		r.Levels = append(r.Levels, TrayLevelReport{
			Level: l.Name, Height: round(l.Height), Part: p.trays[level].part.ID, Count: rule.Count,
			Length: round(t.Network.Length(level)), Section: round(t.Section(level)), Limit: round(100 * rule.Fill),
		})
	}
	fullest := t.Fullest()
	for i, piece := range fullest {
		at, load := t.Network.Piece(piece), &t.Loads[piece]
		level := &r.Levels[at.Level]
		weight := load.LineWeight() * units.Mass(at.Length)
		level.Fill = max(level.Fill, round(100*t.Fill(piece)))
		level.Weight += round(weight)
		if t.Excess(piece) > 0 {
			r.Overfull++
		}
		if i >= mostSegments {
			r.LeftOut++
			continue
		}
		r.Segments = append(r.Segments, TraySegmentReport{
			Segment: t.ID(piece), Level: level.Level, Tray: at.Name,
			From:   [3]units.Length{round(at.From.X), round(at.From.Y), round(at.From.Z)},
			To:     [3]units.Length{round(at.To.X), round(at.To.Y), round(at.To.Z)},
			Length: round(at.Length), Cables: load.Cables, Area: round(load.Area()), Fill: round(100 * t.Fill(piece)),
			Excess: round(t.Excess(piece)), LineWeight: round(load.LineWeight()), Weight: round(weight),
		})
	}
	for i := range r.Levels {
		r.Levels[i].Weight = round(r.Levels[i].Weight)
	}
	return r
}

// BundlesReport sums bundles up.
type BundlesReport struct {
	Bundles  int        `json:"bundles"`
	Cables   int64      `json:"cables"`
	Largest  int32      `json:"largest_cables"`
	Thickest float64    `json:"thickest_mm"`
	Heaviest units.Mass `json:"heaviest_kg"`
}

func (p *Result) bundlesReport() *BundlesReport {
	if p.Room() == nil {
		return nil
	}
	bundles := p.Schedule.Bundles
	r := &BundlesReport{Bundles: len(bundles)}
	for i := range bundles {
		b := &bundles[i]
		r.Cables += int64(b.Cables)
		r.Largest = max(r.Largest, b.Cables)
		r.Thickest = max(r.Thickest, round(float64(b.Diameter())*1e3))
		r.Heaviest = max(r.Heaviest, round(b.Weight()))
	}
	return r
}
