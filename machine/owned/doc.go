// Package owned reads what exists already of a machine that is planned anew, and plugs the links of the new plan in
// where cables lie.
//
// What exists is read from the tables of a plan, or from tables with the same columns: placement.csv (where boxes
// stand), cables.csv (which cable is in which port), bom.csv (how much there is of each part), cooling.csv (which unit
// cools which rack) and power.csv (which inlet is in which outlet). A box of the tables is that of the new machine
// which has the same address (the label in the notation of the topology), or else the same name; numbers in both are
// compared as numbers, so that N099 and N0099 are one. Boxes that the new machine does not have are left out and named.
//
// Where the new machine has fewer links between boxes than cables lie there, boxes of a kind take each other's vertices
// as long as that keeps more cables (Machine.Settle).
//
// A link of the new machine between two boxes that a cable joins already takes that cable, with its ports; where there
// are more links or more cables, the first of either, those of the same level first. All other links take what ports
// are left of the same group and the same fabric, that of the topology if it is free.
package owned
