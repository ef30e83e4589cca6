// Package infile opens the files that users and their machine files name. It keeps a process to those below a directory
// where it has to, and ends reading when the process is interrupted.
package infile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// File is a file that is open for reading.
type File struct{ *os.File }

// interrupted says that files are not read any more, ended that a read has failed by that.
var interrupted, ended atomic.Bool

// Interrupt ends the reading of all files: reads return context.Canceled for the rest of the life of the process.
// Readers of tables and of machine files have no context, and large tables take many seconds.
func Interrupt() { interrupted.Store(true) }

// WasInterrupted reports whether Interrupt has ended a read: what the reader reports then is not a mistake in the file.
func WasInterrupted() bool { return ended.Load() }

// Read reads from the file as os.File does. The error is context.Canceled after Interrupt.
func (f *File) Read(p []byte) (int, error) {
	if interrupted.Load() {
		ended.Store(true)
		return 0, context.Canceled
	}
	return f.File.Read(p)
}

// WriteTo keeps io.Copy from reading the file by another way than Read.
func (f *File) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, struct{ io.Reader }{f}) }

// newFile makes a File of what os has opened.
func newFile(f *os.File, err error) (*File, error) {
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// Open opens a file for reading. It refuses what is not a regular file before it opens it: the other end of a pipe
// may never come, and a device may have no end.
func Open(path string) (*File, error) {
	if root := confined.Load(); root != nil {
		return within(root, path)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return newFile(os.Open(path))
}

// OpenArgument opens a file that the user names in person, such as in the arguments of a command. It may be a pipe,
// unless the process is confined.
func OpenArgument(path string) (*File, error) {
	if root := confined.Load(); root != nil {
		return within(root, path)
	}
	return newFile(os.Open(path))
}

// confined is the directory that all files have to be below, nil where they may be anywhere.
var confined atomic.Pointer[os.Root]

// Confine has Open and OpenArgument refuse all files but the regular ones below the working directory, for the rest of
// the life of the process: absolute paths, paths that leave the directory, and symbolic links that do so are errors.
func Confine() error {
	root, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	confined.Store(root)
	return nil
}

// within opens a file below a directory.
func within(root *os.Root, path string) (*File, error) {
	if _, err := Inside(root, path); err != nil {
		return nil, err
	}
	return newFile(root.Open(path))
}

// Inside describes the regular file or directory below a directory that a path names. The error says why a path is
// refused; it is an fs.ErrNotExist where nothing has this name.
func Inside(root *os.Root, path string) (fs.FileInfo, error) {
	switch {
	case filepath.IsAbs(path):
		return nil, fmt.Errorf("%s is an absolute path; expected one below the directory %s", path, base(root))
	case !filepath.IsLocal(path):
		return nil, fmt.Errorf("%s is not below the directory %s", path, base(root))
	}
	info, err := root.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read below the directory %s: %w", path, base(root), err)
	case !info.Mode().IsRegular() && !info.IsDir():
		return nil, fmt.Errorf("%s is neither a regular file nor a directory", path)
	}
	return info, nil
}

// base is the name of a directory without those that it is in.
func base(root *os.Root) string {
	if path, err := filepath.Abs(root.Name()); err == nil {
		return filepath.Base(path)
	}
	return root.Name()
}
