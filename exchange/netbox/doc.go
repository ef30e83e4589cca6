// Package netbox writes a plan as files for the bulk import of NetBox: sites, manufacturers, roles, types, racks,
// devices and cables, each of which NetBox asks for before the next.
//
// Names are those of the plan, one site for the machine. A device type stands for a part and has an interface for every
// port of it, under the name that is printed there. A port that is broken out by one cable stays whole; where its lanes
// have cables of their own, they are interfaces beside it. Patch panels are devices with front and rear ports.
//
// The import form of cables takes one termination for each side. Cables with more are written as JSON, in the shape in
// which the REST API of NetBox takes them, with names in place of numbers.
//
// The forms are those of NetBox 4.6; older ones from 4.2 on take the same columns.
package netbox
