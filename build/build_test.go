package build

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/units"
)

// planText plans a machine file.
func planText(t testing.TB, text string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// example plans an example.
func example(t testing.TB, name string) *machine.Result {
	t.Helper()
	data, err := examples.Files.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return planText(t, string(data))
}

// small is a tree in a room of racks.
const small = `
name: small
topology: {family: fat-tree, nodes: 24, radix: 16}
packaging: {node: {per_rack: 6}}
`

func of(t testing.TB, r *machine.Result, opt Options) *Document {
	t.Helper()
	opt.Draws = 2
	d, err := Of(context.Background(), r, opt)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// check holds a document against a simulation of its tasks and against the plan.
func check(t rapid.TB, r *machine.Result, d *Document) {
	t.Helper()
	p := d.project
	people := make([]int, len(Skills))
	for i, c := range d.People {
		people[i] = c.People
		if c.Used > c.People {
			t.Errorf("%d of %d people for %s work", c.Used, c.People, c.Skill)
		}
	}
	if wrong, end := simulate(p.tasks, people, d.schedule); wrong != "" || end != d.schedule.End {
		t.Errorf("%s: the work ends at %d, simulated %d", wrong, d.schedule.End, end)
	}
	if d.Hours < d.LowerBound || d.LowerBound < d.CriticalHours {
		t.Errorf("%v h, at least %v h, critical path %v h", d.Hours, d.LowerBound, d.CriticalHours)
	}
	var sums Day
	person := 0.0
	for _, day := range d.ByDay {
		sums.Racks += day.Racks
		sums.Boxes += day.Boxes
		sums.Cables += day.Cables
		sums.Links += day.Links
		for _, h := range day.Hours {
			person += h
		}
	}
	if sums.Racks != d.Racks || sums.Boxes != d.Boxes || sums.Cables != d.Cables || sums.Links != d.Links {
		t.Errorf("the days have %+v, the build %d, %d, %d, %d", sums, d.Racks, d.Boxes, d.Cables, d.Links)
	}
	// Minutes of tasks are rounded up, each by less than one for every person.
	if spare := person - d.PersonHours.Likely; spare < -1e-6 || spare > float64(len(p.tasks))*4/60 {
		t.Errorf("people work %v h, by activity %v h", person, d.PersonHours.Likely)
	}
	aisles := 0.0
	for _, a := range d.Aisles() {
		for _, day := range a.Hours {
			for _, h := range day {
				aisles += h
			}
		}
	}
	for i := range p.tasks {
		if p.jobs[i].racks == [2]int32{-1, -1} {
			aisles += hours(p.tasks[i].Minutes * int64(p.tasks[i].People))
		}
	}
	if math.Abs(aisles-person) > 1e-6*person {
		t.Errorf("at racks and trays people work %v h, on all days %v h", aisles, person)
	}
	entries := d.Calendar()
	last := 0
	for i, e := range entries {
		long := math.Abs(e.End-e.Begin-float64(e.Minutes)/60) > 1e-9
		if i > 0 && e.Begin < entries[i-1].Begin || e.EndDay < e.BeginDay || long {
			t.Errorf("entry %d: %+v", i, e)
		}
		last = max(last, e.EndDay)
	}
	if last != d.Days {
		t.Errorf("the calendar ends on day %d, the build on day %d", last, d.Days)
	}
	for i, s := range d.Chain {
		if i > 0 && math.Abs(s.Begin-d.Chain[i-1].End) > 1e-9 {
			t.Errorf("the chain has %+v after %+v", s, d.Chain[i-1])
		}
	}
	if n := len(d.Chain); n == 0 || math.Abs(d.Chain[n-1].End-d.Hours) > 1e-9 {
		t.Errorf("the chain does not lead to the end: %+v", d.Chain)
	}
}

// agree holds the counts of a whole build against the schedule of cables and the bill.
func agree(t rapid.TB, r *machine.Result, d *Document) {
	t.Helper()
	s := r.Schedule
	boxes := 0
	for _, k := range s.Kinds {
		boxes += k.Count
	}
	if d.Boxes != int64(boxes) || d.Cables != s.Cables {
		t.Errorf("%d boxes and %d cables, the plan has %d and %d", d.Boxes, d.Cables, boxes, s.Cables)
	}
	wired, optics, bought := int64(0), int64(0), int64(0)
	for i := range s.Segments {
		if seg := &s.Segments[i]; seg.Product != cabling.IsTrace && !s.Continues(seg) {
			wired++
		}
	}
	for i := range d.Activities {
		if e := &d.Activities[i]; e.Of == PlugOptic {
			optics += e.Pieces
		}
	}
	for i := range r.Bill.Rows {
		if row := &r.Bill.Rows[i]; row.Kind == catalog.KindOptic {
			bought += row.Qty
		}
	}
	if d.Links != wired || optics != bought {
		t.Errorf("%d links and %d optics, the plan has %d and %d", d.Links, optics, wired, bought)
	}
}

// TestBuildsOfExamples: the tasks of examples keep their conditions, their counts are those of the plan, and their
// schedules are near the lower bound.
func TestBuildsOfExamples(t *testing.T) {
	near := []string{"superpod-h100-compute", "oracle-eight-rack", "gb300-nvl72", "tsubame2-hyperx", "derecho"}
	if os.Getenv("PLENUM_LONG") != "" {
		near = append(near, "superpod-h100-4su", "frontera", "summit", "hpn-7", "perlmutter", "cloudmatrix-384",
			"superpod-b200", "nvl72-8", "superpod-b300-planes", "dragonfly-1056")
	}
	for _, name := range near {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := example(t, name)
			d := of(t, r, Options{})
			check(t, r, d)
			agree(t, r, d)
			if d.Hours > 1.1*d.LowerBound {
				t.Errorf("%v h, the lower bound is %v h", d.Hours, d.LowerBound)
			}
		})
	}
}

