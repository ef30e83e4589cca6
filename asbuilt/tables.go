package asbuilt

import (
	"context"
	"io"
	"strconv"

	"github.com/plenum-planner/plenum/internal/csvtable"
)

// WriteParts writes a CSV table with a row for each part: how many the old and the new plan need, how many to buy, at
// which cost, and how many become free.
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

// WriteBoxes writes a CSV table with a row for each box that is not kept as it is: what changes, the old and the new
// place, and the step that changes it, 0 if no step does.
func (doc *Document) WriteBoxes(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{"box", "kind", "change", "old_part", "part", "from", "to", "step"})
	step := doc.stepOfBoxes()
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

// stepOfBoxes returns the step that moves, adds or removes each box that does not stay, by its name.
func (doc *Document) stepOfBoxes() map[string]int {
	step := map[string]int{}
	for i := range doc.Steps {
		for _, names := range [2][]string{doc.Steps[i].away, doc.Steps[i].stand} {
			for _, name := range names {
				step[name] = i + 1
			}
		}
	}
	return step
}
