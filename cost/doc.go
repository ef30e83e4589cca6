// Package cost makes the bill of materials of a schedule and adds up money and
// power.
//
// The bill is of the interconnect: switches, adapters, cables, optics, racks,
// trays and the labour of installing cables; nodes are listed, and priced only
// where the price set, a quote or the machine file prices them. Every line is
// priced at the quantity that is bought, spares included: by the machine file's
// own prices, then by quotes, then by the price set. Money is in integer cents of
// one currency and adds up exactly; a part without a price is listed as unpriced,
// and the total says that it excludes it. What follows from a bill is beside it:
// operation, cost per unit, and how far totals may be off where prices are ranges.
//
// An Estimate counts ports and cables without a schedule, by the machine's own parts or by a published Model with its
// layout.
package cost
