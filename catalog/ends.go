package catalog

import (
	"cmp"

	"github.com/plenum-planner/plenum/units"
)

// EndKind is the technology by which an end of a link sends and receives.
type EndKind string

// The kinds of ends. A passive fibre has none: its ends are those of the optics.
const (
	DSP   EndKind = "dsp"    // pluggable optics with a signal processor in both directions
	LRO   EndKind = "lro"    // pluggable optics retimed in one direction only: LRO, TRO
	LPO   EndKind = "lpo"    // linear pluggable optics, without a signal processor
	CPO   EndKind = "cpo"    // optics inside the box, co-packaged
	AOC   EndKind = "aoc"    // optics in the plug of a cable
	AEC   EndKind = "aec"    // copper with retimers in the plugs
	ACC   EndKind = "acc"    // copper with linear amplifiers in the plugs
	DAC   EndKind = "dac"    // passive copper
	BaseT EndKind = "base-t" // twisted pairs
)

// EndKinds lists the kinds of ends.
var EndKinds = []EndKind{DSP, LRO, LPO, CPO, AOC, AEC, ACC, DAC, BaseT}

// Words lists the kinds of ends.
func (EndKind) Words() []string { return words(EndKinds) }

// End is what is known of one end of a link: of a transceiver, of the optics of a port inside a box, or of a plug of a
// cable.
type End struct {
	Kind EndKind `json:"kind"` // empty where the part does not state it
	// Power is the draw; of optics inside a box it is in that of the box, and 0 here.
	Power units.Power `json:"power_w"`
	// Failures and Flaps are how often one fails and loses its link a year; null where no source says it.
	Failures *float64 `json:"failures_per_year"`
	Flaps    *float64 `json:"flaps_per_year"`
	// Source says where the rates are from; empty where none is known.
	Source   string `json:"source"`
	Cleaning bool   `json:"cleaning"` // its end faces are inspected and cleaned before each mating
	Repair   string `json:"repair"`   // what is exchanged when it fails: `transceiver`, `cable`, `box` or a part
}

// rate is a rate a year.
func rate(v float64) *float64 { return &v }

// endFacts are the rates of the kinds of ends for which a source has any. None was found for LRO, AOC, copper and
// twisted pairs.
var endFacts = map[EndKind]End{
	DSP: {
		Failures: rate(0.0022), Flaps: rate(0.14),
		Source: "400G DR4 in service at Alibaba, ECOC 2026: 456 years between returns, 7 between flaps",
	},
	LPO: {
		Failures: rate(0.0024), Flaps: rate(0.06),
		Source: "400G DR4, 13,234 modules in service at Alibaba, ECOC 2026: 420 years between returns, 17 between " +
			"flaps",
	},
	CPO: {
		Failures: rate(0.0034),
		Source:   "Tomahawk 5 Bailly, the vendor's figure: 2.5 to 2.6 million hours between failures; no rate of flaps",
	},
}

// EndOf returns what is known of an end: of a transceiver, of optics inside a box (Part.IsBuiltIn), or of a plug of a
// cable whose ends are its own, with the power of the near one. If the part states Failures or Flaps, both are its own,
// so that the other one is not known; else they are those of its kind.
func EndOf(p *Part) End {
	e := End{Power: p.Power}
	switch {
	case p.Optic != nil:
		e.Kind, e.Cleaning, e.Repair = p.Optic.Kind, true, "transceiver"
		if p.IsBuiltIn() {
			e.Kind, e.Repair = cmp.Or(e.Kind, CPO), "box"
		}
	case p.Cable != nil:
		e.Kind, e.Repair = p.Cable.endKind(), "cable"
	}
	facts := endFacts[e.Kind]
	e.Failures, e.Flaps, e.Source = facts.Failures, facts.Flaps, facts.Source
	if p.Failures != nil || p.Flaps != nil {
		e.Failures, e.Flaps = p.Failures, p.Flaps
		e.Source = p.Source
	}
	return e
}

// endKind is the kind of a plug of a cable: what the part states, else what follows from its medium. Whether active
// copper is retimed does not.
func (c *Cable) endKind() EndKind {
	switch {
	case c.Kind != "":
		return c.Kind
	case c.Medium == PassiveCopper && c.Connector == "rj45":
		return BaseT
	case c.Medium == PassiveCopper:
		return DAC
	case c.Medium == ActiveOptical:
		return AOC
	}
	return ""
}

// checkEnd checks the kind of an end against those that a part may state.
func (k *checker) checkEnd(field string, kind EndKind, may ...EndKind) {
	if kind != "" {
		word(k, field, kind, may)
	}
}

// checkRates checks the rates of an end.
func (k *checker) checkRates(p *Part) {
	for _, r := range []struct {
		key  string
		rate *float64
	}{{"failures", p.Failures}, {"flaps", p.Flaps}} {
		switch {
		case r.rate == nil:
		case p.Optic == nil && (p.Cable == nil || p.Cable.Medium.Fibre()):
			k.fault(r.key, "only a transceiver and a cable with ends of its own have rates")
		default:
			notNegative(k, r.key, *r.rate)
		}
	}
}
