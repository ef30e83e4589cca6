package machine

import (
	"cmp"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// reporter records a mistake in the value at a path of the machine file; see diag.Fieldf.
type reporter = func(path, format string, args ...any)

// check finds the mistakes that show without parts and topology.
func (s *Spec) check(report reporter) {
	s.checkPackaging(report)
	s.checkRoom(report)
	s.checkParts(report)
	s.checkCabling(report)
	s.checkStructured(report)
	s.checkDelay(report)
	s.checkPrices(report)
	s.checkObjective(report)
	s.checkRules(report)
	s.checkOperation(report)
	for _, level := range slices.Sorted(maps.Keys(s.Embedding.Blocks)) {
		s.checkLevel(report, diag.Key("embedding.blocks", level), level)
	}
	if f := s.Embedding.Fold; !f.all() && !f.none() {
		for i, name := range f {
			if dimension(name) < 0 {
				report(diag.Elem("embedding.fold", i), "%q is not true, false or a dimension\nwrite dim1 for the first", name)
			}
		}
	}
}

// dimension is the number from 0 of a dimension called dim1, dim2, ..., -1 of
// anything else.
func dimension(name string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "dim"))
	if err != nil || name != "dim"+strconv.Itoa(n) || n < 1 {
		return -1
	}
	return n - 1
}

// box is the entry of packaging for one kind of vertex.
type box struct {
	kind string
	*Box
}

// path is where the entry stands in the file.
func (b box) path() string { return "packaging." + b.kind }

// boxes lists the entries of packaging that are given.
func (p *Packaging) boxes() []box {
	all := []box{{"node", p.Node}, {"switch", p.Switch}, {"leaf", p.Leaf}, {"spine", p.Spine}, {"core", p.Core}}
	return slices.DeleteFunc(all, func(b box) bool { return b.Box == nil })
}

func (s *Spec) checkPackaging(report reporter) {
	names := slices.Sorted(maps.Keys(s.Packaging.Chassis))
	for _, b := range s.Packaging.boxes() {
		ascending(report, b.path()+".units", b.Units)
		if _, ok := s.Packaging.Chassis[b.Chassis]; b.Chassis != "" && !ok {
			report(b.path()+".chassis", "no chassis %q under packaging.chassis\n%s", b.Chassis, diag.Suggest(b.Chassis, names, "it is one of "))
		}
	}
	for _, name := range names {
		c := s.Packaging.Chassis[name]
		at := diag.Key("packaging.chassis", name)
		if cells(c.Slots) > maxCells {
			report(at+".slots", "more than %d boxes in a chassis", maxCells)
		}
		checkAxes(report, at+".slots", at+".pitch", len(c.Slots), c.Pitch)
	}
}

// checkAxes checks a grid: up to three axes, with one pitch for all or one for each.
func checkAxes(report reporter, grid, pitch string, axes int, pitches []units.Length) {
	if axes > 3 {
		report(grid, "%d numbers for three axes", axes)
	}
	if n := len(pitches); n > 1 && n != axes {
		report(pitch, "%d distances for %d axes\ngive one for all or one for each", n, axes)
	}
	for i, p := range pitches {
		if p == 0 {
			report(diag.Elem(pitch, i), "the distance is zero")
		}
	}
}

// ascending checks that a list of numbers rises.
func ascending[T int | units.Length](report reporter, path string, list []T) {
	for i := 1; i < len(list); i++ {
		if list[i] <= list[i-1] {
			report(diag.Elem(path, i), "%v comes after %v\nlist them in ascending order, each once", list[i], list[i-1])
		}
	}
}

// Most boxes in a chassis.
const maxCells = 1 << 20

// cells multiplies the numbers of a grid, up to a little over maxCells.
func cells(grid []int) int {
	n := 1
	for _, c := range grid {
		n *= min(c, maxCells+1)
		if n > maxCells {
			return maxCells + 1
		}
	}
	return n
}

// Longest distance in a room.
const maxExtent units.Length = 10_000

