package main

import (
	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/study/machines"
	"github.com/plenum-planner/plenum/study/sweep"
)

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
		Args:      cli.Usage(cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs)),
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
