package delay

import "golang.org/x/sys/cpu"

// hasLanes reports whether several sources are measured at once with AVX-512. Without it that is no faster than one
// source at a time.
var hasLanes = hasAVX512 && cpu.X86.HasAVX512DQ

//go:noescape
func passRowAVX512(args *passRowArgs) bool

//go:noescape
func leadsAVX512(from, to *lane, links *uint64, width int) bool

//go:noescape
func lowerAVX512(from, to *lane, links *uint64, width int)

//go:noescape
func alongAVX512(row *lane, links *uint64, width int) bool

//go:noescape
func aroundAVX512(row *lane, links *uint64, width int) bool
