// Package asbuilt says how one plan becomes another: what changes between two plans of a machine, what that costs, and
// in which steps the one is cabled into the other while it works.
//
//	d, err := asbuilt.Compare(ctx, oldPlan, newPlan, asbuilt.Options{Paths: 1})
//
// Boxes are the same where their topology labels are, and among the others where their names are; numbers in both are
// compared as numbers, so that N099 and N0099 are one. Patch panels are the same where they stand in the same place. A
// cable is the same where both of its ends are plugged into the same ports and it is the same product.
//
// Changes of cables are put in steps. A step disconnects what it may, moves boxes that nothing is plugged into any
// more, and plugs in what then has both of its ports free. At no moment, while cables of a step are out and those it
// brings are not yet in, has any pair of the boxes that both plans have fewer paths between them than was asked for, as
// far as both plans have so many; where that cannot be, as at a node whose only cable moves, the step names what it
// interrupts. Every plan of steps is walked again by a simple program that knows nothing of how they were found, and
// Compare fails if the walk finds a port taken, a path missing or another machine at the end.
//
// Compare needs the list of cables: a summary has none.
package asbuilt
