// Package drawing reads the drawing of a building, as DXF, GeoJSON or PNG, and finds in it what a planner of racks asks
// for: the edge of the floor, columns and other things that stand there, walls and doors.
//
// A Drawing is lines on layers, in metres, in the coordinates of the file until Move moves them. Arcs and circles are
// polygons with their corners on the curve. What is drawn in blocks stands where the blocks are inserted, on the layer
// of the insert if it is drawn on layer 0, as DXF has it. Entities that are not read (splines, solids, dimensions) are
// counted by layer, so that a planner can say what it does not know of.
//
// The DXF reader takes the ASCII form from R12 (AC1009) on; the group codes are those of Autodesk's DXF Reference. It
// reads the drawing in plan: heights are left out, and of entities with an extrusion direction those that lie in the
// plane, seen from above or below. GeoJSON (RFC 7946) is taken for planar coordinates, in a unit that has to be given.
//
// Files come from anywhere, so nothing in them decides about time or memory: bytes, shapes, points and inserts are
// bounded, blocks may not contain themselves, and coordinates are finite. Mistakes in a file are a diag.List with their
// lines; mistakes in Options are diag.FieldErrors.
package drawing
