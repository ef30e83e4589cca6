package slurm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/study/sweep"
)

// Job is a job array that was submitted, as slurm/job.json in the directory of results records it.
type Job struct {
	ID    string `json:"id"`    // the number of the array
	Tasks int    `json:"tasks"` // number of tasks that were submitted
	Of    int    `json:"parts"` // number of parts that the study is divided into
}

// Work is what a job array computes: a study or a search.
type Work struct {
	Config  sweep.Slurm
	Command string   // of plenum: sweep or search
	Name    string   // of the study
	File    string   // the file of it
	Dir     string   // of results
	Options []string // of the command, besides the directory and the part
	Most    int      // parts at most
	// Missing lists those of a number of parts that are not computed, in order.
	Missing func(of int) []int
}

// Queue says how many tasks of a job have not ended.
type Queue struct {
	Job
	Pending int `json:"pending"` // tasks that wait
	Running int `json:"running"` // tasks that run, or are being ended
}

// CountTasks returns the number of tasks in the queue, waiting or running.
func (q *Queue) CountTasks() int { return q.Pending + q.Running }

// Describe returns a line about the tasks of a job in the queue. If there are none and the work in dir is not complete
// (whole is false), the line names the folder of the logs. It is "" if the work is complete, and for a nil queue.
func (q *Queue) Describe(dir string, whole bool) string {
	switch {
	case q == nil || q.CountTasks() == 0 && whole:
		return ""
	case q.CountTasks() == 0:
		return fmt.Sprintf("job %s has no task in the queue any more: its logs are in %s; --resume submits what is "+
			"missing\n", q.ID, diag.Escape(folder(dir)))
	}
	return fmt.Sprintf("job %s: %s running, %d waiting\n", q.ID, english.Count(q.Running, "task"), q.Pending)
}

// folder returns the folder of the script, the job and the logs of tasks, in the directory of results.
func folder(dir string) string { return filepath.Join(dir, "slurm") }

// A QueuedError is the error of Submit for a study whose tasks are still in the queue.
type QueuedError struct {
	Command, Dir string
	Queue        *Queue
}

// Error names the job and says what to do.
func (e *QueuedError) Error() string {
	return fmt.Sprintf("job %s has %d tasks in the queue: wait for them, or end them with plenum %s cancel %s",
		e.Queue.ID, e.Queue.CountTasks(), e.Command, e.Dir)
}

// Submit submits the parts that are not computed, of which there must be some, as a job array. The error is a
// *QueuedError if tasks of an earlier job of the directory are in the queue, a *CommandError if Slurm refuses the job.
func Submit(ctx context.Context, w Work) (*Job, error) {
	if q, err := Ask(ctx, w.Dir); err != nil {
		return nil, err
	} else if q != nil && q.CountTasks() > 0 {
		return nil, &QueuedError{w.Command, w.Dir, q}
	}
	limit, err := arrayLimit(ctx)
	if err != nil {
		return nil, err
	}
	a := &Array{
		Config: w.Config, Name: w.Name, Program: w.Config.Program, Command: w.Command, Options: w.Options,
		Of: divide(w.Config.Tasks, w.Most, limit),
	}
	a.Parts = w.Missing(a.Of)
	if a.Program == "" {
		if a.Program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	if a.File, err = filepath.Abs(w.File); err != nil {
		return nil, err
	}
	if a.Dir, err = filepath.Abs(w.Dir); err != nil {
		return nil, err
	}
	script := filepath.Join(folder(a.Dir), "array.sh")
	err = outfile.Write(ctx, script, func(w io.Writer) error {
		_, err := io.WriteString(w, a.Script())
		return err
	})
	if err != nil {
		return nil, err
	}
	out, err := call(ctx, "sbatch", "--parsable", "--chdir="+folder(a.Dir), "--array="+a.indices(), script)
	if err != nil {
		return nil, err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // the cluster stands behind
	if !number.MatchString(id) {
		return nil, fmt.Errorf("sbatch: %q is not the number of a job", id)
	}
	j := &Job{ID: id, Tasks: len(a.Parts), Of: a.Of}
	return j, outfile.Write(ctx, filepath.Join(folder(a.Dir), "job.json"), func(w io.Writer) error {
		return render.Document(ctx, w, j)
	})
}

// Ask returns the tasks of the last job of a directory that are in the queue, none once Slurm has forgotten the job;
// nil if no job was submitted.
func Ask(ctx context.Context, dir string) (*Queue, error) {
	path := filepath.Join(folder(dir), "job.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	q := &Queue{}
	if err := json.Unmarshal(data, &q.Job); err != nil || !number.MatchString(q.ID) {
		return nil, fmt.Errorf("%s: not a job that plenum has submitted", path)
	}
	out, err := call(ctx, "squeue", "--noheader", "--array", "--format=%t", "--jobs="+q.ID)
	if err != nil {
		if strings.Contains(err.Error(), "Invalid job id") { // it has ended, and the cluster has forgotten it
			return q, nil
		}
		return nil, err
	}
	for _, state := range strings.Fields(out) {
		if state == "PD" {
			q.Pending++
		} else {
			q.Running++
		}
	}
	return q, nil
}

// pollEvery is the interval at which Wait asks for the queue.
const pollEvery = 2 * time.Second

// Wait waits until no task of the last job of a directory is in the queue, and calls tell after each look at the queue.
// It ends with an error of tell.
func Wait(ctx context.Context, dir string, tell func() error) error {
	for {
		q, err := Ask(ctx, dir)
		if err != nil {
			return err
		}
		if err := tell(); err != nil || q == nil || q.CountTasks() == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pollEvery):
		}
	}
}

// Cancel cancels all tasks of the last job of a directory, and returns those that were in the queue; nil if no job was
// submitted.
func Cancel(ctx context.Context, dir string) (*Queue, error) {
	q, err := Ask(ctx, dir)
	if err != nil || q == nil || q.CountTasks() == 0 {
		return q, err
	}
	_, err = call(ctx, "scancel", q.ID)
	return q, err
}

var (
	number    = regexp.MustCompile(`^[0-9]+$`)
	arraySize = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*([0-9]+)`)
)

// arrayLimit returns MaxArraySize of the cluster: indices of an array have to be below it.
func arrayLimit(ctx context.Context) (int, error) {
	out, err := call(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	m := arraySize.FindStringSubmatch(out)
	if m == nil {
		return 0, errors.New("scontrol show config does not say MaxArraySize")
	}
	limit, err := strconv.Atoi(m[1])
	if err == nil && limit == 0 {
		err = errors.New("job arrays are switched off on this cluster (MaxArraySize = 0)")
	}
	return limit, err
}

// A CommandError is the error about a command of Slurm that has failed.
type CommandError struct{ Command, Why string }

// Error names the command and the reason.
func (e *CommandError) Error() string { return e.Command + ": " + e.Why }

// IsRefused reports whether an error is a QueuedError or a CommandError: one of the cluster, not of Plenum.
func IsRefused(err error) bool {
	return errors.As(err, new(*QueuedError)) || errors.As(err, new(*CommandError))
}

// call runs a command and returns what it prints.
func call(ctx context.Context, name string, args ...string) (string, error) {
	var out, why bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &out, &why
	err := cmd.Run()
	switch text := strings.TrimSpace(why.String()); {
	case err == nil:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound):
		return "", &CommandError{name, "not found: this machine is not part of a Slurm cluster"}
	case text != "":
		return "", &CommandError{name, strings.TrimPrefix(text, name+": ")}
	default:
		return "", &CommandError{name, err.Error()}
	}
}
