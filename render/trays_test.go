package render

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// table is a file of comma-separated values: rows by column.
type table []map[string]string

func readTable(t interface{ Fatal(...any) }, r *machine.Result, write Writer) table {
	var b bytes.Buffer
	if err := write(context.Background(), &b, r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out table
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		out = append(out, m)
	}
	return out
}

func value(t interface{ Fatalf(string, ...any) }, row map[string]string, column string) float64 {
	if row[column] == "" {
		return 0
	}
	v, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		t.Fatalf("%s is %q", column, row[column])
	}
	return v
}

var idPattern = regexp.MustCompile(`^T([0-9]+)(?:-T([0-9]+))?$`)

// checkTrays recomputes what trays.csv says of every piece from cables.csv and
// trays.csv alone: nothing here but the two files and the notation of routes. It
// returns the number of cables on trays.
func checkTrays(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, cables, trays table,
) int {
	type load struct {
		cables       int
		area, weight float64
	}
	var numbered table // with nothing for pieces that are left out
	for i, piece := range trays {
		n, err := strconv.Atoi(strings.TrimPrefix(piece["segment"], "T"))
		if err != nil || n <= len(numbered) {
			t.Fatalf("row %d is segment %s", i+1, piece["segment"])
		}
		numbered = append(append(numbered, make(table, n-1-len(numbered))...), piece)
	}
	trays = numbered
	loads := make([]load, len(trays))
	point := func(i int, end string) [3]float64 {
		return [3]float64{
			value(t, trays[i], end+"_x_m"), value(t, trays[i], end+"_y_m"),
			value(t, trays[i], end+"_z_m"),
		}
	}
	routed := 0
	start := map[string][2]float64{} // where routes begin, by rack
	for _, c := range cables {
		if c["tray_route"] == "" {
			if c["a_rack"] != c["b_rack"] {
				t.Fatalf("%s from %s to %s lies on no tray", c["cable_id"], c["a_rack"], c["b_rack"])
			}
			continue
		}
		jacket := 0 // a link in the jacket of another, or without a product, takes no room
		if c["diameter_mm"] != "" {
			jacket = 1
			routed++
		}
		var route []int
		for _, run := range strings.Fields(c["tray_route"]) {
			m := idPattern.FindStringSubmatch(run)
			if m == nil {
				t.Fatalf("%s: route %q", c["cable_id"], c["tray_route"])
			}
			from, _ := strconv.Atoi(m[1])
			to := from
			if m[2] != "" {
				to, _ = strconv.Atoi(m[2])
			}
			for n := from; ; {
				route = append(route, n-1)
				if n == to {
					break
				}
				if n < to {
					n++
				} else {
					n--
				}
			}
		}
		d := value(t, c, "diameter_mm")
		run, level := 0.0, trays[route[0]]["level"]
		at := [][3]float64{point(route[0], "a"), point(route[0], "b")} // either end may come first
		var begin [2][3]float64
		copy(begin[:], at)
		for _, i := range route {
			l := &loads[i]
			if trays[i] == nil {
				t.Fatalf("%s runs on piece %d, which is left out", c["cable_id"], i+1)
			}
			l.cables += jacket
			l.area += math.Pi / 4 * d * d
			l.weight += value(t, c, "weight_kg_m")
			run += value(t, trays[i], "length_m")
			if trays[i]["level"] != level {
				t.Fatalf("%s changes from level %s to %s", c["cable_id"], level, trays[i]["level"])
			}
			a, b := point(i, "a"), point(i, "b")
			for k := range at { // walk on from both
				switch at[k] {
				case a:
					at[k] = b
				case b:
					at[k] = a
				default:
					at[k] = [3]float64{math.NaN()}
				}
			}
		}
		var first, last *[3]float64
		for k := range at {
			if !math.IsNaN(at[k][0]) {
				first, last = &begin[k], &at[k]
			}
		}
		if first == nil {
			t.Fatalf("%s: route %q has gaps", c["cable_id"], c["tray_route"])
		}
		if len(route) > 1 {
			for rack, p := range map[string]*[3]float64{c["a_rack"]: first, c["b_rack"]: last} {
				here := [2]float64{p[0], p[1]}
				if known, ok := start[rack]; ok && known != here {
					t.Fatalf("%s: the route of %s ends at %v, others of %s at %v", c["cable_id"], c["tray_route"], here,
						rack, known)
				}
				start[rack] = here
			}
		}
		if math.Abs(run-value(t, c, "run_m")) > 1e-4*float64(len(route)+1) {
			t.Fatalf("%s runs %s m, its pieces measure %.4f m", c["cable_id"], c["run_m"], run)
		}
		sum := value(t, c, "rise_m") + value(t, c, "run_m") + value(t, c, "drop_m") + value(t, c, "slack_m")
		if math.Abs(sum-value(t, c, "length_m")) > 3e-4 {
			t.Fatalf("%s is %s m long, its parts %.4f m", c["cable_id"], c["length_m"], sum)
		}
		if stock := value(t, c, "stock_length_m"); c["product"] != "" && stock < value(t, c, "length_m")-1e-9 {
			t.Fatalf("%s: %s for %s m", c["cable_id"], c["product"], c["length_m"])
		}
	}
	for i, piece := range trays {
		l := &loads[i]
		n := float64(l.cables)
		if l.cables != int(value(t, piece, "cables")) || math.Abs(l.area-value(t, piece, "cables_mm2")) > 1e-3*(n+1) {
			t.Fatalf("%s: %d cables of %.3f mm2, the file says %s of %s", piece["segment"], l.cables, l.area,
				piece["cables"], piece["cables_mm2"])
		}
		if math.Abs(l.weight-value(t, piece, "weight_kg_m")) > 1e-4*(n+1) {
			t.Fatalf("%s: %.4f kg/m, the file says %s", piece["segment"], l.weight, piece["weight_kg_m"])
		}
		if section := value(t, piece, "section_mm2"); section > 0 {
			if math.Abs(100*l.area/section-value(t, piece, "fill_percent")) > 0.01 {
				t.Fatalf("%s is filled to %.3f %%, the file says %s", piece["segment"], 100*l.area/section,
					piece["fill_percent"])
			}
			over := max(0, l.area-section*value(t, piece, "limit_percent")/100)
			if math.Abs(over-value(t, piece, "excess_mm2")) > 1e-3*(n+1) {
				t.Fatalf("%s has %.3f mm2 too much, the file says %s", piece["segment"], over, piece["excess_mm2"])
			}
		}
	}
	return routed
}

