package catalog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/units"
)

// Busbar is the type of inlets and outlets that meet at the busbar of a rack. All supplies with such an outlet feed the
// same bar.
const Busbar = "busbar"

// Redundancy is how many power inlets a box can lose: "N", "N+1", "2N".
type Redundancy string

// Spare returns how many of a number of inlets may be without power while the box keeps running. It is not known where
// redundancy is not stated and the number is not 1, where the text has another form, and where N+x leaves no inlet.
func (r Redundancy) Spare(inlets int) (spare int, known bool) {
	switch text := string(r); {
	case text == "" && inlets == 1, text == "N":
		return 0, true
	case text == "2N":
		return inlets / 2, true
	case strings.HasPrefix(text, "N+"):
		n, err := strconv.Atoi(text[2:])
		return n, err == nil && n > 0 && n < inlets && text[2] != '+'
	}
	return 0, false
}

// Wiring is how the outlets of a supply are joined to three phases.
type Wiring string

// The wirings.
const (
	Wye   Wiring = "wye"   // between a phase and neutral
	Delta Wiring = "delta" // between two phases: an outlet loads both
)

// Words lists the wirings.
func (Wiring) Words() []string { return []string{string(Wye), string(Delta)} }

// Supply is what a power distribution unit or a power shelf gives to the boxes of its rack.
type Supply struct {
	// Volts is the voltage that it is fed with, of three phases that between two of them. 0 where it is not stated:
	// currents are not known then.
	Volts units.Voltage `yaml:"volts,omitempty" json:"volts,omitempty"`
	// Phases is 1 or 3; 1 when left out.
	Phases int `yaml:"phases,omitempty" json:"phases,omitempty" jsonschema:"enum=1,enum=3"`
	// Wiring is that of outlets on three phases: delta up to 240 V and wye above when left out.
	Wiring Wiring `yaml:"wiring,omitempty" json:"wiring,omitempty"`
	// Breaker is the rating of the breaker before it, for each phase; 0 where it is not stated.
	Breaker units.Current `yaml:"breaker,omitempty" json:"breaker,omitempty"`
	// Power is the most that it gives; 0 where it is not stated.
	Power units.Power `yaml:"power,omitempty" json:"power,omitempty"`
	// Efficiency is what it gives as a share of what it draws for that; 0 where it is not stated: nothing is lost then.
	Efficiency units.Percent `yaml:"efficiency,omitempty" json:"efficiency,omitempty"`
	// Outlets are in the order in which they are numbered, from 1 over all groups.
	Outlets []OutletGroup `yaml:"outlets" json:"outlets"`
}

// Cooling is what a coolant distribution unit (CDU) does for the racks that it serves.
type Cooling struct {
	Capacity units.Power `yaml:"capacity" json:"capacity"` // the most heat that it takes from the liquid
	// Flow is the most coolant that it pumps to the racks; not known when left out.
	Flow units.Flow `yaml:"flow,omitempty" json:"flow,omitempty"`
}

// Hose is a family of hoses for coolant: one kind of hose in several lengths, or made to measure.
type Hose struct {
	Inside    units.Length `yaml:"inside,omitempty" json:"inside,omitempty" most:"1"` // inside diameter
	Connector string       `yaml:"connector,omitempty" json:"connector,omitempty"`    // coupling at both ends: "uqd08"
	// Lengths are stocked, ascending. MadeToMeasure, if set, allows any length up to it, rounded up to Step (a whole
	// metre when left out).
	Lengths       []units.Length `yaml:"lengths,omitempty" json:"lengths,omitempty"`
	MadeToMeasure units.Length   `yaml:"made_to_measure,omitempty" json:"made_to_measure,omitempty"`
	Step          units.Length   `yaml:"step,omitempty" json:"step,omitempty"`
	Bend          units.Length   `yaml:"bend,omitempty" json:"bend,omitempty" most:"100"` // least bend radius
}

// OutletGroup is a run of equal outlets.
type OutletGroup struct {
	// Type is that of IEC 60320 (c13, c19), c39 for an outlet that takes the plugs of both, or busbar.
	Type  string `yaml:"type" json:"type"`
	Count int    `yaml:"count,omitempty" json:"count,omitempty" jsonschema:"minimum=1" most:"1000"` // 1 when left out
	// Phase is that of all of them, from 1; left out, outlets take the phases in turn.
	Phase int `yaml:"phase,omitempty" json:"phase,omitempty" jsonschema:"minimum=1,maximum=3"`
}

