package label

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/pen"
)

// Format is a size of labels and how many are on a sheet, in millimetres. Labels are in the middle of their sheet. A
// zero Format is not usable: no label is on its sheet.
type Format struct {
	Name, About   string
	Page          [2]float64 // width and height
	Columns, Rows int
	Width, Height float64
	GapX          float64 // between columns; rows have none
	// Core is the part in the middle of a label that goes around the cable, with the text on both sides of it; 0 for
	// labels that have the text once.
	Core float64
	Cut  bool // lines to cut along are drawn: the sheet is plain
	Kind Kind // of codes
}

var (
	a4     = [2]float64{210, 297}
	letter = [2]float64{215.9, 279.4}
)

// Formats are those of sheets that are in use, called by the number of the maker, and of plain paper.
var Formats = []Format{
	{
		Name: "avery-l4731", About: "189 of 25.4 mm x 10 mm on A4",
		Page: a4, Columns: 7, Rows: 27, Width: 25.4, Height: 10, GapX: 2.5,
	},
	{
		Name: "avery-l7651", About: "65 of 38.1 mm x 21.2 mm on A4",
		Page: a4, Columns: 5, Rows: 13, Width: 38.1, Height: 21.2, GapX: 2.5,
	},
	{
		Name: "avery-l7160", About: "21 of 63.5 mm x 38.1 mm on A4",
		Page: a4, Columns: 3, Rows: 7, Width: 63.5, Height: 38.1, GapX: 2.5,
	},
	{
		Name: "avery-5167", About: "80 of 1.75 in x 0.5 in on letter",
		Page: letter, Columns: 4, Rows: 20, Width: 44.45, Height: 12.7, GapX: 7.62,
	},
	{
		Name: "avery-5160", About: "30 of 2.625 in x 1 in on letter",
		Page: letter, Columns: 3, Rows: 10, Width: 66.675, Height: 25.4, GapX: 3.175,
	},
	{
		Name: "flag-a4", About: "44 flags of 95 mm x 12 mm to cut out of A4",
		Page: a4, Columns: 2, Rows: 22, Width: 95, Height: 12, Core: 19, Cut: true,
	},
	{
		Name: "flag-letter", About: "42 flags of 95 mm x 12 mm to cut out of letter",
		Page: letter, Columns: 2, Rows: 21, Width: 95, Height: 12, Core: 19, Cut: true,
	},
}

// FormatNames are the names of Formats.
func FormatNames() []string {
	var out []string
	for _, f := range Formats {
		out = append(out, f.Name)
	}
	return out
}

// FormatOf is the format of a name.
func FormatOf(name string) (*Format, error) {
	for i := range Formats {
		if Formats[i].Name == name {
			return &Formats[i], nil
		}
	}
	return nil, fmt.Errorf("no format of labels %q; %s", name, diag.Suggest(name, FormatNames(), "there are "))
}

// side is how wide and high the code is: all of the height but a margin, but no more than a hand scanner needs.
func (f *Format) side() float64 { return min(f.Height-2*margin, 18) }

const (
	margin = 0.8 // of a label, in millimetres
	// finest is the smallest side of a module that office printers and the cameras of phones are good for, in
	// millimetres: 6 dots of 600 to the inch.
	finest = 0.25
)

// Chosen are the plugs of a plan that are labelled.
type Chosen struct {
	Fabric string   // all where it is empty
	Racks  []string // in which the plugs are, as machine.Result.RacksOf takes them; all where there are none
}

// ErrNone says that there is nothing to label.
var ErrNone = errors.New("no cable to label")

// ErrSummary says that a plan has no list of cables.
var ErrSummary = errors.New("the plan is a summary, which has no list of cables")

