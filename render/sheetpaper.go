package render

import (
	"errors"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// headAndFoot are the head and foot of printed pages: the title of the workbook, the sheet, and the number of the page.
func headAndFoot(f *excelize.File) *excelize.HeaderFooterOptions {
	title := ""
	if p, err := f.GetDocProps(); err == nil {
		const most = 100 // characters; both texts have 255 at most, with their codes
		title = strings.ReplaceAll(cutText(p.Title, most), "&", "&&")
	}
	return &excelize.HeaderFooterOptions{OddHeader: "&L" + title + "&R&A", OddFooter: "&LPlenum&RPage &P of &N"}
}

// Margins of paper in inches.
const (
	sideMargin, endMargin, textMargin = 0.4, 0.6, 0.3
)

func paperMargins() *excelize.PageLayoutMarginsOptions {
	return &excelize.PageLayoutMarginsOptions{
		Left: new(sideMargin), Right: new(sideMargin), Top: new(endMargin), Bottom: new(endMargin),
		Header: new(textMargin), Footer: new(textMargin),
	}
}

// Points of an A4 page on its side between its margins, and of a character that the width of a column counts.
const (
	turnedHigh         = 595.3 - 2*72*endMargin
	turnedWide         = 841.9 - 2*72*sideMargin
	pointsPerCharacter = 5.5
)

// lastCell is the last one of the first row of a sheet, where nothing is.
const lastCell = "$XFD$1"

// keepOffPaper gives the sheet an empty cell as the area to print, for which LibreOffice prints no page.
func (g *grid) keepOffPaper(f *excelize.File) error {
	err := f.DeleteDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", Scope: g.name})
	if errors.Is(err, excelize.ErrDefinedNameScope) {
		err = nil // nothing is repeated
	}
	return errors.Join(err, f.SetDefinedName(&excelize.DefinedName{
		Name: "_xlnm.Print_Area", RefersTo: quoted(g.name) + "!" + lastCell, Scope: g.name,
	}))
}

// rule draws a line above every row of the table that has another value in a column than the row before.
func (g *grid) rule(f *excelize.File) error {
	style, err := f.NewConditionalStyle(&excelize.Style{
		Border: []excelize.Border{{Type: "top", Style: 1, Color: "000000"}},
	})
	if err != nil {
		return err
	}
	first := g.filterTop + 1
	cells := ref(1, first) + ":" + ref(g.columns(), g.filter)
	column := strings.TrimRight(ref(g.ruled, 1), "1")
	formula := fmt.Sprintf("$%s%d<>$%s%d", column, first, column, first-1)
	return f.SetConditionalFormat(g.name, cells, []excelize.ConditionalFormatOptions{
		{Type: "formula", Criteria: formula, Format: &style},
	})
}

// mostLinks is the most links of a sheet. Spreadsheets take 65,530; the time that excelize takes for them grows as
// their square.
const mostLinks = 12_000

// link makes links of the cells that lead to others, row by row, up to mostLinks.
func (g *grid) link(f *excelize.File) error {
	n := 0
	for y, row := range g.rows {
		for x := range row {
			if row[x].to == "" {
				continue
			}
			if n++; n > mostLinks {
				if row[x].to = ""; row[x].style == linked {
					row[x].style = plain
				}
				continue
			}
			if err := f.SetCellHyperLink(g.name, ref(x+1, y+1), row[x].to, "Location"); err != nil {
				return err
			}
		}
	}
	return nil
}

// choice is what people may write in a column of the table.
type choice struct {
	column int
	words  []string // a list to choose from; nil for anything
	hint   string   // what is said of other words
	prompt string   // what is said of the cell
	strict bool     // other words are refused
}

// offer lets people choose words from lists.
func (g *grid) offer(f *excelize.File) error {
	for _, c := range g.choices {
		if g.filter <= g.filterTop {
			break
		}
		v := &excelize.DataValidation{
			AllowBlank: true, Sqref: ref(c.column, g.filterTop+1) + ":" + ref(c.column, g.filter),
		}
		if c.words != nil {
			v.Type, v.Formula1, v.ShowErrorMessage = "list", `"`+strings.Join(c.words, ",")+`"`, true
			style := "warning"
			if c.strict {
				style = "stop"
			}
			hint := c.hint
			if hint == "" {
				hint = "expected " + strings.Join(c.words, " or ")
			}
			v.ErrorStyle, v.Error = &style, &hint
		}
		if c.prompt != "" {
			v.ShowInputMessage, v.Prompt = true, &c.prompt
		}
		if err := f.AddDataValidation(g.name, v); err != nil {
			return err
		}
	}
	return nil
}
