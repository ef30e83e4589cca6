// Package cabling turns links into cables: the ports at both ends, the route,
// the length, the product, the labels.
//
// Every channel of every link becomes exactly one Segment of the Schedule. A
// segment that stays inside a board, chassis or midplane is a trace: it has a
// length and is nothing one orders. Every other segment is one cable, and takes
// the cheapest stocked length and medium that the media policy, the reach and
// the stocked lengths allow; where nothing fits, the segment has no product and the schedule a Violation that names it.
//
// A length is a sum of named pieces, in metres, kept to a tenth of a
// millimetre. Prices enter only through the function that ranks products;
// totals in money are package cost's.
package cabling
