package outfile

import (
	"context"
	"encoding/json"
	"io"
	"path"
	"strings"

	"github.com/plenum-planner/plenum/internal/provenance"
)

// SidecarEnding ends the name of the file beside a table that says what made it.
const SidecarEnding = ".provenance.json"

// Sidecar says what made the table that it stands beside. CSV has no place for it: a line of comment is a row to most
// readers, and a column would repeat it in every row.
type Sidecar struct {
	File       string            `json:"file"`       // the name of the table
	SHA256     string            `json:"sha256"`     // its sum, in hexadecimal digits
	Provenance provenance.Record `json:"provenance"` // what made it
}

// hasSidecar reports whether a file gets one, unless a manifest says what made it.
func hasSidecar(name string) bool { return strings.EqualFold(path.Ext(name), ".csv") }

// sidecars are those of files that have been written, if it is known which command makes them. What is not an ordinary
// file, and so has no other name yet, gets none.
func sidecars(ctx context.Context, files []File, done []made) (out []File) {
	made, known := provenance.FromContext(ctx)
	for i, f := range files {
		if !known || !hasSidecar(f.Name) || done[i].temp == "" {
			continue
		}
		data, err := json.MarshalIndent(Sidecar{path.Base(f.Name), done[i].entry.SHA256, made}, "", "  ")
		out = append(out, File{Name: f.Name + SidecarEnding, Write: func(_ context.Context, w io.Writer) error {
			if err == nil {
				_, err = w.Write(append(data, '\n'))
			}
			return err
		}})
	}
	return out
}

// withoutSidecars adds the sidecars of tables that a manifest has from now on to the names of what is removed.
func withoutSidecars(files []File, stale []string) []string {
	out := append([]string{}, stale...)
	for _, f := range files {
		if hasSidecar(f.Name) {
			out = append(out, f.Name+SidecarEnding)
		}
	}
	return out
}
