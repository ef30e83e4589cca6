package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// consolidatedNotes returns a note if there are more products than asked for, else nil. asked is not nil where the
// schedule is consolidated.
func consolidatedNotes(s *cabling.Schedule, asked *spec.Consolidate) []string {
	c := s.Consolidated
	if c == nil || c.Least == 0 {
		return nil
	}
	of := "in all"
	if asked.Per == spec.PerFamily {
		of = "of a family"
	}
	return []string{fmt.Sprintf("at most %d cable products %s were asked for; %d are the fewest, "+
		"as every family in use needs one, no optic may be out of reach, and no piece may be longer than "+
		"cabling.excess allows", asked.Most, of, c.Least)}
}

// structuredNotes returns notes on what the plan adds for links between split ports (shuffles, panels of octopus
// cables), on links that structured cabling selects and leaves as they are, and on insertion loss that is not checked;
// nil for none.
func structuredNotes(s *cabling.Schedule) []string {
	k := s.Patching
	if k == nil {
		return nil
	}
	var out []string
	if k.Octopus {
		out = append(out, fmt.Sprintf("%s between ports that are split at both ends, which no cable joins: they run "+
			"over octopus cables that meet in %s of %s, which this plan adds (cabling.shuffle)",
			english.Count(k.Links, "link"), english.Count(len(k.Panels), "panel"), k.Part.ID))
	}
	if len(k.Shuffles) > 0 {
		out = append(out, shuffleNote(k))
	}
	if k.Kept > 0 {
		out = append(out, fmt.Sprintf("%d of the links that structured cabling selects keep cables of their own: "+
			"their media rule does not allow the fibre of %s, their ports take no optic with its plug that reaches so "+
			"far, or they are fewer than at_least", k.Kept, k.Part.ID))
	}
	if k.Links > 0 && k.Unstated {
		out = append(out, "the insertion loss of links over panels is not checked everywhere: some panel, fibre or "+
			"optic states none")
	}
	return out
}

// shuffleNote returns the note on the shuffles that the plan adds so that links between split ports have cables. There
// is at least one.
func shuffleNote(k *cabling.Patching) string {
	var parts []string
	toOrder := int64(0)
	for i := range k.Panels {
		if id := k.Panels[i].Part.ID; !slices.Contains(parts, id) {
			parts = append(parts, id)
		}
	}
	for i := range k.Shuffles {
		if k.Shuffles[i].ToOrder {
			toOrder++
		}
	}
	slices.Sort(parts)
	made := ""
	if toOrder > 0 {
		made = fmt.Sprintf(", %s of them wired to order (panels.csv says how)", english.Grouped(toOrder))
	}
	return fmt.Sprintf("%s between ports that are split at both ends, which no cable joins: they run over %s in %s of "+
		"%s%s, which this plan adds (cabling.shuffle)", english.Count(k.Links, "link"),
		english.Count(len(k.Shuffles), "shuffle"), english.Count(len(k.Panels), "panel"),
		english.List(parts), made)
}

// trayNotes returns a note for each level of trays that were led around obstacles as if they were narrower than all
// trays side by side, which would cut off a row. It returns nil for none, and for nil.
func trayNotes(t *cabling.Trays) []string {
	if t == nil {
		return nil
	}
	var out []string
	for i, l := range t.Network.Levels {
		rule := &t.Rules[i]
		if wide := rule.Width * units.Length(rule.Count); t.Network.IsObstructed(i) && wide > l.Width+rounding {
			out = append(out, fmt.Sprintf("trays are led around columns as if one lay there, %v wide; %d side by side "+
				"are %v: give room.trays.count", l.Width, rule.Count, wide.Round4()))
		}
	}
	return out
}

// A cable is implausibly long if it is more than timesAcross times as long as the machine is wide, deep and high
// together, and longer than shortOfNote, which a small machine may need.
const (
	timesAcross              = 4
	shortOfNote units.Length = 50
)

// longNotes returns a note for each level of the topology whose longest cable is implausibly long for the room, though
// allowed. Lengths include slack, without what boxes state for the way beyond the room.
func longNotes(s *cabling.Schedule) []string {
	beyond := units.Length(0)
	for _, b := range s.Boxes {
		beyond = max(beyond, b.Beyond)
	}
	width, depth, height := dimensions(s.Placement.Layout)
	across := width + depth + height
	var out []string
	for level, l := range s.Graph.Levels() {
		longest := units.Length(0)
		for _, t := range s.Tallies[level] {
			longest = max(longest, t.LongestCable)
		}
		if longest-2*beyond <= max(timesAcross*across, shortOfNote) {
			continue
		}
		out = append(out, fmt.Sprintf("the longest cable of %s is %v, %.0f times the way across the %v by %v that the "+
			"machine has: look at the slack, the paths of trays and the lengths that are stocked", l.Name,
			longest.Round4(), float64(longest/across), width.Round4(), depth.Round4()))
	}
	return out
}

// dimensions returns how wide, deep and high a layout is: the floor of a room, and the rise from its lowest to its
// highest slot, through racks and halls; of containers the space that their slots span.
func dimensions(l *layout.Layout) (width, depth, height units.Length) {
	var least, most layout.Point
	for slot := range int32(l.Slots()) {
		p := l.Position(slot)
		if slot == 0 {
			least, most = p, p
		}
		least = layout.Point{X: min(least.X, p.X), Y: min(least.Y, p.Y), Z: min(least.Z, p.Z)}
		most = layout.Point{X: max(most.X, p.X), Y: max(most.Y, p.Y), Z: max(most.Z, p.Z)}
	}
	width, depth, height = most.X-least.X, most.Y-least.Y, most.Z-least.Z
	if l.Room != nil {
		b := l.Room.Bound
		width, depth = units.Length(b.Max[0]-b.Min[0]), units.Length(b.Max[1]-b.Min[1])
	}
	return width, depth, height
}

