package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plenum/cabling"
	"plenum/examples"
	"plenum/machine"
	"plenum/render"
)

func newPlan() *cobra.Command {
	var dir string
	var only []string
	var asJSON, summary bool
	cmd := &cobra.Command{
		Use:   "plan [FILE]",
		Short: "Plan a machine: floor plan, bill of materials, cable schedule, delays",
		Long: `Plan the machine of a machine file (without FILE, the embedded example) and
write floor.png, bom.xlsx, cables.csv, placement.csv and plan.json.

The plan is summed up on standard output; with --json, as one JSON document (the
same as plan.json). Exit status 1 means that the plan breaks a design rule: the
files are written all the same, and the violations are listed.`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range only {
				if !slices.Contains(render.Names(), name) {
					return inputError(fmt.Errorf("--only: no file %q; there are %s", name, strings.Join(render.Names(), ", ")))
				}
			}
			if summary && slices.Contains(only, "cables.csv") {
				return inputError(errors.New("--only: a summary has no cables.csv"))
			}
			spec, err := loadSpec(args)
			if err != nil {
				return err
			}
			progress := newProgress(cmd.ErrOrStderr())
			plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Summary: summary, Progress: progress.stage})
			progress.clear()
			if err != nil {
				return asInput(err)
			}
			files, err := render.Files(cmd.Context(), plan, dir, render.Options{Only: only})
			if path := (*fs.PathError)(nil); errors.As(err, &path) && path.Op == "mkdir" {
				return inputError(err) // the directory cannot be what -o says
			}
			if err != nil {
				return err
			}
			if asJSON {
				err = render.JSON(cmd.Context(), cmd.OutOrStdout(), plan)
			} else {
				err = printSummary(cmd.OutOrStdout(), plan, files)
			}
			if err != nil {
				return err
			}
			return violations(cmd.ErrOrStderr(), plan, asJSON)
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "plan-out", "directory to write the files into")
	cmd.Flags().StringSliceVar(&only, "only", nil, "files to write: "+strings.Join(render.Names(), ", ")+" (all when left out)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the plan as one JSON document")
	cmd.Flags().BoolVar(&summary, "summary", false, "leave out the cable schedule and the delays over paths")
	return cmd
}

// loadSpec reads the machine file of the arguments, or the embedded example.
func loadSpec(args []string) (*machine.Spec, error) {
	if len(args) == 0 {
		data, err := examples.Files.ReadFile(examples.Default)
		if err != nil {
			return nil, err
		}
		return machine.Parse(examples.Default, data)
	}
	spec, err := machine.Load(args[0])
	if errors.As(err, new(*fs.PathError)) {
		return nil, inputError(err)
	}
	return spec, err
}

// asInput marks errors about a spec that was not read from a file.
func asInput(err error) error {
	if errors.As(err, new(machine.SpecErrors)) {
		return inputError(err)
	}
	return err
}

// violations ends a plan that breaks a rule with status 1; the messages go to
// standard error where standard output does not hold them.
func violations(stderr io.Writer, plan *machine.Result, listed bool) error {
	if !plan.Broken() {
		return nil
	}
	if listed {
		for _, v := range plan.Violations.List() {
			if v.Severity == cabling.Error {
				fmt.Fprintf(stderr, "%s: %s: %s\n", v.Rule, v.Where, v.Message)
			}
		}
	}
	return &statusError{exitBroken, fmt.Errorf("the plan cannot be built as it is: %d breaches of design rules", plan.Violations.Errors())}
}

// progress shows what is being done on one line of a terminal; elsewhere it
// shows nothing.
type progress struct {
	out   io.Writer
	shown bool
}

func newProgress(w io.Writer) *progress {
	p := &progress{}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.out = w
		}
	}
	return p
}

func (p *progress) stage(what string, done, total int) {
	if p.out == nil {
		return
	}
	p.shown = true
	if done > 0 {
		fmt.Fprintf(p.out, "\r\x1b[K%s: %d of %d", what, done, total)
		return
	}
	fmt.Fprintf(p.out, "\r\x1b[K%s ...", what)
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
