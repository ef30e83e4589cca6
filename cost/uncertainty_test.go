package cost_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/units"
)

// billOf is a bill of some lines, each of 100 pieces.
func billOf(rows ...cost.Row) *cost.Bill {
	b := &cost.Bill{ByKind: map[catalog.Kind]units.Money{}}
	for _, r := range rows {
		r.Qty, r.Buy = 100, 100
		total := *r.UnitCost * 100
		r.Cost = &total
		b.Total += total
		b.Rows = append(b.Rows, r)
	}
	return b
}

func line(item string, kind catalog.Kind, low, likely, high units.Money) cost.Row {
	of, err := catalog.ParseItem(item)
	if err != nil {
		panic(err)
	}
	return cost.Row{Item: of, Kind: kind, UnitCost: &likely, Low: low, High: high}
}

// One line has the quantiles of its triangle.
func TestQuantilesOfOneLine(t *testing.T) {
	u := billOf(line("switch", catalog.KindSwitch, 600, 1000, 1600)).Uncertain(nil, 1)
	for _, c := range []struct {
		got   units.Money
		share float64
	}{{u.Capital.P10, .1}, {u.Capital.P50, .5}, {u.Capital.P90, .9}} {
		// The distribution function of the triangle, solved for the quantile.
		want := 600 + math.Sqrt(c.share*1000*400)
		if c.share > .4 {
			want = 1600 - math.Sqrt((1-c.share)*1000*600)
		}
		if math.Abs(float64(c.got)/100-want) > 20 {
			t.Errorf("quantile %v is %v, want %v", c.share, c.got, want)
		}
	}
	if diff := cmp.Diff([]cost.Swing{{Part: "switch", Low: 60000, High: 160000}}, u.Tornado); diff != "" {
		t.Error(diff)
	}
}

// The lengths of a family, and all wages, are drawn together: their sum is as wide
// as one line of the same total. Parts that are drawn apart even out.
func TestDrawsAreForPartsNotPieces(t *testing.T) {
	width := func(rows ...cost.Row) units.Money {
		c := billOf(rows...).Uncertain(nil, 7).Capital
		return c.P90 - c.P10
	}
	one := width(line("dac@2 m", catalog.KindCable, 1200, 2000, 3200))
	two := width(line("dac@1 m", catalog.KindCable, 600, 1000, 1600),
		line("dac@3 m", catalog.KindCable, 600, 1000, 1600))
	if one != two {
		t.Errorf("two lengths: %v, one: %v", two, one)
	}
	wages := width(line("install-in-rack", catalog.KindLabour, 600, 1000, 1600),
		line("install-in-row", catalog.KindLabour, 600, 1000, 1600))
	if r := float64(wages) / float64(one); math.Abs(r-1) > 0.03 {
		t.Errorf("wages are as wide as %v of one part", r)
	}
	apart := width(line("dac@1 m", catalog.KindCable, 600, 1000, 1600),
		line("acc@1 m", catalog.KindCable, 600, 1000, 1600))
	if r := float64(apart) / float64(one); math.Abs(r-math.Sqrt(.5)) > 0.03 {
		t.Errorf("two parts are as wide as %v of one", r)
	}
}

// Neither the order of lines nor the number of cores changes a draw; the seed
// does.
func TestDrawsAreReproducible(t *testing.T) {
	rows := []cost.Row{
		line("a", catalog.KindSwitch, 1, 10, 20), line("b@1 m", catalog.KindCable, 5, 5, 9),
		line("c", catalog.KindOptic, 3, 4, 4), line("d", catalog.KindRack, 7, 7, 7),
	}
	want := billOf(rows...).Uncertain(nil, 3)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if diff := cmp.Diff(want, billOf(rows...).Uncertain(nil, 3)); diff != "" {
		t.Error(diff)
	}
	slices.Reverse(rows)
	if diff := cmp.Diff(want.Capital, billOf(rows...).Uncertain(nil, 3).Capital); diff != "" {
		t.Error(diff)
	}
	if billOf(rows...).Uncertain(nil, 4).Capital == want.Capital {
		t.Error("the seed changes nothing")
	}
	if billOf(rows[0]).Uncertain(nil, 3) != nil {
		t.Error("a price without a range is uncertain")
	}
}

// The tornado holds every price at its bounds in turn, freight and contingency on
// top.
func TestTornado(t *testing.T) {
	const text = small + "cabling: {media: [{use: [copper]}]}\n"
	r := plan(t, text+"prices: {freight: 3, contingency: 10, ranges: {rack-42u: [1000, 9000]}}\n")
	u := r.Uncertainty
	if u == nil || len(u.Tornado) < 4 || u.Capital.P10 >= u.Capital.P50 || u.Capital.P50 >= u.Capital.P90 {
		t.Fatalf("%+v", u)
	}
	for _, s := range u.Tornado {
		low, high := r.Bill.Total, r.Bill.Total
		for _, row := range r.Bill.Rows {
			name := row.Item.Part
			if row.Kind == catalog.KindLabour {
				name = "labour"
			}
			if name != s.Part || row.UnitCost == nil {
				continue
			}
			top := 1.1
			if row.Kind != catalog.KindLabour {
				top *= 1.03
			}
			n := float64(row.Qty + row.Spares)
			low += units.Money(math.Round(float64(row.Low-*row.UnitCost) * n * top))
			high += units.Money(math.Round(float64(row.High-*row.UnitCost) * n * top))
		}
		if d := s.Low - low; d > 3 || d < -3 {
			t.Errorf("%+v, want from %v", s, low)
		}
		if d := s.High - high; d > 3 || d < -3 {
			t.Errorf("%+v, want to %v", s, high)
		}
	}
	if !slices.IsSortedFunc(u.Tornado, func(x, y cost.Swing) int { return int((y.High - y.Low) - (x.High - x.Low)) }) {
		t.Errorf("not sorted: %+v", u.Tornado)
	}
	rack := row(t, r.Bill, "rack-42u")
	if rack.Low != 100000 || rack.High != 900000 {
		t.Errorf("%+v", rack)
	}
}

