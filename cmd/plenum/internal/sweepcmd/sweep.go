// Package sweepcmd is the command plenum sweep: flags and printing of studies.
package sweepcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/study/sweep"
	"github.com/plenum-planner/plenum/study/sweep/slurm"
)

// sweepCommand is the flags of plenum sweep.
type sweepCommand struct {
	dir, engine, part      string
	resume, dryRun, asJSON bool
	wait                   bool
	jobs                   int
}

// New is the command.
func New() *cobra.Command {
	var s sweepCommand
	cmd := &cobra.Command{
		Use:   "sweep FILE",
		Short: "Plan or simulate a machine many times, with some of its values changed",
		Long: `Plan or simulate the machine of a sweep file many times, with values of its fields
or of options changed along axes: all combinations, or some drawn at random, each
repeated with other seeds if the file asks for it. docs/sweep.md has the keys.

  plenum sweep slack.yaml
  plenum sweep status slack-out
  plenum sweep plot slack-out --x cabling.slack.percent --y plan.cost.total -o slack.png

Results are files of JSON lines in DIR/shards, each of which appears when it is
whole. After any kill, --resume goes on after them. When all are there, they are
merged into DIR/results.csv and DIR/results.parquet, and means over repeats with
confidence intervals into DIR/summary.csv and DIR/summary.parquet. A machine that
cannot be planned is a row with the reason; --dry-run lists those that are known
without planning, and so does a run before it begins.

--shard i/n runs a part only, for schedulers of clusters; parts may run at the same
time. The engine slurm submits a job array that runs all parts.`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: s.run,
	}
	f := cmd.Flags()
	f.StringVarP(&s.dir, "output", "o", "", "directory for the results (the name of FILE with -out when left out)")
	f.StringVar(&s.engine, "engine", "", "where points are computed: "+strings.Join(sweep.Engines(), ", ")+
		" (as in the sweep file when left out)")
	f.BoolVar(&s.resume, "resume", false, "go on after the shards that are there")
	f.StringVar(&s.part, "shard", "", "compute part i of n only, like 0/8, i from 0")
	f.IntVar(&s.jobs, "jobs", 0, "points at a time; one for each core when 0")
	f.BoolVar(&s.dryRun, "dry-run", false, "check the file and the points, and compute none")
	f.BoolVar(&s.wait, "wait", false, "with the engine slurm, wait until no task is in the queue")
	f.BoolVar(&s.asJSON, "json", false, "print one JSON document")
	cmd.AddCommand(newSweepMerge(), newSweepPlot(), newSweepStatus(), newSweepCancel())
	return cmd
}

// run runs a study.
func (s *sweepCommand) run(cmd *cobra.Command, args []string) error {
	opt := sweep.RunOptions{Part: sweep.Whole, Resume: s.resume, Jobs: s.jobs}
	if err := s.check(cmd, &opt); err != nil {
		return cli.InputError(err)
	}
	study, err := sweep.Load(args[0])
	if err != nil {
		return cli.InputUnlessDiagnosed(err)
	}
	if s.engine != "" {
		study.Engine = s.engine
	}
	if s.part != "" {
		study.Engine = sweep.Local // it is the part of a job
	}
	if s.wait && study.Engine != sweep.SlurmEngine {
		return cli.InputError(errors.New("--wait goes with the engine slurm"))
	}
	if s.dir == "" {
		s.dir = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])) + "-out"
	}
	if s.dryRun {
		return s.count(cmd, study)
	}
	dir, err := study.Prepare(cmd.Context(), s.dir)
	if errors.As(err, new(*sweep.OtherStudyError)) {
		return cli.InputError(err)
	}
	if err != nil {
		return err
	}
	if study.Engine == sweep.SlurmEngine {
		return s.cluster(cmd, study, dir, args[0])
	}
	return s.local(cmd, study, dir, opt)
}

// check refuses flags that do not go together, or that say nothing.
func (s *sweepCommand) check(cmd *cobra.Command, opt *sweep.RunOptions) error {
	var wrong []error
	if s.engine != "" && !slices.Contains(sweep.Engines(), s.engine) {
		wrong = append(wrong, cli.NoValue("engine", "engine", s.engine, sweep.Engines()))
	}
	if cmd.Flags().Changed("shard") {
		var err error
		if opt.Part, err = sweep.ParsePart(s.part); err != nil {
			wrong = append(wrong, fmt.Errorf("--shard: %w", err))
		}
		if s.engine == sweep.SlurmEngine {
			wrong = append(wrong, errors.New("--shard: the engine slurm runs all parts; a part runs on this machine"))
		}
	}
	if s.jobs < 0 || s.jobs > 1<<16 {
		wrong = append(wrong, fmt.Errorf("--jobs: must be from 0 to %d, not %d", 1<<16, s.jobs))
	}
	return errors.Join(wrong...)
}

