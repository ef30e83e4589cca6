package buildcmd

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/build"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
)

// mostSteps is how many steps of a chain are printed; the JSON document has all.
const mostSteps = 12

// print prints the document for people; the closeout package is in the directory of that name.
func print(w io.Writer, doc *build.Document, closeout string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s of %s, %s, %s with %s; labour figures %s of %s\n", doc.Machine, doc.Work,
		english.Count(doc.Racks, "rack"), english.Count(doc.Boxes, "box"),
		english.Count(doc.Cables, "cable"), english.Count(doc.Links, "link"), doc.Labour, doc.Date)
	if p := doc.Progress; p != nil {
		fmt.Fprintf(&b, "%s done, %s left", english.Count(p.Cables, "cable"), english.Grouped(p.Left))
		if p.Factor > 0 {
			fmt.Fprintf(&b, "; %s measured, %.2f times the figures", english.Count(p.Measured, "cable"), p.Factor)
		}
		b.WriteString("\n")
	}
	if doc.GrownFrom != "" {
		fmt.Fprintf(&b, "grown from %s in %s, which pull out %s of it\n", doc.GrownFrom, english.Count(doc.Steps,
			"step"), english.Count(doc.Disconnected, "cable"))
	}
	printDuration(&b, doc)
	printForecast(&b, doc.Forecast)
	printPeople(&b, doc)
	printChain(&b, "Critical path, with any number of people: "+cli.Digits(doc.CriticalHours)+" h", doc.CriticalPath)
	printChain(&b, "What decides the end of this schedule", doc.Chain)
	printWork(&b, doc)
	printFabrics(&b, doc)
	printMistakes(&b, doc)
	if len(doc.Stages) > 0 {
		b.WriteString("\nTests by stage\n")
		for _, s := range doc.Stages {
			fmt.Fprintf(&b, "  days %d to %d, %s: %s\n", s.First, s.Last, s.Stage, s.Check)
		}
	}
	if c := doc.Closeout; c != nil {
		fmt.Fprintf(&b, "\nCloseout package in %s: %s of %s right, %s, %s unknown; %s\n", closeout,
			english.Grouped(int64(c.Right)), english.Count(c.Links, "link"),
			english.Count(c.Differences, "difference"), english.Grouped(int64(c.Unknown)),
			english.Count(c.Spares, "spare"))
		if c.Conflicts > 0 {
			fmt.Fprintf(&b, "  %s of --progress with --as-built, in differences.csv\n",
				english.Count(c.Conflicts, "conflict"))
		}
	}
	for _, note := range doc.Notes {
		fmt.Fprintf(&b, "\nnote: %s\n", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func printDuration(b *strings.Builder, doc *build.Document) {
	gap := ""
	if doc.LowerBound > 0 {
		gap = fmt.Sprintf("; no schedule with these people is below %s h (%.1f %% less)", cli.Digits(doc.LowerBound),
			100*(1-doc.LowerBound/doc.Hours))
	}
	fmt.Fprintf(b, "\n%s working hours, %s of %s h", cli.Digits(doc.Hours), english.Count(doc.Days, "day"),
		cli.Digits(float64(doc.PerDay)/60))
	if doc.Start != "" {
		fmt.Fprintf(b, ", %s to %s", doc.Start, doc.End)
	}
	b.WriteString(gap + "\n")
	fmt.Fprintf(b, "  drawn from the ranges of the figures: P10 %s h, P50 %s h, P90 %s h\n", cli.Digits(doc.Range.P10),
		cli.Digits(doc.Range.P50), cli.Digits(doc.Range.P90))
	fmt.Fprintf(b, "  %s links a day, %s racks a day\n", cli.Digits(doc.LinksPerDay), cli.Digits(doc.RacksPerDay))
}

// mostLate is how many late racks are printed; forecast.csv has all racks.
const mostLate = 5

// printForecast prints what ends on another day than in the calendar without progress.
func printForecast(b *strings.Builder, f *build.Forecast) {
	if f == nil {
		return
	}
	b.WriteString("\nAgainst the calendar without progress")
	if f.Start != "" {
		b.WriteString(" from " + f.Start)
	}
	fmt.Fprintf(b, ": this schedule begins on day %d of it, before which it has %s\n", f.Begins,
		english.Count(f.Planned, "cable"))
	day := func(n int, date string) string {
		if n == 0 {
			return "done"
		}
		return strings.TrimSpace(fmt.Sprintf("day %d %s", n, date))
	}
	table := [][]string{{"what", "planned end", "forecast end", "days late"}}
	add := func(l *build.Late) {
		late := "-"
		if l.Days != nil {
			late = strconv.Itoa(*l.Days)
		}
		name := strings.TrimSpace(l.Of + " " + l.Name)
		if l.Of == build.OfFabric && l.Name == "" {
			name = "the network"
		}
		table = append(table, []string{
			name, day(l.Planned, l.PlannedDate), day(l.End, l.EndDate), late,
		})
	}
	var racks []*build.Late
	count := 0
	for i := range f.Late {
		switch l := &f.Late[i]; {
		case l.Of != build.OfRack:
			add(l)
		default:
			if count++; l.Days != nil && *l.Days > 0 {
				racks = append(racks, l)
			}
		}
	}
	slices.SortStableFunc(racks, func(a, b *build.Late) int { return cmp.Compare(*b.Days, *a.Days) })
	for _, l := range racks[:min(len(racks), mostLate)] {
		add(l)
	}
	cli.WriteTable(b, table)
	fmt.Fprintf(b, "  %d of %s late\n", len(racks), english.Count(count, "rack"))
}

func printPeople(b *strings.Builder, doc *build.Document) {
	b.WriteString("\nPeople in a shift\n")
	table := [][]string{{"skill", "people", "used", "busy"}}
	for _, c := range doc.People {
		table = append(table, []string{
			string(c.Skill), strconv.Itoa(c.People), strconv.Itoa(c.Used), fmt.Sprintf("%.0f %%", 100*c.Busy),
		})
	}
	cli.WriteTable(b, table)
}

// printChain prints the first and the last steps of a chain.
func printChain(b *strings.Builder, title string, chain []build.Step) {
	if len(chain) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	table := [][]string{{"begin_h", "end_h", "task", "begins"}}
	for i := range chain {
		if len(chain) > mostSteps && i >= mostSteps/2 && i < len(chain)-mostSteps/2 {
			if i == mostSteps/2 {
				table = append(table, []string{"", "", fmt.Sprintf("... %d more", len(chain)-mostSteps), ""})
			}
			continue
		}
		s := &chain[i]
		why := map[string]string{
			"": "at once", "after": "after the task before", "people": "when people are free",
			"place": "when the place is free", "delivery": "on delivery",
		}[s.Why]
		table = append(table, []string{cli.Digits(s.Begin), cli.Digits(s.End), s.Task, why})
	}
	cli.WriteTable(b, table)
}

// where says where the cables of a span run.
var where = map[build.Span]string{
	build.InRack: "within racks", build.InRow: "between racks of a row", build.InRoom: "between rows",
}

func printWork(b *strings.Builder, doc *build.Document) {
	b.WriteString("\nWork\n")
	table := [][]string{{"activity", "skill", "pieces", "hours", "low", "high", "cost", "confidence"}}
	cost := func(r *build.Range) string {
		if r == nil {
			return "unknown"
		}
		return cli.Digits(r.Likely)
	}
	for i := range doc.Activities {
		e := &doc.Activities[i]
		table = append(table, []string{
			string(e.Of), string(e.Skill), english.Grouped(e.Pieces), cli.Digits(e.Hours.Likely),
			cli.Digits(e.Hours.Low), cli.Digits(e.Hours.High), cost(e.Cost), string(e.Confidence),
		})
	}
	h := &doc.PersonHours
	table = append(table, []string{
		"sum", "", "", cli.Digits(h.Likely), cli.Digits(h.Low), cli.Digits(h.High), cost(doc.Cost), "",
	})
	cli.WriteTable(b, table)
	fmt.Fprintf(b, "  hours of people; cost in %s; P10 %s h, P50 %s h, P90 %s h\n", doc.Currency,
		cli.Digits(doc.HoursRange.P10), cli.Digits(doc.HoursRange.P50), cli.Digits(doc.HoursRange.P90))
	for _, s := range doc.BySpan {
		each := "at an unknown cost"
		if s.Cost != nil {
			each = fmt.Sprintf("%s %s", strconv.FormatFloat(*s.Cost, 'f', 2, 64), doc.Currency)
		}
		fmt.Fprintf(b, "  %s %s: %s h and %s each\n", english.Count(s.Cables, "cable"), where[s.Span],
			cli.Digits(s.Hours), each)
	}
}

func printFabrics(b *strings.Builder, doc *build.Document) {
	if len(doc.Fabrics) > 0 {
		b.WriteString("\nIn service\n")
		table := [][]string{{"fabric", "after h", "day", "date"}}
		for _, f := range doc.Fabrics {
			name := f.Fabric
			if name == "" {
				name = "the network"
			}
			table = append(table, []string{name, cli.Digits(f.Hours), strconv.Itoa(f.Day), f.Date})
		}
		cli.WriteTable(b, table)
	}
	if len(doc.Deliveries) > 0 {
		b.WriteString("\nDeliveries that work waits for\n")
		table := [][]string{{"part", "lead time, days", "there on day", "date", "tasks", "begun at once"}}
		for _, d := range doc.Deliveries {
			table = append(table, []string{
				d.Part, cli.Digits(d.Lead), strconv.Itoa(d.Day), d.Date, strconv.Itoa(d.Tasks), strconv.Itoa(d.Begun),
			})
		}
		cli.WriteTable(b, table)
	}
	if len(doc.Orders) > 0 {
		b.WriteString("\nLatest dates of orders, so that no task begins later\n")
		table := [][]string{{"part", "lead time, days", "order by", "needed", "for"}}
		for _, o := range doc.Orders {
			table = append(table, []string{o.Part, cli.Digits(o.Lead), o.By, o.Begin, o.Task})
		}
		cli.WriteTable(b, table)
	}
}

func printMistakes(b *strings.Builder, doc *build.Document) {
	if len(doc.Mistakes) > 0 {
		b.WriteString("\nIf plugs are wrong: hours of people to correct them (no published share was found)\n")
		table := [][]string{{"share", "wrong plugs", "found after each bundle", "found after commissioning"}}
		for _, m := range doc.Mistakes {
			table = append(table, []string{
				strconv.FormatFloat(m.Percent, 'f', -1, 64) + " %", cli.Digits(m.Wrong), cli.Digits(m.AtOnce),
				cli.Digits(m.Late),
			})
		}
		cli.WriteTable(b, table)
	}
	if d := doc.DeadOptics; d != nil {
		mark := ""
		if d.Confidence == catalog.Estimate {
			mark = " (estimate)"
		}
		fmt.Fprintf(b, "  dead on arrival%s: %s of %s, %s to %s; %s h to swap them\n", mark, cli.Digits(d.Dead.Likely),
			english.Count(d.Optics, "optic"), cli.Digits(d.Dead.Low), cli.Digits(d.Dead.High),
			cli.Digits(d.Hours))
	}
}
