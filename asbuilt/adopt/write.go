package adopt

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/topology/graphio"
	"github.com/plenum-planner/plenum/units"
)

// draft is a machine whose files are written, for one trial after another.
type draft struct {
	o      Options
	j      *joining
	kinds  []*kind
	before []string // notes of the sources
	notes  []string
	known  bool                // the trial uses parts of the catalog
	own    map[units.Rate]bool // rates of ports with a connector that the machine file defines
	t      trial
}

func (d *draft) note(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

// quoted writes a text for YAML.
func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text is always written
	return strings.TrimSuffix(b.String(), "\n")
}

// hasPlaces reports whether a source has the place of any box with a cable.
func (d *draft) hasPlaces() bool {
	return slices.ContainsFunc(d.j.boxes, func(b *box) bool { return b.place != nil && b.links > 0 })
}

// hasModels reports whether the model of any kind is a part of the catalog.
func (d *draft) hasModels() bool {
	return slices.ContainsFunc(d.kinds, func(k *kind) bool { return partOf(k.model) != nil })
}

// write returns the files of the machine by name, and replaces the notes and the parts of kinds by those of the trial.
func (d *draft) write(t trial) map[string][]byte {
	d.t = t
	d.notes, d.known, d.own = slices.Clone(d.before), false, map[units.Rate]bool{}
	for _, k := range d.kinds {
		k.part = nil
		p := partOf(k.model)
		if p == nil || !t.catalogued || (p.Kind == catalog.KindSwitch) != k.isSwitch() {
			continue
		}
		switch {
		case p.Adapter != "" && p.Kind != catalog.KindNode, !k.plug(p):
			d.note("%s (%s): not the part %s of the catalog, which does not have all of its ports", k.name, k.model,
				p.ID)
		default:
			k.part, d.known = p, true
			d.note("%s: the part %s of the catalog, by the model %s", k.name, p.ID, k.model)
		}
	}
	name := d.o.Name
	parts := d.parts() // names the ports
	files := map[string][]byte{name + ".json": d.graph()}
	var b strings.Builder
	room := ""
	if t.placed {
		files[name+"-racks.csv"], files[name+"-places.csv"] = d.racks()
		room = fmt.Sprintf("\nroom: {rack_list: %s}\n\nembedding: {placement: %s}\n", quoted(name+"-racks.csv"),
			quoted(name+"-places.csv"))
	} else if !d.hasPlaces() {
		d.note("no source says where boxes stand: they are placed in racks as suits their cables")
	}
	if cables := d.cables(); cables != nil {
		files[name+"-cables.csv"] = cables
		room += fmt.Sprintf("\nowned: {cables: %s}\n", quoted(name+"-cables.csv"))
	}
	if t.tight {
		room += "\ncabling: {route: direct, slack: {fixed: 0 m, in_rack: 0 m}}\n"
		d.note("cables run straight and without slack: with their usual routes, some of those that the sources list " +
			"are too short for the places")
	}
	fmt.Fprintf(&b, "# The machine as it stands. What the sources say and what was guessed:\n")
	for _, n := range d.notes {
		fmt.Fprintf(&b, "#   - %s\n", strings.Join(strings.Fields(n), " "))
	}
	fmt.Fprintf(&b, "name: %s\n\ntopology: {family: file, path: %s, named_ports: true}\n\npackaging:\n  kinds:\n",
		quoted(name), quoted(name+".json"))
	for _, k := range d.kinds {
		id := "adopted-" + k.name
		if k.part != nil {
			id = k.part.ID
		}
		place := ""
		if k.base == "spine" && !t.placed {
			place = ", place: network-row"
		} else if k.isSwitch() {
			place = ", place: in-rack"
		}
		adapter := ""
		if k.part != nil && k.part.Adapter != "" {
			adapter = ", adapter: none"
		}
		fmt.Fprintf(&b, "    %s: {part: %s%s%s}  # %s\n", k.name, id, place, adapter,
			english.Count(len(k.boxes), map[bool]string{true: "switch", false: "node"}[k.isSwitch()]))
	}
	b.WriteString(room)
	if parts != "" {
		fmt.Fprintf(&b, "\nparts:\n%s", parts)
	}
	files[name+".yaml"] = []byte(b.String())
	return files
}

