package render

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine"
)

// Placement writes where every vertex stands, as embedding.placement of a
// machine file reads it.
func Placement(ctx context.Context, w io.Writer, r *machine.Result) error {
	return embed.WriteCSV(ctx, w, r.Graph, r.Schedule.Naming.Boxes, r.Placement)
}
