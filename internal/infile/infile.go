// Package infile opens the files that users and their machine files name, and keeps a process to those below a
// directory where it has to.
package infile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// Open opens a file for reading. It refuses whatever is not a regular file before it opens it: the other end of a pipe
// may never come, and a device may have no end.
func Open(path string) (*os.File, error) {
	if root := confined.Load(); root != nil {
		return within(root, path)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return os.Open(path)
}

// OpenArgument opens a file that the user names in person, such as in the arguments of a command. It may be a pipe,
// unless the process is confined.
func OpenArgument(path string) (*os.File, error) {
	if root := confined.Load(); root != nil {
		return within(root, path)
	}
	return os.Open(path)
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
func within(root *os.Root, path string) (*os.File, error) {
	if _, err := Inside(root, path); err != nil {
		return nil, err
	}
	return root.Open(path)
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
