package outfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// start starts to write bytes from `from` to `to` of a file to the disk, without waiting.
func start(f *os.File, from, to int64) error {
	return syncRange(f, from, to, unix.SYNC_FILE_RANGE_WRITE)
}

// settle waits until these bytes are on the disk, and releases the memory that they took in the page cache. The kernel
// reports an error of the disk only once: fsync does not repeat an error that settle has returned.
func settle(f *os.File, from, to int64) error {
	const all = unix.SYNC_FILE_RANGE_WAIT_BEFORE | unix.SYNC_FILE_RANGE_WRITE | unix.SYNC_FILE_RANGE_WAIT_AFTER
	if err := syncRange(f, from, to, all); err != nil {
		return err
	}
	return control(f, func(fd int) error {
		_ = unix.Fadvise(fd, from, to-from, unix.FADV_DONTNEED) // an error does no harm
		return nil
	})
}

// syncRange calls sync_file_range. It returns nil where the file system does not support it.
func syncRange(f *os.File, from, to int64, flags int) error {
	err := control(f, func(fd int) error { return unix.SyncFileRange(fd, from, to-from, flags) })
	for _, cannot := range []error{unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP, unix.ESPIPE, unix.EPERM} {
		if errors.Is(err, cannot) {
			return nil // the later fsync suffices
		}
	}
	if err != nil {
		return &os.PathError{Op: "sync_file_range", Path: f.Name(), Err: err}
	}
	return nil
}

// control calls do with the file descriptor, again as long as a signal interrupts it.
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
