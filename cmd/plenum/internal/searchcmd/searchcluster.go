package searchcmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/study/machines"
	"github.com/plenum-planner/plenum/study/sweep"
	"github.com/plenum-planner/plenum/study/sweep/slurm"
)

// leastOfTask is how many candidates a task has at least: every task bounds all of them before it plans its own.
const leastOfTask = 32

// cluster has a cluster plan the parts of a search that are not done.
func (m *machinesCommand) cluster(cmd *cobra.Command, s *machines.Search, file string) error {
	ctx := cmd.Context()
	n, err := s.Candidates()
	if err != nil {
		return cli.AsInput(err)
	}
	work, err := s.Keep(m.dir, sweep.Whole, m.resume)
	if err != nil {
		return refusedWork(err)
	}
	job, err := slurm.Submit(ctx, slurm.Work{
		Config: s.Slurm, Command: "search", Name: s.Name, File: file, Dir: m.dir,
		Options: m.taskOptions(), Most: max(1, n/leastOfTask), Missing: func(of int) []int {
			if parts := work.MissingParts(of); len(parts) > 0 {
				return parts
			}
			return []int{0} // all are done: one task writes what was found
		},
	})
	if err != nil {
		return cli.ClusterError(err)
	}
	if m.wait {
		progress := meter.New(cmd.ErrOrStderr())
		err := slurm.Wait(ctx, m.dir, func() error {
			progress.Stage("parts", job.Of-len(work.MissingParts(job.Of)), job.Of)
			return nil
		})
		progress.Clear()
		if err != nil {
			return cli.ClusterError(err)
		}
	} else if !m.asJSON {
		fmt.Fprintf(cmd.OutOrStdout(), "job %s is submitted, %s; plenum search status %s says how far it is\n", job.ID,
			english.Count(job.Tasks, "task"), diag.Escape(m.dir))
	}
	return printSearchStatus(ctx, cmd.OutOrStdout(), m.dir, job.Of, m.asJSON)
}

// taskOptions are the flags that tasks need as well.
func (m *machinesCommand) taskOptions() []string {
	return m.charts.Given()
}

// searchStatus is the document of plenum search status, and of a part that is not the last.
type searchStatus struct {
	*machines.WorkStatus
	// Job is the last that was submitted to a cluster; left out where none was.
	Job *slurm.Queue `json:"job,omitempty"`
}

// printSearchStatus says how far a search is. It has so many parts, or as many as its last job where of is 0.
func printSearchStatus(ctx context.Context, w io.Writer, dir string, of int, asJSON bool) error {
	job, err := slurm.Ask(ctx, dir)
	if err != nil {
		return cli.ClusterError(err)
	}
	if of == 0 && job != nil {
		of = job.Of
	}
	st, err := machines.OpenWork(dir, of)
	if err != nil {
		return cli.InputError(err)
	}
	report := &searchStatus{st, job}
	if asJSON {
		return render.Document(ctx, w, report)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s planned in full", english.Count(st.Planned, "candidate"))
	if st.Parts > 0 {
		fmt.Fprintf(&b, ", %s of %s done", english.Grouped(int64(st.PartsDone)), english.Count(st.Parts, "part"))
	}
	b.WriteByte('\n')
	b.WriteString(job.Describe(dir, st.PartsDone == st.Parts))
	for _, name := range machines.SummaryFiles(chart.Options{}) {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil && st.PartsDone == st.Parts {
			fmt.Fprintf(&b, "written: %s\n", diag.Escape(filepath.Join(dir, name)))
		}
	}
	return cli.Print(w, b.String())
}

func newSearchStatus() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status DIR",
		Short: "Say how far a search on a cluster is",
		Args:  cli.Usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return printSearchStatus(cmd.Context(), cmd.OutOrStdout(), args[0], 0, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func newSearchCancel() *cobra.Command {
	return cli.Cancel("End the tasks of a search on a cluster",
		`End all tasks of the job array that was submitted for a search. What they have
planned stays; plenum search FILE --resume submits the parts that are missing again.`, nil)
}
