package machine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// drawPowers draws figures of power by basis, some of them left out, and the one that is planned by default.
func drawPowers(t *rapid.T, given units.Power) (units.Power, catalog.Powers) {
	figure := [3]units.Power{}
	least := 1.0
	var stated []units.Power
	for i := range figure {
		least += rapid.Float64Range(0, 500).Draw(t, "watts")
		if rapid.Bool().Draw(t, "stated") {
			figure[i] = units.Power(least)
			stated = append(stated, figure[i])
		}
	}
	if len(stated) > 0 {
		given = rapid.SampledFrom(stated).Draw(t, "power")
	}
	return given, catalog.Powers{Typical: figure[0], Design: figure[1], Peak: figure[2]}
}

// figureOn is what a part with these figures draws on a basis, and whether it states that, found the slow way.
func figureOn(basis catalog.PowerBasis, given units.Power, w catalog.Powers) (units.Power, bool) {
	order := map[catalog.PowerBasis][]units.Power{
		catalog.TypicalPower: {w.Typical, w.Design, w.Peak},
		catalog.DesignPower:  {w.Design, w.Peak, w.Typical},
		catalog.PeakPower:    {w.Peak, w.Design, w.Typical},
	}[basis]
	for _, f := range order {
		if f > 0 {
			return f, order[0] > 0
		}
	}
	return given, false
}

// TestPowerBasisOfMachines plans machines whose parts have drawn figures of power, on every basis, and compares the
// power, the parts that state none on it and the racks that draw too much with sums over the lines of the bill.
func TestPowerBasisOfMachines(t *testing.T) {
	graphtest.FewerDraws(t, 5)
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		if rapid.Bool().Draw(t, "one topology") {
			s = drawSpec(t, rapid.SampledFrom([]string{"fat-tree", "torus", "dragonfly"}).Draw(t, "family"))
		}
		if s == nil {
			return
		}
		own := map[string]bool{}
		for i := range s.Parts {
			p := &s.Parts[i]
			own[p.ID] = true
			p.Power, p.Powers = drawPowers(t, p.Power)
			drawLiquid(t, p)
		}
		for _, p := range catalog.Default().Parts() {
			if own[p.ID] || !p.Draws() {
				continue
			}
			p.Power, p.Powers = drawPowers(t, p.Power)
			drawLiquid(t, &p)
			if p.Cable != nil && p.Cable.Far != nil {
				cable, far := *p.Cable, *p.Cable.Far
				if far.Power, far.Powers = drawPowers(t, far.Power); far.Power == 0 && p.Power == 0 {
					continue
				}
				cable.Far, p.Cable = &far, &cable
			}
			s.Parts = append(s.Parts, p)
		}
		if rapid.Bool().Draw(t, "limited") && len(s.Room.Containers) == 0 {
			s.Parts = append(s.Parts, limitedRack(t))
			s.Room.Rack = "limited-rack"
		}
		without := planOrRefuse(s)
		if without == nil {
			return
		}
		if without.Bill.PowerBasis != nil {
			t.Errorf("a machine without a basis has %+v", without.Bill.PowerBasis)
		}
		checkPower(t, without, s, func(p *catalog.Part) (units.Power, units.Power, bool) {
			if p.Cable != nil && p.Cable.Far != nil && p.Cable.Far.Power > 0 {
				return p.Power, p.Cable.Far.Power, true
			}
			return p.Power, p.Power, true
		})
		bare := *s
		bare.Parts = slices.Clone(s.Parts)
		for i := range bare.Parts {
			p := &bare.Parts[i]
			p.Powers = catalog.Powers{}
			if p.Cable != nil && p.Cable.Far != nil {
				cable, far := *p.Cable, *p.Cable.Far
				far.Powers = catalog.Powers{}
				cable.Far, p.Cable = &far, &cable
			}
		}
		if a, b := document(t, without), document(t, planOrRefuse(&bare)); a != b {
			t.Errorf("figures by basis change a plan that asks for none:\n%s\n%s", a, b)
		}
		for _, basis := range catalog.PowerBases {
			on := *s
			on.PowerBasis = basis
			r := planOrRefuse(&on)
			if r == nil {
				continue // racks cannot be given so much
			}
			checkPower(t, r, s, func(p *catalog.Part) (near, far units.Power, stated bool) {
				near, stated = figureOn(basis, p.Power, p.Powers)
				if p.Cable == nil || p.Cable.Far == nil || p.Cable.Far.Power == 0 {
					return near, near, stated
				}
				far, farStated := figureOn(basis, p.Cable.Far.Power, p.Cable.Far.Powers)
				return near, far, stated && farStated
			})
			for _, v := range r.Violations.List() {
				if strings.HasSuffix(v.Rule, "-power") && v.Where != "" &&
					!strings.Contains(v.Message, " of "+string(basis)+" power") {
					t.Errorf("%+v does not name the basis", v)
				}
			}
		}
	})
}

