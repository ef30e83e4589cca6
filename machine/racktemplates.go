package machine

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
)

// placesIn is how many boxes of a kind and part the templates of racks hold in all, where the number of racks of each
// that holds it is stated; 0 where one is not. short is the first template whose number of racks is left out, -1 for
// none.
func (r *resolver) placesIn(kind string, part *catalog.Part) (places, short int) {
	height := 1
	if part != nil {
		height = heightOf(part)
	}
	for _, i := range r.spec.TemplatesOf(kind) {
		t := &r.spec.Racks[i]
		if t.Count == 0 {
			return 0, i
		}
		for j := range t.Holds {
			if t.Holds[j].Names(kind) {
				places += t.Count * t.Holds[j].Places(height)
			}
		}
	}
	return places, -1
}

// heightOf is the rack units of a box, 0 of one beside them.
func heightOf(part *catalog.Part) int {
	if part.ZeroU {
		return 0
	}
	return max(part.Units, 1)
}

// countByTemplates fills in the number of boxes of a kind that templates of racks hold, where it is left out.
func (w *weaver) countByTemplates(i int) {
	b := &w.spec.Boxes[i]
	if b.Count > 0 || len(w.spec.TemplatesOf(b.Name)) == 0 {
		return
	}
	n, short := w.placesIn(b.Name, w.usable(b.Part))
	if short >= 0 && !w.spec.Unread(diag.Elem("racks", short)+".count") {
		w.fault(diag.Elem("boxes", i)+".count", "missing\nwrite it, or how many racks %s there are (count)",
			w.spec.Racks[short].Name)
	}
	b.Count = max(n, 1)
}

// switchesByTemplates fills in the number of switches of a fabric of family access that templates of racks hold, where
// neither it nor their ports are given.
func (w *weaver) switchesByTemplates(i int) {
	f := &w.spec.Fabrics[i]
	p, ok := f.Topology.Params.(clusters.Access)
	kind := f.Name + "/" + accessSwitch
	if !ok || p.Down > 0 || p.Switches > 0 || len(w.spec.TemplatesOf(kind)) == 0 {
		return
	}
	entry, _ := f.Entry(accessSwitch)
	n, short := w.placesIn(kind, w.usable(entry.Part))
	if short >= 0 && !w.spec.Unread(diag.Elem("racks", short)+".count") {
		w.fault(diag.Elem("fabrics", i)+".topology.switches", "missing\nwrite it, or how many racks %s there are "+
			"(count)", w.spec.Racks[short].Name)
	}
	p.Switches = max(n, 1)
	f.Topology.Params = p
}

// accessSwitch is the kind of switches of the family access.
const accessSwitch = "leaf"

// templated reports whether templates of racks have the places of a kind, by the words of the file, and refuses keys of
// its entry that say where it stands.
func (r *resolver) templated(kind, path string, entry *spec.Box) bool {
	of := r.spec.TemplatesOf(kind)
	if len(of) == 0 {
		return false
	}
	for _, c := range []struct {
		key   string
		given bool
	}{
		{"place", entry.Place != ""},
		{"racks", entry.Racks != ""},
		{"units", entry.Units != nil},
		{"per_rack", entry.PerRack > 0},
		{"chassis", entry.Chassis != ""},
	} {
		if c.given {
			r.fault(path+"."+c.key, "racks[%d] (%s) says at which units %s stands\nremove %s, or leave %s out of racks",
				of[0], r.spec.Racks[of[0]].Name, kind, c.key, kind)
		}
	}
	return true
}

// wordsOfKinds are the words of the file for all kinds of boxes.
func (r *resolved) wordsOfKinds() []string {
	if r.words != nil {
		return r.words
	}
	var out []string
	for _, k := range r.graph.Kinds() {
		out = append(out, k.Name)
	}
	return out
}

// templatePart is the rack part of a template, "" where it could not be read.
func (r *resolver) templatePart(i int) string {
	if r.spec.Unread(diag.Elem("racks", i) + ".part") {
		return ""
	}
	return cmp.Or(r.spec.Racks[i].Part, r.spec.Room.Rack)
}

