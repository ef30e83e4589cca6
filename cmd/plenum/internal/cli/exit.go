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

// computerFaults are the system errors that are faults of the computer, in any command: no room, no memory, no more
// open files, a failing disk or terminal. Status returns ExitFault for them.
var computerFaults = []syscall.Errno{
	syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE,
	syscall.ESTALE, syscall.EPIPE, syscall.EBADF, syscall.ETIMEDOUT, syscall.ENODEV, syscall.ENXIO,
}

// pathFaults are the system errors that the user has to mend if they are about a path: it does not exist, is of another
// kind, or may not be read or written. Status returns ExitInput for them if they are in an fs.PathError or
// os.LinkError.
var pathFaults = []syscall.Errno{
	syscall.ENOENT, syscall.EEXIST, syscall.ENOTDIR, syscall.EISDIR, syscall.EACCES, syscall.EPERM, syscall.EROFS,
	syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EINVAL, syscall.ETXTBSY,
}

// Status returns the exit status of an error of any command. The first case that holds decides:
//   - nil: ExitDone;
//   - a canceled context, a deadline, or one of computerFaults: ExitFault, even inside a StatusError;
//   - a StatusError: its own status;
//   - an exceeded budget, no route, mistakes with their place in a file (diag.List), or one of pathFaults: ExitInput;
//   - anything else: ExitFault.
func Status(err error) int {
	var errno syscall.Errno
	var known *StatusError
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.As(err, &errno) && slices.Contains(computerFaults, errno):
		return ExitFault
	case errors.As(err, &known):
		return known.Status
	case errors.As(err, new(*budget.ExceededError)), errors.Is(err, routing.ErrNoWay):
		return ExitInput
	case errors.As(err, new(diag.List)): // of a machine file, every mistake with its line
		return ExitInput
	case errors.As(err, new(*fs.PathError)), errors.As(err, new(*os.LinkError)):
		if slices.Contains(pathFaults, errno) || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
			return ExitInput
		}
	}
	return ExitFault
}

// Output is standard output. It keeps the first error of a write, for callers that print without checking errors. On a
// terminal, which would act on them, Write escapes control characters of names and labels.
type Output struct {
	W        io.Writer
	Terminal bool  // W is a character device: Write escapes control characters
	Colour   bool  // Print writes colours, past Write; false until set
	Err      error // of the first write that failed, nil if none has
}

// NewOutput returns an output that writes to w: a terminal if w is an os.File of a character device.
func NewOutput(w io.Writer) *Output {
	o := &Output{W: w}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		o.Terminal = err == nil && info.Mode()&fs.ModeCharDevice != 0
	}
	return o
}

// Write writes p, with control characters escaped on a terminal. The number that it returns counts bytes of p: all if
// there is no error. After a write that failed, Write writes nothing and returns the error of that write.
func (o *Output) Write(p []byte) (int, error) {
	if o.Err != nil {
		return 0, o.Err
	}
	shown := p
	if o.Terminal {
		shown = escapeControls(p)
	}
	n, err := o.W.Write(shown)
	o.Err = err
	if err != nil {
		return min(n, len(p)), err
	}
	return len(p), nil
}

// escapeControls returns p with each control character, except line feeds and tabs, replaced by a backslash, x and two
// hexadecimal digits: the escape character becomes the four characters \x1b. Control characters are those of ASCII,
// with carriage return and DEL, and those from U+0080 to U+009F, two bytes in UTF-8. It returns p itself if there are
// none.
func escapeControls(p []byte) []byte {
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
