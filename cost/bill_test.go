package cost_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

func plan(t rapid.TB, text string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// row returns the line of a part; the test fails if there is none.
func row(t rapid.TB, b *cost.Bill, part string) cost.Row {
	t.Helper()
	for _, r := range b.Rows {
		if r.Item.String() == part {
			return r
		}
	}
	t.Fatalf("no row %s", part)
	return cost.Row{}
}

// adapters returns the adapter part of a kind of box, and how many a box takes.
func adapters(r *machine.Result, kind topology.Kind, part *catalog.Part) (*catalog.Part, int64) {
	pack := map[string]*spec.Box{
		"node": r.Spec.Packaging.Node, "switch": r.Spec.Packaging.Switch,
		"leaf": r.Spec.Packaging.Leaf, "spine": r.Spec.Packaging.Spine, "core": r.Spec.Packaging.Core,
	}[kind.Name]
	id := part.Adapter
	if pack.Adapter != "" {
		id = pack.Adapter
	}
	if id == "" || id == "none" {
		return nil, 0
	}
	a := r.Catalog.Part(id)
	n := int64(0)
	for have := 0; have < kind.Ports; have += a.PortCount() {
		n++
	}
	return a, n
}

// texts are items as a bill names them.
func texts(items []catalog.Item) []string {
	var out []string
	for _, i := range items {
		out = append(out, i.String())
	}
	return out
}

// twin is a bill counted box by box and segment by segment.
type twin struct {
	qty    map[string]int64
	kind   map[string]catalog.Kind
	unit   map[string]catalog.Quote
	levels map[[2]int]units.Money // of cables
	optics map[[2]int]float64     // evenly by the links that light them
	power  cost.Power
}

func slowBill(r *machine.Result) *twin {
	w := &twin{
		map[string]int64{},
		map[string]catalog.Kind{},
		map[string]catalog.Quote{},
		map[[2]int]units.Money{},
		map[[2]int]float64{},
		cost.Power{},
	}
	add := func(part *catalog.Part, length units.Length) units.Money {
		name := part.ID
		if part.Kind == catalog.KindCable {
			name += "@" + length.Number() + " m"
		}
		q := r.Prices.Quote(part, length)
		if own, ok := r.Spec.Prices.Unit[part.ID]; ok {
			q = catalog.Quote{Unit: own, Priced: true}
		}
		for key, own := range r.Spec.Prices.Unit {
			id, at, ok := strings.Cut(key, "@")
			if l, err := units.ParseLength(at); ok && id == part.ID && err == nil &&
				math.Abs(float64(l-length)) < 1e-9 {
				q = catalog.Quote{Unit: own, Priced: true}
			}
		}
		w.qty[name]++
		w.kind[name] = part.Kind
		w.unit[name] = q
		return q.Unit
	}
	s := r.Schedule
	for i, k := range s.Kinds {
		for range k.Count {
			part := s.Boxes[i].Part
			add(part, 0)
			power := part.Power
			a, n := adapters(r, k, part)
			for range n {
				add(a, 0)
				power += a.Power
			}
			if k.Role == topology.Switch {
				w.power.Switches += power
			} else {
				w.power.Nodes += power
			}
		}
	}
	type cage struct {
		v    int32
		cage int
	}
	lit, price := map[cage][][2]int{}, map[cage]units.Money{}
	l := r.Placement.Layout
	mates := map[int32][]*cabling.Segment{} // that share a cable
	for i := range s.Segments {
		if seg := &s.Segments[i]; seg.Product != cabling.IsTrace {
			mates[seg.Cable] = append(mates[seg.Cable], seg)
		}
	}
	for i := range s.Segments {
		seg := &s.Segments[i]
		if seg.Product == cabling.IsTrace || seg.Product == cabling.NoProduct {
			continue
		}
		first := mates[seg.Cable][0] == seg
		if first {
			place := "install-between-racks"
			if l.Room != nil {
				place = "install-in-rack"
				for _, mate := range mates[seg.Cable] {
					a, b := s.Placement.Slot[mate.A], s.Placement.Slot[mate.B]
					switch {
					case l.Container(layout.RowLevel, a) != l.Container(layout.RowLevel, b):
						place = "install-cross-row"
					case l.Container(layout.RackLevel, a) != l.Container(layout.RackLevel, b) &&
						place == "install-in-rack":
						place = "install-in-row"
					}
				}
			}
			w.qty[place]++
			w.kind[place] = catalog.KindLabour
		}
		p := s.Products[seg.Product]
		level := &w.levels
		at := [2]int{int(seg.Level), int(seg.Within)}
		if first {
			whole := at
			for _, mate := range mates[seg.Cable] {
				whole[1] = min(whole[1], int(mate.Within))
			}
			(*level)[whole] += add(p.Part, p.Length)
			w.power.Cables += p.Part.Power
			far := p.Part.Power
			if f := p.Part.Cable.Far; f != nil && f.Power > 0 {
				far = f.Power
			}
			for range p.Part.Cable.FarPlugs() {
				w.power.Cables += far
			}
		}
		for _, end := range []struct {
			v     int32
			port  uint16
			optic *catalog.Part
		}{{seg.A, seg.PortA, p.OpticA}, {seg.B, seg.PortB, p.OpticB}} {
			if end.optic == nil {
				continue
			}
			c := cage{end.v, s.Boxes[topology.KindOf(s.Kinds, int(end.v))].Ports[end.port].Cage}
			if lit[c] == nil {
				w.power.Optics += end.optic.Power
				price[c] = add(end.optic, 0)
			}
			lit[c] = append(lit[c], at)
		}
	}
	for c, links := range lit {
		for _, at := range links {
			w.optics[at] += price[c].Float() / float64(len(links))
		}
	}
	if l.Room != nil {
		racks := map[int32]bool{}
		for _, slot := range s.Placement.Slot {
			racks[l.Container(layout.RackLevel, slot)] = true
		}
		for range racks {
			add(r.Catalog.Part(r.Spec.Room.Rack), 0)
		}
		if r.Spec.Cabling.Route == spec.Tray {
			tray := r.Catalog.Part(r.Spec.Room.Trays.Part)
			for laid := units.Length(0); laid < l.Room.Trays.Length(0)-1e-6; laid += tray.Section {
				for range s.Trays.Rules[0].Count {
					add(tray, 0)
				}
			}
		}
	}
	for id, rate := range map[string]units.Money{
		"install-in-rack": r.Prices.Labour.InRack, "install-between-racks": r.Prices.Labour.BetweenRacks,
		"install-in-row": r.Prices.Labour.BetweenRacks, "install-cross-row": r.Prices.Labour.BetweenRacks,
	} {
		if w.qty[id] > 0 {
			w.unit[id] = catalog.Quote{Unit: rate, Priced: rate != 0}
		}
	}
	return w
}

// check compares a plan's bill with the twin.
func (w *twin) check(t rapid.TB, r *machine.Result) {
	t.Helper()
	qty, seen := map[string]int64{}, map[string]bool{}
	var total units.Money
	byKind := map[catalog.Kind]units.Money{}
	unpriced := []string{}
	for _, row := range r.Bill.Rows {
		if seen[row.Item.String()] {
			t.Fatalf("%s has two rows", row.Item.String())
		}
		seen[row.Item.String()] = true
		qty[row.Item.String()] = row.Qty
		if row.Kind != w.kind[row.Item.String()] {
			t.Errorf("%s is a %s", row.Item, row.Kind)
		}
		// The fewest whole spares that are the wanted share.
		percent := r.Spec.Prices.Spares[string(row.Kind)]
		share := float64(row.Qty) * percent / 100
		if row.Kind == catalog.KindLabour {
			share = 0
		}
		if s := float64(row.Spares); s < share-1e-6 || s >= share+1-1e-6 {
			t.Errorf("%s: %d spares for %v%% of %d", row.Item, row.Spares, percent, row.Qty)
		}
		unit := w.unit[row.Item.String()]
		if unit.Priced != (row.UnitCost != nil) || unit.Priced != (row.Cost != nil) {
			t.Errorf("%s: unit %v, cost %v, wanted a price: %v", row.Item, row.UnitCost, row.Cost, unit.Priced)
			continue
		}
		if !unit.Priced {
			if row.Kind != catalog.KindNode {
				unpriced = append(unpriced, row.Item.String())
			}
			continue
		}
		if *row.UnitCost != unit.Unit || *row.Cost != unit.Unit*units.Money(row.Qty+row.Spares) {
			t.Errorf("%s: %d + %d at %v cost %v, want %v each", row.Item, row.Qty, row.Spares, row.UnitCost, row.Cost,
				unit.Unit)
		}
		total += *row.Cost
		byKind[row.Kind] += *row.Cost
	}
	if diff := cmp.Diff(w.qty, qty); diff != "" {
		t.Errorf("quantities, wanted and billed:\n%s", diff)
	}
	slices.Sort(unpriced)
	if got := texts(r.Bill.Unpriced); !slices.Equal(unpriced, got) {
		t.Errorf("unpriced %v, want %v", got, unpriced)
	}
	if total != r.Bill.Total || !maps.Equal(byKind, r.Bill.ByKind) {
		t.Errorf("total %v %v, the rows add up to %v %v", r.Bill.Total, r.Bill.ByKind, total, byKind)
	}
	w.checkLevels(t, r)
	for _, p := range []struct {
		what      string
		got, want units.Power
	}{
		{"nodes", r.Bill.Power.Nodes, w.power.Nodes},
		{"switches", r.Bill.Power.Switches, w.power.Switches},
		{"optics", r.Bill.Power.Optics, w.power.Optics},
		{"cables", r.Bill.Power.Cables, w.power.Cables},
		{"all", r.Bill.Power.Total(), w.power.Total()},
	} {
		if math.Abs(float64(p.got-p.want)) > 1e-6*(1+float64(p.want)) {
			t.Errorf("%s draw %v, want %v", p.what, float64(p.got), float64(p.want))
		}
	}
}

// checkLevels compares the cost of levels with the twin's, and its sum with
// the cables and optics of the bill without spares.
func (w *twin) checkLevels(t rapid.TB, r *machine.Result) {
	t.Helper()
	var levels, rows units.Money
	for a, row := range r.Bill.LevelCost {
		for b, got := range row {
			at := [2]int{a, b}
			if want := w.levels[at].Float() + w.optics[at]; math.Abs(got.Float()-want) > 0.051 { // rounding of optics
				t.Errorf("level %d in %d costs %v, want %.3f", a, b, got, want)
			}
			levels += got
		}
	}
	for _, row := range r.Bill.Rows {
		if row.UnitCost != nil && (row.Kind == catalog.KindCable || row.Kind == catalog.KindOptic) {
			rows += *row.UnitCost * units.Money(row.Qty)
		}
	}
	if levels != rows {
		t.Errorf("the levels cost %v, cables and optics %v", levels, rows)
	}
}

// drawSpec draws a small machine of any family, with prices and spares.
func drawSpec(t *rapid.T) *spec.Spec {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	s := &spec.Spec{Name: "drawn"}
	ids := []string{
		"dac-400g-qsfp112", "dac-400g-qsfp112@0.5 m", "dac-400g-qsfp112@100 cm", "aoc-400g-qsfp112@3m",
		"generic-node-1u", "rack-42u",
	}
	switch rapid.SampledFrom([]string{
		"torus", "mesh", "hypercube", "hyperx", "thin-tree", "fat-tree", "rails",
		"dragonfly",
	}).Draw(t, "family") {
	case "torus":
		s.Topology = topology.Spec{Params: topology.Torus{Dims: topology.Ints{n("x", 2, 6), n("y", 2, 6)}}}
	case "mesh":
		s.Topology = topology.Spec{Params: topology.Mesh{Dims: topology.Ints{n("x", 2, 9), n("y", 1, 5)}}}
	case "hypercube":
		s.Topology = topology.Spec{Params: topology.Hypercube{Dims: topology.Ints{n("dims", 2, 6)}}}
	case "hyperx":
		s.Topology = topology.Spec{Params: topology.HyperX{
			Dims:   topology.Ints{n("x", 2, 4), n("y", 2, 4)},
			Widths: topology.Ints{n("w", 1, 3), 1}, Terminals: n("t", 1, 4),
		}}
	case "thin-tree":
		s.Topology = topology.Spec{Params: topology.ThinTree{Down: 4, Up: n("up", 1, 4), Levels: n("levels", 1, 3)}}
	case "fat-tree":
		s.Topology = topology.Spec{Params: topology.FatTree{Nodes: n("nodes", 2, 90), Radix: 16}}
		if rapid.Bool().Draw(t, "no adapters") {
			s.Packaging.Node = &spec.Box{Adapter: "none"}
		}
	case "rails": // twin cages: two links to an optic
		s.Topology = topology.Spec{Params: topology.FatTree{Nodes: n("nodes", 2, 24), Radix: 64, Rails: 8}}
		s.Packaging = spec.Packaging{
			Node:   &spec.Box{Part: "nvidia-dgx-h100", PerRack: 4},
			Switch: &spec.Box{Part: "nvidia-qm9700"},
		}
		s.Room.Rack = "rack-48u"
		ids = []string{"fibre-mm-mpo12-apc@3 m", "fibre-mm-mpo12-apc", "nvidia-mma4z00-ns", "nvidia-qm9700"}
	case "dragonfly":
		s.Topology = topology.Spec{Params: topology.Dragonfly{P: n("p", 1, 3), A: n("a", 2, 4), H: n("h", 1, 2)}}
	}
	s.Cabling.Route = rapid.SampledFrom([]string{"", spec.Direct, spec.Manhattan, spec.Tray}).Draw(t, "route")
	if rapid.Bool().Draw(t, "containers") {
		s.Room = spec.Room{Containers: []spec.Container{
			{Name: "hall", Count: []int{4, 4, 4}, Gap: 1},
			{
				Name: "cube", Count: []int{2, 2, 2}, Pitch: []spec.Pitch{0.5},
				Links: rapid.SampledFrom([]string{"", "trace", "cable"}).Draw(t, "links"),
			},
		}}
		if s.Packaging.Node != nil {
			s.Packaging.Node.PerRack = 0
		}
		if s.Cabling.Route == spec.Tray {
			s.Cabling.Route = ""
		}
	}
	if use := rapid.SampledFrom([]string{"", "copper", "fibre", "optical"}).Draw(t, "media"); use != "" {
		s.Cabling.Media = []spec.MediaRule{{Use: []string{use}}}
	}
	s.Prices = spec.Prices{
		Set:    rapid.SampledFrom([]string{"", "estimate-2025", "perseus-2011", "slimfly-2014"}).Draw(t, "set"),
		Spares: map[string]float64{}, Unit: map[string]units.Money{},
	}
	for _, kind := range []string{"node", "switch", "adapter", "cable", "optic", "rack", "tray"} {
		s.Prices.Spares[kind] = rapid.SampledFrom([]float64{0, 0, 0.1, 1, 2.5, 100, 300}).Draw(t, kind)
	}
	for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 0, 3, rapid.ID).Draw(t, "own") {
		s.Prices.Unit[id] = units.Money(rapid.Int64Range(0, 1e7).Draw(t, id))
	}
	return s
}

