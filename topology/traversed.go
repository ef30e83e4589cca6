package topology

// What a packet pays on an idle network besides its links is the routers that it traverses: every router or switch of
// its path once, those of its source and its destination included. All that measures or simulates delays follows this
// file.
//
// A vertex that forwards packets in its network (role Node or Switch) is a router, also where a packet begins or ends.
// So a path of h links has h+1 routers in a direct network, and a torus of nodes takes as long as the same torus of
// switches with a node each, but for the links to these. An end node (role Terminal) passes nothing on with any
// number of ports. It costs what its adapter takes, once as the source and once as the destination.

// Charge is what a vertex of a role costs a packet whose path it is on: the delay of a router, or that of an adapter
// at an end node. Sum it over all vertices of the path, the source and the destination included.
func Charge[T any](role Role, router, adapter T) T {
	if role == Terminal {
		return adapter
	}
	return router
}

// TraversedRouters returns the routers on a path of so many links, which may be a mean over paths, between vertices of
// two roles.
func TraversedRouters(links float64, from, to Role) float64 {
	routers := links + 1
	for _, role := range [2]Role{from, to} {
		routers -= Charge(role, 0.0, 1)
	}
	return routers
}
