package machine_test

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// Reading a machine file and planning the machine.
func Example() {
	file := `
name: Small torus
topology: {family: torus, dims: [8, 8, 4]}
packaging: {node: {per_rack: 32}}
`
	s, err := machine.Parse("small.yaml", []byte(file))
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := machine.Plan(context.Background(), s)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := plan.Report()
	fmt.Printf("%s: %d nodes in %d racks, %d cables of up to %.1f m\n", r.Machine, r.Nodes, r.Racks, r.Cables,
		r.Length.Max)
	for _, l := range r.Levels {
		fmt.Printf("%s: %d links, %.2f m in the mean\n", l.Level, l.Links, l.Length.Mean)
	}
	fmt.Printf("%d hops at most\n", r.Delay.HopsMax)
	// Output:
	// Small torus: 256 nodes in 8 racks, 768 cables of up to 10.0 m
	// dim1: 256 links, 2.27 m in the mean
	// dim2: 256 links, 2.93 m in the mean
	// dim3: 256 links, 0.83 m in the mean
	// 10 hops at most
}

// A machine need not come from a file. The zero value of everything but the
// topology means the default.
func ExamplePlan() {
	plan, err := machine.Plan(context.Background(), &spec.Spec{
		Topology: topology.Spec{Params: topology.Dragonfly{P: 2, A: 4, H: 2}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Counts.Nodes, "nodes,", plan.Counts.Switches, "switches,", plan.Schedule.Cables, "cables")
	plan.Schedule.Each(func(number int64, cable *cabling.Segment) bool {
		s := plan.Schedule
		fmt.Println(s.CableID(number), s.Label(cable.A, cable.PortA), "to", s.Label(cable.B, cable.PortB))
		return number < 3
	})
	// Output:
	// 72 nodes, 36 switches, 162 cables
	// C0001 A01/U41/SW01-1 to A01/U01/N01-1
	// C0002 A01/U41/SW01-2 to A01/U02/N02-1
	// C0003 A01/U39/SW02-1 to A01/U03/N03-1
}

// Every mistake of a file is found at once, each with its place.
func ExampleParse_mistakes() {
	_, err := machine.Parse("machine.yaml", []byte(`topology:
  family: tours
room:
  rows: 4x
`))
	fmt.Println(err)
	// Output:
	// machine.yaml:2:11: topology.family: "tours" is unknown
	//     2 |   family: tours
	//       |           ^^^^^ did you mean "torus"?
	// machine.yaml:4:9: room.rows: "4x" is not a whole number
	//     4 |   rows: 4x
	//       |         ^^
}
