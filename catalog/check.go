package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
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

// nameless stands for the name of a price set without one.
const nameless = "?"

// Unwrap returns the mistake in the field.
func (f *Fault) Unwrap() error { return &f.FieldError }

// Check returns everything that is wrong with the catalog, each as a *Fault:
// duplicate ids, unknown words, figures that cannot be, parts that fit nothing,
// prices for parts that do not exist or that fall with length, and figures
// without a source or a confidence. A catalog made by New has no faults.
func (c *Catalog) Check() []error {
	k := checker{catalog: c}
	for i := range c.parts {
		p := &c.parts[i]
		k.at(i)
		if !idPattern.MatchString(p.ID) {
			k.fault("id", "an id is a word of letters, digits and . _ + - that begins with a letter or digit")
		} else if i > 0 && c.parts[i-1].ID == p.ID {
			k.fault("id", "used twice")
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
	nth       int
	faults    []error
}

// at looks at the part of an index.
func (k *checker) at(i int) {
	parts := k.catalog.parts
	k.part, k.set, k.nth = parts[i].ID, "", 0
	for ; i > 0 && parts[i-1].ID == parts[i].ID; i-- {
		k.nth++
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
		"units", "width", "depth", "height", "power", "weight", "ports", "hop", "section",
		"connector", "rate", "links", "far", "legs", "lengths", "made_to_measure", "diameter", "bend",
		"propagation", "end", "reach", "attenuation", "loss", "base",
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
	if p.Panel != nil {
		k.checkPanel(p.Panel)
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
		{KindPanel, "panel", p.Panel != nil},
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

// checkPortNames checks that the ports of a group have names, and different ones.
func (k *checker) checkPortNames(at string, g *PortGroup) {
	if len(g.Names) > 0 && g.Label != "" {
		k.fault(at+".label", "stands beside names")
	}
	if len(g.Names) > 0 && len(g.Names) != g.Count {
		k.fault(at+".names", "%d names for %d ports", len(g.Names), g.Count)
		return
	}
	if len(g.Names) == 0 && g.Label == "" && g.Split == "" || g.Count > mostPorts {
		return
	}
	names := make([]string, 0, 3*g.Count)
	for i := range g.Count {
		names = append(names, g.PortName(i))
	}
	if g.Split != "" {
		for i := range g.Count {
			names = append(names, g.SplitName(i, 0), g.SplitName(i, 1))
		}
	}
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if !portPattern.MatchString(name) {
			k.fault(at, "%q is no name of a port: letters, digits and . _ + : / -, beginning with a letter or digit",
				name)
			return
		}
		if seen[name] {
			k.fault(at, "two ports are called %q", name)
			return
		}
		seen[name] = true
	}
}

// portPattern keeps names of ports out of the way of formulas and separators.
var portPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+:/-]{0,39}$`)

// checkAdapter checks that a node's ports are those of a number of its adapters.
func (k *checker) checkAdapter(p *Part) {
	a := k.catalog.Part(p.Adapter)
	switch {
	case p.Kind != KindNode:
		k.fault("adapter", "only a node has an adapter")
	case a == nil || a.Kind != KindAdapter:
		k.fault("adapter", "there is no adapter %q\n%s", p.Adapter, k.catalog.Suggest(p.Adapter, KindAdapter))
	case a.PortCount() > 0 && p.PortCount()%a.PortCount() != 0:
		k.fault("adapter", "%d ports are no whole number of %q with %d", p.PortCount(), a.ID, a.PortCount())
	default:
		for i, g := range p.Ports {
			if !slices.ContainsFunc(a.Ports,
				func(h PortGroup) bool { return h.Connector == g.Connector && h.Rate == g.Rate }) {
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
	notNegative(k, "cable.reach", c.Reach)
	positive(k, "cable.propagation", c.Propagation)
	notNegative(k, "cable.diameter", c.Diameter)
	notNegative(k, "cable.bend", c.Bend)
	notNegative(k, "cable.end", c.End)
	notNegative(k, "cable.attenuation", c.Attenuation)
	k.checkReach(c)
	k.checkShape(c)
	if !k.used(c, c.Connector) {
		k.fault("cable.connector", "no port or optic takes %q\n%s", c.Connector, k.nearConnector(c.Connector))
	}
}

// checkReach checks that no length is longer than the signal goes.
func (k *checker) checkReach(c *Cable) {
	if c.Reach <= 0 {
		return
	}
	for _, l := range c.Lengths {
		if l > c.Reach+lengthTolerance {
			k.fault("cable.lengths", "%v is beyond the reach of %v", l, c.Reach)
		}
	}
	if c.MadeToMeasure > c.Reach+lengthTolerance {
		k.fault("cable.made_to_measure", "%v is beyond the reach of %v", c.MadeToMeasure, c.Reach)
	}
}

// mostLinks is the most links that a plug holds, and the most plugs of a trunk.
const mostLinks = 64

// checkShape checks the ends of cables that are not one link between two plugs.
func (k *checker) checkShape(c *Cable) {
	for _, n := range []struct {
		key   string
		value int
	}{{"links", c.Links}, {"legs", c.Legs}, {"far.plugs", c.FarPlugs()}} {
		notNegative(k, "cable."+n.key, n.value)
		if n.value > mostLinks {
			k.fault("cable."+n.key, "%d are more than any cable has (%d)", n.value, mostLinks)
		}
	}
	if c.Far == nil {
		return
	}
	notNegative(k, "cable.far.power", c.Far.Power)
	switch plugs := c.FarPlugs(); {
	case c.Trunk() && plugs > 1:
		k.fault("cable.legs", "a cable is a trunk or a splitter, not both")
	case max(c.Links, 1)%plugs != 0:
		k.fault("cable.far.plugs", "%d plugs do not share %d links evenly", plugs, max(c.Links, 1))
	}
	switch {
	case c.Far.Connector == "":
		k.fault("cable.far.connector", "missing")
	case !k.used(c, c.Far.Connector):
		k.fault("cable.far.connector", "no port or optic takes %q\n%s", c.Far.Connector,
			k.nearConnector(c.Far.Connector))
	}
}

// used tells whether some part takes a plug of the cable.
func (k *checker) used(c *Cable, connector string) bool {
	return slices.ContainsFunc(k.catalog.parts, func(p Part) bool {
		if c.Medium.Fibre() {
			return p.Optic != nil && p.Optic.Plug == connector && p.Optic.Fibre == c.Medium ||
				p.Panel != nil && p.Panel.Connector == connector && p.Panel.Fibre == c.Medium
		}
		return p.hasPort(connector)
	})
}

// nearConnector suggests the connector that a misspelt word means: one that
// ports, plugs or optics of other parts have.
func (k *checker) nearConnector(word string) string {
	var known []string
	for i := range k.catalog.parts {
		p := &k.catalog.parts[i]
		if p.ID == k.part {
			continue
		}
		for _, g := range p.Ports {
			known = append(known, g.Connector)
		}
		if p.Cable != nil {
			known = append(known, p.Cable.Connector, p.Cable.FarConnector())
		}
		if p.Optic != nil {
			known = append(known, p.Optic.Form, p.Optic.Plug)
		}
	}
	known = slices.DeleteFunc(known, func(c string) bool { return c == word || c == "" })
	return diag.Suggest(word, known, "")
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
	notNegative(k, "optic.loss", o.Loss)
	if o.Standard == "" {
		k.fault("optic.standard", "missing")
	}
	if !slices.ContainsFunc(k.catalog.parts, func(p Part) bool { return p.hasPort(o.Form) }) {
		k.fault("optic.form", "no port takes %q\n%s", o.Form, k.nearConnector(o.Form))
	}
	fibres := k.catalog.Fibres(o.Plug, o.Fibre)
	if len(fibres) == 0 {
		k.fault("optic.plug", "no %s cable ends in %q\n%s", o.Fibre, o.Plug, k.nearConnector(o.Plug))
	}
	for _, f := range fibres {
		if lost := f.Cable.Attenuation.Over(o.Reach); o.Loss > 0 && lost > o.Loss {
			k.fault("optic.reach", "%v of %s lose %v, and the optic bears %v", o.Reach, f.ID, lost, o.Loss)
		}
	}
}

func (k *checker) checkPanel(p *Panel) {
	word(k, "panel.fibre", p.Fibre, fibreMedia)
	positive(k, "panel.ports", p.Ports)
	notNegative(k, "panel.loss", p.Loss)
	if !slices.ContainsFunc(k.catalog.parts, func(q Part) bool {
		return q.Cable != nil && q.Cable.Medium == p.Fibre &&
			(q.Cable.Connector == p.Connector || q.Cable.FarConnector() == p.Connector)
	}) {
		k.fault("panel.connector", "no %s cable ends in %q\n%s", p.Fibre, p.Connector, k.nearConnector(p.Connector))
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
	if d := s.Spread; d != nil {
		if !finite(d.Low) || d.Low < 0 || d.Low > 1 {
			k.fault("spread.low", "must be between 0 and 1")
		}
		if !finite(d.High) || d.High < 1 {
			k.fault("spread.high", "must be at least 1")
		}
		if d.Source == "" {
			k.fault("spread.source", "missing")
		}
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
	notNegative(k, "labour.in_row", l.InRow.Float())
	notNegative(k, "labour.cross_row", l.CrossRow.Float())
	notNegative(k, "labour.fibre", l.Fibre.Float())
	if l.Source == "" {
		k.fault("labour.source", "missing")
	}
	word(k, "labour.confidence", l.Confidence, confidences)
}

func (k *checker) checkPrice(at string, p *Price, s *PriceSet) {
	if p.Part == "" || strings.Contains(strings.TrimSuffix(p.Part, "*"), "*") {
		k.fault(at+".part", "must be an id, or the beginning of one and a *")
	} else if !strings.HasSuffix(p.Part, "*") && k.catalog.Part(p.Part) == nil {
		k.fault(at+".part", "there is no part %q\n%s", p.Part, k.catalog.Suggest(p.Part, ""))
	}
	if p.Confidence != "" || s.Confidence == "" {
		word(k, at+".confidence", p.Confidence, confidences)
	}
	k.checkAmount(at+".per_metre", p.PerMetre, false)
	k.checkAmount(at+".per_port", p.PerPort, false)
	k.checkAmount(at+".unit", p.Unit, !p.PerPort.IsZero())
	plain := !p.Unit.IsZero() || !p.PerMetre.IsZero() || !p.PerPort.IsZero()
	if !plain && len(p.ByLength) == 0 {
		k.fault(at, "states no price for %q", p.Part)
	}
	if plain && len(p.ByLength) > 0 {
		k.fault(at+".by_length", "stands beside unit, per_metre or per_port")
	}
	k.checkByLength(at+".by_length", p.ByLength)
}

// checkAmount checks an amount, which may be below nothing only as the intercept
// of a line.
func (k *checker) checkAmount(at string, a Amount, intercept bool) {
	switch {
	case !finite(a.Low) || !finite(a.Likely) || !finite(a.High) || a.Likely < 0 && !intercept:
		k.fault(at, "must not be negative or infinite")
	case a.Low > a.Likely || a.Likely > a.High:
		k.fault(at, "a range rises from low over likely to high")
	case a.Low < 0 && !intercept:
		k.fault(at, "must not be negative or infinite")
	}
}

// checkByLength checks that a table can be read and that longer cables cost no
// less than shorter ones.
func (k *checker) checkByLength(at string, table map[string]Amount) {
	type row struct {
		length units.Length
		amount Amount
	}
	var rows []row
	for _, text := range slices.Sorted(maps.Keys(table)) {
		l, err := units.ParseLength(text)
		switch amount := table[text]; {
		case err != nil:
			k.fault(at, "%v", err)
		case !finite(l) || l <= 0:
			k.fault(at, "%q is no length of a cable", text)
		case !finite(amount.Low) || !finite(amount.High) || amount.Low <= 0:
			k.fault(at, "the price at %q must be greater than 0", text)
		case amount.Low > amount.Likely || amount.Likely > amount.High:
			k.fault(at, "the range at %q does not rise from low over likely to high", text)
		default:
			rows = append(rows, row{l, amount})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.length, b.length) })
	for i := 1; i < len(rows); i++ {
		switch short, long := rows[i-1], rows[i]; {
		case long.length-short.length <= lengthTolerance:
			k.fault(at, "%v is priced twice", long.length)
		case long.amount.Likely < short.amount.Likely || long.amount.Low < short.amount.Low ||
			long.amount.High < short.amount.High:
			k.fault(at, "%v costs less than %v", long.length, short.length)
		}
	}
}
