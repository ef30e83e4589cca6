// Package graphio reads and writes graphs: edge lists, DOT, GraphML, BookSim's anynet, lists of
// cables as CSV, and JSON.
//
// Readers name the file, line and column of a mistake and never take more memory than the
// limits of a file allow; vertices keep the order of the file. Writers stream the links of a
// graph. Importing the package registers the family "file" with package topology, as image
// formats are registered.
package graphio
