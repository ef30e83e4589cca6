package edited

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// The sheet that says where racks stand, and columns of it.
const (
	racksSheet     = "Racks"
	rackColumn     = "rack"
	innerColumn    = "container" // of containers
	positionColumn = "position"
)

// racks finds racks, or innermost containers, that were given another position: what stands there goes to where they
// were.
func (r *reader) racks(ctx context.Context, b *book) error {
	if !slices.Contains(b.f.GetSheetList(), racksSheet) {
		return nil
	}
	column, what := rackColumn, "rack"
	if r.plan.Room() == nil {
		column, what = innerColumn, "container"
	}
	s := b.sheet(racksSheet, 0, column)
	if s == nil || !s.has(positionColumn) { // of an earlier version
		return nil
	}
	known := r.containerNames()
	now := map[string]string{} // by old position: the new position of the rack
	for name := range known {
		now[name] = name
	}
	from := maps.Clone(now) // and what stands at a position by now
	first := r.firstBoxes()
	targets := map[string]int{} // rows
	given := &r.plan.Spec.Embedding
	var moved []spec.RackOf
	if !r.placed {
		moved = slices.Clone(given.Racks)
	}
	again := len(moved) > 0 // statements that have to be considered
	for n := range s.rows {
		rack, to := s.get(n, column), s.get(n, positionColumn)
		box, stands := first[rack]
		if !stands || to == rack {
			continue
		}
		if !r.isContainer(s.where(n, positionColumn), to, known) {
			continue
		}
		if _, rows := targets[to]; rows {
			r.found.Addf(s.where(n, positionColumn), "%s is the position of another rack, in %s", to,
				s.where(targets[to], positionColumn).Place())
			continue
		}
		targets[to] = n
		r.addChange(s.where(n, positionColumn), "position of %s %s: %s", what, rack, to)
		at := now[rack]
		if at == to {
			continue
		}
		if again {
			own := *r.plan.Spec
			own.Embedding.Racks = moved
			next, err := machine.MoveRack(ctx, &own, at, to)
			if err != nil {
				return err
			}
			moved = next
		} else {
			moved = append(moved, spec.RackOf{With: box, At: to})
		}
		other := from[to]
		now[rack], now[other], from[to], from[at] = to, at, rack, other
	}
	if len(targets) > 0 {
		r.Edits.racks = moved
	}
	return nil
}

// firstBoxes names a box of every rack, or innermost container, by its position.
func (r *reader) firstBoxes() map[string]string {
	g := r.plan.Schedule
	out := map[string]string{}
	for v := range topology.Vertices(r.plan.Graph) {
		rack := g.Placement.Layout.Innermost(g.Placement.Slot[v])
		if r.plan.Room() != nil {
			rack, _, _ = strings.Cut(rack, "/")
		}
		if _, ok := out[rack]; ok {
			continue
		}
		name := g.Naming.Boxes.Name(v)
		if found, err := g.Naming.Boxes.Find(name); err != nil || found != v || r.named {
			name = g.Naming.Boxes.Address(v) // of names that say where a box stands, or that are new
		}
		out[rack] = name
	}
	return out
}
