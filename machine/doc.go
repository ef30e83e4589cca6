// Package machine plans a machine: it reads a machine file and returns where every box stands, which cable joins every
// pair of ports, what the machine costs and how long messages take.
//
//	spec, err := machine.Load("machine.yaml")
//	plan, err := machine.Plan(ctx, spec)
//	fmt.Println(plan.Report().Cost.Total)
//
// Load and Parse read a Spec (package machine/spec) and report all mistakes of a file at once, each with its line and
// column. Plan, or PlanWith with Options, runs these stages, each a function of the results of those before it:
//
//	resolving names    build the topology, find the parts, fill in the defaults
//	counting links     decide how much of the machine can be listed and measured
//	placing boxes      find a slot for every vertex (package embed)
//	scheduling cables  find a route, a length and a product for every link (package cabling)
//	making the bill    price parts, labour and power (package cost)
//	checking racks     check the design rules that need all of the above (package cabling)
//	measuring delays   measure the paths between nodes (package delay)
//
// Plan returns a Result; its Report is the document that plan.json holds (package machine/report). Estimate counts and
// prices by the model that the file names, from a summary of the plan where it names none; Place stops before cables,
// and Compare plans several machines and lists their figures side by side. A Planner plans one spec after another, as
// an editor needs it, and optimises places and measures delays again only where a change can affect them.
//
// # Invariants
//
// A plan that breaks a design rule is a plan with violations, not an error; an error means wrong input, a machine that
// is too large, or that the context ended, and comes without a result. The same spec and files give the same result, to
// the byte, on any number of cores, unless Options.Stop ends the optimising. Lengths are in metres, times in
// nanoseconds, power in watts and sums of money in cents (package units, whose Price is in whole units of the
// currency).
package machine

import "github.com/plenum-planner/plenum/internal/provenance"

// Version is the version of Plenum; the same spec may give other figures under
// another version.
const Version = provenance.Version
