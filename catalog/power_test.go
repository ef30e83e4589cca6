package catalog

import (
	"reflect"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/units"
)

// allBases are the bases of a part that states all.
var allBases = [3]PowerBasis{TypicalPower, DesignPower, PeakPower}

// TestPowerOn lists what each part draws on each basis.
func TestPowerOn(t *testing.T) {
	for _, c := range []struct {
		powers Powers
		given  units.Power
		want   [3]units.Power // typical, design, peak
		basis  [3]PowerBasis
	}{
		{Powers{}, 5, [3]units.Power{5, 5, 5}, [3]PowerBasis{"", "", ""}},
		{Powers{Typical: 1, Design: 2, Peak: 3}, 2, [3]units.Power{1, 2, 3}, allBases},
		{Powers{Typical: 1, Peak: 3}, 1, [3]units.Power{1, 3, 3}, [3]PowerBasis{"typical", "peak", "peak"}},
		{Powers{Typical: 1, Design: 2}, 1, [3]units.Power{1, 2, 2}, [3]PowerBasis{"typical", "design", "design"}},
		{Powers{Design: 2, Peak: 3}, 3, [3]units.Power{2, 2, 3}, [3]PowerBasis{"design", "design", "peak"}},
		{Powers{Typical: 1}, 1, [3]units.Power{1, 1, 1}, [3]PowerBasis{"typical", "typical", "typical"}},
		{Powers{Peak: 3}, 3, [3]units.Power{3, 3, 3}, [3]PowerBasis{"peak", "peak", "peak"}},
	} {
		part := Part{ID: "p", Power: c.given, Powers: c.powers}
		for i, basis := range PowerBases {
			watts, on := part.PowerOn(basis)
			if watts != c.want[i] || on != c.basis[i] {
				t.Errorf("%+v on %s: %v of %q, want %v of %q", c.powers, basis, watts, on, c.want[i], c.basis[i])
			}
			c := (&Catalog{parts: []Part{part}}).OnBasis(basis)
			if got := c.Part("p").Power; got != watts {
				t.Errorf("on %s the catalog has %v, want %v", basis, got, watts)
			}
			if again, _ := c.Part("p").PowerOn(basis); again != watts {
				t.Errorf("on %s once more: %v, want %v", basis, again, watts)
			}
		}
	}
}

// TestOnBasisOfCables has cables whose ends differ, and leaves the catalog itself as it is.
func TestOnBasisOfCables(t *testing.T) {
	far := FarEnd{Connector: "x", Power: 1, Powers: Powers{Typical: 1, Peak: 4}}
	c := &Catalog{parts: []Part{
		{ID: "both", Power: 2, Powers: Powers{Typical: 2, Peak: 8}, Cable: &Cable{Far: &far}},
		{ID: "near", Power: 2, Powers: Powers{Typical: 2, Peak: 8}, Cable: &Cable{Far: &FarEnd{Connector: "x"}}},
	}}
	peak := c.OnBasis(PeakPower)
	for id, want := range map[string][2]units.Power{"both": {8, 4}, "near": {8, 8}} {
		if near, far := peak.Part(id).EndPower(); near != want[0] || far != want[1] {
			t.Errorf("%s draws %v and %v, want %v", id, near, far, want)
		}
	}
	if far.Power != 1 || c.Part("both").Power != 2 || c.OnBasis("") != c {
		t.Errorf("the catalog has changed: %+v", c.parts)
	}
	if !reflect.DeepEqual(peak.Part("both").Cable.Far.Powers, far.Powers) {
		t.Errorf("%+v", peak.Part("both").Cable.Far)
	}
}

// TestPowersThatContradict are refused, each with the place of the mistake.
func TestPowersThatContradict(t *testing.T) {
	for figures, want := range map[string]string{
		"power: 2, powers: {typical: 1, peak: 3}":   "write one of 1 W (typical), 3 W (peak), or add it to powers",
		"powers: {design: 3}":                       "write power, equal to 3 W (design)",
		"power: 3, powers: {typical: 3, design: 2}": "powers.design: 2 W is less than the 3 W of typical",
		"power: 3, powers: {typical: 3, peak: 2}":   "powers.peak: 2 W is less than the 3 W of typical",
		"power: 3, powers: {design: 3, peak: 2}":    "powers.peak: 2 W is less than the 3 W of design",
		"power: 3, powers: {typical: 3, peak: 3}":   "",
		"power: 3":                       "",
		"power: 1, liquid: 85 %":         "",
		"power: 1, liquid: 0":            "",
		"power: 1, liquid: 0.85":         "0.85 % is less than a hundredth",
		"power: 1, liquid: 101 %":        "too large for a percentage",
		"power: 0, powers: {typical: 0}": "",
	} {
		f := ParseFile([]byte("parts:\n  - {id: n, kind: node, source: s, confidence: estimate, units: 1, "+figures+
			", ports: [{count: 1, connector: rj45, rate: 1G}]}\n"), "f.yaml")
		var all []string
		for _, err := range Default().CheckFiles([]*File{f}) {
			all = append(all, err.Error())
		}
		got := strings.Join(all, "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", figures, got, want)
		}
	}
}

// TestLacksPower: what only passes power on lacks none; everything else that draws power does until it states it.
func TestLacksPower(t *testing.T) {
	for _, c := range []struct {
		part  Part
		lacks bool
	}{
		{Part{Kind: KindNode}, true},
		{Part{Kind: KindSwitch}, true},
		{Part{Kind: KindNode, Cooling: &Cooling{}}, true}, // its pumps
		{Part{Kind: KindNode, Power: 1}, false},
		{Part{Kind: KindNode, Supply: &Supply{}}, false},
		{Part{Kind: KindNode, ZeroU: true}, false},
		{Part{Kind: KindPanel}, false},
	} {
		if c.part.LacksPower() != c.lacks {
			t.Errorf("%+v: %v", c.part, !c.lacks)
		}
	}
}