// checkExtents bounds the lengths of a room, whose places would otherwise lose
// their digits.
func (s *Spec) checkExtents(report reporter) {
	check := func(path string, lengths ...units.Length) {
		for _, l := range lengths {
			if l > maxExtent || l < -maxExtent {
				report(path, "%.6g m is more than the %v of the largest room", float64(l), maxExtent)
			}
		}
	}
	r := &s.Room
	for key, l := range map[string]*units.Length{"cold_aisle": r.ColdAisle, "hot_aisle": r.HotAisle, "margin": r.Margin} {
		if l != nil {
			check("room."+key, *l)
		}
	}
	check("room.trays.height", r.Trays.Height)
	for i, l := range r.Trays.Levels {
		if l.Height != nil {
			check(diag.Elem("room.trays.levels", i)+".height", *l.Height)
		}
	}
	for i, p := range r.Trays.Paths {
		check(diag.Elem("room.trays.paths", i)+".length", p.Length)
	}
	if r.Trays.Separation != nil {
		check("room.trays.separation", *r.Trays.Separation)
	}
	for i, h := range r.Halls {
		check(diag.Elem("room.halls", i)+".floor", h.Floor)
		if h.Distance != nil {
			check(diag.Elem("room.halls", i)+".distance", *h.Distance)
		}
	}
	for i, g := range r.Gaps {
		check(diag.Elem("room.gaps", i)+".width", g.Width)
	}
	for i, c := range r.Columns {
		check(diag.Elem("room.columns", i), c.X, c.Y, c.Width, c.Depth)
	}
	for i, a := range r.KeepOuts {
		for j, p := range a.Points {
			check(diag.Elem(diag.Elem("room.keep_outs", i)+".points", j), p...)
		}
	}
	for i, c := range r.Containers {
		check(diag.Elem("room.containers", i)+".pitch", c.Pitch...)
		check(diag.Elem("room.containers", i)+".gap", c.Gap)
	}
	c := &s.Cabling
	check("cabling.slack.loop", c.Slack.Loop)
	check("cabling.round_up", c.RoundUp)
	for key, l := range map[string]*units.Length{"slack.fixed": c.Slack.Fixed, "slack.in_rack": c.Slack.InRack, "crossing": c.Crossing} {
		if l != nil {
			check("cabling."+key, *l)
		}
	}
}

func (s *Spec) checkRoom(report reporter) {
	r := &s.Room
	s.checkExtents(report)
	if len(r.Containers) > 0 {
		s.checkContainers(report)
		return
	}
	for i, g := range r.Gaps {
		at := diag.Elem("room.gaps", i) + ".after"
		if r.RacksPerRow > 0 && g.After >= r.RacksPerRow {
			report(at, "no rack follows position %d of %d", g.After, r.RacksPerRow)
		}
		if i > 0 && g.After <= r.Gaps[i-1].After {
			report(at, "%d comes after %d\nlist the gaps in ascending order", g.After, r.Gaps[i-1].After)
		}
		if g.Width == 0 {
			report(diag.Elem("room.gaps", i)+".width", "the width is zero")
		}
	}
	for i, c := range r.Columns {
		if c.Width == 0 {
			report(diag.Elem("room.columns", i)+".width", "the width is zero")
		}
		if c.Depth == 0 {
			report(diag.Elem("room.columns", i)+".depth", "the depth is zero")
		}
	}
	for i, a := range r.KeepOuts {
		checkArea(report, diag.Elem("room.keep_outs", i)+".points", a.Points)
	}
	s.checkTrays(report)
}

// checkContainers checks nested containers, which leave no place for what is
// said about racks.
func (s *Spec) checkContainers(report reporter) {
	r := &s.Room
	for key, given := range map[string]bool{
		"rows": r.Rows != 0, "racks_per_row": r.RacksPerRow != 0, "rack": r.Rack != "",
		"cold_aisle": r.ColdAisle != nil, "hot_aisle": r.HotAisle != nil, "facing": r.Facing != "",
		"gaps": r.Gaps != nil, "margin": r.Margin != nil, "columns": r.Columns != nil,
		"row_power": r.RowPower != 0, "row_weight": r.RowWeight != 0,
		"keep_outs": r.KeepOuts != nil, "trays": !reflect.ValueOf(r.Trays).IsZero(), "halls": r.Halls != nil,
	} {
		if given {
			report("room."+key, "cannot be combined with room.containers\nremove one of them")
		}
	}
	for _, b := range s.Packaging.boxes() {
		for key, given := range map[string]bool{
			"chassis": b.Chassis != "", "place": b.Place != "", "units": b.Units != nil, "per_rack": b.PerRack != 0,
		} {
			if given {
				report(b.path()+"."+key, "nested containers have no racks\nremove it")
			}
		}
	}
	if len(s.Packaging.Chassis) > 0 {
		report("packaging.chassis", "nested containers have no racks for chassis\ndescribe them as containers")
	}
	if s.Cabling.Route == Tray {
		report("cabling.route", "nested containers have no trays\nchoose manhattan or direct")
	}
	seen := map[string]bool{}
	for i, c := range r.Containers {
		at := diag.Elem("room.containers", i)
		if c.Name == "" || seen[c.Name] {
			report(at+".name", "every container needs a name of its own")
		}
		seen[c.Name] = true
		checkAxes(report, at+".count", at+".pitch", cmp.Or(len(c.Count), 3), c.Pitch)
		if e := s.Embedding.Strategy; c.Count == nil && e != "" && e != embed.Auto && e != embed.Cubes {
			report(at+".count", "missing\ngive it, or choose strategy cubes")
		}
		if c.Gap != 0 && c.Pitch != nil {
			report(at+".gap", "cannot be combined with a pitch\nremove one of them")
		}
	}
}

