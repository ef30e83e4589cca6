package render

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// structured is two rows of leaves and a row of spines, with panels.
func structured(t testing.TB) *spec.Spec {
	s, err := machine.Load("../machine/testdata/structured.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type failer interface {
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// patchedTally is what checkStructured counts.
type patchedTally struct {
	links, patched, trunks, panels int
	metres                         float64
	inRack, between                int64
}

// checkStructured reads the links over panels from cables.csv alone and holds the
// report and the bill against what it finds: every link once, as one cable or as
// cord, trunk and cord that meet at the panels; no trunk with more links than
// positions; every adapter, front and rear, taken once.
func checkStructured(t failer, r *machine.Result) patchedTally {
	report := r.Report()
	rows := readTable(t, r, Cables)
	var out patchedTally
	links := map[int][]map[string]string{}
	longest := map[string]float64{}
	cables := map[string]map[string]string{} // first row of each
	labels := map[string]bool{}
	leaves := map[string]bool{} // cables of which a link leaves its rack
	type jacket struct {
		row  map[string]string
		legs map[string]bool
	}
	trunks := map[string]*jacket{}
	panels := map[string]map[string]bool{} // adapters in use by panel
	qty := map[string]int64{}
	for _, row := range rows {
		n, err := strconv.Atoi(row["link"])
		if err != nil {
			t.Fatalf("link %q", row["link"])
		}
		links[n] = append(links[n], row)
		longest[row["cable_id"]] = max(longest[row["cable_id"]], value(t, row, "length_m"))
		if row["leg"] == "1" {
			if cables[row["cable_id"]] != nil {
				t.Fatalf("%s has two first legs", row["cable_id"])
			}
			cables[row["cable_id"]] = row
			qty[row["product"]]++
		}
		if row["product"] != "" { // labour is of what is made
			leaves[row["cable_id"]] = leaves[row["cable_id"]] || row["a_rack"] != row["b_rack"]
		}
		for _, end := range []string{"a", "b"} {
			label := row[end+"_label"]
			if labels[label] {
				t.Fatalf("two ends are labelled %s", label)
			}
			labels[label] = true
			if want := fmt.Sprintf("%s/U%02s/%s-%s", row[end+"_rack"], row[end+"_unit"], row[end+"_device"],
				row[end+"_port"]); label != want && !strings.Contains(row[end+"_rack"], "/") {
				t.Fatalf("%s is not %s", label, want)
			}
			if device := row[end+"_device"]; strings.HasPrefix(device, "PP") {
				if panels[device] == nil {
					panels[device] = map[string]bool{}
				}
				panels[device][strings.TrimSuffix(row[end+"_port"], "R")] = true
			}
		}
		sum := 0.0
		for _, part := range []string{
			"rise_m", "run_m", "drop_m", "manager_m", "crossing_m", "slack_m", "loop_m",
			"rounding_m",
		} {
			sum += value(t, row, part)
		}
		if math.Abs(sum-value(t, row, "length_m")) > 1e-6 {
			t.Errorf("%s: %v m, its pieces %.4f", row["cable_id"], row["length_m"], sum)
		}
		if row["product"] != "" && value(t, row, "stock_length_m") < value(t, row, "length_m")-1e-9 {
			t.Errorf("%s is too short", row["cable_id"])
		}
	}
	for _, leaves := range leaves {
		if leaves {
			out.between++
		} else {
			out.inRack++
		}
	}
	out.links = len(links)
	for n := 1; n <= len(links); n++ {
		way := links[n]
		switch len(way) {
		case 1:
			if strings.HasPrefix(way[0]["a_device"], "PP") || strings.HasPrefix(way[0]["b_device"], "PP") {
				t.Fatalf("link %d ends at a panel: %v", n, way[0])
			}
			continue
		case 3:
		default:
			t.Fatalf("link %d has %d rows", n, len(way))
		}
		out.patched++
		front, rear := []string{way[0]["b_label"] + "R", way[2]["a_label"] + "R"},
			[]string{way[1]["a_label"], way[1]["b_label"]}
		if !(front[0] == rear[0] && front[1] == rear[1]) && !(front[0] == rear[1] && front[1] == rear[0]) {
			t.Fatalf("link %d: cords at %v, trunk at %v", n, front, rear)
		}
		if way[0]["a_rack"] != way[0]["b_rack"] || way[2]["a_rack"] != way[2]["b_rack"] ||
			way[1]["a_rack"] == way[1]["b_rack"] {
			t.Fatalf("link %d: %v", n, way)
		}
		if (way[0]["optic_a"] == "" || way[2]["optic_b"] == "") && way[0]["product"] != "" && way[2]["product"] != "" ||
			way[0]["optic_b"]+way[1]["optic_a"]+way[1]["optic_b"]+way[2]["optic_a"] != "" {
			t.Fatalf("link %d: optics of %v", n, way)
		}
		id := way[1]["cable_id"]
		if trunks[id] == nil {
			trunks[id] = &jacket{way[1], map[string]bool{}}
		}
		j := trunks[id]
		for _, c := range []string{"level", "a_device", "b_device", "product", "length_m", "tray_route", "bundle"} {
			if j.row[c] != way[1][c] {
				t.Fatalf("%s: %s %q and %q", id, c, j.row[c], way[1][c])
			}
		}
		if j.legs[way[1]["leg"]] {
			t.Fatalf("%s has two legs %s", id, way[1]["leg"])
		}
		j.legs[way[1]["leg"]] = true
	}
	out.trunks, out.panels = len(trunks), len(panels)
	for id, j := range trunks {
		if j.row["product"] == "" {
			continue
		}
		product, _ := catalog.ParseItem(j.row["product"])
		if legs := r.Catalog.Part(product.Part).Cable.Legs; len(j.legs) > legs {
			t.Errorf("%s carries %d links on %d positions", id, len(j.legs), legs)
		}
	}
	unmade := qty[""]
	delete(qty, "")
	for _, row := range report.BOM {
		switch {
		case row.Kind == catalog.KindCable:
			if qty[row.Item.String()] != row.Qty {
				t.Errorf("%s: %d in cables.csv, %d in the bill", row.Item, qty[row.Item.String()], row.Qty)
			}
			delete(qty, row.Item.String())
		case row.Kind == catalog.KindPanel:
			if int(row.Qty) != out.panels {
				t.Errorf("%d panels in cables.csv, %d in the bill", out.panels, row.Qty)
			}
		case row.Item.Part == "install-in-rack" && row.Qty != out.inRack:
			t.Errorf("%d cables in racks, %d are installed", out.inRack, row.Qty)
		}
	}
	if len(qty) > 0 || int64(len(cables)) != report.Cables || unmade > 0 && !r.Broken() {
		t.Errorf("not in the bill: %v; %d cables, the report has %d, %d without a product", qty, len(cables),
			report.Cables, unmade)
	}
	for _, l := range longest {
		out.metres += l
	}
	if math.Abs(out.metres-float64(report.Length.Total)) > 1e-3 {
		t.Errorf("cables need %.4f m, the report says %.4f", out.metres, report.Length.Total)
	}
	if k := report.Structured; k == nil || int(k.Links) != out.patched || k.Trunks != out.trunks ||
		k.Panels != out.panels {
		t.Errorf("%+v, found %+v", report.Structured, out)
	}
	// Panels stand in units of their own.
	taken := map[string]string{}
	claim := func(rack string, unit, height int, device string) {
		for u := unit; u < unit+height; u++ {
			at := fmt.Sprint(rack, " ", u)
			if other, ok := taken[at]; ok && other != device {
				t.Fatalf("%s and %s both stand at %s", other, device, at)
			}
			taken[at] = device
		}
	}
	height := map[string]int{}
	for i, k := range r.Schedule.Kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			if r.Placement.Layout.Cell(r.Placement.Slot[v]) < 0 {
				height[r.Schedule.Device(int32(v))] = r.Schedule.Boxes[i].Part.Units
			}
		}
	}
	for _, row := range rows {
		for _, end := range []string{"a", "b"} {
			device := row[end+"_device"]
			unit, _ := strconv.Atoi(row[end+"_unit"])
			if h, ok := height[device]; ok {
				claim(row[end+"_rack"], unit, h, device)
			} else if strings.HasPrefix(device, "PP") {
				claim(row[end+"_rack"], unit, max(r.Schedule.Patching.Part.Units, 1), device)
			}
		}
	}
	for device, adapters := range panels {
		if len(adapters) > r.Schedule.Patching.Part.Panel.Ports {
			t.Errorf("%s has %d adapters in use", device, len(adapters))
		}
	}
	return out
}

