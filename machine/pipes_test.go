package machine_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// Pipes in place of the files that a machine file names are refused, before anything waits for their other end.
func TestPipesAreRefused(t *testing.T) {
	pipes := map[string]string{}
	for _, ext := range []string{"csv", "xlsx", "dxf", "geojson", "edges"} {
		pipes["PIPE."+ext] = filepath.Join(t.TempDir(), "pipe."+ext)
		if out, err := exec.Command("mkfifo", pipes["PIPE."+ext]).CombinedOutput(); err != nil {
			t.Skipf("no mkfifo: %v %s", err, out)
		}
	}
	const torus = "topology: {family: torus, dims: [4, 4]}\n"
	for _, text := range []string{
		torus + "room: {rack_list: PIPE.csv}", torus + "room: {rack_list: PIPE.xlsx}",
		torus + "room: {drawing: {file: PIPE.dxf}}", torus + "room: {drawing: {file: PIPE.geojson}}",
		torus + "embedding: {placement: PIPE.csv}", torus + "embedding: {placement: PIPE.xlsx}",
		torus + "names: {table: PIPE.csv}",
		torus + "owned: {placement: PIPE.csv}", torus + "owned: {cables: PIPE.csv}",
		torus + "owned: {parts: PIPE.csv}", torus + "owned: {workbook: PIPE.xlsx}",
		torus + "stock: [{file: PIPE.csv}]", torus + "prices: {quote: PIPE.csv}",
		"topology: {family: file, path: PIPE.edges, format: edges}",
	} {
		full := text
		for name, path := range pipes {
			full = strings.ReplaceAll(full, name, path)
		}
		if _, err := machine.Parse("machine.yaml", []byte("name: small\n"+full+"\n")); err == nil ||
			!strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
