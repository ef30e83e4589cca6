package spec

import (
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
)

// checkObjective refuses what cannot be weighed together.
func (s *Spec) checkObjective(report Reporter) {
	e := &s.Embedding
	optimised := e.Effort != "" && e.Effort != NoEffort
	if e.Objective != "" && !slices.Contains(Objectives(), e.Objective) {
		return // the decoder has said so
	}
	switch {
	case !optimised && e.Objective != "":
		report("embedding.objective", "nothing is optimised without an effort\ngive effort: quick, normal or thorough")
	case !optimised && len(e.Weights) > 0:
		report("embedding.weights", "nothing is optimised without an effort\ngive effort: quick, normal or thorough")
	case e.Objective != "" && len(e.Weights) > 0:
		report("embedding.weights", "cannot be combined with an objective\nremove one of them")
	}
	for key, given := range map[string]bool{"together": len(e.Together) > 0, "apart": len(e.Apart) > 0} {
		switch {
		case given && !optimised && key == "together":
			report("embedding."+key, "only the optimiser keeps it\ngive effort: quick, normal or thorough")
		case given && len(s.Room.Containers) > 0:
			report("embedding."+key, "containers have no racks\nremove it")
		}
	}
	s.checkFill(report)
	s.checkMoved(report)
	for name, w := range e.Weights {
		switch {
		case !slices.Contains(Objectives(), name):
			report(diag.OfKey("embedding.weights", name), "nothing that can be weighed; there are %v", Objectives())
		case !(w > 0) || w > 1e9:
			report(diag.Key("embedding.weights", name), "%v is not a weight above 0 and up to 1e9", w)
		}
	}
	if w := e.Weights; w[Longest] > 0 && (len(w) != 2 || w[Length] <= 0) {
		report(diag.Key("embedding.weights", Longest),
			"the longest cable can be weighed against the length of all cables only\n"+
				"give weights for length and longest, or objective: longest")
	}
}

// mostMoved is the most racks that a file says the place of.
const mostMoved = 10000

// checkMoved checks the places of racks as far as they show without boxes.
func (s *Spec) checkMoved(report Reporter) {
	if n := len(s.Embedding.Racks); n > mostMoved {
		report("embedding.racks", "%d racks are more than %d\nlist places in a table (embedding.placement)", n,
			mostMoved)
		return
	}
	for i, r := range s.Embedding.Racks {
		if r.With == "" {
			report(diag.Elem("embedding.racks", i)+".with", "missing\nwrite the name of a box of the rack")
		}
		if r.At == "" {
			report(diag.Elem("embedding.racks", i)+".at", "missing\nwrite the rack position, such as A03")
		}
	}
}

// checkFill refuses to fill rows in a way that what else is said leaves no room for.
func (s *Spec) checkFill(report Reporter) {
	e := &s.Embedding
	if len(e.Contiguous) > 0 && len(s.Room.Containers) > 0 {
		report("embedding.contiguous", "containers have no rows\nremove it")
	}
	if len(e.Contiguous) > 0 && e.Blocks["row"] != nil {
		report("embedding.contiguous", "rows are filled by blocks (embedding.blocks.row)\nremove one of them")
	}
	if n := len(e.Contiguous); n > embed.MostBlocks {
		report("embedding.contiguous", "%d blocks of rows; at most %d are supported", n, embed.MostBlocks)
	}
	if e.FreeUnits != 0 && len(s.Room.Containers) > 0 {
		report("embedding.free_units", "containers have no rack units\nremove it")
	}
	switch {
	case e.Fill == "":
	case len(s.Room.Containers) > 0:
		report("embedding.fill", "containers have no rows\nremove it")
	case e.Fill != FillRows && s.Room.Facing == "same":
		report("embedding.fill", "rows that all face the same way have no aisles to contain\n"+
			"choose rows, or facing: alternate")
	case e.Blocks["row"] != nil:
		report("embedding.fill", "rows are filled by blocks (embedding.blocks.row)\nremove one of them")
	}
}
