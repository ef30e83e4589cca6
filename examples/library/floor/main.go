// Command floor writes the floor plan of a machine to standard output, as an SVG picture.
package main

import (
	"context"
	"io"
	"log"
	"os"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
)

func main() {
	if err := draw(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// draw plans a torus of 64 nodes in a room of two rows and writes its floor.
func draw(ctx context.Context, w io.Writer) error {
	plan, err := machine.Plan(ctx, &spec.Spec{
		Name:      "Torus",
		Topology:  topology.Spec{Params: topology.Torus{Dims: topology.Ints{4, 4, 4}}},
		Packaging: spec.Packaging{Node: &spec.Box{PerRack: 16}},
		Room:      spec.Room{Rows: spec.Rows{Count: 2}, RacksPerRow: 2},
	})
	if err != nil {
		return err
	}
	return render.FloorSVG(ctx, w, plan)
}
