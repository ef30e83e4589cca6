// Package slimming finds how far a tree should be thinned: how much traffic-bound performance is lost to how much cost
// with fewer up ports (J. Navaridas et al., "Reducing complexity in tree-like computer interconnection networks",
// Parallel Computing 36, 2010, section 6). Every k:k',n-tree with k' from 1 to k plays the same workloads in package
// sim/packet; its performance phi is that of the full tree over its own, its costs are the paper's three functions of
// switches and ports, and money where somebody tells.
package slimming

import (
	"context"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/topology"
)

// The costs that phi is divided by.
const (
	Constant  = "constant"  // a switch costs the same for any number of ports: c_C
	Linear    = "linear"    // as much as it has ports: c_L
	Quadratic = "quadratic" // the square of its ports: c_Q
	Money     = "money"
)

// Options says what is compared.
type Options struct {
	// Down is the down ports k of a switch, Levels is n: the trees have k^n terminals.
	Down, Levels int
	Suite        packet.Suite
	Switches     packet.Options
	Seed         uint64
	// Money is what the network of a tree costs, in a currency of the caller; nil where nobody knows.
	Money func(ctx context.Context, p topology.Params) (float64, error)
	// Progress hears how many runs of how many have ended. It may be nil.
	Progress func(done, total int)
}

// Tree is a thinned tree.
type Tree struct {
	Topology string `json:"topology"` // what to write into a machine file
	Down     int    `json:"down"`     // down ports of a switch: k
	Up       int    `json:"up"`       // up ports: k'
	Switches int    `json:"switches"` // how many there are
	Radix    int    `json:"radix"`    // ports of the largest switch in use
	// RelativeTimes is the mean time of every workload over that of the full tree, in the order of `workloads`.
	RelativeTimes []float64 `json:"relative_times"`
	Phi           float64   `json:"phi"` // performance, 1 for the full tree
	// PhiStd is the deviation of phi over seeds.
	PhiStd *float64 `json:"phi_std,omitempty"`
	// PhiPerCost is phi over what the switches cost against those of the full tree.
	PhiPerCost packet.PerCost `json:"phi_per_cost"`
	// Cost is the network's, in the currency of the machine file.
	Cost *float64 `json:"cost,omitempty"`
	// PhiPerMoney is phi over the cost against that of the full tree.
	PhiPerMoney *float64 `json:"phi_per_money,omitempty"`

	params topology.ThinTree
}

// Compare plays the workloads on all trees and returns these from the thinnest to the full one. Mistakes are
// diag.FieldErrors of Down, Levels or the suite.
func Compare(ctx context.Context, opt Options) ([]Tree, error) {
	var wrong diag.FieldErrors
	if opt.Down < 2 {
		wrong.Add("Down", "%d is too few: 2 or more", opt.Down)
	}
	if opt.Levels < 2 {
		wrong.Add("Levels", "%d is too few: 2 or more", opt.Levels)
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	trees := make([]Tree, opt.Down)
	on := make([]packet.Contestant, opt.Down)
	for i := range trees {
		t := &trees[i]
		t.Down, t.Up = opt.Down, i+1
		t.params = topology.ThinTree{Down: opt.Down, Up: i + 1, Levels: opt.Levels}
		spec := topology.Spec{Params: t.params}
		g, err := topology.New(spec)
		if err != nil {
			return nil, err
		}
		t.Topology = spec.String()
		for _, k := range g.Kinds() {
			if k.Role == topology.Switch {
				t.Switches += k.Count
				t.Radix = max(t.Radix, k.Ports)
			}
		}
		subject, err := packet.NewSubject(g, packet.Setup{Options: opt.Switches}, opt.Seed)
		if err != nil {
			return nil, err
		}
		on[i] = packet.Contestant{Name: t.Topology, Subject: subject}
	}
	results, err := opt.Suite.Play(ctx, on, opt.Progress)
	if err != nil {
		return nil, err
	}
	full := len(trees) - 1
	weights := opt.Suite.Weights
	if weights == nil {
		weights = make([]float64, len(opt.Suite.Workloads))
		for i := range weights {
			weights[i] = 1
		}
	}
	for i := range trees {
		t := &trees[i]
		phi, std := packet.PhiOver(results[i], results[full], weights)
		t.Phi, t.PhiPerCost = phi, packet.PhiPerCost(phi, on[i].Network.Graph, on[full].Network.Graph)
		if opt.Suite.Seeds > 1 {
			t.PhiStd = &std
		}
		t.RelativeTimes = []float64{}
		for w := range results[i] {
			own, _ := packet.MeanCycles(results[i][w])
			reference, _ := packet.MeanCycles(results[full][w])
			t.RelativeTimes = append(t.RelativeTimes, own/reference)
		}
	}
	if opt.Money == nil {
		return trees, nil
	}
	for i := range trees {
		cost, err := opt.Money(ctx, trees[i].params)
		if err != nil {
			return nil, err
		}
		trees[i].Cost = &cost
	}
	for i := range trees {
		per := trees[i].Phi * *trees[full].Cost / *trees[i].Cost
		trees[i].PhiPerMoney = &per
	}
	return trees, nil
}

// Best is the index of the tree with the most phi for a cost, Constant, Linear, Quadratic or Money; the fullest of
// equals. By money it is -1 where no tree has a cost.
func Best(trees []Tree, by string) int {
	best, most := -1, 0.0
	for i := range trees {
		t := &trees[i]
		per := map[string]*float64{
			Constant: &t.PhiPerCost.Constant, Linear: &t.PhiPerCost.Linear, Quadratic: &t.PhiPerCost.Quadratic,
			Money: t.PhiPerMoney,
		}[by]
		if per != nil && *per >= most {
			best, most = i, *per
		}
	}
	return best
}
