package render

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/internal/officetest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

func workbook(t *testing.T, r *machine.Result) *excelize.File {
	t.Helper()
	var b bytes.Buffer
	if err := Workbook(context.Background(), &b, r); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func cents(t *testing.T, s string) units.Money {
	t.Helper()
	m, err := units.ParseMoney(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// find returns the first row of a sheet whose first cells are as given.
func find(rows [][]string, first ...string) (row []string, number int) {
	for i, row := range rows {
		if len(row) >= len(first) && slices.Equal(row[:len(first)], first) {
			return row, i + 1
		}
	}
	return nil, 0
}

func TestWorkbookSheets(t *testing.T) {
	r := plan(t, superPod())
	f := workbook(t, r)
	want := []string{
		"Summary", "BOM", "Cables", "Boxes", "Racks", "Lengths", "Trays", "Bundles", "Cost", "Cable list", "Port maps",
		"Elevations", "Materials", "Delay", "Rules", "Order (no supplier)", "Assumptions",
	}
	if diff := cmp.Diff(want, f.GetSheetList()); diff != "" {
		t.Fatal(diff)
	}
	titles := map[string]bool{}
	for _, n := range f.GetDefinedName() {
		if n.Name == "_xlnm.Print_Titles" {
			titles[n.Scope] = true
		}
	}
	checkTables(t, f, "Summary", "Cost", "Elevations")
	for _, sheet := range want {
		orientation, across := "landscape", 1
		switch sheet {
		case "Cable list", "Bundles":
			orientation = "portrait"
		case "Cables":
			across = 3
		}
		if layout, err := f.GetPageLayout(sheet); err != nil || *layout.Orientation != orientation ||
			*layout.FitToWidth != across {
			t.Errorf("%s: page layout %+v, %v", sheet, layout, err)
		}
		if sheet == "Summary" || sheet == "Elevations" || strings.HasPrefix(sheet, "Order") {
			continue
		}
		if p, err := f.GetPanes(sheet); err != nil || !p.Freeze || p.YSplit != 1 {
			t.Errorf("%s: panes %+v, %v", sheet, p, err)
		}
		if onPaper := slices.Contains([]string{"BOM", "Racks", "Bundles", "Cable list", "Materials"}, sheet); onPaper !=
			titles[sheet] {
			t.Errorf("%s repeats a head on its pages: %v", sheet, titles[sheet])
		}
	}
	p, err := f.GetDocProps()
	if err != nil || p.Creator != "Plenum" || p.Created != documentDate || p.Title != "SuperPOD" {
		t.Errorf("properties %+v, %v", p, err)
	}
	rows, err := f.GetRows("Cables")
	if err != nil || len(rows) != int(r.Schedule.Wired)+1 {
		t.Errorf("%d rows of cables for %d links, %v", len(rows), r.Schedule.Wired, err)
	}
}

// checkTables checks the native tables: that every sheet but some has one, over its head and the rows that belong to
// it, with columns called as the cells of the head, all names apart, and a filter.
func checkTables(t *testing.T, f *excelize.File, none ...string) {
	t.Helper()
	names := map[string]bool{}
	for _, sheet := range f.GetSheetList() {
		tables, err := f.GetTables(sheet)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(none, sheet) == (len(tables) == 1) {
			t.Errorf("%s has %d tables", sheet, len(tables))
		}
		for _, table := range tables {
			if key := strings.ToLower(table.Name); names[key] {
				t.Errorf("there are two tables called %s", table.Name)
			} else {
				names[key] = true
			}
			from, to, _ := strings.Cut(table.Range, ":")
			_, top, err1 := excelize.CellNameToCoordinates(from)
			wide, last, err2 := excelize.CellNameToCoordinates(to)
			rows, err3 := f.GetRows(sheet)
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Fatal(err)
			}
			if last <= top || last > len(rows) && last != top+1 || len(rows[top-1]) != wide {
				t.Errorf("%s: the table is %s, of %d rows, with %d heads", sheet, table.Range, len(rows),
					len(rows[top-1]))
			}
			for i, row := range rows[top:min(last, len(rows))] {
				if len(row) == 0 && last > top+1 {
					t.Errorf("%s: row %d of the table is empty", sheet, i+1)
					break
				}
			}
			if last < len(rows) && len(rows[last]) == wide && sheet != "Lengths" && !strings.HasPrefix(sheet, "Order") {
				t.Errorf("%s: the table ends above a row like its own, %q", sheet, rows[last])
			}
		}
	}
	ids := map[string]bool{}
	count := 0
	f.Pkg.Range(func(key, value any) bool {
		if name, _ := key.(string); strings.HasPrefix(name, "xl/tables/") {
			var table struct {
				ID      string `xml:"id,attr"`
				Ref     string `xml:"ref,attr"`
				Filters struct {
					Ref string `xml:"ref,attr"`
				} `xml:"autoFilter"`
				Columns []struct {
					Name string `xml:"name,attr"`
				} `xml:"tableColumns>tableColumn"`
			}
			if err := xml.Unmarshal(value.([]byte), &table); err != nil {
				t.Fatal(err)
			}
			count++
			if ids[table.ID] || table.Ref != table.Filters.Ref {
				t.Errorf("%s: %+v", name, table)
			}
			ids[table.ID] = true
			columns := map[string]bool{}
			for _, c := range table.Columns {
				if c.Name == "" || columns[strings.ToLower(c.Name)] {
					t.Errorf("%s: the columns are %+v", name, table.Columns)
				}
				columns[strings.ToLower(c.Name)] = true
			}
		}
		return true
	})
	if count == 0 || count != len(names) {
		t.Errorf("%d tables in the archive, %d on the sheets", count, len(names))
	}
}

// TestBarsBeginAtZero: bars behind figures are as long as these are great, without the tenth of a cell that the format
// adds where nothing is said.
func TestBarsBeginAtZero(t *testing.T) {
	var b bytes.Buffer
	if err := Workbook(context.Background(), &b, plan(t, superPod())); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	bars := 0
	for _, e := range z.File {
		in, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		found := bytes.Count(text, []byte("<dataBar "))
		bars += found
		if n := found - bytes.Count(text, []byte(`<dataBar minLength="0" maxLength="100" `)); n != 0 {
			t.Errorf("%s has %d other bars", e.Name, n)
		}
	}
	if bars != 3 {
		t.Errorf("%d columns with bars, want fill and power of racks, and fill of trays", bars)
	}
}

// Every formula computes what the report says, and shows it before anybody
// computes.
func TestWorkbookFormulas(t *testing.T) {
	for _, s := range []*spec.Spec{superPod(), torus(4, 4, 4)} {
		r := plan(t, s)
		f := workbook(t, r)
		formulas := 0
		for _, sheet := range f.GetSheetList() {
			rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			if sheet == "Cables" {
				rows = rows[:min(len(rows), 50)]
			}
			for y, row := range rows {
				for x, shown := range row {
					at := ref(x+1, y+1)
					formula, err := f.GetCellFormula(sheet, at)
					if err != nil {
						t.Fatal(err)
					}
					if formula == "" {
						continue
					}
					formulas++
					computed, err := f.CalcCellValue(sheet, at, excelize.Options{RawCellValue: true})
					if err != nil {
						t.Fatalf("%s!%s %s: %v", sheet, at, formula, err)
					}
					a, errA := strconv.ParseFloat(computed, 64)
					b, errB := strconv.ParseFloat(shown, 64)
					if errA != nil || errB != nil || a-b > 0.005 || b-a > 0.005 {
						t.Errorf("%s!%s %s is %s, shows %s", sheet, at, formula, computed, shown)
					}
				}
			}
		}
		if formulas < 40 {
			t.Errorf("only %d formulas", formulas)
		}
		rows, _ := f.GetRows("BOM", excelize.Options{RawCellValue: true})
		report := r.Report()
		total, n := find(rows, "Grand total")
		if got := cents(t, total[bomCost-1]); got != report.Cost.Total {
			t.Errorf("BOM total %v, report %v", got, report.Cost.Total)
		}
		computed, err := f.CalcCellValue("BOM", ref(bomCost, n), excelize.Options{RawCellValue: true})
		if err != nil || cents(t, computed) != report.Cost.Total {
			t.Errorf("BOM total computes to %s, %v", computed, err)
		}
		for kind, want := range map[string]units.Money{
			"switch": report.Cost.Switches, "cable": report.Cost.Cables,
			"optic": report.Cost.Optics, "labour": report.Cost.Labour,
		} {
			if row, _ := find(rows, "Total", kind); row != nil && cents(t, row[bomCost-1]) != want {
				t.Errorf("%s: %s in the BOM, %v in the report", kind, row[bomCost-1], want)
			}
		}
		summary, _ := f.GetRows("Summary", excelize.Options{RawCellValue: true})
		if row, _ := find(summary, "Total"); cents(t, row[1]) != report.Cost.Total {
			t.Errorf("Summary total is %s", row[1])
		}
		if !slices.ContainsFunc(rows, func(row []string) bool {
			return len(row) > 0 && strings.HasPrefix(row[0], "The total excludes 1 unpriced part: ")
		}) {
			t.Error("the BOM does not say what it excludes")
		}
	}
}

func TestWorkbookSplitsCables(t *testing.T) {
	r := plan(t, torus(4, 4, 4)) // 192 cables
	var b bytes.Buffer
	if err := writeBook(context.Background(), &b, &book{r: r, perSheet: 64}); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if diff := cmp.Diff([]string{
		"Summary", "BOM", "Cables", "Cables 2", "Cables 3", "Boxes", "Racks", "Lengths", "Trays",
		"Bundles", "Cost", "Cable list", "Port maps", "Elevations", "Materials", "Delay", "Rules",
		"Order (no supplier)", "Assumptions",
	}, f.GetSheetList()); diff != "" {
		t.Fatal(diff)
	}
	ids := map[string]bool{}
	for _, sheet := range []string{"Cables", "Cables 2", "Cables 3"} {
		rows, err := f.GetRows(sheet)
		if err != nil || len(rows) != 65 {
			t.Fatalf("%s has %d rows, %v", sheet, len(rows), err)
		}
		for _, row := range rows[1:] {
			ids[row[0]] = true
		}
	}
	if len(ids) != 192 {
		t.Errorf("%d of 192 cables", len(ids))
	}
}

func TestWorkbookCountsScheduledCables(t *testing.T) {
	f := workbook(t, plan(t, superPod()))
	rows, err := f.GetRows("BOM", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for i, row := range rows {
		if len(row) < bomScheduled || row[bomKindColumn-1] != "cable" || row[0] == "Total" {
			continue
		}
		checked++
		got, err := f.CalcCellValue("BOM", ref(bomScheduled, i+1), excelize.Options{RawCellValue: true})
		if err != nil || got != row[bomQty-1] {
			t.Errorf("%s: %s scheduled, %s billed, %v", row[0], got, row[bomQty-1], err)
		}
	}
	if checked == 0 {
		t.Error("no cable was counted")
	}
}

// Text of a machine file stays text.
func TestWorkbookTextIsNoFormula(t *testing.T) {
	s := cubes()
	s.Topology.Params = topology.Torus{Dims: topology.Ints{4, 4, 4}}
	s.Name, s.Description = "=cmd()", "+1 <&> \x01\n"
	s.Room.Containers[0].Name = `=HYPERLINK("http://example.org","x")`
	s.Room.Containers[1].Name = "@sum(1)"
	f := workbook(t, plan(t, s))
	for _, at := range [][2]string{
		{"Summary", "A1"},
		{"Summary", "A3"},
		{"Racks", "A2"},
		{"Racks", "B2"},
		{"Cables", "H2"},
		{"Cables", "C2"},
	} {
		formula, err := f.GetCellFormula(at[0], at[1])
		kind, errKind := f.GetCellType(at[0], at[1])
		if err != nil || errKind != nil || formula != "" || kind != excelize.CellTypeInlineString {
			t.Errorf("%s!%s is a formula %q of type %v", at[0], at[1], formula, kind)
		}
	}
	if v, _ := f.GetCellValue("Summary", "A1"); v != "=cmd()" {
		t.Errorf("the name is %q", v)
	}
}

func TestWorkbookOfSummary(t *testing.T) {
	r, err := machine.PlanWith(context.Background(), dragonfly(), machine.Options{Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	f := workbook(t, r)
	rows, err := f.GetRows("BOM", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	total, _ := find(rows, "Grand total")
	if cents(t, total[bomCost-1]) != r.Report().Cost.Total {
		t.Errorf("total %v", total)
	}
	if v, _ := f.GetCellValue("Cables", "A2"); !strings.Contains(v, "summary") {
		t.Errorf("the Cables sheet says %q", v)
	}
}

// TestEverySheetInLibreOffice takes the values of all formulas out of a workbook, has LibreOffice compute them, and
// finds those that the workbook had, cell by cell, and the plan's total.
func TestEverySheetInLibreOffice(t *testing.T) {
	s := superPod()
	s.Prices.Freight, s.Prices.Contingency = 3, 7.5
	r := plan(t, s)
	f := workbook(t, r)
	values := func(f *excelize.File) map[string][][]string {
		out := map[string][][]string{}
		for _, sheet := range f.GetSheetList() {
			rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			out[sheet] = rows
		}
		return out
	}
	ours := values(f)
	if err := f.UpdateLinkedValue(); err != nil {
		t.Fatal(err)
	}
	bare := values(f)
	dir, computed := t.TempDir(), t.TempDir()
	if err := f.SaveAs(filepath.Join(dir, "bom.xlsx")); err != nil {
		t.Fatal(err)
	}
	officetest.Convert(t, "xlsx", computed, filepath.Join(dir, "bom.xlsx"))
	book, err := excelize.OpenFile(filepath.Join(computed, "bom.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	theirs := values(book)
	at := func(rows [][]string, row, column int) string {
		if row < len(rows) && column < len(rows[row]) {
			return rows[row][column]
		}
		return ""
	}
	formulas := map[string]int{}
	for sheet, rows := range ours {
		for i, row := range rows {
			for j, want := range row {
				if want != "" && at(bare[sheet], i, j) == "" {
					formulas[sheet]++
				}
				got := at(theirs[sheet], i, j)
				x, err1 := strconv.ParseFloat(want, 64)
				y, err2 := strconv.ParseFloat(got, 64)
				if err1 == nil && err2 == nil && math.Abs(x-y) <= 1e-9*math.Abs(x) {
					continue
				}
				if strings.TrimSpace(got) != strings.TrimSpace(want) {
					t.Errorf("%s!%s: LibreOffice has %q, want %q", sheet, ref(j+1, i+1), got, want)
				}
			}
		}
	}
	t.Logf("formulas computed: %v", formulas)
	if total, _ := find(theirs["BOM"], "Grand total"); cents(t, total[bomCost-1]) != r.Report().Cost.Total {
		t.Errorf("LibreOffice has a total of %v, want %v", total, r.Report().Cost.Total)
	}
	for _, row := range theirs["BOM"] {
		if len(row) > bomDifference && row[bomKindColumn-1] == "cable" && row[0] != "Total" &&
			(row[bomScheduled-1] != row[bomQty-1] || row[bomDifference-1] != "0") {
			t.Errorf("not as scheduled: %v", row)
		}
	}
	for _, sheet := range []string{"Summary", "BOM", "Racks", "Lengths", "Trays", "Cost", "Order (no supplier)"} {
		if formulas[sheet] == 0 {
			t.Errorf("%s has no formulas", sheet)
		}
	}
}

func TestRef(t *testing.T) {
	for column := 1; column < 2000; column++ {
		want, err := excelize.CoordinatesToCellName(column, column)
		if got := ref(column, column); err != nil || got != want {
			t.Fatalf("cell %d is %s, want %s", column, got, want)
		}
	}
}

func BenchmarkWorkbook(b *testing.B) {
	r := plan(b, torus(32, 32, 32))
	b.ReportAllocs()
	for b.Loop() {
		if err := Workbook(context.Background(), io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.Schedule.Cables), "ns/cable")
}

// TestTornadoIsStacked: LibreOffice shows the legend of plain bars with a turned axis in the reverse order, "More"
// before "Less", against the bars; that of stacked ones it leaves.
func TestTornadoIsStacked(t *testing.T) {
	spec, err := machine.Parse("m.yaml", []byte("topology: {family: fat-tree, nodes: 16, radix: 8}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	b := &book{r: r, report: r.Report()}
	g := &grid{name: pricesSheet}
	b.tornado(g, b.report.Uncertainty)
	if g.chart == nil || g.chart.Type != excelize.BarStacked || *g.chart.Overlap != 100 || len(g.chart.Series) != 2 {
		t.Errorf("%+v", g.chart)
	}
}

// TestWorkbookAgreesWithItself adds the power of racks up to the power of the machine, keeps kinds without a price out
// of the chart of costs, names every price set, and breaks long notes so that sheets print at a legible size.
func TestWorkbookAgreesWithItself(t *testing.T) {
	r := plan(t, superPod())
	f := workbook(t, r)
	racks, err := f.GetRows(racksSheet, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	sum, total := 0.0, 0.0
	for _, row := range racks[1:] {
		if len(row) < 9 {
			for _, s := range row {
				if len(s) > 160 {
					t.Errorf("a note of %d letters", len(s))
				}
			}
			continue
		}
		kw, err := strconv.ParseFloat(row[8], 64)
		if err != nil {
			t.Fatal(err)
		}
		if row[0] == "Total" {
			total = kw
		} else {
			sum += kw
		}
	}
	if want := float64(r.Report().Power) / 1e3; math.Abs(total-want) > 0.01 || math.Abs(sum-want) > 0.01 {
		t.Errorf("racks draw %v kW, with %v kW as their total, the machine %v kW", sum, total, want)
	}
	summary, err := f.GetRows(summarySheet)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(summary, func(row []string) bool {
		return len(row) > 0 && strings.HasPrefix(row[0], "Total: prices "+strings.Join(pricedBy(r.Report()), ", "))
	}) {
		t.Error("the summary does not name the price sets")
	}
	unpriced := false
	for _, row := range summary {
		isUnpriced := len(row) > 2 && row[2] == "no price"
		if unpriced && !isUnpriced && len(row) > 0 && row[0] != "Network" {
			t.Errorf("%q follows a kind without a price", row[0])
		}
		unpriced = isUnpriced
	}
}
