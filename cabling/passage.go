package cabling

import (
	"cmp"
	"fmt"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
)

// passage is the way of a link from its transceiver at one end over a cord, a panel, a trunk, a panel and a cord to the
// transceiver at the other.
type passage struct {
	method Polarity
	of     Polarity          // the type of the trunk, where it is not that of the method
	panels [2]*catalog.Panel // as passed
	trunk  *catalog.Cable    // nil stands for one with a fibre at every position
	// adapter is that of the first panel, counted from the first position of the trunk; then that of the second one.
	adapter int
	back    bool // from end B of the link to end A
}

// cross is the position at the other side of an adapter of a plug at a position. Adapters of type B, key up to key up,
// and duplex ones join the first position to the last.
func (p *passage) cross(at int, plug string) int {
	if !MultiFibre(plug) || p.method == Reversed {
		return positions(plug) + 1 - at
	}
	return at
}

// cord is the position at the other end of the cord at the near end (0) or the far end (1) of the way.
func (p *passage) cord(at, end int) int {
	atB := (end == 1) != p.back
	k := Patching{Part: &catalog.Part{Panel: p.panels[0]}, Method: p.method}
	return k.cordType(atB).far(at, positions(p.panels[end].Connector))
}

// follow leads the fibre at a position of the plug of the first transceiver to the other, and lists its positions at
// the ends of the cord, the trunk and the other cord. It is false where there is no fibre.
func (p *passage) follow(at int) ([]int, bool) {
	out := []int{at}
	at = p.cord(at, 0)
	out = append(out, at)
	first, last := p.panels[0], p.panels[1]
	at = p.cross(at, first.Connector)
	leg := p.adapter / first.Fronts()
	ok := true
	if first.Cassette != nil {
		if at, ok = first.RearOf(p.adapter%first.Fronts(), at); !ok {
			return out, false
		}
		at = p.cross(at, first.Cassette.Rear)
	}
	plug := first.RearConnector()
	out = append(out, at)
	if p.trunk != nil && !p.trunk.HasFibre(at) {
		return out, false
	}
	kind := cmp.Or(p.of, p.method)
	if !MultiFibre(plug) {
		kind = Crossed
	}
	at = kind.far(at, positions(plug))
	out = append(out, at)
	at = p.cross(at, plug)
	front := 0
	if last.Cassette != nil {
		if front, at, ok = last.FrontOf(at); !ok {
			return out, false
		}
		at = p.cross(at, last.Connector)
	}
	p.adapter = leg*last.Fronts() + front
	out = append(out, at)
	return append(out, p.cord(at, 1)), true
}

// overTrunk follows the fibres of a link over two panels: a cord, a position of a trunk, a cord.
func (s *Schedule) overTrunk(way []Segment) []Strand {
	k, n := s.newStrandKey(way)
	if n == 0 {
		return nil
	}
	var out []Strand
	for lane := range k.lanes {
		a, b := k.laneA+lane+1, k.laneB+lane+1
		for _, back := range [2]bool{false, true} {
			strand := Strand{Lane: lane + 1, Back: back}
			strand.At, strand.Lost = k.follow(s.Patching.Method, a, b, back)
			out = append(out, strand)
		}
	}
	return out
}

// strandKey is what the way of the fibres of a link over panels depends on.
type strandKey struct {
	panels              [2]*catalog.Part // at ends A and B of the link
	trunk               *catalog.Part
	fronts              [2]int // adapters, counted from the first of their cassettes
	laneA, laneB, lanes int
}

