package sweep

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// Part is one of several processes that share a study: the shards whose number leaves the remainder Index when divided
// by Of, which is at least 1: Whole is all of them, the zero Part none.
type Part struct{ Index, Of int }

// Whole is the only part.
var Whole = Part{0, 1}

// ParsePart reads i/n, i from 0 to n-1.
func ParsePart(text string) (Part, error) {
	index, of, cut := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if !cut || err1 != nil || err2 != nil || i < 0 || i >= n {
		return Part{}, fmt.Errorf("%q is not a part like 0/8, from 0/8 to 7/8", text)
	}
	return Part{i, n}, nil
}

// Has reports whether a shard belongs to the part.
func (p Part) Has(shard int) bool { return shard%p.Of == p.Index }

// RunOptions says what is run, and who receives its progress.
type RunOptions struct {
	Part Part
	// Resume leaves out the shards that are there. Without it, there must be none of the part.
	Resume bool
	Jobs   int // points at a time; one for each core when 0
	// Progress receives how many points of how many are done, and how many of them failed; not from two goroutines at
	// once. It may be nil.
	Progress func(done, failed, total int)
	// Warn receives, before any is computed, which points will fail, as far as Check finds them among FirstCheck
	// combinations of values. It may be nil: then nothing is checked.
	Warn func(*Failures)
}

// A StartedError refuses to begin a study that was begun.
type StartedError struct {
	Path         string
	Done, Shards int
}

// Error says what is there and what to do.
func (e *StartedError) Error() string {
	return fmt.Sprintf("%s has %d of %d shards already; --resume goes on after them", e.Path, e.Done, e.Shards)
}

// MissingShards lists the shards of a part that are not there.
func (d *Dir) MissingShards(part Part) ([]int, error) {
	done, err := d.DoneShards()
	if err != nil {
		return nil, err
	}
	var out []int
	for i := range d.Shards {
		if _, there := slices.BinarySearch(done, i); !there && part.Has(i) {
			out = append(out, i)
		}
	}
	return out, nil
}

// Run computes the points of a part that are not there yet, into a directory that Prepare has made for the study. When
// it fails or ctx ends, all shards that were finished are there. The error is a *StartedError where some were there and
// opt does not resume, a *FullError where the file system has no room, a *ChangedInputError where a file that machines
// name was changed since the study was read: the shard would mix points of both.
func (s *Study) Run(ctx context.Context, d *Dir, opt RunOptions) error {
	missing, err := d.MissingShards(opt.Part)
	if err != nil {
		return err
	}
	own := 0
	for i := range d.Shards {
		if opt.Part.Has(i) {
			own++
		}
	}
	if !opt.Resume && len(missing) < own {
		return &StartedError{d.Path, own - len(missing), own}
	}
	if opt.Warn != nil {
		failing, err := s.Check(ctx, missing, FirstCheck, opt.Jobs)
		if err != nil {
			return err
		}
		opt.Warn(failing)
	}
	r := &running{s: s, dir: d, shards: missing, opt: opt}
	r.rows, r.left = make([][]row, len(missing)), make([]int, len(missing))
	starts := make([]int, len(missing)+1) // of each shard, among all points to compute
	for i, shard := range missing {
		first, end := d.span(shard)
		r.left[i] = end - first
		starts[i+1] = starts[i] + end - first
	}
	r.total = starts[len(missing)]
	r.reportProgress()
	workers := make([]struct{}, min(max(r.total, 1), r.jobs()))
	return parallel.With(ctx, workers, r.total, func(ctx context.Context, _ struct{}, task int) error {
		i, found := slices.BinarySearch(starts, task)
		if !found {
			i--
		}
		return r.one(ctx, i, task-starts[i])
	})
}

// running is a study that is being computed.
type running struct {
	s      *Study
	dir    *Dir
	shards []int
	opt    RunOptions
	total  int

	mu           sync.Mutex
	rows         [][]row // of each shard, as far as they are computed
	left         []int   // points of each shard that are not
	done, failed int
}

func (r *running) jobs() int {
	if r.opt.Jobs > 0 {
		return r.opt.Jobs
	}
	return parallel.Cores(MaxPoints)
}

// one computes a point, and writes its shard if it is the last one of it.
func (r *running) one(ctx context.Context, i, k int) error {
	first, end := r.dir.span(r.shards[i])
	computed, err := r.s.row(ctx, first+k)
	if err != nil {
		return err
	}
	r.mu.Lock()
	if r.rows[i] == nil {
		r.rows[i] = make([]row, end-first)
	}
	r.rows[i][k] = computed
	r.left[i]--
	last := r.left[i] == 0
	rows := r.rows[i]
	r.mu.Unlock()
	if last {
		if err := r.s.checkInputs(); err != nil {
			return err
		}
		if err := r.dir.write(ctx, r.shards[i], rows); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if last {
		r.rows[i] = nil
	}
	r.done++
	if computed.failed {
		r.failed++
	}
	r.reportProgress()
	return nil
}

// reportProgress reports the progress.
func (r *running) reportProgress() {
	if r.opt.Progress != nil {
		r.opt.Progress(r.done, r.failed, r.total)
	}
}
