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
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/asbuilt/workorder"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/worksheet"
)

// workOptions are the flags of work orders of plenum verify.
type workOptions struct {
	file string
	opt  asbuilt.Options
}

// workExtensions are the extensions of the files of a work order.
var workExtensions = []string{".csv", ".pdf", ".json"}

func (o *workOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.file, "work-order", "",
		"write what there is to do, in steps, into this file: "+english.List(workExtensions))
	f.IntVar(&o.opt.Paths, "paths", 1, "edge-disjoint paths that every two boxes keep during the work")
	f.Float64Var(&o.opt.Capacity, "capacity", 0, "least share of the links that stay up during the work, in per cent")
}

// check returns all mistakes in the flags about work orders. A work order needs sources.
func (o *workOptions) check(cmd *cobra.Command, sources bool) error {
	var wrong []error
	refuse := func(format string, a ...any) { wrong = append(wrong, fmt.Errorf(format, a...)) }
	ext := strings.ToLower(filepath.Ext(o.file))
	switch {
	case o.file == "":
		for _, name := range []string{"paths", "capacity"} {
			if cmd.Flags().Changed(name) {
				refuse("--%s: goes with --work-order", name)
			}
		}
		if cmd.Flags().Changed("work-order") {
			refuse("--work-order: name a file")
		}
	case !slices.Contains(workExtensions, ext):
		refuse("--work-order: expected a file whose extension is %s, not %q", strings.Join(workExtensions, ", "),
			o.file)
	case !sources:
		refuse("--work-order: needs a source that says what is cabled")
	}
	if o.opt.Paths < 1 || o.opt.Paths > asbuilt.MostPaths {
		refuse("--paths: must be from 1 to %d, not %d", asbuilt.MostPaths, o.opt.Paths)
	}
	if !(o.opt.Capacity >= 0 && o.opt.Capacity <= 100) {
		refuse("--capacity: must be from 0 to 100, not %v", o.opt.Capacity)
	}
	return errors.Join(wrong...)
}

// write sets r.Order and writes it to the file of --work-order; it does nothing without that flag.
func (o *workOptions) write(ctx context.Context, r *verify.Result) error {
	if o.file == "" {
		return nil
	}
	if err := r.FindOrder(ctx, o.opt); err != nil {
		if errors.As(err, new(*asbuilt.TooManyPathsError)) {
			return cli.Inputf("--paths: %w", err)
		}
		return err
	}
	ext := strings.ToLower(filepath.Ext(o.file))
	if ext == ".pdf" && r.Order.Lines() > worksheet.Most {
		return cli.Inputf("--work-order: %w", &worksheet.TooManyError{Rows: r.Order.Lines()})
	}
	err := outfile.Write(ctx, o.file, func(w io.Writer) error {
		switch ext {
		case ".csv":
			return r.Order.WriteTable(ctx, w)
		case ".json":
			return render.Document(ctx, w, r.Order)
		}
		return r.Order.WriteSheets(ctx, w, "Plenum "+machine.Version)
	})
	if err != nil {
		return cli.InputError(err)
	}
	return nil
}

// printWork prints a summary of a work order; nothing if it is nil.
func printWork(b *strings.Builder, o *workorder.Order, file string) {
	if o == nil {
		return
	}
	fmt.Fprintf(b, "\nWork order: %s in %s, written to %s\n", english.Count(o.Moves(), "move"),
		english.Count(len(o.Steps), "step"), file)
	if len(o.Steps) > 0 {
		table := [][]string{{"step", "moves", "paths kept", "links up %", "without a path"}}
		for i := range o.Steps {
			st := &o.Steps[i]
			table = append(table, []string{
				fmt.Sprint(st.Step), english.Grouped(int64(len(st.Moves))), fmt.Sprint(st.Paths),
				fmt.Sprintf("%.1f", st.Share), listFirst(st.Cut),
			})
		}
		cli.WriteTable(b, table)
	}
	for _, s := range o.Take {
		product := s.Product
		if product == "" {
			product = "no product can make it"
		}
		fmt.Fprintf(b, "  take from the store  %s x %s\n", english.Grouped(int64(s.Cables)), product)
	}
	for _, fault := range o.Faults {
		fmt.Fprintf(b, "note: %s\n", fault)
	}
}