// graph writes boxes and cables in the form that the family file reads.
func (d *draft) graph() []byte {
	var b bytes.Buffer
	b.WriteString("{\"nodes\": [")
	sep := "\n"
	for _, k := range d.kinds {
		role := "switch"
		if !k.isSwitch() {
			role = d.role(k)
		}
		for _, x := range k.boxes {
			fmt.Fprintf(&b, "%s  {\"id\": %s, \"kind\": %s, \"role\": %q}", sep, quoted(x.name), quoted(k.name), role)
			sep = ",\n"
		}
	}
	b.WriteString("\n], \"links\": [")
	sep = "\n"
	for _, l := range d.levels() {
		a, z := d.kinds[l.a.box.kind].ports[l.a.port.key], d.kinds[l.b.box.kind].ports[l.b.port.key]
		fmt.Fprintf(&b, "%s  {\"source\": %s, \"port_a\": %s, \"target\": %s, \"port_b\": %s, \"level\": %q}", sep,
			quoted(l.a.box.name), quoted(a.label), quoted(l.b.box.name), quoted(z.label), l.level)
		sep = ",\n"
	}
	b.WriteString("\n]}\n")
	return b.Bytes()
}

// role is that of nodes: those that are cabled to each other, or of which a machine has no switches for, pass on what
// others send.
func (d *draft) role(k *kind) string {
	for _, l := range d.j.links {
		if d.kinds[l.a.box.kind] == k && !d.kinds[l.b.box.kind].isSwitch() ||
			d.kinds[l.b.box.kind] == k && !d.kinds[l.a.box.kind].isSwitch() {
			return "node"
		}
	}
	return "terminal"
}

// levelled is a link with its level.
type levelled struct {
	*link
	level string
}

// levels gives links their levels: those to nodes, and those between switches. Several cables between two boxes whose
// ports do not follow each other are of levels of their own, as one link has ports next to each other.
func (d *draft) levels() []levelled {
	number := make([]map[string]int, len(d.kinds))
	for i, k := range d.kinds {
		number[i] = map[string]int{}
		var labels []string
		for _, p := range k.sorted() {
			labels = append(labels, p.label)
		}
		slices.SortFunc(labels, graphio.CompareNatural)
		for at, label := range labels {
			number[i][label] = at
			if n, err := strconv.Atoi(label); err == nil && d.numeric(labels) {
				number[i][label] = n
			}
		}
	}
	at := func(e end) int { return number[e.box.kind][d.kinds[e.box.kind].ports[e.port.key].label] }
	var order []*link
	for _, l := range d.j.links {
		x, y := l.a.box, l.b.box
		if (d.kinds[y.kind].isSwitch() != d.kinds[x.kind].isSwitch() && d.kinds[y.kind].isSwitch()) ||
			d.kinds[y.kind].isSwitch() == d.kinds[x.kind].isSwitch() && graphio.CompareNatural(x.name, y.name) > 0 {
			l.a, l.b = l.b, l.a
		}
		order = append(order, l)
	}
	slices.SortFunc(order, func(x, y *link) int {
		return cmp.Or(cmp.Compare(x.a.box.kind, y.a.box.kind), graphio.CompareNatural(x.a.box.name, y.a.box.name),
			cmp.Compare(x.b.box.kind, y.b.box.kind), graphio.CompareNatural(x.b.box.name, y.b.box.name),
			cmp.Compare(at(x.a), at(y.a)))
	})
	out := make([]levelled, len(order))
	run := 1
	for i, l := range order {
		level := "link"
		if !d.kinds[l.b.box.kind].isSwitch() && d.kinds[l.a.box.kind].isSwitch() {
			level = "terminal"
		}
		if i > 0 && order[i-1].a.box == l.a.box && order[i-1].b.box == l.b.box {
			if p := order[i-1]; at(l.a) != at(p.a)+1 || at(l.b) != at(p.b)+1 {
				run++
			}
		} else {
			run = 1
		}
		if run > 1 {
			level += "-" + strconv.Itoa(run)
		}
		out[i] = levelled{l, level}
	}
	return out
}

