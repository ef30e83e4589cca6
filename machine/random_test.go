package machine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// drawTopology draws a small member of a family.
func drawTopology(t *rapid.T, family string) topology.Params {
	p, _ := graphtest.Member(t, family, 150)
	return p
}

// drawSpec draws a machine with some of everything a file may say.
func drawSpec(t *rapid.T, family string) *spec.Spec {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	some := func(name string) bool { return n(name, 0, 2) == 0 }
	metres := func(name string, lo, hi float64) units.Length {
		return units.Length(rapid.Float64Range(lo, hi).Draw(t, name)).Round4()
	}
	s := &spec.Spec{Name: "drawn", Topology: topology.Spec{Params: drawTopology(t, family)}}
	p := &s.Packaging
	for _, box := range []struct {
		name  string
		entry **spec.Box
		parts []string
	}{
		{"node", &p.Node, []string{
			"", "generic-node-1u", "generic-node-2u", "generic-torus-node-1u", "cube-node",
			"nvidia-dgx-h100", "oracle-exadata-server",
		}},
		{"switch", &p.Switch, []string{
			"", "generic-switch-64x400g", "generic-switch-36x40g", "nvidia-qm9700",
			"nvidia-sn5600",
		}},
		{"leaf", &p.Leaf, []string{"", "generic-switch-64x400g", "generic-switch-128x400g"}},
	} {
		if box.name == "leaf" && s.Topology.Family() != "fat-tree" || !some(box.name) {
			continue
		}
		*box.entry = &spec.Box{
			Part:    rapid.SampledFrom(box.parts).Draw(t, "part"),
			Place:   rapid.SampledFrom(placed).Draw(t, "place"),
			PerRack: rapid.SampledFrom([]int{0, 0, 1, 2, 7, 40}).Draw(t, "per rack"),
			Units:   rapid.SampledFrom([][]int{nil, nil, {1, 2, 5}, {20}}).Draw(t, "units"),
			Adapter: rapid.SampledFrom([]string{"", "none", "adapter-400g-qsfp112"}).Draw(t, "adapter"),
		}
		if box.name != "node" {
			(*box.entry).Breakout = rapid.SampledFrom([]spec.Breakout{
				nil, nil, spec.BreakoutOfAll(1), spec.BreakoutOfAll(2), spec.BreakoutOfAll(4),
				{"1-8": 2},
				{"5-6": 4, "1-4": 2},
			}).Draw(t, "breakout")
		}
	}
	if some("chassis") {
		p.Chassis = map[string]spec.Chassis{"blades": {
			Units: n("height", 1, 12), Slots: []int{n("across", 1, 4), 1, n("up", 1, 2)},
			Links: rapid.SampledFrom([]string{"", "trace", "cable"}).Draw(t, "links"),
		}}
		if p.Node == nil {
			p.Node = &spec.Box{}
		}
		p.Node.Chassis = "blades"
	}
	drawRoom(t, s)
	c := &s.Cabling
	c.Route = rapid.SampledFrom([]string{"", spec.Direct, spec.Manhattan, spec.Tray}).Draw(t, "route")
	if some("slack") {
		fixed := metres("fixed", 0, 3)
		c.Slack = spec.Slack{Fixed: &fixed, Percent: rapid.Float64Range(0, 20).Draw(t, "percent")}
	}
	if some("lengths") {
		c.Slack.Loop, c.RoundUp = metres("loop", 0, 1), rapid.SampledFrom([]units.Length{0, 0.1, 1}).Draw(t, "round up")
		c.Manager = rapid.SampledFrom([]string{"", "nearest", "left"}).Draw(t, "manager")
		c.Door = rapid.SampledFrom([]string{"", "", "right"}).Draw(t, "door")
	}
	if some("fewer") {
		c.Consolidate = &spec.Consolidate{
			Most: n("most", 1, 9),
			Per:  rapid.SampledFrom([]string{"", spec.PerFamily, spec.PerAll}).Draw(t, "per"),
		}
	}
	for range n("rules", 0, 2) {
		c.Media = append(c.Media, spec.MediaRule{
			Longest: metres("longest", 0.1, 40), Use: []string{rapid.SampledFrom([]string{
				"copper", "optical", "fibre",
				"any", "dac-400g-qsfp112",
			}).Draw(t, "use")},
		})
	}
	s.Prices.Set = rapid.SampledFrom([]string{"", "estimate-2025", "perseus-2011", "slimfly-2014"}).Draw(t, "set")
	s.Prices.Freight = rapid.SampledFrom([]float64{0, 0, 2.5, 1000}).Draw(t, "freight")
	s.Prices.Contingency = rapid.SampledFrom([]float64{0, 0, 7.25}).Draw(t, "contingency")
	if some("operation") {
		s.Operation = &spec.Operation{
			Tariff: units.Tariff(rapid.Float64Range(0, 1).Draw(t, "tariff")),
			Years:  rapid.SampledFrom([]float64{0, 0.5, 100}).Draw(t, "years"),
		}
	}
	if some("suppress") {
		s.Rules.Suppress = []spec.Suppression{{
			Rule:  rapid.SampledFrom(cabling.RuleIDs()).Draw(t, "rule"),
			Where: rapid.SampledFrom([]string{"", "A*", "*1"}).Draw(t, "where"), Reason: "drawn",
		}}
	}
	s.Prices.Spares = map[string]float64{"cable": rapid.Float64Range(0, 20).Draw(t, "spares")}
	e := &s.Embedding
	e.Strategy = rapid.SampledFrom(append(embed.Strategies(), "", "", "")).Draw(t, "strategy")
	e.Effort = rapid.SampledFrom([]string{"", "none"}).Draw(t, "effort")
	e.Seed = rapid.Uint64().Draw(t, "seed")
	if some("fold") {
		e.Fold = rapid.SampledFrom([]spec.Fold{{"true"}, {"false"}, {"dim1"}, {"dim2", "dim1"}}).Draw(t, "folded")
	}
	if some("sample") {
		s.Delay.ExactLimit, s.Delay.Samples = 1, n("samples", 2, 9)
	}
	drawPanels(t, s)
	return s
}

