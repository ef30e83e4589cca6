package render

import (
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render/chart"
)

// accepted is the figures of what was simulated, a group of rows for each traffic.
func (t *compareTable) accepted(c *report.Comparison) {
	if len(c.Traffic) == 0 {
		return
	}
	t.heading("Accepted at full load, simulated")
	t.row("routing", "", func(m *report.Compared) any { return m.Accepted[0].Routing })
	t.row("virtual channels of a port", "", func(m *report.Compared) any { return int64(m.Accepted[0].VCs) })
	t.row("buffer of each", "packets", func(m *report.Compared) any { return int64(m.Accepted[0].Buffer) })
	for k, name := range c.Traffic {
		row := func(figure, unit string, value func(m *report.Compared, a *report.Accepted) any) {
			t.row(name+figure, unit, func(m *report.Compared) any { return value(m, &m.Accepted[k]) })
		}
		row(", share of the ports", "", func(_ *report.Compared, a *report.Accepted) any { return a.Share })
		row(", 95 % interval ±", "", func(_ *report.Compared, a *report.Accepted) any { return a.HalfWidth })
		row(", share at most, by any routing", "", func(_ *report.Compared, a *report.Accepted) any { return a.Bound })
		row(", per node", "Gb/s", func(_ *report.Compared, a *report.Accepted) any { return float64(a.PerNode()) })
		row(", network cost per Gb/s", "", func(m *report.Compared, a *report.Accepted) any {
			return m.NetworkBy(a.Rate())
		})
		row(", cost per Gb/s", "", func(m *report.Compared, a *report.Accepted) any { return m.TotalBy(a.Rate()) })
	}
}

// RankingTable is a ranking for people.
type RankingTable struct {
	Title string
	Head  []string
	Rows  [][]string
}

// RankingTables are the rankings of a comparison, a table for each traffic.
func RankingTables(c *report.Comparison) []RankingTable {
	var out []RankingTable
	for k, r := range c.Rankings() {
		currency := c.Machines[0].Currency
		t := RankingTable{
			Title: fmt.Sprintf("Network cost per accepted Gb/s, %s traffic at full load", r.Traffic),
			Head: []string{
				"rank", "machine", "network " + currency + " per Gb/s", "total " + currency + " per Gb/s",
				"Gb/s per node", "share of port", "±", "at most",
			},
		}
		order := rankOrder(c, &r)
		columns := make([]CompareRow, 6) // each is written in one format
		for _, i := range order {
			m := &c.Machines[i]
			a := &m.Accepted[k]
			for j, v := range []any{
				m.NetworkBy(a.Rate()), m.TotalBy(a.Rate()), float64(a.PerNode()), a.Share, a.HalfWidth, a.Bound,
			} {
				columns[j].Values = append(columns[j].Values, v)
			}
		}
		for n, i := range order {
			line := []string{"-", chart.Numbered(i, c.Machines[i].Machine)}
			if place := r.Place(i); place > 0 {
				line[0] = fmt.Sprint(place)
			}
			for j := range columns {
				line = append(line, columns[j].Text(n))
			}
			t.Rows = append(t.Rows, line)
		}
		out = append(out, t)
	}
	return out
}

// rankOrder is the machines in their order, then those that have none.
func rankOrder(c *report.Comparison, r *report.Ranking) []int {
	out := slices.Clone(r.Order)
	for i := range c.Machines {
		if r.Place(i) == 0 {
			out = append(out, i)
		}
	}
	return out
}

// rankingSheet is the rankings of a workbook; nil where nothing was simulated.
func rankingSheet(c *report.Comparison) *grid {
	rankings := c.Rankings()
	if len(rankings) == 0 {
		return nil
	}
	g := &grid{name: "Ranking", frozen: 1}
	g.add(heads("Traffic", "Rank", "Machine", "Network cost", "Total cost", "Currency", "Nodes", "Share of port",
		"95 % interval ±", "Share at most", "Gb/s of a port", "Gb/s accepted", "Network cost per Gb/s",
		"Total cost per Gb/s", "Routing", "Virtual channels")...)
	for k, r := range rankings {
		for _, i := range rankOrder(c, &r) {
			m := &c.Machines[i]
			a := &m.Accepted[k]
			at := g.next()
			row := []cell{text(r.Traffic), {}, text(m.Machine), valueCell(m.Cost.Network), valueCell(m.Cost.Total)}
			if place := r.Place(i); place > 0 {
				row[1] = whole(int64(place))
			}
			row = append(row, text(m.Currency), whole(int64(a.Nodes)), shareCell(a.Share), shareCell(a.HalfWidth),
				shareCell(a.Bound), valueCell(float64(a.Port)))
			if r.Place(i) > 0 {
				row = append(row,
					valueCell(float64(a.Rate())).by(ref(7, at)+"*"+ref(8, at)+"*"+ref(11, at)),
					valueCell(m.NetworkBy(a.Rate())).by(ref(4, at)+"/"+ref(12, at)),
					valueCell(m.TotalBy(a.Rate())).by(ref(5, at)+"/"+ref(12, at)))
			} else {
				row = append(row, cell{}, cell{}, cell{})
			}
			g.add(append(row, text(a.Routing), whole(int64(a.VCs)))...)
		}
	}
	g.add()
	for _, line := range rankingNotes(c) {
		g.add(text(line).as(note))
	}
	return g
}

// shareCell is a share with the digits that it is used with in formulas.
func shareCell(v float64) cell {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return cell{}
	}
	return cell{value: v, style: percent}
}

// rankingNotes say how what is accepted was measured, and what spoils it.
func rankingNotes(c *report.Comparison) []string {
	if len(c.Traffic) == 0 {
		return nil
	}
	out := []string{"accepted throughput is simulated: every node offers what its port carries, packets take the " +
		"usual routing of the family, and links the time of their planned " +
		"lengths; \"at most\" is a bound for any routing"}
	out = append(out, c.Unequal...)
	for i := range c.Machines {
		m := &c.Machines[i]
		for _, a := range m.Accepted {
			if !a.Stationary {
				out = append(out, fmt.Sprintf("%s: what is accepted of %s traffic was still changing when measured",
					m.Machine, a.Traffic))
			}
		}
		if m.Accepted[0].Port <= 0 {
			out = append(out, m.Machine+": no port states a rate, so there is no cost per Gb/s")
		}
	}
	return out
}
