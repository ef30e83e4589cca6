// Package measure measures graphs: the hops between vertices, bisection from both sides, how
// many paths there are, detours round failed parts, failures, the loads of links, and the
// bounds of Moore.
//
// Every figure is a number of hops, channels or packets, never of metres. What is said to be
// exact is; the rest says that it is a bound or a sample. The results do not depend on the
// number of cores. Graphs are only asked for what package topology says that they know, so
// that a graph from anywhere can be measured; closed forms and symmetries are used where a
// graph offers them, and tests hold them against searches.
package measure
