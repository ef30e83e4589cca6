package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
)

// flagHeading is the annotation of a flag that says under which heading help lists it.
const flagHeading = "plenum_heading"

// generalFlags is the heading of the flags that every model has, or nearly.
const generalFlags = "Flags"

// under adds the flags that add adds to a set to a command, under a heading of its help.
func under(cmd *cobra.Command, title string, add func(f *pflag.FlagSet)) {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	add(f)
	f.VisitAll(func(x *pflag.Flag) {
		x.Annotations = map[string][]string{flagHeading: {title}}
		cmd.Flags().AddFlag(x)
	})
}

// owners returns the models that have a flag.
func owners(flag string, models []*simModel) []*simModel {
	return slices.DeleteFunc(slices.Clone(models), func(m *simModel) bool { return m.Flags().Lookup(flag) == nil })
}

// belongs returns a clause about the commands that have a flag: "--load is a flag of plenum sim packets".
func belongs(flag string, models []*simModel) string {
	var paths []string
	for _, m := range owners(flag, models) {
		paths = append(paths, "of "+m.CommandPath())
	}
	return fmt.Sprintf("--%s is a flag %s", flag, english.List(paths))
}

// setFlagErrors makes the command of a model name, in its error about a flag that it does not have, the models that
// have it; if none has, the error suggests a flag.
func setFlagErrors(m *simModel, all []*simModel) {
	m.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) && len(owners(unknown.GetSpecifiedName(), all)) > 0 {
			return cli.Inputf("%s, not of %s", belongs(unknown.GetSpecifiedName(), all), cmd.CommandPath())
		}
		return cli.FlagError(cmd, err)
	})
}
