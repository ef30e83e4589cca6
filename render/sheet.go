package render

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/render/elevation"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/units"
)

// style is how a cell looks.
type style int

const (
	plain style = iota
	title
	head
	headRight // above numbers
	headUnit  // above units
	unit      // the cell on the right of a number
	printed   // as it stands: no spreadsheet makes a date of 3/1
	count
	metres
	decimal
	fine // of small quantities
	percent
	money
	strong // of totals, for text
	strongCount
	strongMoney
	strongMetres
	strongDecimal
	strongPercent
	note
	wrapped // over several lines
	topped  // beside it
	wrappedCount
	editedText // of cells that a person may edit for --apply
	editedCount
	editedMoney
	linked // of cells that lead to another one
	// Units of racks on the sheet of elevations, in the order of elevation.Kind: boxes of one unit, then higher ones.
	unitFree
	unitNode
	unitSwitch
	unitService
	unitPanel
	tallFree
	tallNode
	tallSwitch
	tallService
	tallPanel
	stylesCount
)

// styles are the workbook's ids of the styles.
type styles [stylesCount]int

// linkColor is that of cells that lead to others.
const linkColor = "0B5394"

// newStyles gives a workbook the styles, those of money with the currency; without one where it is empty.
func newStyles(f *excelize.File, currency string) (*styles, error) {
	const grouped, hundredths, tenths, thousandths, share = "#,##0", "#,##0.00", "#,##0.0", "#,##0.000", "0%"
	amount := hundredths + `\ "` + strings.ReplaceAll(currency, `"`, "") + `"`
	const family, size, textFormat = "Calibri", 11, 49 // the built-in format "@"
	bold := &excelize.Font{Bold: true, Family: family, Size: size}
	grey := excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"D9E2EC"}}
	input := excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FFF6D6"}}
	rule := []excelize.Border{{Type: "top", Style: 1, Color: "808080"}}
	defs := [stylesCount]excelize.Style{
		plain:         {},
		title:         {Font: &excelize.Font{Bold: true, Family: family, Size: 16}},
		head:          {Font: bold, Fill: grey},
		headRight:     {Font: bold, Fill: grey, Alignment: &excelize.Alignment{Horizontal: "right"}},
		headUnit:      {Font: bold, Fill: grey, Alignment: &excelize.Alignment{Horizontal: "left", Indent: 1}},
		unit:          {Alignment: &excelize.Alignment{Horizontal: "left", Indent: 1}},
		printed:       {NumFmt: textFormat},
		count:         {CustomNumFmt: new(grouped)},
		metres:        {CustomNumFmt: new(hundredths)},
		decimal:       {CustomNumFmt: new(tenths)},
		fine:          {CustomNumFmt: new(thousandths)},
		percent:       {CustomNumFmt: new(share)},
		money:         {CustomNumFmt: &amount},
		strong:        {Font: bold, Border: rule},
		strongCount:   {Font: bold, Border: rule, CustomNumFmt: new(grouped)},
		strongMoney:   {Font: bold, Border: rule, CustomNumFmt: &amount},
		strongMetres:  {Font: bold, Border: rule, CustomNumFmt: new(hundredths)},
		strongDecimal: {Font: bold, Border: rule, CustomNumFmt: new(tenths)},
		strongPercent: {Font: bold, Border: rule, CustomNumFmt: new(share)},
		wrapped:       {Alignment: &excelize.Alignment{Vertical: "top", WrapText: true}},
		topped:        {Alignment: &excelize.Alignment{Vertical: "top"}},
		wrappedCount:  {Alignment: &excelize.Alignment{Vertical: "top"}, CustomNumFmt: new(grouped)},
		editedText:    {Fill: input, NumFmt: textFormat, Alignment: &excelize.Alignment{Indent: 1}},
		editedCount:   {Fill: input, CustomNumFmt: new(grouped)},
		editedMoney:   {Fill: input, CustomNumFmt: &amount},
		note:          {Font: &excelize.Font{Italic: true, Family: family, Size: size, Color: "404040"}},
	}
	defs[linked] = excelize.Style{Font: &excelize.Font{Family: family, Size: size, Color: linkColor}}
	for kind := elevation.Free; kind <= elevation.Panel; kind++ {
		line := "404040"
		if kind == elevation.Free {
			line = "C8C8C8"
		}
		var frame []excelize.Border
		for _, side := range []string{"left", "right", "top", "bottom"} {
			frame = append(frame, excelize.Border{Type: side, Style: 1, Color: line})
		}
		one := excelize.Style{
			Fill:   excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{palette.Hex(kind.Fill())}},
			Border: frame, Alignment: &excelize.Alignment{Vertical: "center", ShrinkToFit: true},
		}
		tall := one
		tall.Alignment = &excelize.Alignment{Vertical: "center", WrapText: true}
		defs[unitFree+style(kind)], defs[tallFree+style(kind)] = one, tall
	}
	var ids styles
	for i := range defs {
		id, err := f.NewStyle(&defs[i])
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return &ids, nil
}

