package sweep

import (
	"errors"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
)

// Whatever a sweep file has, reading it ends, and what is taken has points or says why not.
func FuzzParse(f *testing.F) {
	f.Add("machine: {topology: {family: torus, dims: 8}}\naxes: [{field: topology.dims, values: [8, 9]}]\n")
	f.Add("machine: &m {topology: {family: torus, dims: 8}}\naxes:\n- {field: name, values: [a, 1e308, .nan, null]}\n" +
		"measure: packets\npackets: {load: 0.1}\nengine: slurm\n")
	f.Add("machine: none.yaml\naxes: [{field: \"\", values: []}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "file") || strings.Contains(text, "path") || strings.Contains(text, "/") {
			t.Skip("files of the system are not its matter")
		}
		if _, err := Parse("sweep.yaml", []byte(text)); err != nil && !errors.As(err, new(diag.List)) {
			t.Errorf("%q: a mistake without a place: %v", text, err)
		}
	})
}
