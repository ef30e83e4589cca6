package outfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// start has a stretch of a file written to the disk, and does not wait for it.
func start(f *os.File, from, to int64) error {
	return syncRange(f, from, to, unix.SYNC_FILE_RANGE_WRITE)
}

// settle waits until a stretch of a file is on the disk, and gives the memory back that it took. An error of the disk
// that is reported here is not reported again when the whole file is brought there.
func settle(f *os.File, from, to int64) error {
	const all = unix.SYNC_FILE_RANGE_WAIT_BEFORE | unix.SYNC_FILE_RANGE_WRITE | unix.SYNC_FILE_RANGE_WAIT_AFTER
	if err := syncRange(f, from, to, all); err != nil {
		return err
	}
	return control(f, func(fd int) error {
		_ = unix.Fadvise(fd, from, to-from, unix.FADV_DONTNEED) // advice only
		return nil
	})
}

func syncRange(f *os.File, from, to int64, flags int) error {
	err := control(f, func(fd int) error { return unix.SyncFileRange(fd, from, to-from, flags) })
	for _, cannot := range []error{unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP, unix.ESPIPE, unix.EPERM} {
		if errors.Is(err, cannot) {
			return nil // fsync is all that counts
		}
	}
	if err != nil {
		return &os.PathError{Op: "sync_file_range", Path: f.Name(), Err: err}
	}
	return nil
}

func control(f *os.File, do func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var out error
	err = raw.Control(func(fd uintptr) {
		for out = unix.EINTR; errors.Is(out, unix.EINTR); {
			out = do(int(fd))
		}
	})
	return errors.Join(err, out)
}
