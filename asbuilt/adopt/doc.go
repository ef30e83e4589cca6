// Package adopt makes a machine file of a machine that exists: from what programs find in its network, from NetBox or
// from a list of its cables, in any form that package exchange reads.
//
// Boxes and ports keep the names that the sources have for them. What the sources do not tell, such as parts, sizes
// and rates, is guessed, and every guess is a note. The machine file has been planned and compared with its sources.
package adopt
