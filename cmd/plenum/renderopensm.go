package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/exchange/opensm"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
)

// opensmFormat is the format of OpenSM's file routing.
const opensmFormat = "opensm"

// opensm writes the routing tables of a fabric whose switches are those in the file of --found. With --lanes above 1,
// -o is a directory, which gets files of policy and options as well.
func (x *renderCommand) opensm(cmd *cobra.Command, arg string, plan *machine.Result) error {
	w, err := exchange.PlannedWiring(plan, x.fabric)
	if err != nil {
		return cli.Inputf("%s: %w", arg, err)
	}
	in, err := os.Open(x.found)
	if err != nil {
		return cli.InputError(err)
	}
	defer in.Close()
	guids, err := opensm.Read(in)
	if err != nil {
		return cli.Inputf("%s: %w", x.found, err)
	}
	routed, err := opensm.Route(cmd.Context(), w, guids, x.lanes)
	if err != nil {
		return cli.Inputf("%s: %w", x.found, err)
	}
	if x.lanes == 1 {
		return x.file(cmd, func(out io.Writer) error { return routed.Tables(cmd.Context(), out) })
	}
	files := map[string]func(io.Writer) error{
		opensm.TablesFile:  func(out io.Writer) error { return routed.Tables(cmd.Context(), out) },
		opensm.PolicyFile:  routed.Policy,
		opensm.OptionsFile: routed.Options,
	}
	if err := x.directory(cmd, files, nil, nil); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d %s; of %s pairs of switches, %s have a longer path than the shortest\n",
		routed.Lanes, english.Plural(int64(routed.Lanes), "lane"), english.Grouped(int64(routed.Pairs)),
		english.Grouped(int64(routed.Longer)))
	return nil
}
