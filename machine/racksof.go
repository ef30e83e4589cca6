package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
)

// RacksOf returns the names of the rack positions that an entry stands for: a position (A03), a row (A), a range of
// either (A01-A12, A-C), or a hall by its name. A position goes before a row and a row before a hall of the same name.
// It is nil for anything else, and for machines of containers.
func (p *Result) RacksOf(entry string) []string {
	room := p.Room()
	if room == nil {
		return nil
	}
	spans := spec.Spans(&room.Spec, entry)
	if hall := slices.IndexFunc(room.Spec.Halls, func(h layout.Hall) bool { return h.Name == entry }); spans == nil &&
		hall >= 0 {
		for i := range room.Rows {
			if room.Rows[i].Hall == hall {
				spans = append(spans, spec.RackSpan{Row: i})
			}
		}
	}
	var out []string
	for i := range room.Places {
		at := &room.Places[i]
		if slices.ContainsFunc(spans, func(s spec.RackSpan) bool { return s.Has(at.Row, at.Number) }) {
			out = append(out, room.Name(i))
		}
	}
	return out
}