// TestBillIsTheCount checks, on random machines, every figure of the bill
// against a count box by box and segment by segment.
func TestBillIsTheCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		slowBill(r).check(t, r)
	})
}

// TestBillOfTwinPortCables: rails over twin-port copper, two links to a cable, are billed, installed and powered once a
// cable, not once a link.
func TestBillOfTwinPortCables(t *testing.T) {
	r := plan(t, `
topology: {family: fat-tree, nodes: 2, radix: 64, rails: 8}
packaging: {node: {part: nvidia-dgx-h100, per_rack: 4}, switch: {part: nvidia-qm9700}}
room: {rack: rack-48u}
`)
	slowBill(r).check(t, r)
	cables := int64(0)
	for _, row := range r.Bill.Rows {
		if strings.HasPrefix(row.Item.String(), "acc-2x400g-osfp@") {
			cables += row.Qty
		}
	}
	if cables != 128 {
		t.Errorf("%d twin-port cables, want 128 for the 256 links between switches", cables)
	}
}

// A bill by hand: 6 nodes on a leaf, 2 of them and 2 uplinks on another.
const small = `
topology: {family: fat-tree, nodes: 8, radix: 8, down: 6, up: 2, spines: 1}
packaging: {leaf: {place: in-rack}, spine: {place: in-rack}}
room: {rows: 1, racks_per_row: 2}
`