// typesOfTemplates finds the types of racks that the racks of every template may be of, and has the kinds that they
// hold, and those that share them by name, stand in no others. Other kinds keep out of types that are of the part of a
// template and not of the room's.
func (r *resolver) typesOfTemplates() {
	words := r.wordsOfKinds()
	stated := make([]bool, len(words)) // rack_types.for names the kind
	for i := range r.spec.Room.RackTypes {
		for _, name := range r.spec.Room.RackTypes[i].For {
			for k, kind := range r.graph.Kinds() {
				stated[k] = stated[k] || kind.Name == name
			}
		}
	}
	r.templateTypes = make([][]int, len(r.spec.Racks))
	held := make([][]int, len(words)) // types of the templates of each kind
	taken := map[int]bool{}           // types of templates
	for i := range r.spec.Racks {
		at, part := diag.Elem("racks", i), r.templatePart(i)
		var types []int
		for n := range r.racks {
			if r.racks[n].ID == part {
				types = append(types, n)
			}
		}
		if types == nil && r.usable(part) != nil && r.sound("room.rack_types") && r.sound("room.rack") {
			r.fault(at+".part", "no position of the room has a %s: they are of %s\nwrite it as room.rack, or as "+
				"one of room.rack_types at positions of rows: rows: [{racks: 12, types: [{positions: 1-8, type: %s}]}]",
				part, r.spec.Room.Rack, r.spec.Racks[i].Name)
		}
		all := types
		for k, word := range words {
			if stated[k] && slices.Contains(r.spec.TemplatesOf(word), i) {
				types = slices.DeleteFunc(slices.Clone(types), func(n int) bool {
					return !slices.Contains(r.typesOf[k], n)
				})
			}
		}
		if len(types) == 0 && len(all) > 0 && r.sound("room.rack_types") {
			r.fault(at+".part", "no type of racks of part %s is for all of its boxes (room.rack_types, for)", part)
			types = all
		}
		r.templateTypes[i] = types
		for _, n := range types {
			taken[n] = taken[n] || part != r.spec.Room.Rack
		}
		for k, word := range words {
			shares := r.packs[k] != nil && r.packs[k].Racks == r.spec.Racks[i].Name
			if shares || slices.Contains(r.spec.TemplatesOf(word), i) {
				held[k] = append(held[k], types...)
			}
		}
	}
	for k := range words {
		if held[k] != nil {
			slices.Sort(held[k])
			r.typesOf[k] = slices.Compact(held[k])
			continue
		}
		others := slices.DeleteFunc(slices.Clone(r.typesOf[k]), func(n int) bool { return taken[n] })
		if !stated[k] && len(others) > 0 {
			r.typesOf[k] = others
		}
	}
}

// makeTemplates sets r.racksAlike to the templates of the file, in its order. It refuses boxes of kinds in templates
// that find no place there, and racks that stay empty.
func (r *resolver) makeTemplates() {
	words, kinds := r.wordsOfKinds(), r.graph.Kinds()
	seen := make([]int, len(kinds)) // boxes of each kind that the templates so far have places for
	stands := map[embed.Span]string{}
	before, whole := len(r.faults), true
	for i := range r.spec.Racks {
		t := &r.spec.Racks[i]
		whole = whole && len(r.templateTypes[i]) > 0
		own := embed.Template{
			Name: t.Name, Class: classes[t.PlaceOf()], Racks: t.Count, Types: r.templateTypes[i],
		}
		s := seater{resolver: r, template: i, words: words, per: make([]int, len(kinds))}
		own.Seats = s.seats()
		r.countRacks(&own, i, s.per, seen)
		for k := range s.per {
			seen[k] += own.Racks * s.per[k]
		}
		own.At = r.spansOf(i, own.Racks, stands)
		r.racksAlike = append(r.racksAlike, own)
	}
	for k := range kinds {
		of := r.spec.TemplatesOf(words[k])
		if whole && len(r.faults) == before && len(of) > 0 && seen[k] < kinds[k].Count && r.sureOf(k) {
			r.fault(diag.Elem("racks", of[len(of)-1]), "there are %d of kind %s, and %d places for them in racks\n"+
				"write a larger count of racks, or more units", kinds[k].Count, words[k], seen[k])
		}
	}
}

