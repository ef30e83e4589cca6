package render

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/units"
)

// figure is one number of the title block.
type figure struct{ value, caption string }

// block is what stands above and below a drawing: the title with the figures of
// the machine, and the legend with the scale.
type block struct {
	*pen.Letters
	name, sentence, kind string
	stated               string // of project, author, revision and date; "" for nothing
	north                *float64
	figures              []figure
	legend               []pen.Item
}

var (
	nameLetter    = pen.Letter{Size: 34, Bold: true}
	sentenceLine  = pen.Letter{Size: 20, Bold: false}
	valueLetter   = pen.Letter{Size: 24, Bold: true}
	captionLetter = pen.Letter{Size: 15, Bold: false}
	legendLetter  = pen.Letter{Size: 16, Bold: false}
)

// Heights of the lines of a block and gaps between its parts.
const (
	nameHeight, sentenceHeight, figureHeight, legendHeight, scaleHeight = 46, 36, 64, 32, 62

	figureGap, legendGap, swatchWidth = 44, 34, 36
)

func newBlock(l *pen.Letters, r *machine.Result, kind string) *block {
	report := r.Report()
	b := &block{Letters: l, name: machineName(r), sentence: networks(r.Spec), kind: kind}
	b.stated, b.north = stated(r)
	add := func(value, caption string) { b.figures = append(b.figures, figure{value, caption}) }
	counted := func(n int64, of string) { add(grouped(n), english.Plural(n, of)) }
	counted(int64(report.Nodes), "node")
	if report.Switches > 0 {
		counted(int64(report.Switches), "switch")
	}
	if n := report.Services(); n > 0 {
		add(grouped(int64(n)), english.Plural(int64(n), "service box"))
	}
	counted(report.Cables, "cable")
	if report.Racks > 0 {
		counted(int64(report.Racks), "rack")
	}
	add(distance(units.Length(report.Length.Total)), "of cable")
	add(distance(units.Length(report.Length.Max)), "longest cable")
	caption := "prices " + strings.Join(pricedBy(report), ", ")
	add(price(report.Cost.Total, report.Currency), beside(caption, report.Cost.Omitted()))
	add(report.PowerWords(), report.PowerNote().Words())
	if p := report.PowerDelivered; p > 0 {
		add(p.String(), "delivered, with losses of supplies")
	}
	return b
}

// stated is what the machine file states for drawings, in a line, and where north is.
func stated(r *machine.Result) (text string, north *float64) {
	block := r.Spec.Drawing.Stated()
	var parts []string
	for _, p := range [][2]string{
		{"project", block.Project}, {"author", block.Author}, {"revision", block.Revision}, {"date", block.Date},
	} {
		if p[1] != "" {
			parts = append(parts, p[0]+" "+p[1])
		}
	}
	return strings.Join(parts, ", "), block.North
}

// pricedBy names what the prices of a bill are from, what priced most of the total first.
func pricedBy(r *report.Plan) []string {
	sums := map[string]units.Money{}
	for i := range r.BOM {
		if l := &r.BOM[i]; l.Cost != nil && l.From != "" {
			sums[l.From] += *l.Cost
		}
	}
	if len(sums) == 0 {
		return []string{r.PriceSet}
	}
	return slices.SortedFunc(maps.Keys(sums), func(a, z string) int {
		return cmp.Or(cmp.Compare(sums[z], sums[a]), cmp.Compare(a, z))
	})
}

func (b *block) figureLines(width float64) [][]int {
	var widths []float64
	for _, f := range b.figures {
		widths = append(widths, max(b.Width(f.value, valueLetter), b.Width(f.caption, captionLetter)))
	}
	return pen.Flow(widths, width, figureGap)
}

func (b *block) legendLines(width float64) [][]int {
	var widths []float64
	for _, i := range b.legend {
		widths = append(widths, min(swatchWidth+10+b.Width(i.Text, legendLetter), width))
	}
	return pen.Flow(widths, width, legendGap)
}

func (b *block) headHeight(width float64) float64 {
	return float64(nameHeight+sentenceHeight+figureHeight*len(b.figureLines(width))) + b.statedHeight()
}

// statedHeight is the height of the line of what is stated, 0 without one.
func (b *block) statedHeight() float64 {
	if b.stated == "" {
		return 0
	}
	const line = 28
	return line
}