func TestStructuredFromTheFilesAlone(t *testing.T) {
	r := plan(t, structured(t))
	got := checkStructured(t, r)
	// Eight leaves with eight links to each of four spines, two to a rack.
	if got.links != 512 || got.patched != 256 || got.trunks != 32 {
		t.Errorf("%+v", got)
	}
	cables := readTable(t, r, Cables)
	if n := checkTrays(t, trayed(cables), readTable(t, r, Trays)); n != got.trunks {
		t.Errorf("%d cables on trays, %d trunks", n, got.trunks)
	}
	if n := r.Schedule.Bundles; len(n) == 0 {
		t.Error("no bundles")
	}
	if r.Broken() {
		t.Errorf("%v", r.Violations.List())
	}
}

// trayed leaves out the rows in racks, whose pieces differ from those on trays.
func trayed(cables table) (out table) {
	for _, c := range cables {
		if c["tray_route"] != "" {
			out = append(out, c)
		}
	}
	return out
}

// The delay of a link over panels is that of all its fibre, its two optics and
// half a hop at either end.
func TestDelayOverPanels(t *testing.T) {
	for _, length := range []string{spec.Routed, spec.Stocked} {
		s := structured(t)
		s.Delay.Length = length
		r := plan(t, s)
		column := map[string]string{spec.Routed: "length_m", spec.Stocked: "stock_length_m"}[length]
		metres, ends, n := map[string]float64{}, map[string]float64{}, 0.0
		for _, row := range readTable(t, r, Cables) {
			if row["level"] != "tier1" {
				continue
			}
			metres[row["link"]] += value(t, row, column)
			for _, optic := range []string{row["optic_a"], row["optic_b"]} {
				if optic != "" {
					ends[row["link"]] += float64(r.Catalog.Part(optic).Optic.End)
				}
			}
		}
		sum, most := 0.0, 0.0
		hop := float64(r.Catalog.Part("nvidia-qm9700").Hop)
		for link, m := range metres {
			d := 5*m + ends[link] + hop
			sum += d
			most = max(most, d)
			n++
		}
		got := r.LevelDelay[1]
		if n != 256 || math.Abs(float64(got.MeanDelay())-sum/n) > 1e-6 || math.Abs(float64(got.MaxDelay)-most) > 1e-6 {
			t.Errorf("%s: %v links, mean %v and most %v, the plan says %v and %v", length, n, sum/n, most,
				got.MeanDelay(), got.MaxDelay)
		}
	}
}