// newStrandKey returns the key of a link, and the number of positions of the plugs of its transceivers; 0 where
// transceivers have no fibre for each lane, or a cable is missing.
func (s *Schedule) newStrandKey(way []Segment) (k strandKey, n int) {
	for i := range way {
		if way[i].Product < 0 {
			return k, 0
		}
	}
	opticA, opticB := s.Products[way[0].Product].OpticA, s.Products[way[2].Product].OpticB
	if opticA == nil || opticB == nil {
		return k, 0
	}
	k.trunk = s.Products[way[1].Product].Part
	for end, at := range [2]struct {
		v    int32
		port uint16
	}{{way[0].B, way[0].PortB}, {way[2].A, way[2].PortA}} {
		part := s.Patching.Panels[s.Panel(at.v)].Part
		k.panels[end], k.fronts[end] = part, int(at.port)%part.Panel.Fronts()
	}
	n = positions(opticA.Optic.Plug)
	if n != positions(opticB.Optic.Plug) || n != positions(k.panels[0].Panel.Connector) {
		return k, 0
	}
	if !MultiFibre(opticA.Optic.Plug) {
		k.lanes = 1
		return k, n
	}
	lanesB := 0
	k.laneA, k.lanes = s.lanesOf(way[0].A, way[0].PortA, opticA)
	k.laneB, lanesB = s.lanesOf(way[2].B, way[2].PortB, opticB)
	if k.lanes == 0 || k.lanes != lanesB || 2*opticA.Optic.Lanes() > n {
		return k, 0
	}
	return k, n
}

// follow lists the positions of a fibre of a link whose lane is a at end A and b at end B, from 1, and says where it
// leads if that is not its receiver.
func (k *strandKey) follow(method Polarity, a, b int, back bool) (at []int, lost string) {
	from, to, near, far := a, b, 0, 1
	if back {
		from, to, near, far = b, a, 1, 0
	}
	p := passage{
		method: method, panels: [2]*catalog.Panel{k.panels[near].Panel, k.panels[far].Panel}, trunk: k.trunk.Cable,
		adapter: k.fronts[near], back: back,
	}
	at, ok := p.follow(from)
	n := positions(p.panels[1].Connector)
	switch {
	case !ok:
		return at, fmt.Sprintf("position %d of the trunk or of a cassette has no fibre", at[len(at)-1])
	case p.adapter != k.fronts[far]:
		return at, fmt.Sprintf("leads to adapter %d of the cassette in place of %d", p.adapter+1, k.fronts[far]+1)
	case at[len(at)-1] != n+1-to:
		return at, fmt.Sprintf("arrives at position %d in place of %d", at[len(at)-1], n+1-to)
	}
	return at, ""
}

// checkStrands breaks RuleStrands where a fibre of a link over panels does not lead to its receiver.
func (w *worker) checkStrands(segs *[3]Segment) {
	s := w.s
	k, n := s.newStrandKey(segs[:])
	switch p := s.Patching; {
	case n == 0 || p.lanes != 0 && p.lanes != k.lanes:
		p.lanes = -1
	default:
		p.lanes = k.lanes
	}
	if n == 0 {
		return
	}
	lost, known := w.patcher.strands[k]
	if !known {
		for _, strand := range s.overTrunk(segs[:]) {
			if lost == "" && strand.Lost != "" {
				lost = fmt.Sprintf("what lane %d sends %s", strand.Lane, strand.Lost)
			}
		}
		w.patcher.strands[k] = lost
	}
	if lost == "" {
		return
	}
	where := s.CableID(int64(segs[0].Cable))
	if s.Violations.Full(RuleStrands) {
		s.Violations.Add(RuleStrands, where, "")
		return
	}
	s.Violations.Add(RuleStrands, where, "%s to %s: %s (%s, %s, %s)", s.Label(segs[0].A, segs[0].PortA),
		s.Label(segs[2].B, segs[2].PortB), lost, k.panels[0].ID, k.trunk.ID, k.panels[1].ID)
}

// DefaultMatedPairs is the most pairs of plugs that links may pass between their transceivers where nothing else is
// stated: two panels, with which the reach of transceivers is stated.
const DefaultMatedPairs = 2

// checkMatedPairs breaks RuleMatedPairs where links pass more mated pairs than they may.
func (w *worker) checkMatedPairs() {
	p := w.s.Patching
	if p == nil {
		return
	}
	most := cmp.Or(w.p.MatedPairs, DefaultMatedPairs)
	if _, pairs := p.MatedPairs(); pairs > most {
		w.s.Violations.Add(RuleMatedPairs, p.Part.ID, "%d mated pairs on the way of each of %s, and %d are allowed",
			pairs, english.Count(p.Links, "link"), most)
	}
}
