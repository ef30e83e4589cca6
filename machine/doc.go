// Package machine is the facade of Plenum: it reads machine files and runs the
// whole way from a file to a planned machine.
//
//	spec, err := machine.Load("machine.yaml")
//	plan, err := machine.Plan(ctx, spec)
//
// A Spec (package machine/spec) is what a person writes; Load and Parse report
// every mistake in one go, each with its line and column. Plan goes through stages
// by name, each a function of what those before it have made:
//
//	resolving names    the topology, the parts and the defaults that the spec names
//	counting links     how much of the machine can be listed and measured
//	placing boxes      a slot for every vertex (package embed)
//	scheduling cables  a way and a product for every link (package cabling)
//	making the bill    what it costs, to build and to run (package cost)
//	checking racks     what breaks design rules once all is known (package cabling)
//	measuring delays   the paths between nodes (package delay)
//
// A Planner does the same for one spec after another, as of a file that is being
// edited, and measures only those delays again that may have changed.
//
// The Result holds all that they made; Report sums it up as one document (package
// machine/report). Estimate and Place stop short of a plan, and Compare sets
// several beside each other.
//
// The same spec gives the same result, to the byte, on any number of cores.
package machine

import "github.com/plenum-planner/plenum/internal/provenance"

// Version is the version of Plenum; the same spec may give other figures under
// another version.
const Version = provenance.Version