func (d *draft) numeric(labels []string) bool {
	return !slices.ContainsFunc(labels, func(l string) bool {
		n, err := strconv.Atoi(l)
		return err != nil || n < 1 || strconv.Itoa(n) != l
	})
}

// connectors of ports for which the catalog has cables of any length that a room needs.
var connectors = map[units.Rate]string{
	managementRate: "rj45", 10: "rj45", 100: "qsfp28", 200: "qsfp56", 400: "qsfp112",
}

// connector is that of a port of a part of the machine's own: that of the part of the catalog at the other end, else
// one for which there is a cable, else one of its own with a cable of its own.
func (d *draft) connector(p *port) string {
	if d.t.products {
		d.own[p.rate] = true
		return ownConnector(p.rate)
	}
	for _, e := range []end{p.link.a, p.link.b} {
		k := d.kinds[e.box.kind]
		if k.part == nil || k.ports[e.port.key] == p {
			continue
		}
		label := k.ports[e.port.key].label
		for i := range k.part.Ports {
			g := &k.part.Ports[i]
			for n := range g.Count {
				if g.PortName(n) == label {
					if g.Connector == "osfp" && g.Rate == 400 {
						return "osfp-flat" // one link a module, where the cage of a switch has two
					}
					return g.Connector
				}
			}
		}
	}
	if item, err := catalog.ParseItem(p.link.product); err == nil {
		if part := catalog.Default().Part(item.Part); part != nil && part.Cable != nil && part.Cable.Ordinary() &&
			!part.Cable.Medium.Fibre() && part.Cable.Rate == p.rate {
			return part.Cable.Connector
		}
	}
	if c := connectors[p.rate]; c != "" {
		return c
	}
	d.own[p.rate] = true
	return ownConnector(p.rate)
}

// item is the cable that the sources list for a link, as far as a machine file can name it.
func (d *draft) item(l *link) (catalog.Item, bool) {
	item, err := catalog.ParseItem(l.product)
	if err != nil || item.Length <= 0 {
		return item, false
	}
	part := catalog.Default().Part(item.Part)
	return item, part != nil && part.Cable != nil || part == nil && d.t.products && slugOf(item.Part) == item.Part
}

// products writes the cables that the sources list as parts of the machine's own: cables of one link that fit the
// ports which are guessed, in place of those of the catalog that do not.
func (d *draft) products(b *strings.Builder) {
	type product struct {
		rate    units.Rate
		lengths []units.Length
	}
	all := map[string]*product{}
	for _, l := range d.j.links {
		item, ok := d.item(l)
		if !ok {
			continue
		}
		p := all[item.Part]
		if p == nil {
			p = &product{}
			all[item.Part] = p
		}
		p.rate = max(p.rate, l.rate)
		p.lengths = append(p.lengths, item.Length)
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		p := all[id]
		slices.Sort(p.lengths)
		var lengths []string
		for _, n := range slices.Compact(p.lengths) {
			lengths = append(lengths, strconv.FormatFloat(float64(n), 'f', -1, 64))
		}
		fmt.Fprintf(b, "  - id: %s\n    kind: cable\n    description: as the sources list it, taken for a cable of "+
			"one link\n"+
			"    source: guessed\n    confidence: estimate\n    cable: {medium: active-optical, connector: %s, "+
			"rate: %v, "+
			"lengths: [%s], propagation: 4.9 ns/m}\n", id, ownConnector(p.rate), p.rate, strings.Join(lengths, ", "))
		if old := catalog.Default().Part(id); old != nil && old.Cable.Medium.Fibre() { // optics of the catalog need it
			fmt.Fprintf(b, "  - id: adopted-%s\n    kind: cable\n    description: fibre of the catalog, for its "+
				"optics\n"+
				"    source: the catalog\n    confidence: estimate\n    cable: {medium: %s, connector: %s, "+
				"made_to_measure: "+
				"500 m, propagation: 4.9 ns/m}\n", id, old.Cable.Medium, old.Cable.Connector)
		}
	}
	if len(all) > 0 {
		d.note("%s as the sources list them are parts of the machine's own, each a cable of one link: which plugs fit "+
			"which ports, and which links share a plug, is not known", english.Count(len(all), "cable product"))
	}
}