func (b *block) footHeight(width float64) float64 {
	return float64(scaleHeight + legendHeight*len(b.legendLines(width)))
}

// draw draws head and foot.
func (b *block) draw(c *pen.Canvas, s *sheet, axes string) {
	c.Layer("sheet")
	h := s.Head
	version := "Plenum " + machine.Version
	right := max(b.Width(b.kind, captionLetter), b.Width(version, captionLetter)) + 30
	c.Text(b.Fit(b.name, nameLetter, h.Width()-right), nameLetter, h.X0, h.Y0+nameHeight/2, 0, palette.Ink)
	c.Text(b.Fit(b.sentence, sentenceLine, h.Width()-right), sentenceLine, h.X0, h.Y0+nameHeight+sentenceHeight/2-4, 0,
		palette.Faint)
	c.Text(b.kind, captionLetter, h.X1, h.Y0+nameHeight/2, 1, palette.Faint)
	c.Text(version, captionLetter, h.X1, h.Y0+nameHeight+sentenceHeight/2-4, 1, palette.Faint)
	y := h.Y0 + nameHeight + sentenceHeight + b.statedHeight()
	if b.stated != "" {
		c.Text(b.Fit(b.stated, legendLetter, h.Width()), legendLetter, h.X0, y-b.statedHeight()/2-4, 0, palette.Ink)
	}
	for _, line := range b.figureLines(h.Width()) {
		x := h.X0
		for _, i := range line {
			f := b.figures[i]
			c.Text(f.value, valueLetter, x, y+18, 0, palette.Ink)
			c.Text(f.caption, captionLetter, x, y+42, 0, palette.Faint)
			x += max(b.Width(f.value, valueLetter), b.Width(f.caption, captionLetter)) + figureGap
		}
		y += figureHeight
	}
	c.Line(h.X0, h.Y1, h.X1, h.Y1, 1, palette.Outline)
	b.drawFoot(c, s, axes)
}

func (b *block) drawFoot(c *pen.Canvas, s *sheet, axes string) {
	f := s.Foot
	c.Line(f.X0, f.Y0, f.X1, f.Y0, 1, palette.Outline)
	end := scaleBar(c, f.X0, f.Y0+22, s.Scale)
	if b.north != nil {
		const half, wide = 14, 66
		northArrow(c, end+wide/2+10, f.Y0+scaleHeight/2, half, *b.north)
		end += wide
	}
	c.Text(b.Fit(axes, captionLetter, f.X1-end-30), captionLetter, end+30, f.Y0+29, 0, palette.Faint)
	y := f.Y0 + scaleHeight
	for _, line := range b.legendLines(f.Width()) {
		x := f.X0
		for _, i := range line {
			item := b.legend[i]
			item.Swatch(c, pen.Rect(x, y+7, x+swatchWidth, y+legendHeight-7))
			label := b.Fit(item.Text, legendLetter, f.X1-x-swatchWidth-10)
			c.Text(label, legendLetter, x+swatchWidth+10, y+legendHeight/2, 0, palette.Ink)
			x += swatchWidth + 10 + b.Width(label, legendLetter) + legendGap
		}
		y += legendHeight
	}
}

// scaleLength is a round length of about 200 pixels.
func scaleLength(scale float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(200/scale)))
	for _, n := range []float64{5, 2} {
		if n*unit*scale <= 250 {
			return n * unit
		}
	}
	return unit
}

// scaleBar draws a scale of five pieces and returns where it ends.
func scaleBar(c *pen.Canvas, x, y, scale float64) float64 {
	const pieces = 5
	length := scaleLength(scale)
	w := length * scale
	for i := range pieces {
		b := pen.Rect(x+w*float64(i)/pieces, y, x+w*float64(i+1)/pieces, y+8)
		if i%2 == 0 {
			c.Fill(b, palette.Ink)
		}
	}
	c.Frame(pen.Rect(x, y, x+w, y+8), 1, palette.Ink)
	k := pen.Letter{Size: 15}
	c.Text("0", k, x, y+20, 0, palette.Ink)
	label := units.Length(length).String()
	c.Text(label, k, x+w, y+20, 0.5, palette.Ink)
	return x + w + c.Width(label, k)/2
}
