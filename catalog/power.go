package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// PowerBasis is the load for which a figure of power holds.
type PowerBasis string

// The bases, of which each is at least as much as the one before.
const (
	TypicalPower PowerBasis = "typical" // the draw in usual operation
	DesignPower  PowerBasis = "design"  // the draw that the maker says to plan for, such as a thermal design power
	PeakPower    PowerBasis = "peak"    // the most that it draws
)

// PowerBases lists the bases, the least first.
var PowerBases = []PowerBasis{TypicalPower, DesignPower, PeakPower}

// Words lists the bases.
func (PowerBasis) Words() []string { return words(PowerBases) }

// Powers are the figures of power that are published of a part, by basis. 0 means that none is known.
type Powers struct {
	// Typical is the draw in usual operation.
	Typical units.Power `yaml:"typical,omitempty" json:"typical,omitempty"`
	// Design is the draw that the maker says to plan for, such as a thermal design power.
	Design units.Power `yaml:"design,omitempty" json:"design,omitempty"`
	// Peak is the most that the part draws.
	Peak units.Power `yaml:"peak,omitempty" json:"peak,omitempty"`
}

// list returns the figures in the order of PowerBases.
func (w *Powers) list() []units.Power { return []units.Power{w.Typical, w.Design, w.Peak} }

// on returns the figure on a basis and the basis that it is on. Where there is none, that is the figure of the nearest
// higher basis, else of the nearest lower one, else given, whose basis is not known.
func (w *Powers) on(basis PowerBasis, given units.Power) (units.Power, PowerBasis) {
	figures, at := w.list(), max(slices.Index(PowerBases, basis), 0)
	for i := at; i < len(figures); i++ {
		if figures[i] > 0 {
			return figures[i], PowerBases[i]
		}
	}
	for i := at - 1; i >= 0; i-- {
		if figures[i] > 0 {
			return figures[i], PowerBases[i]
		}
	}
	return given, ""
}

// PowerOn returns the draw of a part on a basis and the basis of the figure. Where the part states none on that basis,
// the figure is that of the nearest higher basis, else of the nearest lower one, else Power, whose basis is not stated
// ("").
func (p *Part) PowerOn(basis PowerBasis) (units.Power, PowerBasis) {
	return p.Powers.on(basis, p.Power)
}

// FarPowerOn is PowerOn for a plug at the far end of a cable: that of the near end where the far end states no power.
func (p *Part) FarPowerOn(basis PowerBasis) (units.Power, PowerBasis) {
	if p.Cable != nil && p.Cable.Far != nil && p.Cable.Far.Power > 0 {
		return p.Cable.Far.Powers.on(basis, p.Cable.Far.Power)
	}
	return p.PowerOn(basis)
}

// OnBasis returns the catalog with the power of every part, and of the far ends of cables, on a basis: see
// Part.PowerOn. It returns the receiver where basis is empty: Power is planned then.
func (c *Catalog) OnBasis(basis PowerBasis) *Catalog {
	if basis == "" {
		return c
	}
	out := &Catalog{parts: slices.Clone(c.parts), sets: c.sets}
	for i := range out.parts {
		p := &out.parts[i]
		if p.Cable != nil && p.Cable.Far != nil && p.Cable.Far.Power > 0 {
			cable, far := *p.Cable, *p.Cable.Far
			far.Power, _ = p.FarPowerOn(basis)
			cable.Far = &far
			p.Cable = &cable
		}
		p.Power, _ = p.PowerOn(basis)
	}
	return out
}

// Draws reports whether parts of this kind always draw power, so that planning needs to know how much. It is false for
// passive cables, and for enclosures, which may draw some.
func (p *Part) Draws() bool {
	switch p.Kind {
	case KindNode, KindSwitch, KindAdapter, KindOptic:
		return true
	case KindCable:
		return !p.Cable.Medium.Fibre() && p.Cable.Medium != PassiveCopper
	}
	return false
}

// Distributes reports whether the part only passes on the power of other boxes, where it is counted: power shelves and
// power distribution units, with a supply or upright beside the units, where nothing but these and cable managers is
// mounted.
func (p *Part) Distributes() bool { return p.Supply != nil || p.ZeroU }

// LacksPower reports whether parts of this kind draw power and this one does not state how much. What only passes power
// on lacks none.
func (p *Part) LacksPower() bool { return p.Draws() && p.Power == 0 && !p.Distributes() }

// checkLiquid checks the share of the heat of a part that goes to liquid.
func (k *checker) checkLiquid(p *Part) {
	switch {
	case p.Liquid == nil:
	case p.Kind != KindNode && p.Kind != KindSwitch && p.Kind != KindAdapter:
		k.fault("liquid", "only a node, a switch and an adapter state where their heat goes")
	case !(*p.Liquid >= 0 && *p.Liquid <= units.MostPercent):
		k.fault("liquid", "%v is not a share from 0 to 100 %%", *p.Liquid)
	case *p.Liquid > 0 && *p.Liquid < 1:
		k.fault("liquid", "%v is less than a hundredth\nwrite per cent, such as 85 %%", *p.Liquid)
	}
}

// checkPowers checks that the figures by basis agree with each other and with the one that is planned by default.
func (k *checker) checkPowers(at string, given units.Power, w *Powers) {
	figures := w.list()
	var stated []string
	for i, basis := range PowerBases {
		field := at + "powers." + string(basis)
		notNegative(k, field, figures[i])
		if figures[i] == 0 {
			continue
		}
		for j := range i {
			if figures[j] > figures[i] {
				k.fault(field, "%v is less than the %v of %s\ntypical power is at most design power, and that at most "+
					"peak power", figures[i], figures[j], PowerBases[j])
				break
			}
		}
		stated = append(stated, fmt.Sprintf("%v (%s)", figures[i], basis))
	}
	if len(stated) == 0 || slices.Contains(figures, given) && given > 0 {
		return
	}
	one := english.List(stated)
	if len(stated) > 1 {
		one = "one of " + strings.Join(stated, ", ")
	}
	if given == 0 {
		k.fault(at+"powers", "there is no power beside it, which is planned by default\nwrite power, equal to %s", one)
		return
	}
	k.fault(at+"power", "%v is not a figure of powers, so that its basis is not known\nwrite %s, or add it to powers",
		given, one)
}
