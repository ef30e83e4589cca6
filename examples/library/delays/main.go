// Command delays compares two topologies of 64 nodes by delay, with the same hop delay and as many nodes in a rack. It
// prints where one of them becomes faster than the other.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

func main() {
	var machines []machine.Candidate
	for _, params := range []topology.Params{
		topology.CLEX{Clique: 4, Levels: 3, Bundled: true},
		topology.Torus{Dims: topology.Ints{4, 4, 4}},
	} {
		machines = append(machines, machine.Candidate{
			Spec: &spec.Spec{Name: params.Family(), Topology: topology.Spec{Params: params}},
		})
	}
	hop := units.Time(100)
	compared, err := machine.Compare(context.Background(), machines, machine.CompareOptions{
		Equal: spec.Equal{Hop: &hop, PerRack: 16},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range compared.Machines {
		for _, alpha := range []units.Time{10, 100, 500} {
			mean, most := m.D(alpha, 5)
			fmt.Printf("%s at %v a hop: %.1f ns on average, %.1f ns at most\n", m.Machine, alpha, mean, most)
		}
	}
	for _, c := range compared.Crossings() {
		fmt.Printf("equal at alpha/beta = %.1f m\n", c.Mean.Ratio)
	}
}
