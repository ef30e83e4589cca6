package machine

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/power"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
)

// rail is what graphs call the rails of their switches.
const rail = "rail"

// colours are those of cables, nil where none are stated.
func (r *resolved) colours() *cabling.Colours {
	given := r.spec.Cabling.Colours
	if given == nil || len(given.Fabrics) == 0 && len(given.Rails) == 0 {
		return nil
	}
	c := &cabling.Colours{Levels: make([]string, len(r.graph.Levels()))}
	if len(given.Fabrics) > 0 {
		for level, owner := range r.ownerOfLevel() {
			if owner >= 0 {
				c.Levels[level] = given.Fabrics[r.fabrics[owner].name]
			}
		}
	}
	if len(given.Rails) > 0 {
		c.Rails = r.railColours(given.Rails)
	}
	return c
}

// railColours are the colours of rails of every level: those of the fabric that has it, before those of all fabrics.
func (r *resolved) railColours(given spec.RailColours) []cabling.RailColours {
	of := r.rails()
	out := make([]cabling.RailColours, len(r.graph.Levels()))
	for level, owner := range r.ownerOfLevel() {
		if r.fabrics[0].name == "" { // the machine has one topology
			owner = 0
		}
		if owner >= 0 && of[owner] != nil {
			out[level] = cabling.RailColours{Names: given.Of(r.fabrics[owner].name), Rail: of[owner]}
		}
	}
	return out
}

// rails returns the rail of each vertex of the machine in each fabric, from 0 and negative for none; nil for a fabric
// that has no rails.
func (r *resolved) rails() []func(v int32) int32 {
	out := make([]func(v int32) int32, len(r.fabrics))
	m, joined := r.graph.(*fabrics.Machine)
	for i, f := range r.fabrics {
		if out[i] = railOf(f.graph); joined && out[i] != nil {
			out[i] = m.InFabric(f.part, out[i])
		}
	}
	return out
}

// railOf returns the rail of each vertex of a graph, from 0 and negative for none; nil where the graph has no rails.
func railOf(g topology.Graph) func(v int32) int32 {
	if c, ok := g.(topology.Coordinated); ok {
		all := c.Coordinates()
		if i := slices.IndexFunc(all, func(x topology.Coordinate) bool { return x.Name == rail }); i >= 0 {
			return func(v int32) int32 { return all[i].Of(int(v)) }
		}
	}
	nests := g.Groupings()
	if i := slices.IndexFunc(nests, func(n topology.Grouping) bool { return n.Name == rail }); i >= 0 {
		return func(v int32) int32 { return nests[i].Of(int(v)) }
	}
	return nil
}

// colourNotes say what of the policy of colours does not hold.
func (r *resolved) colourNotes() []string {
	given := r.spec.Cabling.Colours
	if given == nil || len(given.Rails.Of("")) == 0 ||
		slices.ContainsFunc(r.rails(), func(rail func(v int32) int32) bool { return rail != nil }) {
		return nil
	}
	return []string{"no cable has a colour by cabling.colours.rails: the network has no rails"}
}

// checkRailColours refuses colours of rails of fabrics that have no rails, or fewer.
func (r *resolver) checkRailColours() {
	if r.spec.Cabling.Colours == nil {
		return
	}
	for _, f := range r.fabrics {
		names := r.spec.Cabling.Colours.Rails[f.name]
		if f.name == "" || len(names) == 0 || f.graph == nil {
			continue
		}
		at, of := diag.Key("cabling.colours.rails", f.name), railOf(f.graph)
		if of == nil {
			r.fault(at, "fabric %q has no rails\nstate its colour in cabling.colours.fabrics", f.name)
			continue
		}
		count := int32(0)
		for v := range topology.Vertices(f.graph) {
			count = max(count, of(int32(v))+1)
		}
		if len(names) > int(count) {
			r.fault(diag.Elem(at, int(count)), "fabric %q has only %s\nremove the colours of further ones", f.name,
				english.Count(int(count), "rail"))
		}
	}
}

// FeedColour is the colour of power cords of a feed by its name, "" where none is stated.
func (p *Result) FeedColour(feed string) string {
	if c := p.Spec.Cabling.Colours; c != nil {
		return c.Feeds[feed]
	}
	return ""
}

// CordLabel is what stands on a cord of power: the box with its inlet, and the supply with its outlet.
func (p *Result) CordLabel(rack *PoweredRack, c *power.Cord) string {
	return fmt.Sprintf("%s-P%d / %s-%d", p.Schedule.Device(rack.BoxAt[c.Box]), c.Inlet,
		p.Schedule.Device(rack.SupplyAt[c.Supply]), c.Outlet)
}
