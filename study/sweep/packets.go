package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/subject"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Packets is a simulation of packets: the options of plenum sim packets, with a load or a workload for each point.
// What is left out has the default of the command.
type Packets struct {
	Room   *bool   `yaml:"room,omitempty"` // false: the topology alone, whose links take a cycle each
	Fabric string  `yaml:"fabric,omitempty"`
	Seed   *uint64 `yaml:"seed,omitempty"`

	Load       float64 `yaml:"load,omitempty" most:"1"`
	Traffic    string  `yaml:"traffic,omitempty"`
	Injection  string  `yaml:"injection,omitempty"`
	Sizes      string  `yaml:"sizes,omitempty"`
	Saturation bool    `yaml:"saturation,omitempty"`
	Tolerance  float64 `yaml:"tolerance,omitempty"`
	Warmup     *int    `yaml:"warmup,omitempty"`
	Batches    int     `yaml:"batches,omitempty" jsonschema:"minimum=1"`
	Batch      int     `yaml:"batch,omitempty" jsonschema:"minimum=1"`

	Workload  string `yaml:"workload,omitempty"`
	Tasks     int    `yaml:"tasks,omitempty"`
	Jobs      int    `yaml:"jobs,omitempty"`
	Placement string `yaml:"placement,omitempty"`

	Like             string `yaml:"like,omitempty"`
	Routing          string `yaml:"routing,omitempty"`
	Threshold        int    `yaml:"threshold,omitempty"`
	VCs              int    `yaml:"vcs,omitempty"`
	PacketPhits      int    `yaml:"packet_phits,omitempty"`
	PhitBytes        int    `yaml:"phit_bytes,omitempty"`
	BufferPackets    int    `yaml:"buffer_packets,omitempty"`
	BufferPhits      int    `yaml:"buffer_phits,omitempty"`
	SharedBuffers    bool   `yaml:"shared_buffers,omitempty"`
	InjectionPackets int    `yaml:"injection_packets,omitempty"`
	Switching        string `yaml:"switching,omitempty"`
	Arbiter          string `yaml:"arbiter,omitempty"`
	Select           string `yaml:"select,omitempty"`
	Pipeline         *int   `yaml:"pipeline,omitempty"`
	Inject           *int   `yaml:"inject,omitempty"`
	Eject            *int   `yaml:"eject,omitempty"`
	NodeLink         *int   `yaml:"node_link,omitempty"`
	FreeInputs       bool   `yaml:"free_inputs,omitempty"`

	Clock       units.Frequency    `yaml:"clock_ghz,omitempty"`
	Propagation *units.Propagation `yaml:"beta_ns_per_m,omitempty"`
	Faults      string             `yaml:"faults,omitempty"`
	FailNodes   string             `yaml:"fail_nodes,omitempty"`
}

// keys are the keys of the options by the fields of the library that they set.
var keys = map[string]string{
	"VCs": "vcs", "PacketPhits": "packet_phits", "PhitBytes": "phit_bytes", "BufferPackets": "buffer_packets",
	"BufferPhits": "buffer_phits", "SharedBuffers": "shared_buffers", "InjectionPackets": "injection_packets",
	"Switching": "switching", "Arbiter": "arbiter", "Select": "select", "Pipeline": "pipeline", "Inject": "inject",
	"Eject": "eject", "NodeLink": "node_link", "Routing": "routing", "Threshold": "threshold",
	"Failures.Links": "faults", "Failures.Vertices": "fail_nodes", "Latency": "clock_ghz", "Clock": "clock_ghz",
	"Propagation": "beta_ns_per_m",
	"Load":        "load", "Pattern": "traffic", "Sizes": "sizes", "Injection": "injection", "Warmup": "warmup",
	"Batches": "batches", "Batch": "batch", "Tolerance": "tolerance", "Workloads": "workload", "Tasks": "tasks",
	"Jobs": "jobs", "Placement": "placement", "Like": "like", "Fabric": "fabric", "Graph": "",
}

// withOptionKeys gives mistakes in fields of the library the keys of the options.
func withOptionKeys(err error) error {
	var all diag.FieldErrors
	for _, e := range diag.Fields(err) {
		own := *e
		for path := e.Path; path != ""; path = diag.Parent(path) {
			if key, ok := keys[path]; ok {
				own.Path = key
				break
			}
		}
		all = append(all, &own)
	}
	if all == nil {
		return err
	}
	return all
}

// bare reports whether the topology is simulated without a room.
func (p *Packets) bare() bool { return p.Room != nil && !*p.Room }

