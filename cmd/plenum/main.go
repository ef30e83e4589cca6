// Command plenum plans the physical side of a large interconnect: where every
// box stands, how long every cable is and which product it must be, what the
// lot costs and what the lengths do to delay.
//
// Exit status: 0 done; 1 the plan breaks a design rule of severity error; 2
// wrong input or usage; 3 a fault of Plenum's or of the machine it runs on, or an
// interrupt.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/buildcmd"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/embedcmd"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/initcmd"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/mancmd"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/mcpcmd"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/operatecmd"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/searchcmd"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/servecmd"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/sweepcmd"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/provenance"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends what the first could not
	context.AfterFunc(ctx, infile.Interrupt)
	os.Exit(run(ctx, os.Stdout, os.Stderr, os.Args[1:]))
}

// run is the whole command: it returns the exit status.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) (status int) {
	defer func() { // Go's own status of a panic would put it down to the input
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "plenum: panic: %v\n\n%s", p, debug.Stack())
			status = cli.ExitFault
		}
	}()
	out := cli.NewOutput(stdout)
	if os.Getenv(mcpcmd.Confined) != "" {
		if err := infile.Confine(); err != nil {
			fmt.Fprintln(stderr, "plenum:", err)
			return cli.ExitFault
		}
	}
	var limits cli.Limits
	defer limits.Close()
	root := newRoot()
	limits.Add(root)
	addProvenance(root, args)
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if infile.WasInterrupted() {
		err = context.Cause(ctx)
	}
	if err == nil {
		err = out.Err // of what was printed without asking, such as help
	}
	colour := cli.HasColour(stderr, limits.Colour)
	switch {
	case err == nil:
	case limits.Reached() != nil && errors.Is(err, context.Canceled):
		cli.PrintError(stderr, colour, fmt.Sprint("plenum: ", limits.Reached()))
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		cli.PrintError(stderr, colour, "plenum: interrupted")
	case errors.As(err, new(diag.List)) && !errors.As(err, new(*cli.StatusError)):
		cli.PrintError(stderr, colour, diag.Escape(err.Error()))
	default:
		cli.PrintError(stderr, colour, "plenum: "+diag.Escape(err.Error()))
	}
	return cli.Status(err)
}

// provenanceVariable is the variable of the environment that leaves command, files and seeds out of documents.
const provenanceVariable = "PLENUM_PROVENANCE"

// addProvenance gives the context of a command the record of its documents. The page that serve shows changes with what
// is edited: its documents name the program alone, as all do where provenanceVariable says so.
func addProvenance(root *cobra.Command, args []string) {
	before := root.PersistentPreRunE
	root.PersistentPreRunE = func(cmd *cobra.Command, operands []string) error {
		if err := before(cmd, operands); err != nil {
			return err
		}
		switch of := os.Getenv(provenanceVariable); {
		case of != "" && of != "program":
			return cli.Inputf("%s is %q; expected program, or nothing for all", provenanceVariable, of)
		case of == "" && cmd.Name() != "serve" && cmd.Name() != "mcp":
			cmd.SetContext(provenance.With(cmd.Context(), cli.Provenance(cmd, args, operands)))
		}
		return nil
	}
}

// welcome is what someone sees who has typed the name alone. The commands that it shows work in an empty directory.
const welcome = `Plenum plans the physical side of a large machine: where every box stands, how long every
cable is and which product it must be, what the lot costs, and what the lengths do to delay.

Three commands to try:

  plenum plan
      plans the example that comes along, a DGX SuperPOD, into ./plan-out;
      open plan-out/report.html in a browser

  plenum init mine --nodes 200 --rate 400G --room 15x12
      writes mine.yaml, a machine of your own, for "plenum plan mine.yaml";
      in a terminal, "plenum init" asks for the figures

  plenum compare dragonfly-1056 tsubame2-hyperx
      sets machines side by side: ports, cables, cost, power and delay

"plenum --help" lists all commands, "plenum COMMAND --help" explains one. Machine files are
described in https://github.com/plenum-planner/plenum/blob/main/docs/machine-file.md.
`

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "plenum",
		Short:         "Plan where the boxes of a large machine stand and how they are cabled",
		Version:       ownVersion().name(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cli.Usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), welcome)
			return err
		},
	}
	root.SetFlagErrorFunc(cli.FlagError)
	root.AddCommand(newPlan(), newCompare(), newDiff(), newTopology(), embedcmd.New(), newSim(), newRender(),
		searchcmd.New(), sweepcmd.New(), servecmd.New(), mcpcmd.New(), newVerify(), buildcmd.New(),
		operatecmd.New(), newCatalog(), newExplain(),
		initcmd.New(), newSchema(), newVersion(), mancmd.New())
	ownCompletion(root)
	ownHelp(root)
	complete(root)
	groupFlags(root)
	return root
}

// ownHelp makes the help command, which is not ours, refuse what is not a command.
func ownHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			continue
		}
		c.Run, c.RunE = nil, func(_ *cobra.Command, args []string) error {
			of, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				of, rest = within(root, args)
				return cli.UnknownCommand(of, rest[0])
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		}
	}
}

// within follows the names of commands as far as they are known, and returns the others.
func within(of *cobra.Command, args []string) (*cobra.Command, []string) {
	for len(args) > 0 {
		i := slices.IndexFunc(of.Commands(), func(c *cobra.Command) bool {
			return c.Name() == args[0] || c.HasAlias(args[0])
		})
		if i < 0 {
			break
		}
		of, args = of.Commands()[i], args[1:]
	}
	return of, args
}

// ownCompletion makes the completion command, which is not ours, as strict about
// arguments as the others.
func ownCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args = cli.Usage(cobra.NoArgs)
		c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		for _, shell := range c.Commands() {
			shell.Args = cli.Usage(cobra.NoArgs)
		}
	}
}
