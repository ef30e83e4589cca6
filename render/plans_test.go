package render

import (
	"context"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// The machines that the tests and benchmarks draw.

func torus(dims ...int) *spec.Spec {
	return &spec.Spec{Name: "Torus", Topology: topology.Spec{Params: topology.Torus{Dims: dims}}}
}

func dragonfly() *spec.Spec {
	return &spec.Spec{Name: "Dragonfly", Topology: topology.Spec{Params: topology.Dragonfly{P: 4, A: 8, H: 4}}}
}

func superPod() *spec.Spec {
	return &spec.Spec{
		Name:     "SuperPOD",
		Topology: topology.Spec{Params: topology.FatTree{Nodes: 127, Radix: 64, Rails: 8}},
		Packaging: spec.Packaging{
			Node:   &spec.Box{Part: "nvidia-dgx-h100", PerRack: 4},
			Switch: &spec.Box{Part: "nvidia-qm9700"},
		},
		Prices: spec.Prices{Spares: map[string]float64{"cable": 2, "optic": 2}},
	}
}

func cubes() *spec.Spec {
	return &spec.Spec{
		Name:      "Cubes",
		Topology:  topology.Spec{Params: topology.Torus{Dims: topology.Ints{16, 16, 16}}},
		Packaging: spec.Packaging{Node: &spec.Box{Part: "cube-node"}},
		Room: spec.Room{Containers: []spec.Container{
			{Name: "cube16", Count: []int{4, 4, 4}, Gap: 0.5},
			{Name: "cube4", Count: []int{4}, Pitch: []spec.Pitch{0.3}},
		}},
	}
}

func plan(t testing.TB, s *spec.Spec) *machine.Result {
	t.Helper()
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
