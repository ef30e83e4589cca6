package machine

import (
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
)

// plugIn is a row of ports of a kind, which boxes of the kind have plugged in somewhere.
type plugIn struct {
	path         string // where the file says so
	ports        []int  // of the whole box
	first, count int    // boxes
	at           int    // number of the first port of the row among those that are taken
}

// end finds the kind and the ports of an end; no ports if something is wrong.
func (w *weaver) end(fabric, path string, e *spec.End) (kind int, ports []int) {
	kind, ok := w.known[e.Boxes]
	if !ok && w.maybe(e.Boxes) {
		return 0, nil
	}
	if !ok {
		w.fault(path+".boxes", "there are no boxes %q\n%s", e.Boxes,
			diag.Suggest(e.Boxes, slices.Sorted(maps.Keys(w.known)), "they are "))
		return 0, nil
	}
	if strings.HasPrefix(e.Boxes, fabric+"/") {
		w.fault(path+".boxes", "switches of a fabric are not ends of the same: the way on which they are managed "+
			"would lead through themselves\nplug their ports for that into another fabric")
		return 0, nil
	}
	if w.whole[kind] == nil {
		return 0, nil // its part is wrong, which has been reported
	}
	k := &w.kinds[kind]
	if (e.First > 0 || e.Count > 0) && slices.Contains(w.racked, kind) {
		w.fault(path, "first and count are of boxes whose number is stated, and %s are as many as there are racks",
			e.Boxes)
		return 0, nil
	}
	if first := max(e.First, 1); w.sureOf(kind) && (first > k.Count || e.Count > k.Count-first+1) {
		field, value := ".first", first
		if first <= k.Count {
			field, value = ".count", e.Count
		}
		w.fault(path+field, "%d of %s that there are", value, english.Count(k.Count, e.Boxes))
		return 0, nil
	}
	before := len(w.faults)
	if ports = w.choose(path+".ports", kind, e.Ports); len(ports) == 0 && len(w.faults) == before {
		w.portless(path, kind)
	}
	return kind, ports
}

// portless refuses an end without ports: its boxes would stand there, and no link of the fabric would reach them.
func (w *weaver) portless(path string, kind int) {
	part := w.whole[kind].Part
	if part.Panel == nil && len(part.Ports) > 0 {
		w.fault(path+".ports", "missing\nevery group of ports of %s has by_name: name the ports that are plugged in",
			part.ID)
		return
	}
	w.fault(path+".boxes", "%s (%s) have no ports, so that no link can reach them\ngive the part ports, or remove "+
		"the end", w.kinds[kind].Name, part.ID)
}

// choose finds the ports of a kind that a key of the file names; none if something is wrong.
func (w *weaver) choose(key string, kind int, named []spec.Ports) []int {
	before := len(w.faults)
	ports := newPortNames(w.whole[kind]).choose(named, func(i int, format string, args ...any) {
		at := key
		if i >= 0 {
			at = diag.Elem(key, i)
		}
		w.fault(at, format, args...)
	})
	if len(w.faults) > before {
		return nil
	}
	return ports
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

// switchPorts takes the ports of a kind of switches for its own fabric, whose graph is g. sure tells that it has as
// many switches as the file says.
func (w *weaver) switchPorts(f *spec.Fabric, kind int, g topology.Graph, k topology.Kind, sure bool) int {
	box := w.whole[kind]
	if box == nil {
		return 0
	}
	entry := f.Switches[k.Name]
	path := w.at[kind]
	ports := w.free(kind)
	if entry.Ports != nil {
		if ports = w.choose(path+".ports", kind, entry.Ports); ports == nil {
			return 0
		}
	}
	if len(ports) < k.Ports && !sure {
		return 0
	}
	if len(ports) < k.Ports {
		w.fault(path, "a %s of %s has %s, and %s has %d for them\nname a larger part, or fewer ports in the topology",
			k.Name, f.Name, english.Count(k.Ports, "link"), box.Part.ID, len(ports))
		return 0
	}
	ports, mixed := alignPorts(box, ports, g, k)
	w.noteMixed(f.Name, box, k, mixed)
	return w.plugIn(kind, plugIn{path, ports, 0, k.Count, 0})
}

// free are the usual ports of a kind that nothing is plugged into.
func (w *weaver) free(kind int) []int {
	taken := map[int]bool{}
	for _, p := range w.plugs[kind] {
		for _, port := range p.ports {
			taken[port] = true
		}
	}
	return slices.DeleteFunc(defaultPorts(w.whole[kind]), func(p int) bool { return taken[p] })
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
		case !known && w.maybe(u.To):
			continue
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
		sure := w.sureOf(from) && w.sureOf(to)
		a, okA := w.uplinkPorts(path, ".ports", from, u.Ports, kinds[0].Ports, sure)
		b, okB := w.uplinkPorts(path, ".to_ports", to, u.ToPorts, kinds[1].Ports, sure)
		if okA && okB {
			w.woven = append(w.woven, fabrics.Fabric{
				Name: f.Name, Graph: g, Attached: []fabrics.Attachment{{Kind: from, Port: a}, {Kind: to, Port: b}},
			})
		}
	}
}

// lowerSwitches returns the kinds of switches of a fabric, and which of them has uplinks: the one that the uplinks
// name, else the only one; "" where neither says.
func lowerSwitches(f *spec.Fabric, u *spec.Uplink) (kinds []string, from string) {
	kinds, from = slices.Sorted(maps.Keys(f.Switches)), u.From
	if from == "" && len(kinds) == 1 {
		from = kinds[0]
	}
	return kinds, from
}

// below finds the switches of a fabric that have uplinks.
func (w *weaver) below(f *spec.Fabric, u *spec.Uplink, path string) (int, bool) {
	kinds, from := lowerSwitches(f, u)
	kind, ok := w.known[f.Name+"/"+from]
	if !ok && !w.unmade[f.Name] {
		w.fault(path+".from", "%s has no switches %q\n%s", f.Name, from, diag.Suggest(from, kinds, "they are "))
	}
	return kind, ok
}

// uplinkPorts takes the ports of one end of uplinks. sure tells that it is known how many boxes these join.
func (w *weaver) uplinkPorts(
	path, field string, kind int, named []spec.Ports, need int, sure bool,
) (port int, ok bool) {
	ports := w.free(kind)
	if named != nil {
		if ports = w.choose(path+field, kind, named); ports == nil {
			return 0, false
		}
	}
	if len(ports) < need && !sure {
		return 0, false
	}
	if len(ports) < need {
		w.fault(path, "%s at every %s, and %d of its ports are free", english.Count(need, "uplink"), w.kinds[kind].Name,
			len(ports))
		return 0, false
	}
	return w.plugIn(kind, plugIn{path, ports[:need], 0, w.kinds[kind].Count, 0}), true
}
