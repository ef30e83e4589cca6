// Package infile opens the files that a machine file names.
package infile

import (
	"fmt"
	"os"
)

// Open opens a file for reading. It refuses whatever is not a regular file before it opens it: the other end of a pipe
// may never come, and a device may have no end.
func Open(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return os.Open(path)
}
