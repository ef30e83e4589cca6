package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/render/chart"
)

// ChartFormatsFlag adds --chart-formats, for commands that write several charts.
func ChartFormatsFlag(f *pflag.FlagSet, to *[]string) {
	f.StringSliceVar(to, "chart-formats", []string{string(chart.PNG)},
		"formats that each chart is written in: png, svg, pdf, or several of these")
}

// ChartFormats are those that --chart-formats names.
func ChartFormats(names []string) ([]chart.Format, error) {
	formats, err := chart.ParseFormats(names)
	if err != nil {
		return nil, fmt.Errorf("--chart-formats: %w", err)
	}
	return formats, nil
}
