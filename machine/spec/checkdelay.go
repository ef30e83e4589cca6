package spec

import (
	"maps"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
)

func (s *Spec) checkDelay(report Reporter) {
	known := append(mediumWords(), string(catalog.Trace))
	check := func(section string, names []string) {
		for _, name := range names {
			if !slices.Contains(known, name) {
				report(diag.Key(section, name), "%q is no medium\n%s", name, diag.Suggest(name, known, "it is one of "))
			}
		}
	}
	check("delay.propagation", slices.Sorted(maps.Keys(s.Delay.Propagation)))
	check("delay.ends", slices.Sorted(maps.Keys(s.Delay.Ends)))
	for i, name := range s.Delay.Routing {
		if known := RoutingNames(); !slices.Contains(known, name) {
			report(diag.Elem("delay.routing", i), "there is no routing %q\n%s", name,
				diag.Suggest(name, known, "it is one of "))
		}
	}
}
