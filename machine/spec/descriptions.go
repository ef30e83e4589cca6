package spec

import (
	_ "embed"
	"reflect"
	"strings"

	"github.com/plenum-planner/plenum/internal/strictyaml"
)

//go:embed fields.txt
var fieldsText string

// descriptions say what each field is for, by the name of the type that has it and
// its key: "Box.place".
var descriptions = Descriptions(fieldsText)

// Descriptions reads names of fields, each with its description in indented
// lines below.
func Descriptions(text string) map[string]string {
	out := map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		words := strings.TrimSpace(line)
		switch {
		case words == "" || strings.HasPrefix(line, "#"):
		case words != strings.TrimRight(line, "\n"): // indented
			out[name] = strings.TrimPrefix(out[name]+" "+words, " ")
		default:
			name = words
		}
	}
	return out
}

// described is what a field of a type is for. Types of other packages describe
// their fields in a tag, which the reflector has read into given.
func described(t reflect.Type, f *strictyaml.Field, given string) string {
	if t.PkgPath() != reflect.TypeFor[Spec]().PkgPath() {
		return given
	}
	return descriptions[t.Name()+"."+f.Key]
}
