// Package diag gives all mistakes one form: where a mistake is, what it is, and what to do about it.
//
// A Diagnostic is a mistake in a file, with its place; a List of them is an error with all mistakes of one run. A
// FieldError is a mistake in a value that has no file: packages name the fields of their own types in it, and the
// reader of a file, which alone knows how the file spells them, converts it to a Diagnostic.
//
// Every mistake is printed the same way, as far as its parts are known:
//
//	file:line:column: path: message; suggestion
//
// If the text of the line is known, it is printed below, with a mark under the faulty text and the suggestion after the
// mark:
//
//	machine.yaml:14:9: room.rows: "4x" is not a whole number
//	   14 |   rows: 4x
//	      |         ^^
//
// Lines and columns count from 1, columns in characters. A message is plain words
// without a capital or a full stop; it says what is wrong, the suggestion what to
// write instead.
//
// Of many mistakes that differ only in names and numbers, the first ones are printed, with the number of the others.
// Escape makes any text safe to print on a terminal.
//
// Misspelt words are compared by one Distance, under two policies: Closest where
// a wrong guess would mislead, Nearest where the known words are few.
//
// The package uses no other package of this module but internal/english.
package diag