// rounding is how far sums of lengths, in metres, may be off.
const rounding units.Length = 1e-9

// unpluggedNotes returns a note for each kind of boxes of the file that no fabric is plugged into.
func (r *resolved) unpluggedNotes() []string {
	var out []string
	for i := range r.spec.Boxes {
		if b := &r.spec.Boxes[i]; len(r.boxes[i].Ports) == 0 {
			out = append(out, fmt.Sprintf("no fabric is plugged into %s (%d): they take room and power", b.Name,
				b.Count))
		}
	}
	return out
}

// advice returns the texts of a fabric's topology about the parameters that it chose, or about its file, each after the
// name of the fabric if it has one; nil for none.
func (f *fabric) advice() []string {
	g := f.graph
	if f.bare != nil {
		g = f.bare
	}
	a, ok := g.(topology.Advised)
	if !ok {
		return nil
	}
	out := slices.Clone(a.Advice())
	for i := range out {
		if f.name != "" {
			out[i] = f.name + ": " + out[i]
		}
	}
	return out
}

// limitlessNotes returns a note for each rack part in use that states no limit of power or weight, so that no rule
// checks it.
func (r *resolved) limitlessNotes(pl *embed.Placement) []string {
	note := func(part *catalog.Part, racks int, power, weight bool) []string {
		var rules, keys []string
		if !power {
			rules, keys = append(rules, cabling.RulePower.ID), append(keys, "power")
		}
		if !weight {
			rules, keys = append(rules, cabling.RuleWeight.ID), append(keys, "weight")
		}
		if len(rules) == 0 {
			return nil
		}
		return []string{fmt.Sprintf("%s (%s) states no limit of %s, so %s checks nothing; a rack part of the machine "+
			"file states one as rack: {%s: ...}", part.ID, english.Count(racks, "rack"),
			english.List(keys), english.List(rules), strings.Join(keys, ": ..., "))}
	}
	if rack := pl.Layout.LevelOf(layout.RoleRack); pl.Layout.Room == nil {
		if rack < 0 {
			return nil
		}
		part := r.enclosurePart(r.spec.Room.Containers[rack].Part)
		if part == nil {
			return nil
		}
		limit := part.Rack
		return note(part, pl.Layout.CountOccupied(rack, pl.Slot), limit != nil && limit.Power > 0,
			limit != nil && limit.Weight > 0)
	}
	var out []string
	for _, c := range r.rackCounts(pl) {
		power, weight := true, true
		for _, rack := range pl.Racks {
			if room := pl.Layout.Room; r.racks[room.Places[rack.Place].Type] == c.Part {
				power = power && room.Type(rack.Place).Power > 0
				weight = weight && room.Type(rack.Place).Weight > 0
			}
		}
		out = append(out, note(c.Part, c.Count, power, weight)...)
	}
	return out
}

// besideNotes returns a note for each rack part where boxes beside the units are wider together than what 19 inches
// leave of its width: they fit only one before the other, and racks do not state how many places they have for that.
func (r *resolved) besideNotes(pl *embed.Placement) (out []string) {
	room := pl.Layout.Room
	if room == nil {
		return nil
	}
	count, wide := map[int32]int{}, map[int32]units.Length{}
	for v := range topology.Vertices(r.graph) {
		if part := r.boxes[topology.KindOf(r.graph.Kinds(), v)].Part; part.ZeroU {
			place := pl.Layout.Container(layout.RackLevel, pl.Slot[v])
			count[place]++
			wide[place] += part.Width
		}
	}
	for _, c := range r.rackCounts(pl) {
		racks, most := 0, int32(-1)
		for _, rack := range pl.Racks {
			free := c.Part.Width - mountingWidth
			if r.racks[room.Places[rack.Place].Type] != c.Part || wide[rack.Place] <= max(free, 0)+rounding {
				continue
			}
			if racks++; most < 0 || wide[rack.Place] > wide[most] {
				most = rack.Place
			}
		}
		if racks > 0 {
			out = append(out, fmt.Sprintf("whether all boxes beside the units fit is not checked in %s (%s): racks do "+
				"not state how many places they have, and the %d in %s are %v wide together, where 19 inches leave %v",
				english.Count(racks, "rack"), c.Part.ID, count[most], room.Name(int(most)), wide[most],
				max(c.Part.Width-mountingWidth, 0)))
		}
	}
	return out
}

// mountingWidth is the width of what is mounted in units: 19 inches.
const mountingWidth units.Length = 0.4826

// uncoveredNotes returns a note if the fixed slack of cables on trays is less than twice the greatest way from a port
// to the middle of its rack, from front to rear, over which trays run: no other piece of a length measures it. It looks
// at the first box of each kind.
func uncoveredNotes(s *cabling.Schedule, fixed units.Length) []string {
	if s.Trays == nil {
		return nil
	}
	l, way := s.Placement.Layout, units.Length(0)
	for i, k := range s.Kinds {
		for v := k.First; v < k.First+min(k.Count, 1); v++ {
			slot := s.Placement.Slot[v]
			middle := l.Room.Places[l.Container(layout.RackLevel, slot)].Y
			for p := range s.Boxes[i].Ports {
				way = max(way, (l.At(slot, s.Boxes[i].Box.Port(p)).Y - middle).Abs())
			}
		}
	}
	if fixed >= 2*way-rounding {
		return nil
	}
	return []string{fmt.Sprintf("cabling.slack.fixed of %v does not cover the way from the ports to the middle of the "+
		"racks, over which trays run: up to %v at each end, which no other piece of a length measures", fixed,
		way.Round4())}
}
