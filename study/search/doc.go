// Package search finds machines that nobody has written down: all configurations of a family that
// meet a requirement, the best of them, and a proof that nothing regarded is better.
//
// Searches of families are exact. What is left out is left out because a bound that holds for it is no better
// than what was found, and the result says how many configurations were regarded, bounded away and
// measured.
//
// Graphs over a floor of racks (GridGraph) are too many for that: they are annealed, and the result comes with a lower
// bound.
package search
