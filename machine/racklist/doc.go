// Package racklist reads and writes lists of the racks that exist in a room: a table (CSV, or a sheet of a workbook)
// with a line for each.
//
// Read takes a table strictly and tells all mistakes with their places. Kinds finds the type of every rack, which is a
// part or a type of the machine file with limits of its own; Lay makes rows of the racks, by their names or by where
// they stand; Check refuses racks that stand on each other, beyond walls or where something is in the way. What becomes
// of them is a layout.RoomSpec, so that everything else knows rooms only, whether they were listed or laid out. Write
// writes the list of any room, which gives the same room when it is read again.
//
// Lengths are metres from the room's south-western corner; x and y of a rack are those of the corner of its footprint
// that is nearest to it. The package knows neither machines nor catalogs.
package racklist