// setup is how the network is simulated, but for what follows from the machine.
func (p *Packets) setup() packet.Setup {
	o := packet.DefaultOptions()
	if p.Like != "" {
		o, _ = packet.Like(p.Like) // one of its words
	}
	o.VCs, o.PacketPhits, o.PhitBytes = cmp.Or(p.VCs, o.VCs), cmp.Or(p.PacketPhits, o.PacketPhits),
		cmp.Or(p.PhitBytes, o.PhitBytes)
	if o.BufferPhits = p.BufferPhits; o.BufferPhits == 0 || p.BufferPackets > 0 {
		o.BufferPackets = cmp.Or(p.BufferPackets, o.BufferPackets)
	} else {
		o.BufferPackets = 0
	}
	o.SharedBuffers, o.FreeInputs = p.SharedBuffers, p.FreeInputs
	o.InjectionPackets = cmp.Or(p.InjectionPackets, o.InjectionPackets)
	o.Switching = cmp.Or(packet.Switching(p.Switching), o.Switching)
	o.Arbiter, o.Select = cmp.Or(packet.Arbiter(p.Arbiter), o.Arbiter), cmp.Or(packet.Selection(p.Select), o.Select)
	for _, given := range []struct{ ours, theirs *int }{
		{p.Pipeline, &o.Pipeline},
		{p.Inject, &o.Inject},
		{p.Eject, &o.Eject},
		{p.NodeLink, &o.NodeLink},
	} {
		if given.ours != nil {
			*given.theirs = *given.ours
		}
	}
	return packet.Setup{
		Options: o, Routing: p.Routing, Threshold: p.Threshold,
		Failures: packet.Failures{Links: p.Faults, Vertices: p.FailNodes},
	}
}

// open is what is sent in an open loop, but for the pattern, which depends on the network.
func (p *Packets) open() (packet.OpenLoop, error) {
	open := packet.OpenLoop{Load: cmp.Or(p.Load, usualLoad), Measurement: packet.DefaultMeasurement()}
	if p.Warmup != nil {
		open.Warmup = p.Warmup
	}
	open.Batches, open.Batch = cmp.Or(p.Batches, open.Batches), cmp.Or(p.Batch, open.Batch)
	open.Tolerance = cmp.Or(p.Tolerance, open.Tolerance)
	var wrong diag.FieldErrors
	if p.Sizes != "" {
		sizes, err := traffic.ParseSizes(p.Sizes)
		if err != nil {
			wrong.Add("Sizes", "%v", err)
		}
		open.Sizes = &sizes
	}
	if phits := p.setup().PacketPhits; p.Injection != "" && phits > 0 {
		process, err := traffic.ParseInjection(p.Injection, 1/float64(phits), int64(phits))
		if err != nil {
			wrong.Add("Injection", "%v", err)
		}
		open.Burst = process.Burst
	}
	return open, errors.Join(wrong.Err(), open.Validate())
}

// usualLoad is the load where none is given, in phits per cycle and terminal.
const usualLoad = 0.5

// check says what is wrong with the options by themselves.
func (p *Packets) check() error {
	_, open := p.open()
	wrong := diag.Fields(withOptionKeys(errors.Join(open, p.setup().Check())))
	wrong = append(wrong, diag.Fields(withOptionKeys(delay.Override{Propagation: p.Propagation}.Check()))...)
	wrong = append(wrong, diag.Fields(withOptionKeys(delay.CheckClock(cmp.Or(p.Clock, 1))))...)
	goes := func(given bool, key, why string) {
		if given {
			wrong.Add(key, "%s", why)
		}
	}
	goes(p.bare() && p.Propagation != nil, "beta_ns_per_m", "a topology without a room has no lengths")
	const open1, closed = "is of an open loop and does not go with workload", "goes with workload only"
	if p.Workload == "" {
		goes(p.Tasks > 0, "tasks", closed)
		goes(p.Jobs > 0, "jobs", closed)
		goes(p.Placement != "", "placement", closed)
		goes(p.Saturation && p.Load > 0, "load", "saturation finds the load by itself")
		return wrong.Err()
	}
	goes(p.Load > 0, "load", open1)
	goes(p.Traffic != "", "traffic", open1)
	goes(p.Injection != "", "injection", open1)
	goes(p.Sizes != "", "sizes", open1)
	goes(p.Saturation, "saturation", open1)
	goes(p.Warmup != nil, "warmup", open1)
	goes(p.Batches > 0, "batches", open1)
	goes(p.Batch > 0, "batch", open1)
	return wrong.Err()
}

