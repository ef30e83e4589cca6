package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/study/sweep/slurm"
)

// ClusterError marks what a command of a cluster refuses as the user's to mend.
func ClusterError(err error) error {
	if slurm.IsRefused(err) {
		return InputError(err)
	}
	return err
}

// Cancel is the command that ends the tasks of a job array. There is a check of its directory, unless that is nil.
func Cancel(short, long string, check func(dir string) error) *cobra.Command {
	return &cobra.Command{
		Use:   "cancel DIR",
		Short: short,
		Long:  long,
		Args:  Usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if check != nil {
				if err := check(args[0]); err != nil {
					return InputError(err)
				}
			}
			q, err := slurm.Cancel(cmd.Context(), args[0])
			if err != nil {
				return ClusterError(err)
			}
			if q == nil {
				return Inputf("%s was not submitted to a cluster", args[0])
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "job %s: %s ended\n", q.ID, english.Count(q.CountTasks(), "task"))
			return err
		},
	}
}
