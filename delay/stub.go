// Package delay is about delays.
package delay

// Result is about paths.
type Result struct{}

// Summary is about links.
type Summary struct{ Mean, Max float64 }