// A trunk takes the room of one cable on the trays: its own.
func TestTrunksOnTheTrays(t *testing.T) {
	s := structured(t)
	area := func() float64 {
		sum := 0.0
		for _, b := range plan(t, s).Schedule.Bundles {
			sum += float64(b.Area())
		}
		return sum
	}
	over := area()
	s.Cabling.Structured = nil
	single := area()
	// 32 trunks of 11 mm, 256 fibres of 3 mm.
	if want := 32 * math.Pi / 4 * 11 * 11; math.Abs(over-want) > 0.1 {
		t.Errorf("trunks take %.1f mm2, not %.1f", over, want)
	}
	if want := 256 * math.Pi / 4 * 3 * 3; math.Abs(single-want) > 1e-3*256 { // each rounded to a thousandth
		t.Errorf("single fibres take %.1f mm2, not %.1f", single, want)
	}
}

func TestStructuredSelects(t *testing.T) {
	for _, c := range []struct {
		name            string
		change          func(s *spec.Spec)
		patched, trunks int
		part            string
		notes           string
	}{
		{"as it is", func(*spec.Spec) {}, 256, 32, "trunk-mm-12x", ""},
		{
			"at least as many as there are", func(s *spec.Spec) { s.Cabling.Structured.AtLeast = 16 }, 256, 32,
			"trunk-mm-12x", "",
		},
		{"more than there are", func(s *spec.Spec) { s.Cabling.Structured.AtLeast = 17 }, 0, 0, "", "256 of the links"},
		{"spare positions", func(s *spec.Spec) { s.Cabling.Structured.Spare = 60 }, 256, 48, "trunk-mm-12x", ""},
		{
			"single mode by the media rule", func(s *spec.Spec) { s.Cabling.Media[1].Use = []string{"single-mode"} },
			256,
			32, "trunk-sm-12x", "",
		},
		{
			"single mode by the panel", func(s *spec.Spec) { s.Cabling.Structured.Panel = "panel-1u-sm-mpo12-apc" },
			256,
			32, "trunk-sm-12x", "",
		},
		{
			"a smaller trunk", func(s *spec.Spec) { s.Cabling.Structured.Trunk = "trunk-sm-6x-mpo12-apc" }, 256, 48,
			"trunk-sm-6x", "",
		},
		{
			"no fibre allowed", func(s *spec.Spec) { s.Cabling.Media[1].Use = []string{"active-optical", "copper"} }, 0,
			0,
			"", "256 of the links",
		},
		{
			"nodes too", func(s *spec.Spec) { s.Cabling.Structured.Levels = nil; s.Cabling.Structured.Beyond = "rack" },
			256, 32, "", "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := structured(t)
			c.change(given)
			r := plan(t, given)
			report := r.Report()
			if c.patched == 0 {
				if report.Structured.Links != 0 || report.Structured.Panels != 0 ||
					!strings.Contains(strings.Join(report.Notes, "\n"), c.notes) {
					t.Errorf("%+v, %q", report.Structured, report.Notes)
				}
				return
			}
			got := checkStructured(t, r)
			if got.patched != c.patched || got.trunks != c.trunks {
				t.Errorf("%+v", got)
			}
			if bom := fmt.Sprint(r.Bill.Rows); !strings.Contains(bom, c.part) {
				t.Errorf("no %s in %s", c.part, bom)
			}
		})
	}
}