// Power by PUE, tariff and years, by hand: 3 switches, 12 copper cables.
func TestOperation(t *testing.T) {
	const text = small + "cabling: {media: [{use: [copper]}]}\n"
	r := plan(t, text+"operation: {tariff: 0.2, pue: 1.5, years: 4}\n")
	o := r.Operation
	if o == nil {
		t.Fatal("no operation")
	}
	price := func(watts units.Power) units.Money {
		return units.MoneyOf(float64(watts) / 1000 * 8765.82 * 4 * 1.5 * 0.2)
	}
	p := r.Bill.Power
	if o.Switches.Cost != price(p.Switches) || o.Cables.Cost != price(p.Cables) || o.Nodes.Cost != price(p.Nodes) ||
		o.Total != o.Switches.Cost+o.Cables.Cost+o.Optics.Cost {
		t.Errorf("%+v", o)
	}
	cables := units.Power(0)
	for _, line := range r.Bill.Rows {
		if line.Kind == catalog.KindCable {
			cables += units.Power(2 * float64(line.Qty) * float64(r.Catalog.Part(line.Item.Part).Power))
		}
	}
	if math.Abs(float64(cables-o.Cables.Power)) > 1e-6 || cables == 0 {
		t.Errorf("both ends of the cables draw %v, want %v", o.Cables.Power, cables)
	}
	// 8 terminals and 4 channels up from two leaves to a spine of which each end
	// lights a port.
	used := int64(0)
	for _, row := range r.Schedule.Segments {
		for _, v := range []int32{row.A, row.B} {
			if r.Schedule.Placement.Slot[v] >= 0 && v < 3 {
				used++
			}
		}
	}
	if o.UsedPorts != used {
		t.Errorf("%d ports of switches in use, want %d", o.UsedPorts, used)
	}
	got := plan(t, text+"operation: {tariff: 0.2, port_power: 2.8}\n").Operation.Switches.Power
	if math.Abs(float64(got)-2.8*float64(used)) > 1e-6 {
		t.Errorf("%d ports in use draw %v", used, got)
	}
	full := float64(p.Switches)
	got = plan(t, text+"operation: {tariff: 0.2, idle: 60}\n").Operation.Switches.Power
	if math.Abs(float64(got)-full*(0.6+0.4*float64(used)/(3*64))) > 1e-6 {
		t.Errorf("switches with %d ports in use draw %v of %v", used, got, full)
	}
	if free := plan(t, text); free.Operation != nil || free.Uncertainty.Operation != nil {
		t.Error("energy that nobody prices has a price")
	}
	u := plan(t, text+"operation: {tariff: 0.2, tariff_range: [0.1, 0.4]}\n").Uncertainty
	if u.Operation == nil || u.Operation.P10 >= u.Operation.P90 || u.Total.P50 <= u.Capital.P50 ||
		!slices.ContainsFunc(u.Tornado, func(s cost.Swing) bool { return s.Part == "tariff" }) {
		t.Errorf("%+v", u)
	}
}

// Cost per node, port, and Gb/s of injection and bisection.
func TestCostPerUnit(t *testing.T) {
	r := plan(t, small)
	u := r.PerUnit
	total := r.Bill.Total.Float()
	ports := 2 * r.Schedule.Cables
	// 8 nodes of 400 Gb/s. The family states no bisection for uneven trees: with 6
	// nodes on a leaf and 2 on the other, a half is the smaller leaf, its 2 links
	// up cut, and 2 nodes cut off the larger.
	if u.InjectionRate != 3200 || *u.Node != units.MoneyOf(total/8) || *u.Port != units.MoneyOf(total/float64(ports)) ||
		*u.Injection != units.MoneyOf(total/3200) {
		t.Errorf("%+v of %v", u, total)
	}
	if u.BisectionRate != 4*400 || u.BisectionMethod != "partition" || *u.Bisection != units.MoneyOf(total/1600) {
		t.Errorf("bisection of %v at %v by %s", u.BisectionRate, u.Bisection, u.BisectionMethod)
	}
	// A 4 x 4 torus: 16 nodes of 4 ports, 8 channels across.
	r = plan(t, "topology: {family: torus, dims: [4, 4]}\n")
	u, total = r.PerUnit, r.Bill.Total.Float()
	if u.InjectionRate != 16*4*400 || u.BisectionRate != 8*400 || u.BisectionMethod != "formula" ||
		*u.Bisection != units.MoneyOf(total/3200) {
		t.Errorf("%+v of %v", u, total)
	}
}
