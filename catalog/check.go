package catalog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/units"
)

// Fault is one mistake in a catalog: a diag.FieldError, whose path begins at the
// part or price set.
type Fault struct {
	diag.FieldError
	Part string // id of the faulty part; empty if the fault is in a price set
	Set  string // name of the faulty price set; empty if the fault is in a part
	nth  int    // which of several parts of the same id, or sets of the same name, from 0
}

// usedTwice is what is wrong with an id that another part has already.
const usedTwice = "used twice"

// Repeats reports whether the mistake is that another part or price set has the id or
// name already.
func (f *Fault) Repeats() bool { return f.Message == usedTwice }

// nameless stands for the name of a price set without one.
const nameless = "?"

// Unwrap returns the mistake in the field.
func (f *Fault) Unwrap() error { return &f.FieldError }

// Check returns everything that is wrong with the catalog, each as a *Fault:
// duplicate ids, unknown words, figures that cannot be, parts that fit nothing,
// prices for parts that do not exist or that fall with length, and figures
// without a source or a confidence. A catalog made by New has no faults.
func (c *Catalog) Check() []error { return c.check(c.parts) }

// check is Check where the other parts than those that are new were checked before: the names of their ports, most of
// the work, depend on nothing else.
func (c *Catalog) check(fresh []Part) []error {
	k := checker{catalog: c, fresh: make(map[string]bool, len(fresh))}
	for i := range fresh {
		k.fresh[fresh[i].ID] = true
	}
	for i := range c.parts {
		p := &c.parts[i]
		k.at(i)
		if !idPattern.MatchString(p.ID) {
			k.fault("id", "an id is a word of up to 100 letters, digits and . _ + - that begins with a letter or digit")
		} else if i > 0 && c.parts[i-1].ID == p.ID {
			k.fault("id", usedTwice)
		}
		k.checkPart(p)
	}
	for i := range c.sets {
		s := &c.sets[i]
		k.part, k.set, k.nth = "", s.Name, 0
		for j := i; j > 0 && c.sets[j-1].Name == s.Name; j-- {
			k.nth++
		}
		if s.Name == "" {
			k.set = nameless
			k.fault("name", "missing")
		} else if i > 0 && c.sets[i-1].Name == s.Name {
			k.fault("name", usedTwice)
		}
		k.checkSet(s)
	}
	return k.faults
}

// checker collects the faults of a catalog; part or set is what it looks at.
type checker struct {
	catalog   *Catalog
	fresh     map[string]bool // parts that nobody has checked, by id
	part, set string
	nth       int
	faults    []error
}

// at looks at the part of an index, one after the other.
func (k *checker) at(i int) {
	parts := k.catalog.parts
	k.part, k.set = parts[i].ID, ""
	if k.nth++; i == 0 || parts[i-1].ID != parts[i].ID {
		k.nth = 0
	}
}

func (k *checker) fault(field, format string, args ...any) {
	f := &Fault{FieldError: *diag.Fieldf(field, format, args...), Part: k.part, Set: k.set, nth: k.nth}
	f.Subject = fmt.Sprintf("part %q", f.Part)
	if f.Set != "" {
		f.Subject = fmt.Sprintf("price set %q", f.Set)
	}
	k.faults = append(k.faults, f)
}

// figure is any quantity of the units package, or a bare number.
type figure interface{ ~float64 | ~int }

func finite[T figure](v T) bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }

// positive faults a figure that must be stated and greater than nothing.
func positive[T figure](k *checker, field string, v T) {
	if !finite(v) || v <= 0 {
		k.fault(field, "must be stated and greater than 0")
	}
}

// notNegative faults a figure that may be left out but not be below nothing.
func notNegative[T figure](k *checker, field string, v T) {
	if !finite(v) || v < 0 {
		k.fault(field, "must not be negative or infinite")
	}
}

// word faults a word that is not among the known ones, with a suggestion.
func word[T ~string](k *checker, field string, w T, known []T) {
	if slices.Contains(known, w) {
		return
	}
	var names []string
	for _, n := range known {
		names = append(names, string(n))
	}
	if w == "" {
		k.fault(field, "missing (one of %s)", strings.Join(names, ", "))
	} else if near := diag.Suggest(string(w), names, ""); near != "" {
		k.fault(field, "%q is unknown\n%s", w, near)
	} else {
		k.fault(field, "%q is unknown (one of %s)", w, strings.Join(names, ", "))
	}
}

var (
	fibreMedia = []Medium{Multimode, SingleMode}
	// figures are the keys of a part that Estimated may name.
	figures = []string{
		"units", "width", "depth", "height", "power", "weight", "inlets", "redundancy", "supply",
		"ports", "names", "hop", "section",
		"connector", "rate", "links", "far", "legs", "lengths", "made_to_measure", "diameter", "bend",
		"propagation", "end", "reach", "attenuation", "loss", "base", "inside",
	}
)

