package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// rowsOf are lines of a bill from "kind part" or, with a price, "kind part priced".
func rowsOf(lines ...string) []cost.Row {
	var out []cost.Row
	for i, line := range lines {
		f := strings.Fields(line)
		r := cost.Row{Kind: catalog.Kind(f[0]), Item: catalog.Item{Part: f[1], Length: units.Length(i)}}
		if len(f) > 2 {
			r.Cost = new(units.Money)
		}
		out = append(out, r)
	}
	return out
}

// TestOmittedNamesKinds names the kinds that a total leaves out, and first that no switch or no cable has a price.
func TestOmittedNamesKinds(t *testing.T) {
	levels := []cost.NotInBill{{Level: "shelf", Count: 2}}
	for _, c := range []struct {
		rows     []cost.Row
		levels   []cost.NotInBill
		short    string
		sentence string
	}{
		{rows: rowsOf("node n priced", "cable c priced")},
		{
			rows:  rowsOf("node n", "switch s priced", "cable c priced", "cable d", "cable d", "cable e"),
			short: "without the price of nodes and 2 kinds of cable",
		},
		{
			rows:     rowsOf("rack r", "node n", "cable c", "cable c", "switch s", "labour l priced"),
			short:    "without any price of switches and cables, nor of nodes and racks",
			sentence: "No switch and no cable has a price.",
		},
		{
			rows: rowsOf("cable c", "switch s priced"), short: "without any price of cables",
			sentence: "No cable has a price.",
		},
		{
			rows: rowsOf("service p", "service q priced"), levels: levels,
			short: "without the price of 1 kind of service box, and without 1 level of packaging",
		},
		{rows: rowsOf("node n priced"), levels: levels, short: "without 1 level of packaging"},
		{
			rows:  rowsOf("node n", "rack n", "tray n", "chassis n", "frame n", "hose n"),
			short: "without the price of nodes, chassis, frames and 3 other kinds of part",
		},
	} {
		o := report.OmittedOf(c.rows, c.levels)
		if got := o.Short(); got != c.short {
			t.Errorf("%q, want %q", got, c.short)
		}
		first := ""
		if s := o.Sentences(); len(s) > 0 && strings.HasPrefix(s[0], "No ") {
			first = s[0]
		}
		if first != c.sentence {
			t.Errorf("%q starts with %q, want %q", o.Short(), first, c.sentence)
		}
	}
}

// TestOmittedIsShort keeps the words short enough for the title of a floor plan, for any bill, and tells the
// kinds as a count by hand does.
func TestOmittedIsShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.Custom(func(t *rapid.T) string {
			kind, part := rapid.SampledFrom(catalog.Kinds).Draw(t, "kind"), rapid.IntRange(0, 3).Draw(t, "part")
			return fmt.Sprint(kind, " p", part, rapid.SampledFrom([]string{"", " priced"}).Draw(t, "priced"))
		})).Draw(t, "lines")
		rows := rowsOf(lines...)
		o := report.OmittedOf(rows, nil)
		if n := len(o.Short()); n > 140 {
			t.Fatalf("%d letters: %q", n, o.Short())
		}
		for _, kind := range catalog.Kinds {
			unpriced, priced := map[string]bool{}, 0
			for i := range rows {
				switch {
				case rows[i].Kind != kind:
				case rows[i].HasCost():
					priced++
				default:
					unpriced[rows[i].Item.Part] = true
				}
			}
			want := report.UnpricedKind{Kind: kind, Parts: len(unpriced), All: priced == 0}
			if slices.Contains(o.Kinds, want) != (len(unpriced) > 0) {
				t.Fatalf("%v lacks %v", o.Kinds, want)
			}
		}
	})
}
