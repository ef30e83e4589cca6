package machine

import (
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/fabrics"
	"github.com/plenum-planner/plenum/units"
)

// fabric is one network of a machine.
type fabric struct {
	name  string // "" of a machine with one topology
	path  string // where the file has the topology
	graph topology.Graph
	// part is its number among the graphs that fabrics.Join has joined, -1 where the graph is that of the machine.
	part int
	// kinds are the machine's kinds that the kinds of the graph are.
	kinds []int
	// Of a machine with several fabrics: the topology before boxes are plugged in, the boxes that are, and what these
	// and the switches, by the names of their kinds, are among those of the machine.
	bare     topology.Graph
	ends     []fabrics.Ends
	attached []fabrics.Attachment
	switches map[string]fabrics.Attachment
	seats    [][]fabrics.Seat // of the boxes of every kind of ends, where given; nil where boxes are plugged in in turn
	// deals tells that the ports of boxes are dealt out to the switches, and each port of a switch is a place.
	deals bool
}

// plug plugs boxes into the topology of a fabric, at f.places if these are given, else in the order, and sets graph and
// kinds of f.
func (f *fabric) plug(order []fabrics.Box) (fabrics.Fabric, error) {
	var g topology.Graph
	var err error
	if f.seats != nil {
		g, err = fabrics.PlugAt(f.bare, f.ends, f.seats)
	} else {
		g, err = fabrics.Plug(f.bare, f.ends, order)
	}
	if err != nil {
		return fabrics.Fabric{}, err
	}
	f.graph, f.kinds = g, nil
	out := fabrics.Fabric{Name: f.name, Graph: g}
	ends := f.attached
	for _, k := range g.Kinds() {
		at := f.switches[k.Name]
		if k.Role != topology.Switch {
			at, ends = ends[0], ends[1:]
		}
		f.kinds = append(f.kinds, at.Kind)
		out.Attached = append(out.Attached, at)
	}
	return out, nil
}

// fabricOfLevel is the number of the fabric of every level of the machine, -1 for uplinks.
func (r *resolved) fabricOfLevel(g *fabrics.Machine) []int {
	out := make([]int, len(g.Levels()))
	for level := range out {
		out[level] = -1
	}
	for i, f := range r.fabrics {
		first, end := g.FabricLevels(f.part)
		for level := first; level < end; level++ {
			out[level] = i
		}
	}
	return out
}

// ownerOfLevel is the number of the fabric that has each level of the machine, that of its uplinks too.
func (r *resolved) ownerOfLevel() []int {
	var out []int
	for _, l := range r.graph.Levels() {
		name, _, _ := strings.Cut(l.Name, "/")
		out = append(out, slices.IndexFunc(r.fabrics, func(f *fabric) bool { return f.name == name }))
	}
	return out
}

// inMachine are the kinds of the graph of a fabric, by their names in the machine, with their boxes.
func (r *resolved) inMachine(f *fabric) ([]topology.Kind, []*cabling.Box, []*catalog.Part) {
	kinds, boxes := slices.Clone(f.graph.Kinds()), make([]*cabling.Box, len(f.kinds))
	adapters := make([]*catalog.Part, len(f.kinds))
	for k, of := range f.kinds {
		kinds[k].Name, boxes[k] = r.graph.Kinds()[of].Name, r.boxes[of]
		adapters[k] = r.adapters[of]
	}
	return kinds, boxes, adapters
}

// hopsByLevel returns the delays of entering a vertex, by level of the machine and by its kinds: the boxes that forward
// packets in one fabric may be an end of another. owner is the fabric of every level; each has one.
func (r *resolved) hopsByLevel(owner []int) [][]units.Time {
	machine := make([]units.Time, len(r.boxes)) // switches as their own fabric has them
	own := make([][]units.Time, len(r.fabrics))
	for i, f := range r.fabrics {
		kinds, boxes, adapters := r.inMachine(f)
		own[i] = r.delaysOf(i).hops(kinds, boxes, adapters)
		for k, of := range f.kinds {
			if kinds[k].Role == topology.Switch {
				machine[of] = own[i][k]
			}
		}
	}
	out := make([][]units.Time, len(owner))
	for level, i := range owner {
		out[level] = slices.Clone(machine)
		for k, of := range r.fabrics[i].kinds {
			out[level][of] = own[i][k]
		}
	}
	return out
}