// hall is a machine whose racks are all joined to each other: much for a tray.
func hall(name string, rows, perRow int, trays spec.Trays) *spec.Spec {
	return &spec.Spec{
		Name:     name,
		Topology: topology.Spec{Params: topology.HyperX{Dims: topology.Ints{64}, Terminals: 1}},
		Packaging: spec.Packaging{
			Switch: &spec.Box{Part: "generic-switch-64x400g", PerRack: 4},
			Node:   &spec.Box{Part: "generic-node-1u", PerRack: 4},
		},
		Room: spec.Room{Rows: spec.Rows{Count: rows}, RacksPerRow: perRow, Trays: trays},
	}
}

func lengthOf(l units.Length) *units.Length { return &l }

// levels is a machine in two halls with several levels of trays.
func levels() *spec.Spec {
	s := hall("Levels", 0, 8, spec.Trays{
		Levels: []spec.TrayLevel{
			{Name: "copper", Use: []string{"copper"}, Part: "tray-ladder-600"},
			{Name: "fibre", Use: []string{"optical"}, Cross: []int{4}},
			{Name: "power", Power: true},
			{Name: "floor", Height: lengthOf(-0.3), Part: "tray-basket-300", Count: 4},
		},
		Paths: []spec.TrayPath{
			{
				Name: "riser 1", From: spec.PathEnd{Position: "A08"}, To: spec.PathEnd{Position: "C01"}, Length: 14,
				Levels: []string{"fibre"},
			},
			{Name: "riser 2", From: spec.PathEnd{Position: "B01"}, To: spec.PathEnd{Position: "D02"}},
		},
	})
	s.Room.Halls = []spec.Hall{{Name: "North", Rows: 2}, {Name: "South", Rows: 2, Floor: 4}}
	return s
}

// TestTraysFromTheFilesAlone has the independent checker recompute fills of
// machines with and without rerouting, on several levels and in several halls.
func TestTraysFromTheFilesAlone(t *testing.T) {
	basket := spec.Trays{Part: "tray-basket-300", Cross: []int{0, 2, 4, 6, 8}}
	for _, s := range []*spec.Spec{
		superPod(), dragonfly(), torus(8, 8, 8), hall("Free", 4, 8, spec.Trays{}), hall("Rerouted", 4, 8, basket),
		hall("Full", 1, 20, spec.Trays{Part: "tray-basket-300"}), levels(), breakout(),
	} {
		t.Run(s.Name, func(t *testing.T) {
			r := plan(t, s)
			if n := checkTrays(t, readTable(t, r, Cables), readTable(t, r, Trays)); n == 0 {
				t.Error("no cable lies on a tray")
			}
		})
	}
}

