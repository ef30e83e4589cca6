package render

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/machine"
)

// JSON writes the report of a plan, indented.
func JSON(ctx context.Context, w io.Writer, r *machine.Result) error {
	return Document(ctx, w, r.Report())
}
