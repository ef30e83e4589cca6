package machine

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
)

// fabric is one network of a machine.
type fabric struct {
	name  string // "" of a machine with one topology
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
}

// plug plugs boxes into the topology of a fabric in an order.
func (f *fabric) plug(order []fabrics.Box) (fabrics.Fabric, error) {
	g, err := fabrics.Plug(f.bare, f.ends, order)
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

// weaver joins fabrics over the boxes that they share.
type weaver struct {
	*resolver
	kinds  []topology.Kind // of the machine
	whole  []*cabling.Box  // of each kind, with all of its ports; nil where it could not be made
	plugs  [][]plugIn      // of each kind, in the order in which its ports are taken
	known  map[string]int  // the kinds by the words of the file: "dgx", "compute/leaf"
	broken bool            // a fabric could not be made
}

// plugIn is a row of ports of a kind, which boxes of the kind have plugged in somewhere.
type plugIn struct {
	path         string // where the file says so
	ports        []int  // of the whole box
	first, count int    // boxes
	at           int    // number of the first port of the row among those that are taken
}

// weave makes one graph of the fabrics, with the box of every kind of vertex.
func (r *resolver) weave() {
	w := &weaver{resolver: r, known: map[string]int{}}
	first := 0
	for i := range r.spec.Boxes {
		b := &r.spec.Boxes[i]
		entry := b.Box()
		w.placeOfNodes(&entry)
		k := topology.Kind{Name: b.Name, First: first, Count: b.Count, Role: topology.Terminal}
		w.add(b.Name, k, diag.Elem("boxes", i), &entry)
		if box := w.whole[i]; box != nil {
			box.Beyond = b.Beyond
		}
		first += b.Count
	}
	if first > MaxVertices {
		r.fault("boxes", "%s are more than the %d that can be planned", english.Count(first, "box"), MaxVertices)
		return
	}
	graphs := w.graphs()
	if w.broken {
		return
	}
	for i := range r.spec.Fabrics {
		w.fabric(i, graphs[i])
	}
	for i := range r.spec.Fabrics {
		w.uplinks(i)
	}
	if len(r.faults) > 0 {
		return
	}
	w.finish()
}

// add adds a kind of the machine, by the words of the file.
func (w *weaver) add(words string, k topology.Kind, path string, entry *spec.Box) {
	w.known[words] = len(w.kinds)
	w.kinds = append(w.kinds, k)
	w.plugs = append(w.plugs, nil)
	w.whole = append(w.whole, w.box(k, path, entry))
	w.at = append(w.at, path)
}

// graphs makes the graph of every fabric, and adds its kinds of switches. Where the number of nodes is left out, there
// are as many places as boxes take.
func (w *weaver) graphs() []topology.Graph {
	out := make([]topology.Graph, len(w.spec.Fabrics))
	for i := range w.spec.Fabrics {
		f := &w.spec.Fabrics[i]
		at := diag.Elem("fabrics", i)
		if f.Topology.Params == nil {
			w.fault(at+".topology", "missing")
			w.broken = true
			continue
		}
		g, err := w.sized(f)
		if err != nil {
			for _, e := range diag.Fields(diag.Under(at+".topology", err)) {
				w.fault(e.Path, "%s", e.Message)
			}
			w.broken = true
			continue
		}
		if n := topology.Vertices(g); n > MaxVertices {
			w.fault(at+".topology", "%d nodes and switches are more than the %d that can be planned", n, MaxVertices)
			w.broken = true
			continue
		}
		out[i] = g
		w.mediaLevels(at, f, g)
		w.switches(i, g)
	}
	return out
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

// sized builds the topology of a fabric, with the number of nodes that its ends take where that is left out.
func (w *weaver) sized(f *spec.Fabric) (topology.Graph, error) {
	boxes := 0
	for _, e := range f.Ends {
		boxes += w.count(&e)
	}
	params, open := withNodes(f.Topology.Params, boxes)
	if !open {
		return topology.New(f.Topology)
	}
	own := f.Topology
	own.Params = params
	g, err := topology.New(own)
	if err != nil {
		return nil, err
	}
	// Boxes with fewer ports than a place has share one, which shows only now.
	var ends []fabrics.Ends
	for _, e := range f.Ends {
		ends = append(ends, fabrics.Ends{Count: w.count(&e), Ports: len(w.selected(&e))})
	}
	if taken := fabrics.PlacesOf(g).Taken(ends, fabrics.InTurn(ends)); taken != boxes {
		own.Params, _ = withNodes(f.Topology.Params, taken)
		g, err = topology.New(own)
	}
	f.Topology = own
	return g, err
}

// withNodes is parameters with a number of nodes, if their family has that and it is left out.
func withNodes(p topology.Params, nodes int) (topology.Params, bool) {
	v := reflect.New(reflect.Indirect(reflect.ValueOf(p)).Type()).Elem()
	v.Set(reflect.Indirect(reflect.ValueOf(p)))
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		if f := v.Field(i); name == "nodes" && f.Kind() == reflect.Int && f.IsZero() {
			f.SetInt(int64(nodes))
			return v.Interface().(topology.Params), true
		}
	}
	return p, false
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
	return choose(w.whole[kind], e.Ports, func(int, string, ...any) {})
}

// switches adds the kinds of switches of a fabric.
func (w *weaver) switches(i int, g topology.Graph) {
	f := &w.spec.Fabrics[i]
	at := diag.Elem("fabrics", i)
	first := 0
	if n := len(w.kinds); n > 0 {
		first = w.kinds[n-1].First + w.kinds[n-1].Count
	}
	var names []string
	used := map[string]bool{}
	own := map[string]spec.Box{}
	for _, k := range g.Kinds() {
		if k.Role != topology.Switch {
			continue
		}
		names = append(names, k.Name)
		entry, key := f.Entry(k.Name)
		used[key] = true
		path := diag.Key(at+".switches", key)
		if key == "" {
			path = at + ".switches"
		}
		if entry.Place == "" {
			entry.Place = w.defaultPlace(g, k, &entry)
		}
		w.open = 0
		w.add(f.Name+"/"+k.Name, topology.Kind{
			Name: spec.KindName(f.Name, k.Name), First: first, Count: k.Count, Role: topology.Switch, Ports: k.Ports,
		}, path, &entry)
		own[k.Name] = entry
		first += k.Count
	}
	for _, key := range slices.Sorted(maps.Keys(f.Switches)) {
		if !used[key] {
			w.fault(diag.Key(at+".switches", key), "a %s has no %s\n%s", g.Family(), key,
				diag.Suggest(key, names, "its kinds of switches are "))
		}
	}
	f.Switches = own
}

// fabric plugs the boxes of a fabric into its graph.
func (w *weaver) fabric(i int, g topology.Graph) {
	f := &w.spec.Fabrics[i]
	at := diag.Elem("fabrics", i)
	places := fabrics.PlacesOf(g)
	out := &fabric{name: f.Name, part: len(w.woven), bare: g, switches: map[string]fabrics.Attachment{}}
	before := len(w.faults)
	for j := range f.Ends {
		end := &f.Ends[j]
		path := diag.Elem(at+".ends", j)
		kind, ports := w.end(f.Name, path, end)
		if ports == nil {
			continue
		}
		n := len(ports)
		if n > places.Ports {
			w.fault(path+".ports",
				"%d ports of a %s, and a node of the topology has %d\nname fewer of them and the others in further "+
					"ends, or give the topology's nodes more with ports_per_node", n, end.Boxes, places.Ports)
		}
		if places.Forwards {
			w.kinds[kind].Role = topology.Node
		}
		first := max(end.First, 1) - 1
		out.ends = append(out.ends, fabrics.Ends{Name: end.Boxes, Count: w.count(end), Ports: n})
		out.attached = append(out.attached, fabrics.Attachment{
			Kind: kind, First: first, Port: w.plugIn(kind, plugIn{path, ports, first, w.count(end), 0}),
		})
	}
	if len(w.faults) > before {
		return
	}
	order := fabrics.InTurn(out.ends)
	if taken := places.Taken(out.ends, order); taken > places.Count {
		w.fault(at+".ends", "the boxes take %s, and the topology has %d\nmake it larger", english.Count(taken, "place"),
			places.Count)
		return
	}
	for _, k := range g.Kinds() {
		if k.Role == topology.Switch {
			kind := w.known[f.Name+"/"+k.Name]
			out.switches[k.Name] = fabrics.Attachment{Kind: kind, Port: w.switchPorts(f, kind, k)}
		}
	}
	part, err := out.plug(order)
	if err != nil {
		w.fault(at+".ends", "%v", err)
		return
	}
	w.fabrics = append(w.fabrics, out)
	w.woven = append(w.woven, part)
}

// end finds the kind and the ports of an end; no ports if something is wrong.
func (w *weaver) end(fabric, path string, e *spec.End) (kind int, ports []int) {
	kind, ok := w.known[e.Boxes]
	if !ok {
		w.fault(path+".boxes", "there are no boxes %q\n%s", e.Boxes,
			diag.Suggest(e.Boxes, slices.Sorted(maps.Keys(w.known)), "they are "))
		return 0, nil
	}
	if strings.HasPrefix(e.Boxes, fabric+"/") {
		w.fault(path+".boxes", "switches of a fabric are no ends of the same")
		return 0, nil
	}
	if w.whole[kind] == nil {
		return 0, nil // its part is wrong, which has been told
	}
	k := &w.kinds[kind]
	if first := max(e.First, 1); first > k.Count || e.Count > k.Count-first+1 {
		field, value := ".first", first
		if first <= k.Count {
			field, value = ".count", e.Count
		}
		w.fault(path+field, "%d of %s that there are", value, english.Count(k.Count, e.Boxes))
		return 0, nil
	}
	return kind, w.choose(path, kind, e.Ports)
}

// choose finds the ports of a kind that a file names.
func (w *weaver) choose(path string, kind int, named []spec.Ports) []int {
	wrong := false
	ports := choose(w.whole[kind], named, func(i int, format string, args ...any) {
		at := path + ".ports"
		if i >= 0 {
			at = diag.Elem(at, i)
		}
		w.fault(at, format, args...)
		wrong = true
	})
	if wrong {
		return nil
	}
	return ports
}

// choose finds the ports of a box that a file names: groups of ports, ports, or ranges of numbered ones. Where it names
// none they are those of its only group. Mistakes are told with the number of the name, or -1.
func choose(b *cabling.Box, named []spec.Ports, fault func(i int, format string, args ...any)) []int {
	groups := map[string][]int{}
	ports := map[string]int{}
	var names []string
	for i := range b.Ports {
		g := b.Ports[i].Group.Name
		if _, ok := groups[g]; !ok && g != "" {
			names = append(names, g)
		}
		groups[g] = append(groups[g], i)
		if _, ok := ports[b.Ports[i].Name]; !ok {
			ports[b.Ports[i].Name] = i
		}
	}
	if len(named) == 0 {
		if len(groups) > 1 {
			fault(-1, "missing\nname a group of ports of %s: %s", b.Part.ID, english.List(names))
			return nil
		}
		return usual(b)
	}
	var out []int
	taken := map[int]bool{}
	for i, entry := range named {
		found := groups[string(entry)]
		if found == nil {
			list := entry.List()
			if list == nil {
				fault(i, "%q is no range of ports\nwrite the lower number first: 1-32", entry)
			}
			for _, name := range list {
				p, ok := ports[name]
				if !ok {
					fault(i, "%s has no port or group of ports %q\n%s", b.Part.ID, name, portsHint(b, name, names))
					break
				}
				found = append(found, p)
			}
		}
		for _, p := range found {
			if taken[p] {
				fault(i, "port %q is named twice", b.Ports[p].Name)
				break
			}
			taken[p] = true
			out = append(out, p)
		}
	}
	return out
}

// portsHint suggests what a name of ports could mean, or says which there are.
func portsHint(b *cabling.Box, name string, groups []string) string {
	if len(groups) == 0 && len(b.Ports) > 0 {
		return fmt.Sprintf("its ports are %s to %s", b.Ports[0].Name, b.Ports[len(b.Ports)-1].Name)
	}
	return diag.Suggest(name, groups, "its groups are ")
}

// usual are the ports of a box into which links are plugged where nothing names others.
func usual(b *cabling.Box) []int {
	var out []int
	for i := range b.Ports {
		if !b.Ports[i].Group.ByName {
			out = append(out, i)
		}
	}
	return out
}

// plugIn takes a row of ports of a kind. It returns the number of its first among the ports of the kind that are taken,
// and refuses those that the same boxes have plugged in elsewhere.
func (w *weaver) plugIn(kind int, p plugIn) int {
	for _, other := range w.plugs[kind] {
		p.at = other.at + len(other.ports)
		if p.first >= other.first+other.count || other.first >= p.first+p.count {
			continue
		}
		for _, port := range p.ports {
			if slices.Contains(other.ports, port) {
				w.fault(p.path, "port %s of %s is plugged in at %s already", w.whole[kind].Ports[port].Name,
					w.kinds[kind].Name, other.path)
				break
			}
		}
	}
	w.plugs[kind] = append(w.plugs[kind], p)
	w.kinds[kind].Ports = max(w.kinds[kind].Ports, p.at+len(p.ports))
	return p.at
}

// switchPorts takes the ports of a kind of switches for its own fabric.
func (w *weaver) switchPorts(f *spec.Fabric, kind int, k topology.Kind) int {
	box := w.whole[kind]
	if box == nil {
		return 0
	}
	entry := f.Switches[k.Name]
	path := w.at[kind]
	ports := w.free(kind)
	if entry.Ports != nil {
		if ports = w.choose(path, kind, entry.Ports); ports == nil {
			return 0
		}
	}
	if len(ports) < k.Ports {
		w.fault(path, "a %s of %s has %s, and %s has %d for them\nname a larger part, or fewer ports in the topology",
			k.Name, f.Name, english.Count(k.Ports, "link"), box.Part.ID, len(ports))
		return 0
	}
	return w.plugIn(kind, plugIn{path, ports[:k.Ports], 0, k.Count, 0})
}

// free are the usual ports of a kind that nothing is plugged into.
func (w *weaver) free(kind int) []int {
	taken := map[int]bool{}
	for _, p := range w.plugs[kind] {
		for _, port := range p.ports {
			taken[port] = true
		}
	}
	return slices.DeleteFunc(usual(w.whole[kind]), func(p int) bool { return taken[p] })
}

// uplinks joins the switches of a fabric to those of others.
func (w *weaver) uplinks(i int) {
	f := &w.spec.Fabrics[i]
	for j := range f.Uplinks {
		u := &f.Uplinks[j]
		path := diag.Elem(diag.Elem("fabrics", i)+".uplinks", j)
		from, ok := w.below(f, u, path)
		to, known := w.known[u.To]
		switch {
		case !known:
			w.fault(path+".to", "there are no switches or boxes %q\n%s", u.To,
				diag.Suggest(u.To, slices.Sorted(maps.Keys(w.known)), "they are "))
			continue
		case strings.HasPrefix(u.To, f.Name+"/"):
			w.fault(path+".to", "uplinks lead to another fabric")
			continue
		case !ok || w.whole[from] == nil || w.whole[to] == nil:
			continue
		}
		g := fabrics.Uplinks{From: w.kinds[from].Count, To: w.kinds[to].Count, Each: max(u.Each, 1)}
		kinds := g.Kinds()
		a, okA := w.uplinkPorts(path, ".ports", from, u.Ports, kinds[0].Ports)
		b, okB := w.uplinkPorts(path, ".to_ports", to, u.ToPorts, kinds[1].Ports)
		if okA && okB {
			w.woven = append(w.woven, fabrics.Fabric{
				Name: f.Name, Graph: g, Attached: []fabrics.Attachment{{Kind: from, Port: a}, {Kind: to, Port: b}},
			})
		}
	}
}

// below finds the switches of a fabric that have uplinks.
func (w *weaver) below(f *spec.Fabric, u *spec.Uplink, path string) (int, bool) {
	kinds := slices.Sorted(maps.Keys(f.Switches))
	from := u.From
	if from == "" && len(kinds) == 1 {
		from = kinds[0]
	}
	kind, ok := w.known[f.Name+"/"+from]
	if !ok {
		w.fault(path+".from", "%s has no switches %q\n%s", f.Name, from, diag.Suggest(from, kinds, "they are "))
	}
	return kind, ok
}

// uplinkPorts takes the ports of one end of uplinks.
func (w *weaver) uplinkPorts(path, field string, kind int, named []spec.Ports, need int) (int, bool) {
	ports := w.free(kind)
	if named != nil {
		wrong := len(w.faults)
		ports = choose(w.whole[kind], named, func(i int, format string, args ...any) {
			w.fault(diag.Elem(path+field, max(i, 0)), format, args...)
		})
		if len(w.faults) > wrong {
			return 0, false
		}
	}
	if len(ports) < need {
		w.fault(path, "%s at every %s, and %d of its ports are free", english.Count(need, "uplink"), w.kinds[kind].Name,
			len(ports))
		return 0, false
	}
	return w.plugIn(kind, plugIn{path, ports[:need], 0, w.kinds[kind].Count, 0}), true
}

// finish puts the ports of every box in the order in which they are taken, and joins the fabrics.
func (w *weaver) finish() {
	for kind, b := range w.whole {
		var ports []int
		for _, p := range w.plugs[kind] {
			ports = append(ports, p.ports...)
		}
		w.kinds[kind].Ports = len(ports)
		b.Take(ports)
		w.boxes = append(w.boxes, b)
	}
	if last := w.kinds[len(w.kinds)-1]; last.First+last.Count > MaxVertices {
		w.fault("fabrics", "%d boxes are more than the %d that can be planned", last.First+last.Count, MaxVertices)
	}
	if len(w.faults) == 0 {
		w.graph = fabrics.Join(w.kinds, w.woven)
	}
	for i := range w.spec.Fabrics {
		if f := &w.spec.Fabrics[i]; f.Order == "" && f.Topology.Family() == "access" {
			f.Order = spec.ByPlace
		}
	}
}
