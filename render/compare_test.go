package render

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/units"
)

func compared(t *testing.T, files ...string) *report.Comparison {
	t.Helper()
	var machines []machine.Candidate
	for i, text := range files {
		spec, err := machine.Parse(fmt.Sprint(i, ".yaml"), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, machine.Candidate{File: fmt.Sprint(i), Spec: spec})
	}
	c, err := machine.Compare(context.Background(), machines, machine.CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const (
	someTorus  = "{name: A torus, topology: {family: torus, dims: [4, 4, 2]}}"
	someTree   = "{name: A fat tree, topology: {family: fat-tree, nodes: 32, radix: 8}}"
	someHyperX = "{name: A HyperX with a name that is much too long for any legend or label of a chart to show it " +
		"whole and that goes on and on and on for a while longer, topology: {family: hyperx, dims: [3, 3], " +
		"terminals: 2}}"
	oneNode = "{name: '=1+1', topology: {family: torus, dims: [1]}, prices: {unit: {generic-torus-node-1u: 1}}}"
	euros   = "{name: Euros, topology: {family: torus, dims: [5]}, prices: {currency: EUR, rates: {USD: 0.9}, " +
		"rates_date: 2025-01-01}}"
	sampled = "{name: Sampled, topology: {family: torus, dims: [20, 20]}, delay: {exact_limit: 10, samples: 20}}"
)

// Every file is written for every mix of machines, whole and the same each
// time.
func TestComparisonsOfAllSorts(t *testing.T) {
	many := make([]string, 24)
	for i := range many {
		many[i] = fmt.Sprintf("{name: Ring %d, topology: {family: torus, dims: [%d]}}", i, i+3)
	}
	for name, files := range map[string][]string{
		"two": {someTorus, someTree}, "odd": {oneNode, someHyperX, euros, sampled},
		"nothing to measure": {oneNode, oneNode}, "many": many,
	} {
		c := compared(t, files...)
		dir := filepath.Join(t.TempDir(), name)
		paths, err := CompareFiles(context.Background(), c, dir, chart.Options{Formats: chart.Formats})
		if err != nil || len(paths) != len(CompareNames(chart.Formats)) {
			t.Errorf("%s: %v, %v", name, paths, err)
			continue
		}
		for i, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil || filepath.Base(path) != CompareNames(chart.Formats)[i] {
				t.Errorf("%s: %s instead of %s, %v", name, path, CompareNames(chart.Formats)[i], err)
			}
			if strings.HasSuffix(path, ".png") {
				if _, err := png.Decode(bytes.NewReader(data)); err != nil {
					t.Errorf("%s: %s: %v", name, path, err)
				}
			}
		}
		again := t.TempDir()
		if _, err := CompareFiles(context.Background(), c, again, chart.Options{Formats: chart.Formats}); err != nil {
			t.Fatal(err)
		}
		for _, file := range CompareNames(chart.Formats) {
			one, _ := os.ReadFile(filepath.Join(dir, file))
			two, _ := os.ReadFile(filepath.Join(again, file))
			if !bytes.Equal(one, two) {
				t.Errorf("%s: %s differs from one time to the next", name, file)
			}
		}
	}
}

// The page shows the floors of the machines beside each other, and in which figures the others differ from the first:
// figures that all have alike are not in that table.
func TestComparePageShowsWhatDiffers(t *testing.T) {
	var machines []machine.Candidate
	for i, text := range []string{someTorus, someTree} {
		s, err := machine.Parse(fmt.Sprint(i, ".yaml"), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, machine.Candidate{File: fmt.Sprint(i), Spec: s})
	}
	c, err := machine.Compare(t.Context(), machines, machine.CompareOptions{
		Floor: func(r *machine.Result) ([]byte, error) {
			var b bytes.Buffer
			err := Floor(t.Context(), &b, r)
			return b.Bytes(), err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := ComparePage(t.Context(), &b, c); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `alt="Floor of `); n != 2 {
		t.Errorf("%d floors", n)
	}
	for i := range c.Machines {
		if _, err := png.Decode(bytes.NewReader(c.Machines[i].Floor)); err != nil {
			t.Error(err)
		}
	}
	d := differencesOf(CompareRows(c), 0)
	found := map[string][]string{}
	for _, r := range d.Rows {
		found[r.Figure] = append(r.Values, r.Against...)
		found[r.Figure] = append(found[r.Figure], r.Unit)
	}
	for _, r := range CompareRows(c) {
		got, is := found[r.Figure]
		if is && len(r.Values) > 0 && alike(r.Values) && r.Figure == "nodes" {
			t.Errorf("%s: %v in a table of differences", r.Figure, got)
		}
		if r.Figure == "cost" && (!is || got[4] != "USD" || got[2] != "" || got[3] != r.Against(1, 0)) {
			t.Errorf("cost: %q", got)
		}
	}
}

// The charts of a comparison are the marks that they were when they were last looked at.
func TestMarksOfAComparison(t *testing.T) {
	c := compared(t, someTorus, someTree)
	for name, draw := range map[string]func(*report.Comparison, chart.Style) (*chart.Drawing, error){
		"cost": chart.Cost, "delays": chart.Delays, "lengths": chart.Lengths, "cost-delay": chart.CostDelay,
	} {
		d, err := draw(c, chart.Style{})
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, "compare-"+name+".txt",
			strings.ReplaceAll(listed(t, d.Scene), "Plenum "+machine.Version, "Plenum VERSION"))
	}
}

// The workbook holds what the report says, its sums agree, and no name is a
// formula.
func TestComparisonWorkbook(t *testing.T) {
	c := compared(t, someTorus, oneNode, someTree)
	var b bytes.Buffer
	if err := CompareWorkbook(context.Background(), &b, c); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows("Comparison", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, r := range rows {
		if len(r) > 2 {
			found[r[0]+"/"+r[1]] = r[2:]
		}
	}
	report := c.Document()
	for i, m := range report.Machines {
		for figure, want := range map[string]string{
			"Figure/Unit": m.Machine, "nodes/": fmt.Sprint(m.Nodes), "cables/": fmt.Sprint(m.Cables),
			"cost/": fmt.Sprint(m.Cost.Total.Float()), "channels, at most/": fmt.Sprint(m.Bisection.Upper),
		} {
			if got := found[figure]; len(got) <= i || got[i] != want {
				t.Errorf("%s of machine %d is %v; want %s", figure, i, got, want)
			}
		}
	}
	if formula, _ := f.GetCellFormula("Comparison", "D1"); formula != "" {
		t.Errorf("the name of a machine became the formula %s", formula)
	}
	for n := 2; n <= 4; n++ {
		sum, err := f.CalcCellValue("Cost", ref(len(chart.AllCostKinds())+2, n), excelize.Options{RawCellValue: true})
		if want := fmt.Sprint(c.Machines[n-2].Cost.Total.Float()); err != nil || sum != want {
			t.Errorf("total of machine %d: the formula gives %s, %v; want %s", n-2, sum, err, want)
		}
	}
}

func TestComparisonPage(t *testing.T) {
	c := compared(t, strings.ReplaceAll(someTorus, "A torus", "<script>alert(1)</script>"), sampled)
	var b bytes.Buffer
	if err := ComparePage(context.Background(), &b, c); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if strings.Contains(page, "<script>alert") || !strings.Contains(page, "20 sources drawn") ||
		strings.Count(page, "data:image/png;base64,") != len(compareCharts) {
		t.Error("the page holds a script, hides that delays are sampled, or lacks charts")
	}
}

// The rankings of page and workbook are those of the comparison; the formulas give what the cells say.
func TestRankingSheetAndTables(t *testing.T) {
	c := compared(t, someTorus, someTree, oneNode)
	c.Traffic, c.Unequal = []string{"uniform", "tornado"}, []string{"not on equal terms: A has <much>"}
	for i := range c.Machines {
		c.Machines[i].Accepted = []report.Accepted{
			{Traffic: "uniform", Nodes: c.Machines[i].Nodes, Share: 0.5, Bound: 1, Port: 200, Stationary: true},
			{Traffic: "tornado", Nodes: c.Machines[i].Nodes, Share: 0.3, Bound: math.NaN(), Port: 200},
		}
	}
	tables := RankingTables(c)
	if len(tables) != 2 || len(tables[0].Rows) != 3 || tables[1].Rows[0][7] != "-" || tables[0].Rows[2][0] != "-" {
		t.Fatalf("%+v", tables) // one node has no network, hence no rank
	}
	var page, book bytes.Buffer
	if err := ComparePage(context.Background(), &page, c); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{tables[1].Title, "A has &lt;much&gt;", "still changing when measured"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if err := CompareWorkbook(context.Background(), &book, c); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&book)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	formulas := 0
	for n := 2; n <= 7; n++ {
		for column := 12; column <= 14; column++ {
			at := ref(column, n)
			if formula, _ := f.GetCellFormula("Ranking", at); formula == "" {
				continue
			}
			formulas++
			raw := excelize.Options{RawCellValue: true}
			got, err := f.CalcCellValue("Ranking", at, raw)
			kept, _ := f.GetCellValue("Ranking", at, raw)
			var x, y float64
			fmt.Sscan(got, &x)
			fmt.Sscan(kept, &y)
			if err != nil || math.Abs(x-y) > 1e-5*math.Abs(y) {
				t.Errorf("%s gives %s, %v; the cell has %s", at, got, err, kept)
			}
		}
	}
	if formulas != 12 {
		t.Errorf("%d formulas", formulas)
	}
}

// The bill's sources are named by what they priced.
func TestPricesAreNamedByWhatTheyPriced(t *testing.T) {
	cents := func(m units.Money) *units.Money { return &m }
	r := &report.Plan{PriceSet: "set", BOM: []cost.Row{
		{From: "set", Cost: cents(100)}, {From: "quote.csv", Cost: cents(900)}, {},
	}}
	if got := strings.Join(pricedBy(r), ", "); got != "quote.csv, set" {
		t.Error(got)
	}
	if got := pricedBy(&report.Plan{PriceSet: "set"}); len(got) != 1 || got[0] != "set" {
		t.Error(got)
	}
}

// Differences from a baseline are given where both are numbers, and the workbook's formulas agree.
func TestComparisonWithABaseline(t *testing.T) {
	c := compared(t, someTorus, oneNode, someTree)
	c.Baseline = 3
	rows := 0
	for _, r := range CompareRows(c) {
		for i := range r.Values {
			more := r.Against(i, 2)
			a, ok := numeric(r.Values[2])
			b, also := numeric(r.Values[i])
			switch {
			case i == 2 || !ok || !also || a == 0:
				if more != "" {
					t.Errorf("%s: %q", r.Figure, more)
				}
			case math.Abs(b/a-1) > 0.001:
				rows++
				if want := fmt.Sprintf("%+.1f %%", 100*(b/a-1)); more != want {
					t.Errorf("%s: %q, not %q", r.Figure, more, want)
				}
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d figures differ", rows)
	}
	var b bytes.Buffer
	if err := CompareWorkbook(context.Background(), &b, c); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := f.GetRows("Comparison", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	formulas := 0
	for n, row := range table {
		for column := 6; column <= 9; column++ { // two for each of the first two machines
			at := ref(column, n+1)
			if formula, _ := f.GetCellFormula("Comparison", at); formula != "" {
				formulas++
				got, err := f.CalcCellValue("Comparison", at, excelize.Options{RawCellValue: true})
				var x, y float64
				fmt.Sscan(got, &x)
				fmt.Sscan(row[column-1], &y)
				if err != nil || math.Abs(x-y) > 1e-3*max(1, math.Abs(y)) {
					t.Errorf("%s = %s gives %s, %v; the cell has %s", at, formula, got, err, row[column-1])
				}
			}
		}
	}
	if formulas < 40 {
		t.Errorf("%d formulas", formulas)
	}
}

// TestCostFavoursUnpricedRouters says above the scatter and in the charts of cost which machine has routers without a
// price, and draws money for each node where machines differ in nodes.
func TestCostFavoursUnpricedRouters(t *testing.T) {
	const favours = "Cost favours 1, whose routers have no price."
	const smallTree = "{topology: {family: fat-tree, nodes: 16, radix: 8}}"
	for _, test := range []struct {
		files   []string
		favours string
		money   string
	}{
		{[]string{someTorus, someTree}, favours, "Money and power: cost"},
		{[]string{someTorus, smallTree}, favours, "Money and power: cost per node"},
		{[]string{someTorus, someTorus}, "", "Money and power: cost"},
		{[]string{someTree, smallTree}, "", "Money and power: cost per node"},
	} {
		c := compared(t, test.files...)
		if got := c.CostWarning(); got != test.favours {
			t.Errorf("%q, want %q", got, test.favours)
		}
		var names []string
		rows := CompareRows(c)
		for i := range c.Machines {
			names = append(names, c.Machines[i].Machine)
		}
		if a := alternatives(names, rows); a.Figures[a.X].Name != test.money {
			t.Errorf("draws %q, want %q", a.Figures[a.X].Name, test.money)
		}
		var page bytes.Buffer
		if err := ComparePage(t.Context(), &page, c); err != nil {
			t.Fatal(err)
		}
		above, _, _ := strings.Cut(page.String(), `<div id="alternatives">`)
		if strings.Contains(above, favours) != (test.favours != "") {
			t.Errorf("the page of %q does not say %q above the scatter", test.files, test.favours)
		}
		for _, of := range chartsOf(c) {
			if of.name != "cost" && of.name != "cost-delay" {
				continue
			}
			d, err := of.draw(c, chart.Style{})
			if err != nil {
				t.Fatal(err)
			}
			var svg bytes.Buffer
			if err := d.Write(t.Context(), &svg, chart.SVG); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(svg.String(), "Cost favours 1, whose") != (test.favours != "") {
				t.Errorf("a chart of %q does not say %q", test.files, test.favours)
			}
		}
	}
}

// TestComparisonCountsWarnings: warnings stand beside errors, and the notes name their rules.
func TestComparisonCountsWarnings(t *testing.T) {
	c := compared(t, someTorus, someTree)
	c.Machines[0].Breaches = 2
	c.Machines[1].Warnings = []report.RuleCount{{Rule: "redundancy", Count: 1500}, {Rule: "aisle", Count: 3}}
	got := map[string]string{}
	for _, r := range CompareRows(c) {
		if r.Values != nil {
			got[r.Figure] = r.Text(0) + " " + r.Text(1)
		}
	}
	for figure, want := range map[string]string{
		"violations of design rules, errors": "2 0", "violations of design rules, warnings": "0 1,503",
	} {
		if got[figure] != want {
			t.Errorf("%s: %q, want %q", figure, got[figure], want)
		}
	}
	notes := strings.Join(CompareNotes(c), "\n")
	want := "A fat tree has warnings of design rules: redundancy (1,500) and aisle (3)"
	if !strings.Contains(notes, want) {
		t.Errorf("no note %q in\n%s", want, notes)
	}
}
