package operate

import (
	"context"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/machine"
)

// Routes is how packets are routed over what a loss leaves of a network, between the nodes that it does not cut off.
type Routes struct {
	Fabric string `json:"fabric,omitempty"` // its name, where the machine has several
	// OK says that every path that was followed arrives, and no channels wait for each other in a circle.
	OK bool `json:"ok"`
	// Function is the routing function: minimal, or updown where that needs too many lanes.
	Function string `json:"function"`
	Lanes    int    `json:"lanes"` // virtual lanes that it needs
	// Pairs is how many pairs of switches with nodes had their paths followed; 0 where all nodes that are left share a
	// switch.
	Pairs   int    `json:"pairs"`
	Problem string `json:"problem,omitempty"` // why there are no routes, or why they were not looked at
}

// findRoutes fills in Routes of every listed loss of one thing and of two, Beyond included, that loses links. The error
// is that of ctx, or of a plan without a list of cables.
func (d *Document) findRoutes(ctx context.Context, plan *machine.Result) error {
	p, err := verify.NewPlan(plan, "")
	if err != nil {
		return err
	}
	find := func(list []Loss) error {
		for i := range list {
			l := &list[i]
			if l.Links == 0 {
				continue
			}
			left, err := p.RoutesWithout(ctx, l.boxes, l.channels)
			if err != nil {
				return err
			}
			for _, n := range left {
				l.Routes = append(l.Routes, Routes{
					n.Fabric, n.Routes.OK, n.Routes.Function, n.Routes.Lanes, n.Routes.Followed, n.Routes.Problem,
				})
			}
		}
		return nil
	}
	for i := range d.Dark {
		k := &d.Dark[i]
		lists := [][]Loss{k.Worst, k.WorstOver}
		if k.Pairs != nil {
			lists = append(lists, k.Pairs.Worst, k.Pairs.Beyond)
		}
		for _, list := range lists {
			if err := find(list); err != nil {
				return err
			}
		}
	}
	return nil
}