func TestBillByHand(t *testing.T) {
	r := plan(t, small+`
cabling: {media: [{use: copper}]}
prices: {spares: {switch: 10, cable: 50, adapter: 12.5, optic: 100, rack: 0}}
`)
	b := r.Bill
	for _, c := range []struct {
		part        string
		qty, spares int64
		unit        units.Money
	}{
		{"generic-switch-64x400g", 3, 1, 2600000}, // 0.3 of a spare
		{"adapter-400g-qsfp112", 8, 1, 160000},    // exactly one
		{"rack-42u", 1, 0, 180000},
		{"install-in-rack", 12, 0, 750},
	} {
		got := row(t, b, c.part)
		if got.Qty != c.qty || got.Spares != c.spares || *got.UnitCost != c.unit ||
			*got.Cost != c.unit*units.Money(c.qty+c.spares) {
			t.Errorf("%+v, want %+v", got, c)
		}
	}
	if node := row(t, b, "generic-node-1u"); node.Qty != 8 || node.Cost != nil {
		t.Errorf("nodes are listed and not priced: %+v", node)
	}
	if b.Currency != "USD" || len(b.Unpriced) != 0 {
		t.Errorf("%s, unpriced %v", b.Currency, b.Unpriced)
	}
	cables := int64(0)
	for i, row := range b.Rows {
		if row.Kind == catalog.KindCable {
			cables += row.Qty
			if row.Spares != (row.Qty+1)/2 {
				t.Errorf("%s: %d spares for %d", row.Item, row.Spares, row.Qty)
			}
			if next := b.Rows[i+1]; next.Kind == catalog.KindCable && next.Item.Length <= row.Item.Length {
				t.Errorf("%s before %s", row.Item.String(), next.Item.String())
			}
		}
	}
	if cables != 12 {
		t.Errorf("%d cables, want 8 to the nodes and 4 to the spine", cables)
	}
}