// TestBuildsOfDrawnMachines: the same of trees with and without patch panels, of nested cubes, and of several fabrics,
// with drawn numbers of people and kinds of places.
func TestBuildsOfDrawnMachines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(4, 40).Draw(t, "nodes")
		tree := fmt.Sprintf("topology: {family: fat-tree, nodes: %d, radix: 16}\npackaging: {node: {per_rack: 5}}\n",
			nodes)
		text := map[string]string{
			"tree":   tree,
			"panels": tree + "cabling: {structured: {beyond: rack}}\n",
			"torus":  "topology: {family: torus, dims: [4, 4, 2]}\npackaging: {node: {per_rack: 4}}\n",
		}[rapid.SampledFrom([]string{"tree", "panels", "torus"}).Draw(t, "machine")]
		s, err := machine.Parse("machine.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		opt := Options{
			OneTeam: rapid.SampledFrom([]OneTeam{PerRack, PerRow, PerNone}).Draw(t, "one team"),
			People: map[Skill]int{
				Rigging: rapid.IntRange(2, 6).Draw(t, "rigging"), Cabling: rapid.IntRange(2, 9).Draw(t, "cabling"),
				Testing: rapid.IntRange(1, 4).Draw(t, "testing"), Power: rapid.IntRange(1, 2).Draw(t, "power"),
			},
			Remove: rapid.IntRange(0, 3).Draw(t, "remove") == 0, Draws: 1,
		}
		d, err := Of(context.Background(), r, opt)
		if err != nil {
			t.Fatal(err)
		}
		check(t, r, d)
		if opt.Remove {
			if d.Cables != r.Schedule.Cables {
				t.Errorf("%d cables are taken out of %d", d.Cables, r.Schedule.Cables)
			}
			return
		}
		agree(t, r, d)
		more := opt
		more.People = map[Skill]int{}
		for skill, n := range opt.People {
			more.People[skill] = n
		}
		more.People[rapid.SampledFrom(Skills).Draw(t, "one more")]++
		e, err := Of(context.Background(), r, more)
		if err != nil {
			t.Fatal(err)
		}
		if d.Tried && e.Tried && e.Hours > d.Hours {
			t.Errorf("with one more person %v h, before %v h", e.Hours, d.Hours)
		}
	})
}

// TestDeliveries: what waits for a part begins on the first working day on which it is there.
func TestDeliveries(t *testing.T) {
	r := planText(t, small)
	rows := r.Bill.Rows
	for i := range rows {
		if rows[i].Kind == catalog.KindSwitch {
			rows[i].Lead = 24
		}
	}
	d := of(t, r, Options{Calendar: Calendar{Start: date(t, "2027-03-03")}}) // a Wednesday
	if len(d.Deliveries) != 1 {
		t.Fatalf("deliveries: %+v", d.Deliveries)
	}
	// 24 days after Wednesday, 3 March, is Saturday, 27 March: the parts are there on Monday, after 18 working days.
	got := d.Deliveries[0]
	if got.Day != 19 || got.Date != "2027-03-29" || got.Lead != 24 || got.Begun == 0 {
		t.Errorf("%+v", got)
	}
	ordered := of(t, r, Options{
		Calendar: Calendar{Start: date(t, "2027-03-03")}, Ordered: date(t, "2027-02-20"), // eleven days before
	})
	if n := len(ordered.Deliveries); n != 1 || ordered.Deliveries[0].Date != "2027-03-16" {
		t.Errorf("ordered before: %+v", ordered.Deliveries)
	}
	if d.Hours < 18*6 {
		t.Errorf("the build takes %v h, before the switches are there", d.Hours)
	}
	check(t, r, d)
}

