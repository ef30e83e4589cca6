package sweep

import (
	_ "embed"
	"reflect"

	"github.com/plenum-planner/plenum/internal/fileschema"
)

//go:embed fields.txt
var fieldsText string

//go:embed slurmfields.txt
var slurmFieldsText string

// SlurmFields describes the fields of the section slurm, for the schemas of files that have one.
func SlurmFields() string { return slurmFieldsText }

// Schema returns the JSON schema (draft 2020-12) of sweep files, for editors and other tools. What depends on more than
// one value only the reader checks.
func Schema() ([]byte, error) {
	return fileschema.Of(fileschema.File{
		Title: "Plenum sweep file", Language: &language, Type: reflect.TypeFor[File](),
		Fields: fieldsText + "\n" + slurmFieldsText,
	})
}
