package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/machine/starter"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/topology"
)

// completedArgs has the completions of arguments, by the path of the command.
var completedArgs = map[string]cli.Completion{
	"plenum plan":             cli.Machines(1),
	"plenum compare":          cli.Machines(0),
	"plenum diff":             cli.Machines(0),
	"plenum verify":           cli.First(cli.Machines(1), cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)),
	"plenum render":           cli.Machines(1),
	"plenum serve":            cli.Machines(1),
	"plenum build":            cli.Machines(1),
	"plenum operate":          cli.Machines(1),
	"plenum topology":         cli.Machines(1),
	"plenum embed place":      cli.Machines(1),
	"plenum embed map":        cli.Machines(1),
	"plenum sim":              cli.Machines(0),
	"plenum sim packets":      cli.Machines(0),
	"plenum sim flows":        cli.Machines(0),
	"plenum sim flood":        cli.Machines(1),
	"plenum sim goal":         cli.Machines(1),
	"plenum sim rounds":       cli.Machines(1),
	"plenum search thin-tree": cli.Machines(1),
	"plenum explain": cli.First(
		cli.Either(cli.Words(func() []string { return append(cli.RuleIDs(), cli.PartIDs()...) }), cli.Machines(1)),
		cli.First(cli.Words(func() []string {
			return append(slices.Clone(report.FigureNames), cli.PartIDs()...)
		}), nil)),
	"plenum catalog show": cli.First(cli.Words(func() []string {
		return append(cli.PartIDs(), catalog.Default().PriceSets()...)
	}), nil),
	"plenum init": cobra.NoFileCompletions,
}

// completedFlags has the completions of values of flags, by the path of the command, then by the flag; "" is for flags
// that mean the same in all commands.
var completedFlags = map[string]map[string]func() []string{
	"": {
		"routing":       routingNames,
		"chart-formats": func() []string { return []string{"png", "svg", "pdf"} },
	},
	"plenum plan": {
		"only": namedByOnly, "effort": spec.Efforts, "objective": spec.Objectives, "model": cost.ModelNames,
		"routing": spec.RoutingNames,
	},
	"plenum render": {
		"format": renderedNames, "colour": func() []string { return render.FloorColours },
		"sheet": spec.Paper("").Words,
	},
	"plenum topology": {
		"metrics": func() []string { return append(metricNames(), "all") }, "export": exportNames,
	},
	"plenum topology sizes": {"family": familyNames},
	"plenum sim packets":    {"traffic": patternNames, "workload": jobNames},
	"plenum sim flows":      {"workload": jobNames},
	"plenum sim goal": {"pattern": func() (names []string) {
		for _, p := range goal.Patterns() {
			names = append(names, p.Name)
		}
		return names
	}},
	"plenum compare":        {"accepted": patternNames},
	"plenum catalog list":   {"kind": kindNames},
	"plenum catalog import": {"kind": func() []string { return []string{"switch", "node", "adapter", "panel"} }},
	"plenum init": {
		"from": cli.ExampleNames, "rate": starter.Rates, "room": func() []string { return []string{"auto"} },
	},
}

func familyNames() (names []string) {
	for _, f := range topology.Families() {
		names = append(names, f.Name)
	}
	return names
}

func kindNames() (names []string) {
	for _, k := range catalog.Kinds {
		names = append(names, string(k))
	}
	return names
}

// addCompletions registers the completions of arguments and flags of a command and of those below it. Completions that
// are registered already stay.
func addCompletions(cmd *cobra.Command) {
	path := cmd.CommandPath()
	if f, ok := completedArgs[path]; ok {
		cmd.ValidArgsFunction = f
	}
	suggest := func(flag string, f cli.Completion) {
		if cmd.Flags().Lookup(flag) == nil {
			return
		}
		if _, known := cmd.GetFlagCompletionFunc(flag); known {
			return
		}
		if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic(err) // there is no such flag, or twice
		}
	}
	for flag, words := range completedFlags[path] {
		suggest(flag, cli.Words(words))
	}
	for flag, words := range completedFlags[""] {
		suggest(flag, cli.Words(words))
	}
	suggest("fabric", cli.Fabrics)
	for _, below := range cmd.Commands() {
		addCompletions(below)
	}
}
