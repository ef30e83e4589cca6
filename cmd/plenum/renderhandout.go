package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/handout"
	"github.com/plenum-planner/plenum/render/label"
)

// The formats of papers for those who cable a machine.
const (
	pullFormat     = "pull-sheets"
	checkFormat    = "checklists"
	progressFormat = "progress"
)

var handoutFormats = []string{checkFormat, progressFormat, pullFormat}

// checkHandout returns an error if the extension of output does not fit a format of papers; nil for other formats.
func checkHandout(format, output string) error {
	ext := strings.ToLower(filepath.Ext(output))
	switch {
	case !slices.Contains(handoutFormats, format):
	case format == progressFormat && output != "" && ext != ".csv":
		return fmt.Errorf("-o: expected a file whose extension is .csv, not %q", output)
	case format != progressFormat && ext != ".pdf" && ext != ".csv":
		return fmt.Errorf("-o: expected a file whose extension is .pdf or .csv, not %q", output)
	}
	return nil
}

// handouts writes a format of handoutFormats to the file of -o: sheets into a PDF, else a table.
func (x *renderCommand) handouts(cmd *cobra.Command, arg string, plan *machine.Result) error {
	chosen := label.Chosen{Fabric: x.fabric, Racks: x.drawing.elevations.Racks}
	pdf := strings.EqualFold(filepath.Ext(x.output), ".pdf")
	parts, err := paper(cmd.Context(), plan, x.format, chosen, pdf)
	switch {
	case errors.Is(err, exchange.ErrSummary):
		return cli.Inputf("%s: %w", arg, err)
	case err != nil:
		return cli.InputError(err)
	case !pdf:
		return x.file(cmd, parts[0].write)
	}
	return x.parts(cmd, "row", parts)
}

// paper returns the files of a format of handoutFormats: with pdf, sheets, in several files if there are too many rows
// for one; else one table. progressFormat is always a table.
func paper(
	ctx context.Context, r *machine.Result, format string, chosen label.Chosen, pdf bool,
) ([]part, error) {
	if r.Schedule.Segments == nil {
		return nil, exchange.ErrSummary
	}
	table := func(write func(w io.Writer) error) []part { return []part{{write: write}} }
	switch format {
	case pullFormat:
		has, err := chosen.InRacks(r)
		if err != nil {
			return nil, fmt.Errorf("--rack: %w", err)
		}
		pulls := slices.DeleteFunc(handout.Pulls(r, chosen.Fabric), func(p handout.Pull) bool {
			return !has(p.From.Rack) && !has(p.To.Rack)
		})
		if !pdf {
			return table(func(w io.Writer) error { return handout.PullTable(ctx, w, pulls) }), nil
		}
		parts := handout.PullParts(pulls)
		return sheets(parts, func(p *handout.Pull) string { return p.Cable }, func(w io.Writer, i int) error {
			return handout.PullSheets(ctx, w, r, parts[i], handout.Part{Number: i + 1, Count: len(parts)})
		}), nil
	case checkFormat:
		plugs, err := label.Of(r, chosen)
		if err != nil && !errors.Is(err, label.ErrNone) {
			return nil, fmt.Errorf("--rack: %w", err)
		}
		plugs = handout.Sorted(plugs)
		if !pdf {
			return table(func(w io.Writer) error { return handout.CheckTable(ctx, w, plugs) }), nil
		}
		parts := handout.CheckParts(plugs)
		return sheets(parts, label.Code, func(w io.Writer, i int) error {
			return handout.CheckSheets(ctx, w, r, parts[i], handout.Part{Number: i + 1, Count: len(parts)})
		}), nil
	}
	return table(func(w io.Writer) error { return handout.Progress(ctx, w, r, chosen.Fabric) }), nil
}