// TestOwnPrices checks that the machine file's prices go before the set's, the
// price of a length before that of the family, however the length is written.
func TestOwnPrices(t *testing.T) {
	base := plan(t, small)
	var cable catalog.Item
	for _, row := range base.Bill.Rows {
		if row.Kind == catalog.KindCable {
			cable = row.Item
		}
	}
	id, length := cable.Part, cable.Length
	for _, written := range []string{
		length.String(), fmt.Sprintf("%gm", float64(length)), fmt.Sprintf("%g", float64(length)),
		fmt.Sprintf("%.2f  m", float64(length)), fmt.Sprintf("%g cm", float64(length*100)),
	} {
		r := plan(t, small+fmt.Sprintf("prices: {unit: {%q: 12.34, %q: 56.78, generic-node-1u: 1000, rack-42u: 0}}\n",
			id+"@"+written, id))
		for _, row := range r.Bill.Rows {
			want := units.Money(-1)
			switch {
			case row.Item == cable:
				want = 1234
			case row.Item.Part == id:
				want = 5678
			case row.Item.Part == "generic-node-1u":
				want = 100000
			case row.Item.Part == "rack-42u":
				want = 0
			}
			if want >= 0 && (row.UnitCost == nil || *row.UnitCost != want || row.Confidence != catalog.User ||
				row.Source != "machine file") {
				t.Errorf("%s: %+v, want %v", written, row, want)
			}
			if want < 0 && row.Confidence == catalog.User {
				t.Errorf("%s: a price of the user's for %s", written, row.Item)
			}
		}
		if r.Bill.ByKind[catalog.KindNode] != 800000 {
			t.Errorf("nodes cost %v", r.Bill.ByKind[catalog.KindNode])
		}
	}
}

