package sweepcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/study/sweep"
)

func newSweepPlot() *cobra.Command {
	var o sweep.PlotOptions
	var out, data string
	var look cli.ChartFlags
	cmd := &cobra.Command{
		Use:   "plot DIR --x COLUMN --y COLUMN",
		Short: "Draw a figure of a study over an axis",
		Long: `Draw a column of the table of a study over another one, as a PNG, SVG or PDF: a curve for each
value of a third one, if it is named by --by. Where several points have the same
values, their mean is drawn, with its 95 % confidence interval where all of them are
repeats. What is there is drawn, also before all shards are. Titles and units of the
axes come from the columns; values with units, such as 30 cm or 400G, are numbers on
the axis.

  plenum sweep plot slack-out --x cabling.slack.percent --y plan.cost.total --by topology.dims

As a figure of a paper, a column wide, with the points that it shows as a table:

  plenum sweep plot slack-out --x cabling.slack.percent --y plan.cost.total --by topology.dims \
    --size 8.5cmx6cm --no-title -o slack.pdf --data slack.csv`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var wrong []error
			for _, name := range []string{"x", "y"} {
				if !cmd.Flags().Changed(name) {
					wrong = append(wrong, fmt.Errorf("--%s: name a column", name))
				}
			}
			format := chart.PNG
			if out != "" {
				var err error
				if format, err = chart.FormatOf(out); err != nil {
					wrong = append(wrong, fmt.Errorf("--output: %w", err))
				}
			}
			style, err := look.Style()
			if err != nil {
				wrong = append(wrong, err)
			}
			if data != "" && !strings.EqualFold(filepath.Ext(data), ".csv") {
				wrong = append(wrong, fmt.Errorf("--data: %s: the data is written as .csv", data))
			}
			dir, err := sweep.Open(args[0])
			if err := errors.Join(append(wrong, err)...); err != nil {
				return cli.InputError(err)
			}
			table, err := sweep.NewTable(cmd.Context(), []*sweep.Dir{dir}, true)
			if err != nil {
				return err
			}
			plot, err := table.Plot(cmd.Context(), o)
			if err != nil {
				return cli.Spelled(err, plotFlags)
			}
			if out == "" {
				out = filepath.Join(dir.Path, "plot.png")
			}
			d, err := plot.Draw(style)
			if err != nil {
				return err
			}
			files := chart.Options{
				Formats: []chart.Format{format}, Style: style, Warn: cli.Warning(cmd.ErrOrStderr()),
			}.Files(strings.TrimSuffix(out, filepath.Ext(out)), d)
			files[0].Name = out
			if data != "" {
				files = append(files, chart.File{Name: data, Write: func(ctx context.Context, w io.Writer) error {
					return d.Write(ctx, w, chart.CSV)
				}})
			}
			for _, f := range files {
				write := func(w io.Writer) error { return f.Write(cmd.Context(), w) }
				if err := outfile.Write(cmd.Context(), f.Name, write); err != nil {
					return err
				}
				if _, err = fmt.Fprintf(cmd.OutOrStdout(), "written: %s\n", diag.Escape(f.Name)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.X, "x", "", "column along the horizontal axis")
	f.StringVar(&o.Y, "y", "", "column along the vertical axis")
	f.StringVar(&o.By, "by", "", "column that tells the curves apart")
	f.BoolVar(&o.LogX, "log-x", false, "make the horizontal axis logarithmic")
	f.BoolVar(&o.LogY, "log-y", false, "make the vertical axis logarithmic")
	f.StringVar(&o.Order, "order", "", "order of the curves: "+strings.Join(sweep.PlotOrders(), ", ")+
		" (by the value of --by, as in the table, or from the highest end down; value when left out)")
	f.StringArrayVar(&o.Curves, "curve", nil, "value of --by to draw, in place of all; repeated, these in this order")
	f.StringVar(&o.Title, "title", "", "title (the name of the study when left out)")
	f.StringVar(&o.XLabel, "x-label", "", "label of the horizontal axis, with its unit")
	f.StringVar(&o.YLabel, "y-label", "", "label of the vertical axis, with its unit")
	look.StyleFlags(f)
	f.StringVarP(&out, "output", "o", "", "file to write, .png, .svg or .pdf (plot.png in DIR when left out)")
	f.StringVar(&data, "data", "", "also write the points that are drawn as a table, .csv")
	return cmd
}

// plotFlags are the flags that set the options of a plot.
var plotFlags = map[string]string{
	"X": "x", "Y": "y", "By": "by", "LogX": "log-x", "LogY": "log-y", "Order": "order", "Curves": "curve",
}
