package verify

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
)

// Failed is what is taken to be out of order: boxes with all their links, and links.
type Failed struct {
	boxes []bool // by vertex
	links []bool // by planned link
}

// Fail returns what is out of order when the named things fail: boxes and patch panels by name, cables by id. A cable
// or a panel takes all links over it. The error, a diag.List, has every name that the plan does not have, with a name
// that is spelt like it.
func (p *Plan) Fail(names []string) (*Failed, error) {
	f := &Failed{boxes: make([]bool, len(p.first)-1), links: make([]bool, len(p.links))}
	wanted := make(map[string]bool, len(names))
	for _, name := range names {
		wanted[identity.Host(name)] = false
	}
	for _, name := range names {
		if v := p.called(name); v >= 0 {
			f.boxes[v] = true
		}
	}
	i := 0
	for x := range exchange.PlannedLinks(p.result, "") {
		for at := range x.Segments {
			for _, name := range p.failing(&x.Segments[at]) {
				if _, ok := wanted[identity.Host(name)]; ok {
					f.links[i], wanted[identity.Host(name)] = true, true
				}
			}
		}
		i++
	}
	var wrong diag.List
	for _, name := range names {
		if p.called(name) < 0 && !wanted[identity.Host(name)] {
			wrong = append(wrong, diag.Diagnostic{
				Message:    fmt.Sprintf("the plan has no box, panel or cable %q", name),
				Suggestion: p.nearest(name),
			})
		}
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return f, nil
}

// failChannels takes boxes and channels of the plan to be out of order. Channels count in the order of the segments
// that begin them. Traces are passed over, as they are not cabled.
func (p *Plan) failChannels(boxes, channels []int32) *Failed {
	f := &Failed{boxes: make([]bool, len(p.first)-1), links: make([]bool, len(p.links))}
	for _, v := range boxes {
		f.boxes[v] = true
	}
	if len(channels) == 0 {
		return f
	}
	lost := make(map[int32]bool, len(channels))
	for _, c := range channels {
		lost[c] = true
	}
	channel, link := int32(-1), -1 // links come in the order of their first segments
	for i := range p.schedule.Segments {
		seg := &p.schedule.Segments[i]
		if p.schedule.Continues(seg) {
			continue
		}
		channel++
		if seg.Product == cabling.IsTrace {
			continue
		}
		if link++; lost[channel] {
			f.links[link] = true
		}
	}
	return f
}

// failing returns the names of all whose failure takes a segment with it: its cable, and the panels at its ends.
func (p *Plan) failing(seg *cabling.Segment) []string {
	out := []string{p.schedule.CableID(int64(seg.Cable))}
	for _, v := range []int32{seg.A, seg.B} {
		if p.schedule.Panel(v) >= 0 {
			out = append(out, p.schedule.Device(v))
		}
	}
	return out
}

// nearest suggests a box or a cable for a name.
func (p *Plan) nearest(name string) string {
	var all []string
	for v := range len(p.first) - 1 {
		all = append(all, p.schedule.Device(int32(v)))
	}
	if best, ok := diag.Closest(name, all); ok {
		return diag.DidYouMean(best)
	}
	all = all[:0]
	for i := range p.links {
		all = append(all, p.cableName(int32(i)))
	}
	if best, ok := diag.Closest(strings.TrimSpace(name), all); ok {
		return diag.DidYouMean(best)
	}
	return ""
}

// Names reports whether the plan has a box, panel or cable of a name.
func (p *Plan) Names(name string) bool {
	_, err := p.Fail([]string{name})
	return err == nil
}