// countRacks sets the number of racks of template i that boxes fill, each of which has per places for each kind.
// Templates before have places for seen boxes of each kind. A number that the file states has to be that.
func (r *resolver) countRacks(own *embed.Template, i int, per, seen []int) {
	t, at := &r.spec.Racks[i], diag.Elem("racks", i)
	words, need := r.wordsOfKinds(), 0
	sure := r.sound(at, "feeds", "cooling", "cooling_spare", "growth", "at") && len(r.unmade) == 0
	for k, n := range per {
		if n == 0 {
			continue
		}
		sure = sure && r.sureOf(k)
		need = max(need, arith.CeilDiv(max(r.graph.Kinds()[k].Count-seen[k], 0), n))
		if of := r.spec.TemplatesOf(words[k]); t.Count == 0 && len(of) > 1 && r.sound(at+".count") {
			other := of[0]
			if other == i {
				other = of[1]
			}
			r.fault(at+".count", "missing\n%s stands in racks %s as well: write how many racks of each there are",
				words[k], r.spec.Racks[other].Name)
		}
	}
	switch {
	case t.Count == 0:
		own.Racks = need
	case need < t.Count && len(own.Seats) > 0 && sure:
		r.fault(at+".count", "boxes fill %s of %d\nwrite count: %d, or more boxes", english.Count(need, "rack"),
			t.Count, need)
	}
}

// spansOf are the rack positions where the racks of a template are to stand. stands has those of the templates before.
func (r *resolver) spansOf(i, racks int, stands map[embed.Span]string) []embed.Span {
	room := r.spec.Named()
	var out []embed.Span
	known, positions := true, 0
	for j, entry := range r.spec.Racks[i].At {
		path := diag.Elem(diag.Elem("racks", i)+".at", j)
		spans := spec.Spans(room, entry)
		if r.spec.RowsUnread() {
			continue
		}
		if spans == nil {
			r.fault(path, "%q is not a row, rack position or range of either\nwrite %s, %s, or a range", entry,
				room.RowName(0), room.Example())
		}
		for _, s := range spans {
			perRow := room.RowRacks(s.Row)
			switch {
			case room.Rows > 0 && s.Row >= room.Rows:
				r.fault(path, "there are only %d rows, the last is %s", room.Rows, room.RowName(room.Rows-1))
			case perRow > 0 && s.To > perRow:
				r.fault(path, "row %s has only %d rack positions", room.RowName(s.Row), perRow)
			case s.To == 0 && perRow == 0:
				known = false
			case s.To == 0:
				positions += perRow
			default:
				positions += s.To - s.From + 1
			}
			span := embed.Span(s)
			for other, name := range stands {
				if other.Row == span.Row && (other.To == 0 || span.To == 0 ||
					other.From <= span.To && span.From <= other.To) {
					r.fault(path, "racks %s have positions of row %s there already%s", name, room.RowName(s.Row),
						sharedPositions(room, other, span))
					break
				}
			}
			stands[span] = r.spec.Racks[i].Name
			out = append(out, span)
		}
	}
	if out != nil && known && positions < racks && r.sound(diag.Elem("racks", i)+".count") && r.sound("room.rows") &&
		(r.spec.Racks[i].Count > 0 || len(r.faults) == 0) {
		r.fault(diag.Elem("racks", i)+".at", "%s for %s", english.Count(positions, "position"),
			english.Count(racks, "rack"))
	}
	return out
}

// seater finds the seats of a template.
type seater struct {
	*resolver
	template int
	words    []string
	per      []int    // seats of each kind in a rack
	taken    []string // what stands at each rack unit, from 1
}

