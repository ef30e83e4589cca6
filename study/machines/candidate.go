package machines

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
	"github.com/plenum-planner/plenum/topology/throughput"
	"github.com/plenum-planner/plenum/units"
)

// mostOfFamily is the most configurations of a family that are enumerated.
const mostOfFamily = 10_000

// candidate is a configuration on its way through the search.
type candidate struct {
	size     topology.Size
	part     string // of the catalog, for all switches; empty where the machine chooses
	machine  *yaml.Node
	spec     *spec.Spec
	fallen   *Fallen           // nil while it is in the race
	refused  error             // why it cannot be planned
	graph    topology.Graph    // of the fabric that is searched, with its boxes; nil of machines with one topology
	carried  *throughput.Bound // nil where none is known or asked for
	load     float64           // the uniform traffic that its shortest paths carry; 0 where it is not asked for
	hops     []units.Time      // the different hop delays of its routers
	hopsMean float64           // links between nodes, mean over pairs
	order    float64           // the estimate of the objective
	least    figures           // lower bounds
	currency string            // of its plan
	planned  *figures          // nil until it is
	entry    *Entry            // likewise
}

// enumerate lists the configurations of all families in the range.
func (s *Search) enumerate() ([]*candidate, error) {
	var out []*candidate
	var wrong diag.FieldErrors
	levels := map[string]bool{}
	for i, family := range s.Families {
		sizes, leftOut, err := s.sizes(family)
		if err != nil {
			return nil, err
		}
		if n := len(sizes) + leftOut; n > mostOfFamily {
			wrong.Add(diag.Elem("families", i), "there are %d sizes of a %s in the range, and %d are enumerated\n"+
				"narrow nodes, or give switch_ports", n, family, mostOfFamily)
			continue
		}
		if sizes, err = s.withCapacities(sizes, levels); err != nil {
			return nil, err
		}
		if n := len(sizes); n > mostOfFamily {
			wrong.Add(diag.Elem("families", i), "the capacities make %d configurations of each %s in the range, "+
				"and %d are enumerated\nnarrow nodes, or list fewer capacities", n, family, mostOfFamily)
			continue
		}
		out = append(out, sizes...)
	}
	s.checkLevels(levels, &wrong)
	if wrong != nil {
		return nil, s.doc.Anew().With(wrong)
	}
	return out, nil
}

// radix is what switches are: their most ports, and the part if one is asked for.
type radix struct {
	ports int // 0 for any
	part  string
}

// radices are those that the file asks for.
func (s *Search) radices() []radix {
	var out []radix
	for _, n := range s.SwitchPorts {
		out = append(out, radix{ports: n})
	}
	for i, id := range s.Switches {
		out = append(out, radix{s.partPorts[i], id})
	}
	if out == nil {
		return []radix{{}}
	}
	return out
}

// hasSwitches reports whether boxes of a topology are switches. Others have routers in their nodes.
func hasSwitches(t topology.Spec) (bool, error) {
	g, err := topology.New(t)
	if err != nil {
		return false, fmt.Errorf("%v: %w", t, err)
	}
	return slices.ContainsFunc(g.Kinds(), func(k topology.Kind) bool { return k.Role == topology.Switch }), nil
}

// sizes are the configurations of a family, each once with each part: of switches with up to each of the numbers of
// ports.
func (s *Search) sizes(family string) (out []*candidate, leftOut int, err error) {
	there := map[candidateName]bool{}
	for _, radix := range s.radices() {
		list, err := topology.Sizes(family, topology.SizeQuery{
			MinNodes: s.MinNodes, MaxNodes: s.MaxNodes, MaxPorts: radix.ports, Limit: mostOfFamily,
		})
		if err != nil {
			return nil, 0, err
		}
		leftOut = max(leftOut, list.LeftOut)
		for _, size := range append(list.Sizes, s.shapes(family, radix.ports)...) {
			name := candidateName{size.Spec.String(), radix.part}
			if name.part != "" {
				switches, err := hasSwitches(size.Spec)
				if err != nil {
					return nil, 0, err
				}
				if !switches {
					name.part = ""
				}
			}
			if !there[name] {
				there[name] = true
				out = append(out, &candidate{size: size, part: name.part})
			}
		}
	}
	return out, leftOut, nil
}

// candidateName tells candidates apart.
type candidateName struct{ topology, part string }

// give makes the machine of every candidate. Entries for kinds of boxes that its topology does not have are left out of
// it; those that no candidate has are a mistake.
func (s *Search) give(all []*candidate) error {
	var wrong diag.FieldErrors
	dropped := map[string]int{}
	for _, c := range all {
		at, err := s.machineOf(c.size.Spec, c.part, dropped)
		if err != nil {
			return err
		}
		c.machine, c.spec = at, s.draft.Read(at)
	}
	home, at := s.home(s.root)
	for _, section := range s.kinded() {
		in := valueAt(home, section...)
		if in == nil || in.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(in.Content); i += 2 {
			if path := pathOf(at, section, in.Content[i].Value); len(all) > 0 && dropped[path] == len(all) {
				wrong.Add(path, "no candidate has such boxes\nremove it, or search other families")
			}
		}
	}
	if wrong != nil {
		return s.draft.Read(s.draft.Root()).Locate(wrong)
	}
	return nil
}

// kinded are the sections beside a topology whose keys are kinds of boxes.
func (s *Search) kinded() [][]string { return [][]string{{s.boxesKey()}, {"delay", "hop"}} }

// boxesKey is the section beside a topology that has the box of every kind of switch.
func (s *Search) boxesKey() string {
	if s.Fabric != "" {
		return "switches"
	}
	return "packaging"
}

