package handout

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/worksheet"
)

// Pull is a cable to be pulled. A cable with several plugs at one end comes up for each of them.
type Pull struct {
	Cable, Product string
	Length         float64 // as bought, in metres
	From, To       render.PlugEnd
	// Bundle and Order are its bundle and when that is pulled, from 1; "" and 0 of a cable that stays in its rack.
	Bundle string
	Order  int
	// Begin is when the work on it begins by a schedule; "" without one.
	Begin string
}

// Pulls lists the cables of a fabric, of all where the name is empty: those in bundles in the order in which these are
// pulled, from the rack at which the bundle begins, then the others by rack; there from the top down.
func Pulls(r *machine.Result, fabric string) []Pull {
	type ends struct {
		plug [2][]render.PlugEnd
		of   *render.Plug
	}
	cables := map[string]*ends{}
	var order []string
	rank := map[string]int{} // of racks, in the order of the room
	for p := range render.Plugs(r, fabric) {
		if _, ok := rank[p.Near.Rack]; !ok {
			rank[p.Near.Rack] = len(rank)
		}
		e := cables[p.Cable]
		if e == nil {
			e = &ends{of: &p}
			cables[p.Cable] = e
			order = append(order, p.Cable)
		}
		side := 0
		if p.End == "B" {
			side = 1
		}
		e.plug[side] = append(e.plug[side], p.Near)
	}
	var out []Pull
	for _, id := range order {
		e := cables[id]
		a, b := e.plug[0], e.plug[1]
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		if rank[b[0].Rack] < rank[a[0].Rack] || a[0].Rack == b[0].Rack && above(&b[0], &a[0]) < 0 {
			a, b = b, a
		}
		for i := range max(len(a), len(b)) {
			out = append(out, Pull{
				Cable: id, Product: e.of.Product, Length: float64(e.of.Length), From: a[min(i, len(a)-1)],
				To: b[min(i, len(b)-1)], Bundle: e.of.Bundle, Order: e.of.Pull,
			})
		}
	}
	slices.SortStableFunc(out, func(x, y Pull) int {
		return cmp.Or(cmp.Compare(uint(x.Order)-1, uint(y.Order)-1), // those without last
			cmp.Compare(rank[x.From.Rack], rank[y.From.Rack]), above(&x.From, &y.From), above(&x.To, &y.To))
	})
	return out
}

// above orders ends from the top of a rack down, and by port.
func above(x, y *render.PlugEnd) int {
	return cmp.Or(cmp.Compare(y.Unit, x.Unit), strings.Compare(x.Box, y.Box), cmp.Compare(x.Index, y.Index))
}

var pullColumns = []string{
	"bundle", "pull_order", "cable", "product", "length_m", "from_rack", "from_unit", "from_device", "from_port",
	"from_label", "to_rack", "to_unit", "to_device", "to_port", "to_label",
}