// IsDelta reports whether outlets are between two phases.
func (s *Supply) IsDelta() bool {
	return s.Phases == 3 && (s.Wiring == Delta || s.Wiring == "" && s.Volts > 0 && s.Volts <= 240)
}

// HasBar reports whether the supply feeds the busbar of its rack.
func (s *Supply) HasBar() bool {
	return slices.ContainsFunc(s.Outlets, func(g OutletGroup) bool { return g.Type == Busbar })
}

// Draws returns what the supply draws to give so much power.
func (s *Supply) Draws(given units.Power) units.Power {
	if s.Efficiency == 0 {
		return given
	}
	return given / units.Power(s.Efficiency/100)
}

// Gives is the inverse of Draws.
func (s *Supply) Gives(drawn units.Power) units.Power {
	if s.Efficiency == 0 {
		return drawn
	}
	return drawn * units.Power(s.Efficiency/100)
}

// OutletVolts is the voltage at an outlet, 0 where it is not known.
func (s *Supply) OutletVolts() units.Voltage {
	if s.Phases == 3 && !s.IsDelta() {
		return units.Voltage(float64(s.Volts) / math.Sqrt(3))
	}
	return s.Volts
}

// OutletMostVolts is the most voltage that an outlet of a type is made for: 250 V for those of IEC 60320, by the scope
// of its part 1; 0 where it is not known, as of a busbar.
func OutletMostVolts(outlet string) units.Voltage {
	if outletPattern.MatchString(outlet) {
		return 250
	}
	return 0
}

