package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"plenum/units"
)

// Fault is one mistake in a catalog: what it concerns and what is wrong with it.
type Fault struct {
	Part  string // id of the faulty part; empty if the fault is in a price set
	Set   string // name of the faulty price set; empty if the fault is in a part
	Field string // path of the key from the part or set on: "cable.lengths"
	Text  string // what is wrong
}

// Error implements error: `part "x": cable.lengths: ...`.
func (f *Fault) Error() string {
	subject := fmt.Sprintf("part %q", f.Part)
	if f.Set != "" {
		subject = fmt.Sprintf("price set %q", f.Set)
	}
	return fmt.Sprintf("%s: %s: %s", subject, f.Field, f.Text)
}

// Check returns everything that is wrong with the catalog, each as a *Fault:
// duplicate ids, unknown words, figures that cannot be, parts that fit nothing,
// prices for parts that do not exist or that fall with length, and figures
// without a source or a confidence. A catalog made by New has no faults.
func (c *Catalog) Check() []error {
	k := checker{catalog: c}
	for i := range c.parts {
		p := &c.parts[i]
		k.part, k.set = p.ID, ""
		if !idPattern.MatchString(p.ID) {
			k.fault("id", "an id is a word of letters, digits and . _ + - that begins with a letter or digit")
		} else if i > 0 && c.parts[i-1].ID == p.ID {
			k.fault("id", "used twice")
		}
		k.checkPart(p)
	}
	for i := range c.sets {
		s := &c.sets[i]
		k.part, k.set = "", s.Name
		if s.Name == "" {
			k.set = "?"
			k.fault("name", "missing")
		} else if i > 0 && c.sets[i-1].Name == s.Name {
			k.fault("name", "used twice")
		}
		k.checkSet(s)
	}
	return k.faults
}

// checker collects the faults of a catalog; part or set is what it looks at.
type checker struct {
	catalog   *Catalog
	part, set string
	faults    []error
}

func (k *checker) fault(field, format string, args ...any) {
	k.faults = append(k.faults, &Fault{Part: k.part, Set: k.set, Field: field, Text: fmt.Sprintf(format, args...)})
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
	} else if near, ok := Closest(string(w), names); ok {
		k.fault(field, "%q is unknown; did you mean %q?", w, near)
	} else {
		k.fault(field, "%q is unknown (one of %s)", w, strings.Join(names, ", "))
	}
}

var (
	confidences = []Confidence{Datasheet, Paper, Derived, Estimate, User}
	fibreMedia  = []Medium{Multimode, SingleMode}
	// figures are the keys of a part that Estimated may name.
	figures = []string{
		"units", "width", "depth", "height", "power", "weight", "ports", "hop", "section",
		"lengths", "made_to_measure", "diameter", "bend", "propagation", "end", "reach", "base",
	}
)

// idPattern keeps ids out of the way of formulas, patterns and separators.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$`)

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
	notNegative(k, "width", p.Width)
	notNegative(k, "depth", p.Depth)
	notNegative(k, "height", p.Height)
	notNegative(k, "power", p.Power)
	notNegative(k, "weight", p.Weight)
	notNegative(k, "hop", p.Hop)
	notNegative(k, "section", p.Section)
	k.checkBlocks(p)
	switch p.Kind {
	case KindNode, KindSwitch:
		if p.Units == 0 && p.Height == 0 {
			k.fault("units", "a box needs units or a height")
		}
		fallthrough
	case KindAdapter:
		if len(p.Ports) == 0 {
			k.fault("ports", "missing")
		}
	case KindRack:
		positive(k, "units", p.Units)
		k.checkRackHeight(p)
	case KindTray:
		positive(k, "section", p.Section)
	}
	for i := range p.Ports {
		k.checkPorts(fmt.Sprintf("ports[%d]", i), &p.Ports[i])
	}
	if p.Adapter != "" {
		k.checkAdapter(p)
	}
	if p.Cable != nil {
		k.checkCable(p.Cable)
	}
	if p.Optic != nil {
		k.checkOptic(p.Optic)
	}
	if p.Rack != nil {
		notNegative(k, "rack.power", p.Rack.Power)
		notNegative(k, "rack.weight", p.Rack.Weight)
		notNegative(k, "rack.base", p.Rack.Base)
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
	if g.PerCage > 1 && g.Count%g.PerCage != 0 {
		k.fault(at+".per_cage", "%d ports do not fill cages of %d", g.Count, g.PerCage)
	}
	if g.Face != "" {
		word(k, at+".face", g.Face, []Face{Front, Rear})
	}
}