// seats lists the seats of a rack in the order of the entries.
func (s *seater) seats() []embed.Seat {
	units := 0 // of the lowest of its types
	for _, of := range s.templateTypes[s.template] {
		if n := s.racks[of].Units; units == 0 || n < units {
			units = n
		}
	}
	s.taken = make([]string, units+1)
	var out []embed.Seat
	t := &s.spec.Racks[s.template]
	for j := range t.Holds {
		h, at := &t.Holds[j], diag.Elem(diag.Elem("racks", s.template)+".holds", j)
		kind := s.kind(h, at)
		if units == 0 {
			continue
		}
		if kind < 0 || s.boxes[kind] == nil {
			s.unknownBoxes(h, at)
			continue
		}
		seats := s.entry(h, at, kind)
		s.per[kind] += len(seats)
		out = append(out, seats...)
	}
	return out
}

// unknownBoxes reserves the units of boxes of which it is not known what they are: at least those that are written.
func (s *seater) unknownBoxes(h *spec.Held, at string) {
	_, word := h.Word()
	for k, p := range h.Units {
		if stretch, ok := p.Stretch(); ok {
			s.reserveUnits(diag.Elem(at+".units", k), stretch, word)
		}
	}
}

// kind finds the kind of boxes of an entry, -1 where there is none.
func (s *seater) kind(h *spec.Held, at string) int {
	key, word := h.Word()
	found := -1
	var names []string
	for k, name := range s.words {
		if h.Names(name) {
			if found >= 0 {
				s.fault(at+"."+key, "%s has several kinds of switches\nwrite an entry for each: %s, %s", word,
					s.words[found], name)
				return -1
			}
			found = k
		}
		if key == "boxes" || s.graph.Kinds()[k].Role == topology.Switch {
			names = append(names, name)
		}
	}
	switch {
	case word == "" || s.spec.OthersThan(h) != nil || found < 0 && s.maybe(word): // reported
	case found < 0:
		for i := range s.spec.Fabrics {
			if key == "switch" {
				names = append(names, s.spec.Fabrics[i].Name)
			}
		}
		s.fault(at+"."+key, "there are no boxes %q\n%s", word, diag.Suggest(word, names, "there are "))
	case key == "switch" && s.graph.Kinds()[found].Role != topology.Switch:
		s.fault(at+".switch", "%s is not a kind of switches\nwrite boxes: %s", word, word)
		return -1
	}
	return found
}

// redundancy checks how many boxes of an entry may fail.
func (s *seater) redundancy(h *spec.Held, at string, part *catalog.Part) {
	if h.Redundancy == "" {
		return
	}
	n := h.Places(part.Units)
	if part.ZeroU {
		n = h.Places(0)
	}
	if n == 0 {
		return // the places are missing, which is reported
	}
	if _, ok := h.Redundancy.Spare(n); part.Supply == nil {
		s.fault(at+".redundancy", "%s states no outlets (supply)\nwrite the redundancy of inlets in the part", part.ID)
	} else if !ok || h.Redundancy == "2N" && n%2 != 0 {
		s.fault(at+".redundancy", "%q is not a redundancy of %s\nwrite N, N+1 or 2N, so that some are left",
			h.Redundancy, english.Count(n, "box"))
	}
}

