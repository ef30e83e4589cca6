package main

import "github.com/spf13/cobra"

func newEmbed() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "embed",
		Short: "Place boxes, optimise placements, map graphs",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEmbedPlace(), newEmbedMap(), newEmbedQAP())
	return cmd
}
