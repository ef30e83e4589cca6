package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/sim/rounds"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// simModel is a model of the network: a command of its own below plenum sim, and a value of --model of plenum sim.
type simModel struct {
	name string // of --model
	*cobra.Command
	// run simulates. wrong has errors of the caller, to be reported together with its own.
	run func(cmd *cobra.Command, args []string, wrong []error) error
}

// newModel returns a model whose command calls run.
func newModel(name string, cmd *cobra.Command,
	run func(cmd *cobra.Command, args []string, wrong []error) error,
) *simModel {
	cmd.Flags().SortFlags = false
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, args, nil) }
	return &simModel{name, cmd, run}
}

// simInput holds the values of flags that several models have.
type simInput struct {
	topology        []string
	fabric          string
	seed            uint64
	asJSON          bool
	timing          bool // print the duration of the simulation
	load, failNodes string
	placement       string // of tasks or ranks on terminals
	routing         string // name of a routing function, "" for that of the family
	hop             units.Time
	propagation     units.Propagation
}

func (in *simInput) topologyFlag(f *pflag.FlagSet) {
	f.StringArrayVar(&in.topology, "topology", nil, "simulate this topology, without a room")
}

func (in *simInput) seedFlag(f *pflag.FlagSet) {
	f.Uint64Var(&in.seed, "seed", 1, "seed of random draws")
}

func (in *simInput) jsonFlag(f *pflag.FlagSet) {
	f.BoolVar(&in.asJSON, "json", false, "print one JSON document")
}

func (in *simInput) timingFlag(f *pflag.FlagSet) {
	f.BoolVar(&in.timing, "timing", false, "tell how long it took (wall_s), which differs from run to run")
}

func (in *simInput) failNodesFlag(f *pflag.FlagSet, usage string) {
	f.StringVar(&in.failNodes, "fail-nodes", "0", usage)
}

func (in *simInput) placementFlag(f *pflag.FlagSet) {
	f.StringVar(&in.placement, "placement", "consecutive",
		"terminals of the tasks or ranks: consecutive, random or file:NAME")
}

func (in *simInput) routingFlag(f *pflag.FlagSet) {
	f.StringVar(&in.routing, "routing", "",
		"routing function; the usual one of the family when left out: "+strings.Join(routingNames(), ", "))
}

func (in *simInput) hopFlag(f *pflag.FlagSet, usage string) {
	f.Float64Var((*float64)(&in.hop), "alpha-ns", float64(rounds.DefaultOptions().Alpha), usage)
}

func (in *simInput) propagationFlag(f *pflag.FlagSet) {
	f.Float64Var((*float64)(&in.propagation), "beta-ns-per-m", 0,
		"propagation delay of all links, in place of the machine file's; from 0 to 1e9")
}

// override returns the delays that flags set in place of those of the parts.
func (in *simInput) override(cmd *cobra.Command) delay.Override {
	var o delay.Override
	if cmd.Flags().Changed("alpha-ns") {
		o.Hop = &in.hop
	}
	if cmd.Flags().Changed("beta-ns-per-m") {
		o.Propagation = &in.propagation
	}
	return o
}

// needsRoom returns an error for each of the given flags, which need lengths, that is set without a machine file.
func needsRoom(cmd *cobra.Command, args []string, flags ...string) []error {
	var wrong []error
	for _, name := range flags {
		if len(args) == 0 && cmd.Flags().Changed(name) {
			wrong = append(wrong, fmt.Errorf("--%s: a topology has no lengths; give a machine file", name))
		}
	}
	return wrong
}

var errNoMachine = errors.New("a machine file or --topology is needed")

