package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/handout"
	"github.com/plenum-planner/plenum/render/label"
)

// The formats of labels.
const (
	labelSheets = "labels-pdf"
	labelZPL    = "labels-zpl"
	labelTable  = "labels-csv"
)

var labelFormats = []string{labelTable, labelSheets, labelZPL}

// labelFlags are the flags of labels.
type labelFlags struct {
	name   string
	code   string
	dpi    int
	format *label.Format
}

func (l *labelFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&l.name, "label", label.Formats[0].Name,
		"size of labels-pdf and labels-zpl: "+strings.Join(label.FormatNames(), ", "))
	f.StringVar(&l.code, "code", label.Kinds[0],
		"codes of labels-pdf and labels-zpl: "+strings.Join(label.Kinds, ", "))
	f.IntVar(&l.dpi, "dpi", label.Resolutions[0], "dots to the inch of the printer of labels-zpl")
}

// check returns what is wrong with the flags of labels for a format, and sets l.format.
func (l *labelFlags) check(cmd *cobra.Command, format, output string) []error {
	var wrong []error
	for _, flag := range []string{"label", "code"} {
		if cmd.Flags().Changed(flag) && format != labelSheets && format != labelZPL {
			wrong = append(wrong, fmt.Errorf("--%s: goes with --format %s and %s only", flag, labelSheets, labelZPL))
		}
	}
	if cmd.Flags().Changed("dpi") && format != labelZPL {
		wrong = append(wrong, fmt.Errorf("--dpi: goes with --format %s only", labelZPL))
	}
	kind, err := label.KindOf(l.code)
	if err != nil {
		wrong = append(wrong, fmt.Errorf("--code: %w", err))
	}
	size, err := label.FormatOf(l.name)
	if err != nil {
		wrong = append(wrong, fmt.Errorf("--label: %w", err))
	} else {
		of := *size
		of.Kind = kind
		l.format = &of
	}
	if !slices.Contains(label.Resolutions, l.dpi) {
		wrong = append(wrong, fmt.Errorf("--dpi: expected 203, 300 or 600, not %d", l.dpi))
	}
	if slices.Contains(labelFormats, format) {
		for _, name := range []string{"clock-ghz", "beta-ns-per-m"} {
			if cmd.Flags().Changed(name) {
				wrong = append(wrong, fmt.Errorf("--%s: does not go with --format %s", name,
					english.List(labelFormats)))
			}
		}
		if format == labelSheets && output == "" {
			wrong = append(wrong, fmt.Errorf("-o: name a file for %s", labelSheets))
		}
	}
	return wrong
}

// labels writes the labels of a plan. It requires flags that check accepts.
func (x *renderCommand) labels(cmd *cobra.Command, arg string, plan *machine.Result) error {
	format := x.labelled.format
	plugs, err := label.Of(plan, label.Chosen{Fabric: x.fabric, Racks: x.drawing.elevations.Racks})
	if err == nil && x.format != labelTable {
		err = label.Check(plugs, format)
	}
	if err != nil {
		return cli.Inputf("%s: %w", arg, err)
	}
	ctx := cmd.Context()
	switch x.format {
	case labelZPL:
		return x.file(cmd, func(w io.Writer) error { return label.ZPL(ctx, w, plugs, format, x.labelled.dpi) })
	case labelTable:
		return x.file(cmd, func(w io.Writer) error { return label.Table(ctx, w, plugs) })
	}
	n, err := label.Shortened(plugs, format)
	if err != nil {
		return err
	}
	if n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "note: %s of %s leave out a part of a name, as %s has no room for more in "+
			"letters of 6 points; a larger --label has it, and labels-csv\n", english.Grouped(int64(n)),
			english.Count(len(plugs), "label"), format.Name)
	}
	parts := label.Parts(plugs, format)
	return x.parts(cmd, "label", sheets(parts, label.Code, func(w io.Writer, i int) error {
		title := plan.Spec.Name + handout.Part{Number: i + 1, Count: len(parts)}.String()
		return label.Sheets(ctx, w, title, parts[i], format)
	}))
}
