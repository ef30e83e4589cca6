// Package stock allots cables in stock to the cables that a machine needs, such that what is left to buy costs the
// least.
//
// It knows neither links nor catalogs. A pile is pieces of one family in one length. A class is cables that may be made
// of the same pieces and cost the same otherwise: each use says which lengths of a family would do and what one piece
// saves. Which cables get which pieces is a minimum-cost flow from piles to classes, found by successive shortest paths
// with potentials (R. K. Ahuja, T. L. Magnanti and J. B. Orlin, Network Flows, 1993, section 9.7), and so exact: no
// other allotment leaves fewer cables without a price, of those none saves more, of those none uses more pieces, and of
// those none wastes less length. All figures are integers.
package stock
