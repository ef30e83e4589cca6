package examples_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// names lists the examples without the large ones.
func names(t testing.TB) []string {
	return slices.DeleteFunc(every(t), func(name string) bool { return slices.Contains(large, name) })
}

// every lists all examples.
func every(t testing.TB) []string {
	t.Helper()
	entries, err := examples.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func replan(name string) (*machine.Result, error) {
	data, err := examples.Files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	spec, err := machine.Parse(name, data)
	if err != nil {
		return nil, err
	}
	return machine.Plan(context.Background(), spec)
}

// example is a planned example with its cable schedule as written.
type example struct {
	*machine.Result
	report *report.Plan
	cables []map[string]string // rows of cables.csv by column
}

var planned = map[string]*example{}

// plan plans an example; all tests, one after the other, share the plan.
func plan(t testing.TB, name string) *example {
	t.Helper()
	if e := planned[name]; e != nil {
		return e
	}
	r, err := replan(name)
	if err != nil {
		t.Fatal(err)
	}
	e := scheduled(t, r)
	planned[name] = e
	return e
}

// links returns the number of links and cables of a topology level.
func (e *example) links(level string) [2]int64 {
	for _, l := range e.report.Levels {
		if l.Level == level {
			return [2]int64{l.Links, l.Cables}
		}
	}
	return [2]int64{-1, -1}
}

// qty adds up the pieces of the bill whose part begins with a prefix.
func (e *example) qty(prefix string) int64 {
	n := int64(0)
	for _, row := range e.report.BOM {
		if strings.HasPrefix(row.Item.String(), prefix) {
			n += row.Qty
		}
	}
	return n
}

// racks counts the boxes of each kind in each rack.
func (e *example) racks() map[string]map[string]int {
	out := map[string]map[string]int{}
	l := e.Placement.Layout
	for v, slot := range e.Placement.Slot {
		name := l.ContainerName(layout.RackLevel, l.Container(layout.RackLevel, slot))
		if out[name] == nil {
			out[name] = map[string]int{}
		}
		out[name][e.Schedule.Kinds[topology.KindOf(e.Schedule.Kinds, v)].Name]++
	}
	return out
}

// count counts the vertices of a kind.
func (e *example) count(kind string) int {
	for _, k := range e.Graph.Kinds() {
		if k.Name == kind {
			return k.Count
		}
	}
	return 0
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// NVIDIA DGX SuperPOD reference architecture and data centre design, DGX H100:
// 127 nodes, 32 leaves and 16 spines; 1,016 cables from nodes to leaves and
// 1,024 from leaves to spines, all fibre, with 1,536 twin-port optics in
// switches and 508 in nodes; 38 racks.
func TestSuperPODHasTheCountsOfTheReferenceArchitecture(t *testing.T) {
	e := plan(t, "superpod-h100-compute.yaml")
	equal(t, "nodes", e.report.Nodes, 127)
	equal(t, "switches", e.report.Switches, 48)
	equal(t, "leaves", e.count("leaf"), 32)
	equal(t, "spines", e.count("spine"), 16)
	equal(t, "node to leaf", e.links("terminal"), [2]int64{1016, 1016})
	equal(t, "leaf to spine", e.links("tier1"), [2]int64{1024, 1024})
	equal(t, "cables, without the fabric manager's 4", e.report.Cables, 2040)
	equal(t, "optics in switches", e.qty("nvidia-mma4z00-ns")-e.qty("nvidia-mma4z00-ns-flt"), 1536)
	equal(t, "optics in nodes", e.qty("nvidia-mma4z00-ns-flt"), 508)
	equal(t, "racks", e.report.Racks, 38)
	for _, c := range e.cables {
		if m := catalog.Medium(c["medium"]); !m.Fibre() {
			t.Errorf("%s is %s", c["cable_id"], m)
		}
	}
	network := 0
	for name, boxes := range e.racks() {
		if boxes["node"] > 4 || boxes["node"] > 0 && len(boxes) > 1 {
			t.Errorf("rack %s holds %v", name, boxes)
		}
		if boxes["node"] == 0 {
			network++
		}
	}
	equal(t, "racks of switches", network, 6)
}

// J. Domke et al., "HyperX topology: first at-scale implementation and
// comparison to the fat-tree", SC 2019: 96 switches, 672 nodes, 864 cables
// between switches, 24 racks of 28 nodes and 4 switches.
func TestTSUBAME2HasTheCountsOfDomke2019(t *testing.T) {
	e := plan(t, "tsubame2-hyperx.yaml")
	equal(t, "switches", e.report.Switches, 96)
	equal(t, "nodes", e.report.Nodes, 672)
	equal(t, "dim1", e.links("dim1"), [2]int64{8 * 12 * 11 / 2, 8 * 12 * 11 / 2})
	equal(t, "dim2", e.links("dim2"), [2]int64{12 * 8 * 7 / 2, 12 * 8 * 7 / 2})
	equal(t, "cables between switches", e.links("dim1")[1]+e.links("dim2")[1], 864)
	equal(t, "terminal", e.links("terminal"), [2]int64{672, 672})
	equal(t, "racks", e.report.Racks, 24)
	for name, boxes := range e.racks() {
		if boxes["node"] != 28 || boxes["switch"] != 4 {
			t.Errorf("rack %s holds %v", name, boxes)
		}
	}
	for _, c := range e.cables {
		if c["level"] == "terminal" && c["a_rack"] != c["b_rack"] {
			t.Errorf("%s joins a node of %s to a switch of %s", c["cable_id"], c["b_rack"], c["a_rack"])
		}
	}
}

// N. R. Adiga et al., "Blue Gene/L torus interconnection network", IBM J. Res.
// Dev. 49 (2/3), 2005: 65,536 nodes in 64 racks of 1,024; of 196,608 links one
// in eight of every dimension leaves its midplane by a cable.
func TestBlueGeneLHasTheCountsOfAdiga2005(t *testing.T) {
	e := plan(t, "bluegene-l.yaml")
	equal(t, "nodes", e.report.Nodes, 65536)
	equal(t, "switches", e.report.Switches, 0)
	equal(t, "links", e.report.Links, 196608)
	equal(t, "cables", e.report.Cables, 24576)
	equal(t, "racks", e.report.Racks, 64)
	for name, boxes := range e.racks() {
		if boxes["node"] != 1024 {
			t.Errorf("rack %s holds %v", name, boxes)
		}
	}
	for _, dim := range []string{"dim1", "dim2", "dim3"} {
		equal(t, dim, e.links(dim), [2]int64{65536, 8192})
	}
	var traces int64
	l := e.Placement.Layout
	midplane := l.LevelIndex("midplane")
	for i := range e.Schedule.Segments {
		seg := &e.Schedule.Segments[i]
		a, b := e.Placement.Slot[seg.A], e.Placement.Slot[seg.B]
		inside := l.Container(midplane, a) == l.Container(midplane, b)
		if trace := seg.Product == cabling.IsTrace; trace != inside {
			t.Fatalf("link %d: trace %v, inside a midplane %v", seg.Link, trace, inside)
		}
		if inside {
			traces++
		}
	}
	equal(t, "traces", traces, 196608-24576)
}

// J. Kim, W. J. Dally, S. Scott, D. Abts, "Technology-driven, highly-scalable
// dragonfly topology", ISCA 2008, with p = 4, a = 8, h = 4: 33 groups, 264
// switches, 1,056 nodes; a link between any two of 33 groups (528) and between
// any two of 8 switches of a group (33 * 28 = 924).
func TestDragonflyHasTheCountsOfKim2008(t *testing.T) {
	e := plan(t, "dragonfly-1056.yaml")
	equal(t, "nodes", e.report.Nodes, 1056)
	equal(t, "switches", e.report.Switches, 264)
	equal(t, "global", e.links("global"), [2]int64{528, 528})
	equal(t, "local", e.links("local"), [2]int64{924, 924})
	equal(t, "terminal", e.links("terminal"), [2]int64{1056, 1056})
	equal(t, "racks", e.report.Racks, 33)
	for name, boxes := range e.racks() {
		if boxes["node"] != 32 || boxes["switch"] != 8 {
			t.Errorf("rack %s holds %v", name, boxes)
		}
	}
	pairs := map[[2]string]bool{} // a group is a rack
	for _, c := range e.cables {
		a, b := c["a_rack"], c["b_rack"]
		if (a == b) != (c["level"] != "global") {
			t.Errorf("%s of level %s joins %s and %s", c["cable_id"], c["level"], a, b)
		}
		if a > b {
			a, b = b, a
		}
		if pairs[[2]string{a, b}] && a != b {
			t.Errorf("groups in %s and %s are joined twice", a, b)
		}
		pairs[[2]string{a, b}] = true
	}
	equal(t, "pairs of groups", len(pairs), 33+528)
}

// Oracle Exadata Database Machine, multi-rack cabling tables for eight adjacent
// racks: a leaf takes a 3 m cable to the spine of its own rack, 5 m to the next
// two racks on either side and 10 m to the others; only optical cables are
// longer than 5 m.
func TestOracleHasTheCablesOfTheMultiRackTables(t *testing.T) {
	e := plan(t, "oracle-eight-rack.yaml")
	equal(t, "racks", e.report.Racks, 8)
	rack := func(name string) int {
		i, err := strconv.Atoi(strings.TrimPrefix(name, "A"))
		if err != nil {
			t.Fatalf("rack %s", name)
		}
		return i
	}
	joined := map[string]int{}
	for _, c := range e.cables {
		length, err := strconv.ParseFloat(c["stock_length_m"], 64)
		if err != nil {
			t.Fatal(err)
		}
		if optical := c["medium"] == string(catalog.ActiveOptical); optical != (length > 5) {
			t.Errorf("%s: %s of %v m", c["cable_id"], c["medium"], length)
		}
		if c["level"] != "tier1" {
			continue
		}
		want := 10.0
		switch d := rack(c["a_rack"]) - rack(c["b_rack"]); {
		case d == 0:
			want = 3
		case -2 <= d && d <= 2:
			want = 5
		}
		if length != want {
			t.Errorf("%s from %s to %s is %v m, want %v m", c["cable_id"], c["a_label"], c["b_label"], length, want)
		}
		joined[c["a_device"]+" "+c["b_device"]]++
		units := map[string][]string{"LF": {"18", "24"}, "SP": {"1"}}
		for _, end := range []string{"a", "b"} {
			if u := c[end+"_unit"]; !slices.Contains(units[c[end+"_device"][:2]], u) {
				t.Errorf("%s stands at U%s", c[end+"_device"], u)
			}
		}
	}
	equal(t, "pairs of a leaf and a spine", len(joined), 16*8)
	equal(t, "cables from leaves to spines", e.links("tier1"), [2]int64{128, 128})
	for name, boxes := range e.racks() {
		if boxes["leaf"] != 2 || boxes["spine"] != 1 || boxes["node"] != 22 {
			t.Errorf("rack %s holds %v", name, boxes)
		}
	}
}

// A torus of 16 x 16 x 16 has three links a node, all of them cables here, in
// racks as in the nested cubes of the CLEX paper (arXiv 1607.00298).
func TestToriHaveThreeCablesANode(t *testing.T) {
	for _, name := range []string{"torus-4096-racks.yaml", "torus-4096-cubes.yaml"} {
		e := plan(t, name)
		equal(t, name+": nodes", e.report.Nodes, 4096)
		equal(t, name+": cables", e.report.Cables, 12288)
		for _, dim := range []string{"dim1", "dim2", "dim3"} {
			equal(t, name+": "+dim, e.links(dim), [2]int64{4096, 4096})
		}
	}
	equal(t, "racks", plan(t, "torus-4096-racks.yaml").report.Racks, 128)
	equal(t, "racks of cubes", plan(t, "torus-4096-cubes.yaml").report.Racks, 0)
}

// Every example is one whose counts are tested above.
func TestNoExampleIsForgotten(t *testing.T) {
	want := []string{
		"basepod.yaml", "bluegene-l.yaml", "clex-4096-racks.yaml", "clex-4096.yaml", "clex-torus.yaml",
		"cloudmatrix-384.yaml", "cray-xc-group.yaml", "deepseek-mpft.yaml", "derecho.yaml", "dragonfly-1056.yaml",
		"frontera.yaml", "frontier.yaml", "fugaku.yaml", "gb300-nvl72.yaml", "hpn-1024.yaml", "hpn-7.yaml",
		"ironwood.yaml", "jupiter.yaml", "mrc-8-planes.yaml", "nvl72-8.yaml",
		"oracle-eight-rack.yaml", "perlmutter.yaml",
		"slimfly-200.yaml", "summit.yaml", "superpod-b200.yaml",
		"superpod-b300-ethernet.yaml", "superpod-b300-planes.yaml", "superpod-b300-xdr.yaml", "superpod-h100-4su.yaml",
		"superpod-h100-compute.yaml",
		"torus-4096-cubes.yaml", "torus-4096-racks.yaml", "tpu-v4.yaml", "tsubame2-hyperx.yaml", "zcube-1024.yaml",
	}
	if diff := cmp.Diff(want, every(t)); diff != "" {
		t.Error(diff)
	}
	if !slices.Contains(want, examples.Default) {
		t.Errorf("the default %s is not among them", examples.Default)
	}
}

// What holds of every plan.
func TestEveryExample(t *testing.T) {
	for _, name := range names(t) {
		t.Run(strings.TrimSuffix(name, ".yaml"), func(t *testing.T) {
			e := plan(t, name)
			t.Run("schedule and bill agree", e.testBill)
			t.Run("ports and labels are unique", e.testUnique)
			t.Run("every channel is built once", e.testChannels)
			t.Run("no rule is broken", e.testRules)
			t.Run("figures add up", e.testSums)
			t.Run("ports are counted once", e.testPorts)
			t.Run("document", e.testDocument)
		})
	}
}

// testBill sums cables.csv by product and compares with the bill.
func (e *example) testBill(t *testing.T) {
	listed, billed := map[string]int64{}, map[string]int64{}
	pieces := int64(0)
	for _, c := range e.cables {
		if c["leg"] == "1" {
			listed[c["product"]]++
			pieces++
		}
	}
	for _, row := range e.report.BOM {
		if row.Kind == catalog.KindCable {
			billed[row.Item.String()] = row.Qty
		}
	}
	if diff := cmp.Diff(billed, listed); diff != "" {
		t.Errorf("bill and schedule:\n%s", diff)
	}
	equal(t, "cables", pieces, e.report.Cables)
}

// testUnique checks that no port carries two cables and no label names two ends.
func (e *example) testUnique(t *testing.T) {
	seen := map[string]string{}
	once := func(c map[string]string, what string) {
		if other, ok := seen[what]; ok {
			t.Errorf("%s is on %s and on %s", what, other, c["cable_id"])
		}
		seen[what] = c["cable_id"]
	}
	for _, c := range e.cables {
		once(c, "id "+c["cable_id"]+" leg "+c["leg"])
		for _, end := range []string{"a", "b"} {
			once(c, "port "+c[end+"_device"]+" "+c[end+"_port"])
			once(c, "label "+c[end+"_label"])
		}
	}
}

// testChannels walks the links of the topology beside the segments.
func (e *example) testChannels(t *testing.T) {
	s := e.Schedule
	i, cables := 0, 0
	index := int32(0)
	for l := range topology.Cables(e.Graph) {
		for c := range l.Width {
			if i == len(s.Segments) {
				t.Fatalf("no segment for channel %d of %+v", c, l)
			}
			seg := &s.Segments[i]
			if seg.A != l.A || seg.B != l.B || seg.Link != index || int32(seg.PortA) != l.PortA+c ||
				int32(seg.PortB) != l.PortB+c || int32(seg.Level) != l.Level {
				t.Fatalf("segment %d is %+v, the channel %d of %+v", i, seg, c, l)
			}
			if seg.Product != cabling.IsTrace {
				row := e.cables[cables]
				cables++
				if a, b := s.Device(l.A), s.Device(l.B); row["a_device"] != a || row["b_device"] != b ||
					row["level"] != e.Graph.Levels()[l.Level].Name {
					t.Fatalf("%s is %v, want %s to %s", row["cable_id"], row, a, b)
				}
			}
			i++
		}
		index++
	}
	equal(t, "segments", len(s.Segments), i)
	equal(t, "cables", len(e.cables), cables)
}

func (e *example) testRules(t *testing.T) {
	for _, v := range e.report.Violations {
		if v.Severity == diag.Error {
			t.Errorf("%+v", v)
		}
	}
	if e.Broken() {
		t.Error("the plan is broken")
	}
	for _, c := range e.cables {
		stock, err := strconv.ParseFloat(c["stock_length_m"], 64)
		need, err2 := strconv.ParseFloat(c["length_m"], 64)
		if err != nil || err2 != nil || stock < need-1e-9 {
			t.Fatalf("%s of %s m for %s m", c["cable_id"], c["stock_length_m"], c["length_m"])
		}
	}
}

// testSums compares the figures of the report with each other.
func (e *example) testSums(t *testing.T) {
	r := e.report
	var links, within, cables, qty int64
	for _, l := range r.Levels {
		links += l.Links
		cables += l.Cables
	}
	for _, l := range r.LayoutLevels {
		within += l.Links
	}
	for _, m := range r.Media {
		qty += m.Qty
	}
	equal(t, "links of levels", links, r.Links)
	equal(t, "links of layout levels", within, r.Links)
	equal(t, "cables of levels", cables, r.Cables)
	equal(t, "cables of media", qty, r.Cables)
	equal(t, "ports used", r.Ports.Used, 2*r.Links)
	if r.Ports.Total < r.Ports.Used {
		t.Errorf("%d ports for %d ends", r.Ports.Total, r.Ports.Used)
	}
	total, longest := units.Length(0), units.Length(0)
	for _, c := range e.cables {
		l, err := strconv.ParseFloat(c["length_m"], 64)
		if err != nil {
			t.Fatal(err)
		}
		if c["leg"] == "1" {
			total += units.Length(l)
			longest = max(longest, units.Length(l))
		}
	}
	mean := total / units.Length(r.Cables)
	if differ(total, r.Length.Total, 1e-4) || differ(longest, r.Length.Max, 1e-6) || differ(mean, r.Length.Mean, 1e-6) {
		t.Errorf("length %+v; the schedule has %v m in all, %v m at most", r.Length, total, longest)
	}
	boxes := r.Nodes + r.Switches
	for _, b := range r.Boxes {
		if b.Role == spec.Service {
			boxes += b.Qty
		}
	}
	equal(t, "counts", boxes, topology.Vertices(e.Graph))
}

func differ(a, b, tolerance units.Length) bool { return math.Abs(float64(a-b)) > float64(tolerance) }

// Shapes of JSON values, for testDocument.
type (
	object map[string]any
	list   [1]any
	maybe  [1]any // or null
)

const (
	text    = "text"
	number  = "number"
	integer = "integer"
	truth   = "truth"
)

// document is the shape of plan.json that other programs rely on.
var document = func() object {
	level := object{
		"level": text, "links": integer, "length_m": object{"mean": number, "max": number},
		"delay_ns": object{"mean": number, "max": number}, "cost": number,
	}
	return object{
		"machine": text, "currency": text, "nodes": integer, "switches": integer, "links": integer, "cables": integer,
		"racks":    integer,
		"ports":    object{"total": integer, "used": integer, "cost": number},
		"length_m": object{"total": number, "mean": number, "max": number},
		"levels":   list{level}, "layout_levels": list{level},
		"media": list{object{
			"product": text, "medium": text, "length_m": number, "qty": integer,
			"cost": maybe{number},
		}},
		"bom": list{object{
			"part": text, "kind": text, "qty": integer, "spares": integer, "unit_cost": maybe{number},
			"cost": maybe{number},
		}},
		"cost": object{
			"total": number, "switches": number, "cables": number, "optics": number, "adapters": number,
			"racks": number, "labour": number,
		},
		"power_w": number,
		"delay": object{
			"hops_mean": number, "hops_max": integer, "path_mean_m": number, "path_max_m": number,
			"delay_mean_ns": number, "delay_max_ns": number, "exact": truth,
		},
		"violations": list{object{"rule": text, "severity": text, "where": text, "message": text}},
	}
}()

// misshapen tells where a JSON value is not of a shape; it may have more keys.
func misshapen(at string, v, shape any) []string {
	switch shape := shape.(type) {
	case maybe:
		if v == nil {
			return nil
		}
		return misshapen(at, v, shape[0])
	case list:
		var out []string
		elements, ok := v.([]any)
		for i, e := range elements {
			out = append(out, misshapen(fmt.Sprintf("%s[%d]", at, i), e, shape[0])...)
		}
		if ok {
			return out
		}
	case object:
		var out []string
		fields, ok := v.(map[string]any)
		for key, s := range shape {
			if f, given := fields[key]; given {
				out = append(out, misshapen(at+"."+key, f, s)...)
			} else {
				out = append(out, at+"."+key+" is missing")
			}
		}
		if ok {
			return out
		}
	default:
		_, isText := v.(string)
		_, isTruth := v.(bool)
		n, isNumber := v.(json.Number)
		_, err := strconv.ParseInt(n.String(), 10, 64)
		if shape == text && isText || shape == truth && isTruth || shape == number && isNumber || shape == integer &&
			isNumber && err == nil {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s is %v, want %v", at, v, shape)}
}

func (e *example) testDocument(t *testing.T) {
	var out bytes.Buffer
	if err := render.JSON(context.Background(), &out, e.Result); err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	decoder := json.NewDecoder(&out)
	decoder.UseNumber()
	if err := decoder.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	shape := maps.Clone(document)
	if len(e.report.Fabrics) > 0 { // each has delays of its own
		shape["fabrics"] = list{object{
			"name": text, "nodes": integer, "switches": integer, "links": integer, "cables": integer,
			"levels": document["levels"], "delay": document["delay"],
		}}
		delete(shape, "delay")
	}
	for _, wrong := range misshapen("", doc, shape) {
		t.Error(wrong)
	}
	for _, key := range []string{"levels", "layout_levels", "media", "bom"} {
		if a, _ := doc[key].([]any); len(a) == 0 {
			t.Errorf("%s is empty", key)
		}
	}
	known := map[string][]string{
		"fat-tree": {"terminal", "tier1"}, "hyperx": {"terminal", "dim1", "dim2"},
		"torus": {"dim1", "dim2", "dim3"}, "dragonfly": {"terminal", "local", "global"},
		"clex": {"level1", "level2", "level3"}, "slim-fly": {"terminal", "local", "global"},
		"cray-dragonfly": {"terminal", "local1", "local2", "global"}, "leaf-spine": {"terminal", "tier1"},
		"zcube": {"terminal", "cross"},
	}
	var levels []string
	for _, l := range e.report.Levels {
		levels = append(levels, l.Level)
	}
	want := known[e.Graph.Family()]
	if clex, ok := e.Spec.Topology.Params.(topology.CLEX); ok && clex.Local != nil {
		want = []string{"local_dim1", "local_dim2", "local_dim3", "level2"}
	}
	for _, f := range e.report.Fabrics {
		for _, l := range f.Levels {
			want = append(want, f.Name+"/"+l.Level)
		}
	}
	slices.Sort(levels)
	slices.Sort(want)
	if !slices.Equal(levels, want) {
		t.Errorf("levels %v, want %v", levels, want)
	}
}

// rendered holds the files of the planned examples.
var rendered = map[string]map[string][]byte{}

// files renders an example; all tests share what is written.
func (e *example) files(t *testing.T, name string) map[string][]byte {
	t.Helper()
	if rendered[name] == nil {
		rendered[name] = outputs(t, e.Result)
	}
	return rendered[name]
}

// outputs renders the files of a plan.
func outputs(t *testing.T, r *machine.Result) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for name, write := range map[string]render.Writer{
		"floor.png": render.Floor, "floor.svg": render.FloorSVG, "floor.pdf": render.FloorPDF,
		"bom.xlsx":   render.Workbook,
		"cables.csv": render.Cables, "plan.json": render.JSON, "placement.csv": render.Placement,
	} {
		var b bytes.Buffer
		if err := write(context.Background(), &b, r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = b.Bytes()
	}
	return out
}

// The same file gives the same bytes, planned again and on one core or two.
func TestSameBytesOnOneCoreAndTwo(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, name := range names(t) {
		e := plan(t, name)
		if !quick(e.report.Links) {
			continue
		}
		first := e.files(t, name)
		cores := []int{1, 2}
		if e.report.Links > 1_000 && os.Getenv("PLENUM_LONG") != "1" {
			cores = cores[:1] // the plan itself took all there are
		}
		for _, cores := range cores {
			runtime.GOMAXPROCS(cores)
			again, err := replan(name)
			if err != nil {
				t.Fatal(err)
			}
			for file, data := range outputs(t, again) {
				if len(data) == 0 || !bytes.Equal(data, first[file]) {
					t.Errorf("%s: %s differs on %d cores", name, file, cores)
				}
			}
		}
	}
}

// quick reports whether a machine of so many links is planned again and again without PLENUM_LONG=1.
func quick(links int64) bool {
	most := int64(20_000)
	if testing.Short() {
		most = 10_000
	}
	return links <= most || os.Getenv("PLENUM_LONG") == "1"
}

// The table of places of a plan, read back, gives the same plan to the byte.
func TestPlacementReadsBackToTheSamePlan(t *testing.T) {
	for _, name := range names(t) {
		e := plan(t, name)
		if !quick(e.report.Links) {
			continue
		}
		want := e.files(t, name)
		spec := *e.Spec
		spec.Embedding.Placement = filepath.Join(t.TempDir(), "placement.csv")
		if err := os.WriteFile(spec.Embedding.Placement, want["placement.csv"], 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := machine.Plan(context.Background(), &spec)
		if err != nil {
			t.Fatal(err)
		}
		again.Spec.Embedding.Placement = ""
		for file, data := range outputs(t, again) {
			if !bytes.Equal(data, want[file]) {
				t.Errorf("%s: %s differs", name, file)
			}
		}
	}
}
