package machines

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/throughput"
)

// mostOfFamily is the most configurations of a family that are enumerated.
const mostOfFamily = 10_000

// candidate is a configuration on its way through the search.
type candidate struct {
	size     topology.Size
	machine  *yaml.Node
	spec     *spec.Spec
	fallen   *Fallen           // nil while it is in the race
	refused  error             // why it cannot be planned
	carried  *throughput.Bound // nil where none is known or asked for
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
		for _, size := range sizes {
			out = append(out, &candidate{size: size})
		}
	}
	if wrong != nil {
		return nil, s.doc.Anew().With(wrong)
	}
	return out, nil
}

// sizes are the configurations of a family, each once: of switches with up to each of the numbers of ports.
func (s *Search) sizes(family string) (out []topology.Size, leftOut int, err error) {
	radices := s.SwitchPorts
	if len(radices) == 0 {
		radices = []int{0}
	}
	there := map[string]bool{}
	for _, radix := range radices {
		list, err := topology.Sizes(family, topology.SizeQuery{
			MinNodes: s.MinNodes, MaxNodes: s.MaxNodes, MaxPorts: radix, Limit: mostOfFamily,
		})
		if err != nil {
			return nil, 0, err
		}
		leftOut = max(leftOut, list.LeftOut)
		for _, size := range append(list.Sizes, s.shapes(family, radix)...) {
			if name := size.Spec.String(); !there[name] {
				there[name] = true
				out = append(out, size)
			}
		}
	}
	return out, leftOut, nil
}

// give makes the machine of every candidate. Entries for kinds of boxes that its topology does not have are left out of
// it; those that no candidate has are a mistake.
func (s *Search) give(all []*candidate) error {
	var wrong diag.FieldErrors
	dropped := map[string]int{}
	for _, c := range all {
		at, err := s.machineOf(c.size.Spec, dropped)
		if err != nil {
			return err
		}
		c.machine, c.spec = at, s.draft.Read(at)
	}
	for _, section := range kinded {
		in := valueAt(s.root, section...)
		if in == nil || in.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(in.Content); i += 2 {
			if path := pathOf(section, in.Content[i].Value); len(all) > 0 && dropped[path] == len(all) {
				wrong.Add(path, "no candidate has such boxes\nremove it, or search other families")
			}
		}
	}
	if wrong != nil {
		return s.draft.Read(s.draft.Root()).Locate(wrong)
	}
	return nil
}

// kinded are the sections of a machine file whose keys are kinds of boxes.
var kinded = [][]string{{"packaging"}, {"delay", "hop"}}

// pathOf is the path of a key in a section.
func pathOf(section []string, key string) string {
	path := ""
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

// machineOf is the machine with a topology. It counts what it leaves out by its path.
func (s *Search) machineOf(t topology.Spec, dropped map[string]int) (*yaml.Node, error) {
	var file yaml.Node
	if err := yaml.Unmarshal([]byte(t.String()), &file); err != nil {
		return nil, fmt.Errorf("%v: %w", t, err)
	}
	g, err := topology.New(t)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", t, err)
	}
	kinds := []string{"chassis"} // of which packaging has no boxes
	for _, k := range g.Kinds() {
		kinds = append(kinds, k.Name)
		if k.Role == topology.Switch {
			kinds = append(kinds, "switch")
		}
	}
	root := plain(s.root)
	root.Style = 0 // sections in braces are lines of their own in a file
	if i := keyIn(root, "topology"); i >= 0 {
		root.Content[i+1] = file.Content[0]
	} else {
		at := 0
		for _, head := range []string{"name", "description"} {
			if i := keyIn(root, head); i >= 0 {
				at = max(at, i+2)
			}
		}
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "topology"}
		root.Content = slices.Insert(root.Content, at, key, file.Content[0])
	}
	for _, section := range kinded {
		in := valueAt(root, section...)
		if in == nil || in.Kind != yaml.MappingNode {
			continue
		}
		var kept []*yaml.Node
		for i := 0; i+1 < len(in.Content); i += 2 {
			if key := in.Content[i].Value; !slices.Contains(kinds, key) {
				dropped[pathOf(section, key)]++
				continue
			}
			kept = append(kept, in.Content[i], in.Content[i+1])
		}
		in.Content = kept
	}
	if i := keyIn(root, "packaging"); i >= 0 && root.Content[i+1].Kind == yaml.MappingNode &&
		len(root.Content[i+1].Content) == 0 {
		root.Content = slices.Delete(root.Content, i, i+2)
	}
	return root, nil
}
