// Package embed decides where every vertex of a topology stands.
//
// A strategy first puts the vertices in an order in which neighbours stand near
// each other (the topology's own groups, blocks of a lattice with its rings
// folded, copies within copies, or an order made from the links) together with
// the groups that should not be torn apart. The order is then filled into racks
// (rack units, chassis, power, weight and counts are respected), the racks are
// arranged on the floor, and what is pinned is stood where it belongs. Containers are filled directly. An Optimizer
// exchanges racks and boxes from there. A placement can be written as a table and read back as pins.
//
// The package knows no price: what the optimiser makes small is handed in.
package embed