// Of are the labels of a plan.
func Of(r *machine.Result, c Chosen) ([]render.Plug, error) {
	if r.Schedule.Segments == nil {
		return nil, ErrSummary
	}
	has, err := c.InRacks(r)
	if err != nil {
		return nil, err
	}
	var out []render.Plug
	for p := range render.Plugs(r, c.Fabric) {
		if has(p.Near.Rack) {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return nil, ErrNone
	}
	return out, nil
}

// InRacks returns a function that reports whether a rack is chosen. Entries in which no cable ends are an error.
func (c Chosen) InRacks(r *machine.Result) (func(rack string) bool, error) {
	if len(c.Racks) == 0 {
		return func(string) bool { return true }, nil
	}
	ends := map[string]bool{}
	for p := range render.Plugs(r, c.Fabric) {
		ends[p.Near.Rack] = true
	}
	chosen := map[string]bool{}
	var wrong []error
	for _, entry := range c.Racks {
		racks := append(r.RacksOf(entry), entry) // a container stands for itself
		if !slices.ContainsFunc(racks, func(rack string) bool { return ends[rack] }) {
			wrong = append(wrong, fmt.Errorf("no cable ends in %q; %s", entry,
				diag.DidYouMean(diag.Nearest(entry, slices.Sorted(maps.Keys(ends))))))
		}
		for _, rack := range racks {
			chosen[rack] = true
		}
	}
	return func(rack string) bool { return chosen[rack] }, errors.Join(wrong...)
}

// Check tells what keeps the codes of labels from being made, before a file is begun: codes that are too fine for a
// format.
func Check(plugs []render.Plug, f *Format) error {
	if len(plugs) == 0 {
		return nil
	}
	text := longest(plugs)
	n, err := f.Kind.side(text)
	if err != nil {
		return err
	}
	return f.fits(text, n)
}

// longest is the longest text of a code, which has the most modules.
func longest(plugs []render.Plug) (out string) {
	for i := range plugs {
		if text := Code(&plugs[i]); len(text) > len(out) {
			out = text
		}
	}
	return out
}

// Code is what the code of a label says: the id of the cable and the end.
func Code(p *render.Plug) string { return p.Cable + "/" + p.End }

// line is a line of a label.
type line struct {
	text string
	tail bool // of an end, what is most needed is its tail
	more bool // it may be shortened: the list of cables has it
}

// words are the lines of a label, at most as many as fit: the id with the length, both ends, the product. An end that
// is wider than there is room for in the smallest letters has a line for where it is and one for the port. Where that
// makes too many lines, the product is left out first, then where the near end is, as the label sticks there, then that
// the far end has two lines.
func words(p *render.Plug, most int, wide func(text string) bool) []line {
	end := func(text string) []line {
		if i := strings.LastIndexByte(text, '/'); i >= 0 && wide(text) {
			for j := i; j >= 0 && wide(text[:i+1]); i = max(j, 0) {
				j = strings.LastIndexByte(text[:i], '/')
			}
			return []line{{text: text[:i+1]}, {text: text[i+1:], tail: true}}
		}
		return []line{{text: text, tail: true}}
	}
	near, far := end(p.Near.Label), end("> "+p.Far.Label)
	var product []line
	if p.Product != "" {
		text := p.Product
		if p.Colour != "" {
			text = p.Colour + ", " + text
		}
		product = []line{{text: text, more: true}}
	}
	count := func() int { return 1 + len(near) + len(far) + len(product) }
	if count() > most {
		product = nil
	}
	if count() > most {
		near = near[len(near)-1:]
	}
	if count() > most {
		far = []line{{text: "> " + p.Far.Label, tail: true}}
	}
	return slices.Concat([]line{{text: Code(p) + "  " + metres(p)}}, near, far, product)
}

const (
	// smallest is the size of letters below which nothing is printed, 6 points, in millimetres. Longer texts are
	// shortened, ends in front.
	smallest = 6 * 25.4 / 72
	// lowest and highest are the least and the greatest distance between lines, in millimetres.
	lowest, highest = 0.97 * smallest, 4
	// ofPitch is the size of letters by the distance between lines, where these are not the smallest.
	ofPitch = 0.85
)

// mostLines is how many lines a label has room for.
func (f *Format) mostLines() int { return int((f.Height - 2*margin) / lowest) }

// plan is how the lines of a label are printed.
type plan struct {
	lines []line
	sizes []float64 // of letters, in millimetres
	pitch float64   // between lines
	cut   bool      // some line is shortened
}

// lay lays the lines of a label out beside a code of a side; width is that of a text in letters of a size.
func (f *Format) lay(p *render.Plug, side float64, width func(text string, size float64) float64) plan {
	wide := f.half() - 2*margin - margin/2 - side
	high := f.Height - 2*margin
	out := plan{lines: words(p, f.mostLines(), func(text string) bool { return width(text, smallest) > wide })}
	out.pitch = min(high/float64(len(out.lines)), highest)
	for _, l := range out.lines {
		size := max(out.pitch*ofPitch, smallest)
		if w := width(l.text, size); w > wide {
			size = max(0.97*size*wide/w, smallest) // widths are not quite in proportion to sizes
			out.cut = out.cut || !l.more && width(l.text, size) > wide
		}
		out.sizes = append(out.sizes, size)
	}
	return out
}

// half is the width of the part of a label that has the text once.
func (f *Format) half() float64 {
	if f.Core > 0 {
		return (f.Width - f.Core) / 2
	}
	return f.Width
}

// beside is the side of the codes of some labels: the usual one, or a smaller one that can still be read where texts
// beside the usual one had to be shortened.
func (f *Format) beside(plugs []render.Plug, width func(text string, size float64) float64) (float64, error) {
	n, err := f.Kind.side(longest(plugs))
	if err != nil {
		return 0, err
	}
	side, least := f.side(), min(f.side(), finest*float64(n+2*quiet))
	const steps = 4
	for step := range steps {
		side := side - (side-least)*float64(step)/steps
		if !slices.ContainsFunc(plugs, func(p render.Plug) bool { return f.lay(&p, side, width).cut }) {
			return side, nil
		}
	}
	return least, nil
}

// Shortened counts the labels of a PDF on which not all of every name can be printed, as nothing is printed in letters
// of less than 6 points.
func Shortened(plugs []render.Plug, f *Format) (int, error) {
	letters, err := pen.NewLetters()
	if err != nil {
		return 0, err
	}
	width := inLetters(letters)
	side, err := f.beside(plugs, width)
	n := 0
	for i := range plugs {
		if f.lay(&plugs[i], side, width).cut {
			n++
		}
	}
	return n, err
}

// inLetters is the width of texts in the letters of a PDF; the first line is bold, which is a little wider.
func inLetters(l *pen.Letters) func(text string, size float64) float64 {
	return func(text string, size float64) float64 { return l.Width(text, pen.Letter{Size: size, Bold: true}) }
}

func metres(p *render.Plug) string { return p.Length.Round4().Number() + " m" }

// fits checks that a code of n modules can be read at the size that it has on a label.
func (f *Format) fits(text string, n int) error {
	if size := f.side() / float64(n+2*quiet); size < finest {
		return fmt.Errorf("the code of %q has %d modules a side, of %.2f mm on %s: at least %.2f mm can be "+
			"printed and read; choose a larger format", text, n, size, f.Name, finest)
	}
	return nil
}

// quiet is the margin that is kept white within the square of the code, in modules. The white of the label around it
// makes it up to the four of the standard on three sides, and readers do with two on the fourth.
const quiet = 2
