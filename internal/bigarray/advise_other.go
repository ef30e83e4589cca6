//go:build !linux

package bigarray

// advise does nothing: only Linux is asked.
func advise[T any]([]T) {}
