package examples_test

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
)

// The machine that is planned where no file is given.
func Example() {
	data, err := examples.Files.ReadFile(examples.Default)
	if err != nil {
		fmt.Println(err)
		return
	}
	spec, err := machine.Parse(examples.Default, data)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := machine.Plan(context.Background(), spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := plan.Report()
	fmt.Printf("%s: %d nodes, %d switches, %d cables\n", r.Machine, r.Nodes, r.Switches, r.Cables)
	// Output:
	// DGX SuperPOD H100, 4 SU: 127 nodes, 48 switches, 2040 cables
}
