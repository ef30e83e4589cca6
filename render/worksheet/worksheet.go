package worksheet

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Book is what is printed: parts, one after the other.
type Book struct {
	// Name stands at the top of every page, About at its foot.
	Name, About string
	// Wide turns the sheets.
	Wide  bool
	Parts []Part
}

// Part is a title with words below it and a table.
type Part struct {
	Title string
	// Words are lines below the title, broken where they are too long.
	Words []string
	// Columns and Rows are the table; there need not be one.
	Columns []Column
	Rows    []Row
	// Page begins the part on a page of its own.
	Page bool
	// Mark names the part in the list of contents of a reader; "" leaves it out.
	Mark string
}

// Column is a column of a table.
type Column struct {
	Head string
	// Share is its width, as a share of that of all columns.
	Share float64
	// Right sets texts to the right, as numbers are.
	Right bool
	// Tick draws a box to tick in place of texts.
	Tick bool
}

// Row is the cells of a row; lines of a cell stand below each other, the first of them bold if there are several.
type Row []string

// Most is the most rows of a book: some thousand pages.
const Most = 40_000

// TooManyError refuses to print more rows than anybody would walk with.
type TooManyError struct{ Rows int }

// Error says how many there are.
func (e *TooManyError) Error() string {
	return fmt.Sprintf("%d rows; a PDF has at most %d, and a table (.csv) any number", e.Rows, Most)
}

// Sizes on paper, in millimetres.
const (
	margin   = 12.0
	head     = 9.0 // of the page
	foot     = 8.0
	line     = 3.7 // from line to line of a cell
	pad      = 1.1 // above and below the lines of a row
	tick     = 3.6
	longer   = 297.0 // of the sheet
	shorter  = 210.0
	titleGap = 4.0
	gap      = 2.5 // between columns
)

var (
	pageLetter  = pen.Letter{Size: 3.4, Bold: true}
	smallLetter = pen.Letter{Size: 2.6}
	titleLetter = pen.Letter{Size: 4.4, Bold: true}
	wordLetter  = pen.Letter{Size: 3}
	headLetter  = pen.Letter{Size: 2.7, Bold: true}
	cellLetter  = pen.Letter{Size: 2.8}
	firstLetter = pen.Letter{Size: 2.8, Bold: true}
)

// PDF writes a book.
func PDF(ctx context.Context, w io.Writer, b *Book) error {
	rows := 0
	for i := range b.Parts {
		rows += len(b.Parts[i].Rows)
	}
	if rows > Most {
		return &TooManyError{rows}
	}
	letters, err := pen.NewLetters()
	if err != nil {
		return err
	}
	letters.Spare = 0 // the PDF has the letters in it
	s := newSetter(b, letters)
	for i := range b.Parts {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.part(&b.Parts[i])
	}
	for i := range s.pages {
		s.foot(i)
	}
	return scene.Book(ctx, w, b.Name, b.About, s.pages)
}

// setter sets a book page by page.
type setter struct {
	*Book
	letters    *pen.Letters
	wide, high float64
	c          *pen.Canvas
	y          float64 // where the next line begins
	pages      []scene.Page
}

func newSetter(b *Book, letters *pen.Letters) *setter {
	s := &setter{Book: b, letters: letters, wide: shorter, high: longer}
	if b.Wide {
		s.wide, s.high = s.high, s.wide
	}
	s.turn()
	return s
}

// turn begins a page.
func (s *setter) turn() {
	s.c = pen.New(s.letters, s.wide, s.high)
	s.c.Scene.Paper = 1
	s.c.Text(s.letters.Fit(s.Name, pageLetter, s.wide-2*margin), pageLetter, margin, margin+2, 0, palette.Ink)
	s.c.Line(margin, margin+5, s.wide-margin, margin+5, 0.3, palette.Ink)
	s.y = margin + head
	s.pages = append(s.pages, scene.Page{Scene: s.c.Scene})
}

// foot numbers a page.
func (s *setter) foot(i int) {
	c := &pen.Canvas{Letters: s.letters, Scene: s.pages[i].Scene}
	y := s.high - margin + 2
	number := fmt.Sprintf("page %d of %d", i+1, len(s.pages))
	c.Text(s.letters.Fit(s.About, smallLetter, s.wide-2*margin-30), smallLetter, margin, y, 0, palette.Faint)
	c.Text(number, smallLetter, s.wide-margin, y, 1, palette.Faint)
}

// bottom is where a page ends.
func (s *setter) bottom() float64 { return s.high - margin - foot + 3 }

// room turns the page unless there is so much room; it reports whether it did.
func (s *setter) room(high float64) bool {
	if s.y+high <= s.bottom() {
		return false
	}
	s.turn()
	return true
}

