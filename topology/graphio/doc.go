// Package graphio reads graphs from edge lists, DOT, GraphML, GML, JSON, METIS, Matrix Market,
// BookSim's anynet and lists of cables as CSV, and writes edge lists, DOT, GraphML, anynet and JSON.
//
// Parallel edges are one link with as many channels, edges from a vertex to itself are passed
// over, and edges carry both ways regardless of their direction, in all formats alike.
//
// Readers name the file, line and column of a mistake and never take more memory than the
// limits of a file allow; vertices keep the order of the file. Writers stream the links of a
// graph. Importing the package registers the family "file" with package topology, as image
// formats are registered.
package graphio