func checkArea(report reporter, path string, points [][]units.Length) {
	if len(points) < 3 {
		report(path, "an area has at least three corners, not %d", len(points))
	}
	for i, p := range points {
		if len(p) != 2 {
			report(diag.Elem(path, i), "a corner has two coordinates, not %d\nwrite [x, y]", len(p))
		}
	}
}

// layoutLevels names the containers that a rule or block may speak of,
// outermost first.
func (s *Spec) layoutLevels() []string {
	levels := []string{"hall", "row", "rack"}
	if len(s.Room.Containers) > 0 {
		levels = nil
		for _, c := range s.Room.Containers {
			levels = append(levels, c.Name)
		}
		return levels
	}
	return append(levels, slices.Sorted(maps.Keys(s.Packaging.Chassis))...)
}

func (s *Spec) checkLevel(report reporter, path, level string) {
	if levels := s.layoutLevels(); level != "" && !slices.Contains(levels, level) {
		report(path, "the layout has no level %q\n%s", level, diag.Suggest(level, levels, "it is one of "))
	}
}

// checkParts checks what can go wrong between the parts of the file and the
// rest of it; a part by itself is for the catalog to judge.
func (s *Spec) checkParts(report reporter) {
	first := map[string]int{}
	for i, p := range s.Parts {
		at := diag.Elem("parts", i) + ".id"
		_, alias := catalog.MediumAliases[p.ID]
		switch j, again := first[p.ID]; {
		case again:
			report(at, "parts[%d] has the id %q already", j, p.ID)
		case strings.Contains(p.ID, "@"):
			report(at, "an id has no @: it separates id and length in prices.unit")
		case alias || p.ID == "none" || p.ID == string(catalog.Trace) || slices.Contains(catalog.Media, catalog.Medium(p.ID)):
			report(at, "%q has a meaning of its own in machine files\nchoose another id", p.ID)
		}
		first[p.ID] = i
	}
}

// mediumWords are the words for one or several media of cables.
func mediumWords() []string {
	return append(words(catalog.Media), slices.Sorted(maps.Keys(catalog.MediumAliases))...)
}

// leastRound is the finest step that lengths are rounded up to.
const leastRound units.Length = 0.001

// checkLengths checks the rules by which lengths are made.
func (s *Spec) checkLengths(report reporter) {
	c := &s.Cabling
	if c.RoundUp != 0 && c.RoundUp < leastRound {
		report("cabling.round_up", "less than a millimetre")
	}
	if c.Door != "" && c.Manager != "" {
		report("cabling.door", "says the same as manager in another way\nremove one of them")
	}
	route := c.Route
	if route == "" && len(s.Room.Containers) > 0 {
		route = Manhattan
	}
	if route == "" || route == Tray {
		return
	}
	for key, given := range map[string]bool{"crossing": c.Crossing != nil, "manager": c.Manager != "", "door": c.Door != ""} {
		if given {
			report("cabling."+key, "only for cables on trays: route %s measures from port to port\nremove it", route)
		}
	}
}

func (s *Spec) checkCabling(report reporter) {
	s.checkLengths(report)
	for i, m := range s.Cabling.Media {
		at := diag.Elem("cabling.media", i)
		s.checkLevel(report, at+".within", m.Within)
		s.checkLevel(report, at+".beyond", m.Beyond)
		if m.Within != "" && m.Within == m.Beyond {
			report(at+".beyond", "no link is within a %s and leaves it", m.Within)
		}
		always := len(m.Levels) == 0 && m.Within == "" && m.Beyond == "" && m.Longest == 0
		if always && i+1 < len(s.Cabling.Media) {
			report(at, "the rule matches every link, so that no later rule is ever used\nmove it to the end")
		}
	}
}

