package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/asbuilt/edited"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
)

// applied holds --apply, the workbook whose edits a plan takes, and --save, the machine file to write with these edits.
// Call check, then apply, then write.
type applied struct {
	book, save string // paths, "" for none
	over       bool   // save is the machine file that is planned, which is overwritten; set by check
	taken      *edited.Edits
	text       []byte // of the machine file to save; set by apply
}

func (a *applied) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.book, "apply", "", "workbook of this plan, bom.xlsx, as edited: take its edits")
	cmd.Flags().StringVar(&a.save, "save", "", "machine file to write, with what --apply took")
}

// check refuses flags that do not go together, and a file of --save that exists, unless it is the machine file planned.
func (a *applied) check(cmd *cobra.Command, args []string) error {
	changed := cmd.Flags().Changed
	if a.book != "" && (changed("check") || changed("estimate") || changed("model")) {
		return errors.New("--apply takes edits of a plan: it cannot be combined with --check, --estimate and --model")
	}
	if !changed("save") {
		return nil
	}
	if a.book == "" {
		return errors.New("--save writes what was edited in a workbook: name that with --apply")
	}
	if !slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(a.save))) {
		return fmt.Errorf("--save: %q is not the name of a machine file, which ends in .yaml", a.save)
	}
	if len(args) > 0 {
		from, err1 := os.Stat(args[0])
		to, err2 := os.Stat(a.save)
		if a.over = err1 == nil && err2 == nil && os.SameFile(from, to); a.over {
			return nil
		}
	}
	if err := cli.Free(a.save); err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	return nil
}

// apply plans s, reads the edits in the workbook of that plan, and returns a copy of s with these edits.
func (a *applied) apply(ctx context.Context, s *spec.Spec, from edited.Source, opt machine.Options,
) (*spec.Spec, error) {
	plan, err := machine.PlanWith(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	if a.taken, err = edited.Read(ctx, a.book, plan); err != nil {
		return nil, err
	}
	own := *s
	if err := a.taken.Apply(&own); err != nil {
		return nil, err
	}
	if a.save != "" {
		if a.text, err = a.taken.Save(a.save, from); err != nil {
			return nil, fmt.Errorf("--save: %w", err)
		}
	}
	return &own, nil
}

// checkDir returns an error if bom.xlsx in dir is the workbook whose edits the plan takes.
func (a *applied) checkDir(dir string) error {
	if a.book == "" {
		return nil
	}
	from, err1 := os.Stat(a.book)
	to, err2 := os.Stat(filepath.Join(dir, "bom.xlsx"))
	if err1 == nil && err2 == nil && os.SameFile(from, to) {
		return fmt.Errorf("-o: %s has the workbook that was edited; choose another directory, or copy the workbook",
			dir)
	}
	return nil
}

// write writes the file of --save, if any, and prints its name.
func (a *applied) write(ctx context.Context, out io.Writer) error {
	switch {
	case a.save == "":
		return nil
	case !a.over:
		if err := outfile.New(ctx, a.save, a.text); err != nil {
			return err
		}
	default:
		err := outfile.Write(ctx, a.save, func(w io.Writer) error {
			_, err := w.Write(a.text)
			return err
		})
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "saved: %s\n", a.save)
	return err
}
