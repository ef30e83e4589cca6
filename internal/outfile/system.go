package outfile

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// calls are what is asked of the operating system, so that tests can have each of them fail.
type calls struct {
	mkdirAll func(dir string) error
	create   func(final string) (*os.File, error) // a temporary file beside a final name
	open     func(path string) (*os.File, error)  // what is not an ordinary file
	write    func(f *os.File, p []byte) (int, error)
	start    func(f *os.File, from, to int64) error // brings a stretch to the disk, without waiting
	settle   func(f *os.File, from, to int64) error // waits for that, and keeps it in memory no longer
	sync     func(f *os.File) error
	rename   func(from, to string) error
	link     func(from, to string) error // as rename, but refuses to replace; the name from stays
	remove   func(path string) error
	syncDir  func(dir string) error
}

var system = calls{
	mkdirAll: func(dir string) error { return os.MkdirAll(dir, 0o777) },
	create:   create,
	open:     func(path string) (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) },
	write:    func(f *os.File, p []byte) (int, error) { return f.Write(p) },
	start:    start,
	settle:   settle,
	sync:     func(f *os.File) error { return f.Sync() },
	rename:   os.Rename,
	link:     link,
	remove:   os.Remove,
	syncDir: func(dir string) error {
		d, err := os.Open(dir)
		if err != nil {
			return err
		}
		err = d.Sync()
		if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) { // some file systems cannot
			err = nil
		}
		return errors.Join(err, d.Close())
	},
}

// link gives a file a second name, which must not be taken. Where the file system has no links, it renames.
func link(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, os.ErrExist) {
		return err
	}
	if _, there := os.Lstat(to); there == nil {
		return &os.PathError{Op: "create", Path: to, Err: os.ErrExist}
	}
	return os.Rename(from, to)
}

// host tells machines that write to the same directory apart.
var host = func() string {
	name, _ := os.Hostname()
	h := fnv.New32a()
	h.Write([]byte(name))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}()

// create makes a new file beside another, with the permissions that it is to have, which os.CreateTemp would not. Its
// name says which process of which machine writes it.
func create(final string) (*os.File, error) {
	dir, base := filepath.Split(final)
	for n := 0; ; n++ {
		path := dir + prefix(base) + fmt.Sprintf("%s-%d-%d.tmp", host, os.Getpid(), n)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		var known *os.PathError
		switch {
		case errors.As(err, &known) && !errors.Is(err, os.ErrExist):
			return nil, &os.PathError{Op: "create", Path: final, Err: known.Err}
		case err == nil:
			return f, nil
		}
	}
}

// longestKept is how much of a name stands in that of its temporary file: names of 255 bytes are common limits.
const longestKept = 200

func prefix(base string) string {
	return "." + base[:min(len(base), longestKept)] + "."
}

// clear removes what earlier processes of this machine left of the same file when they were killed.
func (r *run) clear(final string) {
	dir, base := filepath.Split(final)
	if dir == "" {
		dir = "."
	}
	for _, name := range r.temporary(dir) {
		rest, ours := strings.CutPrefix(name, prefix(base))
		part := strings.Split(strings.TrimSuffix(rest, ".tmp"), "-")
		if !ours || len(part) != 3 || part[0] != host {
			continue
		}
		if pid, err := strconv.Atoi(part[1]); err == nil && !alive(pid) {
			r.sys.remove(filepath.Join(dir, name))
		}
	}
}

// temporary is the names of a folder that temporary files could have, as they were when the first file of this run was
// written there: to look again for each of thousands of files would take the square of their number.
func (r *run) temporary(dir string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	names, ok := r.left[dir]
	if ok {
		return names
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // making the file will tell
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), ".tmp") {
			names = append(names, e.Name())
		}
	}
	if r.left == nil {
		r.left = map[string][]string{}
	}
	r.left[dir] = names
	return names
}

// alive reports whether a process runs; true where that cannot be known.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}