func (s *Spec) checkDelay(report reporter) {
	known := append(mediumWords(), string(catalog.Trace))
	check := func(section string, names []string) {
		for _, name := range names {
			if !slices.Contains(known, name) {
				report(diag.Key(section, name), "%q is no medium\n%s", name, diag.Suggest(name, known, "it is one of "))
			}
		}
	}
	check("delay.propagation", slices.Sorted(maps.Keys(s.Delay.Propagation)))
	check("delay.ends", slices.Sorted(maps.Keys(s.Delay.Ends)))
	for i, name := range s.Delay.Routing {
		if known := RoutingNames(); !slices.Contains(known, name) {
			report(diag.Elem("delay.routing", i), "there is no routing %q\n%s", name,
				diag.Suggest(name, known, "it is one of "))
		}
	}
}

// Most spares, in per cent, and the highest price of one piece. No bill of a
// machine that can be numbered overflows with it.
const (
	maxSpares             = 1000
	maxPrice  units.Money = 100_000_000_00
)

// Highest exchange rate: one unit of a currency in another.
const maxRate = 1e6

var currency = regexp.MustCompile(`^[A-Z]{3}$`)

// checkExchange checks the currency of the bill and the rates into it.
func (p *Prices) checkExchange(report reporter) {
	if p.Currency != "" && !currency.MatchString(p.Currency) {
		report("prices.currency", "%q is no ISO 4217 code\nwrite three capital letters, such as USD", p.Currency)
	}
	for _, code := range slices.Sorted(maps.Keys(p.Rates)) {
		at := diag.Key("prices.rates", code)
		if !currency.MatchString(code) {
			report(at, "%q is no ISO 4217 code\nwrite three capital letters, such as USD", code)
		}
		switch rate := p.Rates[code]; {
		case rate == 0:
			report(at, "the rate is zero")
		case rate > maxRate:
			report(at, "a rate of more than %.0f", float64(maxRate))
		case code == p.Currency && rate != 1:
			report(at, "%s is the currency of the bill\nremove it", code)
		}
	}
	_, err := time.Parse(time.DateOnly, p.RatesDate)
	switch {
	case len(p.Rates) > 0 && p.RatesDate == "":
		report("prices.rates", "the rates have no date\nwrite rates_date: 2025-06-01")
	case p.RatesDate != "" && err != nil:
		report("prices.rates_date", "%q is not a date\nwrite it as 2025-06-01", p.RatesDate)
	}
}

// Most per cent of freight and contingency, years, PUE and price of a kWh.
const (
	maxSurcharge = 1000
	maxYears     = 100
	maxPUE       = 10
	maxTariff    = 1e6
)

// checkOperation checks what power costs.
func (s *Spec) checkOperation(report reporter) {
	o := s.Operation
	if o == nil {
		return
	}
	if o.Tariff > maxTariff {
		report("operation.tariff", "a tariff of more than %.0f", float64(maxTariff))
	}
	switch r := o.TariffRange; {
	case r == nil:
	case len(r) != 2:
		report("operation.tariff_range", "%d prices\nwrite the least and the most: [0.08, 0.2]", len(r))
	case r[0] > o.Tariff || r[1] < o.Tariff || r[1] > maxTariff:
		report("operation.tariff_range", "the tariff of %v is not between %v and %v", o.Tariff, r[0], r[1])
	}
	if o.PUE > maxPUE {
		report("operation.pue", "a PUE of more than %d", maxPUE)
	}
	if o.Years > maxYears {
		report("operation.years", "more than %d years", maxYears)
	}
	if o.Idle != nil && *o.Idle > 100 {
		report("operation.idle", "%v %% is more than all", *o.Idle)
	}
	if o.Idle != nil && o.PortPower != 0 {
		report("operation.idle", "cannot be combined with port_power, which counts lit ports alone\nremove one of them")
	}
}

