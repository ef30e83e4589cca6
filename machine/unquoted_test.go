package machine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// longPieces has ten fibres: two of 3 m, four of 5 m and four of 7 m where nothing longer costs less.
const longPieces = `
topology: {family: leaf-spine, nodes: 8, down: 8, up: 2, spines: 1}
packaging: {node: {per_rack: 4}, leaf: {place: network-row}, spine: {place: network-row}}
room: {rows: 1, racks_per_row: 6}
cabling: {media: [{use: [multimode]}]MORE}
prices: {set: estimate-2025, quote: QUOTE}
`

// TestPiecesThatAreNotQuoted: where a quote has longer pieces only, and below the estimates of shorter ones, a note
// says how many cables are bought too long, and by how much, until cabling.excess forbids it.
func TestPiecesThatAreNotQuoted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.csv")
	quoted := func(lines string) {
		if err := os.WriteFile(path, []byte("part,unit price,currency,date\n"+lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const ten = "fibre-mm-mpo12-apc@10 m,52,USD,2026-01-01\n"
	for _, c := range []struct{ lines, excess, bought, note string }{
		{
			ten, "", "10:10",
			"fibre-mm-mpo12-apc: 3 m, 5 m and 7 m are not quoted, and the estimates of estimate-2025 are dearer than " +
				"the quoted 10 m: 10 cables are bought as 10 m, 46 m too long (cabling.excess bounds that)",
		},
		{
			ten, "43 %", "3:2 5:4 10:4",
			"fibre-mm-mpo12-apc: 7 m is not quoted, and the estimates of estimate-2025 are dearer than the quoted " +
				"10 m: 4 cables are bought as 10 m, 12 m too long",
		},
		{ten, "42 %", "3:2 5:4 7:4", ""},
		{ten, "3 m", "3:2 5:4 10:4", "4 cables are bought as 10 m, 12 m too long"},
		{ten, "299 cm", "3:2 5:4 7:4", ""},
		{ten, "0", "3:2 5:4 7:4", ""},
		{ // 7 m is quoted itself
			ten + "fibre-mm-mpo12-apc@7 m,60,USD,2026-01-01\n", "3", "3:2 7:4 10:4",
			"fibre-mm-mpo12-apc: 5 m is not quoted, and the estimates of estimate-2025 are dearer than the " +
				"quoted 7 m: 4 ",
		},
		{"fibre-mm-mpo12-apc@10 m,82.50,USD,2026-01-01\n", "", "3:2 5:4 7:4", ""},
	} {
		quoted(c.lines)
		more := ""
		if c.excess != "" {
			more = ", excess: " + c.excess
		}
		r := buy(t, strings.NewReplacer("MORE", more, "QUOTE", path).Replace(longPieces))
		var bought []string
		for _, row := range r.Bill.Rows {
			if row.Item.Part == "fibre-mm-mpo12-apc" {
				bought = append(bought, fmt.Sprintf("%v:%d", float64(row.Item.Length), row.Qty))
			}
		}
		notes := strings.Join(r.Notes, "\n")
		if got := strings.Join(bought, " "); got != c.bought || c.note == "" && strings.Contains(notes, "not quoted") ||
			!strings.Contains(notes, c.note) {
			t.Errorf("%q, excess %q: %s, want %s; %s", c.lines, c.excess, got, c.bought, notes)
		}
	}
}

// TestExcessBoundsWhatIsBought: no piece is longer than the excess allows, regardless of what quotes and consolidation
// make of it, on panels too, and notes count the cables that are ordered longer.
func TestExcessBoundsWhatIsBought(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.csv")
	excessOf := regexp.MustCompile(`: ([0-9,]+) cables? (?:is|are) bought as [0-9.]+ m, ([0-9.]+) k?m too long`)
	rapid.Check(t, func(t *rapid.T) {
		var quote strings.Builder
		quote.WriteString("part,unit price,currency,date\nrack-42u,900,USD,2026-01-01\n")
		for _, l := range []int{5, 7, 10, 15, 20} {
			if rapid.Bool().Draw(t, "quoted") {
				fmt.Fprintf(&quote, "fibre-mm-mpo12-apc@%d m,%d,USD,2026-01-01\n", l,
					rapid.IntRange(20, 90).Draw(t, "price"))
			}
		}
		if err := os.WriteFile(path, []byte(quote.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		percent, metres := rapid.IntRange(0, 150).Draw(t, "per cent"), 0
		excess := fmt.Sprintf("%d %%", percent)
		if rapid.Bool().Draw(t, "a length") {
			percent, metres = 0, rapid.IntRange(0, 9).Draw(t, "metres")
			excess = fmt.Sprintf("%d m", metres)
		}
		more := ", excess: " + excess + rapid.SampledFrom([]string{
			"", ", consolidate: {most: 1}", ", consolidate: {most: 3, per: all}", ", structured: {beyond: rack}",
		}).Draw(t, "more")
		s, err := machine.Parse("m.yaml", []byte(strings.NewReplacer("MORE", more, "QUOTE", path).Replace(longPieces)))
		if err != nil {
			t.Fatalf("%s%v", quote.String(), err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		needs, product := map[int64]units.Length{}, map[int64]int16{}
		r.Schedule.Each(func(cable int64, seg *cabling.Segment) bool {
			needs[cable], product[cable] = max(needs[cable], seg.Length), seg.Product
			return true
		})
		cables, tooLong := 0, units.Length(0)
		for cable, need := range needs {
			p := &r.Schedule.Products[product[cable]]
			short, _ := p.Part.Stock(need)
			if most := short*units.Length(100+percent)/100 + units.Length(metres); p.Length > max(most, short)+1e-9 {
				t.Errorf("%v for %v, %v would do, and %v is the most\n%s%s", p.Length, need, short, most, more,
					quote.String())
			}
			if strings.Contains(quote.String(), fmt.Sprintf("%v,", p.Item())) && p.Length > short &&
				!strings.Contains(quote.String(), fmt.Sprintf("%v,", p.Part.Item(short))) &&
				r.Prices.Quote(p.Part, short).Unit > *unitCost(t, r, p.Item()) {
				cables++
				tooLong += p.Length - short
			}
		}
		told, metresTold := 0, 0.0
		for _, n := range r.Notes {
			if m := excessOf.FindStringSubmatch(n); m != nil {
				var c int
				var l float64
				fmt.Sscan(m[1], &c)
				fmt.Sscan(m[2], &l)
				told, metresTold = told+c, metresTold+l
			}
		}
		if told != cables || units.Length(metresTold-float64(tooLong)).Abs() > 1e-6 {
			t.Errorf("told %d cables, %v m; counted %d, %v\n%s", told, metresTold, cables, tooLong, quote.String())
		}
	})
}

// unitCost is the unit cost of an item in the bill.
func unitCost(t *rapid.T, r *machine.Result, item catalog.Item) *units.Money {
	for i := range r.Bill.Rows {
		if r.Bill.Rows[i].Item == item {
			return r.Bill.Rows[i].UnitCost
		}
	}
	t.Fatalf("no line for %v", item)
	return nil
}
