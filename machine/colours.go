package machine

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine/power"
	"github.com/plenum-planner/plenum/topology"
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
	if of := railOf(r.graph); of != nil {
		c.Rails, c.Rail = given.Rails, of
	}
	return c
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
	if given == nil || len(given.Rails) == 0 || railOf(r.graph) != nil {
		return nil
	}
	return []string{"no cable has a colour by cabling.colours.rails: the network has no rails"}
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
