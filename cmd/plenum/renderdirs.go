package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/exchange/netbox"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/solid"
)

// netboxFormat is that of the bulk import of NetBox.
const netboxFormat = "netbox"

// changesFormat is that of what makes the cables of NetBox those of a plan.
const changesFormat = "netbox-changes"

// topoFormat is that of ibutils.
const topoFormat = "topo"

// directoryFormats are the formats of several files.
var directoryFormats = append(
	slices.Sorted(maps.Keys(linkDirectories)), netboxFormat, changesFormat, topoFormat)

// linkDirectories are the formats of links in several files.
var linkDirectories = map[string]func(
	ctx context.Context, r *machine.Result, fabric string,
) (map[string]func(io.Writer) error, error){
	"lldp":     exchange.LLDP,
	"tt-metal": exchange.TTMetal,
}

// linkFormats are the formats of a list of links in one file.
var linkFormats = map[string]func(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error{
	"ansible":        exchange.WriteAnsible,
	"ndt":            exchange.WriteNDT,
	"omnipath":       exchange.WriteOmniPath,
	"point-to-point": exchange.WritePointToPoint,
	"ptm":            exchange.WritePTM,
}

// drawnFormats are the formats of all of a machine in one file: models in three dimensions, and the page for a browser.
var drawnFormats = map[string]render.Writer{
	"gltf":   solid.GLTF,
	"ifc":    solid.IFC,
	"report": render.Report,
}

// drawn writes a model or the page.
func (x *renderCommand) drawn(cmd *cobra.Command, plan *machine.Result) error {
	return x.file(cmd, func(w io.Writer) error { return drawnFormats[x.format](cmd.Context(), w, plan) })
}

// wholeFormats are the formats of a machine with all of its fabrics, unless one is asked for.
var wholeFormats = []string{rackFormat, ibFormat, diagramFormat}

// whole tells whether all fabrics of a machine are written together.
func (x *renderCommand) whole() bool {
	return slices.Contains(wholeFormats, x.format) || slices.Contains(directoryFormats, x.format) ||
		linkFormats[x.format] != nil || drawnFormats[x.format] != nil || isDrawing(x.format) ||
		slices.Contains(labelFormats, x.format) || slices.Contains(handoutFormats, x.format)
}

// links writes a list of links.
func (x *renderCommand) links(cmd *cobra.Command, arg string, plan *machine.Result) error {
	if plan.Schedule.Segments == nil {
		return cli.Inputf("%s: %w", arg, exchange.ErrSummary)
	}
	err := x.file(cmd, func(w io.Writer) error {
		return linkFormats[x.format](cmd.Context(), w, plan, x.fabric)
	})
	var limit exchange.LimitError
	if errors.As(err, &limit) {
		return cli.Inputf("%s: %w", arg, limit)
	}
	return err
}

// netbox writes a plan for NetBox.
func (x *renderCommand) netbox(cmd *cobra.Command, arg string, plan *machine.Result) error {
	export, err := netbox.New(plan, x.fabric)
	if err != nil {
		return cli.Inputf("%s: %w", arg, err)
	}
	return x.directory(cmd, export.Files(cmd.Context()), netbox.Names(), export.Notes)
}

// changes writes what makes the cables of NetBox those of a plan.
func (x *renderCommand) changes(cmd *cobra.Command, arg string, plan *machine.Result) error {
	found, err := exchange.LoadNetBoxCables(x.found)
	if err != nil {
		return cli.InputUnlessDiagnosed(err)
	}
	export, err := netbox.New(plan, x.fabric)
	if err != nil {
		return cli.Inputf("%s: %w", arg, err)
	}
	changes, err := export.Changes(found)
	if err != nil {
		return cli.Inputf("%s: %w", x.found, err)
	}
	return x.directory(cmd, changes.Files(cmd.Context()), netbox.ChangeNames(), changes.Notes)
}

// linkFiles writes links in several files.
func (x *renderCommand) linkFiles(cmd *cobra.Command, arg string, plan *machine.Result) error {
	files, err := linkDirectories[x.format](cmd.Context(), plan, x.fabric)
	if err != nil {
		return cli.Inputf("%s: %w", arg, err)
	}
	return x.directory(cmd, files, nil, nil)
}

// topo writes the links of a plan for ibutils.
func (x *renderCommand) topo(cmd *cobra.Command, arg string, plan *machine.Result) error {
	w, err := exchange.Planned(plan, x.fabric)
	if err != nil {
		return cli.Inputf("%s: %w", arg, err)
	}
	files, err := exchange.IBDM(cmd.Context(), w)
	if err != nil {
		return cli.Inputf("%s: %w", arg, err)
	}
	return x.directory(cmd, files, nil, nil)
}

// directory writes files into a directory, in place of those of an earlier export, and what they lack.
func (x *renderCommand) directory(
	cmd *cobra.Command, files map[string]func(io.Writer) error, names, notes []string,
) error {
	if _, err := outfile.All(cmd.Context(), x.output, files, names...); err != nil {
		return cli.InputError(err)
	}
	for _, note := range notes {
		fmt.Fprintln(cmd.ErrOrStderr(), "note:", note)
	}
	return nil
}