// dryReport is the document of a dry run.
type dryReport struct {
	*sweep.Status
	// WillFail is the points that fail for what is known without planning.
	WillFail *sweep.Failures `json:"will_fail"`
}

// count prints how large a study is, and which points will fail.
func (s *sweepCommand) count(cmd *cobra.Command, study *sweep.Study) error {
	line := meter.New(cmd.ErrOrStderr())
	line.Stage("checking points", 0, 1)
	failing, err := study.CheckAll(cmd.Context(), s.jobs)
	line.Clear()
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if s.asJSON {
		return render.Document(cmd.Context(), w, &dryReport{
			&sweep.Status{Name: study.Name, Points: study.Points, Shards: study.Shards}, failing,
		})
	}
	_, err = fmt.Fprintf(w, "%s points in %s, study %s\n%s", english.Grouped(int64(study.Points)),
		english.Count(study.Shards, "shard"), study.Hash(), failing.Tell())
	if err == nil && failing.Checked < study.Points {
		_, err = fmt.Fprintf(w, "%s of the points were checked\n", english.Grouped(int64(failing.Checked)))
	}
	return err
}

// local runs a study on the cores of this machine, and merges it when all is there.
func (s *sweepCommand) local(cmd *cobra.Command, study *sweep.Study, dir *sweep.Dir, opt sweep.RunOptions) error {
	line := meter.New(cmd.ErrOrStderr())
	line.Stage("checking points", 0, 1)
	opt.Progress = points(line)
	opt.Warn = func(failing *sweep.Failures) {
		line.Clear()
		fmt.Fprint(cmd.ErrOrStderr(), failing.Tell())
	}
	err := study.Run(cmd.Context(), dir, opt)
	line.Clear()
	switch {
	case errors.As(err, new(*sweep.StartedError)), errors.As(err, new(*sweep.ChangedInputError)):
		return cli.InputError(err)
	case err != nil && cmd.Context().Err() != nil:
		fmt.Fprintf(cmd.ErrOrStderr(), "plenum: finished shards are kept in %s; --resume goes on after them\n",
			diag.Escape(dir.Path))
		return err
	case err != nil:
		return err
	}
	return finish(cmd.Context(), cmd.OutOrStdout(), dir, s.asJSON)
}

// cluster has a cluster run what is missing of a study.
func (s *sweepCommand) cluster(cmd *cobra.Command, study *sweep.Study, dir *sweep.Dir, file string) error {
	ctx := cmd.Context()
	missing, err := dir.MissingShards(sweep.Whole)
	switch done := dir.Shards - len(missing); {
	case err != nil:
		return err
	case !s.resume && done > 0:
		return cli.InputError(&sweep.StartedError{Path: dir.Path, Done: done, Shards: dir.Shards})
	case len(missing) == 0:
		return finish(ctx, cmd.OutOrStdout(), dir, s.asJSON)
	}
	failing, err := study.Check(ctx, missing, sweep.FirstCheck, s.jobs)
	if err != nil {
		return err
	}
	fmt.Fprint(cmd.ErrOrStderr(), failing.Tell())
	job, err := slurm.Submit(ctx, slurm.Work{
		Config: study.Slurm, Command: "sweep", Name: study.Name, File: file, Dir: dir.Path, Most: dir.Shards,
		Missing: func(of int) []int {
			var parts []int
			for _, shard := range missing {
				parts = append(parts, shard%of)
			}
			slices.Sort(parts)
			return slices.Compact(parts)
		},
	})
	if err != nil {
		return cli.ClusterError(err)
	}
	if !s.wait {
		if !s.asJSON {
			fmt.Fprintf(cmd.OutOrStdout(), "job %s is submitted, %s; plenum sweep status %s says how far it is\n",
				job.ID,
				english.Count(job.Tasks, "task"), diag.Escape(dir.Path))
		}
		return printStatus(ctx, cmd.OutOrStdout(), dir, s.asJSON, true)
	}
	line := meter.New(cmd.ErrOrStderr())
	show := points(line)
	err = slurm.Wait(ctx, dir.Path, func() error {
		done, err := dir.DoneShards()
		show(min(len(done)*dir.Shard, dir.Points), 0, dir.Points)
		return err
	})
	line.Clear()
	if err != nil {
		return err
	}
	return finish(ctx, cmd.OutOrStdout(), dir, s.asJSON)
}

