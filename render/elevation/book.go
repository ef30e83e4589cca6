package elevation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Chosen are the racks of a machine that options name, in groups; what is wrong is in one error.
func Chosen(r *machine.Result, opt Options) ([]Group, error) {
	all := Of(r)
	if len(all) == 0 {
		return nil, errors.New("there is no rack in which anything stands")
	}
	if opt.Marks != nil {
		marks := byPlace(opt.Marks)
		all = slices.DeleteFunc(all, func(r Rack) bool { return len(marks[r.Place]) == 0 })
	}
	if len(opt.Racks) > 0 {
		var names []string
		for i := range all {
			names = append(names, all[i].Name)
		}
		var wrong []error
		var chosen []Rack
		for _, entry := range opt.Racks {
			stand := 0
			for _, name := range append(r.RacksOf(entry), entry) { // a container stands for itself
				i := slices.Index(names, name)
				if i < 0 {
					continue
				}
				stand++
				if !slices.ContainsFunc(chosen, func(r Rack) bool { return r.Name == name }) {
					chosen = append(chosen, all[i])
				}
			}
			if stand == 0 {
				wrong = append(wrong, fmt.Errorf("nothing stands in %q%s", entry, nearest(entry, names)))
			}
		}
		if err := errors.Join(wrong...); err != nil {
			return nil, err
		}
		all = chosen
	}
	return Groups(all, opt.Group), nil
}

// nearest says which name may have been meant.
func nearest(name string, names []string) string {
	if near := diag.Nearest(name, names); near != "" {
		return "; did you mean " + fmt.Sprintf("%q", near)
	}
	return ""
}

// Draw draws one rack, or racks that are alike; others are refused.
func Draw(r *machine.Result, opt Options) (*pen.Canvas, error) {
	groups, err := Chosen(r, opt)
	if err != nil {
		return nil, err
	}
	if len(groups) != 1 {
		return nil, fmt.Errorf("%s; a picture has one rack: name it, or write a PDF",
			english.Count(len(groups), "rack"))
	}
	d, err := newDrawing(r, opt)
	if err != nil {
		return nil, err
	}
	return &pen.Canvas{Letters: d.Letters, Scene: d.rack(groups[0], whole(groups[0][0]), 1, 1)}, nil
}

// book is a book being made.
type book struct {
	*drawing
	room   *layout.Room
	groups []Group
	left   int          // racks that are left out
	first  int          // the page of the first rack
	pages  int          // all
	page   map[int]int  // of each place that has one
	stands map[int]bool // the places at which a rack stands
}

// Book writes a PDF with a floor that has page numbers, an index of racks, and a page for each rack. Where there are
// more than fit a book, it says how many are left out.
func Book(ctx context.Context, w io.Writer, r *machine.Result, opt Options) error {
	d, err := newDrawing(r, opt)
	if err != nil {
		return err
	}
	pages, err := d.bookOf(ctx, r)
	if err != nil {
		return err
	}
	return scene.Book(ctx, w, d.machine+": rack elevations", "Plenum "+machine.Version, pages)
}

// bookOf draws the pages of a book.
func (d *drawing) bookOf(ctx context.Context, r *machine.Result) ([]scene.Page, error) {
	b := &book{drawing: d, room: r.Room(), page: map[int]int{}}
	var err error
	if b.groups, b.left, err = paged(r, d.opt); err != nil {
		return nil, err
	}
	b.stands = map[int]bool{}
	for i := range r.Placement.Racks {
		b.stands[int(r.Placement.Racks[i].Place)] = true
	}
	listed := 0
	for _, g := range b.groups {
		listed += len(g)
	}
	const floorPages = 1
	b.first = floorPages + (listed+perPage-1)/perPage + 1
	b.pages = b.first - 1
	for _, g := range b.groups {
		for _, k := range g {
			b.page[k.Place] = b.pages + 1
		}
		b.pages += len(parts(g[0]))
	}
	pages := []scene.Page{{Scene: b.floor(), Mark: "Floor"}}
	pages = append(pages, b.index()...)
	for _, g := range b.groups {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		name := "Rack " + g[0].Name
		if len(g) > 1 {
			name += fmt.Sprintf(" and %d like it", len(g)-1)
		}
		for _, p := range parts(g[0]) {
			pages = append(pages, scene.Page{Scene: b.rack(g, p, len(pages)+1, b.pages), Mark: name + p.what(g[0])})
		}
	}
	return pages, nil
}