// seed returns that of random draws, 1 where none is given.
func (p *Packets) seed() uint64 {
	if p.Seed == nil {
		return 1
	}
	return *p.Seed
}

// subject prepares the network, of a machine or of one of its fabrics: planned, with the lengths of its links, or the
// topology alone; and tells its clock.
func (m *measuring) subject(ctx context.Context, fabric string) (*packet.Subject, units.Frequency, error) {
	p := &m.options.Packets
	setup := p.setup()
	if p.bare() {
		g, called, err := machine.Topology(m.spec, fabric)
		if err != nil {
			return nil, 0, withOptionKeys(err)
		}
		if o, ok := g.(topology.Optical); ok {
			g = o.Logical()
			called = called.In(g, func(v int) int { return v }) // its vertices are the first
		}
		if called.Any() {
			setup.Names = called
		}
		s, err := packet.NewSubject(g, setup, p.seed())
		return s, cmp.Or(p.Clock, 1), withOptionKeys(err)
	}
	if m.plan == nil {
		var err error
		if m.plan, err = m.planner.PlanWith(ctx, m.spec, machine.Options{}); err != nil {
			return nil, 0, err
		}
	}
	network, err := m.plan.Fabric(fabric)
	if err != nil {
		return nil, 0, withOptionKeys(err)
	}
	planned, err := subject.Of(m.plan, network, setup, p.seed(), subject.Options{
		Clock: p.Clock, Delay: delay.Override{Propagation: p.Propagation}, Pipeline: p.Pipeline != nil,
	})
	switch {
	case errors.Is(err, subject.ErrSummary):
		return nil, 0, fmt.Errorf("%w; room: false simulates the topology alone", err)
	case errors.Is(err, subject.ErrClock):
		return nil, 0, fmt.Errorf("%w; set clock_ghz or phit_bytes", err)
	case err != nil:
		return nil, 0, withOptionKeys(err)
	}
	return planned.Subject, planned.Clock, nil
}

// suite is the workload.
func (p *Packets) suite() packet.Suite {
	return packet.Suite{
		Workloads: []string{p.Workload}, Tasks: p.Tasks, Jobs: p.Jobs, Seeds: 1,
		Placement: cmp.Or(p.Placement, "consecutive"),
	}
}

// openLoop returns what is sent in an open loop on a network; of a workload it only checks that it is for the network.
func (p *Packets) openLoop(on *packet.Subject) (packet.OpenLoop, error) {
	if p.Workload != "" {
		suite := p.suite()
		_, _, err := suite.Job(on, p.Workload)
		return packet.OpenLoop{}, withOptionKeys(err)
	}
	open, err := p.open()
	if err != nil {
		return open, withOptionKeys(err)
	}
	open.Pattern, err = traffic.ParsePattern(cmp.Or(p.Traffic, "uniform"), on.Network.Graph, p.seed())
	if err != nil {
		return open, diag.Fieldf("traffic", "%v", err)
	}
	return open, nil
}

// packets simulates packets on one core: points run side by side.
func (m *measuring) packets(ctx context.Context, fabric string, out *figures) error {
	p := &m.options.Packets
	s, clock, err := m.subject(ctx, fabric)
	if err != nil {
		return err
	}
	sent, err := p.openLoop(s)
	if err != nil {
		return err
	}
	if p.Workload != "" {
		suite := p.suite()
		runs, err := suite.Play(ctx, []packet.Contestant{{Subject: s}}, nil)
		if err != nil {
			return withOptionKeys(err)
		}
		run := runs[0][0][0]
		return out.add(struct {
			*packet.JobResult
			Time    units.Time                   `json:"time_ns"`
			Latency packet.Latencies[units.Time] `json:"latency_ns"`
		}{run, units.Time(float64(run.Cycles) / float64(clock)), packet.Times(run.Latency, clock)})
	}
	s.Config.Cores = 1
	if p.Saturation {
		found, err := packet.FindSaturation(ctx, s.Config, sent)
		if err != nil {
			return withOptionKeys(err)
		}
		return out.add(found)
	}
	run, err := packet.Run(ctx, s.Config, sent)
	if err != nil {
		return withOptionKeys(err)
	}
	return out.add(struct {
		*packet.Result
		Saturated bool                         `json:"saturated"`
		Latency   packet.Latencies[units.Time] `json:"latency_ns"`
	}{run, run.IsSaturated(), packet.Times(run.Latency, clock)})
}
