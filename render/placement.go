package render

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine"
)

// Placement writes the place of every vertex as a table in CSV (embed.WriteCSV): its container (a rack or chassis),
// cell, rack unit and face, and its coordinates in metres. embedding.placement of a machine file reads the table. Patch
// panels are not vertices: panels.csv lists them.
func Placement(ctx context.Context, w io.Writer, r *machine.Result) error {
	return embed.WriteCSV(ctx, w, r.Graph, r.Schedule.Naming.Boxes, r.Placement)
}
