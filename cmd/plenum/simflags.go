package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
)

// flagHeading is the annotation of a flag that says under which heading help lists it.
const flagHeading = "plenum_heading"

// generalFlags is the heading of the flags that every model has, or nearly.
const generalFlags = "Flags"

// under adds flags to a command, under a heading of its help.
func under(cmd *cobra.Command, title string, add func(f *pflag.FlagSet)) {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	add(f)
	f.VisitAll(func(x *pflag.Flag) {
		x.Annotations = map[string][]string{flagHeading: {title}}
		cmd.Flags().AddFlag(x)
	})
}

// setGroupedUsage has a command and those below it list their flags by headings. A
// command that has others below it lists its general flags only.
func setGroupedUsage(cmd *cobra.Command) {
	cmd.SetUsageFunc(func(c *cobra.Command) error {
		var b strings.Builder
		fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
		if c.HasAvailableSubCommands() {
			fmt.Fprintf(&b, "  %s [command]\n\nAvailable Commands:\n", c.CommandPath())
			for _, sub := range c.Commands() {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
		var titles []string
		groups := map[string]*pflag.FlagSet{}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			title := generalFlags
			if of := f.Annotations[flagHeading]; len(of) > 0 {
				title = of[0]
			}
			if groups[title] == nil {
				titles = append(titles, title)
				groups[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
				groups[title].SortFlags = false
			}
			groups[title].AddFlag(f)
		})
		for _, title := range titles {
			if title == generalFlags || !c.HasAvailableSubCommands() {
				fmt.Fprintf(&b, "\n%s:\n%s", title, groups[title].FlagUsages())
			}
		}
		if c.HasAvailableSubCommands() {
			fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more information about a command, and for its flags.\n",
				c.CommandPath())
		}
		_, err := fmt.Fprint(c.OutOrStdout(), b.String())
		return err
	})
}

// owners are the models that have a flag.
func owners(flag string, models []*simModel) []*simModel {
	return slices.DeleteFunc(slices.Clone(models), func(m *simModel) bool { return m.Flags().Lookup(flag) == nil })
}

// belongs says which commands have a flag.
func belongs(flag string, models []*simModel) string {
	var paths []string
	for _, m := range owners(flag, models) {
		paths = append(paths, "of "+m.CommandPath())
	}
	return fmt.Sprintf("--%s is a flag %s", flag, english.List(paths))
}

// setFlagErrors has the command of a model say whose flag it is that it does not
// know, or which one is meant.
func setFlagErrors(m *simModel, all []*simModel) {
	m.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) && len(owners(unknown.GetSpecifiedName(), all)) > 0 {
			return cli.Inputf("%s, not of %s", belongs(unknown.GetSpecifiedName(), all), cmd.CommandPath())
		}
		return cli.FlagError(cmd, err)
	})
}
