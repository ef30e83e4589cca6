package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// globalFlags is the heading of the flags of all commands.
const globalFlags = "All commands"

// A flagGroup is a heading of a command's help with the flags below it.
type flagGroup struct {
	title string
	flags []string
}

// outputFlags and chartFlags are groups that several commands share.
var (
	outputFlags = flagGroup{"Output", []string{"output", "only", "json", "summary", "save"}}
	chartFlags  = flagGroup{"Charts", []string{"chart-formats", "size", "no-title"}}
	clusterRuns = flagGroup{
		"Large and interrupted runs", []string{"engine", "shard", "resume", "wait", "jobs", "dry-run"},
	}
)

// flagGroups are the groups of commands with many flags, by the path of the command; flags that it does not name stand
// first, below "Flags". The commands of sim state their groups where they add the flags.
var flagGroups = map[string][]flagGroup{
	"plenum plan": {
		outputFlags,
		{"Placement", []string{"effort", "objective"}},
		{"Estimates", []string{"estimate", "model"}},
		{"Delays", []string{"alpha-ns", "beta-ns-per-m", "routing"}},
		{"Existing plans", []string{"check", "apply"}},
	},
	"plenum compare": {
		outputFlags, chartFlags,
		{"Delays", []string{"alpha-ns", "beta-ns-per-m", "count", "equal"}},
		{"Throughput", []string{"accepted", "seed"}},
	},
	"plenum topology": {
		outputFlags,
		{"Failures", []string{"fail-links", "fail-routers", "draws", "seed"}},
		{"Paths of a pair", []string{"from", "to", "within", "without"}},
		{"Export", []string{"export", "draw"}},
	},
	"plenum render": {
		{"Which part of the machine", []string{"fabric", "rack", "tray", "group-racks", "most-pages"}},
		{"Which cables", []string{
			"cable", "cable-colour", "cable-end", "cable-level", "cable-longest", "cable-medium", "cable-product",
		}},
		{"Drawings", []string{"sheet", "scale", "dpi", "date", "colour", "rack-power"}},
		{"Labels", []string{"label", "code"}},
		{"Networks", []string{"found", "lanes", "clock-ghz", "beta-ns-per-m"}},
	},
	"plenum search":    {outputFlags, chartFlags, clusterRuns},
	"plenum sweep":     {outputFlags, clusterRuns},
	"plenum sweep run": {outputFlags, clusterRuns},
	"plenum search graph": {
		outputFlags,
		{"Graph", []string{"grid", "degree", "longest", "symmetry"}},
		{"Effort", []string{"seconds", "starts", "steps", "seed"}},
	},
	"plenum embed map": {outputFlags, {"Effort", []string{"effort", "seed", "start"}}},
	"plenum verify": {
		{"Sources", []string{"map", "strict", "fabric", "allow-unknown"}},
		{"Places", []string{"elevations", "floor", "racks"}},
		{"Repair", []string{"work-order", "paths", "capacity", "failed"}},
		{"Installation in progress", []string{"watch", "every"}},
	},
	"plenum operate": {
		outputFlags,
		{"Failures and spares", []string{"rates", "lead-time", "service-level"}},
		{"Limits", []string{"most-nodes", "most-bandwidth"}},
		{"Effects", []string{"job", "worst", "pairs", "routes", "floor", "seed"}},
	},
}

