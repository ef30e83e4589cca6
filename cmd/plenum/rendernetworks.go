package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/exchange/scheduler"
	"github.com/plenum-planner/plenum/exchange/simulator"
	"github.com/plenum-planner/plenum/machine"
)

// simulatorFormats are the inputs of network simulators, each of one network.
var simulatorFormats = map[string]func(context.Context, io.Writer, *simulator.Network) error{
	"astra-sim":  simulator.WriteASTRASim,
	"htsim":      simulator.WriteHTSim,
	"infragraph": simulator.WriteInfraGraph,
	"ns3":        simulator.WriteNS3,
	"simgrid":    simulator.WriteSimGrid,
	"sst":        simulator.WriteSST,
}

// schedulerFormats are the inputs of schedulers, each of one network. The name of the file may choose the form.
var schedulerFormats = map[string]func(ctx context.Context, w io.Writer, t *scheduler.Topology, file string) error{
	"kubernetes-labels": func(ctx context.Context, w io.Writer, t *scheduler.Topology, _ string) error {
		return scheduler.WriteKubernetes(ctx, w, t)
	},
	"slurm-topology": func(ctx context.Context, w io.Writer, t *scheduler.Topology, file string) error {
		if end := strings.ToLower(filepath.Ext(file)); end == ".yaml" || end == ".yml" {
			return scheduler.WriteSlurmYAML(ctx, w, t)
		}
		return scheduler.WriteSlurmConf(ctx, w, t)
	},
}

// network writes a format of one network for a simulator or a scheduler.
func (x *renderCommand) network(cmd *cobra.Command, arg string, plan *machine.Result) error {
	var write func(io.Writer) error
	var err error
	if format := simulatorFormats[x.format]; format != nil {
		var o delay.Override
		if cmd.Flags().Changed("beta-ns-per-m") {
			o.Propagation = &x.beta
		}
		var n *simulator.Network
		n, err = simulator.New(plan, x.fabric, o)
		write = func(w io.Writer) error { return format(cmd.Context(), w, n) }
	} else {
		format := schedulerFormats[x.format]
		var t *scheduler.Topology
		t, err = scheduler.New(plan, x.fabric)
		write = func(w io.Writer) error { return format(cmd.Context(), w, t, x.output) }
	}
	if err == nil {
		err = x.file(cmd, write)
	}
	var limit exchange.LimitError
	switch {
	case errors.As(err, &limit):
		return cli.Inputf("%s: %w", arg, limit)
	case errors.Is(err, exchange.ErrSummary):
		return cli.Inputf("%s: %w", arg, exchange.ErrSummary)
	}
	return err
}
