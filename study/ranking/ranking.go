// Package ranking compares planned machines by what they cost for the traffic that they are simulated to accept: all of
// them on equal terms, each with its own lengths of links, rates of ports and usual routing.
//
// Accepted is what arrives while every node sends as much as its port carries. One run tells that, where the load at
// which a network saturates takes a search. The bounds of package topology/throughput, which know nothing of routing,
// buffers or lengths, stand beside it where the traffic has one: nothing accepts more.
package ranking

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/subject"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology/throughput"
	"github.com/plenum-planner/plenum/units"
)

// Options say what Compare simulates.
type Options struct {
	// Traffic lists patterns, as traffic.ParsePattern reads them.
	Traffic []string
	// Measurement is that of every run; if zero, each machine has that of Shorter.
	Measurement packet.Measurement
	Seed        uint64
}

// Shorter is a warm-up of 10,000 cycles, or as long as 20 hops over the longest link if that is more, which goes on
// until the network is stationary, and ten batches of 2,000 cycles: where hops are short, a third of
// packet.DefaultMeasurement. The batches say how sure the mean is.
func Shorter(c packet.Config) packet.Measurement {
	m := packet.DefaultMeasurement()
	hop := c.Pipeline
	if len(c.Latency) > 0 {
		hop += int(slices.Max(c.Latency))
	}
	m.Warmup, m.Batch = new(max(10_000, 20*hop)), 2_000
	return m
}

// measurement returns the measurement for a machine.
func (o Options) measurement(p *subject.Planned) packet.Measurement {
	if o.Measurement == (packet.Measurement{}) {
		return Shorter(p.Config)
	}
	return o.Measurement
}

// Check returns diag.FieldErrors of Traffic about names that are not known and patterns that are given twice. It does
// not check the arguments of patterns.
func (o Options) Check() error {
	var wrong diag.FieldErrors
	var names []string
	for _, p := range traffic.Patterns() {
		names = append(names, p.Name)
	}
	for i, text := range o.Traffic {
		name, _, _ := strings.Cut(text, ":")
		name, _, _ = strings.Cut(name, "@")
		if !slices.Contains(names, name) {
			wrong.Add("Traffic", "no traffic %q\n%s", name, diag.Suggest(name, names, "there are "))
		}
		if slices.Contains(o.Traffic[:i], text) {
			wrong.Add("Traffic", "%q stands there twice", text)
		}
	}
	return wrong.Err()
}

// Compare plans machines as machine.Compare does, and simulates what each accepts: one run for each machine and
// pattern, at full load. Runs are computed at the same time. A pattern that is not for a topology is a diag.FieldError
// of Traffic; a plan that is a summary cannot be simulated.
func Compare(ctx context.Context, machines []machine.Candidate, opt machine.CompareOptions, own Options) (
	*report.Comparison, error,
) {
	var planned []*subject.Planned
	opt.Planned = func(p *machine.Result, n *machine.Network) error {
		setup := packet.Setup{Options: packet.DefaultOptions()}
		s, err := subject.Of(p, n, setup, own.Seed, subject.Options{})
		if errors.Is(err, subject.ErrSummary) {
			return fmt.Errorf("%w, and cannot be simulated", err)
		}
		planned = append(planned, s)
		return err
	}
	c, err := machine.Compare(ctx, machines, opt)
	if err != nil {
		return nil, err
	}
	c.Traffic = own.Traffic
	return c, measure(ctx, c, planned, opt.Progress, own)
}

// measure simulates all traffic on all machines, and adds the results to the machines of c.
func measure(ctx context.Context, c *report.Comparison, planned []*subject.Planned,
	progress func(stage string, done, total int), own Options,
) error {
	var on, runs []packet.Contestant
	var clocks []units.Frequency
	var open []packet.OpenLoop
	for i, p := range planned {
		s := packet.Contestant{Name: c.Machines[i].Machine, Subject: p.Subject}
		on, clocks = append(on, s), append(clocks, p.Clock)
		for _, text := range own.Traffic {
			pattern, err := traffic.ParsePattern(text, p.Network.Graph, own.Seed)
			if err != nil {
				return diag.Fieldf("Traffic", "%s: %v", s.Name, err)
			}
			runs = append(runs, s)
			open = append(open, packet.OpenLoop{Pattern: pattern, Measurement: own.measurement(p)})
		}
	}
	err := packet.Level(on)
	if err != nil {
		return err
	}
	if c.Unequal, err = packet.Unequal(on, clocks); err != nil {
		return err
	}
	found, err := packet.SweepAll(ctx, runs, open, []float64{1}, func(cycles, of int64) {
		if progress != nil {
			progress("simulating, cycle", int(cycles), int(of))
		}
	})
	if err != nil {
		return err
	}
	for k, run := range found {
		i, text := k/len(own.Traffic), own.Traffic[k%len(own.Traffic)]
		m, s := &c.Machines[i], planned[i]
		nodes := s.Config.Network.Terminals()
		m.Accepted = append(m.Accepted, report.Accepted{
			Traffic: text, Routing: s.Config.Routing.Name(), VCs: run.Run.VCs,
			Buffer: run.Run.Buffer.Packets, Nodes: nodes, Share: run.Run.Accepted,
			HalfWidth: run.Run.HalfWidth, Bound: bound(m.Throughput, text, nodes), Stationary: run.Run.Settled,
			Port: m.Rate,
		})
	}
	return nil
}

// bound returns an upper bound on the accepted traffic of a node, in phits per cycle; NaN if none is known for the
// pattern. b has shares of all ports of a node, while a simulated node sends through one port at a time.
func bound(b *throughput.Bound, text string, nodes int) float64 {
	if b == nil {
		return math.NaN()
	}
	ports := float64(b.Ports) / float64(max(nodes, 1))
	switch text {
	case traffic.UniformName:
		return min(1, b.Uniform*ports)
	case traffic.LongestMatching:
		return min(1, b.Longest*ports)
	}
	return math.NaN()
}
