// Package layout describes rooms: containers with places for boxes, racks in rows, aisles, keep-outs and the overhead
// cable trays.
//
// A Layout is a tree of containers. Every slot (a place for one box) has a
// position and lies in one container of each level, outermost first. Nested
// cubes and board-chassis-rack-row-hall are the same tree with other numbers.
//
// Coordinates are metres: x along the rows, y across them, z up from the floor;
// the room's lower left corner is the origin. Inside a rack, the front (at the
// cold aisle) is towards -y; a rack whose row faces the other way is turned by
// half a circle.
//
// The package knows boxes and places but not which box stands where (package
// embed) nor any link between them.
package layout