// finish merges a study if all of its shards are there, and says how far it is.
func finish(ctx context.Context, w io.Writer, dir *sweep.Dir, asJSON bool) error {
	missing, err := dir.MissingShards(sweep.Whole)
	if err != nil {
		return err
	}
	if len(missing) == 0 {
		table, err := sweep.NewTable(ctx, []*sweep.Dir{dir}, false)
		if err != nil {
			return err
		}
		if _, err := table.Write(ctx, dir.Path); err != nil {
			return err
		}
		if err := dir.RemoveLeftOvers(); err != nil {
			return err
		}
	}
	return printStatus(ctx, w, dir, asJSON, false)
}

// sweepReport is the document of a study.
type sweepReport struct {
	*sweep.Status
	// Job is the last that was submitted to a cluster; left out where none was.
	Job *slurm.Queue `json:"job,omitempty"`
}

// printStatus says how far a study is, and if asked to what is left in the queue of a cluster.
func printStatus(ctx context.Context, w io.Writer, dir *sweep.Dir, asJSON, queue bool) error {
	st, err := dir.Status()
	if err != nil {
		return err
	}
	report := &sweepReport{Status: st}
	if queue {
		report.Job, err = slurm.Ask(ctx, dir.Path)
	}
	if err != nil {
		return cli.ClusterError(err)
	}
	if asJSON {
		return render.Document(ctx, w, report)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s points are computed, %s of %s\n", english.Grouped(int64(st.PointsDone)),
		english.Grouped(int64(st.Points)), english.Grouped(int64(st.ShardsDone)), english.Count(st.Shards, "shard"))
	if st.Failed > 0 {
		fmt.Fprintf(&b, "%s failed: the column error says why\n", english.Count(st.Failed, "point"))
	}
	b.WriteString(report.Job.Describe(dir.Path, st.ShardsDone == st.Shards))
	if st.ShardsDone == st.Shards && len(st.Files) == 0 {
		fmt.Fprintf(&b, "plenum sweep merge %s makes the tables\n", dir.Path)
	}
	for _, f := range st.Files {
		fmt.Fprintf(&b, "written: %s\n", f)
	}
	return cli.Print(w, b.String())
}

func newSweepStatus() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status DIR",
		Short: "Say how far a study is",
		Args:  cli.Usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := sweep.Open(args[0])
			if err != nil {
				return cli.InputError(err)
			}
			return printStatus(cmd.Context(), cmd.OutOrStdout(), dir, asJSON, true)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func newSweepCancel() *cobra.Command {
	return cli.Cancel("End the tasks of a study on a cluster",
		`End all tasks of the job array that was submitted for a study. Shards that are
finished stay; plenum sweep FILE --resume submits the others again.`, func(dir string) error {
			_, err := sweep.Open(dir)
			return err
		})
}

func newSweepMerge() *cobra.Command {
	var out string
	var partial, asJSON bool
	cmd := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Make one table of the shards of a study",
		Long: `Make results.csv and results.parquet of the shards of a study, a row for each point,
in the order of the points, and of repeats summary.csv and summary.parquet. Several
directories may each have some of the shards, of machines that share no file system;
a shard that is in more than one must be the same. Merging again gives the same files.`,
		Args: cli.Usage(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var dirs []*sweep.Dir
			for _, path := range args {
				d, err := sweep.Open(path)
				if err != nil {
					return cli.InputError(err)
				}
				dirs = append(dirs, d)
			}
			if out == "" {
				out = args[0]
			}
			table, err := sweep.NewTable(cmd.Context(), dirs, partial)
			if err != nil && cmd.Context().Err() == nil {
				return cli.InputError(err)
			}
			if err != nil {
				return err
			}
			files, err := table.Write(cmd.Context(), out)
			if err != nil {
				return err
			}
			report := mergeReport{table.Rows, table.Failed, table.Points, files}
			if asJSON {
				return render.Document(cmd.Context(), cmd.OutOrStdout(), &report)
			}
			return report.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "directory for the files (the first DIR when left out)")
	cmd.Flags().BoolVar(&partial, "partial", false, "merge what is there though shards are missing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// mergeReport is the document of sweep merge.
type mergeReport struct {
	Rows   int      `json:"rows"`   // points in the tables
	Failed int      `json:"failed"` // points of them that have a reason in place of some or all figures
	Points int      `json:"points"` // points of the whole study
	Files  []string `json:"files"`  // the tables
}

// print prints the report for people.
func (r *mergeReport) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s of %s points, of which %s failed\nwritten: %s\n", english.Grouped(int64(r.Rows)),
		english.Grouped(int64(r.Points)), english.Grouped(int64(r.Failed)), strings.Join(r.Files, ", "))
	return err
}

// points shows on a line how many points of a study are done.
func points(line *meter.Line) func(done, failed, total int) {
	return func(done, failed, total int) {
		what := "points"
		if failed > 0 {
			what = fmt.Sprintf("points, %s failed", english.Grouped(int64(failed)))
		}
		line.Stage(what, done, total)
	}
}