// unstatedHops lists the parts that pass messages on in some fabric and state no delay of that.
func (r *resolved) unstatedHops() []report.Unstated {
	unstated := make([]bool, len(r.boxes))
	for i, f := range r.fabrics {
		kinds, boxes, _ := r.inMachine(f)
		for k, of := range f.kinds {
			unstated[of] = unstated[of] || r.delaysOf(i).unstatedHops(kinds[k:k+1], boxes[k:k+1]) != nil
		}
	}
	var out []report.Unstated
	for of, k := range r.graph.Kinds() {
		if unstated[of] {
			out = report.AddUnstated(out, r.boxes[of].Part.ID, int64(k.Count))
		}
	}
	return out
}

// weaver joins fabrics over the boxes that they share.
type weaver struct {
	*resolver
	kinds  []topology.Kind // of the machine
	whole  []*cabling.Box  // of each kind, with all of its ports; nil where it could not be made
	plugs  [][]plugIn      // of each kind, in the order in which its ports are taken
	known  map[string]int  // the kinds by the words of the file: "dgx", "compute/leaf"
	paths  [][]string      // where the file has the ends of every fabric, once patterns among them are expanded
	stated []bool          // fabrics whose number of nodes the file states
}

// weave makes one graph of the fabrics, with the box of every kind of vertex.
func (r *resolver) weave() {
	r.spec.Fabrics = slices.Clone(r.spec.Fabrics) // into which defaults are filled
	n := len(r.spec.Fabrics)
	w := &weaver{resolver: r, known: map[string]int{}, paths: make([][]string, n), stated: make([]bool, n)}
	r.spec.Boxes = slices.Clone(r.spec.Boxes)
	first := 0
	for i := range r.spec.Boxes {
		b := &r.spec.Boxes[i]
		w.countByTemplates(i)
		w.byRacks(i)
		entry := b.Box()
		if !w.templated(b.Name, diag.Elem("boxes", i), &entry) {
			w.placeOfNodes(&entry)
		}
		k := topology.Kind{Name: b.Name, First: first, Count: b.Count, Role: topology.Terminal}
		w.add(b.Name, k, diag.Elem("boxes", i), &entry, w.spec.Unread(diag.Elem("boxes", i), "count", "role"))
		if box := w.whole[i]; box != nil {
			box.Beyond = b.Beyond
		}
		first += b.Count
	}
	if first > MaxVertices {
		r.fault("boxes", "%s are more than the %d that can be planned", english.Count(first, "box"), MaxVertices)
		return
	}
	for i := range r.spec.Fabrics {
		w.switchesByTemplates(i)
	}
	graphs := w.graphs()
	for i := range r.spec.Fabrics {
		w.fabric(i, graphs[i])
	}
	for i := range r.spec.Fabrics {
		w.uplinks(i)
	}
	w.finish()
}

// add adds a kind of the machine, by the words of the file. It has no box if what that is could not be read.
func (w *weaver) add(words string, k topology.Kind, path string, entry *spec.Box, unread bool) {
	for i := range w.kinds {
		if w.kinds[i].Name == k.Name {
			w.fault(path, "boxes called %s are of %s already\nname the fabric or the boxes in another way",
				k.Name, w.at[i])
		}
	}
	w.known[words] = len(w.kinds)
	w.words = append(w.words, words)
	w.kinds = append(w.kinds, k)
	w.plugs = append(w.plugs, nil)
	if unread {
		w.whole, w.packs, w.adapters = append(w.whole, nil), append(w.packs, entry), append(w.adapters, nil)
	} else {
		w.whole = append(w.whole, w.box(k, path, entry))
	}
	w.at = append(w.at, path)
}

// graphs makes the graph of every fabric, nil where it cannot be made, and adds its kinds of switches. Where the number
// of nodes is left out, there are as many places as boxes take.
func (w *weaver) graphs() []topology.Graph {
	out := make([]topology.Graph, len(w.spec.Fabrics))
	for _, i := range w.sequence() {
		f := &w.spec.Fabrics[i]
		at := diag.Elem("fabrics", i)
		if out[i] = w.made(i, at+".topology"); out[i] == nil {
			w.unmake(f.Name)
			continue
		}
		w.mediaLevels(at, f, out[i])
		w.switches(i, out[i])
	}
	for i, g := range out { // those that wait for each other
		if g == nil {
			w.unmake(w.spec.Fabrics[i].Name)
		}
	}
	return out
}

