// Package machine is the facade of Plenum: it reads machine files and runs the
// whole way from a file to a planned machine.
//
//	spec, err := machine.Load("machine.yaml")
//	plan, err := machine.Plan(ctx, spec)
//
// A Spec is what a person writes; Load and Parse report every mistake in one
// go, each with its line and column. Plan builds the topology, places the boxes
// (package embed), schedules the cables (package cabling), makes the bill
// (package cost) and measures the delays (package delay). The Result holds all
// of it; Report sums it up as one document.
//
// The same spec gives the same result, to the byte, on any number of cores.
package machine

// Version is the version of Plenum; the same spec may give other figures under
// another version.
const Version = "0.1.0"