// idPattern keeps ids out of the way of formulas, patterns and separators.
var idPattern = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$`)

func (k *checker) checkPart(p *Part) {
	word(k, "kind", p.Kind, Kinds)
	word(k, "confidence", p.Confidence, confidences)
	if p.Source == "" {
		k.fault("source", "missing")
	}
	for _, name := range p.Estimated {
		word(k, "estimated", name, figures)
	}
	notNegative(k, "units", p.Units)
	notNegative(k, "pack", p.Pack)
	notNegative(k, "lead_time", p.Lead)
	known := slices.Contains(Kinds, p.Kind) // else nothing is said of what only some kinds have
	if known {
		k.checkInlets(p)
	}
	if p.Lasers != 0 && !slices.ContainsFunc(p.Ports, func(g PortGroup) bool { return g.Optic != nil }) {
		k.fault("lasers", "only a box with optics inside has laser modules")
	}
	notNegative(k, "lasers", p.Lasers)
	k.checkRedundancy(p)
	if known {
		k.checkSupply(p)
		k.checkCooling(p)
	}
	k.checkRates(p)
	notNegative(k, "width", p.Width)
	notNegative(k, "depth", p.Depth)
	notNegative(k, "height", p.Height)
	notNegative(k, "power", p.Power)
	k.checkPowers("", p.Power, &p.Powers)
	if known {
		k.checkLiquid(p)
	}
	notNegative(k, "weight", p.Weight)
	notNegative(k, "hop", p.Hop)
	notNegative(k, "section", p.Section)
	if known {
		k.checkBlocks(p)
	}
	switch p.Kind {
	case KindNode, KindSwitch:
		if p.Units == 0 && p.Height == 0 && !p.ZeroU {
			k.fault("units", "a box needs units or a height\nwrite units, or height")
		}
	case KindRack:
		positive(k, "units", p.Units)
		k.checkRackHeight(p)
	case KindTray:
		positive(k, "section", p.Section)
	}
	// A node without ports is a box that no network joins, such as a plain power distribution unit or a shelf.
	if len(p.Ports) == 0 && (p.Kind == KindSwitch || p.Kind == KindAdapter) {
		k.fault("ports", "missing")
	}
	switch {
	case p.ZeroU && p.Kind != KindNode && known:
		k.fault("zero_u", "only a node stands beside the units of a rack")
	case p.ZeroU && p.Units > 0:
		k.fault("zero_u", "a part of %d units takes them\nleave out units or zero_u", p.Units)
	}
	for i := range p.Ports {
		k.checkPorts(fmt.Sprintf("ports[%d]", i), &p.Ports[i])
	}
	if k.fresh[p.ID] {
		k.checkIdentities(p)
	}
	if p.Adapter != "" && known {
		k.checkAdapter(p)
	}
	if p.Cable != nil {
		k.checkCable(p.Cable)
	}
	if p.Optic != nil {
		k.checkOptic(p.Optic)
	}
	if p.Panel != nil {
		k.checkPanel(p.Panel)
	}
	if p.Hose != nil {
		k.checkHose(p.Hose)
	}
	if p.Rack != nil {
		notNegative(k, "rack.power", p.Rack.Power)
		notNegative(k, "rack.weight", p.Rack.Weight)
		notNegative(k, "rack.base", p.Rack.Base)
		if b := p.Rack.Busbar; b != nil {
			positive(k, "rack.busbar.amperes", b.Amperes)
			positive(k, "rack.busbar.volts", b.Volts)
			notNegative(k, "rack.busbar.bars", b.Bars)
		}
		for i := range p.Rack.Openings {
			o, at := &p.Rack.Openings[i], diag.Elem("rack.openings", i)
			positive(k, at+".width", o.Width)
			positive(k, at+".depth", o.Depth)
			notNegative(k, at+".count", o.Count)
			notNegative(k, at+".fill", o.Fill)
			notNegative(k, at+".bend", o.Bend)
			if o.Fill > 100 {
				k.fault(at+".fill", "cables cannot take more than 100 %%")
			}
			word(k, at+".at", o.At, openingsAt)
			if p.Width > 0 && o.Width > p.Width {
				k.fault(at+".width", "%v m is more than the rack is wide, %v m", o.Width.Number(), p.Width.Number())
			}
			if p.Depth > 0 && o.Depth > p.Depth {
				k.fault(at+".depth", "%v m is more than the rack is deep, %v m", o.Depth.Number(), p.Depth.Number())
			}
		}
	}
}

// checkInlets checks the power inlets of a box.
func (k *checker) checkInlets(p *Part) {
	for _, inlet := range slices.Sorted(maps.Keys(p.Inlets)) {
		switch at := diag.OfKey("inlets", inlet); {
		case p.Kind != KindNode && p.Kind != KindSwitch:
			k.fault(at, "only a box has power inlets")
		case inlet != "c39" && outletPattern.MatchString(inlet):
			n, _ := strconv.Atoi(inlet[1:])
			k.fault(at, "%q is not a type of inlet but of the outlets for it\nthe inlet of such a box is a c%d", inlet,
				n+1)
		case inlet != Busbar && !inletPattern.MatchString(inlet):
			k.fault(at, "%q is not a type of inlet\nwrite one of IEC 60320, such as c14 or c20, or %s", inlet, Busbar)
		case p.Inlets[inlet] < 1:
			k.fault(diag.Key("inlets", inlet), "%d inlets", p.Inlets[inlet])
		}
	}
}

// checkRackHeight checks that a rack is tall enough for its units.
func (k *checker) checkRackHeight(p *Part) {
	need := units.Length(p.Units) * units.RackUnit
	if p.Rack != nil {
		need += p.Rack.Base
	}
	if p.Height > 0 && p.Height+lengthTolerance < need {
		k.fault("height", "%v is too low for %d units, which end at %v", p.Height, p.Units, need)
	}
}

// checkBlocks checks that a part has the block of its kind and no other.
func (k *checker) checkBlocks(p *Part) {
	for _, block := range []struct {
		kind    Kind
		key     string
		present bool
	}{
		{KindCable, "cable", p.Cable != nil},
		{KindOptic, "optic", p.Optic != nil},
		{KindPanel, "panel", p.Panel != nil},
		{KindHose, "hose", p.Hose != nil},
	} {
		if block.present && p.Kind != block.kind {
			k.fault(block.key, "does not belong to a part of kind %q", p.Kind)
		}
		if !block.present && p.Kind == block.kind {
			k.fault(block.key, "missing")
		}
	}
	if p.Rack != nil && p.Kind != KindRack {
		k.fault("rack", "does not belong to a part of kind %q", p.Kind)
	}
}

// mostPorts bounds the ports of one group, so that sums of ports stay small.
const mostPorts = 1 << 16

func (k *checker) checkPorts(at string, g *PortGroup) {
	positive(k, at+".count", g.Count)
	if g.Count > mostPorts {
		k.fault(at+".count", "%d ports are more than any box has (%d)", g.Count, mostPorts)
	}
	positive(k, at+".rate", g.Rate)
	notNegative(k, at+".first", g.First)
	notNegative(k, at+".rows", g.Rows)
	notNegative(k, at+".per_cage", g.PerCage)
	if g.Connector == "" {
		k.fault(at+".connector", "missing")
	}
	if g.Optic != nil {
		k.checkPortOptic(at+".optic", g)
	}
	if g.PerCage > 1 && g.Count%g.PerCage != 0 {
		k.fault(at+".per_cage", "%d ports do not fill cages of %d", g.Count, g.PerCage)
	}
	if g.Face != "" {
		word(k, at+".face", g.Face, []Face{Front, Rear})
	}
	k.checkPortNames(at, g)
	if len(g.At) > 0 && len(g.At) != g.Count {
		k.fault(at+".at", "%d places for %d ports", len(g.At), g.Count)
	}
	for i, p := range g.At {
		if len(p) != 2 || !finite(p[0]) || !finite(p[1]) {
			k.fault(fmt.Sprintf("%s.at[%d]", at, i), "a place is two lengths: [across, up]")
		}
	}
}

// checkAdapter checks that a node's ports are those of a number of its adapters.
func (k *checker) checkAdapter(p *Part) {
	a := k.catalog.Part(p.Adapter)
	switch {
	case p.Kind != KindNode:
		k.fault("adapter", "only a node has an adapter")
	case a == nil || a.Kind != KindAdapter:
		k.fault("adapter", "there is no adapter %q\n%s", p.Adapter, k.catalog.Suggest(p.Adapter, KindAdapter))
	case a.PortCount() > 0 && p.PortCount()%a.PortCount() != 0:
		k.fault("adapter", "%d ports are not a whole number of %q with %d", p.PortCount(), a.ID, a.PortCount())
	default:
		for i, g := range p.Ports {
			if g.Connector != "" && g.Rate > 0 && !slices.ContainsFunc(a.Ports,
				func(h PortGroup) bool { return h.Connector == g.Connector && h.Rate == g.Rate }) {
				k.fault("adapter", "%q has no port like ports[%d]: %s at %v", a.ID, i, g.Connector, g.Rate)
			}
		}
	}
}
