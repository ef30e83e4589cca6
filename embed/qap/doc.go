// Package qap solves quadratic assignment problems: n objects stand at n
// locations, a[i][j] flows from object i to object j, locations k and l are
// b[k][l] apart, and the sum of flow times distance is to be small (T. C.
// Koopmans and M. Beckmann, "Assignment problems and the location of economic
// activities", Econometrica 25 (1), 1957).
//
// [Solve] searches, [LowerBound] says what no permutation can go below, [Exact]
// proves tiny instances, and [Read] takes the files of QAPLIB. Entries are whole
// numbers of any sign and matrices may be asymmetric with anything on their
// diagonals; costs are exact. Objects may be pinned to locations and be kept to
// locations of their class. Objects and locations count from 0, except in files.
//
// The result of a search depends on the instance, the seed, the start and the
// effort alone: not on the number of cores, nor on time.
package qap