// panelParts are patch panels of the catalog, most of them with cassettes, and rarely one of shuffles.
var panelParts = []string{
	"cassettes-1u-sm-lc-mpo12-apc", "cassettes-1u-sm-lc-mpo12-apc-base8", "cassettes-1u-sm-mpo12-apc-mpo16-apc",
	"cassettes-1u-sm-mpo12-apc-mpo24-apc", "cassettes-1u-sm-lc-mpo12-apc", "cassettes-1u-sm-mpo12-apc-mpo24-apc",
	"panel-1u-sm-mpo12-apc", "panel-1u-sm-mpo16-apc", "panel-1u-mm-mpo12-apc", "shuffle-1u-sm-mpo12-apc-4x4",
}

// drawPanels draws what leads links over panels: trunks, with or without cassettes, or shuffles or octopus cables, for
// which all ports of switches are split. Of most machines with them it takes back what panels rarely go with.
func drawPanels(t *rapid.T, s *spec.Spec) {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	c := &s.Cabling
	switches := rapid.SampledFrom([]string{"nvidia-qm9700", "nvidia-sn5600"}).Draw(t, "switches")
	box := &spec.Box{Part: switches, Place: rapid.SampledFrom(placed).Draw(t, "switches stand")}
	switch n("panels", 0, 7) {
	case 0, 1, 2:
		c.Structured = &spec.Structured{
			Beyond:  rapid.SampledFrom([]string{"", "rack"}).Draw(t, "beyond"),
			AtLeast: n("at least", 0, 3), Spare: rapid.Float64Range(0, 100).Draw(t, "spare"),
		}
		if n("any panel", 0, 2) == 0 {
			return
		}
		c.Structured.Panel = rapid.SampledFrom(panelParts).Draw(t, "panel")
		c.Structured.Polarity = rapid.SampledFrom(append(cabling.Polarities(), "", "")).Draw(t, "polarity")
		c.Structured.Trunk = rapid.SampledFrom([]string{
			"", "", "", "", "", "", "trunk-sm-6x-mpo12-apc", "trunk-sm-6x-mpo16-apc", "trunk-sm-12x-mpo12-apc-base8",
		}).Draw(t, "trunk")
		if n("others", 0, 7) == 0 {
			c.Structured.Panels = map[string]string{"A01": rapid.SampledFrom(panelParts).Draw(t, "panel of a rack")}
		}
	case 3, 4, 5:
		c.Shuffle = rapid.SampledFrom([]string{
			spec.OctopusShuffle, spec.OctopusShuffle, spec.OctopusShuffle, spec.RackShuffle, spec.AutoShuffle,
			spec.NoShuffle, "shuffle-1u-sm-mpo12-apc-4x4",
		}).Draw(t, "shuffle")
		box.Breakout = rapid.SampledFrom([]spec.Breakout{
			spec.BreakoutOfAll(2), spec.BreakoutOfAll(4),
		}).Draw(t, "split")
	default:
		return
	}
	if n("sound", 0, 4) == 0 {
		return
	}
	s.Room, s.Packaging, c.Consolidate, c.Manager, c.Door = spec.Room{}, spec.Packaging{}, nil, "", ""
	s.Embedding.Strategy, s.Embedding.Fold = "", nil
	if s.Topology.Family() == "fat-tree" {
		s.Packaging.Leaf = box
	}
	g, err := topology.New(s.Topology.Params)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(g.Kinds(), func(k topology.Kind) bool { return k.Role == topology.Switch }) {
		s.Packaging.Switch = box
	}
	c.Media = []spec.MediaRule{{Use: []string{rapid.SampledFrom([]string{"any", "optical"}).Draw(t, "medium")}}}
}

