// Package names calls the boxes of a machine by names: those that a machine file gives them by patterns such as
// "leaf-r{rail:02}-{n:03}" or in a table, those of an imported graph, and for all others a code of the kind with a
// number, such as LF01. A box has one name, and every output takes it from here.
//
// A pattern is a text with fields in braces, in the manner of Python's format strings: {field}, {field:02} with zeros
// to a width, {field+1} with a number added, {field:A} as letters. What fields there are is up to whoever calls: Fields
// lists those that a graph knows of its vertices, and package machine adds those of their places.
//
// Names are unique in a machine, not empty, of at most MaxLength characters, and have no control characters and no
// blanks at their ends.
package names
