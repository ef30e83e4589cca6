package sweepcmd

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/sweep"
)

func newSweepPlot() *cobra.Command {
	var o sweep.PlotOptions
	var out string
	cmd := &cobra.Command{
		Use:   "plot DIR --x COLUMN --y COLUMN",
		Short: "Draw a figure of a study over an axis",
		Long: `Draw a column of the table of a study over another one, as a PNG, SVG or PDF: a curve for each
value of a third one, if it is named by --by. Where several points have the same
values, such as repeats, their mean is drawn. What is there is drawn, also before
all shards are.

  plenum sweep plot slack-out --x cabling.slack.percent --y plan.cost.total --by topology.dims`,
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
				return cli.Spelled(err, map[string]string{"X": "x", "Y": "y", "By": "by"})
			}
			if out == "" {
				out = filepath.Join(dir.Path, "plot.png")
			}
			d, err := plot.Draw(chart.Style{})
			if err != nil {
				return err
			}
			err = outfile.Write(cmd.Context(), out, func(w io.Writer) error { return d.Write(w, format) })
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "written: %s\n", diag.Shown(out))
			return err
		},
	}
	cmd.Flags().StringVar(&o.X, "x", "", "column along the horizontal axis")
	cmd.Flags().StringVar(&o.Y, "y", "", "column along the vertical axis")
	cmd.Flags().StringVar(&o.By, "by", "", "column that tells the curves apart")
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write, .png, .svg or .pdf (plot.png in DIR when left out)")
	return cmd
}
