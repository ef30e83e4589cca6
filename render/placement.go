package render

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine"
)

// Placement writes the slot and the coordinates of every vertex as a table in CSV (embed.WriteCSV), which
// embedding.placement of a machine file reads. Patch panels are not vertices: panels.csv lists them.
func Placement(ctx context.Context, w io.Writer, r *machine.Result) error {
	return embed.WriteCSV(ctx, w, r.Graph, r.Schedule.Naming.Boxes, r.Placement)
}