// drawLiquid draws the share of the heat of a box or adapter that goes to liquid, or none.
func drawLiquid(t *rapid.T, p *catalog.Part) {
	kinds := []catalog.Kind{catalog.KindNode, catalog.KindSwitch, catalog.KindAdapter}
	if slices.Contains(kinds, p.Kind) && rapid.Bool().Draw(t, "states liquid") {
		share := units.Percent(rapid.SampledFrom([]float64{0, 1, 37.5, 100}).Draw(t, "liquid"))
		p.Liquid = &share
	}
}

// limitedRack is a rack that supplies little.
func limitedRack(t *rapid.T) catalog.Part {
	rack := *catalog.Default().Part("rack-42u")
	rack.ID = "limited-rack"
	limit := *rack.Rack
	limit.Power = units.Power(rapid.Float64Range(2000, 40000).Draw(t, "rack power"))
	rack.Rack = &limit
	return rack
}

// planOrRefuse plans a machine; nil if it is refused, as other tests check.
func planOrRefuse(s *spec.Spec) *machine.Result {
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		return nil
	}
	return r
}

// document is the report on a plan without the spec.
func document(t *rapid.T, r *machine.Result) string {
	if r == nil {
		return ""
	}
	doc := *r.Report()
	doc.Spec = nil
	out, err := json.Marshal(&doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// checkPower compares the power of a plan with the sum over the lines of its bill, and with that over its racks.
func checkPower(t *rapid.T, r *machine.Result, s *spec.Spec,
	of func(*catalog.Part) (near, far units.Power, stated bool),
) {
	parts, err := catalog.Default().With(s.Parts)
	if err != nil {
		t.Fatal(err)
	}
	doc := r.Report()
	sum, enclosures, liquid, air, saysHeat := 0.0, 0.0, 0.0, 0.0, false
	missing := map[string]int64{}
	legs := 0.0 // the most that legs that stay free would draw: bills count all plugs of a cable, racks those in ports
	for _, row := range doc.BOM {
		p := parts.Part(row.Item.Part)
		if p == nil {
			continue // labour, freight
		}
		near, far, stated := of(p)
		watts := float64(near) * float64(row.Qty)
		switch p.Kind {
		case catalog.KindNode, catalog.KindSwitch, catalog.KindAdapter, catalog.KindOptic:
		case catalog.KindCable:
			watts += float64(far) * float64(row.Qty) * float64(p.Cable.FarPlugs())
			legs += float64(far) * float64(row.Qty) * float64(p.Cable.FarPlugs()-1)
			stated = stated || !p.Draws() && p.Power == 0
		case catalog.KindMidplane, catalog.KindChassis, catalog.KindFrame:
			enclosures += watts
			stated = stated || p.Power == 0
		default:
			continue
		}
		sum += watts
		if p.Liquid != nil && watts > 0 {
			saysHeat = true
			liquid += watts * float64(*p.Liquid) / 100
			air += watts * (100 - float64(*p.Liquid)) / 100
		}
		if !stated && row.Qty > 0 {
			missing[p.ID] += row.Qty
		}
	}
	if math.Abs(sum-float64(doc.Power)) > 1e-3+1e-9*sum {
		t.Errorf("basis %q: %v W, the lines of the bill draw %v W", r.Spec.PowerBasis, float64(doc.Power), sum)
	}
	if (doc.Heat != nil) != saysHeat {
		t.Errorf("heat %+v, but parts state a share: %v", doc.Heat, saysHeat)
	}
	if h := doc.Heat; h != nil {
		for _, c := range [][2]float64{
			{float64(h.Liquid), liquid},
			{float64(h.Air), air},
			{float64(h.Unstated), sum - liquid - air},
		} {
			if math.Abs(c[0]-c[1]) > 1e-3+1e-9*sum {
				t.Errorf("heat %+v, want %v, %v and %v W", h.HeatSplit, liquid, air, sum-liquid-air)
			}
		}
		var racks report.HeatSplit
		for i, k := range h.Racks {
			racks.Liquid += k.Liquid
			racks.Air += k.Air
			whole := r.Placement.Racks[i].Power
			if name := r.Room().Name(int(r.Placement.Racks[i].Place)); name != k.Rack ||
				math.Abs(float64(k.Liquid+k.Air+k.Unstated-whole)) > 0.01 {
				t.Errorf("%s draws %v, its heat is %+v", name, whole, k)
			}
		}
		if n := float64(len(h.Racks)); n > 0 && (math.Abs(float64(racks.Liquid)-liquid) > 0.01*n+legs ||
			math.Abs(float64(racks.Air)-air) > 0.01*n+legs) {
			t.Errorf("racks have %+v, want %v to liquid and %v to air", racks, liquid, air)
		}
	}
	listed := map[string]int64{}
	if b := doc.PowerBasis; b != nil {
		for _, o := range b.Instead {
			listed[o.Part] = o.Qty
		}
	}
	if r.Spec.PowerBasis != "" && fmt.Sprint(listed) != fmt.Sprint(missing) {
		t.Errorf("basis %q: %v state none, %v are listed", r.Spec.PowerBasis, missing, listed)
	}
	room := r.Room()
	if room == nil {
		return
	}
	inRacks, over := 0.0, map[string]bool{}
	for i := range r.Placement.Racks {
		rack := &r.Placement.Racks[i]
		inRacks += float64(rack.Power)
		if limit := room.Type(rack.Place).Power; limit > 0 && rack.Power > limit+1e-5 {
			over[room.Name(int(rack.Place))] = true
		}
	}
	if over := inRacks + enclosures - sum; over > 1e-3+1e-9*sum || over < -legs-1e-3-1e-9*sum {
		t.Errorf("basis %q: racks draw %v W and enclosures %v W of %v W", r.Spec.PowerBasis, inRacks, enclosures, sum)
	}
	for _, v := range r.Violations.List() {
		if v.Rule == cabling.RulePower.ID && v.Where != "" {
			if !over[v.Where] {
				t.Errorf("basis %q: %+v, but the rack draws less", r.Spec.PowerBasis, v)
			}
			delete(over, v.Where)
		}
	}
	if len(over) > 0 && r.Violations.Count(cabling.RulePower) <= 100 {
		t.Errorf("basis %q: %v draw too much, and no rule says so", r.Spec.PowerBasis, over)
	}
}

// TestPowerBasisOfAnNVL72 places GB300 trays, whose rack is published with several figures, in racks of 142 kW.
func TestPowerBasisOfAnNVL72(t *testing.T) {
	for _, c := range []struct {
		basis string
		watts float64
		racks int // with that of the switch
	}{
		{"", 18 * 7500, 2},
		{"power_basis: typical\n", 18 * 6667, 2},
		{"power_basis: design\n", 18 * 7500, 2},
		{"power_basis: peak\n", 18 * 8611, 3},
	} {
		r := planText(t, `
boxes: [{name: tray, count: 18, part: nvidia-gb300-tray, per_rack: 18}]
fabrics:
- {name: oob, topology: {family: access, down: 40}, ends: [{boxes: tray, ports: mgmt1}],
   switches: {switch: {part: s, place: network-row}}}
room: {rack: nvidia-gb300-nvl72-rack}
parts:
- {id: s, kind: switch, units: 1, width: 0.4, depth: 0.4, power: 1 W, hop: 1 us,
   ports: [{count: 48, connector: rj45, rate: 1G}]}
`+c.basis)
		doc := r.Report()
		if got := float64(doc.PowerBy.Nodes); math.Abs(got-c.watts) > 1 || doc.Racks != c.racks {
			t.Errorf("%q: trays draw %v W in %d racks, want %v in %d", c.basis, got, doc.Racks, c.watts, c.racks)
		}
	}
}

// TestPowerBasisBreaksRules plans a row that supplies the boxes at their most and not their optics.
func TestPowerBasisBreaksRules(t *testing.T) {
	for basis, breaks := range map[string]bool{"typical": false, "design": true, "peak": true} {
		text := strings.NewReplacer("EMBEDDING", "", "room: {",
			"room: {rows: 1, racks_per_row: 9, row_power: 11.2 kW, ",
			"power: 100 W", "power: 100 W, powers: {typical: 50 W, peak: 100 W}").Replace(hungry)
		r := planText(t, text+"power_basis: "+basis+"\n")
		if got := r.Violations.Count(cabling.RuleRowPower) > 0; got != breaks {
			t.Errorf("%s: row-power is broken: %v, %+v", basis, got, r.Violations.List())
		}
		if notes := strings.Join(r.Notes, "|"); !strings.Contains(notes, "all figures of power are "+basis+" power") ||
			strings.Contains(notes, "n (64, peak power)") != (basis == "design") {
			t.Errorf("%s: notes %q", basis, notes)
		}
	}
}

// TestPowerBasisIsRefused gives words and figures that contradict each other.
func TestPowerBasisIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"power_basis: peek": `power_basis: "peek"`,
		"parts: [{id: n, kind: node, units: 1, power: 3 W, powers: {typical: 1 W, peak: 2 W}, ports: [{count: 1, " +
			"connector: rj45, rate: 1G}]}]": "m.yaml:2:46: parts[0].power: 3 W is not a figure of powers",
		"parts: [{id: n, kind: node, units: 1, powers: {typical: 1 W}, ports: [{count: 1, connector: rj45, " +
			"rate: 1G}]}]": "m.yaml:2:39: parts[0].powers: there is no power beside it",
		"parts: [{id: n, kind: node, units: 1, power: 3 W, powers: {typical: 3 W, peak: 2 W}, ports: [{count: 1, " +
			"connector: rj45, rate: 1G}]}]": "parts[0].powers.peak: 2 W is less than the 3 W of typical",
		"prices: {model: slim-fly}\npower_basis: peak": "power_basis: the model slim-fly counts power",
	} {
		s, err := machine.Parse("m.yaml", []byte("topology: {family: torus, dims: [3, 3]}\n"+text+"\n"))
		if err == nil {
			_, err = machine.Estimate(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %s", text, err, want)
		}
	}
	s := &spec.Spec{Topology: topology.Spec{Params: topology.Torus{Dims: topology.Ints{3, 3}}}, PowerBasis: "peek"}
	if _, err := machine.Plan(context.Background(), s); err == nil || !strings.Contains(err.Error(), "peak") {
		t.Errorf("a basis that is none: %v", err)
	}
}