// cell is one cell of a sheet: a string, an int64 or a float64, with the formula
// that computes it, if any. Programs that do not compute formulas show value.
type cell struct {
	value   any
	formula string
	style   style
	to      string // the cell that a link leads to, empty for none
}

// The constructors of cells, each with the style of its kind of value.
func text(s string) cell          { return cell{value: s} }
func whole(n int64) cell          { return cell{value: n, style: count} }
func amount(m units.Money) cell   { return cell{value: m.Float(), style: money} }
func long(l units.Length) cell    { return cell{value: float64(l.Round4()), style: metres} }
func number[T ~float64](v T) cell { return cell{value: float64(v), style: decimal} }

// by and as return the cell with a formula, and with a style.
func (c cell) by(formula string) cell { c.formula = formula; return c }
func (c cell) as(s style) cell        { c.style = s; return c }

// linkTo returns the cell with a link to another, looking like one where it has no style; to "" it is as it was.
func (c cell) linkTo(to string) cell {
	if c.to = to; to != "" && c.style == plain {
		c.style = linked
	}
	return c
}

// heads and totals return a row of texts: names of columns, and the words of a line of sums.
func heads(names ...string) (row []cell)  { return texts(head, names) }
func totals(names ...string) (row []cell) { return texts(strong, names) }

func texts(s style, names []string) (row []cell) {
	for _, n := range names {
		row = append(row, text(n).as(s))
	}
	return row
}

// width is about how many characters a cell takes.
func (c cell) width() int {
	switch v := c.value.(type) {
	case string:
		return len([]rune(v))
	case int64:
		return len(units.Money(v).String()) - 1
	case float64:
		n := len(units.MoneyOf(math.Abs(v)).String())
		if c.style == money || c.style == editedMoney || c.style == strongMoney {
			n += 4
		}
		return n
	}
	return 0
}

// grid is a sheet that is small enough to be held in memory before it is written.
type grid struct {
	name   string
	rows   [][]cell
	frozen int // rows at the top that stay in sight, and on every printed page
	// filter is the last row of the sheet's table, whose head is row filterTop: a native one, which can be filtered
	// and sorted; 0 for none. Its columns are those of row filterTop.
	filterTop, filter int
	bars              []bars // in columns of the table
	shaded            int    // the column of the table from which on numbers colour their cells; 0 for none
	chart             *excelize.Chart
	chartAt           string
	beside            []drawn   // more charts
	fitted            []float64 // widths of the columns; by their cells when nil
	// How it comes on paper: upright, with the columns up to the last one printed (all when 0), on so many pages across
	// (1 when 0), a new page before some rows.
	portrait bool
	printed  int
	across   int
	breaks   []int
	// scale is that of the sheet on paper in per cent, in place of one that fits the columns, which has some
	// spreadsheets pass over breaks; fitted when 0.
	scale  uint
	screen bool // nothing of it comes on paper
	// rowHeight is that of all rows but the first, in points; as spreadsheets have it when 0.
	rowHeight float64
	ruled     int // the column of the table above whose changes is a rule; 0 for none
	merged    [][2]string
	choices   []choice
}

func (g *grid) add(row ...cell) { g.rows = append(g.rows, row) }

// next is the number of the row that is added next.
func (g *grid) next() int { return len(g.rows) + 1 }

// widest is the widest column that is fitted; longer text runs on.
const widest = 44

// widths fits the columns. Single cells, such as titles and notes, may run over
// their neighbours.
func (g *grid) widths() []float64 {
	var out []float64
	for _, row := range g.rows {
		for i, c := range row {
			if i == len(out) {
				out = append(out, 6)
			}
			if len(row) > 1 {
				out[i] = max(out[i], float64(min(c.width(), widest))+2.5) // 2.5: room for the filter's button
			}
		}
	}
	return out
}

// align puts heads above numbers to the right, and text behind a number a little
// away from it.
func (g *grid) align() {
	isNumber := func(c cell) bool {
		_, isText := c.value.(string)
		return c.value != nil && !isText
	}
	var above []cell // the heads in force
	for _, row := range g.rows {
		if len(row) > 1 && row[0].style == head {
			above = row
			continue
		}
		for i, c := range row {
			switch {
			case isNumber(c) && i < len(above):
				above[i].style = headRight
			case c.style == plain && i > 0 && isNumber(row[i-1]):
				row[i].style = unit
				if i < len(above) && above[i].style == head {
					above[i].style = headUnit
				}
			}
		}
	}
}