// checkSurcharges checks freight, contingency and ranges.
func (p *Prices) checkSurcharges(report reporter) {
	for key, percent := range map[string]float64{"freight": p.Freight, "contingency": p.Contingency} {
		if percent > maxSurcharge {
			report("prices."+key, "at most %d per cent", maxSurcharge)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Ranges)) {
		at, r := diag.Key("prices.ranges", key), p.Ranges[key]
		own, given := p.Unit[key]
		switch {
		case len(r) != 2:
			report(at, "%d prices\nwrite the least and the most: [80, 150]", len(r))
		case r[0] > r[1]:
			report(at, "the least, %v, is more than the most, %v", r[0], r[1])
		case r[1] > maxPrice:
			report(at, "a price of more than %v", maxPrice)
		case given && (own < r[0] || own > r[1]):
			report(at, "the price of %v under prices.unit is not between %v and %v", own, r[0], r[1])
		}
	}
}

// ranges are the bounds of prices.
func (p *Prices) ranges() map[string][2]units.Money {
	out := map[string][2]units.Money{}
	for key, r := range p.Ranges {
		if len(r) == 2 {
			out[key] = [2]units.Money{r[0], r[1]}
		}
	}
	return out
}

func (s *Spec) checkPrices(report reporter) {
	s.Prices.checkExchange(report)
	s.Prices.checkSurcharges(report)
	kinds := words(catalog.Kinds[:slices.Index(catalog.Kinds, catalog.KindLabour)])
	for _, kind := range slices.Sorted(maps.Keys(s.Prices.Spares)) {
		at := diag.Key("prices.spares", kind)
		if !slices.Contains(kinds, kind) {
			report(at, "%q is no kind of part\n%s", kind, diag.Suggest(kind, kinds, "it is one of "))
		}
		if s.Prices.Spares[kind] > maxSpares {
			report(at, "at most %d per cent", maxSpares)
		}
	}
	priced := func(section string, keys []string) {
		for _, key := range keys {
			_, err := catalog.ParseItem(key)
			for _, e := range diag.Fields(err) {
				report(diag.Key(section, key), "%s\n%s", e.Message, e.Suggestion)
			}
		}
	}
	priced("prices.unit", slices.Sorted(maps.Keys(s.Prices.Unit)))
	priced("prices.ranges", slices.Sorted(maps.Keys(s.Prices.Ranges)))
	for _, key := range slices.Sorted(maps.Keys(s.Prices.Unit)) {
		if s.Prices.Unit[key] > maxPrice {
			report(diag.Key("prices.unit", key), "a price of more than %v", maxPrice)
		}
	}
}

// checkCatalog finds what the file says about parts and price sets that the catalog, with the file's own parts, does
// not have. kind tells the kind of a part, empty if there is none of that id; ids and sets are for suggestions.
func (s *Spec) checkCatalog(kind func(id string) catalog.Kind, ids, sets []string, report reporter) {
	part := func(path, id string, want catalog.Kind) {
		have := kind(id)
		switch {
		case id == "":
		case have == "":
			report(path, "there is no part %q\n%s", id, diag.Suggest(id, ids, ""))
		case want != "" && have != want:
			report(path, "part %q is of kind %s, not %s", id, have, want)
		}
	}
	for _, b := range s.Packaging.boxes() {
		if b.kind == "node" {
			part(b.path()+".part", b.Part, catalog.KindNode)
		} else {
			part(b.path()+".part", b.Part, catalog.KindSwitch)
		}
		if b.Adapter != "none" {
			part(b.path()+".adapter", b.Adapter, catalog.KindAdapter)
		}
	}
	part("room.rack", s.Room.Rack, catalog.KindRack)
	part("room.trays.part", s.Room.Trays.Part, catalog.KindTray)
	for i, l := range s.Room.Trays.Levels {
		part(diag.Elem("room.trays.levels", i)+".part", l.Part, catalog.KindTray)
	}
	if k := s.Cabling.Structured; k != nil {
		part("cabling.structured.panel", k.Panel, catalog.KindPanel)
		part("cabling.structured.trunk", k.Trunk, catalog.KindCable)
	}
	media := mediumWords()
	for i, m := range s.Cabling.Media {
		for j, use := range m.Use {
			at := diag.Elem(diag.Elem("cabling.media", i)+".use", j)
			switch {
			case slices.Contains(media, use):
			case kind(use) == "":
				report(at, "%q is neither a medium nor a part\n%s", use, diag.Suggest(use, append(media, ids...), ""))
			default:
				part(at, use, catalog.KindCable)
			}
		}
	}
	priced := func(section string, keys []string) {
		for _, key := range keys {
			item, err := catalog.ParseItem(key)
			switch {
			case slices.Contains(cost.LabourIDs, key):
			case item.Length > 0 || err != nil:
				part(diag.Key(section, key), item.Part, catalog.KindCable)
			default:
				part(diag.Key(section, key), item.Part, "")
			}
		}
	}
	priced("prices.unit", slices.Sorted(maps.Keys(s.Prices.Unit)))
	priced("prices.ranges", slices.Sorted(maps.Keys(s.Prices.Ranges)))

	if s.Prices.Set != "" && !slices.Contains(sets, s.Prices.Set) {
		report("prices.set", "there is no price set %q\n%s", s.Prices.Set, diag.Suggest(s.Prices.Set, sets, "it is one of "))
	}
}

