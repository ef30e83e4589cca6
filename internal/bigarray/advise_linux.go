package bigarray

import (
	"syscall"
	"unsafe"
)

// least is the bytes from which on an array is worth pages of its own.
const least = 4 << 20

// advise asks for large pages for what no other array shares.
func advise[T any](s []T) {
	var one T
	size := len(s) * int(unsafe.Sizeof(one))
	if size < least {
		return
	}
	// The runtime puts large arrays on pages of their own, so that the advice meets no other one.
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size)
	_ = syscall.Madvise(bytes[:size/pageSize*pageSize], syscall.MADV_HUGEPAGE) // a hint
}

const pageSize = 1 << 16
