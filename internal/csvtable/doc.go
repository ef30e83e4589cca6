// Package csvtable reads and writes tables as comma-separated values (RFC 4180): for every
// table that Plenum writes, one set of rules of what is quoted, and one guard
// against texts that a spreadsheet would take for formulas.
//
// A row is a line: control characters in texts become spaces. Texts with a comma,
// a quotation mark or a semicolon, which some countries' spreadsheets take for the
// separator, are quoted, and so are those with blanks at their ends. See Guard for
// formulas. Numbers are the caller's to format; they stand as they are.
//
// Reader and Lines read all tables, from the encodings that Text knows and up to one limit of columns. Unguard returns
// the texts that Guard has guarded. Header finds the names of the columns in tables that people have saved: under
// titles, in any spelling, with any separator. Mark reads what people write of something that is done, and Dated tells
// of dates which a spreadsheet has made of other texts.
package csvtable
