// Package measure measures graphs: the hops between vertices, bisection from both sides, how
// many paths there are, detours round failed parts, failures, the loads of links, and the
// bounds of Moore.
//
// Every figure is a number of hops, channels or packets, never of metres. The documentation of
// each figure says whether it is exact, a bound or a sample. The results do not depend on the
// number of cores. Any topology.Graph can be measured, imported ones too. If a graph implements
// interfaces with closed forms or symmetries (topology.DistanceFormula and others), they replace the
// search, and tests compare them with the search.
package measure
