package render

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pick"
	"github.com/plenum-planner/plenum/render/route"
	"github.com/plenum-planner/plenum/render/scene"
)

// split is a machine whose leaves reach two ports of nodes with each cable; its nodes state neither power nor weight.
const split = `
name: Split
topology: {family: leaf-spine, nodes: 64, rails: 2, planes: 2, down: 16, leaves: 16, up: 4, spines: 8}
packaging:
  node:  {part: server, per_rack: 4}
  leaf:  {part: generic-switch-128x400g, place: network-row, per_rack: 2, breakout: {1-8: 2}}
  spine: {part: generic-switch-128x400g, place: network-row, per_rack: 4}
room: {rows: 12, racks_per_row: 3, trays: {count: 4}}
parts:
  - {id: server, kind: node, units: 8, width: 440 mm, depth: 900 mm,
     ports: [{count: 4, connector: qsfp112, rate: 200G}]}
cabling: {media: [{use: [fibre]}]}
prices: {set: estimate-2026}
`

// TestTraysAndBandsCountAlike: the floor and the plan of trays name the same number of cables on the fullest tray, with
// the legs of splitters, which lie there one by one; classes count whole cables and their lengths as the report does.
func TestTraysAndBandsCountAlike(t *testing.T) {
	r := plan(t, toName(t, split))
	if !r.Schedule.HasSplitters() || len(r.Schedule.Trays.Network.Levels) != 1 {
		t.Fatal("the machine has no splitters on one level of trays")
	}
	all, err := pick.Of(r, pick.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := route.Of(r, all, "medium")
	if err != nil {
		t.Fatal(err)
	}
	var most, cables int64
	for _, l := range r.Schedule.Trays.Loads {
		most = max(most, l.Cables)
	}
	if got := route.MostOn(runs.Stretches()); got != most {
		t.Errorf("the widest band has %d cables, the fullest tray %d", got, most)
	}
	metres := 0.0
	for _, c := range runs.Classes {
		cables, metres = cables+c.Cables, metres+float64(c.Metres)
	}
	report := r.Report()
	if diff := metres - float64(report.Length.Total); cables != report.Cables || diff > 0.01 || diff < -0.01 {
		t.Errorf("%d cables of %.2f m, in the report %d of %.2f m", cables, metres, report.Cables, report.Length.Total)
	}
	said := fmt.Sprintf("cables and legs of splitters (most: %s)", grouped(most))
	var b bytes.Buffer
	for name, write := range map[string]Writer{"trays": TrayPlanSVG, "floor": FloorSVG} {
		b.Reset()
		if err := write(context.Background(), &b, r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), said) {
			t.Errorf("%s has no %q", name, said)
		}
	}
}

// TestPowerSaysWhatItIsWithout: beside every sum of power is the number of boxes whose power is not in it.
func TestPowerSaysWhatItIsWithout(t *testing.T) {
	const want = "without 64 boxes of unstated power"
	r := plan(t, toName(t, split))
	report := r.Report()
	if got := report.PowerNote().Short(); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	rows, err := workbook(t, r).GetRows("Summary")
	if err != nil || !slices.ContainsFunc(rows, func(row []string) bool {
		return len(row) > 2 && row[0] == "Power" && strings.HasSuffix(row[2], want)
	}) {
		t.Errorf("the summary of the workbook does not say %q: %v", want, err)
	}
	if f := report.Explain("power"); f == nil || !strings.HasSuffix(f.Value, want) || len(f.LeftOut) != 1 {
		t.Errorf("explained: %+v", f)
	}
	if got := plan(t, superPod()).Report().PowerNote().Short(); strings.Contains(got, "unstated") {
		t.Errorf("a machine of which all boxes state their power is %q", got)
	}
}