func newSim() *cobra.Command {
	in := &simInput{}
	packets := newPacketsCommand(in)
	s := &simCommand{simInput: in, models: []*simModel{
		newSimPackets(packets), newSimRounds(in), newSimFlood(in), newSimGoal(in), newSimFlows(packets),
	}}
	cmd := &cobra.Command{
		Use:   "sim [FILE...]",
		Short: "Simulate traffic on a planned machine, or on a topology alone",
		Long: `Simulate traffic on the machine of a machine file, with the lengths of its
planned links, or with --topology on a topology without a room. There are five
models of the network, each a command of its own:

  plenum sim packets machine.yaml --load 0.1:1.0:0.1 -o charts
  plenum sim rounds --topology '{family: clex, clique: 32, levels: 4}' --load 28
  plenum sim flood --topology '{family: torus, dims: [8, 8, 8]}'
  plenum sim goal machine.yaml --schedule app.goal
  plenum sim flows machine.yaml --workload ring-all-reduce

Default model: rounds for CLEX, packets for every other family or where a flag of
packets only is given; --model names another. All flags of the model are accepted.`,
		RunE: s.run,
	}
	cmd.Flags().SortFlags = false
	under(cmd, generalFlags, func(f *pflag.FlagSet) {
		f.StringVar(&s.model, "model", "", "model of the network: packet, rounds, flood, goal or flow")
	})
	for _, m := range s.models {
		cmd.AddCommand(m.Command)
		m.Flags().VisitAll(func(f *pflag.Flag) {
			if cmd.Flags().Lookup(f.Name) == nil {
				own := *f // a copy, as a flag records whether it was given
				cmd.Flags().AddFlag(&own)
			}
		})
		setFlagErrors(m, s.models)
	}
	return cmd
}

// simCommand is plenum sim without the name of a model.
type simCommand struct {
	*simInput
	models []*simModel
	model  string
}

// run selects a model, and runs it with errors about the flags that the model does not have.
func (s *simCommand) run(cmd *cobra.Command, args []string) error {
	if s.model == "" {
		s.model = s.usualModel(cmd, args)
	}
	i := slices.IndexFunc(s.models, func(m *simModel) bool { return m.name == s.model })
	if i < 0 {
		var names []string
		for _, m := range s.models {
			names = append(names, m.name)
		}
		return cli.InputError(cli.NoValue("model", "model", s.model, slices.Sorted(slices.Values(names))))
	}
	var wrong []error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "model" && s.models[i].Flags().Lookup(f.Name) == nil {
			wrong = append(wrong, errors.New(belongs(f.Name, s.models)))
		}
	})
	return s.models[i].run(cmd, args, wrong)
}

// usualModel returns rounds if package rounds has a model of the topology and no flag of packets alone is given, else
// packets.
func (s *simCommand) usualModel(cmd *cobra.Command, args []string) string {
	const packets, inRounds = "packet", "rounds"
	alone := false
	cmd.Flags().Visit(func(f *pflag.Flag) {
		owners := owners(f.Name, s.models)
		alone = alone || owners[0].name == packets &&
			!slices.ContainsFunc(owners, func(m *simModel) bool { return m.name == inRounds })
	})
	if alone {
		return packets
	}
	var spec topology.Spec
	switch {
	case len(args) == 1 && len(s.topology) == 1:
		return inRounds // it refuses a file together with --topology
	case len(args)+len(s.topology) > 1:
	case len(args) == 1:
		if m, err := cli.NamedSpec(args[0]); err == nil {
			spec = m.Topology
			if f, err := m.Fabric(s.fabric); err == nil {
				spec = f.Topology
			}
		}
	case len(s.topology) == 1:
		spec, _ = cli.TopologySpec(s.topology[0])
	}
	if _, err := rounds.Machine(spec); err == nil {
		return inRounds
	}
	return packets
}

// planned plans a machine, with the lengths of its links, and returns the network of the fabric of --fabric.
func (in *simInput) planned(cmd *cobra.Command, spec *spec.Spec, opt machine.Options) (*machine.Result,
	*machine.Network,
	error,
) {
	return planFabric(cmd, spec, in.fabric, opt)
}

// planFabric plans a machine, and returns the network of the given fabric; "" for a machine with one topology.
func planFabric(cmd *cobra.Command, spec *spec.Spec, fabric string, opt machine.Options) (*machine.Result,
	*machine.Network,
	error,
) {
	if len(spec.Fabrics) > 0 || fabric != "" {
		if _, err := spec.Fabric(fabric); err != nil {
			return nil, nil, cli.Spelled(err, cli.FabricFlags)
		}
	}
	plan, err := machine.PlanWith(cmd.Context(), spec, opt)
	if err != nil {
		return nil, nil, cli.AsInput(err)
	}
	network, err := plan.Fabric(fabric)
	return plan, network, err
}

// noLengths returns the error about a plan that is a summary, which keeps no lengths to simulate with.
func noLengths(file string, plan *machine.Result) error {
	return cli.Inputf("%s: a plan of %d links is a summary, which does not keep their lengths; simulate "+
		"the topology alone with --topology", file, plan.Counts.Links)
}