// part sets a part.
func (s *setter) part(p *Part) {
	fresh := s.y == margin+head
	if p.Page && !fresh {
		s.turn()
		fresh = true
	}
	words := s.broken(p.Words)
	// A title stays with its words, the head of its table and a first row of two lines.
	if high := titleGap + 7 + float64(len(words))*4.2 + 14; s.room(high) {
		fresh = true
	}
	if !fresh {
		s.y += titleGap
	}
	if last := &s.pages[len(s.pages)-1]; p.Mark != "" && last.Mark == "" {
		last.Mark = p.Mark
	}
	if p.Title != "" {
		s.c.Text(s.letters.Fit(p.Title, titleLetter, s.wide-2*margin), titleLetter, margin, s.y+2.5, 0, palette.Ink)
		s.y += 7
	}
	for _, w := range words {
		s.room(4.2)
		s.c.Text(w, wordLetter, margin, s.y+1.8, 0, palette.Ink)
		s.y += 4.2
	}
	if len(p.Rows) == 0 {
		return
	}
	s.heads(p)
	for i, row := range p.Rows {
		s.row(p, row, i)
	}
}

// broken breaks words into lines.
func (s *setter) broken(words []string) []string {
	var out []string
	for _, text := range words {
		out = append(out, s.wrap(text, wordLetter, s.wide-2*margin, 0)...)
	}
	return out
}

// wrap breaks a text into lines of a width at its blanks, and at any letter where a word is wider; of more than most
// lines, unless that is 0, the last is shortened.
func (s *setter) wrap(text string, k pen.Letter, width float64, most int) []string {
	var out []string
	text = s.letters.Legible(strings.Join(strings.Fields(text), " "))
	for text != "" {
		if most > 0 && len(out) == most-1 || s.letters.Width(text, k) <= width {
			return append(out, s.letters.Fit(text, k, width))
		}
		end, blank := 0, 0
		for i, r := range text {
			if i > 0 && s.letters.Width(text[:i+len(string(r))], k) > width {
				break
			}
			if end = i + len(string(r)); r == ' ' {
				blank = i
			}
		}
		if blank > 0 && text[end:] != "" && text[end] != ' ' {
			end = blank
		}
		out = append(out, strings.TrimSpace(text[:end]))
		text = strings.TrimSpace(text[end:])
	}
	return out
}

// widths are those of the columns of a table.
func (s *setter) widths(p *Part) []float64 {
	sum := 0.0
	for _, c := range p.Columns {
		sum += c.Share
	}
	out := make([]float64, len(p.Columns))
	for i, c := range p.Columns {
		out[i] = c.Share / sum * (s.wide - 2*margin)
	}
	return out
}

// heads names the columns.
func (s *setter) heads(p *Part) {
	x := margin
	for i, w := range s.widths(p) {
		s.cell(s.letters.Fit(p.Columns[i].Head, headLetter, w-gap), headLetter, x, w, s.y+2.4, p.Columns[i].Right)
		x += w
	}
	s.y += 5
	s.c.Line(margin, s.y, s.wide-margin, s.y, 0.3, palette.Ink)
}

// mostLines is the most lines of a cell.
const mostLines = 6

// row sets a row; it begins a page where there is no room for it.
func (s *setter) row(p *Part, row Row, number int) {
	widths := s.widths(p)
	type set struct {
		text   string
		letter pen.Letter
	}
	cells := make([][]set, len(widths))
	most := 1
	for i := range cells {
		if i >= len(row) || p.Columns[i].Tick {
			continue
		}
		texts := strings.Split(row[i], "\n")
		for n, text := range texts {
			k := cellLetter
			if n == 0 && len(texts) > 1 {
				k = firstLetter
			}
			for _, l := range s.wrap(text, k, widths[i]-gap, 2) {
				cells[i] = append(cells[i], set{l, k})
			}
		}
		cells[i] = cells[i][:min(len(cells[i]), mostLines)]
		most = max(most, len(cells[i]))
	}
	high := float64(most)*line + 2*pad
	if s.room(high) {
		s.heads(p)
	}
	if number%2 == 1 {
		s.c.Fill(pen.Rect(margin, s.y, s.wide-margin, s.y+high), palette.Ground)
	}
	x := margin
	for i, w := range widths {
		if p.Columns[i].Tick {
			s.c.Add(scene.Frame{
				Box:   pen.Rect(x+0.5, s.y+pad, x+0.5+tick, s.y+pad+tick),
				Width: 0.25, Color: pen.NRGBA(palette.Ink),
			})
		}
		for n, l := range cells[i] {
			s.cell(l.text, l.letter, x, w, s.y+pad+(float64(n)+0.5)*line, p.Columns[i].Right)
		}
		x += w
	}
	s.y += high
	s.c.Line(margin, s.y, s.wide-margin, s.y, 0.1, palette.Outline)
}

// cell sets a line of a cell.
func (s *setter) cell(text string, k pen.Letter, x, width, y float64, right bool) {
	if right {
		s.c.Text(text, k, x+width-gap, y, 1, palette.Ink)
		return
	}
	s.c.Text(text, k, x, y, 0, palette.Ink)
}
