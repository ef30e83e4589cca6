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
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it, so that the command outlives the terminal
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	context.AfterFunc(ctx, stop) // the first signal cancels ctx; a second one ends the process, as without a handler
	context.AfterFunc(ctx, infile.Interrupt)
	os.Exit(run(ctx, os.Stdout, os.Stderr, os.Args[1:]))
}

// run executes the command whose arguments, without the name of the program, are args, and returns its exit status (see
// cli.Status). It prints errors on stderr. A panic is printed with its stack and gives cli.ExitFault.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) (status int) {
	defer func() { // Go ends a panic with status 2, which is that of wrong input
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
		err = out.Err // help, for example, is printed without checking for errors
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

// provenanceVariable is an environment variable. With the value "program", documents name the program that wrote them
// but not the command, the files and the seeds; unset or empty, they name all. Other values are refused.
const provenanceVariable = "PLENUM_PROVENANCE"

// addProvenance adds to the PersistentPreRunE of root that a command's context gets the record of the command, its
// files and seeds (args is the whole command line), which its documents contain. Documents of serve and mcp name the
// program only, because what they show is edited while the command runs; so do all documents if provenanceVariable is
// "program". Commands end with an input error if it has any other value.
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

// welcome is the text that plenum prints without arguments. The commands in it work in an empty directory.
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

// newRoot returns the command plenum with all its commands, but without the flags of cli.Limits.
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
	checkCompletionArgs(root)
	checkHelpArgs(root)
	addCompletions(root)
	groupFlags(root)
	return root
}

// checkHelpArgs makes cobra's help command refuse arguments that do not name a command.
func checkHelpArgs(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			continue
		}
		c.Run, c.RunE = nil, func(_ *cobra.Command, args []string) error {
			of, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				of, rest = deepestCommand(root, args)
				return cli.UnknownCommand(of, rest[0])
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		}
	}
}

// deepestCommand follows args as names or aliases of commands below a command, as far as they are known. It returns the
// command reached, which is the given one if the first name is unknown, and the remaining args.
func deepestCommand(of *cobra.Command, args []string) (*cobra.Command, []string) {
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

// checkCompletionArgs makes cobra's completion command and its commands for shells refuse arguments. Without one for a
// shell, it prints help.
func checkCompletionArgs(root *cobra.Command) {
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