// drawRoom draws racks in rows or containers, which may be too small.
func drawRoom(t *rapid.T, s *spec.Spec) {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	r := &s.Room
	if n("nested", 0, 2) == 0 {
		for i := range n("levels", 1, 3) {
			r.Containers = append(r.Containers, spec.Container{
				Name:  fmt.Sprintf("cube%d", i),
				Count: []int{n("x", 1, 6), n("y", 1, 6), n("z", 1, 6)}, Gap: units.Length(n("gap", 0, 2)),
				Links: rapid.SampledFrom([]string{"", "trace", "cable"}).Draw(t, "links"),
			})
		}
		for i := range len(r.Containers) - 1 {
			c := &r.Containers[i]
			if n("fitted", 0, 3) == 0 {
				c.Gap, c.Pitch = 0, []spec.Pitch{spec.Fit}
			}
			c.Fill = rapid.SampledFrom([]float64{0, 0.1, 30}).Draw(t, "gap fill")
		}
		last := &r.Containers[len(r.Containers)-1]
		last.Gap, last.Pitch = 0, []spec.Pitch{0.4}
		return
	}
	r.Rows.Count, r.RacksPerRow = n("rows", 0, 5), n("racks per row", 0, 9)
	r.Rack = rapid.SampledFrom([]string{"", "rack-42u", "rack-48u"}).Draw(t, "rack")
	r.Facing = rapid.SampledFrom([]string{"", "alternate", "same"}).Draw(t, "facing")
	if n("obstacles", 0, 3) == 0 {
		r.Columns = []spec.Rect{
			{X: 3, Y: 2, Width: 0.4, Depth: 0.4}, {X: 5.2, Y: 3.5, Width: 0.4, Depth: 0.4},
		}
		height := units.Length(n("height", 0, 4))
		r.KeepOuts = []spec.Area{{Points: [][]units.Length{{0, 0}, {2, 0}, {2, 3}}, Height: height}}
	}
	if n("walls", 0, 4) == 0 {
		width, depth := units.Length(n("width", 3, 20)), units.Length(n("depth", 3, 15))
		r.Width, r.Depth = &width, &depth
		r.Doors = []spec.Door{{Wall: "north", At: 1, Width: 1}}
	}
	if n("gaps", 0, 3) == 0 {
		r.Gaps = []spec.Gap{{After: n("after", 1, 6), Width: 1.5}}
	}
}

// A plan's figures agree with each other, regardless of the machine; a machine that
// cannot be planned is refused with what is wrong in it.
func TestRandomMachines(t *testing.T) {
	graphtest.FewerDraws(t, 50)
	planned, refused := 0, 0 // of all families: of one, a hundred machines may all be of one sort
	var seen struct{ octopus, cassettes int }
	defer func() {
		if planned+refused >= 1000 && (planned == 0 || refused == 0) {
			t.Errorf("%d planned, %d refused", planned, refused)
		}
	}()
	eachFamily(t, func(t *testing.T, family string) {
		before := planned
		defer func() { t.Logf("%d planned, %+v", planned-before, seen) }()
		rapid.Check(t, func(t *rapid.T) {
			s := drawSpec(t, family)
			before := copyOf(t, s)
			r, err := machine.Plan(context.Background(), s)
			if after := copyOf(t, s); before != after {
				t.Fatalf("planning changed the spec:\n%s\n%s", before, after)
			}
			if err == nil {
				planned++
				if k := r.Schedule.Patching; k != nil && k.Octopus {
					seen.octopus++
				} else if k != nil && len(k.Trunks) > 0 && k.Part.Panel.Cassette != nil {
					seen.cassettes++
				}
				consistent(t, r)
				return
			}
			refused++
			var wrong diag.FieldErrors
			if !errors.As(err, &wrong) || len(wrong) == 0 {
				t.Fatalf("%T: %v\n%s", err, err, before)
			}
			for _, e := range wrong {
				if e.Path == "" || e.Message == "" {
					t.Fatalf("%+v", e)
				}
			}
		})
	})
}