// TestUnpricedPartsAreListed checks that the total is of what has a price, and
// that the rest is named.
func TestUnpricedPartsAreListed(t *testing.T) {
	r := plan(t, small+"prices: {set: slimfly-2014}\n") // no racks, trays, adapters, 400G cables or labour
	for _, part := range []string{"adapter-400g-qsfp112", "rack-42u", "tray-ladder", "install-in-rack"} {
		if !slices.Contains(texts(r.Bill.Unpriced), part) {
			t.Errorf("%s is not among %v", part, r.Bill.Unpriced)
		}
		if got := row(t, r.Bill, part); got.UnitCost != nil || got.Cost != nil {
			t.Errorf("%+v has a price", got)
		}
	}
	if slices.Contains(texts(r.Bill.Unpriced), "generic-node-1u") {
		t.Error("a node without a price is not an omission")
	}
	if want := *row(t, r.Bill, "generic-switch-64x400g").Cost; r.Bill.Total != want {
		t.Errorf("total %v, want the switches' %v", r.Bill.Total, want)
	}
	if got := r.Violations.Count(cabling.RulePrice); got != len(r.Bill.Unpriced) {
		t.Errorf("%d warnings for %v", got, r.Bill.Unpriced)
	}
}

// TestLabourRates checks the classes of labour: own prices go before the set's,
// and what says nothing of rows is asked for cables between racks.
func TestLabourRates(t *testing.T) {
	base := plan(t, "topology: {family: torus, dims: [4, 4]}\npackaging: {node: {per_rack: 4}}\nroom: {rows: 2, "+
		"racks_per_row: 2}\n")
	in, row1, cross := row(t, base.Bill, "install-in-rack"), row(t, base.Bill, "install-in-row"),
		row(t, base.Bill, "install-cross-row")
	if in.Qty+row1.Qty+cross.Qty != base.Schedule.Cables || in.Qty == 0 || row1.Qty == 0 || cross.Qty == 0 {
		t.Fatalf("%d + %d + %d of %d cables", in.Qty, row1.Qty, cross.Qty, base.Schedule.Cables)
	}
	if *in.UnitCost != 750 || *row1.UnitCost != 2000 || *cross.UnitCost != 2000 || in.Spares != 0 || in.Low != 450 ||
		in.High != 1200 {
		t.Errorf("%+v %+v %+v", in, row1, cross)
	}
	set := *base.Prices
	set.Labour.CrossRow = 3100
	for _, c := range []struct {
		own                   map[catalog.Item]units.Money
		inRack, inRow, across units.Money
	}{
		{nil, 750, 2000, 3100},
		{map[catalog.Item]units.Money{{Part: "install-in-rack"}: 0}, 0, 2000, 3100},
		{map[catalog.Item]units.Money{{Part: "install-between-racks"}: 1100}, 750, 1100, 1100},
		{
			map[catalog.Item]units.Money{{Part: "install-between-racks"}: 1100, {Part: "install-in-row"}: 900},
			750, 900,
			1100,
		},
	} {
		b := cost.NewBill(&cost.Input{
			Schedule: base.Schedule, Catalog: base.Catalog, Prices: &set, Adapters: make([]*catalog.Part, 1),
			Own: c.own, Spares: map[catalog.Kind]float64{catalog.KindLabour: 100},
		})
		in, row1, cross := row(t, b, "install-in-rack"), row(t, b, "install-in-row"), row(t, b, "install-cross-row")
		if *in.UnitCost != c.inRack || *row1.UnitCost != c.inRow || *cross.UnitCost != c.across || cross.Spares != 0 {
			t.Errorf("%v: %v %v %v", c.own, in.UnitCost, row1.UnitCost, cross.UnitCost)
		}
		if _, ok := b.ByKind[catalog.KindRack]; ok {
			t.Error("racks in a bill without any")
		}
	}
}

