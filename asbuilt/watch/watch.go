// Package watch follows an installation: a directory into which files come that say what is cabled, as verify reads
// them. It looks at the directory at each tick of its caller and has no clock of its own.
//
// A file is read once it has had the same size and time at two looks, so that one that is still being written waits.
// One that cannot be read waits, too, until it changes; what it said before, if it was ever whole, holds until then.
// Files that begin with a dot or end like those of programs that are not done yet are passed over.
package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/exchange"
)

// Most is the most files of a directory that are looked at.
const Most = 10_000

// Dir is a directory that is watched.
type Dir struct {
	path  string
	files map[string]*file
}

// file is a file of the directory.
type file struct {
	size   int64
	time   time.Time
	read   bool // in this size and of this time, well or not
	wiring *exchange.Wiring
	wrong  error // why it could not be read
}

// Waiting is a file that is not whole yet, or cannot be read.
type Waiting struct {
	Name string
	Err  error // nil for a file that has changed since the last look
}

// Open begins to watch a directory.
func Open(path string) (*Dir, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", path)
	}
	return &Dir{path: path, files: map[string]*file{}}, nil
}

// Look looks at the directory and reads what has become whole since; it reports whether anything has changed of what
// the files say, or of which wait.
func (d *Dir) Look() (changed bool, err error) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return false, err
	}
	seen := map[string]bool{}
	for _, e := range entries {
		name := e.Name()
		if unfinished(name) {
			continue
		}
		info, err := os.Stat(filepath.Join(d.path, name))
		if err != nil || !info.Mode().IsRegular() {
			continue // gone meanwhile, or nothing to read, such as a directory
		}
		if len(seen) == Most {
			return false, fmt.Errorf("%s has more than %d files", d.path, Most)
		}
		seen[name] = true
		if d.look(name, info) {
			changed = true
		}
	}
	for name, f := range d.files {
		if !seen[name] {
			changed = changed || f.wiring != nil || f.wrong != nil
			delete(d.files, name)
		}
	}
	return changed, nil
}

// unfinished tells the names of files that programs write and rename when they are done, and of hidden ones.
func unfinished(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~") || strings.HasSuffix(name, "~") ||
		slices.Contains([]string{".tmp", ".part", ".swp", ".crdownload"}, strings.ToLower(filepath.Ext(name)))
}

// look looks at a file; it reports whether what it says has changed.
func (d *Dir) look(name string, info fs.FileInfo) bool {
	f := d.files[name]
	if f == nil || f.size != info.Size() || !f.time.Equal(info.ModTime()) {
		next := &file{size: info.Size(), time: info.ModTime()}
		if f != nil {
			next.wiring = f.wiring
		}
		d.files[name] = next
		return false
	}
	if f.read {
		return false
	}
	f.read = true
	w, err := exchange.Read(filepath.Join(d.path, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if f.wrong = err; err == nil {
		f.wiring = w
	}
	return true
}

// Sources is what the files say, by name.
func (d *Dir) Sources() []*exchange.Wiring {
	var out []*exchange.Wiring
	for _, name := range d.names() {
		if w := d.files[name].wiring; w != nil {
			out = append(out, w)
		}
	}
	return out
}

// Waiting lists the files that are not whole or cannot be read, by name.
func (d *Dir) Waiting() []Waiting {
	var out []Waiting
	for _, name := range d.names() {
		if f := d.files[name]; !f.read || f.wrong != nil {
			out = append(out, Waiting{name, f.wrong})
		}
	}
	return out
}

func (d *Dir) names() []string {
	var out []string
	for name := range d.files {
		out = append(out, name)
	}
	slices.SortFunc(out, cmp.Compare[string])
	return out
}

// Follow looks at the directory once and then at every tick, compares the plan with what its files and the other
// sources say, and tells show when that has changed, and the first time. It ends when all is right and no more links
// are unknown than may be (any number where that is negative), when the ticks do, or when the context is cancelled,
// which is not an error. The result is the last.
func Follow(
	ctx context.Context, p *verify.Plan, d *Dir, others []*exchange.Wiring, ticks <-chan time.Time,
	unknown int64, show func(r *verify.Result, d *Dir) error,
) (*verify.Result, error) {
	var r *verify.Result
	for {
		changed, err := d.Look()
		if err != nil {
			return r, err
		}
		if changed || r == nil {
			r = p.Compare(append(slices.Clone(others), d.Sources()...))
			if err := show(r, d); err != nil {
				return r, err
			}
			if r.OK && (unknown < 0 || int64(r.Unknown) <= unknown) {
				return r, nil
			}
		}
		select {
		case <-ctx.Done():
			return r, nil
		case _, ok := <-ticks:
			if !ok {
				return r, nil
			}
		}
	}
}
