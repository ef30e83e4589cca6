package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/search/machines"
	"github.com/plenum-planner/plenum/sweep"
)

func newInit() *cobra.Command {
	var from string
	var search bool
	cmd := &cobra.Command{
		Use:   "init NAME",
		Short: "Write a commented starter machine file, or search file",
		Long: `Write NAME.yaml, a commented machine file to start from. With --from, a copy of an
example machine instead, and with --search a commented search file for plenum search.
An existing file is never overwritten.

Examples: ` + strings.Join(exampleNames(), ", "),
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.TrimSuffix(args[0], ".yaml")
			if name == "" || os.IsPathSeparator(name[len(name)-1]) {
				return inputError(fmt.Errorf("%q has no name for the file", args[0]))
			}
			data, next := spec.Starter(filepath.Base(name)), "plan it with: plenum plan"
			switch {
			case search && from != "":
				return inputError(errors.New("--from is for machine files, and --search for a search file: only one " +
					"of the two"))
			case search:
				var err error
				if data, err = examples.Searches.ReadFile("searches/four-thousand.yaml"); err != nil {
					return err
				}
				next = "search with: plenum search"
			case from != "":
				var err error
				if data, err = examples.Files.ReadFile(strings.TrimSuffix(from, ".yaml") + ".yaml"); err != nil {
					return inputError(fmt.Errorf("no example %q; there are %s", from,
						strings.Join(exampleNames(), ", ")))
				}
			}
			path := name + ".yaml"
			if err := writeNew(path, data); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "written: %s (%s %s)\n", path, next, path)
			return err
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "example machine to copy")
	cmd.Flags().BoolVar(&search, "search", false, "write a search file")
	return cmd
}

// writeNew writes a file that must not exist yet; a file that could not be
// written whole is removed again.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return inputError(err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}

func exampleNames() []string {
	var names []string
	entries, _ := examples.Files.ReadDir(".")
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// schemas make the JSON schemas of the kinds of files.
var schemas = map[string]func() ([]byte, error){
	"machine": spec.Schema, "search": machines.Schema, "sweep": sweep.Schema,
}

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [machine | search | sweep]",
		Short: "Print the JSON schema of machine, search or sweep files",
		Long: `Print the JSON schema of machine files, or of search or sweep files, for editors that
complete and check YAML. Save it and name it in the first line of a file:

  # yaml-language-server: $schema=plenum.schema.json`,
		Args:      usage(cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs)),
		ValidArgs: []string{"machine", "search", "sweep"},
		RunE: func(cmd *cobra.Command, args []string) error {
			kind := "machine"
			if len(args) > 0 {
				kind = args[0]
			}
			schema, err := schemas[kind]()
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(schema)
			return err
		},
	}
}
