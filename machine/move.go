package machine

import (
	"context"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine/spec"
)

// moves reads embedding.racks into r.moved.
func (r *resolver) moves() {
	for i, m := range r.spec.Embedding.Racks {
		v, err := r.naming.called.Find(m.With)
		if err != nil {
			r.fault(diag.Elem("embedding.racks", i)+".with", "%v", err)
			continue
		}
		r.moved = append(r.moved, embed.Exchange{Vertex: int32(v), At: m.At})
	}
}

// MoveRack returns the entries of embedding.racks with which the boxes at one rack position, or in one container, stand
// at another, those at the other stand at the first, and all else stays. Entries that the spec has keep their order and
// their boxes. Whether the boxes may stand there shows when it is planned. The spec is not changed.
func MoveRack(ctx context.Context, given *spec.Spec, from, to string) ([]spec.RackOf, error) {
	r, err := resolveRacked(ctx, given)
	if err != nil {
		return nil, located(given, err)
	}
	plain := *r
	plain.moved = nil
	pl, _, err := place(ctx, &plain, Options{Progress: func(string, int, int) {}}, nil)
	if err != nil {
		return nil, located(given, err)
	}
	all, err := r.embedding().WithMove(pl, r.moved, from, to)
	if err != nil {
		return nil, located(given, r.spelled(err))
	}
	var out []spec.RackOf
	for i, e := range all {
		with := r.naming.called.Name(int(e.Vertex))
		if v, err := r.naming.called.Find(with); err != nil || v != int(e.Vertex) { // names that say where boxes stand
			with = r.naming.called.Address(int(e.Vertex))
		}
		if i < len(r.moved) {
			with = r.spec.Embedding.Racks[i].With
		}
		out = append(out, spec.RackOf{With: with, At: e.At})
	}
	return out, nil
}
