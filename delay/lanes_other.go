//go:build !amd64

package delay

const hasLanes = false

// laneWorker is nil: sources are measured one by one.
func laneWorker(*tally, *lattice) func([]group) { return nil }
