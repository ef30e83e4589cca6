package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
)

// rules lists the design rules with how the plan keeps them, and below them the violations.
func (b *book) rules() *grid {
	g := &grid{name: rulesSheet, frozen: 1, filterTop: 1, screen: true}
	g.add(heads("Rule", "Severity", "What must hold", "What helps", "Violations", "Accepted",
		"Not checked")...)
	g.fitted = []float64{20, 12, 60, 60, 12, 14, 40}
	unchecked, partly := b.r.Unchecked(), b.r.PartlyChecked()
	for _, r := range cabling.Rules {
		suppressed := b.r.Violations.CountSuppressed(r)
		g.addWrapped(text(r.ID).as(wrapped), text(string(r.Severity)).as(wrapped),
			text(r.Text).as(wrapped), text(r.Mend).as(wrapped),
			whole(int64(b.r.Violations.Count(r)-suppressed)).as(wrappedCount),
			whole(int64(suppressed)).as(wrappedCount), text(notChecked(unchecked[r.ID], partly[r.ID])).as(wrapped))
	}
	g.filter = g.next() - 1
	g.add()
	if len(b.report.Violations) == 0 {
		g.add(text("The plan breaks no rule.").as(note))
		return g
	}
	g.add(heads("Broken", "Severity", "What", "Accepted because", "Where", "", "")...)
	for _, v := range b.report.Violations {
		g.addWrapped(text(v.Rule).as(wrapped), text(string(v.Severity)).as(wrapped),
			text(v.Message).as(wrapped), text(v.Suppressed).as(wrapped), text(v.Where).as(topped))
	}
	return g
}

// notChecked says what a rule did not check, if anything.
func notChecked(unchecked, partly string) string {
	switch {
	case unchecked != "":
		return "nothing to check: " + unchecked
	case partly != "":
		return "in part: " + partly
	}
	return ""
}

// mostBasis is the most values of the machine file that the sheet of assumptions lists.
const mostBasis = 5000

// basis says what the figures rest on: notes, where prices are from, and every value of the machine file.
func (b *book) basis() *grid {
	g := &grid{name: basisSheet, frozen: 1, filterTop: 1, screen: true}
	g.add(heads("About", "Value", "What")...)
	r := b.report
	g.fitted = []float64{44, 40, 70}
	add := func(about, value, what string) {
		g.addWrapped(text(about).as(wrapped), text(value).as(wrapped), text(what).as(wrapped))
	}
	add("program", r.Version, "Plenum, which made this workbook")
	add("prices", strings.Join(r.PriceSources(), "; "),
		"the price set and its date, and quotes that go before it; in "+r.Currency)
	add("edits", "", "Yellow cells may be edited, and taken back by plenum plan FILE --apply WORKBOOK: on the sheet "+
		bomSheet+" prices of a piece, on the sheet "+boxesSheet+" places, new names, and yes in the column lock for "+
		"boxes that an optimised plan is not to move, on the sheet "+racksSheet+" the position of a rack.")
	for _, n := range r.Notes {
		add("note", "", n)
	}
	for _, row := range r.BOM {
		if row.Confidence != "" && row.UnitCost != nil {
			add("price of "+row.Item.String(), string(row.Confidence), row.Source)
		}
	}
	values := flatten(r.Spec)
	for _, v := range values[:min(len(values), mostBasis)] {
		add(v[0], v[1], "the machine file, or what it leaves to be assumed")
	}
	g.filter = g.next() - 1
	if more := len(values) - mostBasis; more > 0 {
		g.add()
		g.add(text(fmt.Sprintf("%s more values of the machine file are in plan.json.", grouped(int64(more)))).as(note))
	}
	return g
}

// flatten lists the values in a document by their paths, such as cabling.media[1].use[1].
func flatten(document any) (out [][2]string) {
	text, err := json.Marshal(document)
	if err != nil {
		return nil
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber() // as it is written
	var root any
	if in.Decode(&root) != nil {
		return nil
	}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				inner := k
				if path != "" {
					inner = path + "." + k
				}
				walk(inner, v[k])
			}
		case []any:
			for i, e := range v {
				walk(fmt.Sprintf("%s[%d]", path, i+1), e)
			}
		default:
			out = append(out, [2]string{path, fmt.Sprint(v)})
		}
	}
	walk("", root)
	return out
}