// Fibre is terminated where anything prices that, at both ends of every fibre
// cable, spares left out.
func TestTerminatingFibre(t *testing.T) {
	const fibre = small + "cabling: {media: [{use: [fibre]}]}\n"
	free, paid := plan(t, fibre), plan(t, fibre+"prices: {unit: {terminate-fibre: 30}, spares: {cable: 50}}\n")
	if slices.ContainsFunc(free.Bill.Rows, func(r cost.Row) bool { return r.Item.Part == "terminate-fibre" }) {
		t.Error("fibre that comes with its plugs is terminated")
	}
	if got := row(t, paid.Bill, "terminate-fibre"); got.Qty != paid.Schedule.Cables ||
		*got.Cost != units.Money(got.Qty)*3000 {
		t.Errorf("%+v for %d cables", got, paid.Schedule.Cables)
	}
	copper := plan(t, small+"cabling: {media: [{use: [copper]}]}\nprices: {unit: {terminate-fibre: 30}}\n")
	if slices.ContainsFunc(copper.Bill.Rows, func(r cost.Row) bool { return r.Item.Part == "terminate-fibre" }) {
		t.Error("copper is terminated")
	}
}

// Freight is a share of the parts, contingency of everything, each a line of the
// bill, to the cent.
func TestFreightAndContingency(t *testing.T) {
	base := plan(t, small)
	r := plan(t, small+"prices: {freight: 2.5, contingency: 10}\n")
	parts := base.Bill.Total - base.Bill.ByKind[catalog.KindLabour]
	freight := units.Money(math.Round(float64(parts) * 0.025))
	contingency := units.Money(math.Round(float64(base.Bill.Total+freight) * 0.1))
	f, c := row(t, r.Bill, "freight"), row(t, r.Bill, "contingency")
	if *f.Cost != freight || *c.Cost != contingency || f.Kind != catalog.KindFreight ||
		r.Bill.Total != base.Bill.Total+freight+contingency {
		t.Errorf("%v %v, want %v %v; total %v", f.Cost, c.Cost, freight, contingency, r.Bill.Total)
	}
	if report := r.Report().Cost; report.Freight != freight || report.Contingency != contingency {
		t.Errorf("%+v", report)
	}
}