// made makes the graph of a fabric whose topology is at a path; nil if that is not valid or too large.
func (w *weaver) made(i int, at string) topology.Graph {
	if w.stated[i] = !unsized(&w.spec.Fabrics[i]); w.spec.Unread(at) {
		return nil
	}
	if w.spec.Fabrics[i].Topology.Params == nil {
		w.fault(at, "missing")
		return nil
	}
	g, err := w.sized(i)
	if err != nil && (w.stated[i] || w.sure(i)) {
		w.faults = append(w.faults, topologyMistakes(at, err)...)
	}
	if err != nil || !w.small(at, g) {
		return nil
	}
	return g
}

// mediaLevels finds levels of media rules that the topology of a fabric does not have.
func (w *weaver) mediaLevels(at string, f *spec.Fabric, g topology.Graph) {
	var levels []string
	for _, l := range g.Levels() {
		levels = append(levels, l.Name)
	}
	if len(f.Uplinks) > 0 {
		levels = append(levels, fabrics.UplinkLevel)
	}
	for i, m := range f.Media {
		for j, level := range m.Levels {
			if !slices.Contains(levels, level) {
				w.fault(diag.Elem(diag.Elem(at+".media", i)+".levels", j), "%s has no level %q\n%s", f.Name, level,
					diag.Suggest(level, levels, "its levels are "))
			}
		}
	}
}

// hopKinds finds kinds of vertices in the delays of a fabric that it does not have.
func (w *weaver) hopKinds(at string, f *spec.Fabric, g topology.Graph) {
	var kinds []string
	for _, k := range g.Kinds() {
		if k.Role == topology.Switch {
			kinds = append(kinds, k.Name)
		}
	}
	if len(kinds) > 0 && !slices.Contains(kinds, spec.AllSwitches) {
		kinds = append(kinds, spec.AllSwitches)
	}
	for _, e := range f.Ends {
		if !slices.Contains(kinds, e.Boxes) && !strings.Contains(e.Boxes, "/") {
			kinds = append(kinds, e.Boxes)
		}
	}
	if fabrics.PlacesOf(g).Forwards {
		kinds = append(kinds, spec.AllNodes)
	}
	for _, kind := range slices.Sorted(maps.Keys(f.Delay.Hop)) {
		if !slices.Contains(kinds, kind) {
			w.fault(diag.OfKey(at+".delay.hop", kind), "%s has no %s\n%s", f.Name, kind,
				diag.Suggest(kind, kinds, "its kinds of vertices are "))
		}
	}
}

// sized builds the topology of fabric i. Where the file leaves out the number of nodes, it is set in the spec to the
// number of places that the ends take.
func (w *weaver) sized(i int) (topology.Graph, error) {
	f := &w.spec.Fabrics[i]
	if !unsized(f) {
		g, err := topology.New(f.Topology)
		if err != nil {
			return nil, err
		}
		return w.roomy(f, g), nil
	}
	w.expand(i)
	boxes := 0
	for _, e := range f.Ends {
		boxes += w.count(&e)
	}
	own := f.Topology
	own.Params = topology.WithNodes(own.Params, max(boxes, 1)) // ends tell of names that are not boxes
	g, err := topology.New(own)
	if err != nil {
		return nil, err
	}
	// Boxes with fewer ports than a place has share one, which shows only now.
	var ends []fabrics.Ends
	places := fabrics.PlacesOf(g)
	for _, e := range f.Ends {
		for n, ports := range seats(places, w.selected(&e)) {
			ends = append(ends, fabrics.Ends{Count: w.count(&e), Ports: len(ports), At: placeOf(&e, n)})
		}
	}
	if taken := places.CountTaken(ends, fabrics.InTurn(ends)); taken != boxes && taken > 0 {
		own.Params = topology.WithNodes(own.Params, taken)
		g, err = topology.New(own)
	}
	f.Topology = own
	if err != nil {
		return nil, err
	}
	return w.roomy(f, g), nil
}

