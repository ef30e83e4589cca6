package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// Manifest is the file sweep.json of a directory with results: whose they are.
type Manifest struct {
	Format  int    `json:"format"`  // of the directory; 1
	Version string `json:"version"` // that of the program that computed the points
	Name    string `json:"name"`    // that of the sweep file
	// Study is the hash of all that figures depend on: the machine, the files that it names, the axes and the options
	// of what is measured.
	Study string `json:"study"`
	// Inputs is the files that machines name; absent where none does.
	Inputs []InputFile `json:"inputs,omitempty"`
	Points int         `json:"points"` // all that there are, every repeat for itself
	// Repeats is how many points in a row differ in their seeds only; 0 where a file does not say so.
	Repeats int `json:"repeats,omitempty"`
	Shard   int `json:"points_per_shard"`
	Shards  int `json:"shards"` // files that the results are in
	// Axes is the columns of the axes, in their order.
	Axes []string `json:"axes"`
	// Measured is what was measured: `plan`, `estimate`, `metrics` or `packets`.
	Measured []string `json:"measured"`
}

// manifest is that of the study.
func (s *Study) manifest() *Manifest {
	m := &Manifest{
		Format: 1, Version: machine.Version, Name: s.Name, Study: s.hash, Inputs: s.inputFiles(), Points: s.Points,
		Repeats: s.Repeats, Shard: s.Shard, Shards: s.Shards, Measured: s.Measure,
	}
	for _, x := range s.axes {
		m.Axes = append(m.Axes, x.names[:len(x.columns())]...)
	}
	return m
}

// Dir is a directory with the results of a study.
type Dir struct {
	Path string
	Manifest
}

// manifestName is the file that makes a directory one of results.
const manifestName = "sweep.json"

// Open opens a directory with results. It reads sweep.json only; shards may be missing.
func Open(path string) (*Dir, error) {
	d := &Dir{Path: path}
	data, err := os.ReadFile(filepath.Join(path, manifestName))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s has no results of a sweep: there is no %s in it", path, manifestName)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &d.Manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(path, manifestName), err)
	}
	m := &d.Manifest
	if m.Format != 1 || m.Points < 1 || m.Points > MaxPoints || m.Shard < 1 ||
		m.Shards != (m.Points+m.Shard-1)/m.Shard {
		return nil, fmt.Errorf("%s: not of a sweep that this version reads", filepath.Join(path, manifestName))
	}
	return d, nil
}

// An OtherStudyError refuses to put results into a directory that has those of something else.
type OtherStudyError struct{ Path, Why string }

// Error says what is there and what to do.
func (e *OtherStudyError) Error() string {
	return fmt.Sprintf("%s has results of %s; choose another directory with -o, or delete it", e.Path, e.Why)
}

// Prepare makes a directory for the results of the study, or opens it where it has some of them. The error is an
// *OtherStudyError where it has those of another study or of another version of Plenum.
func (s *Study) Prepare(ctx context.Context, path string) (*Dir, error) {
	own := s.manifest()
	if there, err := Open(path); err == nil {
		switch {
		case there.Study != own.Study:
			why := "the sweep file, the machine or a file that it names was not the same"
			if files := there.changedInputs(own.Inputs); files != "" {
				why = files + " was not the same"
			}
			return nil, &OtherStudyError{path, "another study: " + why}
		case there.Version != own.Version:
			return nil, &OtherStudyError{path, fmt.Sprintf("version %s of Plenum, which may differ from those of %s",
				there.Version, own.Version)}
		}
		return there, nil
	} else if _, missing := os.Stat(filepath.Join(path, manifestName)); missing == nil {
		return nil, err
	}
	d := &Dir{path, *own}
	if err := os.MkdirAll(d.shards(), 0o777); err != nil {
		return nil, err
	}
	return d, outfile.Write(ctx, filepath.Join(path, manifestName), func(w io.Writer) error {
		return render.Document(ctx, w, own)
	})
}

func (d *Dir) shards() string { return filepath.Join(d.Path, "shards") }

// shardPath is the file of a shard.
func (d *Dir) shardPath(shard int) string {
	return filepath.Join(d.shards(), fmt.Sprintf("%06d.jsonl", shard))
}

// tablePath is a file of the merged study.
func (d *Dir) tablePath(name string) string { return filepath.Join(d.Path, name) }

// span is the points of a shard, from the first to before the last.
func (m *Manifest) span(shard int) (first, end int) {
	return shard * m.Shard, min((shard+1)*m.Shard, m.Points)
}

// DoneShards lists the shards whose files are there, from 0, in order. It does not read them.
func (d *Dir) DoneShards() ([]int, error) {
	entries, err := os.ReadDir(d.shards())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []int
	for _, e := range entries {
		number, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if n, err := strconv.Atoi(number); ok && err == nil && n >= 0 && n < d.Shards &&
			e.Name() == filepath.Base(d.shardPath(n)) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, nil
}

// rows calls do for every row of a shard, in order, and checks that it has the points that it should. All errors but
// those of opening the file and of do are DamagedErrors.
func (d *Dir) rows(shard int, do func(row) error) error {
	path := d.shardPath(shard)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	next, end := d.span(shard)
	var ended error // that of do, which says nothing of the file
	err = lines(f, func(line []byte) error {
		r, err := parseRow(line)
		if err != nil {
			return err
		}
		if r.number != next || next >= end {
			return fmt.Errorf("point %d is not one that belongs there", r.number)
		}
		next++
		ended = do(r)
		return ended
	})
	if ended != nil {
		return ended
	}
	if err == nil && next != end {
		err = fmt.Errorf("%d points are missing", end-next)
	}
	if err != nil {
		return &DamagedError{path, err}
	}
	return nil
}

// A DamagedError tells of a shard, or another file of results, that is not as it was written.
type DamagedError struct {
	Path string
	Err  error
}

// Error says which and what to do.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s: %v; delete the file and go on with --resume", e.Path, e.Err)
}

// Unwrap returns what is wrong with it.
func (e *DamagedError) Unwrap() error { return e.Err }

// write writes the rows of a shard, whole or not at all.
func (d *Dir) write(ctx context.Context, shard int, rows []row) error {
	var b []byte
	for i := range rows {
		b = rows[i].line(b)
	}
	err := outfile.Write(ctx, d.shardPath(shard), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
	return roomFor(d.Path, err)
}

// roomFor says what to do about an error of writing if it is that there is no room. A worker that ends because another
// one has met a full disk has the error of that one, which says so already.
func roomFor(path string, err error) error {
	if errors.As(err, new(*FullError)) {
		return err
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return &FullError{path, err}
	}
	return err
}

// A FullError tells that there is no room for results.
type FullError struct {
	Path string
	Err  error
}

// Error says what is kept and what to do.
func (e *FullError) Error() string {
	return fmt.Sprintf("%v; all shards that were finished are kept: make room at %s, then run the sweep with --resume",
		e.Err, e.Path)
}

// Unwrap returns the error of the file system.
func (e *FullError) Unwrap() error { return e.Err }

// RemoveLeftOvers deletes what killed processes have left unfinished, once all shards are there.
func (d *Dir) RemoveLeftOvers() error {
	old, err := filepath.Glob(filepath.Join(d.shards(), ".*.jsonl.*.tmp"))
	for _, path := range old {
		if gone := os.Remove(path); !errors.Is(gone, fs.ErrNotExist) { // another part may be doing the same
			err = errors.Join(err, gone)
		}
	}
	return err
}