// PullTable writes cables to be pulled as comma-separated values, with a last column begin where a schedule says when
// the work on them begins.
func PullTable(ctx context.Context, w io.Writer, pulls []Pull) error {
	columns := pullColumns
	scheduled := len(pulls) > 0 && pulls[0].Begin != ""
	if scheduled {
		columns = append(slices.Clone(columns), "begin")
	}
	out := csvtable.NewWriter(ctx, w, columns)
	for i := range pulls {
		p := &pulls[i]
		out.Text(p.Bundle)
		number(out, p.Order)
		out.Texts(p.Cable, p.Product, metres(p.Length))
		end(out, &p.From)
		end(out, &p.To)
		if scheduled {
			out.Text(p.Begin)
		}
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// number adds a number, nothing for 0.
func number(out *csvtable.Writer, n int) {
	if n > 0 {
		out.Int(int64(n))
	} else {
		out.Empty(1)
	}
}

// end adds rack, unit, device, port and label of an end.
func end(out *csvtable.Writer, e *render.PlugEnd) {
	out.Text(e.Rack)
	number(out, e.Unit)
	out.Texts(e.Box, e.Port, e.Label)
}

func metres(m float64) string { return strconv.FormatFloat(float64(int64(m*1e4+0.5))/1e4, 'f', -1, 64) }

// PullSheets writes cables to be pulled as a PDF, bundle by bundle: one of PullParts.
func PullSheets(ctx context.Context, w io.Writer, r *machine.Result, pulls []Pull, part Part) error {
	if len(pulls) > worksheet.Most {
		return &worksheet.TooManyError{Rows: len(pulls)}
	}
	b := &worksheet.Book{Name: name(r) + ": pull sheets" + part.String(), About: "Plenum " + machine.Version}
	order := r.Schedule.PullOrder()
	for len(pulls) > 0 {
		n := 1
		for n < len(pulls) && pulls[n].Order == pulls[0].Order && (pulls[0].Order > 0 ||
			pulls[n].From.Rack == pulls[0].From.Rack) {
			n++
		}
		var bundle *cabling.Bundle
		if pulls[0].Order > 0 {
			bundle = &r.Schedule.Bundles[order[pulls[0].Order-1]]
		}
		b.Parts = append(b.Parts, pullSheet(r, bundle, pulls[:n]))
		pulls = pulls[n:]
	}
	return worksheet.PDF(ctx, w, b)
}

// name is what a machine is called.
func name(r *machine.Result) string { return cmp.Or(r.Spec.Name, "Unnamed machine") }

// pullSheet is the sheet of a bundle, or of the cables that stay in a rack.
func pullSheet(r *machine.Result, b *cabling.Bundle, pulls []Pull) worksheet.Part {
	first := &pulls[0]
	p := worksheet.Part{
		Title: "Within rack " + first.From.Rack, Mark: "Rack " + first.From.Rack,
		Columns: []worksheet.Column{
			{Tick: true, Share: 0.04},
			{Head: "cable", Share: 0.12},
			{Head: "product", Share: 0.24},
			{Head: "from", Share: 0.3},
			{Head: "to", Share: 0.3},
		},
	}
	switch {
	case b != nil:
		p.Title = fmt.Sprintf("%d. Bundle %s: %s to %s", first.Order, first.Bundle, first.From.Rack, first.To.Rack)
		p.Mark = "Bundle " + first.Bundle
		p.Words = append(p.Words, about(r, b))
	case r.Room() == nil:
		p.Title, p.Mark = "From "+first.From.Rack, first.From.Rack
	}
	if first.Begin != "" {
		p.Words = append(p.Words, "The work begins "+first.Begin+".")
	}
	inside := b == nil && r.Room() != nil
	place := func(e *render.PlugEnd) string {
		var text string
		if !inside && b == nil {
			text = e.Rack + " "
		}
		if e.Unit > 0 {
			text += fmt.Sprintf("U%02d ", e.Unit)
		}
		return text + e.Box + " " + e.Port + "\n" + e.Label
	}
	for i := range pulls {
		c := &pulls[i]
		p.Rows = append(p.Rows, worksheet.Row{"", c.Cable, c.Product, place(&c.From), place(&c.To)})
	}
	return p
}

// about says what a bundle is like and where it lies.
func about(r *machine.Result, b *cabling.Bundle) string {
	words := []string{english.Count(int(b.Cables), "cable")}
	if kind := b.Kind(); kind != "" {
		words[0] += " of " + kind
	}
	if d := float64(b.Diameter()); d > 0 {
		text := fmt.Sprintf("%.0f mm thick", d*1e3)
		if b.Bare > 0 {
			text = "at least " + text
		}
		words = append(words, text)
	}
	if m := float64(b.Weight()); m > 0 {
		words = append(words, fmt.Sprintf("%.1f kg", m))
	}
	words = append(words, fmt.Sprintf("the longest needs %.1f m", math.Ceil(float64(b.Longest)*10)/10))
	if b.Way >= 0 && r.Schedule.Trays != nil {
		s := r.Schedule
		words = append(words, "trays "+string(s.Trays.AppendRoute(nil, s.WayLegs(b.Way))))
	}
	return strings.Join(words, ", ") + "."
}
