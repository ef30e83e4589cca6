package delay

import "golang.org/x/sys/cpu"

// hasLanes is whether sources side by side are measured together, in AVX-512: one at a time takes as long without.
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