// checkAdapter checks that a node's ports are those of a number of its adapters.
func (k *checker) checkAdapter(p *Part) {
	a := k.catalog.Part(p.Adapter)
	switch {
	case p.Kind != KindNode:
		k.fault("adapter", "only a node has an adapter")
	case a == nil || a.Kind != KindAdapter:
		near := k.catalog.Nearest(p.Adapter, KindAdapter)
		if near != "" {
			k.fault("adapter", "there is no adapter %q; did you mean %q?", p.Adapter, near)
		} else {
			k.fault("adapter", "there is no adapter %q", p.Adapter)
		}
	case a.PortCount() > 0 && p.PortCount()%a.PortCount() != 0:
		k.fault("adapter", "%d ports are no whole number of %q with %d", p.PortCount(), a.ID, a.PortCount())
	default:
		for i, g := range p.Ports {
			if !slices.ContainsFunc(a.Ports, func(h PortGroup) bool { return h.Connector == g.Connector && h.Rate == g.Rate }) {
				k.fault("adapter", "%q has no port like ports[%d]: %s at %v", a.ID, i, g.Connector, g.Rate)
			}
		}
	}
}

// mostSteps is the most lengths that a family made to measure may come in.
const mostSteps = 4096

func (k *checker) checkCable(c *Cable) {
	word(k, "cable.medium", c.Medium, Media)
	if c.Medium.Fibre() {
		notNegative(k, "cable.rate", c.Rate)
	} else {
		positive(k, "cable.rate", c.Rate)
	}
	step := c.Step
	if step == 0 {
		step = 1
	}
	if c.MadeToMeasure/step > mostSteps {
		k.fault("cable.step", "more than %d lengths up to %v", mostSteps, c.MadeToMeasure)
	}
	if len(c.Lengths) == 0 && c.MadeToMeasure == 0 {
		k.fault("cable.lengths", "neither lengths nor made_to_measure is stated")
	}
	for i, l := range c.Lengths {
		if !finite(l) || l <= 0 {
			k.fault("cable.lengths", "%v is no length of a cable", l)
		} else if i > 0 && l <= c.Lengths[i-1] {
			k.fault("cable.lengths", "%v stands after %v: lengths must ascend", l, c.Lengths[i-1])
		}
	}
	notNegative(k, "cable.made_to_measure", c.MadeToMeasure)
	notNegative(k, "cable.step", c.Step)
	positive(k, "cable.propagation", c.Propagation)
	notNegative(k, "cable.diameter", c.Diameter)
	notNegative(k, "cable.bend", c.Bend)
	notNegative(k, "cable.end", c.End)
	if !k.used(c) {
		k.fault("cable.connector", "no port or optic takes %q", c.Connector)
	}
}

// used tells whether some part takes the cable's plugs.
func (k *checker) used(c *Cable) bool {
	return slices.ContainsFunc(k.catalog.parts, func(p Part) bool {
		if c.Medium.Fibre() {
			return p.Optic != nil && p.Optic.Plug == c.Connector && p.Optic.Fibre == c.Medium
		}
		return p.hasPort(c.Connector)
	})
}

func (p *Part) hasPort(connector string) bool {
	return slices.ContainsFunc(p.Ports, func(g PortGroup) bool { return g.Connector == connector })
}

