package spec

import (
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/topology"
)

// CheckTopology finds what the file says about vertices, levels and dimensions
// that the topology does not have. Words that may be of what the graph lacks for other mistakes are let pass.
func (s *Spec) CheckTopology(g topology.Graph, maybe func(word string) bool, report Reporter) {
	s.checkKinds(g, maybe, report)
	s.checkLinkLevels(g, maybe, report)
	if len(g.Kinds()) == 0 {
		return
	}
	lattice := topology.GridOf(g)
	if s.checkFold(g.Family(), lattice, report) {
		s.checkBlocks(g.Family(), lattice, report)
	}
}

// checkKinds finds kinds of vertices that the topology does not have.
func (s *Spec) checkKinds(g topology.Graph, maybe func(word string) bool, report Reporter) {
	var kinds []string
	switches := false
	for _, k := range g.Kinds() {
		kinds = append(kinds, k.Name)
		switches = switches || k.Role == topology.Switch
	}
	has := func(kind string) bool {
		return slices.Contains(kinds, kind) || kind == "switch" && switches || maybe(kind)
	}
	for _, b := range s.Packaging.boxes() {
		if b.any && !slices.Contains(kinds, b.kind) && !maybe(b.kind) || !has(b.kind) {
			report(b.path(), "a %s has no %s\nits kinds of vertices are %s", g.Family(), b.kind,
				strings.Join(kinds, ", "))
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Delay.Hop)) {
		if !has(kind) && (len(s.Fabrics) == 0 || kind != AllNodes && kind != AllSwitches) {
			report(diag.OfKey("delay.hop", kind), "a %s has no %s\n%s", g.Family(), kind,
				diag.Suggest(kind, kinds, "its kinds of vertices are "))
		}
	}
}

// checkLinkLevels finds levels of links that the topology does not have.
func (s *Spec) checkLinkLevels(g topology.Graph, maybe func(word string) bool, report Reporter) {
	var levels []string
	for _, l := range g.Levels() {
		levels = append(levels, l.Name)
	}
	check := func(path string, named []string) {
		for i, level := range named {
			if !slices.Contains(levels, level) && !maybe(level) {
				report(diag.Elem(path, i), "a %s has no level %q\n%s", g.Family(), level,
					diag.Suggest(level, levels, "its levels are "))
			}
		}
	}
	for i, m := range s.Cabling.Media {
		check(diag.Elem("cabling.media", i)+".levels", m.Levels)
	}
	if k := s.Cabling.Structured; k != nil {
		check("cabling.structured.levels", k.Levels)
	}
}

// checkFold finds dimensions to fold that the topology does not have. It returns false if some are named and the
// topology has none at all, where lattice is nil.
func (s *Spec) checkFold(family string, lattice topology.Lattice, report Reporter) bool {
	f := s.Embedding.Fold
	if len(f) == 0 || f.All() || f.None() {
		return true
	}
	if lattice == nil {
		report("embedding.fold", "dimensions are of lattices, and a %s is none", family)
		return false
	}
	for i, name := range f {
		if n := len(lattice.Dims()); dimension(name) >= n {
			report(diag.Elem("embedding.fold", i), "the %s has no %s\nits dimensions are dim1 to dim%d",
				family, name, n)
		}
	}
	return true
}

// checkBlocks finds blocks that no routers of the topology can fill.
func (s *Spec) checkBlocks(family string, lattice topology.Lattice, report Reporter) {
	switch e := &s.Embedding; {
	case len(e.Blocks) == 0:
		return
	case lattice == nil:
		report("embedding.blocks", "blocks are of lattices, and a %s is none", family)
		return
	case e.Strategy != "" && e.Strategy != embed.Auto && e.Strategy != embed.Folded:
		report("embedding.blocks", "strategy %s does not use blocks\nchoose folded or auto", e.Strategy)
		return
	}
	for _, level := range slices.Sorted(maps.Keys(s.Embedding.Blocks)) {
		at, block := diag.Key("embedding.blocks", level), s.Embedding.Blocks[level]
		if n := len(block); n != len(lattice.Dims()) {
			report(at, "%d numbers for %d dimensions", n, len(lattice.Dims()))
		}
		node := s.Packaging.Node
		chassis, isChassis := s.Packaging.Chassis[level]
		switch {
		case level == "hall":
			report(at, "the hall holds the whole lattice\nremove it")
		case isChassis && (lattice.TerminalsPerRouter() > 0 || node == nil || node.Chassis != level):
			report(at, "no routers slide into this chassis")
		case isChassis && cells(block) > cells(chassis.Slots):
			report(at, "a block of %d routers in a chassis of %d slots", cells(block), cells(chassis.Slots))
		}
	}
}
