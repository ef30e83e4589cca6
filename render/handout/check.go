package handout

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/worksheet"
)

// Sorted puts the plugs of every rack in the order of a checklist: from the top down, by port. Plugs come rack by rack,
// as those of label.Of do.
func Sorted(plugs []render.Plug) []render.Plug {
	out := slices.Clone(plugs)
	for from := 0; from < len(out); {
		to := rackEnd(out, from)
		slices.SortStableFunc(out[from:to], func(x, y render.Plug) int { return above(&x.Near, &y.Near) })
		from = to
	}
	return out
}

// rackEnd is where the plugs of a rack end that begin at from.
func rackEnd(plugs []render.Plug, from int) int {
	to := from
	for to < len(plugs) && plugs[to].Near.Rack == plugs[from].Near.Rack {
		to++
	}
	return to
}

var checkColumns = []string{
	"rack", "unit", "device", "port", "cable", "end", "label", "product", "length_m", "far_rack", "far_unit",
	"far_device", "far_port", "far_label",
}

// CheckTable writes the checklists of racks as comma-separated values, a row for every plug.
func CheckTable(ctx context.Context, w io.Writer, plugs []render.Plug) error {
	out := csvtable.NewWriter(ctx, w, checkColumns)
	for i := range plugs {
		p := &plugs[i]
		out.Text(p.Near.Rack)
		number(out, p.Near.Unit)
		out.Texts(p.Near.Box, p.Near.Port, p.Cable, p.End, p.Near.Label, p.Product, metres(float64(p.Length)))
		end(out, &p.Far)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// CheckSheets writes the checklists of racks as a PDF, each beginning on a page of its own: one of CheckParts.
func CheckSheets(ctx context.Context, w io.Writer, r *machine.Result, plugs []render.Plug, part Part) error {
	if len(plugs) > worksheet.Most {
		return &worksheet.TooManyError{Rows: len(plugs)}
	}
	b := &worksheet.Book{Name: name(r) + ": checklists" + part.String(), About: "Plenum " + machine.Version}
	for from := 0; from < len(plugs); {
		to := rackEnd(plugs, from)
		b.Parts = append(b.Parts, checklist(plugs[from:to]))
		from = to
	}
	return worksheet.PDF(ctx, w, b)
}

// checklist is the sheet of a rack.
func checklist(plugs []render.Plug) worksheet.Part {
	rack := plugs[0].Near.Rack
	p := worksheet.Part{
		Title: "Rack " + rack, Mark: cmp.Or(rack, "Others"), Page: true,
		Columns: []worksheet.Column{
			{Tick: true, Share: 0.04},
			{Head: "box", Share: 0.19},
			{Head: "port", Share: 0.12},
			{Head: "cable", Share: 0.12},
			{Head: "product", Share: 0.24},
			{Head: "leads to", Share: 0.29},
		},
	}
	boxes := 0
	for i := range plugs {
		n := &plugs[i].Near
		if i == 0 || plugs[i-1].Near.Box != n.Box {
			boxes++
		}
		box, far := n.Box, plugs[i].Far.Box+" "+plugs[i].Far.Port
		if n.Unit > 0 {
			box = fmt.Sprintf("U%02d %s", n.Unit, n.Box)
		}
		if plugs[i].Far.Unit > 0 {
			far = fmt.Sprintf("U%02d %s", plugs[i].Far.Unit, far)
		}
		if plugs[i].Far.Rack != rack {
			far = plugs[i].Far.Rack + " " + far
		}
		p.Rows = append(p.Rows, worksheet.Row{
			"", box, n.Port, plugs[i].Cable + "/" + plugs[i].End, plugs[i].Product, far,
		})
	}
	p.Words = []string{fmt.Sprintf("%s in %s, from the top down.", english.Count(len(plugs), "plug"),
		english.Count(boxes, "box"))}
	return p
}