// entry lists the seats of an entry in a rack.
func (s *seater) entry(h *spec.Held, at string, kind int) []embed.Seat {
	part, units := s.boxes[kind].Part, len(s.taken)-1
	if h.Feed != "" && part.Supply == nil {
		s.fault(at+".feed", "%s states no outlets (supply), and boxes without outlets draw from those of the rack\n"+
			"remove feed, or state supply in the part", part.ID)
	}
	s.redundancy(h, at, part)
	rear := h.Face == spec.RearFace
	var out []embed.Seat
	if part.ZeroU {
		if h.Units != nil {
			s.fault(at+".units", "%s stands beside the units of racks\nwrite how many stand in every rack (count)",
				part.ID)
		}
		for range h.Places(0) {
			out = append(out, embed.Seat{Kind: kind, Unit: (units + 1) / 2, Rear: rear || h.Face == ""})
		}
		return out
	}
	switch {
	case h.Count > 0:
		s.fault(at+".count", "is for boxes beside the units of racks\nwrite the units of %s in every rack",
			s.words[kind])
	case h.Units == nil:
		s.fault(at, "the units of %s are missing\nwrite them, such as units: [5-12]", s.words[kind])
	}
	for k, p := range h.Units {
		stretch, ok := p.Stretch()
		path := diag.Elem(at+".units", k)
		switch n := stretch.Last - stretch.First + 1; {
		case !ok: // the check of the spec has told
			continue
		case !p.Range():
			stretch.Last = stretch.First + max(part.Units, 1) - 1
		case n%max(part.Units, 1) != 0:
			s.fault(path, "%s, and a box of kind %s (%s) takes %d\nwrite %d-%d", english.Count(n, "rack unit"),
				s.words[kind], part.ID, part.Units, stretch.First,
				stretch.First+arith.CeilDiv(n, part.Units)*part.Units-1)
			s.reserveUnits(path, stretch, s.words[kind])
			continue
		}
		if s.reserveUnits(path, stretch, s.words[kind]) {
			for u := stretch.First; u <= stretch.Last; u += max(part.Units, 1) {
				out = append(out, embed.Seat{Kind: kind, Unit: u, Rear: rear})
			}
		}
	}
	return out
}

// reserveUnits reserves units of a rack for boxes of a kind. It reports whether they exist and are free.
func (s *seater) reserveUnits(path string, units layout.Stretch, word string) bool {
	most := len(s.taken) - 1
	if units.Last > most {
		s.fault(path, "%s reaches up to unit %d, and a rack %s has %d", word, units.Last,
			s.spec.Racks[s.template].Name, most)
		return false
	}
	for u := units.First; u <= units.Last; u++ {
		if s.taken[u] != "" {
			s.fault(path, "unit %d is taken by %s\ngive every box units of its own", u, s.taken[u])
			return false
		}
	}
	for u := units.First; u <= units.Last; u++ {
		s.taken[u] = word
	}
	return true
}

// ownSwitches reports whether templates of racks hold the switches of a fabric, or these are access switches of the
// racks that they stand in.
func (r *resolved) ownSwitches(f *fabric) bool {
	words := r.wordsOfKinds()
	for _, at := range f.switches {
		if len(r.spec.TemplatesOf(words[at.Kind])) > 0 {
			return true
		}
	}
	i := slices.Index(r.fabrics, f)
	return i < len(r.spec.Fabrics) && i >= 0 && isOfRacks(&r.spec.Fabrics[i])
}

// isOfRacks reports whether a fabric has a stated number of access switches, so many of which stand in a rack of boxes.
// Each then serves the boxes of its rack, as far as it has ports.
func isOfRacks(f *spec.Fabric) bool {
	p, ok := f.Topology.Params.(clusters.Access)
	entry, _ := f.Entry(accessSwitch)
	return ok && p.Switches > 0 && entry.Place == spec.InRack && entry.PerRack > 0
}

// pack is how boxes of a kind stand, with what the first template of racks that holds them says of it.
func (r *resolved) pack(kind int) spec.Box {
	out := *r.packs[kind]
	of := r.spec.TemplatesOf(r.wordsOfKinds()[kind])
	if len(of) == 0 {
		return out
	}
	out.Racks, out.Place, out.PerRack = r.spec.Racks[of[0]].Name, r.spec.Racks[of[0]].PlaceOf(), 0
	for _, s := range r.racksAlike[of[0]].Seats {
		if s.Kind == kind {
			out.PerRack++
		}
	}
	return out
}

// sharedPositions names the positions that two spans of a row share, after a colon; "" for a whole row.
func sharedPositions(room *layout.RoomSpec, a, b embed.Span) string {
	from, to := max(a.From, b.From), min(a.To, b.To)
	if a.To == 0 || b.To == 0 {
		from, to = a.From+b.From, a.To+b.To // those of the one that is not the whole row
	}
	switch {
	case to == 0:
		return ""
	case from == to:
		return ": " + room.PositionOf(a.Row, from)
	}
	return ": " + room.PositionOf(a.Row, from) + "-" + room.PositionOf(a.Row, to)
}
