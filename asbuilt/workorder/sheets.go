package workorder

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/render/worksheet"
)

// WriteSheets writes the order as a PDF to work by: what to bring, the steps with a box to tick for every move, and the
// labels to print. The text about is at the foot of every page.
func (o *Order) WriteSheets(ctx context.Context, w io.Writer, about string) error {
	b := &worksheet.Book{
		Name: fmt.Sprintf("%s: work order, %s to %s", o.Machine, o.From, o.To), About: about, Wide: true,
	}
	b.Parts = append(b.Parts, o.front())
	for _, s := range []struct {
		title string
		stock []Stock
	}{{"To bring from the store", o.Take}, {"To bring back", o.Return}} {
		if len(s.stock) > 0 {
			b.Parts = append(b.Parts, stocked(s.title, s.stock))
		}
	}
	for i := range o.Steps {
		b.Parts = append(b.Parts, o.Steps[i].part())
	}
	if len(o.Labels) > 0 {
		b.Parts = append(b.Parts, o.labels())
	}
	return worksheet.PDF(ctx, w, b)
}

// Lines returns how many rows the tables of the sheets have in all, without their heads.
func (o *Order) Lines() int { return o.Moves() + len(o.Labels) + len(o.Take) + len(o.Return) }

// front returns the first part of the sheets: how much there is to do, and what to bring.
func (o *Order) front() worksheet.Part {
	p := worksheet.Part{Title: "Work order", Mark: "Work order"}
	if len(o.Steps) == 0 {
		p.Words = []string{"Nothing has to be done."}
		return p
	}
	p.Words = append(p.Words, fmt.Sprintf("%s in %s. Finish a step before the next one begins. Within a step, moves "+
		"are in an order in which every port is free when a plug goes into it.", english.Count(o.Moves(), "move"),
		english.Count(len(o.Steps), "step")))
	p.Words = append(p.Words, "Clean and inspect optical ends before they are plugged in; put caps on ports and plugs "+
		"that stay open.")
	if o.Moved != "" {
		p.Words = append(p.Words, o.Moved+".")
	}
	for _, f := range o.Faults {
		p.Words = append(p.Words, "Mind: "+f+".")
	}
	return p
}

// stocked returns a table of cables by product.
func stocked(title string, all []Stock) worksheet.Part {
	p := worksheet.Part{Title: title, Columns: []worksheet.Column{
		{Tick: true, Share: 0.05},
		{Head: "cables", Share: 0.08, Right: true},
		{Head: "product", Share: 0.67},
		{Head: "spares in the bill", Share: 0.2, Right: true},
	}}
	for _, s := range all {
		name, spares := s.Product, ""
		if name == "" {
			name = "product not known"
		}
		if s.Spares > 0 {
			spares = english.Grouped(s.Spares)
		}
		p.Rows = append(p.Rows, worksheet.Row{"", english.Grouped(int64(s.Cables)), name, spares})
	}
	return p
}

// part returns the part of the sheets for a step.
func (st *Step) part() worksheet.Part {
	name := fmt.Sprintf("Step %d", st.Step)
	p := worksheet.Part{Title: name, Mark: name, Columns: []worksheet.Column{
		{Tick: true, Share: 0.03},
		{Head: "move", Share: 0.04, Right: true},
		{Head: "do", Share: 0.07},
		{Head: "cable", Share: 0.18},
		{Head: "from", Share: 0.2},
		{Head: "to", Share: 0.2},
		{Head: "other end", Share: 0.2},
		{Head: "note", Share: 0.13},
	}}
	p.Words = append(p.Words, fmt.Sprintf("%s between any two boxes kept; at least %.1f %% of the links stay up.",
		english.Count(st.Paths, "path"), st.Share))
	if len(st.Cut) > 0 {
		p.Words = append(p.Words, "Without a path meanwhile: "+english.List(st.Cut)+".")
	}
	for i := range st.Moves {
		p.Rows = append(p.Rows, st.Moves[i].row())
	}
	for _, c := range []struct {
		ends []End
		what string
	}{{st.Uncap, "Take caps off and clean: "}, {st.Cap, "Cap afterwards: "}} {
		if len(c.ends) > 0 {
			p.Words = append(p.Words, c.what+list(c.ends)+".")
		}
	}
	return p
}

// mostPorts is how many ports are named in a line at most; the moves have them all.
const mostPorts = 24

// list names ports.
func list(ends []End) string {
	var names []string
	for i := range ends[:min(len(ends), mostPorts)] {
		names = append(names, ends[i].String())
	}
	if more := len(ends) - mostPorts; more > 0 {
		names = append(names, english.Grouped(int64(more))+" more")
	}
	return strings.Join(names, "; ")
}

// row returns the row of a move.
func (m *Move) row() worksheet.Row {
	end := func(e *End) string {
		if e == nil {
			return ""
		}
		if e.Label == "" {
			return e.String() + "\n"
		}
		return e.String() + "\n" + e.Label
	}
	cable := m.Cable + "\n" + m.Product
	if m.Colour != "" {
		cable += ", " + m.Colour
	}
	note := m.Source
	if m.Was != "" && m.Was != m.Cable {
		note += "\nwas " + m.Was
	}
	if m.Note != "" {
		note += "\n" + m.Note
	}
	return worksheet.Row{"", fmt.Sprint(m.Move), string(m.Do), cable, end(m.From), end(m.To), end(m.Other), note}
}

// labels lists what has to stand on cables.
func (o *Order) labels() worksheet.Part {
	p := worksheet.Part{
		Title: "Labels", Mark: "Labels",
		Words: []string{"Print those of new cables, and those of others that have another text."},
		Columns: []worksheet.Column{
			{Tick: true, Share: 0.03},
			{Head: "cable", Share: 0.1},
			{Head: "end", Share: 0.04},
			{Head: "this end", Share: 0.34},
			{Head: "other end", Share: 0.34},
			{Head: "why", Share: 0.15},
		},
	}
	for _, l := range o.Labels {
		p.Rows = append(p.Rows, worksheet.Row{"", l.Cable, l.End, l.Near, l.Far, l.Why})
	}
	return p
}
