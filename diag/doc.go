// Package diag gives all mistakes one form: where a mistake is, what it is, and what to do about it.
//
// A Diagnostic is a mistake in a file, with its place; a List of them is an error
// that tells all mistakes of one run. A FieldError is a mistake in a value that
// has no file: packages below name the fields of their own types, and the reader
// of a file, which alone knows how the file spells them, gives them their places.
//
// Every mistake is printed the same way, as far as its parts are known:
//
//	file:line:column: path: message; suggestion
//
// Where the line is at hand it is shown under that, and the suggestion stands at
// the mark under what is meant:
//
//	machine.yaml:14:9: room.rows: "4x" is not a whole number
//	   14 |   rows: 4x
//	      |         ^^
//
// Lines and columns count from 1, columns in characters. A message is plain words
// without a capital or a full stop; it says what is wrong, the suggestion what to
// write instead.
//
// Of many mistakes that differ in names and numbers only the first are reported, with
// how many there are. Shown makes any text fit for a terminal.
//
// Misspelt words are compared by one Distance, under two policies: Closest where
// a wrong guess would mislead, Nearest where the known words are few.
//
// The package uses no other package of this module but internal/english.
package diag
