package examples_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/officetest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/units"
)

// billed is the document of a plan, as far as money goes.
type billed struct {
	BOM []struct {
		Part     string
		Kind     string
		Qty      int64
		Spares   int64
		UnitCost *units.Money `json:"unit_cost"`
		Cost     *units.Money
	}
	Cost struct {
		Total    units.Money
		Excludes []string
	}
	Levels []struct{ Cost units.Money }
	Cables int64
}

// table reads comma-separated values.
func table(t *testing.T, path string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	head, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		row := map[string]string{}
		for i, name := range head {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func money(t *testing.T, text string) units.Money {
	t.Helper()
	m, err := units.ParseMoney(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Bill, cable schedule, workbook and document of every example agree to the cent,
// and LibreOffice computes the workbook to the same totals.
func TestFilesAgreeToTheCent(t *testing.T) {
	root := t.TempDir()
	totals := map[string]units.Money{}
	var books []string
	check := func(name string, r *machine.Result) {
		dir := filepath.Join(root, name)
		if _, err := render.Files(context.Background(), r, dir,
			render.Options{Only: []string{"plan.json", "bom.csv", "bom.xlsx", "cables.csv"}}); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { totals[name] = agree(t, dir) })
		book := filepath.Join(root, name+".xlsx")
		if err := os.Rename(filepath.Join(dir, "bom.xlsx"), book); err != nil {
			t.Fatal(err)
		}
		if r.Schedule.Cables < mostRecalculated || os.Getenv("PLENUM_LONG") == "1" {
			books = append(books, book)
		}
	}
	for _, name := range names(t) {
		check(name, plan(t, name).Result)
	}
	for _, path := range []string{
		"spinnaker/boards-24.yaml", "superpod-h100-compute.yaml",
		"../machine/testdata/structured.yaml",
	} {
		m, err := machine.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		name := "spinnaker-24"
		switch path {
		case "../machine/testdata/structured.yaml":
			name = "structured"
		case "superpod-h100-compute.yaml": // with lines that are a share of others, and the power
			name = "superpod-all-lines"
			m.Prices.Freight, m.Prices.Contingency = 2.5, 7.25
			m.Operation = &spec.Operation{Tariff: 0.1234, PUE: 1.41, TariffRange: []units.Tariff{0.1, 0.2}}
		}
		r, err := machine.Plan(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		check(name, r)
	}
	recalculated(t, root, books, totals)
}

// mostRecalculated is the number of cables from which a workbook is computed anew
// with PLENUM_LONG=1 only.
const mostRecalculated = 1500

// agree compares the files of one plan and returns the total.
func agree(t *testing.T, dir string) units.Money {
	data, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc billed
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	// The document by itself.
	sum, links, levels := units.Money(0), units.Money(0), units.Money(0)
	excluded := map[string]bool{}
	quantity := map[string]int64{}
	for _, l := range doc.BOM {
		quantity[l.Part] = l.Qty
		if l.UnitCost == nil {
			excluded[l.Part] = true
			continue
		}
		if *l.Cost != *l.UnitCost*units.Money(l.Qty+l.Spares) {
			t.Errorf("%s: %d + %d at %v cost %v", l.Part, l.Qty, l.Spares, l.UnitCost, l.Cost)
		}
		sum += *l.Cost
		if l.Kind == "cable" || l.Kind == "optic" {
			links += *l.UnitCost * units.Money(l.Qty)
		}
	}
	for _, l := range doc.Levels {
		levels += l.Cost
	}
	if sum != doc.Cost.Total || links != levels || len(excluded) != len(doc.Cost.Excludes) {
		t.Errorf("lines add up to %v, the total is %v; cables and optics %v, levels %v; %d lines excluded, %v", sum,
			doc.Cost.Total, links, levels, len(excluded), doc.Cost.Excludes)
	}
	// The bill as a table.
	rows := table(t, filepath.Join(dir, "bom.csv"))
	if len(rows) != len(doc.BOM)+2 { // the network and the total
		t.Fatalf("bom.csv has %d rows for %d lines", len(rows), len(doc.BOM))
	}
	for i, l := range doc.BOM {
		row := rows[i]
		same := row["part"] == l.Part && row["kind"] == l.Kind && row["quantity"] == strconv.FormatInt(l.Qty, 10) &&
			row["spares"] == strconv.FormatInt(l.Spares, 10)
		if l.UnitCost == nil {
			same = same && row["unit_cost"] == "" && row["cost"] == "" && row["status"] == "unpriced"
		} else {
			same = same && money(t, row["unit_cost"]) == *l.UnitCost && money(t, row["cost"]) == *l.Cost &&
				row["status"] == "priced"
		}
		if !same {
			t.Errorf("bom.csv: %v, plan.json: %+v", row, l)
		}
	}
	network := units.Money(0)
	for _, l := range doc.BOM {
		if l.Cost != nil && slices.Contains(cost.NetworkKinds, catalog.Kind(l.Kind)) {
			network += *l.Cost
		}
	}
	if row := rows[len(doc.BOM)]; row["kind"] != "network" || money(t, row["cost"]) != network {
		t.Errorf("the lines of the network add up to %v, bom.csv has %v", network, row)
	}
	last := rows[len(doc.BOM)+1]
	if money(t, last["cost"]) != doc.Cost.Total || (last["status"] == "complete") != (len(excluded) == 0) {
		t.Errorf("bom.csv ends with %v", last)
	}
	schedule(t, dir, &doc, quantity)
	workbookRows(t, dir, &doc)
	return doc.Cost.Total
}

// schedule counts the cables of the schedule.
func schedule(t *testing.T, dir string, doc *billed, quantity map[string]int64) {
	t.Helper()
	count := map[string]int64{}
	cables := int64(0)
	for _, row := range table(t, filepath.Join(dir, "cables.csv")) {
		if row["leg"] != "1" {
			continue
		}
		cables++
		if row["product"] != "" {
			count[row["product"]]++
		}
	}
	if cables != doc.Cables {
		t.Errorf("cables.csv has %d cables, plan.json %d", cables, doc.Cables)
	}
	for _, l := range doc.BOM {
		if l.Kind == "cable" && count[l.Part] != l.Qty {
			t.Errorf("%s: %d in cables.csv, %d in the bill", l.Part, count[l.Part], l.Qty)
		}
		delete(count, l.Part)
	}
	for part, n := range count {
		t.Errorf("%s: %d in cables.csv, none in the bill", part, n)
	}
}

// workbookRows compares the workbook's bill, line by line, and its stored totals.
func workbookRows(t *testing.T, dir string, doc *billed) {
	t.Helper()
	f, err := excelize.OpenFile(filepath.Join(dir, "bom.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows("BOM", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	at := func(row []string, name string) string {
		if i := column[name]; i < len(row) {
			return row[i]
		}
		return ""
	}
	for i, l := range doc.BOM {
		row := rows[i+1]
		same := row[0] == l.Part && at(row, "Quantity") == strconv.FormatInt(l.Qty, 10)
		if l.UnitCost == nil {
			same = same && at(row, "Unit cost") == "" && at(row, "Cost") == ""
		} else {
			same = same && money(t, at(row, "Unit cost")) == *l.UnitCost && money(t, at(row, "Cost")) == *l.Cost
		}
		if !same {
			t.Errorf("workbook: %v, plan.json: %+v", row, l)
		}
	}
	said := false
	for _, row := range rows {
		if len(row) > 0 && row[0] == "Grand total" && money(t, at(row, "Cost")) != doc.Cost.Total {
			t.Errorf("workbook: %v, plan.json: %v", row, doc.Cost.Total)
		}
		said = said || len(row) > 0 && strings.HasPrefix(row[0], "The total excludes ")
	}
	if said != (len(doc.Cost.Excludes) > 0) {
		t.Errorf("the workbook says what is excluded: %v; it is %v", said, doc.Cost.Excludes)
	}
}

// recalculated has LibreOffice compute the workbooks anew, without the values
// that are stored in them, and compares the totals.
func recalculated(t *testing.T, root string, books []string, totals map[string]units.Money) {
	for _, book := range books {
		f, err := excelize.OpenFile(book)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.UpdateLinkedValue(); err != nil {
			t.Fatal(err)
		}
		if err := f.Save(); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	officetest.Convert(t, officetest.Sheets, root, books...)
	for _, book := range books {
		name := strings.TrimSuffix(filepath.Base(book), ".xlsx")
		for sheet, label := range map[string]string{
			"BOM": "Grand total", "Summary": "Total",
			"Cost": "Total of the bill",
		} {
			data, err := os.ReadFile(filepath.Join(root, name+"-"+sheet+".csv"))
			if err != nil {
				t.Fatal(err)
			}
			r := csv.NewReader(strings.NewReader(string(data)))
			r.FieldsPerRecord = -1
			rows, err := r.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, row := range rows {
				if row[0] != label {
					continue
				}
				found = true
				column := 1
				if sheet == "BOM" {
					column = slices.Index(rows[0], "Cost")
				}
				x, err := strconv.ParseFloat(row[column], 64)
				if err != nil || units.MoneyOf(x) != totals[name] {
					t.Errorf("%s, %s: LibreOffice computes %q, the plan has %v", name, sheet, row[column], totals[name])
				}
			}
			if !found {
				t.Errorf("%s has no %q on %s", name, label, sheet)
			}
		}
	}
}
