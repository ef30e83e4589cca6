package elevation

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// Mark says of a port what somebody who stands before its rack should know.
type Mark struct {
	Place     int    // of the rack in the room
	Unit      int    // the lowest unit of the box, 0 for one beside the units
	Box, Port string // names
	// Text is what is to be known, Kind the kind of it in a word.
	Kind, Text string
}

// byPlace are marks by the places of their racks.
func byPlace(marks []Mark) map[int][]Mark {
	out := map[int][]Mark{}
	for _, m := range marks {
		out[m.Place] = append(out[m.Place], m)
	}
	return out
}

// marked are the marks of what takes some units of a rack.
func (d *drawing) marked(r *Rack, m *Mounted) []Mark {
	var out []Mark
	if m.Kind == Free {
		return nil
	}
	for _, k := range d.marks[r.Place] {
		if m.Unit > 0 && k.Unit >= m.Unit && k.Unit <= m.Top() || m.Unit == 0 && k.Unit == 0 && k.Box == m.What {
			out = append(out, k)
		}
	}
	return out
}

// mark frames what has marks, and counts them at its right edge.
func (v *view) mark(m *Mounted, b pen.Box) {
	n := len(v.marked(v.r, m))
	if n == 0 {
		return
	}
	c := v.c
	c.Frame(b, 3, palette.Vermillion)
	if b.Height() < leastUnit {
		return
	}
	k := pen.Letter{Size: max(min(12, 0.8*b.Height()), least), Bold: true}
	text := fmt.Sprint(n)
	w := v.Width(text, k) + 8
	y, high := (b.Y0+b.Y1)/2, k.Size*1.25
	c.Fill(pen.Rect(b.X1-3, y-high/2, b.X1+w-3, y+high/2), palette.Vermillion)
	c.Text(text, k, b.X1-3+w/2, y, 0.5, palette.White)
}

// list lists the marks of a rack from y on, as far down as there is room.
func (d *drawing) list(c *pen.Canvas, r *Rack, x, y float64) {
	var all []Mark
	for i := range r.Stack {
		all = append(all, d.marked(r, &r.Stack[i])...)
	}
	if len(all) == 0 {
		return
	}
	width := pageW - margin - x
	c.Text(english.Count(len(all), "port")+" to look at, from above", headLetter, x, y, 0, palette.Vermillion)
	y += 24
	const end = footStart - 10
	for i, k := range all {
		lines := d.wrapped(k.Text, smallLetter, width)
		if y+float64(18+15*len(lines)) > end {
			c.Text(fmt.Sprintf("and %d more", len(all)-i), smallLetter, x, y, 0, palette.Faint)
			return
		}
		c.Text(d.Fit(k.Box+" "+k.Port+": "+k.Kind, pen.Letter{Size: 12, Bold: true}, width),
			pen.Letter{Size: 12, Bold: true}, x, y, 0, palette.Ink)
		for _, line := range lines {
			y += 15
			c.Text(line, smallLetter, x, y, 0, palette.Ink)
		}
		y += 20
	}
}

// wrapped breaks a text into lines at its blanks.
func (d *drawing) wrapped(text string, k pen.Letter, width float64) []string {
	words := strings.Fields(text)
	var widths []float64
	for _, w := range words {
		widths = append(widths, d.Width(w, k))
	}
	var out []string
	for _, line := range pen.Flow(widths, width, d.Width(" ", k)) {
		var of []string
		for _, i := range line {
			of = append(of, words[i])
		}
		out = append(out, d.Fit(strings.Join(of, " "), k, width))
	}
	return out
}
