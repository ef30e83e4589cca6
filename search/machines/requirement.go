package machines

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// meets rejects a candidate whose network does not meet the requirement: its rate, its throughput, its bisection, or a
// diameter that no closed form told. The error is that of ctx.
func (s *Search) meets(ctx context.Context, c *candidate, least *machine.Least) error {
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
	s.carries(ctx, g, c)
	if c.fallen == nil && ctx.Err() == nil {
		return s.halves(ctx, g, c)
	}
	return ctx.Err()
}

// carries rejects a candidate that cannot reach the throughput, or whose objective needs one that is not known.
func (s *Search) carries(ctx context.Context, g topology.Graph, c *candidate) {
	perThroughput := s.Objective.Name == MoneyPerThroughput
	if s.Throughput == (Throughput{}) && !perThroughput {
		return
	}
	b, err := measure.Throughput(ctx, g, nil)
	switch {
	case ctx.Err() != nil:
		return // the caller sees
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

// acceptedTraffic returns what all nodes together send at most of uniform traffic, in Gb/s, through ports of a rate.
func (c *candidate) acceptedTraffic(rate units.Rate) float64 {
	if c.carried == nil {
		return 0
	}
	return acceptedTraffic(c.carried.Uniform, c.carried.Ports, rate)
}

// halves rejects a candidate of which two halves are found with fewer channels between them than asked for, as a share
// of what the ports of the nodes of one half are.
func (s *Search) halves(ctx context.Context, g topology.Graph, c *candidate) error {
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

// nodePorts counts the ports of all nodes: one for each that forwards, as its router has it to itself.
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
