package spec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/strictyaml"
)

// Every field of the language has a description, a sentence or more, and every
// description a field.
func TestEveryFieldIsDescribed(t *testing.T) {
	left := map[string]bool{}
	for name := range descriptions {
		left[name] = true
	}
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		if of.Kind() != reflect.Struct || seen[of] || strictyaml.Quantity(of) {
			return
		}
		seen[of] = true
		for _, f := range language.Fields(of) {
			name := of.Name() + "." + f.Key
			if d := described(of, &f); !strings.HasSuffix(d, ".") {
				t.Errorf("%s: %q is not a description: add a sentence to fields.txt", name, d)
			}
			delete(left, name)
			walk(keyed(f.Type))
		}
	}
	walk(reflect.TypeFor[Spec]())
	for name := range left {
		t.Errorf("%s is described, and no such field", name)
	}
	if len(seen) < 10 || strings.Count(fieldsText, "\n    ") <= len(descriptions) {
		t.Errorf("%d types, %d descriptions", len(seen), len(descriptions))
	}
}
