// Package exchange reads and writes what other tools know of a network: which port of which box is joined to which.
//
// A Wiring is what one source says, in its own names; whoever compares it with a plan finds out which box is meant.
// Every reader is strict where a line could be misread and lenient where real programs differ; it reads line by line,
// tells every mistake with its place, and takes memory for the links alone.
package exchange
