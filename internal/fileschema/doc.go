// Package fileschema makes the JSON schemas of files that have a machine in them, such as search files and sweep files,
// from the types that their readers fill and the tags of these, so that schema and reader cannot disagree. Machine
// files have theirs in machine/spec, which comes along as the value of the key machine.
package fileschema
