// Package gantt draws which work is done where on each day of a build.
package gantt

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/build"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// Letters and sizes of the drawing, in its own units.
var (
	titleLetter = pen.Letter{Size: 24, Bold: true}
	textLetter  = pen.Letter{Size: 15}
	smallLetter = pen.Letter{Size: 13}
)

const (
	margin   = 28.0
	rowHigh  = 24.0
	widest   = 1500.0 // of all days
	leastDay = 5.0
	nameWide = 180.0
	mostRows = 60
)

// Draw draws the work at each row of racks, or in each rack, day by day: the colour of a field is the skill that works
// there most, and its figure the hours of people. Where there are many days, several share a column.
func Draw(d *build.Document) (*pen.Canvas, error) {
	letters, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	aisles := d.Aisles()
	left := 0
	if left = len(aisles) - mostRows; left > 0 {
		aisles = aisles[:mostRows]
	}
	each := max(1, int(math.Ceil(float64(d.Days)*leastDay*4/widest)))
	columns := (d.Days + each - 1) / each
	day := 0.0
	if columns > 0 {
		day = min(44, math.Floor(widest/float64(columns)))
	}
	names := 60.0
	for _, a := range aisles {
		names = max(names, min(nameWide, letters.Width(a.Name, textLetter)))
	}
	x0, y0 := margin+names+12, margin+92.0
	end := y0 + rowHigh*float64(len(aisles))
	width := max(x0+day*float64(columns)+margin, 900)
	c := pen.New(letters, width, end+112)
	c.Layer("ground")
	c.Fill(pen.Rect(0, 0, width, end+112), palette.Ground)
	c.Layer("title")
	c.Text(letters.Fit(cmp.Or(d.Machine, "Unnamed machine")+": "+d.Work, titleLetter, width-2*margin), titleLetter,
		margin, margin+14, 0, palette.Ink)
	about := fmt.Sprintf("%s; %s; %s of people, labour figures %s", english.Count(d.Days, "working day"),
		english.Count(d.Links, "link"), english.Count(int64(d.PersonHours.Likely+0.5), "hour"), d.Labour)
	if d.Start != "" {
		about = fmt.Sprintf("%s to %s: ", d.Start, d.End) + about
	}
	c.Text(letters.Fit(about, textLetter, width-2*margin), textLetter, margin, margin+46, 0, palette.Ink)
	c.Layer("days")
	heads(c, letters, d, x0, y0, day, columns, each)
	c.Layer("work")
	used := map[int]bool{}
	for i := range aisles {
		row(c, letters, &aisles[i], x0, y0+rowHigh*float64(i), day, columns, each, used)
	}
	c.Frame(pen.Rect(x0, y0, x0+day*float64(columns), end), 1, palette.Outline)
	c.Layer("names")
	for i := range aisles {
		y := y0 + rowHigh*(float64(i)+0.5)
		c.Text(letters.Fit(aisles[i].Name, textLetter, nameWide), textLetter, x0-10, y, 1, palette.Ink)
	}
	c.Layer("legend")
	x := x0
	for i, s := range build.Skills {
		if !used[i] {
			continue
		}
		c.Fill(pen.Rect(x, end+22, x+26, end+40), colour(i))
		c.Text(string(s), textLetter, x+34, end+31, 0, palette.Ink)
		x += 34 + letters.Width(string(s), textLetter) + 28
	}
	foot := "Colour: the skill with the most hours. Figures: hours of people; work between two counts half in each."
	if each > 1 {
		foot = fmt.Sprintf("Each column is %d working days. ", each) + foot
	}
	if left > 0 {
		foot += fmt.Sprintf(" %s not drawn.", english.Count(left, "more"))
	}
	c.Text(letters.Fit(foot, smallLetter, width-2*margin), smallLetter, margin, end+66, 0, palette.Ink)
	return c, nil
}

// colour is that of a skill.
func colour(skill int) color.RGBA { return palette.Series(skill) }

// heads writes the days above the columns, as many as there is room for.
func heads(c *pen.Canvas, l *pen.Letters, d *build.Document, x0, y0, day float64, columns, each int) {
	label := func(column int) string {
		first := column * each
		if d.Start != "" && first < len(d.ByDay) {
			return d.ByDay[first].Date[len("2006-"):]
		}
		return strconv.Itoa(first + 1)
	}
	what := "day"
	if d.Start != "" {
		what = "from"
	}
	c.Text(what, smallLetter, x0-10, y0-12, 1, palette.Ink)
	last := math.Inf(-1)
	for i := range columns {
		text := label(i)
		w := l.Width(text, smallLetter)
		at := x0 + (float64(i)+0.5)*day
		if at-w/2 < max(last+10, x0) && i > 0 {
			continue
		}
		at = max(at, x0+w/2)
		c.Text(text, smallLetter, at, y0-12, 0.5, palette.Ink)
		last = at + w/2
	}
}

// row draws the work of an aisle.
func row(
	c *pen.Canvas, l *pen.Letters, a *build.Aisle, x0, y, day float64, columns, each int, used map[int]bool,
) {
	for i := range columns {
		sums := make([]float64, len(build.Skills))
		all := 0.0
		for _, hours := range a.Hours[i*each : min((i+1)*each, len(a.Hours))] {
			for s, h := range hours {
				sums[s] += h
				all += h
			}
		}
		if all == 0 {
			continue
		}
		most := slices.Index(sums, slices.Max(sums))
		used[most] = true
		x := x0 + float64(i)*day
		c.Fill(pen.Rect(x, y, x+day, y+rowHigh), colour(most))
		text := strconv.Itoa(int(all + 0.5))
		if all < 0.5 {
			text = "<1"
		}
		if l.Width(text, smallLetter) < day-3 {
			c.Text(text, smallLetter, x+day/2, y+rowHigh/2, 0.5, palette.On(colour(most)))
		}
	}
}
