package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/plenum-planner/plenum/diag"
)

func TestStatus(t *testing.T) {
	path := func(errno syscall.Errno) error { return &fs.PathError{Op: "write", Path: "x", Err: errno} }
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, ExitDone},
		{errors.New("a fault"), ExitFault},
		{InputError(errors.New("a mistake")), ExitInput},
		{Brokenf("a rule"), ExitBroken},
		{diag.List{}, ExitInput},
		{context.Canceled, ExitFault},
		{path(syscall.ENOENT), ExitInput},
		{path(syscall.EACCES), ExitInput},
		{path(syscall.EROFS), ExitInput},
		{path(syscall.ENOTDIR), ExitInput},
		{&os.LinkError{Op: "rename", Old: "a", New: "b", Err: syscall.EISDIR}, ExitInput},
		{path(syscall.ENOSPC), ExitFault},
		{InputError(fmt.Errorf("x: %w", path(syscall.ENOSPC))), ExitFault}, // regardless of what the command made of it
		{errors.Join(path(syscall.EIO), InputError(errors.New("a mistake"))), ExitFault},
		{path(syscall.EMFILE), ExitFault},
		{&fs.PathError{Op: "open", Path: "x", Err: errors.New("?")}, ExitFault},
	} {
		if got := Status(tt.err); got != tt.want {
			t.Errorf("%v: status %d, want %d", tt.err, got, tt.want)
		}
	}
}

func TestOutput(t *testing.T) {
	var b bytes.Buffer
	text := "\ta\x1b[2J\u009b1m \u00e9\u4e2d\x7f\n"
	o := &Output{W: &b}
	if n, err := o.Write([]byte(text)); n != len(text) || err != nil || b.String() != text {
		t.Errorf("%d %v %q", n, err, b.String())
	}
	b.Reset()
	o.Terminal = true
	want := "\ta\\x1b[2J\\x9b1m \u00e9\u4e2d\\x7f\n"
	if n, err := o.Write([]byte(text)); n != len(text) || err != nil || b.String() != want {
		t.Errorf("%d %v %q, want %q", n, err, b.String(), want)
	}
}

func TestOutputRemembers(t *testing.T) {
	f, err := os.Open(os.DevNull) // for reading only
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	o := NewOutput(f)
	fmt.Fprintln(o, "help")
	if o.Err == nil {
		t.Error("nothing is remembered")
	}
	if _, err := o.Write(nil); err == nil {
		t.Error("what failed goes on")
	}
}
