package render

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/machine"
)

// JSON writes the report of a plan, indented.
func JSON(_ context.Context, w io.Writer, r *machine.Result) error {
	return Document(w, r.Report())
}
