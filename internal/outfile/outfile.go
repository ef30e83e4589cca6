// Package outfile writes the files that a run leaves behind, so that however the run ends, every one of them is
// the old file or the new file, whole.
//
// A file is written beside its final name, brought to the disk, and renamed when every file of the run is complete. Of
// a set of files, a manifest that is renamed last says what belongs together: a run that is killed between two renames
// leaves files that do not fit their manifest, which Check tells.
//
// What is not an ordinary file is not replaced: a device, a pipe or a socket is written to, a symbolic link is followed
// to its target. A file that is replaced keeps its permissions.
package outfile

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// File is a file to write.
type File struct {
	Name  string                                       // its path below the directory of the set, with slashes
	Write func(ctx context.Context, w io.Writer) error // stops soon after the context ends
	// Long says how long a file takes, in any unit: what takes longer is begun first, so that no core is left with it
	// in the end while others have nothing to do.
	Long int
	// Ready, where it is not nil, is closed when the file can be written. Others are written meanwhile.
	Ready <-chan struct{}
}

// ready reports whether the file can be written now.
func (f *File) ready() bool {
	if f.Ready == nil {
		return true
	}
	select {
	case <-f.Ready:
		return true
	default:
		return false
	}
}

// Write writes one file: it appears whole or not at all.
func Write(ctx context.Context, path string, write func(io.Writer) error) error {
	f := File{Name: filepath.Base(path), Write: func(_ context.Context, w io.Writer) error { return write(w) }}
	_, err := (&run{sys: system}).set(ctx, filepath.Dir(path), []File{f}, nil, nil)
	return err
}

// New writes a file that must not be there yet, in a directory that must: an error that is fs.ErrExist or
// fs.ErrNotExist otherwise.
func New(ctx context.Context, path string, data []byte) error {
	if _, err := os.Lstat(path); err == nil {
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	r := &run{sys: system, fresh: true}
	f := File{Name: filepath.Base(path), Write: func(_ context.Context, w io.Writer) error {
		_, err := w.Write(data)
		return err
	}}
	_, err := r.set(ctx, filepath.Dir(path), []File{f}, nil, nil)
	return err
}

// Rename gives a file another name in its directory, which must not be taken: an error that is fs.ErrExist otherwise.
func Rename(from, to string) error {
	if err := system.link(from, to); err != nil {
		return err
	}
	if err := system.remove(from); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, system.remove(to))
	}
	return system.syncDir(filepath.Dir(to))
}

// Set writes files into dir, which is created if need be, and removes those of the stale names. It returns the paths of
// the files, in their order. If one cannot be written, or the context ends, dir keeps the files that it had and nothing
// else; where it was not there, it is not there then.
//
// With a manifest, that of dir is brought up to date: files that are not in this set keep their entries. Without one,
// tables get a Sidecar each.
func Set(ctx context.Context, dir string, files []File, stale []string, m *Manifest) ([]string, error) {
	return (&run{sys: system}).set(ctx, dir, files, stale, m)
}

// run is the writing of a set of files.
type run struct {
	sys   calls
	fresh bool // no file may be replaced

	mu      sync.Mutex
	left    map[string][]string // by folder, names that earlier processes may have left
	folders []string            // that were made
}

// atOnce is how many files are written at a time beyond the number of cores, while others wait for the disk: each has
// what it is made from in memory.
const atOnce = 1

// made is a file that has been written and has not got its name yet.
type made struct {
	temp  string // where it is; empty where it was written to directly
	final string // its name, symbolic links followed
	entry Entry
}

