package main

import (
	"errors"
	"fmt"
	"io"
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

// The formats of several files.
const (
	netboxFormat  = "netbox"         // of the bulk import of NetBox
	changesFormat = "netbox-changes" // of what makes the cables of NetBox those of a plan
	topoFormat    = "topo"           // of ibutils
)

// inDirectory reports whether a format is several files, for which -o names a directory.
func inDirectory(format string) bool {
	x, ok := linkExports[format]
	return ok && x.file == "" || format == changesFormat
}

// drawnFormats are the formats of all of a machine in one file: models in three dimensions, and the page for a browser.
var drawnFormats = map[string]render.Writer{
	"gltf":   solid.GLTF,
	"ifc":    solid.IFC,
	"usd":    solid.USD,
	"report": render.Report,
}

// drawn writes a model or the page.
func (x *renderCommand) drawn(cmd *cobra.Command, plan *machine.Result) error {
	return x.file(cmd, func(w io.Writer) error { return drawnFormats[x.format](cmd.Context(), w, plan) })
}

// wholeFormats are the formats of a machine with all of its fabrics, unless one is asked for.
var wholeFormats = []string{rackFormat, diagramFormat, changesFormat}

// whole reports whether the format has all fabrics of a machine together, so that --fabric may be left out.
func (x *renderCommand) whole() bool {
	_, ofLinks := linkExports[x.format]
	return ofLinks || slices.Contains(wholeFormats, x.format) || drawnFormats[x.format] != nil || isDrawing(x.format) ||
		slices.Contains(labelFormats, x.format) || slices.Contains(handoutFormats, x.format)
}

// links writes a format of linkExports.
func (x *renderCommand) links(cmd *cobra.Command, arg string, plan *machine.Result) error {
	of := linkExports[x.format]
	files, notes, err := of.files(cmd.Context(), plan, x.fabric)
	if err != nil {
		return cli.Inputf("%s: %w", arg, err)
	}
	if of.file == "" {
		return x.directory(cmd, files, of.stale, notes)
	}
	err = x.file(cmd, files[""])
	var limit exchange.LimitError
	if errors.As(err, &limit) {
		return cli.Inputf("%s: %w", arg, limit)
	}
	return err
}

// changes writes files that change the cables of NetBox, as the file of --found lists them, to those of a plan.
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

// directory writes files into the directory of -o, removes other files there that are in names, which an earlier export
// wrote, and prints the notes.
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
