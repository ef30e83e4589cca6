package verify

import (
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/exchange"
)

// The states of links beside the kinds of differences.
const (
	Right   Kind = "right"   // as planned
	Unknown Kind = "unknown" // no source sees it
)

// LinkState is a planned link with what the sources say about it.
type LinkState struct {
	Link            // as planned; Lanes, Rate and Errors are those of the source, 0 if it has none
	Fabric string   // its fabric; empty where the machine has one network
	Cables []string // ids of its cables; several over patch panels
	// State is Right, Unknown, or the kind of the difference that the link is part of.
	State Kind
}

// LinkStates lists all planned links that were compared, in the order of the plan.
func (r *Result) LinkStates() []LinkState {
	s := r.sight
	p := s.p
	kind := s.kinds(r.faults)
	var out []LinkState
	i := -1
	for x := range exchange.PlannedLinks(p.result, "") { // in the order of p.links
		i++
		l := &p.links[i]
		if p.only >= 0 && l.fabric != p.only {
			continue
		}
		state := LinkState{Link: s.planned(int32(i)), State: stateOf(kind[i], s.at[l.a] >= 0)}
		if len(p.result.Fabrics) > 0 {
			state.Fabric = p.result.Fabrics[l.fabric].Name
		}
		state.Cables = cableIDs(p.schedule, x.Segments)
		if at := s.at[l.a]; at >= 0 && at == s.at[l.b] {
			f := &s.links[at]
			state.Lanes, state.Errors = f.lanes, f.errors
			state.Rate = float64(f.rate) * float64(max(f.lanes, 1))
		}
		out = append(out, state)
	}
	return out
}

// stateOf returns the state of a link: kind, that of its difference, unless it is "".
func stateOf(kind Kind, seen bool) Kind {
	switch {
	case kind != "":
		return kind
	case seen:
		return Right
	}
	return Unknown
}

// cableIDs lists the cables of the segments of a link, each once.
func cableIDs(s *cabling.Schedule, segments []cabling.Segment) []string {
	var out []string
	for i := range segments {
		if id := s.CableID(int64(segments[i].Cable)); segments[i].Cable > 0 && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// kinds returns the kind of the difference of each planned link, "" for none; of several, that of the last.
func (s *sight) kinds(faults []fault) []Kind {
	out := make([]Kind, len(s.p.links))
	for i := range faults {
		for _, l := range faults[i].plan {
			out[l] = faults[i].kind
		}
	}
	return out
}
