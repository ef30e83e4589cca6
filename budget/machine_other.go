//go:build !linux

package budget

// Machine is the memory that this process may have, in bytes; 0, as it is not known here.
func Machine() int64 { return 0 }
