package routing

import (
	"errors"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
)

// Options of New.
type Options struct {
	// Threshold is the number of packets times hops by which UGAL, PAR, Clos-AD
	// and DAL prefer the minimal path.
	Threshold int
	// VCs is the number of virtual channels that there will be, 0 for as many as
	// are needed. It decides the layering of table-based routing: by hops if there
	// are enough, otherwise up and down a spanning tree.
	VCs int
	// Delay is what it takes a packet to enter a vertex over a link, in the order of Graph.Links, with what the vertex
	// itself takes: in ns, cycles, or any other unit. It is what fastest and fastest-minimal add up; 1 everywhere when
	// nil. Differences below 2^-20 do not count.
	Delay func(link, vertex int32) float64
}

// Info describes a routing function.
type Info struct {
	Name string
	Doc  string
	new  func(*Network, Options) (Function, error)
}

var functions = []Info{
	{"dor", "dimension order; in rings the shorter way round, with two classes (torus, mesh, hypercube, hyperx, " +
		"flattened-butterfly)", newDimOrder},
	{"bubble", "dimension order in one class, with bubble flow control (torus)", newBubble},
	{"min-adaptive", "any minimal path: with dimension order as escape in a lattice, up and then down in a tree, by " +
		"table otherwise", newMinAdaptive},
	{"minimal", "one minimal path for each pair of routers, by table (any graph)", newTable},
	{
		"fastest", "the path of the least planned delay for each pair of routers, however many hops it has, by table " +
			"(any graph)",
		func(n *Network, o Options) (Function, error) { return newFastest(n, o, false) },
	},
	{
		"fastest-minimal", "of the paths with the fewest hops, the one of the least planned delay, by table " +
			"(any graph)",
		func(n *Network, o Options) (Function, error) { return newFastest(n, o, true) },
	},
	{"valiant", "minimal to a random router and minimal from there (any graph)", newValiant},
	{"ugal-l", "minimal or Valiant, by the queues of the source router", newUGALLocal},
	{"ugal-g", "minimal or Valiant, by the queues of the two whole paths", newUGALGlobal},
	{
		"par", "minimal or Valiant, chosen again at every router of the source's group (dragonfly)",
		func(n *Network, o Options) (Function, error) { return newDragonfly(n, "par", o) },
	},
	{"min-ad", "any offset dimension (hyperx, flattened-butterfly)", newMinAD},
	{
		"clos-ad",
		"dimension order, or by way of a common ancestor in the folded Clos network, by the shortest queues " +
			"(hyperx, flattened-butterfly)",
		func(n *Network, o Options) (Function, error) { return newClosAD(n, o, false) },
	},
	{
		"clos-ad-random", "the same, by way of an ancestor drawn at the source",
		func(n *Network, o Options) (Function, error) { return newClosAD(n, o, true) },
	},
	{"dal", "any offset dimension, with one deroute in each (hyperx, flattened-butterfly)", newDAL},
	{"dal-hops", "the same, with a class for each hop in place of the escape channel", newDALByHops},
	{
		"safety-vector", "round failures, by safety vectors (hyperx, flattened-butterfly)",
		func(n *Network, _ Options) (Function, error) { return newSafety(n, false, false) },
	},
	{
		"safety-vector-any", "the same, by any working neighbour where the vectors know none",
		func(n *Network, _ Options) (Function, error) { return newSafety(n, true, false) },
	},
	{
		"safety-vector-escape", "the same, up and down a spanning tree where the vectors know no way",
		func(n *Network, _ Options) (Function, error) { return newSafety(n, false, true) },
	},
	{"tree", "up by any port, down to the destination (k-ary-n-tree, thin-tree, fat-tree, folded-clos)", newTree},
	{"updown", "the shortest path up and then down a spanning tree (any graph)", newUpDown},
	{"clex", "the direct route of CLEX", func(n *Network, _ Options) (Function, error) { return newCLEX(n, false) }},
	{
		"clex-recursive", "the recursive route of CLEX, by random nodes",
		func(n *Network, _ Options) (Function, error) { return newCLEX(n, true) },
	},
}

