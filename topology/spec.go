package topology

import (
	"errors"
	"fmt"
	"strings"
)

// Ints is a list of integers; in YAML and JSON a single number stands for a
// list of one.
type Ints []int

// Spec names a family and its parameters: the `topology:` section of a machine
// file. A parameter that the family does not take must be left at zero; New
// refuses it otherwise.
type Spec struct {
	// Family is the name of one of Families: torus, hyperx, fat-tree, ...
	Family string `yaml:"family" json:"family"`

	// Dims is the number of routers in each dimension (torus, mesh, ibt, pec, srt,
	// rdt, hyperx, flattened-butterfly), or for a hypercube and for cube-connected
	// cycles the number of dimensions.
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"`
	// BypassDims is the number of dimensions of an iBT network with bypass rings
	// (L in the paper), the first ones of Dims; BypassLengths is the lengths of
	// the bypass links, in the order in which they take turns (l in the paper).
	BypassDims    int  `yaml:"bypass_dims,omitempty" json:"bypass_dims,omitempty"`
	BypassLengths Ints `yaml:"bypass_lengths,omitempty" json:"bypass_lengths,omitempty"`
	// Base and Digits are the number of different digits, and of digits in a
	// vertex's word, of a de Bruijn graph.
	Base   int `yaml:"base,omitempty" json:"base,omitempty"`
	Digits int `yaml:"digits,omitempty" json:"digits,omitempty"`
	// Clique is the number of nodes of a clique of CLEX; Bundled selects the
	// form with one link of many times the capacity in place of many links.
	Clique  int  `yaml:"clique,omitempty" json:"clique,omitempty"`
	Bundled bool `yaml:"bundled,omitempty" json:"bundled,omitempty"`
	// Widths is the number of parallel links in each dimension of a HyperX
	// (K in the paper); 1 everywhere when left out.
	Widths Ints `yaml:"widths,omitempty" json:"widths,omitempty"`
	// Terminals is the number of nodes on each switch (hyperx,
	// flattened-butterfly; T in the paper).
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`

	// Down and Up are a switch's ports towards the leaves and towards the top
	// (thin-tree: k and k'; fat-tree: of a leaf switch). k-ary-n-tree takes Down.
	Down int `yaml:"down,omitempty" json:"down,omitempty"`
	Up   int `yaml:"up,omitempty" json:"up,omitempty"`
	// Levels is the number of switch levels (k-ary-n-tree, thin-tree), or of
	// levels of links (clex).
	Levels int `yaml:"levels,omitempty" json:"levels,omitempty"`

	// Nodes is the number of nodes of a fat tree or folded Clos network, whose last
	// unit may be partly filled, of a barrel shifter or of a hybrid fat tree.
	Nodes int `yaml:"nodes,omitempty" json:"nodes,omitempty"`
	// Radix is the number of ports of every switch of a fat tree or folded Clos
	// network.
	Radix int `yaml:"radix,omitempty" json:"radix,omitempty"`
	// Tiers is the number of switch tiers of a fat tree, 2 (default) or 3, or of a
	// folded Clos network, as many as it needs when left out.
	Tiers int `yaml:"tiers,omitempty" json:"tiers,omitempty"`
	// Taper is the ratio of down to up ports in a fat tree: of a leaf, and with
	// three tiers of a spine too; in a folded Clos network of a leaf only. 1 when
	// left out.
	Taper float64 `yaml:"taper,omitempty" json:"taper,omitempty"`
	// Rails is the number of ports of each fat-tree node, each on a leaf of its
	// own; 1 when left out.
	Rails int `yaml:"rails,omitempty" json:"rails,omitempty"`
	// Spines and Cores fix the number of switches of the upper tiers of a fat
	// tree; the fewest that offer enough ports when left out.
	Spines int `yaml:"spines,omitempty" json:"spines,omitempty"`
	Cores  int `yaml:"cores,omitempty" json:"cores,omitempty"`
	// PodUnits is the number of units (a leaf per rail and its nodes) in a pod
	// of a three-tier fat tree; as many as the spines of a pod can hold when
	// left out.
	PodUnits int `yaml:"pod_units,omitempty" json:"pod_units,omitempty"`

	// P, A and H are a dragonfly's nodes per switch, switches per group and
	// global links per switch.
	P int `yaml:"p,omitempty" json:"p,omitempty"`
	A int `yaml:"a,omitempty" json:"a,omitempty"`
	H int `yaml:"h,omitempty" json:"h,omitempty"`
	// Groups is the number of dragonfly groups (g); as many as the global ports
	// allow when left out: a*h + 1 with one link per pair.
	Groups int `yaml:"groups,omitempty" json:"groups,omitempty"`
	// LinksPerPair is the number of global links between two groups of a
	// dragonfly; 1 when left out.
	LinksPerPair int `yaml:"links_per_pair,omitempty" json:"links_per_pair,omitempty"`
	// LocalPorts makes a dragonfly of nodes that are their own switches: the
	// local links of each, one less than the nodes of a group.
	LocalPorts int `yaml:"local_ports,omitempty" json:"local_ports,omitempty"`

	// Graph is the name of a Moore graph: pentagon, petersen or
	// hoffman-singleton.
	Graph string `yaml:"graph,omitempty" json:"graph,omitempty"`
	// Q is the prime power of a finite field (slim-fly, polarfly, angelfish).
	Q int `yaml:"q,omitempty" json:"q,omitempty"`
	// Subnet is the Moore graph that an Angelfish network repeats.
	Subnet string `yaml:"subnet,omitempty" json:"subnet,omitempty"`
	// Side is the number of nodes along a side of a Flying Fish subnet.
	Side int `yaml:"side,omitempty" json:"side,omitempty"`
	// Variant tells how the subnets of a Fishnet are joined: full (default) or
	// lite, for an Angelfish also mesh or l-mesh.
	Variant string `yaml:"variant,omitempty" json:"variant,omitempty"`

	// Degree is the number of links between switches on each switch of a random
	// regular graph; Nodes is the number of switches.
	Degree int `yaml:"degree,omitempty" json:"degree,omitempty"`
	// Seed selects a random graph.
	Seed uint64 `yaml:"seed,omitempty" json:"seed,omitempty"`
	// Board is the columns and rows of accelerators on a board of a
	// HammingMesh, whose Dims are the columns and rows of boards.
	Board Ints `yaml:"board,omitempty" json:"board,omitempty"`

	// Path is the file of a graph, Format its format: edges, dot, graphml or
	// anynet; the ending of the path tells when left out.
	Path   string `yaml:"path,omitempty" json:"path,omitempty"`
	Format string `yaml:"format,omitempty" json:"format,omitempty"`
	// NamedPorts says that the file names the ports of all its links.
	NamedPorts bool `yaml:"named_ports,omitempty" json:"named_ports,omitempty"`
}

// ParamError is a mistake in one parameter of a Spec.
type ParamError struct {
	Family string
	Param  string // the YAML name of the parameter
	Index  int    // element of a list parameter, -1 for the whole
	Reason string
	// Named says that the reason names the parameter itself.
	Named bool
}

func (e *ParamError) Error() string {
	if e.Named {
		return fmt.Sprintf("%s: %s", e.Family, e.Reason)
	}
	at := e.Param
	if e.Index >= 0 {
		at = fmt.Sprintf("%s[%d]", e.Param, e.Index)
	}
	if e.Family == "" {
		return fmt.Sprintf("%s: %s", at, e.Reason)
	}
	return fmt.Sprintf("%s: %s: %s", e.Family, at, e.Reason)
}

// ParamErrors returns the mistakes that New found, in order.
func ParamErrors(err error) []*ParamError {
	var out []*ParamError
	var walk func(error)
	walk = func(err error) {
		var pe *ParamError
		switch x := err.(type) {
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				walk(e)
			}
		default:
			if errors.As(err, &pe) {
				out = append(out, pe)
			}
		}
	}
	walk(err)
	return out
}

// JoinWords joins words for a sentence: "a, b and c".
func JoinWords(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
