package report

import (
	"math"
	"strings"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/units"
)

// Placed is the document about a placement, of plenum embed place. Growth is that of the
// mean length over the level before, null for the first; GrowthMean is its
// geometric mean.
type Placed struct {
	Machine  string        `json:"machine"`  // its name in the machine file
	Strategy string        `json:"strategy"` // how the boxes were placed; docs/embedding.md
	Vertices int           `json:"vertices"` // those of the topology
	Racks    int           `json:"racks"`    // those that hold boxes; 0 with containers
	Levels   []PlacedLevel `json:"levels"`   // the links by the level of the topology
	// GrowthMean is the geometric mean of `levels[].growth`; null where there is one level, or a level without
	// length, and of several fabrics.
	GrowthMean *float64 `json:"growth_mean"`
	Notes      []string `json:"notes"` // what could not be kept, and what was assumed
}

// PlacedLevel is a level of the topology in a placement.
type PlacedLevel struct {
	Level string       `json:"level"`         // its name
	Links int64        `json:"links"`         // those of the level
	Mean  units.Length `json:"length_mean_m"` // the mean of the straight lines between linked boxes
	Max   units.Length `json:"length_max_m"`  // that of the longest such line
	// Growth is the mean length divided by that of the level before; null for the first, of every fabric where there
	// are several, and where one of the two is 0.
	Growth *float64 `json:"growth"`
	// GrowthMax is the greatest length divided by that of the level before; null likewise.
	GrowthMax *float64 `json:"growth_max"`
}

// NewPlaced makes the document of a machine of that name, whose links are as long as given level by level. Levels of
// several fabrics are called by them: compute/tier1.
func NewPlaced(name string, several bool, strategy embed.Strategy, p *embed.Placement, lengths []embed.LevelLength,
	notes []string,
) *Placed {
	fabric := func(level string) string {
		name, _, _ := strings.Cut(level, "/")
		return name
	}
	r := &Placed{
		Machine: name, Strategy: string(strategy), Vertices: len(p.Slot), Racks: p.RackCount(),
		Levels: []PlacedLevel{}, Notes: notes,
	}
	for i := range lengths {
		l := &lengths[i]
		level := PlacedLevel{Level: l.Level, Links: l.Links, Mean: Round(l.Mean()), Max: Round(l.Max)}
		if i > 0 && (!several || fabric(l.Level) == fabric(lengths[i-1].Level)) {
			level.Growth = growth(l.Mean(), lengths[i-1].Mean())
			level.GrowthMax = growth(l.Max, lengths[i-1].Max)
		}
		r.Levels = append(r.Levels, level)
	}
	if n := len(lengths) - 1; n > 0 && !several {
		if x := growth(lengths[n].Mean(), lengths[0].Mean()); x != nil {
			mean := Round(math.Pow(*x, 1/float64(n)))
			r.GrowthMean = &mean
		}
	}
	return r
}

// growth is the ratio of two lengths, nil where one is 0.
func growth(a, b units.Length) *float64 {
	if a <= 0 || b <= 0 {
		return nil
	}
	x := Round(float64(a / b))
	return &x
}