// TestRandomTrays does the same for random halls that overfill.
func TestRandomTrays(t *testing.T) {
	if os.Getenv("PLENUM_LONG") == "" {
		t.Skip("PLENUM_LONG=1 runs it")
	}
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 4).Draw(t, "rows")
		trays := spec.Trays{
			Part: rapid.SampledFrom([]string{"tray-basket-300", "tray-ladder"}).Draw(t, "part"),
			Fill: rapid.Float64Range(5, 60).Draw(t, "fill"),
		}
		for p := range 20/rows + 3 {
			if p == 0 || rapid.Bool().Draw(t, "cross") {
				trays.Cross = append(trays.Cross, p)
			}
		}
		s := hall("Random", rows, 20/rows+2, trays)
		s.Cabling.Bundle = rapid.SampledFrom([]int{0, 1, 7, 100}).Draw(t, "bundle")
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		checkTrays(t, readTable(t, r, Cables), readTable(t, r, Trays))
		overfull := 0
		for piece := range r.Schedule.Trays.Loads {
			if r.Schedule.Trays.Excess(int32(piece)) > 0 {
				overfull++
			}
		}
		if n := r.Violations.Count(cabling.RuleTrayFill); n != overfull {
			t.Fatalf("%d violations, %d pieces too full", n, overfull)
		}
		checkBundles(t, readTable(t, r, Cables), readTable(t, r, Bundles), cabling.DefaultBundle*100)
	})
}

// TestReroutingRelievesTheTrays: the direct routes overfill, the others do not,
// and the report says how much longer they are.
func TestReroutingRelievesTheTrays(t *testing.T) {
	s := hall("Rerouted", 4, 8, spec.Trays{Part: "tray-basket-300", Cross: []int{0, 2, 4, 6, 8}})
	r := plan(t, s)
	wide := *s
	wide.Room.Trays.Count = 100
	direct := plan(t, &wide)
	most, now := 0.0, 0.0
	for piece := range r.Schedule.Trays.Loads {
		most = max(most, 100*direct.Schedule.Trays.Fill(int32(piece)))
		now = max(now, r.Schedule.Trays.Fill(int32(piece)))
	}
	if most <= 0.5 || now > 0.5 {
		t.Errorf("the direct routes fill trays to %.3f, the others to %.3f", most, now)
	}
	report, before := r.Report(), direct.Report()
	extra := report.Length.Total - before.Length.Total
	if report.Trays.Overfull != 0 || report.Trays.Rerouted == 0 || math.Abs(float64(report.Trays.Extra-extra)) > 1e-3 ||
		extra <= 0 {
		t.Errorf("%d cables rerouted, %.3f m longer; the plans differ by %.3f m", report.Trays.Rerouted,
			report.Trays.Extra, extra)
	}
	if r.Violations.Errors() > 0 {
		t.Errorf("violations %v", r.Violations.List())
	}
	summary, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true, Paths: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := summary.Report().Delay; got == nil || got.NsMean != report.Delay.NsMean {
		t.Errorf("a summary with paths has the delays %+v, the plan %+v", got, report.Delay)
	}
}