func ownConnector(r units.Rate) string { return "adopted-" + slugOf(r.String()) }

// parts writes the parts of the machine's own.
func (d *draft) parts() string {
	var b strings.Builder
	for _, k := range d.kinds {
		if k.part != nil {
			continue
		}
		k.labels()
		d.ownPart(&b, k)
	}
	if d.t.products {
		d.products(&b)
	}
	rates := make([]units.Rate, 0, len(d.own))
	for r := range d.own {
		rates = append(rates, r)
	}
	slices.Sort(rates)
	for _, r := range rates {
		id := "adopted-cable-" + slugOf(r.String())
		d.note("links of %v: cables are a part of the machine's own, %s, as the catalog has none for all lengths", r,
			id)
		fmt.Fprintf(&b, "  - id: %s\n    kind: cable\n    description: cable of %v of an unknown kind (guessed)\n"+
			"    source: guessed\n    confidence: estimate\n    cable: {medium: active-optical, connector: %s, "+
			"rate: %v, "+
			"made_to_measure: 100 m, propagation: 4.9 ns/m}\n", id, r, ownConnector(r), r)
	}
	return b.String()
}

// group is a run of equal ports of a part.
type group struct {
	connector string
	rate      units.Rate
	first     int // of ports that are numbers
	ports     []*port
}

func (d *draft) ownPart(b *strings.Builder, k *kind) {
	word := map[bool]string{true: "switch", false: "node"}[k.isSwitch()]
	height := max(k.height, 1)
	from := "its size is a guess"
	if k.height > 0 {
		from = "its height is that of the sources"
	}
	d.note("%s: a part of the machine's own, with the ports that have cables; %s", k.name, from)
	fmt.Fprintf(b, "  - id: adopted-%s\n    kind: %s\n    description: %s\n    source: %s\n    confidence: estimate\n"+
		"    units: %d\n    ports:\n", k.name, word,
		quoted(cmp.Or(k.model, word+" of an unknown model")+", guessed from its cables"), quoted("guessed; "+from),
		height)
	var groups []group
	take := func(p *port, number int) {
		var g group
		if p == nil { // a number without a cable
			groups[len(groups)-1].ports = append(groups[len(groups)-1].ports, nil)
			return
		}
		g = group{d.connector(p), p.rate, number, []*port{p}}
		if n := len(groups); n > 0 && groups[n-1].connector == g.connector && groups[n-1].rate == g.rate {
			groups[n-1].ports = append(groups[n-1].ports, p)
			return
		}
		groups = append(groups, g)
	}
	ports := k.sorted()
	if k.plain() {
		next := 1
		for _, p := range ports {
			n, _ := strconv.Atoi(p.text)
			if len(groups) == 0 && n > 1 { // those before have the rate of the first
				groups = append(groups, group{d.connector(p), p.rate, 1, nil})
			}
			for ; next < n; next++ {
				take(nil, next)
			}
			take(p, n)
			next = n + 1
		}
	} else {
		for _, p := range ports {
			take(p, 0)
		}
	}
	for _, g := range groups {
		fmt.Fprintf(b, "      - {count: %d, connector: %s, rate: %v", len(g.ports), g.connector, g.rate)
		if g.first > 0 {
			fmt.Fprintf(b, ", first: %d", g.first)
		} else {
			g.names(b)
		}
		b.WriteString("}\n")
	}
}

