package main

import (
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
	if plan.Schedule.Segments == nil {
		return cli.Inputf("%s: %w", arg, exchange.ErrSummary)
	}
	ctx, pdf := cmd.Context(), strings.EqualFold(filepath.Ext(x.output), ".pdf")
	var write func(w io.Writer) error
	rows := 0
	switch x.format {
	case pullFormat:
		pulls := handout.Pulls(plan, x.fabric)
		rows = len(pulls)
		if write = func(w io.Writer) error { return handout.PullTable(ctx, w, pulls) }; pdf {
			write = func(w io.Writer) error { return handout.PullSheets(ctx, w, plan, pulls) }
		}
	case checkFormat:
		plugs, err := label.Of(plan, label.Chosen{Fabric: x.fabric, Racks: x.drawing.elevations.Racks})
		if err != nil && !errors.Is(err, label.ErrNone) {
			return cli.Inputf("--rack: %w", err)
		}
		plugs = handout.Sorted(plugs)
		rows = len(plugs)
		if write = func(w io.Writer) error { return handout.CheckTable(ctx, w, plugs) }; pdf {
			write = func(w io.Writer) error { return handout.CheckSheets(ctx, w, plan, plugs) }
		}
	default:
		write = func(w io.Writer) error { return handout.Progress(ctx, w, plan, x.fabric) }
	}
	if pdf && rows > worksheet.Most {
		return cli.Inputf("%s: %w", arg, &worksheet.TooManyError{Rows: rows})
	}
	return x.file(cmd, write)
}
