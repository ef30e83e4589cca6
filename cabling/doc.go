// Package cabling makes the cable schedule of a placed machine: for every link the ports at both ends, the route, the
// length, the product and the labels.
//
// Run returns a Schedule. A Segment realizes a channel of a link, or a part of one between patch panels. A segment
// inside a board, chassis or midplane is a trace: it has a length and no product. Every other segment is on one cable,
// and takes the cheapest product that its media rule, its reach and the stocked lengths allow. The schedule also has
// bundles, tray fill, and the violations of the design rules; a segment without a product is such a violation.
//
// Fewer lengths (Consolidation) are found by dynamic programming over the stocked lengths, cables from stock by a
// minimum-cost flow (package cabling/stock), and the diameters of bundles from packings of circles in a circle
// (bundle.go names the source).
//
// # Invariants
//
// Every channel is in the schedule exactly once, as one segment, or as two or three where it runs over panels, and
// every segment that is not a trace is on exactly one cable. Vertices, ports, kinds, levels and products are numbered
// from 0, cables and bundles from 1. A length is the sum of named pieces, in metres, rounded to a tenth of a
// millimetre. Prices only rank products and are shown in explanations; totals are package cost's.
package cabling
