package spec

import (
	"maps"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
)

// check finds media and routing functions that there are not, in the section at a path.
func (d *Delay) check(report Reporter, at string) {
	known := append(mediumWords(), string(catalog.Trace))
	check := func(section string, names []string) {
		for _, name := range names {
			if !slices.Contains(known, name) {
				report(diag.OfKey(section, name), "%q is not a medium\n%s", name, diag.Suggest(name, known,
					"it is one of "))
			}
		}
	}
	check(at+".propagation", slices.Sorted(maps.Keys(d.Propagation)))
	check(at+".ends", slices.Sorted(maps.Keys(d.Ends)))
	for i, name := range d.Routing {
		if name == NoRouting && len(d.Routing) > 1 {
			report(diag.Elem(at+".routing", i), "none stands alone\nremove it, or all others")
		}
		if known := RoutingNames(); !slices.Contains(known, name) {
			report(diag.Elem(at+".routing", i), "there is no routing %q\n%s", name,
				diag.Suggest(name, known, "it is one of "))
		}
	}
}
