package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/sweep"
)

func newSweepPlot() *cobra.Command {
	var o sweep.PlotOptions
	var out string
	cmd := &cobra.Command{
		Use:   "plot DIR --x COLUMN --y COLUMN",
		Short: "Draw a figure of a study over an axis",
		Long: `Draw a column of the table of a study over another one, as a PNG: a curve for each
value of a third one, if it is named by --by. Where several points have the same
values, such as repeats, their mean is drawn. What is there is drawn, also before
all shards are.

  plenum sweep plot slack-out --x cabling.slack.percent --y plan.cost.total --by topology.dims`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var wrong []error
			for _, name := range []string{"x", "y"} {
				if !cmd.Flags().Changed(name) {
					wrong = append(wrong, fmt.Errorf("--%s: name a column", name))
				}
			}
			dir, err := sweep.Open(args[0])
			if err := errors.Join(append(wrong, err)...); err != nil {
				return inputError(err)
			}
			table, err := sweep.NewTable(cmd.Context(), []*sweep.Dir{dir}, true)
			if err != nil {
				return err
			}
			chart, err := table.Plot(cmd.Context(), o)
			if err != nil {
				return spelled(err, map[string]string{"X": "x", "Y": "y", "By": "by"})
			}
			if out == "" {
				out = filepath.Join(dir.Path, "plot.png")
			}
			err = render.WriteFile(cmd.Context(), out, func(w io.Writer) error { return render.Curves(w, chart) })
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
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write (plot.png in DIR when left out)")
	return cmd
}
