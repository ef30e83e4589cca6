package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/topology"
)

// simMachine is a machine to simulate.
type simMachine struct {
	machineReport
	cfg   packet.Config
	whole *routing.Network // without failures
}

// simMachines reads the machines of the files and topologies.
func (s *simCommand) simMachines(cmd *cobra.Command, args []string, p *progress, report *packetReport) ([]*simMachine,
	error,
) {
	var out []*simMachine
	for _, file := range args {
		m, err := s.plannedMachine(cmd, file, p, report)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	for _, text := range s.topology {
		m, err := s.bareMachine(text, report)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	names := map[string]int{}
	for _, m := range out {
		if names[m.Name]++; names[m.Name] > 1 {
			m.Name = fmt.Sprintf("%s (%d)", m.Name, names[m.Name])
		}
	}
	return out, nil
}

// plannedMachine plans a file, whose links then have lengths.
func (s *simCommand) plannedMachine(cmd *cobra.Command, file string, p *progress, report *packetReport) (*simMachine,
	error,
) {
	spec, err := loadSpec([]string{file})
	if err != nil {
		return nil, err
	}
	plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Progress: p.stage})
	if err != nil {
		return nil, asInput(err)
	}
	cycles := plan.Cycles(s.packet.clock, s.propagation(cmd))
	if cycles == nil {
		return nil, noLengths(file, plan)
	}
	name := plan.Spec.Name
	if name == "" {
		name = filepath.Base(file)
	}
	m := &simMachine{machineReport: machineReport{Name: name, Topology: plan.Spec.Topology, Lengths: true}}
	m.cfg.Options, m.cfg.Latency = s.packet.opt, cycles.Link
	if !cmd.Flags().Changed("pipeline") {
		m.cfg.Pipeline = cycles.Pipeline
		if cycles.Uneven {
			report.Warnings = append(report.Warnings,
				fmt.Sprintf("%s: its kinds of switches have different hop delays; all take the %d cycles of the slowest", name, cycles.Pipeline))
		}
	}
	return m, s.complete(m, plan.Graph, report)
}

// bareMachine is a topology without a room: all links take one cycle.
func (s *simCommand) bareMachine(text string, report *packetReport) (*simMachine, error) {
	spec, err := topologySpec(text)
	if err != nil {
		return nil, err
	}
	g, err := topology.New(spec)
	if err != nil {
		return nil, inputError(err)
	}
	m := &simMachine{machineReport: machineReport{Name: topologyName(g, spec), Topology: spec}}
	m.cfg.Options = s.packet.opt
	return m, s.complete(m, g, report)
}

// topologyName is short: what the family calls its member, or the family with the number of
// nodes.
func topologyName(g topology.Graph, spec topology.Spec) string {
	if p, ok := spec.Params.(topology.Named); ok {
		return p.ShortName()
	}
	return fmt.Sprintf("%s of %d", spec.Family(), topology.Count(g).Nodes)
}

// complete makes network and routing of a machine.
func (s *simCommand) complete(m *simMachine, g topology.Graph, report *packetReport) error {
	var err error
	if m.whole, err = routing.NewNetwork(g); err != nil {
		return inputError(err)
	}
	if s.packet.traffic == "" {
		return inputError(errors.New("--traffic: is empty"))
	}
	if report.FailedLinks, report.FailedBoxes, err = s.draw(m, s.seed); err != nil {
		return inputError(err)
	}
	n, fn := m.cfg.Network, m.cfg.Routing
	buffer, warnings, err := packet.Check(m.cfg)
	if err != nil {
		return inputError(err)
	}
	for _, w := range warnings {
		report.Warnings = append(report.Warnings, m.Name+": "+w)
	}
	m.Terminals, m.Routers, m.Channels = n.Terminals(), n.Routers(), n.Channels()
	m.Routing, m.Buffer, m.Pipeline = fn.Name(), buffer, m.cfg.Pipeline
	if m.VCs = m.cfg.VCs; m.VCs == 0 {
		m.VCs = fn.Classes()
	}
	return nil
}

// draw has things fail in a machine as a seed and the flags say, routes packets
// around them, and returns how many links and vertices fail.
func (s *simCommand) draw(m *simMachine, seed uint64) (failedLinks, failedVertices int, err error) {
	f, n := &s.packet, m.whole
	links, err := chosenLinks(n, f.faults, seed)
	if err != nil {
		return 0, 0, fmt.Errorf("--faults: %w", err)
	}
	vertices, err := chosenVertices(n, s.failNodes, seed)
	if err != nil {
		return 0, 0, fmt.Errorf("--fail-nodes: %w", err)
	}
	m.cfg.Seed = seed
	if len(links)+len(vertices) > 0 {
		n = n.Fail(links, vertices)
	} else if m.cfg.Routing != nil { // nothing else depends on the seed
		return 0, 0, nil
	}
	fn, err := routing.New(n, f.routing,
		routing.Options{Threshold: f.threshold, VCs: m.cfg.VCs, Weights: m.cfg.Latency})
	if err != nil {
		return 0, 0, fmt.Errorf("--routing: %w", err)
	}
	m.cfg.Network, m.cfg.Routing = n, fn
	return len(links), len(vertices), nil
}

// chosenLinks reads the failed links: a share, or pairs of labels.
func chosenLinks(n *routing.Network, text string, seed uint64) ([]int32, error) {
	if !strings.Contains(text, "--") {
		share, err := parseShare(text)
		if err != nil {
			return nil, fmt.Errorf("%w, nor a list of links like A--B;C--D", err)
		}
		return packet.DrawLinks(n, share, seed), nil
	}
	var out []int32
	for item := range strings.SplitSeq(text, ";") {
		left, right, _ := strings.Cut(item, "--")
		a, err := topology.FindVertex(n.Graph, strings.TrimSpace(left))
		if err != nil {
			return nil, err
		}
		b, err := topology.FindVertex(n.Graph, strings.TrimSpace(right))
		if err != nil {
			return nil, err
		}
		between := topology.LinksBetween(n.Graph, a, b)
		if len(between) == 0 {
			return nil, fmt.Errorf("there is no link between %s and %s", n.Graph.Label(a), n.Graph.Label(b))
		}
		out = append(out, between...)
	}
	return out, nil
}

// chosenVertices reads the failed nodes and switches: a share of those that
// forward, or labels.
func chosenVertices(n *routing.Network, text string, seed uint64) ([]int32, error) {
	if share, err := parseShare(text); err == nil {
		return packet.DrawRouters(n, share, seed), nil
	}
	var out []int32
	for item := range strings.SplitSeq(text, ";") {
		v, err := topology.FindVertex(n.Graph, strings.TrimSpace(item))
		if err != nil {
			return nil, fmt.Errorf("%w; or a share like 5%%", err)
		}
		out = append(out, int32(v))
	}
	return out, nil
}

// referenceMachine is a machine file, planned, or a topology.
func (s *simCommand) referenceMachine(cmd *cobra.Command, p *progress, report *packetReport) (*simMachine, error) {
	if strings.ContainsAny(s.packet.reference, "{:[") {
		return s.bareMachine(s.packet.reference, report)
	}
	return s.plannedMachine(cmd, s.packet.reference, p, report)
}
