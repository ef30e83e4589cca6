// Package catalog holds the parts that machines are built from and what they
// cost: switches, adapters, nodes, racks, trays, cable families with their
// stocked lengths, and optics.
//
// Parts and price sets are YAML files, embedded in the binary; a machine file
// may add parts of its own. Every figure carries a source and a confidence, and
// every price set is named and dated, because prices age. The package knows no
// geometry beyond a part's own size and chooses nothing: it answers what exists,
// how long a stocked length is, and what a price set asks for it.
//
// Connectors are plain words, compared exactly. The embedded parts use:
//
//	sfp+        10G
//	qsfp        40G (QDR)
//	qsfp28      100G
//	qsfp56      200G
//	qsfp112     400G
//	osfp        finned twin-port cage of NDR switches, 2 x 400G
//	osfp-flat   flat-top twin-port cage of nodes, 2 x 400G
//	osfp-rhs    flat-top single-port cage of adapters, 400G
//	bgl-link    midplane link of Blue Gene/L
//	mpo12       MPO-12/UPC fibre plug
//	mpo12-apc   MPO-12/APC fibre plug
//	lc          duplex LC fibre plug
//
// A cable family has the same plug at both ends and holds one link: splitters and
// twin-port copper, which hold two, are not listed.
package catalog