// paged lists the racks that have a page, and counts those that are left out.
func paged(r *machine.Result, opt Options) (groups []Group, left int, err error) {
	most := opt.Most
	if most == 0 {
		most = DefaultMost
	}
	if all := Count(r); all > most && opt.Marks == nil && len(opt.Racks) == 0 && !opt.Group {
		for rack := range each(r, usedPorts(r.Schedule), true) { // of thousands, the rest would take memory only
			if groups = append(groups, Group{rack}); len(groups) == most {
				break
			}
		}
		return groups, all - most, nil
	}
	groups, err = Chosen(r, opt)
	if err != nil {
		return nil, 0, err
	}
	for _, g := range groups[min(len(groups), most):] {
		left += len(g)
	}
	return groups[:min(len(groups), most)], left, nil
}

// leftOut says how many racks have no page; empty where all have one.
func (b *book) leftOut() string {
	if b.left == 0 {
		return ""
	}
	return english.Count(b.left, "rack") + " left out"
}

// indexed says what the columns of the index are, and how many racks it is without.
func (b *book) indexed() string {
	words := "kW of the limit" + b.basis + ", units of all, boxes"
	if b.left > 0 {
		words = b.leftOut() + ". " + words
	}
	return words
}

// floor draws the room with the pages of its racks.
func (b *book) floor() *scene.Scene {
	words := "Numbers in racks are pages of this book."
	if len(b.groups) == 0 {
		words = b.opt.Unmarked
	}
	c := b.sheet("Rack elevations", words, 1, b.pages)
	c.Layer("floor")
	bound := b.room.Bound
	wide, high := bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1]
	const top = margin + 100
	turned := wide > 1.3*high // a wide room runs up the page
	across, up := wide, high
	if turned {
		across, up = high, wide
	}
	k := min((pageW-2*margin-40)/across, (footStart-top)/up)
	x0 := (pageW-across*k)/2 + 20
	at := func(x, y float64) (float64, float64) {
		x, y = x-bound.Min[0], y-bound.Min[1]
		if turned {
			return x0 + y*k, top + x*k
		}
		return x0 + x*k, top + (high-y)*k
	}
	box := func(x0, y0, x1, y1 float64) pen.Box {
		ax, ay := at(x0, y0)
		bx, by := at(x1, y1)
		return pen.Rect(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
	}
	plan := box(bound.Min[0], bound.Min[1], bound.Max[0], bound.Max[1])
	c.Fill(plan, palette.Ground)
	c.Frame(plan, 1, palette.Ink)
	for i, p := range b.room.Places {
		f := p.Footprint(*b.room.Spec.Type(p.Type))
		r := box(f.Min[0], f.Min[1], f.Max[0], f.Max[1])
		page, ok := b.page[i]
		col := palette.White
		switch {
		case ok:
			col = kinds[Node].col
		case b.stands[i]:
			col = palette.Grid
		}
		c.Fill(r, col)
		if min(r.Width(), r.Height()) >= 3 {
			c.Frame(r, 1, palette.Outline)
		}
		if ok {
			b.number(c, r, b.room.Name(i), page)
			c.Add(scene.Link{Box: r, Page: page})
		}
	}
	for i := range b.room.Rows {
		row := &b.room.Rows[i]
		x, y := at(float64(row.X0), float64(row.Y))
		size := pen.Letter{Size: 12, Bold: true}
		if pitch := up * k / float64(max(len(b.room.Rows), 1)); !turned && pitch > 12 {
			c.Text(row.Name, size, plan.X0-6, y, 1, palette.Ink)
		} else if turned && across*k/float64(max(len(b.room.Rows), 1)) > c.Width(row.Name, size)+4 {
			c.Text(row.Name, size, x, y-10, 0.5, palette.Ink)
		}
	}
	words = "From above; y upwards."
	if turned {
		words = "From above, turned: rows run down the page."
	}
	c.Text(words, smallLetter, margin, footStart+10, 0, palette.Faint)
	if grey := len(b.stands) - len(b.page); grey > 0 {
		words = "Grey: " + english.Count(grey, "rack") + " without a page"
		if b.left > 0 {
			words += "; " + b.leftOut()
		}
		if b.left > 0 && b.opt.Marks == nil {
			words += ": name those to draw, or group those that are alike"
		}
		c.Text(words+".", smallLetter, pageW-margin, footStart+10, 1, palette.Faint)
	}
	return c.Scene
}

