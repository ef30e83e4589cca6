package buildcmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/build"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/handout"
)

// pullsOf lists the cables that the schedule plugs in, in its order; within a task as pull sheets have them.
func pullsOf(plan *machine.Result, doc *build.Document) []handout.Pull {
	turns := doc.Turns()
	if len(turns) == 0 {
		return nil
	}
	pulls := slices.DeleteFunc(handout.Pulls(plan, ""), func(p handout.Pull) bool {
		_, ok := turns[p.Cable]
		return !ok
	})
	for i := range pulls {
		t := turns[pulls[i].Cable]
		pulls[i].Begin = t.Begin
		if doc.Start == "" {
			pulls[i].Begin = fmt.Sprintf("day %d %s", t.Day, t.Begin)
		}
	}
	slices.SortStableFunc(pulls, func(a, b handout.Pull) int {
		return cmp.Compare(turns[a.Cable].Order, turns[b.Cable].Order)
	})
	return pulls
}

// round rounds an hour to a hundredth.
func round(x float64) float64 { return math.Round(x*100) / 100 }

// some is a number, nothing for 0.
func some(n int) any {
	if n == 0 {
		return nil
	}
	return int64(n)
}

// calendarTable lists the tasks in the order in which they begin.
func calendarTable(doc *build.Document) render.Table {
	t := render.Table{Name: "Calendar", Columns: []string{
		"begin_day", "begin", "end_day", "end", "task", "activity", "skill", "people", "racks", "pieces", "links",
		"bundle", "pull_order", "fabric", "minutes", "begin_h", "end_h", "waits_for",
	}}
	for _, e := range doc.Calendar() {
		t.Rows = append(t.Rows, []any{
			int64(e.BeginDay), e.BeginAt, int64(e.EndDay), e.EndAt, e.Task, string(e.Activity), string(e.Skill),
			int64(e.People), strings.Join(e.Racks, " "), e.Pieces, some(int(e.Links)), some(e.Bundle), some(e.Order),
			e.Fabric, e.Minutes, round(e.Begin), round(e.End), e.Waits,
		})
	}
	return t
}

// daysTable is what is finished on each day.
func daysTable(doc *build.Document) render.Table {
	t := render.Table{Name: "Days", Columns: []string{"day", "date", "racks", "boxes", "cables", "links"}}
	for _, s := range build.Skills {
		t.Columns = append(t.Columns, string(s)+"_h")
	}
	for i := range doc.ByDay {
		d := &doc.ByDay[i]
		row := []any{int64(d.Day), d.Date, int64(d.Racks), d.Boxes, d.Cables, d.Links}
		for _, s := range build.Skills {
			row = append(row, round(d.Hours[s]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// forecastTable is when the build, fabrics, activities and racks end, beside the calendar without progress.
func forecastTable(f *build.Forecast) render.Table {
	t := render.Table{Name: "Forecast", Columns: []string{
		"of", "name", "planned_end_day", "planned_end", "forecast_end_day", "forecast_end", "days_late", "overdue",
	}}
	for i := range f.Late {
		l := &f.Late[i]
		var late any
		if l.Days != nil {
			late = int64(*l.Days)
		}
		t.Rows = append(t.Rows, []any{
			l.Of, l.Name, int64(l.Planned), l.PlannedDate, some(l.End), l.EndDate, late, strconv.FormatBool(l.Overdue),
		})
	}
	return t
}

// workTable is the work by activity.
func workTable(doc *build.Document) render.Table {
	t := render.Table{Name: "Work", Columns: []string{
		"activity", "skill", "pieces", "metres", "person_hours", "low_h", "high_h", "cost", "currency", "confidence",
		"source",
	}, Notes: doc.Notes}
	for i := range doc.Activities {
		e := &doc.Activities[i]
		var cost any
		if e.Cost != nil {
			cost = round(e.Cost.Likely)
		}
		t.Rows = append(t.Rows, []any{
			string(e.Of), string(e.Skill), e.Pieces, e.Metres, round(e.Hours.Likely), round(e.Hours.Low),
			round(e.Hours.High), cost, doc.Currency, string(e.Confidence), e.Source,
		})
	}
	return t
}

// mostDays is the number of days up to which the Gantt sheet has a column for each; above, weeks share one.
const mostDays = 400

// ganttTable is the work at each row of racks, or in each rack, by day.
func ganttTable(doc *build.Document) render.Table {
	each := 1
	if doc.Days > mostDays {
		each = (doc.Days + mostDays - 1) / mostDays
	}
	t := render.Table{Name: "Gantt", Columns: []string{"where"}, Shaded: 2, Notes: []string{
		"Hours of people by working day, rounded up; work between two racks or rows counts half in each.",
	}}
	for day := 0; day < doc.Days; day += each {
		name := "day " + strconv.Itoa(day+1)
		if date := doc.ByDay[day].Date; date != "" {
			name = date
		}
		t.Columns = append(t.Columns, name)
	}
	for _, a := range doc.Aisles() {
		row := []any{a.Name}
		for day := 0; day < doc.Days; day += each {
			sum := 0.0
			for _, hours := range a.Hours[day:min(day+each, doc.Days)] {
				for _, h := range hours {
					sum += h
				}
			}
			if sum == 0 {
				row = append(row, nil)
				continue
			}
			row = append(row, int64(math.Ceil(sum)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// installIDs are the lines of a bill for the cables of a span.
var installIDs = map[build.Span]string{
	build.InRack: cost.InstallInRack, build.InRow: cost.InstallInRow, build.InRoom: cost.InstallCrossRow,
}

// quoteTable is the cost of installing a cable as a quote, which a machine file can name among its quotes.
func quoteTable(doc *build.Document) render.Table {
	t := render.Table{Name: "Labour", Columns: []string{"part", "unit price", "currency", "date", "description"}}
	for _, s := range doc.BySpan {
		if s.Cost == nil || doc.Work != "build" {
			continue
		}
		date := doc.Date
		if len(date) == len("2026") {
			date += "-01-01"
		}
		t.Rows = append(t.Rows, []any{
			installIDs[s.Span], round(*s.Cost), doc.Currency, date,
			"clean, patch, label and test, from labour figures " + doc.Labour,
		})
	}
	return t
}

// ordersTable is orders.csv with the latest dates of orders.
func ordersTable(ctx context.Context, plan *machine.Result, doc *build.Document) (render.Table, error) {
	t := render.Table{Name: "Orders", Notes: []string{
		"order_by is the last date on which a part can be ordered so that no task of this schedule begins later. It " +
			"is empty for parts that no task needs or that have no lead time.",
	}}
	var text bytes.Buffer
	if err := render.OrdersBy(ctx, &text, plan, doc.OrderBy()); err != nil {
		return t, err
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		return t, err
	}
	t.Columns = rows[0]
	for _, fields := range rows[1:] {
		row := make([]any, len(fields))
		for i, field := range fields {
			figure := slices.Contains([]string{"line", "quantity", "pack", "unit_cost", "cost", "lead_time_days"},
				t.Columns[i])
			if v, err := strconv.ParseFloat(field, 64); figure && err == nil {
				row[i] = v
			} else if field != "" {
				row[i] = field
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}