// home is the mapping of a machine that has the topology which is searched, and its path: the machine itself or the
// fabric.
func (s *Search) home(root *yaml.Node) (home *yaml.Node, path string) {
	if s.Fabric == "" {
		return root, ""
	}
	for i, f := range valueAt(root, "fabrics").Content {
		if name := valueAt(f, "name"); name != nil && name.Value == s.Fabric {
			return f, diag.Elem("fabrics", i)
		}
	}
	panic("machines: the fabric was checked to be there")
}

// pathOf is the path of a key in a section of what has a path.
func pathOf(path string, section []string, key string) string {
	for _, s := range append(slices.Clone(section), key) {
		path = diag.Key(path, s)
	}
	return path
}

// valueAt is a value inside a mapping, nil where there is none.
func valueAt(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		i := keyIn(n, key)
		if i < 0 {
			return nil
		}
		n = n.Content[i+1]
	}
	return n
}

// keyIn is where a key stands in a mapping, -1 where it does not.
func keyIn(n *yaml.Node, key string) int {
	if n.Kind != yaml.MappingNode {
		return -1
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// machineOf is the machine with a topology, and a part for its switches. It counts what it leaves out by its path.
func (s *Search) machineOf(t topology.Spec, part string, dropped map[string]int) (*yaml.Node, error) {
	var file yaml.Node
	if err := yaml.Unmarshal([]byte(t.String()), &file); err != nil {
		return nil, fmt.Errorf("%v: %w", t, err)
	}
	g, err := topology.New(t)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", t, err)
	}
	kinds := []string{"chassis"} // of which packaging has no boxes
	if s.Fabric != "" {
		kinds = s.boxNames // delays may be those of boxes that are plugged in
	}
	for _, k := range g.Kinds() {
		kinds = append(kinds, k.Name)
		if k.Role == topology.Switch {
			kinds = append(kinds, "switch")
		}
	}
	root := plain(s.root)
	root.Style = 0 // sections in braces are lines of their own in a file
	home, path := s.home(root)
	if i := keyIn(home, "topology"); i >= 0 {
		home.Content[i+1] = file.Content[0]
	} else {
		at := 0
		for _, head := range []string{"name", "description"} {
			if i := keyIn(home, head); i >= 0 {
				at = max(at, i+2)
			}
		}
		home.Content = slices.Insert(home.Content, at, word("topology"), file.Content[0])
	}
	for _, section := range s.kinded() {
		in := valueAt(home, section...)
		if in == nil || in.Kind != yaml.MappingNode {
			continue
		}
		var kept []*yaml.Node
		for i := 0; i+1 < len(in.Content); i += 2 {
			if key := in.Content[i].Value; !slices.Contains(kinds, key) {
				dropped[pathOf(path, section, key)]++
				continue
			}
			kept = append(kept, in.Content[i], in.Content[i+1])
		}
		in.Content = kept
	}
	if i := keyIn(home, s.boxesKey()); i >= 0 && home.Content[i+1].Kind == yaml.MappingNode &&
		len(home.Content[i+1].Content) == 0 {
		home.Content = slices.Delete(home.Content, i, i+2)
	}
	if s.Fabric != "" {
		keepLevels(home, g)
	}
	if part != "" {
		setPart(mappingIn(home, s.boxesKey()), part)
	}
	if s.Equal.Hop != nil {
		delays := mappingIn(home, "delay")
		hops := mappingIn(delays, "hop")
		hops.Content = nil
		for _, k := range g.Kinds() {
			if k.Role != topology.Terminal {
				hops.Content = append(hops.Content, word(k.Name), word(s.Equal.Hop.String()))
			}
		}
	}
	return root, nil
}

// keepLevels leaves out of the media rules of a fabric the levels that a topology does not have, and rules for none but
// these.
func keepLevels(fabric *yaml.Node, g topology.Graph) {
	rules := valueAt(fabric, "media")
	if rules == nil || rules.Kind != yaml.SequenceNode {
		return
	}
	has := []string{fabrics.UplinkLevel}
	for _, l := range g.Levels() {
		has = append(has, l.Name)
	}
	absent := func(level *yaml.Node) bool { return !slices.Contains(has, level.Value) }
	rules.Content = slices.DeleteFunc(rules.Content, func(rule *yaml.Node) bool {
		levels := valueAt(rule, "levels")
		switch {
		case levels == nil:
			return false
		case levels.Kind != yaml.SequenceNode: // a list of one is a word
			return absent(levels)
		case len(levels.Content) == 0:
			return false
		}
		levels.Content = slices.DeleteFunc(levels.Content, absent)
		return len(levels.Content) == 0
	})
}

// setPart makes all switches of a part, in the mapping of boxes by kind. Kinds with an entry of their own take it from
// there.
func setPart(boxes *yaml.Node, part string) {
	mappingIn(boxes, "switch")
	for i := 0; i+1 < len(boxes.Content); i += 2 {
		if kind := boxes.Content[i].Value; kind != "node" && kind != "chassis" {
			box := mappingIn(boxes, kind)
			box.Content = append(box.Content, word("part"), word(part))
		}
	}
}

// switchKinds are the keys of packaging that are of switches.
var switchKinds = []string{"switch", "leaf", "spine", "core"}

// mappingIn is the mapping of a key, which is made where there is none.
func mappingIn(n *yaml.Node, key string) *yaml.Node {
	i := keyIn(n, key)
	if i < 0 {
		i = len(n.Content)
		n.Content = append(n.Content, word(key), nil)
	}
	if of := n.Content[i+1]; of == nil || of.Kind != yaml.MappingNode {
		n.Content[i+1] = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	return n.Content[i+1]
}

// word is a text in a file.
func word(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}