// TestNumbersOfRacksStandInTheSamePlaces: on sheets above each other, the numbers below the plan are where they are on
// the last one, in the middle of the paper too.
func TestNumbersOfRacksStandInTheSamePlaces(t *testing.T) {
	pages, err := FloorSheets(t.Context(), plan(t, toName(t, split)), FloorOptions{}, spec.DefaultSheet, 50)
	if err != nil {
		t.Fatal(err)
	}
	last := pages[len(pages)-1].Scene
	found := 0
	for _, m := range pages[0].Scene.Marks {
		tag, is := m.(scene.Text)
		if !is || !tag.Bold || !slices.Contains([]string{"1", "2", "3"}, tag.Text) {
			continue
		}
		found++
		if !slices.ContainsFunc(last.Marks, func(m scene.Mark) bool {
			number, is := m.(scene.Text)
			return is && number.Text == tag.Text && max(number.X-tag.X, tag.X-number.X) < 1
		}) {
			t.Errorf("number %s is at %v on the first of %d sheets and elsewhere on the last", tag.Text, tag.X,
				len(pages))
		}
	}
	if len(pages) < 2 || found != 3 {
		t.Fatalf("%d sheets, %d numbers on the first", len(pages), found)
	}
}

// TestChartsOfWorkbooksHaveTheColoursOfMedia: the histogram of lengths is in the colours of all drawings.
func TestChartsOfWorkbooksHaveTheColoursOfMedia(t *testing.T) {
	b := book{lengthLast: 9}
	for _, p := range plan(t, superPod()).Schedule.Products {
		if m := p.Part.Cable.Medium; !slices.Contains(b.lengthMedia, m) {
			b.lengthMedia = append(b.lengthMedia, m)
		}
	}
	c := b.lengthChart()
	if len(c.Series) != len(b.lengthMedia) || len(c.Series) == 0 {
		t.Fatalf("%d series of %d media", len(c.Series), len(b.lengthMedia))
	}
	for i, s := range c.Series {
		if want := palette.Hex(palette.Medium(b.lengthMedia[i])); !slices.Equal(s.Fill.Color, []string{want}) {
			t.Errorf("%s is %v, not %s", b.lengthMedia[i], s.Fill.Color, want)
		}
	}
}

// TestBundlesArePrintedWithTheirDiameters: the area to print ends with the column of diameters, not before it.
func TestBundlesArePrintedWithTheirDiameters(t *testing.T) {
	f := workbook(t, plan(t, superPod()))
	for _, n := range f.GetDefinedName() {
		if n.Name != "_xlnm.Print_Area" || n.Scope != bundlesSheet {
			continue
		}
		last := n.RefersTo[strings.LastIndex(n.RefersTo, ":")+2:]
		column, _, _ := strings.Cut(last, "$")
		if head, err := f.GetCellValue(bundlesSheet, column+"1"); err != nil || head != "Diameter (mm)" {
			t.Errorf("printed to %q, %v", head, err)
		}
		return
	}
	t.Error("the sheet of bundles has no area to print")
}

// TestComparisonsOpenOnMoneyAndPower: without delays, the chart of a comparison is not of the first figure; only
// what is better when low has a front.
func TestComparisonsOpenOnMoneyAndPower(t *testing.T) {
	rows := []CompareRow{
		{"Size", "", nil},
		{"nodes", "", []any{int64(4), int64(4)}},
		{"cost", "USD", []any{1.0, 2.0}},
		{"power", "kW", []any{3.0, 4.0}},
	}
	a := alternatives([]string{"a", "b"}, rows)
	if x, y := a.Figures[a.X].Name, a.Figures[a.Y].Name; x != "Size: cost" || y != "Size: power" {
		t.Errorf("%q over %q", y, x)
	}
	if a.Figures[0].Lower || !a.Figures[2].Lower {
		t.Errorf("%+v", a.Figures)
	}
	rows = append(rows, CompareRow{"own delay, mean", "ns", []any{5.0, 6.0}})
	if a = alternatives([]string{"a", "b"}, rows); a.Figures[a.Y].Name != "Size: own delay, mean" {
		t.Errorf("over delays: %q", a.Figures[a.Y].Name)
	}
}
