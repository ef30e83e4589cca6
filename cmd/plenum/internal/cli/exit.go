package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/routing"
)

// computers are the faults of the computer, for any command: no room, no memory, no more open files, a disk or a
// terminal that fails.
var computers = []syscall.Errno{
	syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE,
	syscall.ESTALE, syscall.EPIPE, syscall.EBADF, syscall.ETIMEDOUT, syscall.ENODEV, syscall.ENXIO,
}

// users are faults of a path that was given: it is not there, is of another kind, or may not be read or written.
var users = []syscall.Errno{
	syscall.ENOENT, syscall.EEXIST, syscall.ENOTDIR, syscall.EISDIR, syscall.EACCES, syscall.EPERM, syscall.EROFS,
	syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EINVAL, syscall.ETXTBSY,
}

// Status is the exit status of an error, ExitDone of none. It is the one table for all commands: a fault of the
// computer is one, also where a command has wrapped it, a path that cannot be what was said is the user's to mend.
func Status(err error) int {
	var errno syscall.Errno
	var known *StatusError
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.As(err, &errno) && slices.Contains(computers, errno):
		return ExitFault
	case errors.As(err, &known):
		return known.Status
	case errors.As(err, new(*budget.ExceededError)), errors.Is(err, routing.ErrNoWay):
		return ExitInput
	case errors.As(err, new(diag.List)): // of a machine file, every mistake with its line
		return ExitInput
	case errors.As(err, new(*fs.PathError)), errors.As(err, new(*os.LinkError)):
		if slices.Contains(users, errno) || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
			return ExitInput
		}
	}
	return ExitFault
}

// Output is standard output. It remembers that it failed, for those who print without asking, and keeps control
// characters of names and labels, escape codes among them, from a terminal, which would act on them.
type Output struct {
	W        io.Writer
	Terminal bool
	Colour   bool  // Print colours text
	Err      error // the first
}

// NewOutput is an output to a file, a pipe or a terminal.
func NewOutput(w io.Writer) *Output {
	o := &Output{W: w}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		o.Terminal = err == nil && info.Mode()&fs.ModeCharDevice != 0
	}
	return o
}

// Write writes, unless an earlier write has failed.
func (o *Output) Write(p []byte) (int, error) {
	if o.Err != nil {
		return 0, o.Err
	}
	shown := p
	if o.Terminal {
		shown = escaped(p)
	}
	n, err := o.W.Write(shown)
	o.Err = err
	if err != nil {
		return min(n, len(p)), err
	}
	return len(p), nil
}

// escaped writes control characters but line breaks and tabs as \x1b: those of ASCII, and those of Unicode from U+0080
// to U+009F, which UTF-8 writes as 0xC2 and themselves.
func escaped(p []byte) []byte {
	control := func(i int) bool {
		c := p[i]
		return c < ' ' && c != '\n' && c != '\t' || c == 0x7f ||
			c >= 0x80 && c < 0xa0 && i > 0 && p[i-1] == 0xc2
	}
	var out []byte
	begun := 0
	for i := range p {
		if !control(i) {
			continue
		}
		from := i
		if p[i] >= 0x80 {
			from--
		}
		out = fmt.Appendf(append(out, p[begun:from]...), "\\x%02x", p[i])
		begun = i + 1
	}
	if begun == 0 {
		return p
	}
	return append(out, p[begun:]...)
}
