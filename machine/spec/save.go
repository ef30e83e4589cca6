package spec

import "go.yaml.in/yaml/v4"

// YAML writes the spec as a machine file that Parse reads back to an equal spec, to the last bit. Paths of files are
// written as the spec has them, which Read may have joined with the directory of the machine file.
func (s *Spec) YAML() ([]byte, error) {
	var n yaml.Node
	if err := n.Encode(s); err != nil {
		return nil, err
	}
	foldLists(&n)
	return yaml.Dump(&n)
}

// foldLists puts lists of scalars on one line.
func foldLists(n *yaml.Node) {
	scalars := len(n.Content) > 0
	for _, c := range n.Content {
		foldLists(c)
		scalars = scalars && c.Kind == yaml.ScalarNode
	}
	if n.Kind == yaml.SequenceNode && scalars {
		n.Style = yaml.FlowStyle
	}
}
