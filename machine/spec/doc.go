// Package spec is the language of machine files: what may be written, what it
// means to the reader, and how it is said that something is wrong.
//
// A Spec holds what a person writes. Its struct tags rule the strict reader
// ([Read]), the messages and the JSON schema ([Schema]) alike, so that the three
// cannot disagree; what each field is for stands in fields.txt. A Spec remembers
// where it was read from, so that mistakes that are found later, by whoever turns
// its names into things, still point at their lines ([Spec.Locate]).
//
// The package knows the words of those below it (strategies, media, rules, ids of
// parts) in order to check and to suggest them. It builds nothing: that is for
// package machine, whose Load reads files and checks the names in them as well.
//
// Lengths are in metres, times in nanoseconds, powers in watts; a quantity may be
// written with another unit (see package units).
package spec