// seats divides the ports of a box among the places that it takes: one, but for several ports where places have one.
// Each of them is then an end of its own, the first ports of all boxes before their second.
func seats(places fabrics.Places, ports []int) [][]int {
	if places.Ports > 1 || places.Forwards || len(ports) == 0 {
		return [][]int{ports}
	}
	return slices.Collect(slices.Chunk(ports, 1))
}

// placeOf returns the place, from 0, at which the first ports (ports is 0) of an end begin; 0, the next free one, for
// its further ports.
func placeOf(e *spec.End, ports int) int {
	if ports > 0 {
		return 0
	}
	return max(e.At-1, 0)
}

// freeAt refuses a place to begin at that the boxes before an end take, and one in a fabric without an order of its
// own.
func (w *weaver) freeAt(f *spec.Fabric, path string, e *spec.End, places fabrics.Places, before []fabrics.Ends) {
	switch {
	case e.At == 0:
	case f.Order == spec.ByPlace || f.Order == "" && f.Topology.Family() == "access":
		w.fault(path+".at", "boxes are plugged in by where they stand\nremove it, or write order: list")
	case e.At > places.Count:
		w.fault(path+".at", "place %d of %d that the topology has", e.At, places.Count)
	default:
		if taken := places.CountTaken(before, fabrics.InTurn(before)); taken >= e.At {
			w.fault(path+".at", "the boxes before take %s", english.Count(taken, "place"))
		}
	}
}

// count is how many boxes an end is; 0 where there are none of the name.
func (w *weaver) count(e *spec.End) int {
	kind, ok := w.known[e.Boxes]
	if !ok {
		return 0
	}
	rest := w.kinds[kind].Count - max(e.First, 1) + 1
	if e.Count > 0 {
		return min(e.Count, max(rest, 0))
	}
	return max(rest, 0)
}

// selected are the ports of an end, as far as they can be found.
func (w *weaver) selected(e *spec.End) []int {
	kind, ok := w.known[e.Boxes]
	if !ok || w.whole[kind] == nil {
		return nil
	}
	return newPortNames(w.whole[kind]).choose(e.Ports, func(int, string, ...any) {})
}

// switches adds the kinds of switches of fabric i, and sets its Switches to their entries with defaults filled in.
func (w *weaver) switches(i int, g topology.Graph) {
	f := &w.spec.Fabrics[i]
	at := diag.Elem("fabrics", i)
	first := 0
	if n := len(w.kinds); n > 0 {
		first = w.kinds[n-1].First + w.kinds[n-1].Count
	}
	var names []string
	used := map[string]bool{}
	for _, k := range g.Kinds() {
		if k.Role == topology.Switch {
			names = append(names, k.Name)
			_, key := f.Entry(k.Name)
			used[key] = true
		}
	}
	sound := !w.spec.Unread(at, "ends", "uplinks", "media", "spares", "delay")
	for _, key := range slices.Sorted(maps.Keys(f.Switches)) {
		if !used[key] {
			sound = false
			w.fault(diag.Key(at+".switches", key), "a %s has no %s\n%s", g.Family(), key,
				diag.Suggest(key, names, "its kinds of switches are "))
		}
	}
	own := map[string]spec.Box{}
	for _, k := range g.Kinds() {
		if k.Role != topology.Switch {
			continue
		}
		entry, key := f.Entry(k.Name)
		path := diag.Key(at+".switches", key)
		if key == "" {
			path = at + ".switches"
		}
		if !w.templated(f.Name+"/"+k.Name, path, &entry) && entry.Place == "" {
			entry.Place = w.defaultPlace(g, k, &entry)
		}
		w.add(f.Name+"/"+k.Name, topology.Kind{
			Name: spec.KindName(f.Name, k.Name), First: first, Count: k.Count, Role: topology.Switch, Ports: k.Ports,
		}, path, &entry, w.spec.Unread(path) || key == "" && !sound)
		own[k.Name] = entry
		first += k.Count
	}
	f.Switches = own
}

// unwoven adds a fabric whose graph could not be made or plugged, so that the machine is without its links.
func (w *weaver) unwoven(out *fabric) {
	out.part, out.graph = -1, out.bare
	w.fabrics = append(w.fabrics, out)
}