// TestAdaptersOfSeveralPorts checks that a node takes as many adapters as it
// needs for its ports.
func TestAdaptersOfSeveralPorts(t *testing.T) {
	for ports, want := range map[int]int64{1: 3, 2: 2, 3: 1, 6: 1} {
		r := plan(t, fmt.Sprintf(`
topology: {family: fat-tree, nodes: 4, radix: 16, rails: 3}
packaging: {node: {part: bare}, switch: {part: generic-switch-64x400g}}
parts:
  - {id: bare, kind: node, units: 1, width: 0.4, depth: 0.8, power: 100, adapter: nic,
     ports: [{count: 6, connector: qsfp112, rate: 400G}]}
  - {id: nic, kind: adapter, power: 10 W, ports: [{count: %d, connector: qsfp112, rate: 400G}]}
prices: {unit: {nic: 100}}
`, ports))
		if got := row(t, r.Bill, "nic"); got.Qty != 4*want || *got.Cost != units.Money(4*want)*10000 {
			t.Errorf("adapters of %d ports: %+v, want %d a node", ports, got, want)
		}
		if got := r.Bill.Power.Nodes; got != units.Power(4*(100+10*want)) {
			t.Errorf("adapters of %d ports: nodes draw %v", ports, got)
		}
	}
}

// TestTraySections checks that trays are bought by the section, rounded up.
func TestTraySections(t *testing.T) {
	base := plan(t, small)
	tenth := units.Length(0.1)
	for _, c := range []struct {
		run, section units.Length
		want         int64
	}{
		{3, 3, 1},
		{3.0001, 3, 2},
		{8.9, 3, 3},
		{9, 3, 3},
		{0.1, 3, 1},
		{tenth + tenth + tenth, tenth, 3}, // 0.30000000000000004
		{2.5, 0, 3},
	} {
		b := cost.NewBill(&cost.Input{
			Schedule: base.Schedule, Catalog: base.Catalog, Prices: base.Prices, Adapters: make([]*catalog.Part, 3),
			Trays: []cost.Laid{{
				&catalog.Part{ID: "tray-ladder", Kind: catalog.KindTray, Section: c.section}, c.run,
				1,
			}},
		})
		if got := row(t, b, "tray-ladder").Qty; got != c.want {
			t.Errorf("%v of trays in %v: %d, want %d", c.run, c.section, got, c.want)
		}
	}
}

// TestSummaryHasTheSameBill checks that leaving the schedule out changes no
// figure.
func TestSummaryHasTheSameBill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		full, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		short, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(full.Bill, short.Bill); diff != "" {
			t.Fatal(diff)
		}
	})
}
