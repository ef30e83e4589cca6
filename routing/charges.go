package routing

import "github.com/plenum-planner/plenum/topology"

// Charges are what the vertices of a path cost a packet besides the links, in time or cycles: what topology.Charge
// says, for the routers and terminals of a network. A packet pays for every router from the one that it enters first
// to the last, and for the terminal at each end.
type Charges[T any] struct {
	Router []T // by router; one that forwards nothing of others costs what its adapter does
	// Terminal is what a terminal costs beside its router, as the source and again as the destination: its adapter's;
	// nothing where router and terminal are one vertex.
	Terminal []T
}

// ChargesOf returns the charges of a network, given what a vertex of each kind costs, in the order of Graph.Kinds.
func ChargesOf[T any](n *Network, byKind []T) Charges[T] {
	c := Charges[T]{Router: make([]T, n.Routers()), Terminal: make([]T, n.Terminals())}
	kinds := n.Graph.Kinds()
	for r, v := range n.Vertex {
		c.Router[r] = byKind[topology.KindOf(kinds, int(v))]
	}
	for t, v := range n.Terminal {
		if n.Router[v] < 0 {
			c.Terminal[t] = byKind[topology.KindOf(kinds, int(v))]
		}
	}
	return c
}