func eachFamily(t *testing.T, test func(t *testing.T, family string)) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) { test(t, f.Name) })
	}
}

func copyOf(t *rapid.T, s *spec.Spec) string {
	text, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// consistent compares the figures of a report with each other.
func consistent(t *rapid.T, r *machine.Result) {
	p := r.Report()
	var links, within, cables, made int64
	var levelCost, layoutCost, total units.Money
	for _, l := range p.Levels {
		links += l.Links
		cables += l.Cables
		levelCost += l.Cost
		if l.Length.Mean > l.Length.Max+1e-6 || l.Delay.Mean > l.Delay.Max+1e-6 || p.Structured == nil &&
			l.Cables > l.Links {
			t.Errorf("level %+v", l)
		}
	}
	for _, l := range p.LayoutLevels {
		within += l.Links
		layoutCost += l.Cost
	}
	for _, m := range p.Media {
		made += m.Qty
	}
	if p.Gaps != nil {
		for _, l := range p.Gaps.Levels {
			if l.Fitted != nil && *l.Fitted == [3]bool{true, true, true} && (l.Overfull > 0 || l.Max == nil) {
				t.Errorf("cables do not fit at a fitted pitch: %+v", l)
			}
		}
	}
	for _, row := range p.BOM {
		if row.Cost != nil {
			total += *row.Cost
		}
	}
	unmade := int64(0) // cables without a product: their ports are too few, or they are too long
	last := int32(0)
	for i := range r.Schedule.Segments {
		seg := &r.Schedule.Segments[i]
		if seg.Product == cabling.NoProduct && seg.Cable > last {
			unmade++
		}
		last = max(last, seg.Cable)
	}
	segments := links
	switch k := p.Structured; {
	case k == nil:
	case k.Shuffles > 0 || k.Octopus: // two cords
		segments += k.Links
	default: // two cords and a position of a trunk
		segments += 2 * k.Links
	}
	if links != p.Links || within != p.Links || links != r.Counts.Links || int64(len(r.Schedule.Segments)) != segments {
		t.Errorf("%d links; levels have %d, layout levels %d, counts %d", p.Links, links, within, r.Counts.Links)
	}
	if cables != p.Cables || made+unmade != p.Cables {
		t.Errorf("%d cables; levels have %d, %d are made and %d not", p.Cables, cables, made, unmade)
	}
	if unmade > 0 && r.Violations.Count(cabling.RuleReach)+r.Violations.Count(cabling.RulePorts) == 0 {
		t.Errorf("%d cables are not made, and no rule is broken", unmade)
	}
	if r.Violations.Errors() > 0 != r.Broken() {
		t.Errorf("broken %v: %+v", r.Broken(), p.Violations)
	}
	c := p.Cost
	sum := c.Switches + c.Cables + c.Optics + c.Adapters + c.Racks + c.Panels + c.Labour + c.Freight + c.Contingency
	if c.Nodes != nil {
		sum += *c.Nodes
	}
	if total != c.Total || sum != c.Total || levelCost != layoutCost || levelCost > c.Total {
		t.Errorf("total %v, rows %v, categories %v, levels %v and %v", c.Total, total, sum, levelCost, layoutCost)
	}
	if p.Ports.Used != 2*p.Links || p.Ports.Cost != c.Switches+c.Adapters {
		t.Errorf("ports %+v of %d links", p.Ports, p.Links)
	}
	if inRacks := r.Room() != nil; inRacks != (p.Racks > 0) || inRacks == (len(p.Spec.Room.Containers) > 0) {
		t.Errorf("%d racks, %d levels of containers", p.Racks, len(p.Spec.Room.Containers))
	}
	slots := slices.Clone(r.Placement.Slot)
	slices.Sort(slots)
	if len(slices.Compact(slots)) != p.Nodes+p.Switches {
		t.Errorf("%d places for %d nodes and %d switches", len(slices.Compact(slots)), p.Nodes, p.Switches)
	}
	by := p.PowerBy
	if math.Abs(float64(by.Nodes+by.Switches+by.Optics+by.Cables-p.Power)) > 1e-3 {
		t.Errorf("power %v: %+v", p.Power, by)
	}
	if d := p.Delay; d == nil || d.HopsMean > float64(d.HopsMax) || d.PathMean > d.PathMax+1e-6 ||
		d.NsMean > d.NsMax+1e-6 || d.NsMax > d.NsPathsMax+1e-3 && d.Exact {
		t.Errorf("delay %+v", d)
	}
	finite(t, "report", reflect.ValueOf(*p))
}

// finite checks that no figure of a report is infinite, not a number or
// negative.
func finite(t *rapid.T, at string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*spec.Spec]() {
			finite(t, at, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			finite(t, at+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			finite(t, fmt.Sprintf("%s[%d]", at, i), v.Index(i))
		}
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) || f < 0 {
			t.Errorf("%s is %v", at, f)
		}
	case reflect.Int, reflect.Int64:
		if v.Int() < 0 {
			t.Errorf("%s is %d", at, v.Int())
		}
	}
}