func TestStructuredRefuses(t *testing.T) {
	for _, c := range []struct {
		change func(s *spec.Spec)
		want   string
	}{
		{func(s *spec.Spec) { s.Cabling.Consolidate = &spec.Consolidate{Most: 3} }, "cannot be consolidated"},
		{func(s *spec.Spec) {
			s.Room = spec.Room{Containers: []spec.Container{{
				Name: "room", Count: []int{400, 1, 1},
				Pitch: []spec.Pitch{1, 1, 1},
			}}}
			s.Packaging = spec.Packaging{}
		}, "patch panels stand in racks"},
		{func(s *spec.Spec) { s.Cabling.Structured.Levels = []string{"tier3"} }, `no level "tier3"`},
		{func(s *spec.Spec) { s.Cabling.Structured.Panel = "rack-42u" }, "is of kind rack, not panel"},
		{func(s *spec.Spec) { s.Cabling.Structured.Panel = "panel-1u-sm-lc" }, "no trunk has lc plugs"},
		{func(s *spec.Spec) { s.Cabling.Structured.Trunk = "fibre-sm-lc" }, "is not a trunk"},
		{func(s *spec.Spec) {
			s.Cabling.Structured.Panel, s.Cabling.Structured.Trunk = "panel-1u-sm-mpo12-apc", "trunk-mm-6x-mpo12-apc"
		}, "multimode fibre, and panel-1u-sm-mpo12-apc takes"},
		{func(s *spec.Spec) {
			full := *catalog.Default().Part(machine.DefaultRack)
			full.ID, full.Units = "rack-33u", 33
			s.Parts, s.Room.Rack = append(s.Parts, full), full.ID
		}, "no room for the panels in rack"},
	} {
		given := structured(t)
		c.change(given)
		_, err := machine.Plan(context.Background(), given)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}

// Panels and fibres lose light; a link that loses more than its optics allow is a
// violation.
func TestInsertionLoss(t *testing.T) {
	s := structured(t)
	r := plan(t, s)
	most := 0.0
	loss := map[string]float64{}
	for _, row := range readTable(t, r, Cables) {
		if row["level"] == "tier1" {
			product, _ := catalog.ParseItem(row["product"])
			loss[row["link"]] += float64(r.Catalog.Part(product.Part).Cable.Attenuation) * value(t, row,
				"stock_length_m") / 1000
		}
	}
	for _, l := range loss {
		most = max(most, l+2*0.35)
	}
	if got := r.Report().Structured.Loss; got == nil || math.Abs(float64(*got)-most) > 1e-6 {
		t.Errorf("%v dB, not %v", got, most)
	}
	panel := *r.Catalog.Part("panel-1u-mm-mpo12-apc")
	part, box := panel, *panel.Panel
	box.Loss = 1
	part.Panel = &box
	s.Parts = append(s.Parts, part)
	s.Cabling.Structured.Panel = part.ID
	r = plan(t, s)
	if n := r.Violations.Count(cabling.RuleLoss); n != 256 {
		t.Errorf("%d links lose too much", n)
	}
}

// panels.csv says what cables.csv does, from the side of the panels, and lists the
// spare positions of every trunk at both of its ends.
func TestPanelsFromTheFilesAlone(t *testing.T) {
	r := plan(t, structured(t))
	rows := readTable(t, r, Panels)
	byLabel := map[string]map[string]string{} // rows of cables.csv by the label of an end
	other := map[string]string{}
	for _, row := range readTable(t, r, Cables) {
		byLabel[row["a_label"]], byLabel[row["b_label"]] = row, row
		other[row["a_label"]], other[row["b_label"]] = row["b_label"], row["a_label"]
	}
	spare, used := map[string]int{}, map[string]int{}
	pairs := map[string]string{}
	for _, row := range rows {
		if want := fmt.Sprintf("%s/U%02s/%s-%sR", row["rack"], row["unit"], row["panel"],
			row["port"]); row["trunk_label"] != want {
			t.Errorf("%s is not %s", row["trunk_label"], want)
		}
		pairs[row["trunk_label"]] = row["trunk_to"]
		if row["cord"] == "" {
			spare[row["trunk"]]++
			if byLabel[row["trunk_label"]] != nil || row["link"]+row["cord_to"] != "" {
				t.Errorf("spare position %v", row)
			}
			continue
		}
		used[row["trunk"]]++
		trunk, cord := byLabel[row["trunk_label"]], byLabel[row["cord_label"]]
		if trunk["cable_id"] != row["trunk"] || other[row["trunk_label"]] != row["trunk_to"] ||
			trunk["link"] != row["link"] ||
			cord["cable_id"] != row["cord"] || other[row["cord_label"]] != row["cord_to"] ||
			cord["link"] != row["link"] {
			t.Errorf("%v: trunk %v, cord %v", row, trunk, cord)
		}
	}
	for a, b := range pairs {
		if pairs[b] != a {
			t.Errorf("%s leads to %s, and that to %s", a, b, pairs[b])
		}
	}
	if len(rows) != 2*32*12 || len(used) != 32 {
		t.Errorf("%d adapters, %d trunks", len(rows), len(used))
	}
	for id, n := range used {
		if n+spare[id] != 2*12 {
			t.Errorf("%s has %d positions in use and %d spare ones", id, n, spare[id])
		}
	}
}

// Rails that run through the same trays do so over panels as well.
func TestRedundancyOverPanels(t *testing.T) {
	s := superPod()
	s.Rules.Suppress = nil
	s.Cabling.Media = []spec.MediaRule{{Use: []string{"fibre"}}}
	want := plan(t, s).Violations.Count(cabling.RuleRedundancy)
	s.Cabling.Structured = &spec.Structured{Levels: []string{"terminal"}, Beyond: "rack"}
	r := plan(t, s)
	if got := r.Violations.Count(cabling.RuleRedundancy); got != want || want == 0 || r.Report().Structured.Links == 0 {
		t.Errorf("%d rows without redundancy over panels, %d with single cables; %+v", got, want, r.Report().Structured)
	}
}

// Random trees with random rules agree with what is read from their files.
func TestRandomStructured(t *testing.T) {
	checks := 0
	rapid.Check(t, func(t *rapid.T) {
		if checks++; checks > 30 && os.Getenv("PLENUM_LONG") == "" {
			return
		}
		s := &spec.Spec{
			Topology: topology.Spec{Params: topology.FatTree{
				Nodes: rapid.IntRange(20, 200).Draw(t, "nodes"),
				Radix: rapid.SampledFrom([]int{16, 32}).Draw(t, "radix"),
			}},
			Packaging: spec.Packaging{
				Node: &spec.Box{PerRack: rapid.IntRange(4, 30).Draw(t, "per rack")},
				Leaf: &spec.Box{Part: "nvidia-qm9700"}, Spine: &spec.Box{Part: "nvidia-qm9700"},
			},
			Room: spec.Room{
				RacksPerRow: rapid.IntRange(2, 12).Draw(t, "racks"),
				Trays: spec.Trays{
					Part: "tray-basket-300",
					Fill: rapid.SampledFrom([]float64{0, 0.5, 2}).Draw(t, "fill"),
				},
			},
			Cabling: spec.Cabling{
				Route: rapid.SampledFrom([]string{"", spec.Direct, spec.Manhattan}).Draw(t, "route"),
				Slack: spec.Slack{
					Percent: rapid.SampledFrom([]float64{0, 3.3}).Draw(t, "percent"),
					Loop:    units.Length(rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "loop")),
				},
				Structured: &spec.Structured{
					Beyond:  rapid.SampledFrom([]string{"", "rack", "row"}).Draw(t, "beyond"),
					AtLeast: rapid.IntRange(0, 4).Draw(t, "at least"),
					Spare:   rapid.Float64Range(0, 120).Draw(t, "spare"),
				},
			},
		}
		if rapid.Bool().Draw(t, "rules") {
			s.Cabling.Media = []spec.MediaRule{{Longest: 5, Use: []string{"copper"}}, {Use: []string{"any"}}}
		}
		if s.Cabling.Route != spec.Direct && rapid.Bool().Draw(t, "manager") {
			s.Cabling.Manager = "nearest"
		}
		r, err := machine.Plan(context.Background(), s)
		var wrong diag.FieldErrors
		if errors.As(err, &wrong) {
			return // no room for panels, and what else is refused
		}
		if err != nil {
			t.Fatal(err)
		}
		checkStructured(t, r)
		if r.Schedule.Trays != nil && s.Cabling.Manager == "" && s.Cabling.Slack.Loop == 0 {
			checkTrays(t, trayed(readTable(t, r, Cables)), readTable(t, r, Trays))
		}
		summary, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := r.Bill.Total, summary.Bill.Total; a != b || r.Schedule.Cables != summary.Schedule.Cables {
			t.Errorf("the plan costs %v, its summary %v", a, b)
		}
	})
}
