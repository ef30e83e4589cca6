package asbuilt

import (
	"context"
	"io"
	"strconv"

	"github.com/plenum-planner/plenum/internal/csvtable"
)

// workColumns are those of a work order.
var workColumns = []string{"step", "move", "what", "product", "a", "b", "change", "other"}

// WriteWork writes the moves of all steps in their order, as comma-separated values (RFC 4180): cables to pull out,
// boxes to take away and to stand, cables to plug in. What is the id of a cable in the plan that has it so, or the name
// of a box, and a and b are the labels of its ends, or the place that a box leaves and that where it is stood. Change
// says what else happens to the cable, other is its id in the other plan.
func (doc *Document) WriteWork(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, workColumns)
	at := map[string]*BoxChange{}
	for i := range doc.BoxChanges {
		at[doc.BoxChanges[i].Box] = &doc.BoxChanges[i]
	}
	for i := range doc.Steps {
		st := &doc.Steps[i]
		row := func(move string, m Move) error {
			out.Int(int64(st.Step))
			out.Texts(move, m.Cable, m.Product, m.A, m.B, m.Change, m.Other)
			return out.End()
		}
		cables := func(move string, all []Move) error {
			for _, m := range all {
				if err := row(move, m); err != nil {
					return err
				}
			}
			return nil
		}
		if err := cables("pull out", st.Out); err != nil {
			return err
		}
		for _, v := range st.away {
			b := at[v]
			if err := row("take away", Move{
				Cable: v, Product: b.OldPart, A: b.From,
				Change: b.Change.String(),
			}); err != nil {
				return err
			}
		}
		for _, v := range st.stand {
			b := at[v]
			if err := row("stand", Move{
				Cable: v, Product: b.Part, A: b.From, B: b.To,
				Change: b.Change.String(),
			}); err != nil {
				return err
			}
		}
		if err := cables("plug in", st.In); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteParts writes what there is to buy and what becomes free, as comma-separated values.
func (doc *Document) WriteParts(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{
		"part", "kind", "description", "old", "new", "buy", "free", "unit_cost", "cost", "currency",
	})
	for i := range doc.Parts {
		p := &doc.Parts[i]
		out.Texts(p.Item.String(), string(p.Kind), p.Description)
		for _, n := range [4]int64{p.Old, p.New, p.Buy, p.Free} {
			out.Int(n)
		}
		if p.UnitCost != nil {
			out.Texts(p.UnitCost.Decimal(), p.Cost.Decimal())
		} else {
			out.Empty(2)
		}
		out.Text(doc.Currency)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteBoxes writes the boxes that are not kept, as comma-separated values.
func (doc *Document) WriteBoxes(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{"box", "kind", "change", "old_part", "part", "from", "to", "step"})
	step := map[string]int{}
	for i := range doc.Steps {
		for _, names := range [2][]string{doc.Steps[i].away, doc.Steps[i].stand} {
			for _, name := range names {
				step[name] = i + 1
			}
		}
	}
	for i := range doc.BoxChanges {
		b := &doc.BoxChanges[i]
		out.Texts(b.Box, b.Kind, b.Change.String(), b.OldPart, b.Part, b.From, b.To)
		out.Text(strconv.Itoa(step[b.Box]))
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}
