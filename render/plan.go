package render

import (
	"context"
	"encoding/json"
	"io"

	"plenum/machine"
)

// JSON writes the report of a plan, indented.
func JSON(_ context.Context, w io.Writer, r *machine.Result) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r.Report())
}
