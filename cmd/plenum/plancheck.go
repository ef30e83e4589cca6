package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/render"
)

// checkFiles compares the files of a plan in a directory, the first of args or else the default of -o, with their
// manifest, and prints the differences. These are an error with status 1.
func checkFiles(cmd *cobra.Command, args []string, asJSON bool) error {
	var wrong []error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"check", "json"}, f.Name) {
			wrong = append(wrong, fmt.Errorf("--%s: cannot be combined with --check, which plans nothing", f.Name))
		}
	})
	if len(wrong) > 0 {
		return cli.InputError(errors.Join(wrong...))
	}
	dir := cmd.Flags().Lookup("output").DefValue
	if len(args) > 0 {
		dir = args[0]
	}
	c, err := outfile.Check(cmd.Context(), dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return cli.Inputf("%w: expected the directory of a plan; those of plans made by versions before 0.2 have no "+
			"manifest", err)
	case err != nil:
		return err
	}
	if asJSON {
		err = render.Document(cmd.Context(), cmd.OutOrStdout(), c)
	} else {
		err = printChecked(cmd, dir, c)
	}
	if err != nil || c.OK {
		return err
	}
	return cli.Brokenf("%s: %s from the manifest", dir, english.Count(len(c.Differences), "difference"))
}

func printChecked(cmd *cobra.Command, dir string, c *outfile.Checked) error {
	var b strings.Builder
	if c.OK {
		fmt.Fprintf(&b, "%s: all %d files are as they were written, of one plan of %s\n", dir, c.Checked,
			diag.Escape(c.Machine))
	}
	for _, d := range c.Differences {
		fmt.Fprintf(&b, "%s  %s: %s\n", d.Kind, diag.Escape(d.File), d.Text)
	}
	return cli.Print(cmd.OutOrStdout(), b.String())
}
