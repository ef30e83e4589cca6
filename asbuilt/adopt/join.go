package adopt

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology/names"
	"github.com/plenum-planner/plenum/units"
)

// box is a box of the machine, which sources may have in several parts: adapters of a host, chips of a switch.
type box struct {
	name  string
	model string // "" where no source tells
	role  string // as exchange.Box has it; guessRoles sets those that no source tells
	guids map[string]bool
	macs  map[string]bool
	ports map[string]*port // by key
	place *exchange.Place  // of the first source that has one; nil for none
	kind  int              // index in draft.kinds, for boxes with cables
	links int              // cables, once settle has run
}

// port is a port of a box.
type port struct {
	key    string
	text   string // as the sources call it
	also   []string
	claim  identity.Claim // for finding it on a part of the catalog
	device string         // the RDMA device that it is a port of
	number int            // of it there
	plain  bool           // text is a number
	label  string         // of the part
	rate   units.Rate     // of a port of a kind
	link   *link          // nil for a port without a cable
}

// end is an end of a link. The port is nil where the sources tell the box alone.
type end struct {
	box  *box
	port *port
	also string // what the port may be called
}

// link is a cable.
type link struct {
	a, b    end
	rate    units.Rate
	rates   map[string]units.Rate // by chip of a switch of several planes, each of which has some lanes of the cable
	product string
	source  string
	line    int
	choice  [2]int // the source and the number of a set of which one is a cable at most
}

// place returns the source of a link, with the line if there is one.
func (l *link) place() string {
	if l.line == 0 {
		return l.source
	}
	return fmt.Sprintf("%s:%d", l.source, l.line)
}

// joining makes one machine of all sources.
type joining struct {
	boxes  []*box
	byName map[string]*box
	byGUID map[string]*box
	byMAC  map[string]*box
	links  []*link
	racks  map[string]*exchange.Rack
	order  []string // of racks
	notes  []string
	// unnamed are boxes that the sources have no name for, as they are called here.
	unnamed []string
	wrong   diag.List
}