// number writes the page of a rack, and its name where there is room.
func (b *book) number(c *pen.Canvas, r pen.Box, name string, page int) {
	k := pen.Letter{Size: 12, Bold: true}
	text := fmt.Sprint(page)
	if b.Width(text, k) > r.Width()-2 || k.Size > r.Height()-2 {
		k.Size = least
	}
	if b.Width(text, k) > r.Width()-2 || k.Size > r.Height()-2 {
		if k.Size <= r.Width()-1 && b.Width(text, k) <= r.Height()-2 {
			c.Turned(text, k, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2, palette.Ink)
		}
		return
	}
	y := (r.Y0 + r.Y1) / 2
	small := pen.Letter{Size: max(k.Size-2, least)}
	if b.Width(name, small) <= r.Width()-2 && r.Height() >= 3*k.Size {
		c.Text(name, small, (r.X0+r.X1)/2, y-k.Size*0.7, 0.5, palette.Ink)
		y += k.Size * 0.7
	}
	c.Text(text, k, (r.X0+r.X1)/2, y, 0.5, palette.Ink)
}

// Lines of the index, in two columns a page.
const (
	indexLine   = 22
	indexTop    = margin + 120
	indexColumn = 52
	perPage     = 2 * indexColumn
)

// index lists the racks with their pages.
func (b *book) index() []scene.Page {
	type entry struct {
		r    *Rack
		page int
	}
	var all []entry
	for _, g := range b.groups {
		for _, r := range g {
			all = append(all, entry{r, b.page[r.Place]})
		}
	}
	slices.SortStableFunc(all, func(x, y entry) int { return x.r.Place - y.r.Place })
	var out []scene.Page
	for n := 0; n < len(all); n += perPage {
		page := len(out) + 2
		c := b.sheet("Index of racks", b.indexed(), page, b.pages)
		c.Layer("index")
		for i, e := range all[n:min(n+perPage, len(all))] {
			x := float64(margin)
			if i >= indexColumn {
				x = pageW/2 + 15
			}
			y := float64(indexTop + i%indexColumn*indexLine)
			width := float64(pageW/2 - 15 - margin)
			if i%indexColumn == 0 {
				b.indexHead(c, x, width)
			}
			if i%2 == 1 {
				c.Fill(pen.Rect(x, y-indexLine/2, x+width, y+indexLine/2), palette.Ground)
			}
			power := kilowatts(e.r.Power)
			if e.r.PowerLimit > 0 {
				power += " / " + kilowatts(e.r.PowerLimit)
			}
			k := pen.Letter{Size: 13}
			c.Text(b.FitName(e.r.Name, k, width*0.24), k, x+4, y, 0, palette.Ink)
			col := palette.Ink
			if e.r.PowerLimit > 0 && e.r.Power > e.r.PowerLimit*(1+1e-9) {
				col = palette.Vermillion
			}
			c.Text(power, k, x+width*0.52, y, 1, col)
			c.Text(fmt.Sprintf("%d / %d", e.r.UsedUnits(), e.r.Units), k, x+width*0.7, y, 1, palette.Ink)
			c.Text(english.Grouped(int64(e.r.Boxes())), k, x+width*0.84, y, 1, palette.Ink)
			c.Text(fmt.Sprint(e.page), pen.Letter{Size: 13, Bold: true}, x+width-4, y, 1, palette.Ink)
			c.Add(scene.Link{Box: pen.Rect(x, y-indexLine/2, x+width, y+indexLine/2), Page: e.page})
		}
		mark := ""
		if n == 0 {
			mark = "Index"
		}
		out = append(out, scene.Page{Scene: c.Scene, Mark: mark})
	}
	return out
}

// indexHead names the columns.
func (b *book) indexHead(c *pen.Canvas, x, width float64) {
	const y = indexTop - 26
	k := pen.Letter{Size: 12, Bold: true}
	c.Text("rack", k, x+4, y, 0, palette.Faint)
	for _, column := range []struct {
		at   float64
		name string
	}{{0.52, "power (kW)"}, {0.7, "units"}, {0.84, "boxes"}} {
		c.Text(column.name, k, x+width*column.at, y, 1, palette.Faint)
	}
	c.Text("page", k, x+width-4, y, 1, palette.Faint)
	c.Line(x, y+12, x+width, y+12, 1, palette.Outline)
}
