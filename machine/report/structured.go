package report

import (
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/units"
)

// Structured is about the links that run over patch panels or shuffles.
type Structured struct {
	Panel     string `json:"panel"`     // the part of all panels; of those of shuffles, the first one
	Panels    int    `json:"panels"`    // patch panels, in all racks together
	Racks     int    `json:"racks"`     // those that hold panels
	Trunks    int    `json:"trunks"`    // cables between panels, of several positions each
	Positions int    `json:"positions"` // links that all trunks have room for
	// Fibres are those of all trunks; left out where there are none.
	Fibres int64 `json:"trunk_fibres,omitempty"`
	// DarkFibres are those of them that carry no light; left out where that is not known.
	DarkFibres *int64 `json:"dark_fibres,omitempty"`
	// Shuffles are modules of the panels that lead the lanes of plugs to others; left out where there are none.
	Shuffles int `json:"shuffles,omitempty"`
	// ToOrder are those of them that are wired to order; left out where there are none.
	ToOrder int `json:"shuffles_to_order,omitempty"`
	// Octopus says that octopus cables meet in the panels; left out where they do not.
	Octopus bool `json:"octopus,omitempty"`
	// MatedPairs are the pairs of plugs that meet in panels.
	MatedPairs int64 `json:"mated_pairs"`
	// MatedPairsOfLink are those of a link between its transceivers.
	MatedPairsOfLink int   `json:"mated_pairs_of_link"`
	Links            int64 `json:"links"` // those that run over panels, one position each, or over shuffles
	// Kept are the links that were selected and keep a cable of their own all the same, since too few go the same
	// way or no part fits.
	Kept int64 `json:"links_kept_single"`
	// Loss is the most that a link loses in its fibre and panels; null where a part on some link does not state it.
	Loss *units.Loss `json:"loss_max_db"`
}

// NewStructured reports what runs over panels. It is nil where no links were to.
func NewStructured(k *cabling.Patching) *Structured {
	if k == nil {
		return nil
	}
	r := &Structured{Panel: k.Part.ID, Panels: len(k.Panels), Trunks: len(k.Trunks), Links: k.Links, Kept: k.Kept}
	rack := int32(-1)
	for i := range k.Panels {
		if k.Panels[i].Rack != rack { // panels are listed by rack
			rack = k.Panels[i].Rack
			r.Racks++
		}
	}
	if dark := int64(0); len(k.Trunks) > 0 {
		if r.Fibres, dark = k.Dark(); dark >= 0 {
			r.DarkFibres = &dark
		}
	}
	r.MatedPairs, r.MatedPairsOfLink = k.MatedPairs()
	r.Octopus = k.Octopus
	r.Shuffles = len(k.Shuffles)
	for i := range k.Shuffles {
		if k.Shuffles[i].ToOrder {
			r.ToOrder++
		}
	}
	for i := range k.Trunks {
		r.Positions += k.Positions(k.Trunks[i].Part)
	}
	if !k.Unstated {
		loss := Round(k.Loss)
		r.Loss = &loss
	}
	return r
}

// newWay lists the cables of a link over panels.
func newWay(s *cabling.Schedule, way []cabling.Segment) Way {
	last := &way[len(way)-1]
	out := Way{
		A: s.Label(way[0].A, way[0].PortA), B: s.Label(last.B, last.PortB), Octopus: s.Patching.Octopus,
	}
	for _, strand := range s.Strands(way) {
		out.Strands = append(out.Strands, Strand{strand.Lane, strand.Back, strand.At, strand.Lost})
	}
	if len(out.Strands) > 0 {
		out.Dark = s.DarkPositions(way)
	}
	for i := range way {
		seg := &way[i]
		c := WayCable{Cable: s.CableID(int64(seg.Cable)), Length: Round(seg.Length), Polarity: string(s.Polarity(seg))}
		if seg.Product >= 0 {
			c.Product = s.Products[seg.Product].Item().String()
		}
		out.Cables = append(out.Cables, c)
		out.Length = Round(out.Length + c.Length)
	}
	return out
}