// TestLatestOrders: a part that is ordered on its latest date is there when the first task begins that needs it, and a
// day later it is not.
func TestLatestOrders(t *testing.T) {
	r := planText(t, small)
	left := 10 // each schedules the build
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		for i := range r.Bill.Rows {
			r.Bill.Rows[i].Lead = units.Days(rapid.IntRange(1, 60).Draw(rt, "lead"))
		}
		start := time.Date(2027, time.March, rapid.IntRange(1, 7).Draw(rt, "start"), 0, 0, 0, 0, time.UTC)
		opt := Options{Calendar: Calendar{Start: start}, Ordered: start.AddDate(0, 0, -30)}
		d := of(t, r, opt)
		c := &d.project.opt.Calendar
		if len(d.Orders) == 0 {
			rt.Fatal("no part is ordered")
		}
		for _, o := range d.Orders {
			by, err := time.Parse(time.DateOnly, o.By)
			if err != nil {
				rt.Fatal(err)
			}
			first := int64(1 << 62)
			for i := range d.project.jobs {
				for _, item := range d.project.jobs[i].needs {
					if item.String() == o.Part {
						first = min(first, d.schedule.Begin[i])
					}
				}
			}
			there := func(ordered time.Time) int64 { return c.after(o.Lead - start.Sub(ordered).Hours()/24) }
			if by.Before(opt.Ordered) || there(by) > first || there(by.AddDate(0, 0, 1)) <= first {
				rt.Fatalf("%+v: ordered then it is there at minute %d, a day later %d, and needed at %d", o, there(by),
					there(by.AddDate(0, 0, 1)), first)
			}
		}
	})
}

func date(t testing.TB, text string) time.Time {
	t.Helper()
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return day
}

