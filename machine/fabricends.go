package machine

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// several reports whether the boxes of an end are a pattern of kinds.
func several(boxes string) bool { return strings.Contains(boxes, "*") }

// matches reports whether a kind, by the words of the file, is one of those of an end: a star stands for a whole name
// or for any part of it, and not for a slash.
func matches(boxes, kind string) bool {
	if !several(boxes) {
		return boxes == kind
	}
	ok, err := path.Match(strings.NewReplacer(`\`, `\\`, "[", `\[`, "?", `\?`).Replace(boxes), kind)
	return ok && err == nil
}

// needs reports whether the ends of a fabric are switches of another, which has to be made first.
func needs(f, other *spec.Fabric) bool {
	return f != other && slices.ContainsFunc(f.Ends, func(e spec.End) bool {
		of, _, switches := strings.Cut(e.Boxes, "/")
		return switches && matches(of, other.Name)
	})
}

// sequence orders fabrics such that the switches of a fabric are known when it is plugged into them: as the file has
// them, but for those that have to wait. Of fabrics that wait for each other, one whose nodes are stated goes first; if
// there is none, that is reported and the fabrics left are missing.
func (w *weaver) sequence() []int {
	all := w.spec.Fabrics
	var out, left []int
	for i := range all {
		left = append(left, i)
	}
	for len(left) > 0 {
		next := slices.IndexFunc(left, func(i int) bool {
			return !slices.ContainsFunc(left, func(j int) bool { return needs(&all[i], &all[j]) })
		})
		if next < 0 {
			next = slices.IndexFunc(left, func(i int) bool { return !unsized(&all[i]) })
		}
		if next < 0 {
			f := &all[left[0]]
			other := slices.IndexFunc(left, func(j int) bool { return needs(f, &all[j]) })
			w.fault(diag.Elem("fabrics", left[0])+".topology", "%s and %s wait for each other: each is plugged into "+
				"switches of the other, and has as many nodes as there are\nstate the nodes of one of them", f.Name,
				all[left[other]].Name)
			return out
		}
		out = append(out, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return out
}

// unsized reports whether the number of nodes of a fabric is that of its ends.
func unsized(f *spec.Fabric) bool {
	if f.Topology.Params == nil {
		return false
	}
	n, ok := topology.Nodes(f.Topology.Params)
	return ok && n == 0
}

// expand replaces each pattern among the ends of fabric i by the kinds of boxes that match it and have its ports, its
// own switches left out. w.paths keeps where the file has each end. A second call does nothing.
func (w *weaver) expand(i int) {
	f := &w.spec.Fabrics[i]
	if w.paths[i] != nil {
		return
	}
	ends := []spec.End{}
	w.paths[i] = []string{}
	for j := range f.Ends {
		e := f.Ends[j]
		at := diag.Elem(diag.Elem("fabrics", i)+".ends", j)
		if !several(e.Boxes) {
			ends, w.paths[i] = append(ends, e), append(w.paths[i], at)
			continue
		}
		for _, kind := range w.matched(f, &e, at) {
			own := e
			own.Boxes = kind
			ends, w.paths[i] = append(ends, own), append(w.paths[i], at)
		}
	}
	f.Ends = ends
}

// matched lists the kinds of boxes that a pattern matches, in order.
func (w *weaver) matched(f *spec.Fabric, e *spec.End, at string) []string {
	switch {
	case len(e.Ports) == 0:
		w.fault(at+".ports", "missing\nname the ports that all boxes of %q have, such as management", e.Boxes)
		return nil
	case e.First > 0 || e.Count > 0 || e.At > 0:
		w.fault(at, "first, count and at are of one kind of boxes, and %q is any of several\nname them one by one",
			e.Boxes)
		return nil
	}
	var out, without []string
	mistake := ""
	for _, kind := range w.words {
		if !matches(e.Boxes, kind) || strings.HasPrefix(kind, f.Name+"/") {
			continue
		}
		box := w.whole[w.known[kind]]
		if box == nil {
			continue // its part is wrong, which has been reported
		}
		names, has := newPortNames(box), true
		for _, p := range e.Ports {
			if _, m := names.find(p); m != "" {
				has, mistake = false, m
			}
		}
		if has {
			out = append(out, kind)
		} else {
			without = append(without, fmt.Sprintf("%s (%s)", kind, box.Part.ID))
		}
	}
	switch {
	case len(out) == 0 && mistake != "" && !w.maybe(e.Boxes):
		w.fault(at+".ports", "%s", mistake)
	case len(out) == 0 && w.complete() && !w.maybe(e.Boxes):
		w.fault(at+".boxes", "no boxes match %q", e.Boxes)
	case len(without) > 0:
		w.passed = append(w.passed, fmt.Sprintf("%s: %q is without %s, which have no such ports", f.Name, e.Boxes,
			english.List(without)))
	}
	return out
}

// complete reports whether every kind of box is known by the part that it is.
func (w *weaver) complete() bool {
	return !slices.Contains(w.whole, nil)
}