// butFitting compares the plan of a machine with that of its effective spec, which has lengths in place of fitted
// pitches, or with given places: only what says how they were found differs.
func butFitting(first, again *machine.Result) string {
	plain := func(r *machine.Result) *report.Plan {
		p := *r.Report()
		p.Notes = slices.DeleteFunc(slices.Clone(p.Notes), func(note string) bool {
			return strings.Contains(note, "is fitted to its cables") ||
				strings.HasPrefix(note, "fitted pitches do not") ||
				// Places that are given leave out how racks are filled.
				strings.Contains(note, " would take ") || strings.Contains(note, "kept together, the groups take")
		})
		return &p
	}
	return cmp.Diff(plain(first), plain(again), cmpopts.IgnoreUnexported(spec.Spec{}),
		cmpopts.IgnoreFields(report.GapLevel{}, "Fitted"), cmpopts.EquateEmpty())
}

// The effective spec of a plan, with its defaults filled in, gives the same
// plan again.
func TestEffectiveSpecGivesTheSamePlan(t *testing.T) {
	graphtest.FewerDraws(t, 50)
	eachFamily(t, func(t *testing.T, family string) {
		rapid.Check(t, func(t *rapid.T) {
			first, err := machine.Plan(context.Background(), drawSpec(t, family))
			if err != nil {
				return // as TestRandomMachines expects of some
			}
			again, err := machine.Plan(context.Background(), first.Spec)
			if err != nil {
				t.Fatalf("%v\n%s", err, copyOf(t, first.Spec))
			}
			if a, b := copyOf(t, first.Spec), copyOf(t, again.Spec); a != b {
				t.Fatalf("%s\nbecomes\n%s", a, b)
			}
			if diff := butFitting(first, again); diff != "" {
				t.Fatalf("%s\n%s", copyOf(t, first.Spec), diff)
			}
			if !slices.Equal(first.Placement.Slot, again.Placement.Slot) {
				t.Fatalf("%v\nbecomes\n%v", first.Placement.Slot, again.Placement.Slot)
			}
		})
	})
}

// The table of places of a plan, read back, gives the same plan, whether or not
// the machine file gives the size of the room.
func TestPlacementGivesTheSamePlan(t *testing.T) {
	graphtest.FewerDraws(t, 50)
	dir := t.TempDir()
	eachFamily(t, func(t *testing.T, family string) {
		rapid.Check(t, func(t *rapid.T) {
			first, err := machine.Plan(context.Background(), drawSpec(t, family))
			if err != nil {
				return // as TestRandomMachines expects of some
			}
			var table bytes.Buffer
			if err := embed.WriteCSV(context.Background(), &table, first.Graph, first.Schedule.Naming.Boxes,
				first.Placement); err != nil {
				t.Fatal(err)
			}
			s := *first.Spec
			s.Embedding.Placement = filepath.Join(dir, "placement.csv")
			if err := os.WriteFile(s.Embedding.Placement, table.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			again, err := machine.Plan(context.Background(), &s)
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, copyOf(t, first.Spec), table.Bytes())
			}
			again.Spec.Embedding.Placement = ""
			if diff := butFitting(first, again); diff != "" {
				t.Fatalf("%s\n%s", copyOf(t, first.Spec), diff)
			}
		})
	})
}

// placed are the words for where boxes stand.
var placed = []string{"", spec.InRack, spec.EndOfRow, spec.MiddleOfRow, spec.NetworkRow}
