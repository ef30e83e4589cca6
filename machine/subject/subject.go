// Package subject turns planned machines into what package sim/packet simulates: links take the cycles of their planned
// lengths, switches those of their hop delay, and a cycle is what a phit takes at the rate of the ports. Commands,
// studies and rankings all prepare machines here, so that they simulate the same.
package subject

import (
	"errors"
	"fmt"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Planned is a network of a planned machine that is to be simulated.
type Planned struct {
	*packet.Subject
	Network *machine.Network // as packets see it: machine.Network.Seen
	Clock   units.Frequency
	delays  delay.Model // of its links and routers, with what options replace
}

// Options say what is otherwise than the machine has it.
type Options struct {
	Clock    units.Frequency // of the cycles; that of the ports when 0
	Delay    delay.Override
	Pipeline bool // keep the pipeline of the setup in place of the machine's hop delay
}

// What keeps a plan from being simulated.
var (
	// ErrSummary is that a plan keeps no lengths of links.
	ErrSummary = errors.New("a plan of so many links does not keep their lengths")
	// ErrClock is that ports are too fast or too slow.
	ErrClock = errors.New("the clock of its ports")
)

// Of prepares a network of a plan. The setup's Latency, Vertex and Names are set by the plan, and so is Pipeline, but
// for Options.Pipeline. The error is ErrSummary, ErrClock, or names fields of the setup (diag.FieldErrors).
func Of(p *machine.Result, n *machine.Network, setup packet.Setup, seed uint64, opt Options) (*Planned, error) {
	out := &Planned{Network: n.Seen(), Clock: opt.Clock}
	if out.Clock == 0 {
		out.Clock = Clock(p.PortRate(n), setup.PhitBytes)
	}
	if err := delay.CheckClock(out.Clock); err != nil {
		return nil, fmt.Errorf("%w %w", ErrClock, err)
	}
	cycles := out.Network.Cycles(out.Clock, opt.Delay)
	if cycles == nil {
		return nil, ErrSummary
	}
	kinds := out.Network.Graph.Kinds()
	out.delays = out.Network.Model.With(kinds, opt.Delay)
	setup.Latency, setup.Vertex, setup.Names = cycles.Link, cycles.Vertex, out.Network.Names
	if opt.Pipeline {
		pipeline := units.Time(float64(setup.Pipeline) / float64(out.Clock))
		out.delays = out.delays.With(kinds, delay.Override{Hop: &pipeline})
		for i, k := range kinds {
			setup.Vertex[i] = topology.Charge(k.Role, int32(setup.Pipeline), setup.Vertex[i])
		}
	} else {
		setup.Pipeline = cycles.Pipeline
	}
	setup.Delay = out.delays.Arcs(out.Network.Graph, out.Network.Links)
	var err error
	out.Subject, err = packet.NewSubject(out.Network.Graph, setup, seed)
	return out, err
}

// Planned is the delay that the plan states for the path of a packet alone between two terminals, in cycles, as
// packet.OnePacketOptions asks for it.
func (p *Planned) Planned() (func(src, dst int32) (float64, error), error) {
	c := &p.Config
	pairs, err := delay.NewPairs(c.Network, c.Routing, p.delays, p.Network.Links, c.Seed)
	if err != nil {
		return nil, err
	}
	return func(src, dst int32) (float64, error) {
		d, err := pairs.Between(src, dst)
		return float64(p.Clock.Cycles(d)), err
	}, nil
}

// Clock is the clock at which ports of a rate, 0 for none that is known, send a phit of so many bytes a cycle; 1 GHz
// where none is known.
func Clock(rate units.Rate, phitBytes int) units.Frequency {
	if rate <= 0 || phitBytes <= 0 {
		return 1
	}
	return units.Frequency(float64(rate) / float64(8*phitBytes))
}
