package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/render/chart"
)

// ChartFlags are the flags for how charts are written.
type ChartFlags struct {
	formats []string // --chart-formats, as they are given
	size    string
	bare    bool
}

// StyleFlags adds those for how a chart looks: --size and --no-title.
func (c *ChartFlags) StyleFlags(f *pflag.FlagSet) {
	f.StringVar(&c.size, "size", "", "size of a chart on paper, such as 8.5cmx6cm, 85x60mm or 3.3inx2.4in "+
		"(for screens when left out)")
	f.BoolVar(&c.bare, "no-title", false, "leave out the title, the note and the version above a chart")
}

// Flags adds them all, for commands that write several charts.
func (c *ChartFlags) Flags(f *pflag.FlagSet) {
	f.StringSliceVar(&c.formats, "chart-formats", []string{string(chart.PNG)},
		"formats that each chart is written in: png, svg, pdf, csv (the data behind it), or several of these")
	c.StyleFlags(f)
}

// ReadChartFlags reads what Flags added.
func ReadChartFlags(f *pflag.FlagSet) (c ChartFlags, err error) {
	var wrong [3]error
	c.formats, wrong[0] = f.GetStringSlice("chart-formats")
	c.size, wrong[1] = f.GetString("size")
	c.bare, wrong[2] = f.GetBool("no-title")
	return c, errors.Join(wrong[:]...)
}

// Names are the flags that ChartFlags.Flags adds.
func (c *ChartFlags) Names() []string { return []string{"chart-formats", "size", "no-title"} }

// Given are the flags as arguments of a command line.
func (c *ChartFlags) Given() []string {
	out := []string{"--chart-formats", strings.Join(c.formats, ",")}
	if c.size != "" {
		out = append(out, "--size", c.size)
	}
	if c.bare {
		out = append(out, "--no-title")
	}
	return out
}

// Style is the look that the flags give.
func (c *ChartFlags) Style() (chart.Style, error) {
	s := chart.Style{Bare: c.bare}
	if c.size == "" {
		return s, nil
	}
	var err error
	if s.Width, s.Height, err = chart.ParseSize(c.size); err != nil {
		return s, fmt.Errorf("--size: %w", err)
	}
	return s, nil
}

// Options are what the flags give. Warnings are written to w.
func (c *ChartFlags) Options(w io.Writer) (chart.Options, error) {
	formats, err := chart.ParseFormats(c.formats)
	if err != nil {
		err = fmt.Errorf("--chart-formats: %w", err)
	}
	style, wrong := c.Style()
	return chart.Options{Formats: formats, Style: style, Warn: Warning(w)}, errors.Join(err, wrong)
}

// Warning writes warnings to w, a line each.
func Warning(w io.Writer) func(string) {
	return func(text string) { fmt.Fprintf(w, "warning: %s\n", text) }
}
