package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine/spec"
)

// mediaEnds finds the boxes and fabrics that media rules speak of, and distinguishes the ports of these boxes from
// those of other boxes of their part.
func (r *resolver) mediaEnds() {
	if len(r.spec.Fabrics) == 0 {
		for _, k := range r.graph.Kinds() {
			r.words = append(r.words, k.Name)
		}
	}
	r.groups = map[int][]*catalog.PortGroup{}
	r.ruleEnds("cabling.media", r.spec.Cabling.Media)
	var names []string
	for i := range r.spec.Fabrics {
		f := &r.spec.Fabrics[i]
		names = append(names, f.Name)
		at := diag.Elem("fabrics", i) + ".media"
		r.ruleEnds(at, f.Media)
		for j, m := range f.Media {
			if len(m.Fabrics) > 0 {
				r.fault(diag.Elem(at, j)+".fabrics", "the rules of a fabric are for its own links\n"+
					"remove it, or move the rule to cabling.media")
			}
		}
	}
	for i, m := range r.spec.Cabling.Media {
		at := diag.Elem("cabling.media", i)
		for j, name := range m.Fabrics {
			switch {
			case len(names) == 0:
				r.fault(diag.Elem(at+".fabrics", j), "the machine has one topology, and no fabrics\nremove it")
			case !slices.Contains(names, name) && r.spec.NamesLost("fabrics", len(names)):
			case !slices.Contains(names, name):
				r.fault(diag.Elem(at+".fabrics", j), "there is no fabric %q\n%s", name,
					diag.Suggest(name, names, "they are "))
			case r.isUnwoven(name):
			case len(m.Levels) > 0 && len(levelsOf(r.graph, name, func(_, l string) bool {
				return slices.Contains(m.Levels, l)
			})) == 0:
				r.fault(at+".levels", "%s has none of these levels, so that the rule is never used for it", name)
			}
		}
	}
}

// ruleEnds finds the boxes of media rules.
func (r *resolver) ruleEnds(path string, rules []spec.MediaRule) {
	for i, m := range rules {
		for j, boxes := range m.Boxes {
			found := false
			for kind, word := range r.words {
				if !matches(boxes, word) {
					continue
				}
				found = true
				if b := r.boxes[kind]; b != nil && r.groups[kind] == nil {
					r.groups[kind] = b.OwnGroups()
				}
			}
			if !found && !r.maybe(boxes) {
				r.fault(diag.Elem(diag.Elem(path, i)+".boxes", j), "there are no boxes %q\n%s", boxes,
					diag.Suggest(boxes, r.words, "they are "))
			}
		}
	}
}
