// Package bigarray makes arrays that are read here and there, all over, such as the state of a simulated network: of
// large ones the operating system is asked for pages of 2 MiB, as otherwise most of what a read costs is finding the
// page. It is a hint, without which the arrays are the same. They must hold no pointers.
package bigarray

// Make is make([]T, n) of a T without pointers.
func Make[T any](n int) []T {
	s := make([]T, n)
	advise(s)
	return s
}
