// Package layout draws the floor: rooms with racks in rows, aisles, keep-outs and cable trays, or containers within
// containers, and the position of every slot in them.
//
// A Layout is a tree of containers. A slot, the place of one box, has a position and lies in one container of each
// level, outermost first. Cubes within cubes and board, chassis, rack, row and hall are the same tree with other
// numbers. A RoomSpec describes a room; its TrayNetwork finds the shortest route along the trays between two rack
// positions.
//
// # Coordinates and units
//
// Coordinates are metres: x along the rows, y across them, z up from the floor; the lower left corner of the room is
// the origin. Inside a rack, the front (at the cold aisle) is towards -y; a rack whose row faces the other way is
// turned by half a circle. Weights are in kilograms, power in watts.
//
// The package does not know which box stands in a slot (package embed), nor any link between boxes.
package layout