func (j *joining) note(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// join makes one machine of all sources. Links that are down or lead to adapters inside switches are left out, with
// notes. The error is a diag.List of boxes without a proper name and of ports with two cables.
func join(sources []*exchange.Wiring) (*joining, error) {
	j := &joining{
		byName: map[string]*box{}, byGUID: map[string]*box{}, byMAC: map[string]*box{},
		racks: map[string]*exchange.Rack{},
	}
	called, apart := spellings(sources)
	if len(apart) > 0 {
		j.note("boxes whose names differ in zeros or in a domain alone are different boxes here, as they stand in one "+
			"source: %s", english.List(slices.Sorted(maps.Values(apart))))
	}
	var down, inside int
	for i, w := range sources {
		j.notes = append(j.notes, w.Notes...)
		if w.Partial {
			j.note("%s is one page of several: boxes and cables of the others are missing", w.Source)
		}
		parts := j.parts(w, called)
		for k := range w.Links {
			l := &w.Links[k]
			a, b := parts[l.A.Box], parts[l.B.Box]
			switch {
			case a.box == nil || b.box == nil:
				inside++
				continue
			case l.Down:
				down++
				continue
			case a.box == b.box && a.chip != "" && b.chip != "":
				continue // a trace between the chips of a switch
			case a.box == b.box:
				j.note("%s: a cable from %s to itself is left out", j.at(w, l.Line), a.box.name)
				continue
			}
			n := &link{
				a: j.end(&a, &l.A), b: j.end(&b, &l.B), product: l.Product,
				rates:  map[string]units.Rate{cmp.Or(a.chip, b.chip): l.LaneRate * units.Rate(l.Lanes)},
				source: w.Source, line: l.Line, choice: [2]int{i, l.Choice},
			}
			j.links = append(j.links, n)
		}
		for k := range w.Racks {
			j.rack(w.Racks[k].Name, &w.Racks[k])
		}
		for _, p := range slices.Concat(pointers(w.Places), pointers(w.Printed)) {
			if p.Rack == "" {
				continue
			}
			j.rack(p.Rack, nil)
			if b := j.byName[cmp.Or(called[p.Box], p.Box)]; b != nil && b.place == nil {
				b.place = p
			}
		}
	}
	if down > 0 {
		j.note("%s left out: down, disabled or not trained", english.Count(down, "link"))
	}
	if inside > 0 {
		j.note("%s left out: they lead to adapters inside switches", english.Count(inside, "link"))
	}
	if n := len(j.unnamed); n > 0 {
		j.note("%s without a name of its own: called by description and GUID, as %q; plenum verify finds such a box "+
			"by a map of names (--map), or by its cables", english.Count(n, "box"), j.unnamed[0])
	}
	j.chosen()
	j.settle()
	if len(j.wrong) > 0 {
		return nil, j.wrong
	}
	return j, nil
}

func pointers(places []exchange.Place) []*exchange.Place {
	out := make([]*exchange.Place, len(places))
	for i := range places {
		out[i] = &places[i]
	}
	return out
}

func (j *joining) at(w *exchange.Wiring, line int) string {
	l := link{source: w.Source, line: line}
	return l.place()
}

// rack adds a rack unless its name is "" or there already; r, if not nil, replaces what is known of it.
func (j *joining) rack(name string, r *exchange.Rack) {
	if name == "" {
		return
	}
	if _, ok := j.racks[name]; !ok {
		j.order = append(j.order, name)
		j.racks[name] = nil
	}
	if r != nil {
		j.racks[name] = r
	}
}

// spellings finds the names of one box that differ in case, a domain or zeros. of has, for each name but the first of
// these, the first. Names that are in one source and differ in more than case are of different boxes: apart has a text
// with two of them, by identity.Host.
func spellings(sources []*exchange.Wiring) (of, apart map[string]string) {
	forms := map[string][]string{}
	apart = map[string]string{}
	for _, w := range sources {
		here := map[string]string{}
		for i := range w.Boxes {
			name, _, _, _ := identity.Description(w.Boxes[i].Name)
			if name == "" {
				continue
			}
			key := identity.Host(name)
			if other, ok := here[key]; ok && !strings.EqualFold(other, name) {
				apart[key] = other + " and " + name
			}
			here[key] = name
			if !slices.Contains(forms[key], name) {
				forms[key] = append(forms[key], name)
			}
		}
		for i := range w.Places {
			if name := w.Places[i].Box; name != "" && !slices.Contains(forms[identity.Host(name)], name) {
				forms[identity.Host(name)] = append(forms[identity.Host(name)], name)
			}
		}
	}
	of = map[string]string{}
	for key, all := range forms {
		for i, name := range all {
			same := slices.IndexFunc(all, func(other string) bool {
				return apart[key] == "" || strings.EqualFold(name, other)
			})
			if same < i {
				of[name] = all[same]
			}
		}
	}
	return of, apart
}

// part is what a box of a source is of a box of the machine.
type part struct {
	box          *box
	chip, device string
	only         bool // no other adapter of the source is of this box
	number       int  // of the adapter among those that nothing tells apart, from 1
	adapter      bool
}

// parts finds or adds the box of each box of a source, in their order, by the names that called has for those of the
// source. The box of an adapter inside a switch, which reduces data in the network, is nil.
func (j *joining) parts(w *exchange.Wiring, called map[string]string) []part {
	out := make([]part, len(w.Boxes))
	count := map[*box]int{}
	bare := map[string]int{} // boxes of a name that neither a chip nor a device tells apart
	for i := range w.Boxes {
		name, _, chip, device := identity.Description(w.Boxes[i].Name)
		if name != "" && chip == "" && device == "" {
			bare[name]++
		}
	}
	for i := range w.Boxes {
		b := &w.Boxes[i]
		name, model, chip, device := identity.Description(b.Name)
		if model == identity.AggregationNode {
			continue
		}
		model = cmp.Or(model, b.Model)
		guid := cmp.Or(slices.Concat(b.GUIDs, []string{""})[0], strings.Join(b.MACs, " "))
		if b.Role == "switch" && bare[name] > 1 && chip == "" && guid != "" {
			j.note("%s: several switches are called %s: the one with GUID %s is called %s-%s here", w.Source, name,
				guid,
				name, guid)
			name += "-" + guid
		}
		x := j.box(b, cmp.Or(called[name], name), guid)
		x.model, x.role = cmp.Or(x.model, model), cmp.Or(x.role, b.Role)
		for _, g := range b.GUIDs {
			x.guids[g] = true
			j.byGUID[g] = x
		}
		for _, m := range b.MACs {
			x.macs[m] = true
			j.byMAC[m] = x
		}
		count[x]++
		out[i] = part{box: x, chip: chip, device: device, adapter: b.Role == "adapter"}
		if device == "" && chip == "" && bare[name] > 1 {
			out[i].number = count[x]
		}
	}
	for i := range out {
		out[i].only = count[out[i].box] == 1
	}
	return out
}

// box returns the box of a name or, where it has none, of an address, and adds it if there is none. A new box without a
// name is called by its description and GUID, and is listed in unnamed.
func (j *joining) box(b *exchange.Box, name, guid string) *box {
	if x := j.byName[name]; x != nil && name != "" {
		return x
	}
	if name == "" || slices.Contains(b.MACs, name) {
		for _, g := range b.GUIDs {
			if x := j.byGUID[g]; x != nil {
				return x
			}
		}
		for _, m := range b.MACs {
			if x := j.byMAC[m]; x != nil {
				return x
			}
		}
	}
	if name == "" {
		name = strings.TrimSpace(b.Name + " " + guid)
		if name == "" {
			name = fmt.Sprintf("box-%d", len(j.boxes)+1)
		}
		j.unnamed = append(j.unnamed, name)
	}
	if err := names.CheckName(name); err != nil {
		j.wrong = append(j.wrong, diag.Diagnostic{
			Message:    fmt.Sprintf("a box: %v", err),
			Suggestion: "rename it there",
		})
	}
	if x := j.byName[name]; x != nil {
		return x
	}
	x := &box{name: name, guids: map[string]bool{}, macs: map[string]bool{}, ports: map[string]*port{}}
	j.boxes = append(j.boxes, x)
	j.byName[name] = x
	return x
}

// end returns the end of a link at a box, and adds its port if it is new. The port is nil if the source does not tell
// it or has only an address of it.
func (j *joining) end(p *part, e *exchange.End) end {
	out := end{box: p.box}
	text := strings.TrimSpace(e.Port)
	switch {
	case e.Form == exchange.Untold || e.Form == exchange.Hardware || text == "":
		if also := strings.TrimSpace(e.Also); also != "" {
			if known := p.box.ports[identity.CanonicalPort(also)]; known != nil && known.text == also {
				out.port = known
				return out
			}
			out.also = also
		}
		return out
	case strings.Contains(p.chip, "/") && e.Form == exchange.Subnet:
		slot, _, _ := strings.Cut(p.chip, "/")
		if e.Outer == "" {
			out.port = p.box.port(p.chip+"/"+text, "")
			return out
		}
		out.port = p.box.port(slot+"/"+e.Outer, "")
		return out
	case p.device != "":
		out.port = p.box.port(p.device+"/"+text, "device "+p.device+" "+text)
		out.port.device = p.device
		out.port.number, _ = strconv.Atoi(text)
	case p.number > 0:
		out.port = p.box.port(fmt.Sprintf("adapter%d/%s", p.number, text), "")
	default:
		if e.Lane > 0 {
			text += "/" + strconv.Itoa(e.Lane)
		}
		out.port = p.box.port(text, "")
	}
	out.port.claim = identity.Claim{
		Text: strings.TrimSpace(e.Port), Subnet: e.Form == exchange.Subnet, Outer: e.Outer, Chip: p.chip,
		Device: p.device,
		Only:   p.only, Lane: e.Lane,
	}
	return out
}

// port returns the port of a box with a key, the canonical form of the text if key is "", and adds it if it is new.
// Another text for the same port is kept in also.
func (b *box) port(text, key string) *port {
	key = cmp.Or(key, identity.CanonicalPort(text))
	p := b.ports[key]
	if p == nil {
		p = &port{key: key, text: text}
		n, err := strconv.Atoi(text)
		p.plain = err == nil && n >= 1 && text == strconv.Itoa(n)
		b.ports[key] = p
	}
	if p.text != text && !slices.Contains(p.also, text) {
		p.also = append(p.also, text)
	}
	return p
}

// chosen takes, of several neighbours that a port hears, the one that the others confirm: a link between the same boxes
// that a source has otherwise. Where there is not just one, all are left out.
func (j *joining) chosen() {
	sure := map[[2]*box]bool{}
	sets := map[[2]int][]*link{}
	for _, l := range j.links {
		if l.choice[1] == 0 {
			sure[[2]*box{l.a.box, l.b.box}], sure[[2]*box{l.b.box, l.a.box}] = true, true
		} else {
			sets[l.choice] = append(sets[l.choice], l)
		}
	}
	drop := map[*link]bool{}
	unclear := 0
	for _, set := range sets {
		var kept []*link
		for _, l := range set {
			if sure[[2]*box{l.a.box, l.b.box}] {
				kept = append(kept, l)
			}
		}
		if len(set) > 1 && len(kept) != 1 {
			kept = nil
			unclear++
		} else if len(set) == 1 {
			kept = set
		}
		for _, l := range set {
			drop[l] = !slices.Contains(kept, l)
		}
	}
	j.links = slices.DeleteFunc(j.links, func(l *link) bool { return drop[l] })
	if unclear > 0 {
		j.note("%s left out: several neighbours are heard there, and no source tells which the cable leads to",
			english.Count(unclear, "port"))
	}
}

// settle makes one link of all that are the same, with their rates and product together, and adds a mistake to wrong
// for a second link in one port. Then it sets the rate of every link, over all chips, and counts the links of boxes.
func (j *joining) settle() {
	var kept, half []*link
	same := func(x, y *link) bool {
		match := func(a, b end) bool {
			return a.box == b.box && (a.port == nil || b.port == nil || a.port == b.port)
		}
		return match(x.a, y.a) && match(x.b, y.b) || match(x.a, y.b) && match(x.b, y.a)
	}
	take := func(l *link) {
		for _, e := range []*end{&l.a, &l.b} {
			other := (*link)(nil)
			if e.port != nil {
				other = e.port.link
			}
			switch {
			case other == nil:
				continue
			case same(l, other):
				for chip, r := range l.rates {
					other.rates[chip] = max(other.rates[chip], r)
				}
				other.product = cmp.Or(other.product, l.product)
				return
			}
			at := diag.Position{File: l.source, Line: max(l.line, 1), Column: 1}
			j.wrong = append(j.wrong, diag.Diagnostic{
				Pos: at, Message: fmt.Sprintf("port %s of %s has a cable to %s here, and one to %s at %s", e.port.text,
					e.box.name, l.far(e.box).name, other.far(e.box).name, other.place()),
				Suggestion: "a port has one cable: leave one of the two out",
			})
			return
		}
		for _, e := range []*end{&l.a, &l.b} {
			if e.port != nil {
				e.port.link = l
			}
		}
		kept = append(kept, l)
	}
	for _, l := range j.links {
		if l.a.port == nil || l.b.port == nil {
			half = append(half, l)
			continue
		}
		take(l)
	}
	for _, l := range j.pair(half, same) {
		take(l)
	}
	j.links = kept
	for _, l := range j.links {
		for _, r := range l.rates {
			l.rate += r
		}
		l.a.box.links++
		l.b.box.links++
	}
}

// far returns the box at the other end of a link than b.
func (l *link) far(b *box) *box {
	if l.a.box == b {
		return l.b.box
	}
	return l.a.box
}

// pair joins what two boxes report of a link, each of which tells its own port alone: of several between the same
// boxes, in the order of the sources. A port that no source tells gets a name; links without any port are left out.
func (j *joining) pair(half []*link, same func(x, y *link) bool) []*link {
	type pairs struct{ there, back []*link }
	between := map[[2]*box]*pairs{}
	var order []*pairs
	dark := 0
	for _, l := range half {
		if l.a.port == nil {
			l.a, l.b = l.b, l.a
		}
		switch {
		case l.a.port == nil:
			dark++
			continue
		case l.a.port.link != nil && same(l, l.a.port.link):
			continue
		}
		key := [2]*box{l.a.box, l.b.box}
		p, back := between[key], false
		if p == nil {
			p, back = between[[2]*box{l.b.box, l.a.box}], true
		}
		if p == nil {
			p, back = &pairs{}, false
			between[key] = p
			order = append(order, p)
		}
		side := &p.there
		if back {
			side = &p.back
		}
		if !slices.ContainsFunc(*side, func(o *link) bool { return o.a.port == l.a.port }) {
			*side = append(*side, l)
		}
	}
	if dark > 0 {
		j.note("%s left out: no source tells a port of theirs", english.Count(dark, "link"))
	}
	var out []*link
	guessed, named := 0, 0
	for _, p := range order {
		for i, l := range p.there {
			if i < len(p.back) {
				l.b.port = p.back[i].a.port
				if len(p.there) > 1 || len(p.back) > 1 {
					guessed++
				}
			}
			out = append(out, l)
		}
		if len(p.back) > len(p.there) {
			out = append(out, p.back[len(p.there):]...)
		}
	}
	for _, l := range out {
		if l.b.port != nil {
			continue
		}
		named++
		text := l.b.also
		if text == "" || l.b.box.ports[identity.CanonicalPort(text)] != nil {
			for n := len(l.b.box.ports) + 1; ; n++ {
				text = fmt.Sprintf("unknown%d", n)
				if l.b.box.ports[text] == nil {
					break
				}
			}
		}
		l.b.port = l.b.box.port(text, "")
	}
	if guessed > 0 {
		j.note("%s of several between the same boxes: which port leads to which is a guess, in the order of the "+
			"sources",
			english.Count(guessed, "link"))
	}
	if named > 0 {
		j.note("%s without a name in the sources: called by its description, or unknown1, unknown2, ...",
			english.Count(named, "port"))
	}
	return out
}
