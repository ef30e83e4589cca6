package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// What to do about a full disk is said once, also by a worker that ends because another one has met it: its context has
// the error of the other as its cause.
func TestFullDiskIsToldOnce(t *testing.T) {
	first := roomFor("out", &fs.PathError{Op: "write", Path: "out/shards/x", Err: syscall.ENOSPC})
	for _, err := range []error{first, roomFor("out", first), roomFor("out", fmt.Errorf("x: %w", first))} {
		if !errors.As(err, new(*FullError)) || strings.Count(err.Error(), "--resume") != 1 {
			t.Error(err)
		}
	}
}
