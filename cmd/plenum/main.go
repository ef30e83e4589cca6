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
	"syscall"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
)

// The exit statuses.
const (
	exitDone   = 0
	exitBroken = 1
	exitInput  = 2
	exitFault  = 3
)

// A statusError carries an exit status.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// inputError marks an error as the user's to mend.
func inputError(err error) error { return &statusError{exitInput, err} }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends what the first could not
	os.Exit(run(ctx, os.Stdout, os.Stderr, os.Args[1:]))
}

// run is the whole command: it returns the exit status.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) (status int) {
	defer func() { // Go's own status of a panic would put it down to the input
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "plenum: panic: %v\n\n%s", p, debug.Stack())
			status = exitFault
		}
	}()
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		fmt.Fprintln(stderr, "plenum: interrupted")
		return exitFault
	}
	var known *statusError
	switch {
	case errors.As(err, &known):
		fmt.Fprintln(stderr, "plenum:", diag.Shown(err.Error()))
		return known.status
	case errors.As(err, new(diag.List)): // of a machine file, every mistake with its line
		fmt.Fprintln(stderr, diag.Shown(err.Error()))
		return exitInput
	}
	fmt.Fprintln(stderr, "plenum:", diag.Shown(err.Error()))
	return exitFault
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "plenum",
		Short:         "Plan where the boxes of a large machine stand and how they are cabled",
		Version:       machine.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usage(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return inputError(fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath()))
	})
	root.AddCommand(newPlan(), newCompare(), newDiff(), newTopology(), newEmbed(), newSim(), newRender(), newSearch(),
		newSweep(), newVerify(),
		newCatalog(), newExplain(), newInit(), newSchema(), newVersion())
	ownCompletion(root)
	return root
}

// ownCompletion makes the completion command, which is not ours, as strict about
// arguments as the others.
func ownCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args = usage(cobra.NoArgs)
		c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		for _, shell := range c.Commands() {
			shell.Args = usage(cobra.NoArgs)
		}
	}
}

// usage marks errors about arguments as the user's to mend.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return inputError(fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath()))
		}
		return nil
	}
}