func (r *run) set(
	ctx context.Context, dir string, files []File, stale []string, m *Manifest,
) (paths []string, err error) {
	done := make([]made, len(files)+1) // the last is the manifest
	defer func() {
		for _, d := range done {
			if d.temp != "" {
				r.sys.remove(d.temp)
			}
		}
		if err != nil {
			r.unfold()
		}
	}()
	if !r.fresh {
		if err := r.folder(dir); err != nil {
			return nil, err
		}
	}
	err = r.write(ctx, dir, files, done)
	if ctx.Err() != nil { // then that is why they could not be written
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	asked := len(files)
	if m == nil {
		beside := sidecars(ctx, files, done)
		files = append(slices.Clip(files), beside...)
		done = slices.Insert(done, asked, make([]made, len(beside))...)
		for i, f := range beside {
			if err := r.one(ctx, dir, f, &done[asked+i]); err != nil {
				return nil, err
			}
		}
	} else {
		stale = withoutSidecars(files, stale)
		entries := make([]Entry, len(files))
		for i, d := range done[:len(files)] {
			entries[i] = d.entry
		}
		whole, err := m.merge(ctx, dir, entries, stale)
		if err != nil {
			return nil, err
		}
		if err := r.one(ctx, dir, File{Name: ManifestName, Write: whole.write}, &done[len(files)]); err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	paths, err = r.place(dir, files, stale, done)
	return paths[:min(asked, len(paths))], err
}

// write writes files beside their final names, those that take long first, few at a time. What is not an ordinary file
// does not wait for others: who reads pipes may want one after the other, in any order.
func (r *run) write(ctx context.Context, dir string, files []File, done []made) error {
	group, writing := errgroup.WithContext(ctx)
	var waiting []int
	for i, f := range files {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err == nil && !info.Mode().IsRegular() {
			group.Go(func() error { return r.one(writing, dir, f, &done[i]) })
			continue
		}
		waiting = append(waiting, i)
	}
	slices.SortStableFunc(waiting, func(i, j int) int { return cmp.Compare(files[j].Long, files[i].Long) })
	turns := make(chan struct{}, atOnce+runtime.GOMAXPROCS(0))
	for len(waiting) > 0 && writing.Err() == nil {
		select {
		case <-writing.Done():
			continue
		case turns <- struct{}{}:
		}
		at := max(0, slices.IndexFunc(waiting, func(i int) bool { return files[i].ready() }))
		i := waiting[at]
		waiting = slices.Delete(waiting, at, at+1)
		group.Go(func() error {
			defer func() { <-turns }()
			return r.one(writing, dir, files[i], &done[i])
		})
	}
	return group.Wait()
}

// folder makes a directory and those above it, and remembers which were not there.
func (r *run) folder(dir string) error {
	var absent []string
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		absent = append(absent, d)
	}
	r.mu.Lock()
	r.folders = append(r.folders, absent...)
	r.mu.Unlock()
	return r.sys.mkdirAll(dir)
}

// unfold removes the directories that were made, but for those that hold something by now.
func (r *run) unfold() {
	slices.SortFunc(r.folders, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, dir := range r.folders {
		r.sys.remove(dir)
	}
}

// place gives the files their names, that of the manifest last.
func (r *run) place(dir string, files []File, stale []string, done []made) (paths []string, err error) {
	folders := map[string]bool{dir: true}
	rename := func(d *made) error {
		if d.temp == "" {
			return nil
		}
		how := r.sys.rename
		if r.fresh {
			how = r.sys.link
		}
		if err := how(d.temp, d.final); err != nil {
			return err
		}
		if !r.fresh { // a link leaves the other name, which goes in the end
			d.temp = ""
		}
		folders[filepath.Dir(d.final)] = true
		return nil
	}
	last := len(files)
	for i, f := range files {
		if err := rename(&done[i]); err != nil {
			return nil, err
		}
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(f.Name)))
	}
	for _, name := range stale {
		if err := r.sys.remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if err := rename(&done[last]); err != nil {
		return nil, err
	}
	for folder := range folders {
		if err := r.sys.syncDir(folder); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// one writes a file, when it is ready, beside its final name, or to what stands there and is not an ordinary file.
func (r *run) one(ctx context.Context, dir string, f File, d *made) (err error) {
	if !f.ready() {
		select {
		case <-f.Ready:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	path := filepath.Join(dir, filepath.FromSlash(f.Name))
	defer func() {
		var known *fs.PathError
		if err != nil && !errors.As(err, &known) {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	if folder := filepath.Dir(path); folder != filepath.Clean(dir) {
		if err := r.folder(folder); err != nil {
			return err
		}
	}
	var file *os.File
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
	case err == nil && !info.Mode().IsRegular():
		if file, err = r.sys.open(path); err != nil {
			return err
		}
	default:
		if d.final, err = followLinks(path); err != nil {
			return err
		}
		r.clear(d.final)
		if file, err = r.sys.create(d.final); err != nil {
			return err
		}
		d.temp = file.Name()
		if info != nil {
			if err := file.Chmod(info.Mode().Perm()); err != nil {
				return cmp.Or(err, file.Close())
			}
		}
	}
	err = r.fill(ctx, file, f, d)
	if err == nil && d.temp != "" {
		err = r.sys.sync(file)
	}
	return cmp.Or(err, file.Close())
}

// fill has a file written, and keeps its size and its sum.
func (r *run) fill(ctx context.Context, file *os.File, f File, d *made) (err error) {
	defer func() {
		if p := recover(); p != nil { // a fault of ours must not leave the file behind
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	to := &stream{sys: &r.sys, file: file, ordinary: d.temp != ""}
	s := &summed{ctx: ctx, write: to.write, sum: sha256.New()}
	buffered := bufio.NewWriterSize(s, 1<<18)
	if err := f.Write(ctx, buffered); err != nil {
		return err // a buffer that failed would tell the same again
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	d.entry = Entry{Name: f.Name, Bytes: s.bytes, SHA256: hex.EncodeToString(s.sum.Sum(nil))}
	return nil
}

// What is written goes to the disk in stretches of so many bytes, while more is made; of a large file only the last of
// them stay in memory, which would otherwise fill with what nobody may read soon.
const (
	stretch = 4 << 20
	kept    = 8 * stretch
)

// stream writes a file.
type stream struct {
	sys      *calls
	file     *os.File
	ordinary bool  // and no pipe or device
	written  int64 // bytes
	started  int64 // of them are on their way to the disk
	settled  int64 // of them are there
}

func (s *stream) write(p []byte) (int, error) {
	n, err := s.sys.write(s.file, p)
	s.written += int64(n)
	if err != nil || !s.ordinary || s.written-s.started < stretch {
		return n, err
	}
	if err := s.sys.start(s.file, s.started, s.written); err != nil {
		return n, err
	}
	s.started = s.written
	if s.started-s.settled > kept {
		if err := s.sys.settle(s.file, s.settled, s.settled+stretch); err != nil {
			return n, err
		}
		s.settled += stretch
	}
	return n, nil
}

// summed is a writer that a context stops and that sums what passes.
type summed struct {
	ctx   context.Context
	write func(p []byte) (int, error)
	sum   hash.Hash
	bytes int64
}

func (s *summed) Write(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	n, err := s.write(p)
	s.sum.Write(p[:n])
	s.bytes += int64(n)
	return n, err
}

// mostLinks is how many symbolic links are followed, as many as Linux does.
const mostLinks = 40

// followLinks returns the path to which the symbolic links of a path's last element lead; the file need not be there.
func followLinks(path string) (string, error) {
	for range mostLinks {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil //nolint:nilerr // what is not there is made, or says itself why it cannot be
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			// The folder of a link may itself be reached by links, of which ".." is meant to lead out.
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			to = filepath.Join(folder, to)
		}
		path = to
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("too many symbolic links")}
}

// All writes files by their names as Set does, in the order of the names, and no manifest.
func All(ctx context.Context, dir string, files map[string]func(io.Writer) error, stale ...string) ([]string, error) {
	var all []File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		all = append(all, File{
			Name: name, Write: func(_ context.Context, w io.Writer) error { return files[name](w) },
		})
	}
	stale = slices.DeleteFunc(slices.Clone(stale), func(name string) bool { return files[name] != nil })
	return Set(ctx, dir, all, stale, nil)
}