// OverVolts lists the types of outlets whose voltage is above what they are made for, in the order of outlets.
func (s *Supply) OverVolts() (out []string) {
	for i := range s.Outlets {
		kind := s.Outlets[i].Type
		if most := OutletMostVolts(kind); most > 0 && s.OutletVolts() > most+1e-6 && !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

// OverVoltsHelp says how a supply on more than 250 V is stated.
const OverVoltsHelp = "write phases: 3 for outlets between a phase and neutral, or the volts of the one phase that " +
	"the supply is on, such as 240 V of 415 V"

// OverVoltsText says what is wrong with outlets of the types that OverVolts lists.
func (s *Supply) OverVoltsText(types []string) string {
	return fmt.Sprintf("outlets of type %s are made for at most %v, and have %v", english.List(types),
		OutletMostVolts(types[0]), units.Voltage(math.Round(float64(s.OutletVolts()))))
}

// OnFeed returns the voltage of the supply on a feed of so many volts, of three phases that between two of them: that
// of the feed, unless the supply states one phase and about the voltage between it and neutral. A feed of 0 V states
// none.
func (s *Supply) OnFeed(volts units.Voltage) units.Voltage {
	neutral := float64(volts) / math.Sqrt(3)
	if volts == 0 || s.Phases < 3 && s.Volts > 0 && math.Abs(float64(s.Volts)-neutral) <= 0.1*neutral {
		return s.Volts
	}
	return volts
}

// InletCount is the number of power inlets of the part.
func (p *Part) InletCount() int {
	n := 0
	for _, count := range p.Inlets {
		n += count
	}
	return n
}

// InletTypes lists the type of every power inlet, in the order of types.
func (p *Part) InletTypes() []string {
	var out []string
	for _, t := range slices.Sorted(maps.Keys(p.Inlets)) {
		out = append(out, slices.Repeat([]string{t}, p.Inlets[t])...)
	}
	return out
}

// Outlets lists the types of outlets that a cord leads to from an inlet of a type, those for this cord alone first.
// Cords to the inlets for up to 10 A have a C14 plug, those to larger ones a C20 plug; an outlet of type C39 takes
// both.
func Outlets(inlet string) []string {
	switch inlet {
	case Busbar:
		return []string{Busbar}
	case "c6", "c8", "c14", "c16", "c18":
		return []string{"c13", "c39"}
	case "c20", "c22":
		return []string{"c19", "c39"}
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(inlet, "c")); err == nil && n > 0 {
		return []string{fmt.Sprintf("c%d", n-1)}
	}
	return nil
}

// InletRating is the most current that an inlet of a type takes by IEC 60320; 0 where none is known.
func InletRating(inlet string) units.Current {
	switch inlet {
	case "c6", "c8":
		return 2.5
	case "c14", "c16", "c18":
		return 10
	case "c20", "c22":
		return 16
	}
	return 0
}

var redundancyPattern = lazyregexp.New(`^(N|2N|N\+[1-9][0-9]?)$`)

// checkRedundancy checks what is said of inlets that a box can lose.
func (k *checker) checkRedundancy(p *Part) {
	if p.Redundancy == "" {
		return
	}
	inlets := p.InletCount()
	switch {
	case !redundancyPattern.MatchString(string(p.Redundancy)):
		k.fault("redundancy", "%q is not a redundancy of inlets\nwrite N, N+1 or 2N", p.Redundancy)
	case inlets == 0:
		k.fault("redundancy", "the part states no inlets\nwrite them, such as inlets: {c14: 2}")
	case p.Redundancy == "2N" && inlets%2 != 0:
		k.fault("redundancy", "2N are two equal halves, and there are %d inlets", inlets)
	default:
		if _, ok := p.Redundancy.Spare(inlets); !ok {
			k.fault("redundancy", "%s takes more than the %d inlets that there are", p.Redundancy, inlets)
		}
	}
}

// checkCooling checks what a coolant distribution unit takes.
func (k *checker) checkCooling(p *Part) {
	c := p.Cooling
	if c == nil {
		return
	}
	if p.Kind != KindNode {
		k.fault("cooling", "does not belong to a part of kind %q\nwrite kind: node", p.Kind)
	}
	positive(k, "cooling.capacity", c.Capacity)
	notNegative(k, "cooling.flow", c.Flow)
}

// checkHose checks a hose for coolant.
func (k *checker) checkHose(h *Hose) {
	notNegative(k, "hose.inside", h.Inside)
	notNegative(k, "hose.bend", h.Bend)
	if h.Inside == 0 && h.Connector == "" {
		k.fault("hose.inside", "neither the inside diameter nor the connector is stated\n"+
			"write one, such as inside: 25 mm or connector: uqd08")
	}
	k.checkLengths("hose", Lengths{h.Lengths, h.MadeToMeasure, h.Step})
}

// checkSupply checks what a power distribution unit or a power shelf gives.
func (k *checker) checkSupply(p *Part) {
	s := p.Supply
	if s == nil {
		return
	}
	if p.Kind != KindNode {
		k.fault("supply", "does not belong to a part of kind %q\nwrite kind: node", p.Kind)
	}
	notNegative(k, "supply.volts", s.Volts)
	notNegative(k, "supply.breaker", s.Breaker)
	notNegative(k, "supply.power", s.Power)
	if notNegative(k, "supply.efficiency", s.Efficiency); s.Efficiency > 100 {
		k.fault("supply.efficiency", "no supply gives more than the 100 %% that it draws")
	}
	if s.Phases != 0 && s.Phases != 1 && s.Phases != 3 {
		k.fault("supply.phases", "%d phases\nwrite 1 or 3", s.Phases)
	}
	if s.Wiring != "" {
		word(k, "supply.wiring", s.Wiring, []Wiring{Wye, Delta})
		if s.Phases != 3 {
			k.fault("supply.wiring", "is for three phases\nremove it, or write phases: 3")
		}
	}
	if len(s.Outlets) == 0 {
		k.fault("supply.outlets", "missing\nwrite them, such as outlets: [{type: c13, count: 24}]")
	}
	for i := range s.Outlets {
		g, at := &s.Outlets[i], diag.Elem("supply.outlets", i)
		switch {
		case g.Type != Busbar && !outletPattern.MatchString(g.Type):
			k.fault(at+".type", "%q is not a type of outlet\nwrite one of IEC 60320, such as c13 or c19, or c39 or %s",
				g.Type, Busbar)
		case g.Type == Busbar && (g.Phase != 0 || s.HasBar() && len(s.Outlets) > 1 || g.Count > 1):
			k.fault(at, "a supply of the busbar has it as its only outlet, on all phases")
		case g.Count < 0:
			k.fault(at+".count", "%d outlets", g.Count)
		case g.Phase < 0 || g.Phase > max(s.Phases, 1):
			k.fault(at+".phase", "there is no phase %d: the supply has %d", g.Phase, max(s.Phases, 1))
		}
	}
	if over := s.OverVolts(); over != nil {
		k.fault("supply.volts", "%s\n%s", s.OverVoltsText(over), OverVoltsHelp)
	}
}
