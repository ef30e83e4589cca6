package cost_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// load reads a machine file that stands beside others.
func load(t rapid.TB, dir, text string, files map[string]string) (*spec.Spec, error) {
	t.Helper()
	files["machine.yaml"] = text
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return machine.Load(filepath.Join(dir, "machine.yaml"))
}

// planQuoted plans the small machine of TestBillByHand, 3 switches, 8 adapters and
// 12 cables in one rack, with quotes beside its file.
func planQuoted(t rapid.TB, dir, prices string, quotes map[string]string) *machine.Result {
	t.Helper()
	s, err := load(t, dir, small+"cabling: {media: [{use: copper}]}\n"+prices, quotes)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const quoteHead = "part,min qty,unit price,currency,date\n"

// Prices of the machine's own go before quotes, quotes in their order before the
// set; every line says what priced it.
func TestQuotesGoBeforeTheSet(t *testing.T) {
	r := planQuoted(t, t.TempDir(), "prices: {quote: [one.csv, two.csv], unit: {rack-42u: 5}}\n", map[string]string{
		"one.csv": quoteHead +
			"rack-42u,,1,USD,2025-06-01\ngeneric-switch-64x400g,,20000,USD,2025-06-01\n" +
			"install-in-rack,,3.25,USD,2025-06-01\n",
		"two.csv": quoteHead + "generic-switch-64x400g,,10,USD,2025-06-01\nadapter-400g-qsfp112,,1000,USD,2025-06-02\n",
	})
	for part, want := range map[string]struct {
		unit         units.Money
		from, source string
	}{
		"rack-42u":               {500, "machine file", "machine file"},
		"generic-switch-64x400g": {2000000, "one.csv", "one.csv:3:1, 2025-06-01"},
		"adapter-400g-qsfp112":   {100000, "two.csv", "two.csv:3:1, 2025-06-02"},
		"install-in-rack":        {325, "one.csv", "one.csv:4:1, 2025-06-01"},
		"tray-ladder":            {12000, "estimate-2025", "estimate (no quote)"},
	} {
		got := row(t, r.Bill, part)
		if *got.UnitCost != want.unit || got.From != want.from || got.Source != want.source ||
			*got.Cost != want.unit*units.Money(got.Qty+got.Spares) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if r.Bill.Currency != "USD" || len(r.Bill.Notes) > 0 {
		t.Errorf("%s %v", r.Bill.Currency, r.Bill.Notes)
	}
}

// TestUnquotedLabourIsNoted: where quotes have some of the labour, the bill names the rest, which no order has.
func TestUnquotedLabourIsNoted(t *testing.T) {
	for name, c := range map[string]struct{ quote, want string }{
		"some": {
			"install-in-rack,,3,USD,2025-06-01\n",
			"no order has the labour install-in-row, of which no quote has a price",
		},
		"all":  {"install-in-rack,,3,USD,2025-06-01\ninstall-in-row,,9,USD,2025-06-01\n", ""},
		"none": {"rack-42u,,3,USD,2025-06-01\n", ""},
	} {
		s, err := load(t, t.TempDir(), "topology: {family: fat-tree, radix: 16, nodes: 48}\n"+
			"room: {rows: 1, racks_per_row: 4}\nprices: {quote: q.csv}\n",
			map[string]string{"q.csv": quoteHead + c.quote})
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Bill.Notes, "; "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The break of a quote is that of the quantity bought, spares included.
func TestBreaksCountSpares(t *testing.T) {
	quote := map[string]string{"q.csv": quoteHead +
		"adapter-400g-qsfp112,,10,USD,2025-06-01\nadapter-400g-qsfp112,9,9,USD,2025-06-01\n" +
		"rack-42u,2,1,USD,2025-06-01\n"}
	r := planQuoted(t, t.TempDir(), "prices: {quote: q.csv}\n", quote)
	if got := row(t, r.Bill, "adapter-400g-qsfp112"); got.Qty != 8 || *got.UnitCost != 1000 {
		t.Errorf("8 adapters: %+v", got)
	}
	if got := row(t, r.Bill, "rack-42u"); got.From != "estimate-2025" {
		t.Errorf("one rack of at least two: %+v", got)
	}
	if want := []string{"q.csv offers rack-42u from 2 pieces, and the bill has 1"}; !slices.Equal(r.Bill.Notes, want) ||
		!slices.Contains(r.Notes, want[0]) {
		t.Errorf("notes %q and %q, want %q", r.Bill.Notes, r.Notes, want)
	}
	r = planQuoted(t, t.TempDir(), "prices: {quote: q.csv, spares: {adapter: 10, rack: 100}}\n", quote)
	if got := row(t, r.Bill, "adapter-400g-qsfp112"); got.Spares != 1 || *got.UnitCost != 900 || *got.Cost != 8100 {
		t.Errorf("8 adapters and a spare: %+v", got)
	}
	if got := row(t, r.Bill, "rack-42u"); *got.UnitCost != 100 {
		t.Errorf("a rack and a spare: %+v", got)
	}
}

// The bill of a machine in another currency is the bill at the rate, and its rows,
// levels and total agree to the cent.
func TestBillInAnotherCurrency(t *testing.T) {
	quote := map[string]string{"q.csv": quoteHead +
		"rack-42u,,100,GBP,2025-06-01\nadapter-400g-qsfp112,,1000,EUR,2025-06-01\n"}
	r := planQuoted(t, t.TempDir(),
		"prices: {quote: q.csv, currency: EUR, rates: {USD: 0.92, GBP: 1.17}, rates_date: 2025-06-01, unit: "+
			"{tray-ladder: 77}}\n", quote)
	for part, want := range map[string]units.Money{
		"rack-42u": 11700, "adapter-400g-qsfp112": 100000, "generic-switch-64x400g": 2392000, "install-in-rack": 690,
		"tray-ladder": 7700,
	} {
		if got := row(t, r.Bill, part); *got.UnitCost != want {
			t.Errorf("%+v, want %v", got, want)
		}
	}
	if got := row(t, r.Bill, "rack-42u").Source; got != "q.csv:2:1, 2025-06-01; GBP at 1.17 EUR, 2025-06-01" {
		t.Errorf("source %q", got)
	}
	if r.Bill.Currency != "EUR" || r.Report().Currency != "EUR" {
		t.Errorf("a bill in %s", r.Bill.Currency)
	}
	var total, links, levels units.Money
	for _, line := range r.Bill.Rows {
		if line.Cost == nil {
			continue
		}
		total += *line.Cost
		if line.Kind == catalog.KindCable || line.Kind == catalog.KindOptic {
			links += *line.UnitCost * units.Money(line.Qty)
		}
	}
	for _, common := range r.Bill.LevelCost {
		for _, c := range common {
			levels += c
		}
	}
	if total != r.Bill.Total || links != levels {
		t.Errorf("rows %v, total %v; links %v, levels %v", total, r.Bill.Total, links, levels)
	}
}

// A part that nobody prices is excluded by name, never counted as nothing.
func TestUnquotedPartsAreExcluded(t *testing.T) {
	r := planQuoted(t, t.TempDir(), "prices: {set: slimfly-2014, quote: q.csv}\n",
		map[string]string{"q.csv": quoteHead + "rack-42u,,100,USD,2025-06-01\n"})
	excludes := r.Report().Cost.Excludes
	for _, part := range []string{"adapter-400g-qsfp112", "tray-ladder", "install-in-rack", "generic-node-1u"} {
		if !slices.Contains(excludes, part) {
			t.Errorf("%s is not among %v", part, excludes)
		}
	}
	if slices.Contains(excludes, "rack-42u") || slices.Contains(texts(r.Bill.Unpriced), "rack-42u") {
		t.Errorf("a quoted rack is excluded: %v", excludes)
	}
}

// Mistakes of quotes and rates are shown at the key that names them, with those
// of the machine file, in one run.
func TestMistakesInQuotes(t *testing.T) {
	dir := t.TempDir()
	_, err := load(t, dir, small+`
prices:
  quote: [a.csv, none.csv, b.csv]
  currency: euro
  rates: {USD: 0, gbp: 1, EUR: 2}
  unit: {no-such-part: 1}
`, map[string]string{
		"a.csv": quoteHead + "rack-42u,,1,EUR,2025-06-01\nrack-43u,x,1,EUR,2025-06-01\n",
		"b.csv": quoteHead + "rack-42x,,1,EUR,2025-06-01\nrack-48u,,1,CHF,2025-06-01\n",
	})
	var diagnostics diag.List
	if !errors.As(err, &diagnostics) {
		t.Fatal(err)
	}
	var got []string
	for _, d := range diagnostics {
		got = append(got, d.Path+": "+strings.ReplaceAll(d.Message, dir+string(filepath.Separator),
			"")+" | "+d.Suggestion)
	}
	want := []string{
		`prices.quote[0]: a.csv:3:1: there is no part "rack-43u"; did you mean "rack-42u"? | `,
		`prices.quote[0]: a.csv:3:10: "x" is not a number of pieces | `,
		`prices.quote[1]: open none.csv: no such file or directory | `,
		`prices.quote[2]: b.csv:2:1: there is no part "rack-42x"; did you mean "rack-42u"? | `,
		`prices.quote[2]: b.csv:3:1: no rate from CHF to euro | `,
		`prices.currency: "euro" is not an ISO 4217 code | write three capital letters, such as USD`,
		`prices.rates: the rates have no date | write rates_date: 2025-06-01`,
		`prices.rates.USD: the rate is zero | `,
		`prices.rates.gbp: "gbp" is not an ISO 4217 code | write three capital letters, such as USD`,
		`prices.unit.no-such-part: there is no part "no-such-part" | `,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, err = load(t, dir, small+"prices: {currency: EUR}\n", map[string]string{})
	if err == nil || !strings.Contains(err.Error(), "no rate for USD, in which estimate-2025 is") {
		t.Errorf("%v", err)
	}
}

// TestQuotedBillIsTheRule checks, on random machines with random quotes, every
// price of the bill against a search through the lines of the quotes.
func TestQuotedBillIsTheRule(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		base, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		type line struct {
			name  string // as in the bill, or a cable family
			from  int64
			price units.Money
		}
		var quotes [2][]line
		for q := range quotes {
			text, price := quoteHead, units.Money(rapid.Int64Range(1_000_00, 9_000_00).Draw(t, "price"))
			for _, r := range base.Bill.Rows {
				name := r.Item.String()
				if family, _, ok := strings.Cut(name, "@"); ok && rapid.Bool().Draw(t, "family") {
					name = family
				}
				if slices.ContainsFunc(quotes[q], func(l line) bool { return l.name == name }) {
					continue
				}
				for _, from := range rapid.SliceOfNDistinct(rapid.Int64Range(1, 40), 0, 3, rapid.ID).Draw(t, name) {
					l := line{name, from, price - units.Money(from)}
					quotes[q] = append(quotes[q], l)
					text += fmt.Sprintf("%s,%d,%s,USD,2025-06-01\n", l.name, l.from, l.price.Decimal())
				}
			}
			if len(quotes[q]) == 0 {
				continue
			}
			path := filepath.Join(dir, fmt.Sprintf("%d.csv", q))
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			s.Prices.Quote = append(s.Prices.Quote, path)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		total := units.Money(0)
		for _, got := range r.Bill.Rows {
			want, from := units.Money(-1), ""
			for _, q := range quotes {
				for _, name := range []string{got.Item.String(), got.Item.Part} {
					best := int64(0)
					for _, l := range q {
						if want < 0 || best > 0 {
							if l.name == name && l.from <= got.Qty+got.Spares && l.from > best {
								best, want, from = l.from, l.price, "quote"
							}
						}
					}
				}
			}
			own := got.From == "machine file"
			switch {
			case own:
			case want >= 0 && (got.UnitCost == nil || *got.UnitCost != want || !strings.HasSuffix(got.From, ".csv")):
				t.Fatalf("%+v, want %v from a %s", got, want, from)
			case want < 0 && got.UnitCost != nil && !slices.Contains(catalog.Default().PriceSets(), got.From):
				t.Fatalf("%+v, which nobody offers", got) // a part that the set does not have is priced by a later one
			}
			if got.Cost != nil {
				total += *got.Cost
			}
		}
		if total != r.Bill.Total {
			t.Fatalf("total %v, the rows add up to %v", r.Bill.Total, total)
		}
	})
}
