package label

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// Format is a size of labels and how many are on a sheet, in millimetres. Labels are in the middle of their sheet.
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
	return nil, fmt.Errorf("no format of labels %q; %s", name, diag.DidYouMean(diag.Nearest(name, FormatNames())))
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
	Racks  []string // in which the plugs are; all where there are none
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
	var out []render.Plug
	var racks []string
	for p := range render.Plugs(r, c.Fabric) {
		if len(racks) == 0 || racks[len(racks)-1] != p.Near.Rack {
			racks = append(racks, p.Near.Rack)
		}
		if len(c.Racks) == 0 || slices.Contains(c.Racks, p.Near.Rack) {
			out = append(out, p)
		}
	}
	var wrong []error
	for _, name := range c.Racks {
		if !slices.Contains(racks, name) {
			wrong = append(wrong, fmt.Errorf("no cable ends in a rack %q; %s", name,
				diag.DidYouMean(diag.Nearest(name, racks))))
		}
	}
	if len(out) == 0 && wrong == nil {
		wrong = append(wrong, ErrNone)
	}
	return out, errors.Join(wrong...)
}

// Check tells what keeps labels from being made, before a file is begun: too many for a PDF, or codes that are too fine
// for a format.
func Check(plugs []render.Plug, pdf, codes bool, f *Format) error {
	if pdf && len(plugs) > Most {
		return fmt.Errorf("%d labels are more than the %d of a PDF; choose some by their racks or their fabric",
			len(plugs), Most)
	}
	longest := -1
	for i := range plugs {
		if longest < 0 || len(Code(&plugs[i])) > len(Code(&plugs[longest])) {
			longest = i
		}
	}
	if !codes || longest < 0 {
		return nil
	}
	text := Code(&plugs[longest])
	rows, err := f.Kind.modules(text)
	if err != nil {
		return err
	}
	return f.fits(text, len(rows))
}

// Code is what the code of a label says: the id of the cable and the end.
func Code(p *render.Plug) string { return p.Cable + "/" + p.End }

// line is a line of a label. Of an end, what is most needed is its tail.
type line struct {
	text string
	tail bool
}

// words are the lines of a label: the id with the length, both ends, the product. An end that is wider than there is
// room for at a size that is easy to read has a line for where it is and one for the port. The product is left out
// where that makes more lines than can be read.
func words(p *render.Plug, high float64, wide func(text string) bool) []line {
	out := []line{{text: Code(p) + "  " + metres(p)}}
	for _, text := range []string{p.Near.Label, "> " + p.Far.Label} {
		if i := strings.LastIndexByte(text, '/'); i >= 0 && wide(text) {
			out = append(out, line{text: text[:i+1]}, line{text[i+1:], true})
		} else {
			out = append(out, line{text, true})
		}
	}
	if p.Product != "" && high/float64(len(out)+1) >= lowest {
		out = append(out, line{text: p.Product})
	}
	return out
}

const (
	// lowest and highest are the least and the greatest distance between lines, in millimetres.
	lowest, highest = 1.65, 4
	// ofPitch is the size of letters by the distance between lines.
	ofPitch = 0.85
	// easy is a size of letters that is easy to read, 5 points: ends that need smaller ones are broken.
	easy = 1.76
)

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
