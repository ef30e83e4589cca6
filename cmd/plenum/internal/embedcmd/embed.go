// Package embedcmd is the command plenum embed: flags and printing of placements, mappings and assignments.
package embedcmd

import (
	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// New is the command.
func New() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "embed",
		Short: "Place boxes, optimise placements, map graphs",
		Args:  cli.Usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEmbedPlace(), newEmbedMap(), newEmbedQAP())
	return cmd
}
