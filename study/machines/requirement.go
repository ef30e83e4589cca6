package machines

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// checkNetwork rejects a candidate (candidate.fall) whose network does not meet the requirement: its rate, its
// diameter, which is measured here if no closed form gave it earlier, its throughput, its load or its bisection. least
// has the rate of the slowest port. The error is that of ctx, or of building or measuring the network, not the
// rejection.
func (s *Search) checkNetwork(ctx context.Context, c *candidate, least *machine.Least) error {
	switch {
	case least.Rate == 0 && (s.Rate > 0 || s.Objective.Name == MoneyPerThroughput):
		c.fall(ByRate, "none of its parts states the rate of a port")
		return nil
	case least.Rate < s.Rate:
		c.fall(ByRate, fmt.Sprintf("its slowest port has %v", least.Rate))
		return nil
	}
	g, err := topology.New(c.size.Spec)
	if err != nil {
		return err
	}
	if s.Diameter > 0 && c.size.Diameter < 0 {
		hops, err := measure.Hops(ctx, g, measure.HopEnds(g), measure.HopOptions{})
		if err != nil {
			return err
		}
		if hops.Diameter > s.Diameter {
			c.fall(ByDiameter, fmt.Sprintf("its diameter is %d", hops.Diameter))
			return nil
		}
	}
	if c.graph != nil { // places that are left free do not send
		g = c.graph
	}
	s.checkThroughput(ctx, g, c)
	if c.fallen == nil && ctx.Err() == nil {
		if err := s.checkLoad(ctx, g, c); err != nil {
			return err
		}
	}
	if c.fallen == nil && ctx.Err() == nil {
		return s.checkBisection(ctx, g, c)
	}
	return ctx.Err()
}

// checkThroughput rejects a candidate whose upper bound of the throughput is below the required one, or whose objective
// needs a bound that is not known, and stores the bound in c.carried. Throughputs are shares of the rate of the nodes.
func (s *Search) checkThroughput(ctx context.Context, g topology.Graph, c *candidate) {
	perThroughput := s.Objective.Name == MoneyPerThroughput
	if s.Throughput == (Throughput{}) && !perThroughput {
		return
	}
	b, err := measure.Throughput(ctx, g, nil)
	switch {
	case ctx.Err() != nil:
		return // the caller checks ctx
	case err != nil && perThroughput:
		c.fall(ByThroughput, "no bound of its throughput is known: "+inWords(err))
		return
	case err != nil:
		return
	}
	c.carried = b
	for _, of := range []struct {
		traffic     string
		most, asked float64
	}{{"uniform", b.Uniform, s.Throughput.Uniform}, {"its worst", b.Worst, s.Throughput.Worst}} {
		if of.most < of.asked {
			c.fall(ByThroughput, fmt.Sprintf("it carries at most %.4g of %s traffic", of.most, of.traffic))
			return
		}
	}
	if perThroughput && b.Uniform == 0 {
		c.fall(ByThroughput, "it carries nothing between some nodes")
	}
}

// checkLoad rejects a candidate whose shortest paths, all of them used evenly, carry less uniform traffic than
// required, and stores what they carry in c.load.
func (s *Search) checkLoad(ctx context.Context, g topology.Graph, c *candidate) error {
	if s.Load == 0 {
		return nil
	}
	share, err := measure.EvenThroughput(ctx, g)
	if err != nil {
		return err
	}
	c.load = share
	if share < s.Load {
		c.fall(ByLoad, fmt.Sprintf("its shortest paths carry %.4g of uniform traffic", share))
	}
	return nil
}

// acceptedTraffic returns an upper bound of the uniform traffic that all nodes together send through ports of a rate,
// in Gb/s; 0 without a bound of the throughput.
func (c *candidate) acceptedTraffic(rate units.Rate) float64 {
	if c.carried == nil {
		return 0
	}
	return acceptedTraffic(c.carried.Uniform, c.carried.Ports, rate)
}

// checkBisection rejects a candidate if it finds two halves of the nodes with fewer channels between them than
// required. The requirement is relative: channels between the halves divided by the node ports of one half. A cut that
// is found is an upper bound of the bisection, so a rejected candidate never meets the requirement; one that is kept
// may still miss it.
func (s *Search) checkBisection(ctx context.Context, g topology.Graph, c *candidate) error {
	if s.Bisection == 0 {
		return nil
	}
	b, err := measure.Bisect(ctx, g, measure.HopEnds(g), measure.BisectionOptions{Runs: 2})
	if err != nil {
		return err
	}
	if share := 2 * float64(b.Upper) / float64(nodePorts(g)); share < s.Bisection {
		c.fall(ByBisection, fmt.Sprintf("two halves have %d channels between them: a relative bisection of %.4g at "+
			"most", b.Upper, share))
	}
	return nil
}

// nodePorts returns the number of ports between nodes and network, at least 1: all ports of a terminal, and one for
// each node that forwards, whose router serves no other node.
func nodePorts(g topology.Graph) int64 {
	n := int64(0)
	for _, k := range g.Kinds() {
		switch k.Role {
		case topology.Switch:
		case topology.Terminal:
			n += int64(k.Count) * int64(k.Ports)
		default:
			n += int64(k.Count)
		}
	}
	return max(n, 1)
}
