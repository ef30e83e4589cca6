package machines

import (
	_ "embed"
	"reflect"

	"github.com/plenum-planner/plenum/internal/fileschema"
	"github.com/plenum-planner/plenum/study/sweep"
)

//go:embed fields.txt
var fieldsText string

// Schema returns the JSON schema (draft 2020-12) of search files, for editors and other tools. What depends on more
// than one value only the reader checks.
func Schema() ([]byte, error) {
	return fileschema.Of(fileschema.File{
		Title: "Plenum search file", Language: &language, Type: reflect.TypeFor[File](),
		Fields: fieldsText + "\n" + sweep.SlurmFields(),
		AnyOf:  []string{"nodes", "fabric"}, // the ends of a fabric tell how many nodes it has
	})
}
