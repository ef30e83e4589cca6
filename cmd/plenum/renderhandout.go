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
	"github.com/plenum-planner/plenum/render/worksheet"
)

// The formats of papers for those who cable a machine.
const (
	pullFormat     = "pull-sheets"
	checkFormat    = "checklists"
	progressFormat = "progress"
)

var handoutFormats = []string{checkFormat, progressFormat, pullFormat}

// checkHandout checks the file of such papers.
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

// handouts writes papers for those who cable a machine.
func (x *renderCommand) handouts(cmd *cobra.Command, arg string, plan *machine.Result) error {
	chosen := label.Chosen{Fabric: x.fabric, Racks: x.drawing.elevations.Racks}
	write, err := paper(cmd.Context(), plan, x.format, chosen, strings.EqualFold(filepath.Ext(x.output), ".pdf"))
	switch {
	case errors.Is(err, exchange.ErrSummary), errors.As(err, new(*worksheet.TooManyError)):
		return cli.Inputf("%s: %w", arg, err)
	case err != nil:
		return cli.InputError(err)
	}
	return x.file(cmd, write)
}

// paper is one of these papers, as sheets or as a table.
func paper(
	ctx context.Context, r *machine.Result, format string, chosen label.Chosen, pdf bool,
) (write func(w io.Writer) error, err error) {
	if r.Schedule.Segments == nil {
		return nil, exchange.ErrSummary
	}
	rows := 0
	switch format {
	case pullFormat:
		pulls := handout.Pulls(r, chosen.Fabric)
		rows = len(pulls)
		if write = func(w io.Writer) error { return handout.PullTable(ctx, w, pulls) }; pdf {
			write = func(w io.Writer) error { return handout.PullSheets(ctx, w, r, pulls) }
		}
	case checkFormat:
		plugs, err := label.Of(r, chosen)
		if err != nil && !errors.Is(err, label.ErrNone) {
			return nil, fmt.Errorf("--rack: %w", err)
		}
		plugs = handout.Sorted(plugs)
		rows = len(plugs)
		if write = func(w io.Writer) error { return handout.CheckTable(ctx, w, plugs) }; pdf {
			write = func(w io.Writer) error { return handout.CheckSheets(ctx, w, r, plugs) }
		}
	default:
		write = func(w io.Writer) error { return handout.Progress(ctx, w, r, chosen.Fabric) }
	}
	if pdf && rows > worksheet.Most {
		return nil, &worksheet.TooManyError{Rows: rows}
	}
	return write, nil
}