// checkTopology finds what the file says about vertices, levels and dimensions
// that the topology does not have.
func (s *Spec) checkTopology(g topology.Graph, report reporter) {
	var kinds, switches, levels []string
	for _, k := range g.Kinds() {
		kinds = append(kinds, k.Name)
		if k.Role == topology.Switch {
			switches = append(switches, k.Name)
		}
	}
	for _, l := range g.Levels() {
		levels = append(levels, l.Name)
	}
	for _, b := range s.Packaging.boxes() {
		if !slices.Contains(kinds, b.kind) && (b.kind != "switch" || len(switches) == 0) {
			report(b.path(), "a %s has no %s\nits kinds of vertices are %s", g.Family(), b.kind, strings.Join(kinds, ", "))
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Delay.Hop)) {
		if !slices.Contains(kinds, kind) && (kind != "switch" || len(switches) == 0) {
			report(diag.Key("delay.hop", kind), "a %s has no %s\n%s", g.Family(), kind,
				diag.Suggest(kind, kinds, "its kinds of vertices are "))
		}
	}
	for i, m := range s.Cabling.Media {
		for j, level := range m.Levels {
			if !slices.Contains(levels, level) {
				report(diag.Elem(diag.Elem("cabling.media", i)+".levels", j), "a %s has no level %q\n%s",
					g.Family(), level, diag.Suggest(level, levels, "its levels are "))
			}
		}
	}
	if k := s.Cabling.Structured; k != nil {
		for i, level := range k.Levels {
			if !slices.Contains(levels, level) {
				report(diag.Elem("cabling.structured.levels", i), "a %s has no level %q\n%s", g.Family(), level, diag.Suggest(level, levels, "its levels are "))
			}
		}
	}
	lattice, ok := g.(topology.Lattice)
	if f := s.Embedding.Fold; !f.all() && !f.none() {
		for i, name := range f {
			switch {
			case !ok:
				report("embedding.fold", "dimensions are of lattices, and a %s is none", g.Family())
				return
			case dimension(name) >= len(lattice.Dims()):
				report(diag.Elem("embedding.fold", i), "the %s has no %s\nits dimensions are dim1 to dim%d", g.Family(), name, len(lattice.Dims()))
			}
		}
	}
	if len(s.Embedding.Blocks) == 0 {
		return
	}
	switch {
	case !ok:
		report("embedding.blocks", "blocks are of lattices, and a %s is none", g.Family())
		return
	case s.Embedding.Strategy != "" && s.Embedding.Strategy != embed.Auto && s.Embedding.Strategy != embed.Folded:
		report("embedding.blocks", "strategy %s does not use blocks\nchoose folded or auto", s.Embedding.Strategy)
		return
	}
	for _, level := range slices.Sorted(maps.Keys(s.Embedding.Blocks)) {
		if n := len(s.Embedding.Blocks[level]); n != len(lattice.Dims()) {
			report(diag.Key("embedding.blocks", level), "%d numbers for %d dimensions", n, len(lattice.Dims()))
		}
		chassis, isChassis := s.Packaging.Chassis[level]
		switch {
		case level == "hall":
			report(diag.Key("embedding.blocks", level), "the hall holds the whole lattice\nremove it")
		case isChassis && (lattice.TerminalsPerRouter() > 0 || s.Packaging.Node == nil || s.Packaging.Node.Chassis != level):
			report(diag.Key("embedding.blocks", level), "no routers slide into this chassis")
		case isChassis && cells(s.Embedding.Blocks[level]) > cells(chassis.Slots):
			report(diag.Key("embedding.blocks", level), "a block of %d routers in a chassis of %d slots", cells(s.Embedding.Blocks[level]), cells(chassis.Slots))
		}
	}
}
