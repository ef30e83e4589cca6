// Package graphio reads graphs from edge lists, DOT, GraphML, GML, JSON, METIS, Matrix Market,
// BookSim's anynet and lists of cables as CSV, and writes edge lists, DOT, GraphML, anynet and JSON.
//
// In all formats alike, parallel edges of a level are one link with as many channels (two edges
// drawn in opposite directions count as one channel), and edges from a vertex to itself are left
// out. Edges carry both ways, also if the file draws them with a direction, unless the reader is
// asked for a directed graph or the file marks an edge as simplex.
//
// Errors of readers begin with the name of the file and, for mistakes at one place, its line and
// mostly its column. Readers never take more memory than the limits of a file allow. Vertices of a
// kind keep the order of the file, except that numbers are in numeric order in edge lists, METIS,
// Matrix Market and anynet, and lists of cables are in the order of names (CompareNatural). Writers
// stream the links of a graph. Importing the package registers the family "file" with package
// topology, as image formats are registered.
package graphio