// write adds the sheet to the workbook.
func (g *grid) write(f *excelize.File, ids *styles) error {
	g.keepWithin(mostSheetRows)
	sw, err := newSheet(f, g.name, g.frozen, g.across > 1)
	if err != nil {
		return err
	}
	if err := g.paper(f); err != nil {
		return err
	}
	if err := errors.Join(g.draw(f), g.offer(f), g.link(f)); err != nil {
		return err
	}
	g.align()
	if g.fitted == nil {
		g.fitted = g.widths()
	}
	for i, w := range g.fitted {
		if err := sw.SetColWidth(i+1, i+1, w); err != nil {
			return err
		}
	}
	var row []any
	for i, cells := range g.rows {
		row = row[:0]
		for _, c := range cells {
			if c.value == nil && c.style == plain {
				row = append(row, nil)
				continue
			}
			row = append(row, excelize.Cell{StyleID: ids[c.style], Formula: c.formula, Value: c.value})
		}
		var opts []excelize.RowOpts
		if lines := g.lines(cells); lines > 1 {
			opts = append(opts, excelize.RowOpts{Height: float64(lines) * lineHeight})
		} else if g.rowHeight > 0 && i > 0 {
			opts = append(opts, excelize.RowOpts{Height: g.rowHeight})
		}
		if err := sw.SetRow(ref(1, i+1), row, opts...); err != nil {
			return err
		}
	}
	for _, m := range g.merged {
		if err := sw.MergeCell(m[0], m[1]); err != nil {
			return err
		}
	}
	if g.filter > 0 {
		if err := sw.AddTable(g.table(f)); err != nil {
			return err
		}
	}
	return sw.Flush()
}

// paper sets up how the sheet is printed, where that is not as newSheet has it.
func (g *grid) paper(f *excelize.File) error {
	var opts excelize.PageLayoutOptions
	if g.portrait {
		opts.Orientation = new("portrait")
	}
	if g.across > 1 {
		opts.FitToWidth = &g.across
	}
	var err error
	if g.scale > 0 {
		opts.AdjustTo = &g.scale
		err = f.SetSheetProps(g.name, &excelize.SheetPropsOptions{FitToPage: new(bool)})
	}
	err = errors.Join(err, f.SetPageLayout(g.name, &opts))
	if g.screen {
		err = errors.Join(err, g.keepOffPaper(f))
	} else if g.printed > 0 {
		area := quoted(g.name) + "!" + fixed(1, 1) + ":" + fixed(g.printed, max(len(g.rows), g.filter))
		err = errors.Join(err, f.SetDefinedName(&excelize.DefinedName{
			Name: "_xlnm.Print_Area", RefersTo: area, Scope: g.name,
		}))
	}
	for _, row := range g.breaks {
		err = errors.Join(err, f.InsertPageBreak(g.name, ref(1, row)))
	}
	return err
}

// newSheet adds an empty sheet that is set up for printing. What a sheet has
// besides its cells must be set before the cells are flushed; later on, excelize
// would read them all back, or lose the setting.
// The first column comes on every page of one that is several pages wide.
func newSheet(f *excelize.File, name string, frozen int, wide bool) (*excelize.StreamWriter, error) {
	var err error
	if first := f.GetSheetName(0); first == "Sheet1" { // the one a new file has
		err = f.SetSheetName(first, name)
	} else {
		_, err = f.NewSheet(name)
	}
	if err != nil {
		return nil, err
	}
	landscape, a4, across, tall, fit := "landscape", 9, 1, 0, true
	err = errors.Join(
		f.SetPageLayout(name, &excelize.PageLayoutOptions{
			Orientation: &landscape, Size: &a4, FitToWidth: &across,
			FitToHeight: &tall,
		}),
		f.SetSheetProps(name, &excelize.SheetPropsOptions{FitToPage: &fit}),
		f.SetPageMargins(name, paperMargins()),
		f.SetHeaderFooter(name, headAndFoot(f)),
	)
	if frozen > 0 {
		titles := quoted(name) + "!$1:$" + strconv.Itoa(frozen)
		if wide {
			titles = quoted(name) + "!$A:$A," + titles
		}
		err = errors.Join(err,
			f.SetPanes(name, &excelize.Panes{
				Freeze: true, YSplit: frozen, TopLeftCell: ref(1, frozen+1),
				ActivePane: "bottomLeft",
			}),
			f.SetDefinedName(&excelize.DefinedName{
				Name:     "_xlnm.Print_Titles",
				RefersTo: titles, Scope: name,
			}),
		)
	}
	if err != nil {
		return nil, err
	}
	return f.NewStreamWriter(name)
}

// quoted is a sheet's name as formulas need it.
func quoted(sheet string) string { return "'" + sheet + "'" }

// ref names a cell: ref(2, 3) is "B3".
func ref(column, row int) string {
	name := ""
	for ; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name + strconv.Itoa(row)
}

// fixed names a cell so that copies of a formula keep to it: "$B$3".
func fixed(column, row int) string {
	r, n := ref(column, row), len(strconv.Itoa(row))
	return "$" + r[:len(r)-n] + "$" + r[len(r)-n:]
}

// span names the rows from first to last of a column, fixed: "$B$3:$B$9".
func span(column, first, last int) string {
	return fixed(column, first) + ":" + fixed(column, last)
}