// TestProgress: cables that are done take no work, and measured times calibrate the figures.
func TestProgress(t *testing.T) {
	r := planText(t, small)
	whole := of(t, r, Options{})
	var table strings.Builder
	table.WriteString("cable_id,done,by,when\n")
	n := 0
	r.Schedule.Each(func(number int64, seg *cabling.Segment) bool {
		if seg.Within >= 2 && n < 15 { // within a rack: 4 minutes and 1 for the labels
			fmt.Fprintf(&table, "%s,yes,ann,2027-03-01 08:%02d\n", r.Schedule.CableID(number), 4*n)
			n++
		}
		return true
	})
	p, err := ReadProgress("progress.csv", strings.NewReader(table.String()), r)
	if err != nil {
		t.Fatal(err)
	}
	if p.Cables() != n || n < leastMeasured+1 {
		t.Fatalf("%d of %d cables are done", p.Cables(), n)
	}
	d := of(t, r, Options{Progress: p})
	if d.Progress.Cables != int64(n) || d.Progress.Left != whole.Cables-int64(n) || d.Cables != d.Progress.Left {
		t.Errorf("%+v of %d cables", d.Progress, whole.Cables)
	}
	if d.Progress.Factor != 0.8 || d.Progress.Measured != n-1 {
		t.Errorf("measured: %+v", d.Progress)
	}
	if d.Racks >= whole.Racks || d.Links != whole.Links-int64(n) {
		t.Errorf("%d racks and %d links are left of %d and %d", d.Racks, d.Links, whole.Racks, whole.Links)
	}
	check(t, r, d)
	for text, want := range map[string]string{
		"cable_id,done\nC99999,yes\n":                            `progress.csv:2:1: the plan has no cable "C99999"`,
		"cable_id,done\n" + r.Schedule.CableID(1) + ",perhaps\n": `progress.csv:2:`,
		"cable,done\nx,yes\n":                                    "cable_id",
	} {
		_, err := ReadProgress("progress.csv", strings.NewReader(text), r)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestPartlyDoneBundle: of a bundle of which one cable is left, one link is left to plug in.
func TestPartlyDoneBundle(t *testing.T) {
	r := planText(t, small)
	var table strings.Builder
	table.WriteString("cable_id,done\n")
	for number := int64(2); number <= r.Schedule.Cables; number++ {
		fmt.Fprintf(&table, "%s,yes\n", r.Schedule.CableID(number))
	}
	p, err := ReadProgress("progress.csv", strings.NewReader(table.String()), r)
	if err != nil {
		t.Fatal(err)
	}
	d := of(t, r, Options{Progress: p})
	if d.Cables != 1 || d.Links != 1 || len(d.Turns()) != 1 {
		t.Errorf("%d cables and %d links are left, %v", d.Cables, d.Links, d.Turns())
	}
	check(t, r, d)
}

// TestTurns: every cable has its turn, in the order in which the calendar patches.
func TestTurns(t *testing.T) {
	for _, more := range []string{"", "cabling: {structured: {beyond: rack}}\n"} {
		r := planText(t, small+more)
		d := of(t, r, Options{})
		turns := d.Turns()
		if len(turns) != int(r.Schedule.Cables) {
			t.Errorf("%d of %d cables have a turn", len(turns), r.Schedule.Cables)
		}
		n, begins := 0, map[string]bool{}
		for _, e := range d.Calendar() {
			if e.Activity == Patch || e.Activity == LayTrunk {
				n++
				begins[fmt.Sprint(e.BeginDay, e.BeginAt)] = true
			}
		}
		for id, turn := range turns {
			if turn.Order < 1 || turn.Order > n || !begins[fmt.Sprint(turn.Day, turn.Begin)] {
				t.Errorf("%s: %+v of %d tasks", id, turn, n)
			}
		}
	}
}

// TestFirst: a fabric that is needed first is in service before it would be otherwise.
func TestFirst(t *testing.T) {
	r := example(t, "superpod-h100-compute")
	if len(r.Fabrics) != 0 {
		t.Fatal("the example has fabrics")
	}
	if _, err := Of(context.Background(), r, Options{First: []string{"x"}}); err == nil {
		t.Error("a fabric that is not there comes first")
	}
	r = example(t, "gb300-nvl72")
	ready := func(d *Document, fabric string) float64 {
		i := slices.IndexFunc(d.Fabrics, func(f Ready) bool { return f.Fabric == fabric })
		return d.Fabrics[i].Hours
	}
	before := of(t, r, Options{})
	last := slices.MaxFunc(before.Fabrics, func(a, b Ready) int { return int(a.Hours - b.Hours) })
	after := of(t, r, Options{First: []string{last.Fabric}})
	check(t, r, after)
	if ready(after, last.Fabric) > ready(before, last.Fabric) {
		t.Errorf("%s is in service after %v h, without haste after %v h", last.Fabric, ready(after, last.Fabric),
			last.Hours)
	}
}

// TestPreCabled: racks that arrive with boxes and cables in them leave the cables between racks to be patched.
func TestPreCabled(t *testing.T) {
	r := planText(t, small)
	whole, preset := of(t, r, Options{}), of(t, r, Options{Integrated: []string{All}})
	between := int64(0)
	r.Schedule.Each(func(_ int64, seg *cabling.Segment) bool {
		if !r.Schedule.InRack(int(seg.Within)) {
			between++
		}
		return true
	})
	if preset.Cables != between || preset.Boxes != 0 || preset.Racks != whole.Racks {
		t.Errorf("%d cables, %d boxes, %d racks; between racks are %d", preset.Cables, preset.Boxes, preset.Racks,
			between)
	}
	check(t, r, preset)
}

// TestCalendar: working minutes lie on working days, as a walk over all days has them.
func TestCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Calendar{
			Start: time.Date(2027, 1, rapid.IntRange(1, 28).Draw(t, "start"), 0, 0, 0, 0, time.UTC), Shifts: 1,
			Hours: float64(rapid.IntRange(1, 12).Draw(t, "hours")), Productive: 0.75, Begin: 480,
		}
		for i := range c.Days {
			c.Days[i] = rapid.Bool().Draw(t, "works")
		}
		c.Days[rapid.IntRange(0, 6).Draw(t, "one")] = true
		for range rapid.IntRange(0, 3).Draw(t, "off") {
			c.Off = append(c.Off, c.Start.AddDate(0, 0, rapid.IntRange(0, 20).Draw(t, "day off")))
		}
		lead := rapid.IntRange(0, 40).Draw(t, "lead")
		want := int64(0)
		for i := range lead {
			if day := c.Start.AddDate(0, 0, i); c.works(day) {
				want += int64(c.Hours * 45)
			}
		}
		if got := c.after(float64(lead)); got != want {
			t.Fatalf("%d days are %d minutes, want %d", lead, got, want)
		}
		day := c.dates(c.Day(want, false) + 1)
		if at := day[len(day)-1]; at.Before(c.Start.AddDate(0, 0, lead)) {
			t.Fatalf("what takes %d days is there on %v", lead, at)
		}
	})
	c := Calendar{Shifts: 2, Hours: 8, Productive: 0.75, Begin: 14 * 60, Days: WorkWeek}
	if at := c.clock(720, true); at != 30*60 || c.PerDay() != 720 || c.Day(720, true) != 0 || c.Day(720, false) != 1 {
		t.Errorf("a day of 720 minutes ends at %d", at)
	}
}