// Functions lists the routing functions.
func Functions() []Info { return slices.Clone(functions) }

// ErrUnfit is in the chain of errors of New about a routing function that is not for the network, not of those about an
// unknown name.
var ErrUnfit = errors.New("does not fit")

// New makes the routing function of a name; "" is the default of the family. The function may have another name: min-ad
// takes the place of min-adaptive in a HyperX without failures, and updown that of minimal, min-adaptive and their like
// where Options.VCs are too few for them.
func New(n *Network, name string, opt Options) (Function, error) {
	if name == "" {
		name = Default(n)
	}
	var names []string
	for _, f := range functions {
		if f.Name == name {
			fn, err := f.new(n, opt)
			if err != nil {
				return nil, fmt.Errorf("routing %s %w this network: %w", name, ErrUnfit, err)
			}
			return fn, nil
		}
		names = append(names, f.Name)
	}
	return nil, fmt.Errorf("no routing %q; %s", name, diag.Suggest(name, names, "there are "))
}

// Default is the name of the usual routing function of a network's family.
func Default(n *Network) string {
	_, lattice := n.Graph.(topology.Lattice)
	_, clex := n.Graph.(topology.CliqueGraph)
	if g, ok := n.Graph.(topology.UsualRouter); ok && g.UsualRouting() != "" && !((lattice || clex) && n.Ends != nil) {
		return g.UsualRouting()
	}
	return "min-adaptive"
}

func newTable(n *Network, opt Options) (Function, error) {
	if isDragonfly(n) {
		return newDragonflyMinimal(n, false)
	}
	return newLayered(n, opt, false, "minimal")
}

// newLayered returns table-based minimal routing, or updown where its layers are more
// than there are virtual channels.
func newLayered(n *Network, opt Options, adaptive bool, name string) (Function, error) {
	f, err := newMinimal(n, adaptive, name)
	if err != nil {
		return nil, err
	}
	if opt.VCs > 0 && f.classes > opt.VCs {
		return newUpDown(n, opt)
	}
	return f, nil
}

func newMinAdaptive(n *Network, opt Options) (Function, error) {
	if l, err := newLattice(n); err == nil && n.Dead == nil {
		if l.full() {
			return newMinAD(n, opt)
		}
		return newMinimalLattice(l), nil
	}
	if isDragonfly(n) {
		return newDragonflyMinimal(n, true)
	}
	return newLayered(n, opt, true, "min-adaptive")
}

func newTree(n *Network, _ Options) (Function, error) {
	if !isTree(n.Graph) {
		return nil, fmt.Errorf("%s is not a tree", n.Graph.Family())
	}
	f, err := newMinimal(n, true, "tree")
	if err != nil {
		return nil, err
	}
	return f, nil
}

func newValiant(n *Network, opt Options) (Function, error) { return newNonMinimal(n, "valiant", opt) }

func newUGALLocal(n *Network, opt Options) (Function, error) { return newNonMinimal(n, "ugal-l", opt) }

func newUGALGlobal(n *Network, opt Options) (Function, error) { return newNonMinimal(n, "ugal-g", opt) }

// newNonMinimal is the functions with one intermediate of any network.
func newNonMinimal(n *Network, name string, opt Options) (Function, error) {
	if isDragonfly(n) {
		return newDragonfly(n, name, opt)
	}
	f := newTwoPhase(n, name, nil, anyRouter(n), opt)
	if l, err := newLattice(n); err == nil && n.Dead == nil {
		f.inner = dimOrderOn(l)
	} else {
		inner, err := newMinimal(n, name != "valiant", "minimal")
		if err != nil {
			return nil, err
		}
		f.inner = inner
	}
	if c := f.Classes(); c > 255 {
		return nil, fmt.Errorf("two legs of up to %d hops need %d virtual channels; 255 at most", c/2, c)
	}
	return f, nil
}