// moreExamples are examples of commands whose descriptions show fewer than two, by the path of the command.
var moreExamples = map[string][]string{
	"plenum plan": {
		"plenum plan machine.yaml -o plan", "plenum plan superpod-h100-4su --only bom.csv,cables.csv",
	},
	"plenum topology list": {"plenum topology list", "plenum topology list --json"},
	"plenum embed":         {"plenum embed place machine.yaml", "plenum embed qap instance.dat --effort quick"},
	"plenum embed qap":     {"plenum embed qap instance.dat", "plenum embed qap instance.dat --effort quick --seed 7"},
	"plenum embed place":   {"plenum embed place machine.yaml", "plenum embed place machine.yaml -o places.csv"},
	"plenum render":        {"plenum render plan-out --format dot", "plenum render plan-out --format gltf -o m.glb"},
	"plenum search graph":  {"plenum search graph --grid 10x10 --degree 4 --longest 3 --steps 100 -o net.edges"},
	"plenum search ibt":    {"plenum search ibt --nodes 4096 --degree 8 --top 5"},
	"plenum search status": {"plenum search status search-out", "plenum search status search-out --json"},
	"plenum search cancel": {"plenum search cancel search-out", "plenum search cancel search-out --json"},
	"plenum sweep status":  {"plenum sweep status study-out", "plenum sweep status study-out --json"},
	"plenum sweep cancel":  {"plenum sweep cancel study-out", "plenum sweep cancel study-out --json"},
	"plenum sweep merge":   {"plenum sweep merge study-out", "plenum sweep merge part-1 part-2 -o study-out"},
	"plenum serve":         {"plenum serve machine.yaml --open", "plenum serve superpod-h100-4su --port 8080"},
	"plenum explain":       {"plenum explain plan-out C00042", "plenum explain plan-out cost", "plenum explain reach"},
	"plenum catalog":       {"plenum catalog list --kind cable", "plenum catalog show nvidia-qm9700"},
	"plenum catalog list":  {"plenum catalog list", "plenum catalog list --kind switch"},
	"plenum catalog show":  {"plenum catalog show nvidia-qm9700", "plenum catalog show estimate-2025"},
	"plenum catalog check": {"plenum catalog check", "plenum catalog check parts.yaml prices.yaml"},
	"plenum catalog audit": {"plenum catalog audit --kind switch", "plenum catalog audit nvidia-qm9700"},
	"plenum catalog import": {
		"plenum catalog import switch.yaml", "plenum catalog import switch.yaml --kind switch -o parts.yaml",
	},
	"plenum schema":     {"plenum schema > plenum.schema.json", "plenum schema search > search.schema.json"},
	"plenum version":    {"plenum version", "plenum version --json"},
	"plenum man":        {"plenum man -o man1", "plenum man -o /usr/local/share/man/man1"},
	"plenum completion": {"plenum completion bash > plenum.bash", "plenum completion zsh > _plenum"},
}

// groupFlags puts the flags of a command and of those below it under the headings of flagGroups, and makes them print
// help with printUsage.
func groupFlags(root *cobra.Command) {
	root.SetUsageFunc(func(c *cobra.Command) error { return printUsage(c, c.HasAvailableSubCommands()) })
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		text := strings.TrimSpace(cmp.Or(c.Long, c.Short)) + "\n\n"
		if err := cli.Print(c.OutOrStdout(), text); err == nil {
			printUsage(c, c.HasAvailableSubCommands())
		}
	})
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, g := range flagGroups[c.CommandPath()] {
			for _, name := range g.flags {
				if f := c.Flags().Lookup(name); f != nil {
					f.Annotations = withHeading(f.Annotations, g.title)
				}
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// withHeading returns a copy of the annotations of a flag with another heading.
func withHeading(of map[string][]string, title string) map[string][]string {
	out := map[string][]string{flagHeading: {title}}
	for k, v := range of {
		if k != flagHeading {
			out[k] = v
		}
	}
	return out
}

// printUsage prints how a command is called, examples, the commands below it if hasCommands is true, and its flags by
// headings, wrapped to the width of the terminal.
func printUsage(c *cobra.Command, hasCommands bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
	if hasCommands {
		fmt.Fprintf(&b, "  %s [command]\n\nAvailable Commands:\n", c.CommandPath())
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	if more := moreExamples[c.CommandPath()]; len(more) > 0 {
		b.WriteString("\nExamples:\n  " + strings.Join(more, "\n  ") + "\n")
	}
	var titles []string
	groups := map[string]*pflag.FlagSet{}
	add := func(title string, f *pflag.Flag) {
		if groups[title] == nil {
			titles = append(titles, title)
			groups[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			groups[title].SortFlags = false
		}
		groups[title].AddFlag(f)
	}
	local := c.LocalNonPersistentFlags()
	local.AddFlagSet(c.LocalFlags())
	local.VisitAll(func(f *pflag.Flag) {
		if of := f.Annotations[flagHeading]; of == nil || of[0] == generalFlags {
			add(generalFlags, f)
		}
	})
	for _, g := range flagGroups[c.CommandPath()] {
		for _, name := range g.flags {
			if f := local.Lookup(name); f != nil && !f.Hidden {
				add(g.title, f)
			}
		}
	}
	if !hasCommands { // sim, which takes all flags of the models below it, leaves them to these
		local.VisitAll(func(f *pflag.Flag) {
			of := f.Annotations[flagHeading]
			if of != nil && (groups[of[0]] == nil || groups[of[0]].Lookup(f.Name) == nil) {
				add(of[0], f)
			}
		})
	}
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[flagHeading] == nil {
			add(globalFlags, f)
		}
	})
	for _, title := range titles {
		if usages := groups[title].FlagUsagesWrapped(cli.Columns()); usages != "" {
			fmt.Fprintf(&b, "\n%s:\n%s", title, usages)
		}
	}
	if hasCommands {
		fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more information about a command, and for its flags.\n",
			c.CommandPath())
	}
	return cli.Print(c.OutOrStdout(), b.String())
}