// fabric plugs the boxes of a fabric into its graph, nil if that could not be made.
func (w *weaver) fabric(i int, g topology.Graph) {
	f := &w.spec.Fabrics[i]
	at := diag.Elem("fabrics", i)
	out := &fabric{
		name: f.Name, path: at + ".topology", part: len(w.woven), bare: g, switches: map[string]fabrics.Attachment{},
	}
	if w.expand(i); g == nil {
		for j := range f.Ends {
			w.end(f.Name, w.paths[i][j], &f.Ends[j])
		}
		w.unwoven(out)
		return
	}
	places := fabrics.PlacesOf(g)
	access, isAccess := f.Topology.Params.(clusters.Access)
	out.deals = isAccess && access.Spread && w.spec.Owned != nil && places.Ports == 1 // as roomy makes it
	most := places.Ports
	if out.deals {
		most = max(access.Uplinks, 1)
	}
	w.hopKinds(at, f, g)
	for j := range f.Ends {
		end := &f.Ends[j]
		path := w.paths[i][j]
		kind, ports := w.end(f.Name, path, end)
		if ports == nil {
			continue
		}
		if n := len(ports); n > most && (most > 1 || places.Forwards) {
			w.fault(path+".ports",
				"%d ports of a %s, and a node of the topology has %d\nname fewer of them and the others in further "+
					"ends, or give the topology's nodes more with ports_per_node", n, end.Boxes, most)
		}
		if places.Forwards && w.kinds[kind].Role == topology.Terminal {
			w.kinds[kind].Role = topology.Node
		}
		first := max(end.First, 1) - 1
		w.freeAt(f, path, end, places, out.ends)
		for n, own := range seats(places, ports) {
			out.ends = append(out.ends, fabrics.Ends{
				Name: end.Boxes, Count: w.count(end), Ports: len(own), At: placeOf(end, n),
			})
			out.attached = append(out.attached, fabrics.Attachment{
				Kind: kind, First: first, Port: w.plugIn(kind, plugIn{path, own, first, w.count(end), 0}),
			})
		}
	}
	sure, order := w.sure(i), out.inTurn()
	for _, k := range g.Kinds() {
		if k.Role == topology.Switch {
			kind := w.known[f.Name+"/"+k.Name]
			out.switches[k.Name] = fabrics.Attachment{
				Kind: kind, Port: w.switchPorts(f, kind, g, k, sure || w.stated[i]),
			}
		}
	}
	if taken := places.CountTaken(out.ends, order); taken > places.Count {
		if sure {
			w.fault(at+".ends", "the boxes take %s, and the topology has %d\nmake it larger",
				english.Count(taken, "place"), places.Count)
		}
		w.unwoven(out)
		return
	}
	part, err := out.plug(order)
	if err != nil {
		if sure {
			w.fault(at+".ends", "%v", err)
		}
		w.unwoven(out)
		return
	}
	w.fabrics = append(w.fabrics, out)
	w.woven = append(w.woven, part)
}

// finish puts the ports of every box in the order in which they are taken, and joins the fabrics.
func (w *weaver) finish() {
	for kind, b := range w.whole {
		var ports []int
		for _, p := range w.plugs[kind] {
			ports = append(ports, p.ports...)
		}
		w.kinds[kind].Ports = len(ports)
		if b == nil {
			w.boxes = append(w.boxes, nil)
			continue
		}
		if w.spec.Owned != nil { // cables that exist may be in others
			ports = append(ports, w.free(kind)...)
		}
		b.Take(ports)
		w.boxes = append(w.boxes, b)
	}
	if len(w.kinds) > 0 {
		if last := w.kinds[len(w.kinds)-1]; last.First+last.Count > MaxVertices {
			w.fault("fabrics", "%d boxes are more than the %d that can be planned", last.First+last.Count, MaxVertices)
			return
		}
	}
	if g := fabrics.Join(w.kinds, w.woven); w.small("fabrics", g) {
		w.graph = g
	}
	for i := range w.spec.Fabrics {
		if f := &w.spec.Fabrics[i]; f.Order == "" && f.Topology.Family() == "access" {
			f.Order = spec.ByPlace
		}
	}
}