func (k *checker) checkOptic(o *Optic) {
	word(k, "optic.fibre", o.Fibre, fibreMedia)
	positive(k, "optic.rate", o.Rate)
	positive(k, "optic.reach", o.Reach)
	notNegative(k, "optic.ports", o.Ports)
	notNegative(k, "optic.end", o.End)
	if o.Standard == "" {
		k.fault("optic.standard", "missing")
	}
	if !slices.ContainsFunc(k.catalog.parts, func(p Part) bool { return p.hasPort(o.Form) }) {
		k.fault("optic.form", "no port takes %q", o.Form)
	}
	if len(k.catalog.Fibres(o.Plug, o.Fibre)) == 0 {
		k.fault("optic.plug", "no %s cable ends in %q", o.Fibre, o.Plug)
	}
}

func (k *checker) checkSet(s *PriceSet) {
	if len(s.Currency) != 3 || strings.ToUpper(s.Currency) != s.Currency {
		k.fault("currency", "%q is no ISO 4217 code", s.Currency)
	}
	if s.Date == "" {
		k.fault("date", "missing")
	}
	if s.Source == "" {
		k.fault("source", "missing")
	}
	if s.Confidence != "" {
		word(k, "confidence", s.Confidence, confidences)
	}
	seen := make(map[string]bool)
	for i := range s.Prices {
		p := &s.Prices[i]
		at := fmt.Sprintf("prices[%d]", i)
		if seen[p.Part] {
			k.fault(at+".part", "%q is priced twice", p.Part)
		}
		seen[p.Part] = true
		k.checkPrice(at, p, s)
	}
	k.checkLabour(s)
}

func (k *checker) checkLabour(s *PriceSet) {
	l := s.Labour
	if l == (LabourRates{}) {
		return
	}
	notNegative(k, "labour.in_rack", l.InRack.Float())
	notNegative(k, "labour.between_racks", l.BetweenRacks.Float())
	if l.Source == "" {
		k.fault("labour.source", "missing")
	}
	word(k, "labour.confidence", l.Confidence, confidences)
}

func (k *checker) checkPrice(at string, p *Price, s *PriceSet) {
	if p.Part == "" || strings.Contains(strings.TrimSuffix(p.Part, "*"), "*") {
		k.fault(at+".part", "must be an id, or the beginning of one and a *")
	} else if !strings.HasSuffix(p.Part, "*") && k.catalog.Part(p.Part) == nil {
		if near := k.catalog.Nearest(p.Part, ""); near != "" {
			k.fault(at+".part", "there is no part %q; did you mean %q?", p.Part, near)
		} else {
			k.fault(at+".part", "there is no part %q", p.Part)
		}
	}
	if p.Confidence != "" || s.Confidence == "" {
		word(k, at+".confidence", p.Confidence, confidences)
	}
	notNegative(k, at+".per_metre", p.PerMetre)
	notNegative(k, at+".per_port", p.PerPort)
	if p.PerPort == 0 || !finite(p.Unit) {
		notNegative(k, at+".unit", p.Unit)
	}
	plain := p.Unit != 0 || p.PerMetre != 0 || p.PerPort != 0
	if !plain && len(p.ByLength) == 0 {
		k.fault(at, "states no price for %q", p.Part)
	}
	if plain && len(p.ByLength) > 0 {
		k.fault(at+".by_length", "stands beside unit, per_metre or per_port")
	}
	k.checkByLength(at+".by_length", p.ByLength)
}

// checkByLength checks that a table can be read and that longer cables cost no
// less than shorter ones.
func (k *checker) checkByLength(at string, table map[string]float64) {
	type row struct {
		length units.Length
		amount float64
	}
	var rows []row
	for _, text := range slices.Sorted(maps.Keys(table)) {
		l, err := units.ParseLength(text)
		switch amount := table[text]; {
		case err != nil:
			k.fault(at, "%v", err)
		case !finite(l) || l <= 0:
			k.fault(at, "%q is no length of a cable", text)
		case !finite(amount) || amount <= 0:
			k.fault(at, "the price at %q must be greater than 0", text)
		default:
			rows = append(rows, row{l, amount})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.length, b.length) })
	for i := 1; i < len(rows); i++ {
		switch short, long := rows[i-1], rows[i]; {
		case long.length-short.length <= lengthTolerance:
			k.fault(at, "%v is priced twice", long.length)
		case long.amount < short.amount:
			k.fault(at, "%v costs less than %v", long.length, short.length)
		}
	}
}
