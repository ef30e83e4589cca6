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
)

func newInit() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "init NAME",
		Short: "Write a commented starter machine file",
		Long: `Write NAME.yaml, a commented machine file to start from. With --from, a copy of an
example machine instead. An existing file is never overwritten.

Examples: ` + strings.Join(exampleNames(), ", "),
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.TrimSuffix(args[0], ".yaml")
			if name == "" || os.IsPathSeparator(name[len(name)-1]) {
				return inputError(fmt.Errorf("%q has no name for the file", args[0]))
			}
			data := spec.Starter(filepath.Base(name))
			if from != "" {
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
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "written: %s (plan it with: plenum plan %s)\n", path, path)
			return err
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "example machine to copy")
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

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of machine files",
		Long: `Print the JSON schema of machine files, for editors that complete and check YAML.
Save it and name it in the first line of a machine file:

  # yaml-language-server: $schema=plenum.schema.json`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			schema, err := spec.Schema()
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(schema)
			return err
		},
	}
}