var systemName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._+:/-]*( [A-Za-z0-9._+:/-]+)*$`)

// names writes what ports are called.
func (g *group) names(b *strings.Builder) {
	list := func(key string, of func(p *port) string) {
		var out []string
		any := false
		for _, p := range g.ports {
			any = any || of(p) != ""
			out = append(out, quoted(of(p)))
		}
		if any {
			fmt.Fprintf(b, ", %s: [%s]", key, strings.Join(out, ", "))
		}
	}
	list("names", func(p *port) string { return p.label })
	list("device", func(p *port) string { return p.device })
	more := 0
	others := map[*port][]string{}
	for _, p := range g.ports {
		for _, text := range append([]string{p.text}, p.also...) {
			if text != p.label && len(text) <= 64 && systemName.MatchString(text) {
				others[p] = append(others[p], text)
			}
		}
		more = max(more, len(others[p]))
	}
	if more == 0 {
		return
	}
	var all []string
	for i := range min(more, 16) {
		var out []string
		for _, p := range g.ports {
			text := ""
			if i < len(others[p]) {
				text = others[p][i]
			}
			out = append(out, quoted(text))
		}
		all = append(all, "["+strings.Join(out, ", ")+"]")
	}
	fmt.Fprintf(b, ", aliases: [%s]", strings.Join(all, ", "))
}

var trailing = lazyregexp.New(`[-_. ]*[0-9]+$`)

// cables lists the cables of which the sources tell the product; nil where they tell none.
func (d *draft) cables() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"level", "product", "a_device", "a_port", "b_device", "b_port"})
	found := false
	for _, l := range d.levels() {
		if _, ok := d.item(l.link); !ok {
			continue
		}
		found = true
		_ = w.Write([]string{
			l.level, l.product, l.a.box.name, d.kinds[l.a.box.kind].ports[l.a.port.key].label, l.b.box.name,
			d.kinds[l.b.box.kind].ports[l.b.port.key].label,
		})
	}
	w.Flush()
	if !found {
		return nil
	}
	return b.Bytes()
}

// racks writes the list of racks and where boxes stand.
func (d *draft) racks() (racks, places []byte) {
	names := slices.Clone(d.j.order)
	slices.SortFunc(names, graphio.CompareNatural)
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"name", "row", "position", "type", "units"})
	tops := map[string]int{} // the highest unit that a box begins at
	for _, x := range d.j.boxes {
		if x.place != nil && x.links > 0 {
			tops[x.place.Rack] = max(tops[x.place.Rack], x.place.Unit)
		}
	}
	position := map[string]int{}
	for _, name := range names {
		row := cmp.Or(trailing.ReplaceAllString(name, ""), "R")
		at, err := strconv.Atoi(digits.FindString(trailing.FindString(name)))
		if err != nil || at <= position[row] || at > 1000 {
			at = position[row] + 1
		}
		position[row] = at
		kind, height := "rack-42u", ""
		units := tops[name]
		if r := d.j.racks[name]; r != nil && r.Units > 0 {
			units = r.Units
			height = strconv.Itoa(units)
		}
		switch {
		case units > 48:
			kind = "rack-52u"
		case units > 42:
			kind = "rack-48u"
		}
		_ = w.Write([]string{name, row, strconv.Itoa(position[row]), kind, height})
	}
	w.Flush()
	d.note("the rows of racks and their order are guessed from their names, and their type from how high they are")
	racks = slices.Clone(b.Bytes())
	b.Reset()
	w = csv.NewWriter(&b)
	_ = w.Write([]string{"label", "container", "unit", "face"})
	type spot struct {
		rack string
		unit int
	}
	taken := map[spot]bool{}
	open, shared := 0, 0
	for _, k := range d.kinds {
		for _, x := range k.boxes {
			if x.place == nil {
				open++
				continue
			}
			r := d.j.racks[x.place.Rack]
			if r == nil {
				r = &exchange.Rack{}
			}
			unit, half := x.place.FromFloor(r, max(x.place.Height, 1))
			at := spot{x.place.Rack, unit}
			switch {
			case unit < 1 || half: // a place has to say a whole unit
				open++
				continue
			case taken[at]:
				shared++
				continue
			}
			taken[at] = true
			_ = w.Write([]string{x.name, x.place.Rack, strconv.Itoa(unit), x.place.Face})
		}
	}
	w.Flush()
	if shared > 0 {
		d.note("%s stand in a unit that another box has, as those of a chassis do: placed beside the others",
			english.Count(shared, "box"))
	}
	if open > 0 {
		d.note("%s without a unit in the sources: placed beside the others", english.Count(open, "box"))
	}
	return racks, b.Bytes()
}