// TestLabourFaults: files of labour figures with mistakes are refused, with all of them.
func TestLabourFaults(t *testing.T) {
	const good = "name: own\ndate: '2027'\nfigures:\n" +
		"  - {of: patch, skill: cabling, people: 1, minutes: 6, source: own, confidence: user}\n"
	if _, err := ParseLabour("own.yaml", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		strings.Replace(good, "minutes: 6, ", "", 1):                            "the time is missing",
		strings.Replace(good, "minutes: 6", "minutes: 6, low: 7", 1):            "low",
		strings.Replace(good, "minutes: 6", "minutes: 6, units: 5", 1):          "figures of patch do not depend on it",
		strings.Replace(good, "of: patch", "of: pach", 1):                       "patch",
		strings.Replace(good, "people: 1", "people: 0", 1):                      "people",
		good + "productive: {share: 120 %, source: x, confidence: user}\n":      "the most is 100 %",
		good + "currency: dollars\n":                                            "ISO 4217",
		good + "pay:\n  - {per_hour: 5, low: 6, source: x, confidence: user}\n": "low",
	} {
		if _, err := ParseLabour("own.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestOwnFigures: the figures of a file decide before those that come along.
func TestOwnFigures(t *testing.T) {
	file := t.TempDir() + "/own.yaml"
	text := "name: own\ndate: '2027'\ncurrency: EUR\nfigures:\n" +
		"  - {of: patch, span: rack, skill: cabling, people: 1, minutes: 40, source: own, confidence: user}\n" +
		"pay:\n  - {skill: cabling, per_hour: 60, source: own, confidence: user}\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	own, err := LoadLabour(file)
	if err != nil {
		t.Fatal(err)
	}
	r := planText(t, small)
	before, after := of(t, r, Options{}), of(t, r, Options{Labour: own})
	patch := func(d *Document) (hours float64, cables int64, cost *Range) {
		for i := range d.Activities {
			if e := &d.Activities[i]; e.Of == Patch {
				return e.Hours.Likely, e.Pieces, e.Cost // the first figure is that within racks
			}
		}
		return 0, 0, nil
	}
	h, n, _ := patch(before)
	own40, m, cost := patch(after)
	if n != m || math.Abs(h-float64(n)*4/60) > 1e-9 || math.Abs(own40-float64(n)*40/60) > 1e-9 {
		t.Errorf("%v h of %d cables, and %v h of %d", h, n, own40, m)
	}
	if cost == nil || math.Abs(cost.Likely-60*own40) > 1e-6 || after.Cost != nil || after.Currency != "EUR" {
		t.Errorf("cost %v; sum %v in %s", cost, after.Cost, after.Currency)
	}
	check(t, r, after)
}

// TestCostsAreInTheCurrencyOfTheBill: where the machine file states a rate pay is converted, else a note says what the
// costs are in.
func TestCostsAreInTheCurrencyOfTheBill(t *testing.T) {
	dollars := of(t, planText(t, small), Options{})
	euros := of(t, planText(t, small+"prices: {currency: EUR, rates: {USD: 0.5}, rates_date: 2026-11-01}\n"), Options{})
	half := func(a, b float64) bool { return math.Abs(a*2-b) < 1e-6 }
	if dollars.Currency != "USD" || euros.Currency != "EUR" || dollars.Cost == nil || euros.Cost == nil ||
		!half(euros.Cost.Likely, dollars.Cost.Likely) || !half(euros.Cost.Low, dollars.Cost.Low) ||
		!half(euros.Cost.High, dollars.Cost.High) {
		t.Errorf("%s %+v, %s %+v", dollars.Currency, dollars.Cost, euros.Currency, euros.Cost)
	}
	in := func(d *Document, what string) bool {
		return slices.ContainsFunc(d.Notes, func(n string) bool { return strings.Contains(n, what) })
	}
	own := DefaultLabour()
	own.Currency = "CHF"
	francs := of(t, planText(t, small), Options{Labour: own})
	if francs.Currency != "CHF" || !in(francs, "costs are in CHF, the bill is in USD") || in(dollars, "costs are in") ||
		in(euros, "costs are in") {
		t.Errorf("%s: %q, %q, %q", francs.Currency, francs.Notes, dollars.Notes, euros.Notes)
	}
}

// TestWhatExistsIsNoWork: of a machine that exists nothing is to be built.
func TestWhatExistsIsNoWork(t *testing.T) {
	dir := t.TempDir()
	r := planText(t, small)
	for name, write := range map[string]render.Writer{"placement.csv": render.Placement, "cables.csv": render.Cables} {
		var b strings.Builder
		if err := write(context.Background(), &b, r); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	grown := planText(t, strings.Replace(small, "nodes: 24", "nodes: 30", 1)+
		fmt.Sprintf("owned: {placement: %[1]s/placement.csv, cables: %[1]s/cables.csv}\n", dir))
	d := of(t, grown, Options{})
	check(t, grown, d)
	if d.Boxes < 6 || d.Boxes > 8 || d.Cables != grown.Schedule.Cables-r.Schedule.Cables {
		t.Errorf("%d boxes and %d cables are new of %d, %d of which exist", d.Boxes, d.Cables, grown.Schedule.Cables,
			r.Schedule.Cables)
	}
}

// TestNoRanges: figures without bounds make all draws alike.
func TestNoRanges(t *testing.T) {
	l := DefaultLabour()
	for i := range l.Figures {
		f := &l.Figures[i]
		f.Low, f.High, f.LowShare, f.HighShare = nil, nil, nil, nil
	}
	r := planText(t, small)
	d, err := Of(context.Background(), r, Options{Labour: l, Draws: 5})
	if err != nil {
		t.Fatal(err)
	}
	if all := (Quantiles{d.Hours, d.Hours, d.Hours}); d.Range != all {
		t.Errorf("%+v, want %+v", d.Range, all)
	}
	if h := d.PersonHours; h.Low != h.Likely || h.High != h.Likely || math.Abs(d.HoursRange.P90-h.Likely) > 1e-9 {
		t.Errorf("%+v and %+v", h, d.HoursRange)
	}
	wide := of(t, r, Options{})
	if q := wide.HoursRange; q.P10 > q.P90 || q.P10 < wide.PersonHours.Low || q.P90 > wide.PersonHours.High {
		t.Errorf("%+v is not within %+v", q, wide.PersonHours)
	}
}

// TestMistakes: of 1 % of the plugs, two a cable, each takes 22 minutes to correct; found late, two links are tested
// again for 2 minutes each, and two racks commissioned again, 5 minutes for each box of a fabric.
func TestMistakes(t *testing.T) {
	d := of(t, planText(t, small), Options{Wrong: []float64{1}})
	if len(d.Mistakes) != 1 {
		t.Fatal(d.Mistakes)
	}
	racks, boxes := 0.0, 0.0
	for i := range d.project.jobs {
		for _, w := range d.project.jobs[i].work {
			if w.of == Commission {
				racks, boxes = racks+1, boxes+float64(w.pieces)
			}
		}
	}
	m, wrong := d.Mistakes[0], float64(2*d.Cables)/100
	late := wrong * (22 + 2*2 + 2*5*boxes/racks) / 60
	if math.Abs(m.Wrong-wrong) > 1e-9 || math.Abs(m.AtOnce-wrong*22/60) > 1e-9 || math.Abs(m.Late-late) > 1e-9 {
		t.Errorf("%+v, want %v wrong plugs and %v h late", m, wrong, late)
	}
	if boxes != float64(d.Boxes) {
		t.Errorf("%v of %d boxes are commissioned", boxes, d.Boxes)
	}
	pod := of(t, example(t, "superpod-h100-compute"), Options{})
	dead := pod.DeadOptics
	if dead == nil || math.Abs(dead.Dead.Likely-float64(dead.Optics)*0.005) > 1e-9 ||
		math.Abs(dead.Hours-dead.Dead.Likely*25/60) > 1e-9 || dead.Dead.Low*10 != dead.Dead.High {
		t.Errorf("%+v", dead)
	}
}
