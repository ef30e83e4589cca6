package render

import (
	"fmt"
	"strconv"
)

// mostPowerRows is how many cords or supplies the sheet of power lists.
const mostPowerRows = 100_000

// power lists which inlet is plugged into which outlet.
func (b *book) power() *grid {
	g := &grid{name: powerSheet, frozen: 1, filterTop: 1}
	g.add(heads("Rack", "Box", "Part", "Inlet", "Inlet type", "PDU", "Outlet", "Outlet type", "Feed", "Phase",
		"Power (W)", "Power, feed lost (W)", "Feed lost", "Note", "Colour", "Label")...)
	b.listPower(g, powerRows(b.r), map[int]bool{3: true, 6: true, 10: true, 11: true}, "power.csv")
	return g
}

// powerLoads lists what each supply gives on each phase.
func (b *book) powerLoads() *grid {
	g := &grid{name: loadsSheet, frozen: 1, filterTop: 1, screen: true}
	columns := []string{"Rack", "PDU", "Part", "Feed", "Volts (V)", "Breaker (A)"}
	for _, when := range []string{"", ", feed lost"} {
		if when != "" {
			columns = append(columns, "Feed lost")
		}
		for _, unit := range []string{"W", "A"} {
			for line := 1; line <= 3; line++ {
				columns = append(columns, fmt.Sprintf("L%d%s (%s)", line, when, unit))
			}
			if unit == "W" {
				columns = append(columns, fmt.Sprintf("Power%s (W)", when))
			}
		}
	}
	g.add(heads(append(columns, "Note")...)...)
	figures := map[int]bool{}
	for i := 4; i < len(loadColumns)-1; i++ {
		figures[i] = i != 13
	}
	b.listPower(g, loadRows(b.r), figures, "power-loads.csv")
	return g
}

// listPower adds rows of a table, some columns of which are figures.
func (b *book) listPower(g *grid, rows func(func([]string) bool), figures map[int]bool, file string) {
	listed, more := 0, 0
	for row := range rows {
		if listed == mostPowerRows {
			more++
			continue
		}
		listed++
		cells := make([]cell, len(row))
		for i, value := range row {
			v, err := strconv.ParseFloat(value, 64)
			switch {
			case value == "":
			case figures[i] && err == nil:
				cells[i] = number(v)
			default:
				cells[i] = text(value)
			}
		}
		g.add(cells...)
	}
	g.filter = g.next() - 1
	if more > 0 {
		g.add()
		g.add(text(fmt.Sprintf("%s more rows are in %s.", grouped(int64(more)), file)).as(note))
	}
}
