package report_test

import (
	"context"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// torus is a machine whose cables leave their racks over trays.
const torus = `
name: Small torus
topology: {family: torus, dims: [8, 8, 4]}
packaging: {node: {per_rack: 32}}
`

func plan(t *testing.T, file string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	p, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRound(t *testing.T) {
	for x, want := range map[units.Length]units.Length{
		0: 0, 1.0000004: 1, 1.0000006: 1.000001, -2.5000006: -2.500001, 1e9: 1e9,
	} {
		if got := report.Round(x); got != want {
			t.Errorf("%v rounds to %v, want %v", float64(x), float64(got), float64(want))
		}
	}
}

// Topology levels and layout levels split the same links, cables and money.
func TestLevelsSplitTheSameWhole(t *testing.T) {
	p := plan(t, torus)
	whole := func(levels []report.Level) (links, cables int64, cost units.Money) {
		for _, l := range levels {
			links += l.Links
			cables += l.Cables
			cost += l.Cost
			if l.Length.Mean > l.Length.Max || l.Delay.Mean > l.Delay.Max {
				t.Errorf("%s: a mean beyond the greatest: %+v", l.Level, l)
			}
		}
		return links, cables, cost
	}
	links, cables, cost := whole(report.NewLevels(p.Schedule, p.Bill, p.LevelDelay))
	links2, cables2, cost2 := whole(report.NewLayoutLevels(p.Schedule, p.Bill, p.LayoutDelay))
	if links != 768 || links2 != links || cables != p.Schedule.Cables || cables2 != cables || cost != cost2 ||
		cost == 0 {
		t.Errorf("topology levels have %d links, %d cables, %v; layout levels %d, %d, %v", links, cables, cost,
			links2, cables2, cost2)
	}
}

// Sums of the bill and of the schedule are those of their rows.
func TestTotalsAreSumsOfRows(t *testing.T) {
	p := plan(t, torus)
	sum := units.Money(0)
	for _, product := range report.NewProducts(p.Bill) {
		if product.Cost != nil {
			sum += *product.Cost
		}
	}
	c := report.NewCost(p.Bill)
	if sum == 0 || c.Cables != sum {
		t.Errorf("the cables cost %v, their products %v", c.Cables, sum)
	}
	if total := c.Switches + c.Cables + c.Optics + c.Adapters + c.Racks + c.Labour; total != c.Total {
		t.Errorf("the kinds cost %v, all %v", total, c.Total)
	}
	var cables int64
	var metres, longest units.Length
	p.Schedule.Each(func(_ int64, seg *cabling.Segment) bool {
		cables++
		metres += seg.Length
		longest = max(longest, seg.Length)
		return true
	})
	l := report.NewLengthTotal(p.Schedule)
	if math.Abs(float64(l.Total-metres)) > 1e-3 || l.Max != report.Round(longest) ||
		math.Abs(float64(l.Mean-metres/units.Length(cables))) > 1e-5 {
		t.Errorf("%+v of %d cables, %v m in all, the longest %v m", l, cables, metres, longest)
	}
	used := int64(2 * 768)
	if ports := report.NewPorts(p.Schedule, p.Bill); ports.Used != used || ports.Total < used {
		t.Errorf("%+v, %d ends of links", ports, used)
	}
}

// What lies on the trays is summed up by level, and bundles hold every cable that
// leaves its rack.
func TestTraysAndBundles(t *testing.T) {
	p := plan(t, torus)
	r := p.Report()
	if r.Trays == nil || len(r.Trays.Levels) != 1 || r.Trays.LeftOut != 0 {
		t.Fatalf("trays %+v", r.Trays)
	}
	weight, fullest := units.Mass(0), 0.0
	for i, s := range r.Trays.Segments {
		weight += s.Weight
		fullest = max(fullest, s.Fill)
		if i > 0 && s.Fill > r.Trays.Segments[i-1].Fill {
			t.Errorf("segment %s is fuller than the one above it", s.Segment)
		}
	}
	if l := r.Trays.Levels[0]; math.Abs(float64(l.Weight-weight)) > 1e-3 || l.Fill != fullest || fullest == 0 {
		t.Errorf("level %+v; its segments weigh %v, the fullest is filled by %v %%", l, weight, fullest)
	}
	between := int64(0)
	for _, l := range r.LayoutLevels {
		if l.Level != "rack" {
			between += l.Cables
		}
	}
	if b := r.Bundles; b.Cables != between || b.Thickest <= 0 || b.Largest > 24 {
		t.Errorf("bundles %+v for %d cables between racks", b, between)
	}
}

// Sections that a plan has no figures for are nil.
func TestMissingSections(t *testing.T) {
	if report.NewTrays(nil, nil, nil) != nil || report.NewStructured(nil) != nil ||
		report.NewPlacement(nil, nil, nil, nil) != nil || report.NewConsolidation(nil, nil) != nil ||
		report.NewDelay(nil, nil, nil, 0, 0, nil) != nil {
		t.Error("a section without figures is not nil")
	}
	nested := plan(t, "topology: {family: torus, dims: [4, 4]}\n"+
		"room: {containers: [{name: box, count: [4, 4, 1], pitch: 0.3 m}]}\n")
	if b := report.NewBundles(nested.Schedule); b != nil {
		t.Errorf("containers have bundles: %+v", b)
	}
}

// comparedMachine is a machine of a comparison: figures, and what D is made of.
func comparedMachine(name, currency string, total units.Money, nodes int) report.Compared {
	return report.Compared{Plan: &report.Plan{
		Machine: name, Currency: currency, Nodes: nodes, Cost: report.Cost{Total: total},
		Lengths: []report.Lengths{{Medium: catalog.Multimode, Cables: 3, Total: 12}},
	}}
}

func TestComparedFigures(t *testing.T) {
	m := comparedMachine("a", "USD", 100_001, 3)
	if got := m.PerNode(m.Cost.Total); got != 33_334 {
		t.Errorf("%d cents a node", got)
	}
	if got := m.PerMoney(2); math.Abs(got-2/1000.01*1e6) > 1e-9 {
		t.Errorf("%v per million", got)
	}
	if n, metres := m.OfMedium(catalog.Multimode); n != 3 || metres != 12 {
		t.Errorf("%d cables, %v", n, metres)
	}
	if n, metres := m.OfMedium(catalog.PassiveCopper); n != 0 || metres != 0 {
		t.Errorf("%d cables, %v of a medium that it does not use", n, metres)
	}
	if mean, most := m.D(1, 1); !math.IsNaN(float64(mean)) || !math.IsNaN(float64(most)) {
		t.Errorf("D of unknown paths is %v, %v", mean, most)
	}
	free := comparedMachine("free", "USD", 0, 0)
	if got := free.PerMoney(2); !math.IsNaN(got) || free.PerNode(7) != 0 {
		t.Errorf("%v per million, %v per node of a machine of nothing", got, free.PerNode(7))
	}
}

func TestComparison(t *testing.T) {
	c := report.Comparison{Machines: []report.Compared{
		comparedMachine("a", "USD", 5, 1), comparedMachine("b", "USD", 6, 1),
	}}
	if media := c.Media(); len(media) != 1 || media[0] != catalog.Multimode {
		t.Errorf("media %v", media)
	}
	if !c.OneCurrency() {
		t.Error("one currency is taken for two")
	}
	c.Machines[1].Currency = "EUR"
	if c.OneCurrency() {
		t.Error("two currencies are taken for one")
	}
}
