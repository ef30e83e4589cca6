package report

// Box says what and where a box of a plan is.
type Box struct {
	Name    string `json:"name"`    // as in every output
	Kind    string `json:"kind"`    // node, leaf, ..., or the name of a kind of boxes
	Vertex  int    `json:"vertex"`  // its number in the topology, from 0
	Address string `json:"address"` // the vertex in the notation of the topology's family
	Part    string `json:"part"`    // the id of the part
	Place   string `json:"place"`   // rack and rack unit, or the container
	Links   int64  `json:"links"`   // links that end at it, each channel for itself
	// Neighbours counts its links by the kind of box at their other ends, in the order of kinds.
	Neighbours []Neighbours `json:"neighbours"`
}

// Neighbours are the boxes of a kind that a box is linked to.
type Neighbours struct {
	Kind  string   `json:"kind"`  // of the boxes
	Boxes int      `json:"boxes"` // how many there are
	Links int64    `json:"links"` // links to them, each channel for itself
	Names []string `json:"names"` // of the boxes, the first dozen
}
