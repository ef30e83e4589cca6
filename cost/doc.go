// Package cost prices a machine: it makes the bill of materials of a cable schedule, and adds up money, power and
// labour.
//
// NewBill makes a Bill: switches, adapters, cables, optics, panels, racks, trays and the labour of installing cables.
// Nodes are listed, and priced only where the price set, a quote or the machine file prices them. Beside the bill stand
// the cost of operation, the cost of a node, a port and a Gb/s, and the range of the total where prices are ranges. An
// Estimate counts and prices without a schedule, by the machine's own parts or by a published Model, which names its
// source.
//
// # Invariants
//
// Money is in integer cents of one currency, and lines add up to the total exactly. A line is priced at the quantity
// that is ordered, spares included: by the machine file's own prices, then by quotes, then by the price set. A part
// without a price is listed as unpriced, is never counted as free, and every total says that it excludes it. Power is
// in watts.
package cost
