// Package render writes a planned machine to the files that people and other programs open: a floor plan (floor.png,
// floor.svg, floor.pdf, floor.dxf), a workbook with the bill of materials (bom.xlsx, and bom.csv for other programs),
// the cable schedule (cables.csv), the trays (trays.csv), the bundles (bundles.csv), the patch panels (panels.csv),
// what is plugged into feeds of power (power.csv, power-loads.csv), what cools racks with liquid (cooling.csv), the
// places of all boxes (placement.csv), all of it as one page for a browser (report.html), the whole plan as one
// document (plan.json), and more: Names has all of them. It writes comparisons of machines as well (CompareFiles).
//
// Each format is one Writer: a function from a plan to a stream of bytes that
// keeps no state. Files writes them into a directory, and a file is there
// whole or not at all.
//
// The same plan gives the same bytes on any number of cores: nothing is stamped
// with the time, and nothing depends on the order of a map. Text from the machine
// file is never taken for a formula by a spreadsheet.
//
// A drawing is made once, as a render/scene, and written as each format of drawings
// from that.
//
// The package draws and formats. It computes no figure of its own but sums that
// the plan's own totals must equal, and it never changes the plan.
package render
