// Package catalog holds the parts that machines are built from, and their prices: nodes, switches, adapters, cable
// families with their stocked lengths, optics, patch panels, racks and trays.
//
// Parts and price sets are YAML files, embedded in the binary; a machine file may add parts of its own, quotes of
// suppliers (Offer) take precedence over a price set, and device types of NetBox can be imported.
//
// Every figure has a source and a confidence, and every price set a name and a date. A figure that no source states is
// unknown, not zero. Lengths are in metres, power in watts, weights in kilograms, rates in Gb/s, prices in cents of a
// currency. The package chooses nothing: it answers which parts exist, which lengths are stocked, and what a price set
// or quote asks for them.
//
// Connectors are plain words, compared exactly: what fits a cage but does not run
// in it has another word. The embedded parts use:
//
//	rj45        twisted pair, 1G and 10G
//	sfp+        10G
//	sfp28       25G
//	sfp56       50G
//	qsfp        40G (QDR)
//	qsfp+       40G Ethernet
//	qsfp14      56G (FDR)
//	qsfp28      100G
//	qsfp56      200G
//	qsfp112     400G
//	qsfp-dd     400G, or a twin-port cage of 2 x 200G (Slingshot)
//	qsfp-dd800  800G
//	osfp        finned cage of switches: 400G, 800G, 1.6T, 2 x 400G (NDR), 2 x 800G (XDR)
//	osfp-flat   flat-top twin-port cage of nodes, 2 x 400G
//	osfp-rhs    flat-top single-port cage of adapters, to 800G, and of switches, 1.6T
//	bgl-link    midplane link of Blue Gene/L
//	mpo12       MPO-12/UPC fibre plug
//	mpo12-apc   MPO-12/APC fibre plug
//	mpo16-apc   MPO-16/APC fibre plug
//	mpo24-apc   MPO-24/APC fibre plug, two rows of twelve
//	mmc12-apc   MMC-12/APC fibre plug
//	lc          duplex LC fibre plug
//
// An ordinary cable has the same plug at both ends and holds one link; Cables and
// Fibres find no others. Twins, Splitters, Trunks and Panels find what holds
// several.
package catalog
