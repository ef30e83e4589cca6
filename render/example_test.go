package render_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
)

// Where the boxes of a plan stand, as a table that a machine file can read back.
func ExamplePlacement() {
	plan, err := machine.Plan(context.Background(), &spec.Spec{
		Topology: topology.Spec{Params: topology.Torus{Dims: topology.Ints{2, 2}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var table strings.Builder
	if err := render.Placement(context.Background(), &table, plan); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(strings.ReplaceAll(table.String(), "\r\n", "\n")) // lines end as RFC 4180 has it
	// Output:
	// vertex,label,kind,container,cell,unit,face,address,x_m,y_m,z_m
	// 0,N1,node,A01,,1,front,"(0,0)",1.5,1.8,0.09
	// 1,N2,node,A01,,2,front,"(1,0)",1.5,1.8,0.1345
	// 2,N3,node,A01,,3,front,"(0,1)",1.5,1.8,0.1789
	// 3,N4,node,A01,,4,front,"(1,1)",1.5,1.8,0.2234
}

// In a document a list without entries is [], so that null always stands for a figure that is not known.
func ExampleDocument() {
	err := render.Document(context.Background(), os.Stdout, struct {
		Notes []string `json:"notes"`
		Cost  *float64 `json:"cost"`
	}{})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// {
	//   "notes": [],
	//   "cost": null,
	//   "provenance": {
	//     "version": "0.2.0",
	//     "commit": "unknown",
	//     "modified": null,
	//     "files": [],
	//     "seeds": []
	//   }
	// }
}
