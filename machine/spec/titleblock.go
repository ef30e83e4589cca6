package spec

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// TitleBlock holds the texts of the title block of drawings on paper. Drawings mark a field that is left out as not
// stated.
type TitleBlock struct {
	Project  string `yaml:"project,omitempty" json:"project,omitempty" letters:"200"`
	Author   string `yaml:"author,omitempty" json:"author,omitempty" letters:"200"`
	Revision string `yaml:"revision,omitempty" json:"revision,omitempty" letters:"40"`
	// Date is an ISO date (2026-05-01). Plenum reads no clock.
	Date string `yaml:"date,omitempty" json:"date,omitempty"`
	// Sheet is the size of paper, DefaultSheet when empty.
	Sheet Paper `yaml:"sheet,omitempty" json:"sheet,omitempty"`
	// Scale is that of floor plans, such as 1:50.
	Scale string `yaml:"scale,omitempty" json:"scale,omitempty"`
	// North is the direction of north on the floor in degrees, clockwise from the y axis of the room.
	North *float64 `yaml:"north,omitempty" json:"north,omitempty" signed:"true"`
}

// Paper is a size of paper that drawings are on, by its name.
type Paper string

// DefaultSheet is the size of paper of drawings that state none.
const DefaultSheet Paper = "A3"

// inch is an inch in millimetres.
const inch = 25.4

// papers are the sizes of upright paper by name, in millimetres: the A series of ISO 216, and ANSI A to E of ASME
// Y14.1.
var papers = []struct {
	name       Paper
	wide, high float64
}{
	{"A4", 210, 297},
	{"A3", 297, 420},
	{"A2", 420, 594},
	{"A1", 594, 841},
	{"A0", 841, 1189},
	{"ANSI A", 8.5 * inch, 11 * inch},
	{"ANSI B", 11 * inch, 17 * inch},
	{"ANSI C", 17 * inch, 22 * inch},
	{"ANSI D", 22 * inch, 34 * inch},
	{"ANSI E", 34 * inch, 44 * inch},
}

// Words are the sizes that there are.
func (Paper) Words() []string {
	out := make([]string, len(papers))
	for i := range papers {
		out[i] = string(papers[i].name)
	}
	return out
}

// Millimetres are the width and height of upright paper; 0 for a size that is not one of Words.
func (p Paper) Millimetres() (wide, high float64) {
	for i := range papers {
		if papers[i].name == p {
			return papers[i].wide, papers[i].high
		}
	}
	return 0, 0
}

// mostScale is the largest k of a scale 1:k.
const mostScale = 100_000

// ParseScale reads the k of a scale such as 1:50.
func ParseScale(s string) (int, error) {
	one, k, ok := strings.Cut(s, ":")
	n, err := strconv.Atoi(k)
	if !ok || one != "1" || err != nil || n < 1 || n > mostScale {
		return 0, fmt.Errorf("expected a scale such as 1:50, up to 1:%d, not %q", mostScale, s)
	}
	return n, nil
}

// Stated is what a title block states, on DefaultSheet where it states no size of paper; a nil block states nothing.
func (b *TitleBlock) Stated() TitleBlock {
	out := TitleBlock{Sheet: DefaultSheet}
	if b != nil {
		out = *b
		out.Sheet = cmp.Or(b.Sheet, DefaultSheet)
	}
	return out
}

// SheetScale is the k of Scale, 1:k; 0 where none is stated. The block must not be nil.
func (b *TitleBlock) SheetScale() int {
	k, _ := ParseScale(b.Scale) // checked
	return k
}

// checkTitleBlock checks what drawings on paper state.
func (s *Spec) checkTitleBlock(report Reporter) {
	b := s.Drawing
	if b == nil {
		return
	}
	if b.Date != "" {
		if _, err := time.Parse(time.DateOnly, b.Date); err != nil {
			report("drawing.date", "%q is not a date\nwrite it as 2026-05-01", b.Date)
		}
	}
	if b.Scale != "" {
		if _, err := ParseScale(b.Scale); err != nil {
			report("drawing.scale", "%v", err)
		}
	}
	if b.North != nil && !(math.Abs(*b.North) <= 360) {
		report("drawing.north", "%v degrees are more than a full turn\nwrite 90 where the room's x axis points north",
			*b.North)
	}
}