// checkBundles recomputes bundles from cables.csv and bundles.csv alone.
func checkBundles(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, cables, bundles table, most int,
) {
	byID := map[string]map[string]string{}
	for _, b := range bundles {
		byID[b["bundle"]] = b
	}
	type sum struct {
		cables, copper                  int
		area, weight, longest, shortest float64
	}
	sums := map[string]*sum{}
	for _, c := range cables {
		if c["a_rack"] == c["b_rack"] {
			if c["bundle"] != "" {
				t.Fatalf("%s stays in its rack, in bundle %s", c["cable_id"], c["bundle"])
			}
			continue
		}
		b := byID[c["bundle"]]
		if b == nil {
			t.Fatalf("%s is in bundle %q", c["cable_id"], c["bundle"])
		}
		there := c["a_rack"] == b["a_rack"] && c["b_rack"] == b["b_rack"] && c["tray_route"] == b["tray_route"]
		back := c["a_rack"] == b["b_rack"] && c["b_rack"] == b["a_rack"]
		if !there && !back {
			t.Fatalf("%s: %v in bundle %v", c["cable_id"], c, b)
		}
		s := sums[c["bundle"]]
		if s == nil {
			s = &sum{shortest: math.Inf(1)}
			sums[c["bundle"]] = s
		}
		if c["diameter_mm"] == "" {
			continue
		}
		s.cables++
		if m := c["medium"]; m == string(catalog.PassiveCopper) || m == string(catalog.ActiveCopper) {
			s.copper++
		}
		d, l := value(t, c, "diameter_mm"), value(t, c, "length_m")
		s.area += math.Pi / 4 * d * d
		s.weight += value(t, c, "weight_kg_m") * value(t, c, "stock_length_m")
		s.longest, s.shortest = max(s.longest, l), min(s.shortest, l)
	}
	order := make([]map[string]string, len(bundles)+1)
	for _, b := range bundles {
		s := sums[b["bundle"]]
		if s == nil || s.cables > most || float64(s.cables) != value(t, b, "cables") ||
			math.Abs(s.area-value(t, b, "cables_mm2")) > 1e-3*float64(s.cables+1) ||
			math.Abs(s.weight-value(t, b, "weight_kg")) > 1e-3*float64(s.cables+1) ||
			s.longest != value(t, b, "longest_m") || s.shortest != value(t, b, "shortest_m") {
			t.Fatalf("bundle %v, of its cables %+v", b, s)
		}
		kind := map[bool]string{true: "copper", false: "mixed"}[s.copper == s.cables]
		if s.copper == 0 {
			kind = "fibre"
		}
		if b["kind"] != kind {
			t.Fatalf("bundle %v has %d copper cables", b, s.copper)
		}
		order[int(value(t, b, "pull_order"))] = b
		d := value(t, b, "diameter_mm")
		if circle := math.Pi / 4 * d * d; circle < s.area-d*0.1-1 || (s.cables > 2 && circle > 1.8*s.area) {
			t.Fatalf("bundle %s is %g mm thick: %g mm2 for %g mm2 of cables", b["bundle"], d, circle, s.area)
		}
	}
	last := math.Inf(1)
	for _, b := range order[1:] {
		if l := value(t, b, "longest_m"); b == nil || l > last {
			t.Fatalf("bundle %v is pulled after shorter ones", b)
		} else {
			last = l
		}
	}
}

func TestBundlesFromTheFilesAlone(t *testing.T) {
	direct := hall("Direct", 4, 8, spec.Trays{})
	direct.Cabling = spec.Cabling{Route: spec.Direct, Bundle: 5}
	for _, c := range []struct {
		spec *spec.Spec
		most int
	}{
		{superPod(), 24},
		{hall("Rerouted", 4, 8, spec.Trays{Part: "tray-basket-300", Cross: []int{0, 2, 4, 6, 8}}), 24},
		{direct, 5},
		{levels(), 24},
		{breakout(), 24},
	} {
		t.Run(c.spec.Name, func(t *testing.T) {
			r := plan(t, c.spec)
			checkBundles(t, readTable(t, r, Cables), readTable(t, r, Bundles), c.most)
		})
	}
}

// Trays and the cables on them run around columns: no piece of trays.csv crosses one, and what lies on the pieces is
// what the cables name.
func TestTraysRunAroundColumns(t *testing.T) {
	s, err := machine.Parse("machine.yaml", []byte(`
topology: {family: fat-tree, nodes: 64, radix: 16}
room:
  width: 9 m
  depth: 9 m
  columns: [{x: 4 m, y: 1.6 m, width: 0.4 m, depth: 0.4 m}, {x: 4 m, y: 5.2 m, width: 0.5 m, depth: 0.5 m}]
packaging: {node: {per_rack: 4}}
`))
	if err != nil {
		t.Fatal(err)
	}
	r := plan(t, s)
	checkTrays(t, readTable(t, r, Cables), readTable(t, r, Trays))
	crossed, aside := 0, 0
	for _, p := range readTable(t, r, Trays) {
		x0, x1, y0, y1 := value(t, p, "a_x_m"), value(t, p, "b_x_m"), value(t, p, "a_y_m"), value(t, p, "b_y_m")
		for _, c := range s.Room.Columns {
			if min(x0, x1) < float64(c.X+c.Width) && max(x0, x1) > float64(c.X) &&
				min(y0, y1) < float64(c.Y+c.Depth) && max(y0, y1) > float64(c.Y) {
				crossed++
			}
		}
		if y0 != y1 && strings.HasPrefix(p["tray"], "row") && value(t, p, "cables") > 0 {
			aside++
		}
	}
	if crossed != 0 || aside == 0 {
		t.Errorf("%d pieces cross a column, %d lead aside", crossed, aside)
	}
}
