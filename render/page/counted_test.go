package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/english"
)

// split is a machine whose leaves reach two ports of nodes with each cable; its nodes state neither power nor weight.
const split = `
name: Split
topology: {family: leaf-spine, nodes: 64, rails: 2, planes: 2, down: 16, leaves: 16, up: 4, spines: 8}
packaging:
  node:  {part: server, per_rack: 4}
  leaf:  {part: generic-switch-128x400g, place: network-row, per_rack: 2, breakout: {1-8: 2}}
  spine: {part: generic-switch-128x400g, place: network-row, per_rack: 4}
room: {rows: 4, racks_per_row: 8, trays: {count: 4}}
parts:
  - {id: server, kind: node, units: 8, width: 440 mm, depth: 900 mm,
     ports: [{count: 4, connector: qsfp112, rate: 200G}]}
cabling: {media: [{use: [fibre]}]}
prices: {set: estimate-2026}
`

// TestCablesAreCountedOnce: where cables carry several links, filters, legends and lists count cables, with the lengths
// of the report.
func TestCablesAreCountedOnce(t *testing.T) {
	for _, source := range []string{split, "basepod"} {
		r := planOf(t, source)
		report := r.Report()
		if report.Links == report.Cables {
			t.Fatal("every cable carries one link")
		}
		b := open(t, write(t, r), 1440, 900)
		sums := eval[[]float64](b, `["media", "levels"].map((name) => {
			const inputs = [...document.querySelectorAll("input[name=" + name + "]")];
			const counts = inputs.map((i) => i.closest("label").querySelector("small").textContent);
			return counts.reduce((s, n) => s + +n.replace(/,/g, ""), 0); })`)
		for i, n := range sums {
			if n != float64(report.Cables) && n > 0 {
				t.Errorf("%s: filters %d count %v cables of %d", report.Machine, i, n, report.Cables)
			}
		}
		if sums[0] == 0 {
			t.Error("no filter of media")
		}
		got := eval[float64](b, "plenum.state.look.metres")
		if diff := got - float64(report.Length.Total); diff > 1 || diff < -1 {
			t.Errorf("%s: %.1f m of cables, in the report %.1f m", report.Machine, got, report.Length.Total)
		}
		want := fmt.Sprintf("%s of %[1]s cables", english.Grouped(report.Cables))
		b.has(".status", want)
		b.view("cables")
		b.has(".cablesview .count", want+", "+english.Count(report.Links, "link"))
		b.Quiet()
	}
}

// TestRacksSayWhatIsUnstated: sums of power and weight name the boxes that they are without, in the head for the
// machine and beside a rack for it.
func TestRacksSayWhatIsUnstated(t *testing.T) {
	r := planOf(t, split)
	b := open(t, write(t, r), 1440, 900)
	b.has("header", "without 64 boxes of unstated power")
	x, y := b.at(eval[string](b, `(() => { const m = plenum.state.model;
		return m.racks.names[m.boxes.rack[m.kinds.find((k) => k.role === "node").first]]; })()`))
	b.click(x, y)
	for _, figure := range []string{"power", "weight"} {
		b.has(".details", "without 4 boxes of unstated "+figure)
	}
	b.Quiet()
}

// TestContainersAboveEachOtherHaveOneName: from above, names of containers in a stack do not lie over each other.
func TestContainersAboveEachOtherHaveOneName(t *testing.T) {
	b := open(t, write(t, planOf(t, "torus-4096-cubes")), 1200, 900)
	got := eval[[]string](b, `(() => { const m = plenum.state.model, at = new Map(), out = [];
		for (let i = 0; i < m.racks.count; i++) {
			const key = m.racks.x_m[i] + " " + m.racks.y_m[i];
			if (!m.stacked || !m.stacked.of(i)) continue;
			if (at.has(key)) out.push(m.racks.names[i] + " lies over " + m.racks.names[at.get(key)]);
			at.set(key, i);
		}
		for (const level of m.named || []) {
			const boxes = new Set(level.map((n) => n.box.map((v) => v.toFixed(3)).join()));
			if (boxes.size < level.length) out.push(level.length + " names of containers in " + boxes.size + " places");
		}
		return m.stacked ? out : ["no names were made"]; })()`)
	if len(got) > 0 {
		t.Errorf("%d: %s", len(got), strings.Join(got[:min(3, len(got))], "; "))
	}
}
