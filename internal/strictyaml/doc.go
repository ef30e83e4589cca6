// Package strictyaml reads YAML into tagged structs, strictly: for files that people
// write and want all mistakes reported in one run, each with its place.
//
// It differs from the YAML library's own decoder, which it uses for the syntax only:
//
//   - All mistakes are found, and each has its place. After a syntax error the
//     reader goes on without the top-level section in which the error is.
//   - The place of every value is kept, so that what is found wrong later still
//     points at its line. A value that could not be read is not checked again.
//   - Keys must be known and come once. A key without "omitempty" is required.
//   - A list of numbers or words may be written as a single number or word.
//   - Whole numbers are decimal digits: 010, 0x10 and 1e3 mean different things
//     to different readers, so they are refused.
//   - Text that YAML takes for a number, true, false or null needs quotes.
//   - Numbers and quantities are not negative, except where a field is tagged
//     `signed:"true"`; `jsonschema:"minimum=1"` asks for more, `jsonschema:"enum=a"`
//     for one of some words, `most:"9"` for no more than that.
//   - Quantities are types that read themselves from text (encoding.TextUnmarshaler).
//   - Aliases are followed; merge keys (<<) and tags (!!int) are refused.
//   - A field of type yaml.Node takes any value.
//   - A section (mapping or list) without a value counts as left out.
//
// A Language says what else a kind of file may have in it. A hostile file costs no
// more than its size explains.
package strictyaml
