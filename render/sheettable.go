package render

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/render/palette"
)

// drawn is a chart and the cell of its upper left corner.
type drawn struct {
	at    string
	chart *excelize.Chart
}

// bars shows the numbers of a column of the table as bars behind them, from 0 to the most that it stands for: that of
// the column when 0.
type bars struct {
	column int
	most   float64
}

// draw adds the bars and charts of the sheet.
func (g *grid) draw(f *excelize.File) error {
	for _, b := range g.bars {
		if g.filter <= g.filterTop {
			break
		}
		rule := excelize.ConditionalFormatOptions{
			Type: "data_bar", Criteria: "=", MinType: "num", MinValue: "0", MaxType: "max",
			BarColor: "#" + palette.Hex(palette.Tint(palette.Series(0), barTint)),
		}
		if b.most > 0 {
			rule.MaxType, rule.MaxValue = "num", fmt.Sprint(b.most)
		}
		cells := ref(b.column, g.filterTop+1) + ":" + ref(b.column, g.filter)
		if err := f.SetConditionalFormat(g.name, cells, []excelize.ConditionalFormatOptions{rule}); err != nil {
			return err
		}
	}
	if last := g.columns(); g.shaded > 0 && g.filter > g.filterTop && last >= g.shaded {
		rule := excelize.ConditionalFormatOptions{
			Type: "2_color_scale", Criteria: "=", MinType: "min", MaxType: "max", MinColor: "#FFFFFF",
			MaxColor: "#" + palette.Hex(palette.Series(0)),
		}
		cells := ref(g.shaded, g.filterTop+1) + ":" + ref(last, g.filter)
		if err := f.SetConditionalFormat(g.name, cells, []excelize.ConditionalFormatOptions{rule}); err != nil {
			return err
		}
	}
	if g.ruled > 0 && g.filter > g.filterTop {
		if err := g.rule(f); err != nil {
			return err
		}
	}
	all := g.beside
	if g.chart != nil {
		all = append([]drawn{{g.chartAt, g.chart}}, all...)
	}
	for _, d := range all {
		if err := f.AddChart(g.name, d.at, d.chart); err != nil {
			return err
		}
	}
	return nil
}

// columns is the number of columns of the table, 0 where there is none.
func (g *grid) columns() int {
	if g.filterTop == 0 {
		return 0
	}
	return len(g.rows[g.filterTop-1])
}

// barTint is the share of the colour in bars, behind which figures have to be read.
const barTint = 0.5

// table is the sheet's native table. One without rows has an empty one, as spreadsheets ask for.
func (g *grid) table(f *excelize.File) *excelize.Table {
	stripes := true
	return &excelize.Table{
		Range: ref(1, g.filterTop) + ":" + ref(len(g.rows[g.filterTop-1]), max(g.filter, g.filterTop+1)),
		Name:  tableName(g.name, f.SheetCount), StyleName: "TableStyleLight1", ShowRowStripes: &stripes,
	}
}

// tableName makes the name of a table of that of its sheet: letters, digits and underscores. It has the number of the
// sheet where others might come to the same.
func tableName(sheet string, number int) string {
	same := true
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			return r
		case r != ' ':
			same = false
		}
		return '_'
	}, sheet)
	if !same {
		name = fmt.Sprintf("%s_%d", name, number)
	}
	return "List_" + name // no name of a cell, such as Q1
}

// lines is how many lines the text of a row takes that is wrapped, as many as fit at most: not every spreadsheet makes
// rows high enough itself.
func (g *grid) lines(row []cell) int {
	most := 1
	for i, c := range row {
		if s, ok := c.value.(string); ok && c.style == wrapped && i < len(g.fitted) {
			most = max(most, textLines(s, g.fitted[i]))
		}
	}
	return min(most, mostRowLines)
}
