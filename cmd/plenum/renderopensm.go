package main

import (
	"bytes"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/exchange/opensm"
	"github.com/plenum-planner/plenum/machine"
)

// opensmFormat is that of OpenSM's file routing.
const opensmFormat = "opensm"

// opensm writes the routing tables of a fabric.
func (x *renderCommand) opensm(cmd *cobra.Command, arg string, plan *machine.Result) error {
	w, err := exchange.Planned(plan, x.fabric)
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
	var tables bytes.Buffer // nothing is written where something is not found
	if err := opensm.Write(cmd.Context(), &tables, w, guids); err != nil {
		return cli.Inputf("%s: %w", x.found, err)
	}
	return x.file(cmd, func(out io.Writer) error {
		_, err := tables.WriteTo(out)
		return err
	})
}
