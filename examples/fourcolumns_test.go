package examples_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// fourColumns is a hall with columns and a door, with parts, prices, names and labels of its own.
const fourColumns = "four-columns/four-columns.yaml"

// planOf plans a machine file with the files beside it.
func planOf(t *testing.T, path string) *machine.Result {
	t.Helper()
	m, err := machine.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fourColumnsWith writes the machine file with texts exchanged, beside its quote and the files of a plan of it.
func fourColumnsWith(t *testing.T, dir string, exchange ...string) string {
	t.Helper()
	text, err := os.ReadFile(fourColumns)
	if err != nil {
		t.Fatal(err)
	}
	quote, err := os.ReadFile("four-columns/quote.csv")
	if err != nil {
		t.Fatal(err)
	}
	out := strings.NewReplacer(exchange...).Replace(string(text))
	path := filepath.Join(dir, "machine.yaml")
	for name, data := range map[string]string{path: out, filepath.Join(dir, "quote.csv"): string(quote)} {
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// The hall holds 512 nodes of 1.2 kW in racks of 12 kW; of trays and racks none is where a column or the floor before
// the door is, measured point by point, and switches stand in the middle of the rows in use.
func TestFourColumnsStandClear(t *testing.T) {
	r := planOf(t, fourColumns)
	if n := r.Violations.Errors(); n > 0 {
		t.Fatalf("%d breaches", n)
	}
	room := r.Placement.Layout.Room
	spec := &room.Spec
	blocked := [][4]float64{{2, 0, 4, 3}} // before the door
	for _, c := range [][2]float64{{8, 6}, {16, 6}, {8, 12}, {16, 12}} {
		blocked = append(blocked, [4]float64{c[0], c[1], c[0] + .5, c[1] + .5})
	}
	within := func(x, y, besideX, besideY float64, b [4]float64) bool {
		return x > b[0]-besideX && x < b[2]+besideX && y > b[1]-besideY && y < b[3]+besideY
	}
	for _, rack := range r.Placement.Racks {
		p := &room.Places[rack.Place]
		for i := range 21 {
			for j := range 41 {
				x := float64(p.X) + float64(spec.Rack.Width)*(float64(i)/20-.5)*.999
				y := float64(p.Y) + float64(spec.Rack.Depth)*(float64(j)/40-.5)*.999
				if slices.ContainsFunc(blocked, func(b [4]float64) bool { return within(x, y, 0, 0, b) }) {
					t.Fatalf("rack %s stands at %v, %v", room.Name(int(rack.Place)), x, y)
				}
			}
		}
		if rack.Power > 12_000 {
			t.Errorf("rack %s draws %v", room.Name(int(rack.Place)), rack.Power)
		}
	}
	half := float64(room.Trays.Levels[0].Width) / 2
	for piece := range int32(room.Trays.Pieces()) {
		if !room.Trays.IsLaid(piece) {
			continue
		}
		p := room.Trays.Piece(piece)
		besideX, besideY := half-1e-6, 0.0 // as wide as the tray is, across it
		if math.Abs(float64(p.From.Y-p.To.Y)) < 1e-9 {
			besideX, besideY = besideY, besideX
		}
		steps := 1 + int(math.Hypot(float64(p.From.X-p.To.X), float64(p.From.Y-p.To.Y))/.01)
		for i := range steps + 1 {
			f := float64(i) / float64(steps)
			x := float64(p.From.X) + f*float64(p.To.X-p.From.X)
			y := float64(p.From.Y) + f*float64(p.To.Y-p.From.Y)
			for _, c := range blocked[1:] {
				if within(x, y, besideX, besideY, c) {
					t.Fatalf("tray %v at %v, %v", p, x, y)
				}
			}
		}
	}
	rows := map[int][]float64{}
	for _, k := range r.Graph.Kinds()[1:] {
		for v := k.First; v < k.First+k.Count; v++ {
			at := &room.Places[r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])]
			rows[at.Row] = append(rows[at.Row], float64(at.Number))
		}
	}
	for row, at := range rows {
		if mid := (slices.Min(at) + slices.Max(at)) / 2; math.Abs(mid-float64(spec.PerRow+1)/2) > 3 {
			t.Errorf("the switches of row %d stand around position %v of %d", row, mid, spec.PerRow)
		}
	}
}

// Every file of the plan calls the boxes by the names of the machine file, and so does explain.
func TestFourColumnsByName(t *testing.T) {
	r := planOf(t, fourColumns)
	dir := t.TempDir()
	if _, err := render.Files(context.Background(), r, dir, render.Options{
		Only: []string{"placement.csv", "cables.csv", "labels.csv", "bom.xlsx"},
	}); err != nil {
		t.Fatal(err)
	}
	named := map[string]string{} // box by rack and unit
	for _, row := range table(t, filepath.Join(dir, "placement.csv")) {
		named[row["container"]+"-"+row["unit"]] = row["label"]
	}
	if len(named) != 608 {
		t.Errorf("%d boxes stand at places of their own", len(named))
	}
	cables := table(t, filepath.Join(dir, "cables.csv"))
	for _, c := range cables {
		for _, end := range []string{"a", "b"} {
			if at := c[end+"_rack"] + "-" + c[end+"_unit"]; named[at] != c[end+"_device"] {
				t.Fatalf("cable %s ends at %s, where %s stands", c["cable_id"], c[end+"_device"], named[at])
			}
		}
	}
	ends := 0
	for _, l := range table(t, filepath.Join(dir, "labels.csv")) {
		at, _, _ := strings.Cut(l["near"], ":")
		rack, unit, _ := strings.Cut(at, "-")
		if ends++; named[rack+"-"+strings.TrimLeft(unit, "0")] == "" || rack != l["rack"] {
			t.Fatalf("the label %s is of no box", l["label"])
		}
	}
	if ends != 2*len(cables) || len(cables) != 8192 {
		t.Errorf("%d labels, %d cables", ends, len(cables))
	}
	book, err := excelize.OpenFile(filepath.Join(dir, "bom.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	boxes, err := book.GetRows("Boxes")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, row := range boxes {
		for _, cell := range row {
			listed[cell] = true
		}
	}
	for at, name := range named {
		if !listed[name] {
			t.Fatalf("the workbook does not list %s at %s", name, at)
		}
	}
	box := r.ExplainBox("lf-r3-02", "")
	if box == nil || box.Name != "lf-r3-02" {
		t.Errorf("%+v", box)
	}
	cable, err := r.ExplainCable(context.Background(), "c00001")
	if err != nil || cable == nil {
		t.Errorf("%v %v", cable, err)
	}
}

// A plan from the outputs of a plan comes to the same total, and cables everything alike.
func TestFourColumnsAgain(t *testing.T) {
	first := planOf(t, fourColumns)
	dir := t.TempDir()
	only := render.Options{Only: []string{"placement.csv", "bom.xlsx", "cables.csv", "plan.json"}}
	if _, err := render.Files(context.Background(), first, dir, only); err != nil {
		t.Fatal(err)
	}
	cables, err := os.ReadFile(filepath.Join(dir, "cables.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"placement.csv", "bom.xlsx"} {
		again := planOf(t, fourColumnsWith(t, dir, "\nprices:", "\nembedding: {placement: "+from+"}\nprices:"))
		if first.Bill.Total != again.Bill.Total || first.Bill.Total == 0 {
			t.Errorf("%v, planned again from %s %v", first.Bill.Total, from, again.Bill.Total)
		}
		out := t.TempDir()
		if _, err := render.Files(context.Background(), again, out, only); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(filepath.Join(out, "cables.csv")); err != nil || string(data) != string(cables) {
			t.Errorf("planned again from %s, cables differ (%v)", from, err)
		}
	}
	document, err := machine.LoadPlan(filepath.Join(dir, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), document)
	if err != nil || r.Bill.Total != first.Bill.Total {
		t.Errorf("planned again from plan.json: %v", err)
	}
}

// Nodes of 10.2 kW stand one in a rack of 12 kW, and so many racks the hall has no positions for: the budget says which
// racks would do, and those do.
func TestFourColumnsSaysWhatWouldDo(t *testing.T) {
	dir := t.TempDir()
	m, err := machine.Load(fourColumnsWith(t, dir, "power: 1.2 kW", "power: 10.2 kW"))
	if err == nil {
		_, err = machine.Plan(context.Background(), m)
	}
	for _, want := range []string{
		"532 racks for 230 rack positions", "512 of kind worker stand in 512 racks: a rack holds 1, by its power",
		"with racks of 31 kW everything would fit, in about 185 of them",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwithout %q", err, want)
		}
	}
	for power, racks := range map[string]int{"30 kW": 0, "31 kW": 188, "45 kW": 137} {
		m, err := machine.Load(fourColumnsWith(t, dir, "power: 1.2 kW", "power: 10.2 kW", "power: 12 kW",
			"power: "+power))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.PlanWith(context.Background(), m, machine.Options{Summary: true})
		switch {
		case racks == 0 && err == nil:
			t.Errorf("racks of %s suffice", power)
		case racks > 0 && (err != nil || len(r.Placement.Racks) != racks || r.Violations.Errors() > 0):
			t.Errorf("racks of %s: %v", power, err)
		}
	}
}
