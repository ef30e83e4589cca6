// Package initcmd is the command plenum init: what it asks for in a terminal, and the files that it writes.
package initcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine/starter"
)

// given holds the flags of plenum init.
type given struct {
	from                     string
	out                      string
	search                   bool
	nodes, ports, rate, room string
	machine                  starter.Machine
}

// New returns the command.
func New() *cobra.Command {
	var g given
	d := starter.Default()
	cmd := &cobra.Command{
		Use:   "init [NAME] [--from EXAMPLE | --from SOURCE...]",
		Short: "Write a first machine file, that of a machine that exists, or a search file",
		Long: `Write NAME.yaml, a commented machine file to start from, or a copy of the example of that
name. An existing file is never overwritten.

Without a name, in a terminal, it asks how many nodes there are, how many ports each has
and how fast they are, and for the room, and writes a fat tree for them that has been
planned before it is written. The flags give the same answers. With --from, a copy of an
example machine instead, and with --search a commented search file for plenum search.

With --from SOURCE..., the machine file of a machine that exists, from what plenum verify
reads: ibnetdiscover, LLDP of hosts and switches, tables of NetBox, a list of cables. All
sources are of one machine. Boxes and ports keep their names; parts are taken from the
catalog where their model is known, else guessed, and every guess is printed and stands
in the file. NAME.json beside it has the cables, and where the sources know racks,
NAME-racks.csv and NAME-places.csv where boxes stand. --rate is that of links for which no
source tells it.

  plenum init cluster --from ibnetdiscover.txt
  plenum init cluster --from lldp/*.json
  plenum plan cluster.yaml
  plenum verify cluster.yaml lldp/*.json

Examples: ` + strings.Join(cli.ExampleNames(), ", "),
		Args: cli.Usage(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error { return g.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&g.from, "from", "", "example machine to copy, or a source that tells how a machine is cabled; "+
		"more\nsources may follow")
	f.StringVarP(&g.out, "out", "o", "", "directory for the files of a machine that exists (the present one when "+
		"left out)")
	f.BoolVar(&g.search, "search", false, "write a search file")
	f.StringVar(&g.nodes, "nodes", "", fmt.Sprintf("number of nodes (%d when left out)", d.Nodes))
	f.StringVar(&g.ports, "ports", "",
		fmt.Sprintf("ports of a node, each on a leaf switch of its own (%d when left out)", d.Ports))
	f.StringVar(&g.rate, "rate", "", fmt.Sprintf("rate of a port: %s (%s when left out)",
		strings.Join(starter.Rates(), ", "), d.Rate))
	f.StringVar(&g.room, "room", "", "the floor between the walls, width x depth in metres, like 20x15, or auto\n"+
		"for as large as needed (auto when left out)")
	return cmd
}

// flagged reports whether a flag describes a new machine.
func (g *given) flagged() bool { return g.nodes+g.ports+g.rate+g.room != "" }

func (g *given) run(cmd *cobra.Command, args []string) error {
	in, terminal := cmd.InOrStdin().(*os.File)
	terminal = terminal && term.IsTerminal(int(in.Fd()))
	adopting := g.from != "" && !slices.Contains(cli.ExampleNames(), strings.TrimSuffix(g.from, ".yaml")) &&
		exists(g.from)
	switch {
	case adopting:
		return g.adopt(cmd, args)
	case len(args) > 1:
		return cli.Usage(cobra.MaximumNArgs(1))(cmd, args)
	case g.out != "":
		return cli.Inputf("--out is for the files of a machine that exists, with --from SOURCE...; the name of " +
			"another " +
			"machine may have a directory before it")
	case g.search && g.from != "":
		return cli.Inputf("--from is for machine files, and --search for a search file: only one of the two")
	case g.flagged() && (g.search || g.from != ""):
		return cli.Inputf("--nodes, --ports, --rate and --room describe a new machine: not with --from or --search")
	}
	if err := g.answers(); err != nil {
		return cli.InputError(err)
	}
	if len(args) > 0 {
		return g.named(cmd, args[0])
	}
	if !terminal || g.search || g.from != "" {
		return cli.Inputf("a name for the file is missing: plenum init NAME (in a terminal, plenum init asks)")
	}
	a := newAsker(cmd.Context(), in, cmd.ErrOrStderr())
	path, data, err := a.machine(g)
	if err != nil {
		return err
	}
	return write(cmd, path, data, "plan it with: plenum plan")
}

// answers sets machine from the flags, with defaults for those that are not given. The error is that of the first flag
// that is wrong.
func (g *given) answers() (err error) {
	g.machine = starter.Default()
	read := func(text string, parse func() error) {
		if text != "" && err == nil {
			err = parse()
		}
	}
	m := &g.machine
	read(g.nodes, func() (err error) { m.Nodes, err = starter.ParseNodes(g.nodes); return err })
	read(g.ports, func() (err error) { m.Ports, err = starter.ParsePorts(g.ports); return err })
	read(g.rate, func() (err error) { m.Rate, err = starter.ParseRate(g.rate); return err })
	read(g.room, func() (err error) { m.Room, err = starter.ParseRoom(g.room); return err })
	return err
}

// named writes the file of a name: a search file, a copy of an example, the machine of the flags, or a commented
// machine file. A name of an example stands for a copy of it.
func (g *given) named(cmd *cobra.Command, arg string) error {
	path, name, err := fileOf(arg)
	if err != nil {
		return err
	}
	example := slices.Contains(cli.ExampleNames(), name)
	switch {
	case !example || g.from == name:
	case g.search || g.from != "" || g.flagged():
		return cli.InputError(taken(name))
	default: // the name of an example without flags asks for a copy of it
		g.from = name
	}
	data, next := starter.Commented(name), "plan it with: plenum plan"
	switch {
	case g.search:
		if data, err = examples.Searches.ReadFile("searches/four-thousand.yaml"); err != nil {
			return err
		}
		next = "search with: plenum search"
	case g.from != "":
		if data, err = examples.Files.ReadFile(strings.TrimSuffix(g.from, ".yaml") + ".yaml"); err != nil {
			names := cli.ExampleNames()
			near := diag.Suggest(strings.TrimSuffix(g.from, ".yaml"), names, "the examples are ")
			return cli.Inputf("no example %q; %s; nor is there a file of that name", g.from, near)
		}
	case g.flagged():
		g.machine.Name = name
		if data, err = g.machine.Planned(cmd.Context()); err != nil {
			return cli.InputError(err)
		}
	}
	return write(cmd, path, data, next)
}

// taken returns the error about a name that is that of an example.
func taken(name string) error {
	return fmt.Errorf("%s is the name of an example, for which a file of that name would be taken; use another name",
		name)
}

// fileOf returns the path of the file of a name, NAME.yaml, and the name without directories and extension. The error
// says that there is no name.
func fileOf(arg string) (path, name string, err error) {
	stem := strings.TrimSuffix(arg, ".yaml")
	if stem == "" || os.IsPathSeparator(stem[len(stem)-1]) {
		return "", "", cli.Inputf("%q has no name for the file", arg)
	}
	return stem + ".yaml", filepath.Base(stem), nil
}

func write(cmd *cobra.Command, path string, data []byte, next string) error {
	if err := outfile.New(cmd.Context(), path, data); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "written: %s (%s %s)\n", path, next, path)
	return err
}
