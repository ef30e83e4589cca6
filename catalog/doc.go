// Package catalog holds the parts that machines are built from and what they
// cost: switches, adapters, nodes, racks, trays, cable families with their
// stocked lengths, and optics.
//
// Parts and price sets are YAML files, embedded in the binary; a machine file
// may add parts of its own. Every figure carries a source and a confidence, and
// every price set is named and dated, because prices age. The package knows no
// geometry beyond a part's own size and chooses nothing: it answers what exists,
// how long a stocked length is, and what a price set asks for it.
package catalog
