// Package embed decides where every vertex of a topology stands.
//
// A strategy first puts the vertices in an order in which neighbours stand near
// each other (the topology's own groups, or blocks of a lattice with its rings
// folded) together with the groups that should not be torn apart. The order is
// then filled into racks (rack units, chassis, power, weight and counts are
// respected), the racks are arranged on the floor, and their order may be
// improved by exchanging racks. Nested containers are filled directly.
//
// The package knows no price; the improvement works on metres.
package embed
