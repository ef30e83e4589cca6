// Package drawing reads the drawing of a building (DXF, GeoJSON or PNG) and finds the edge of the floor, walls, doors,
// columns and other objects on it. A PNG is only shown below the floor: no objects are found in a picture.
//
// A Drawing is lines on layers, in metres, in the coordinates of the file until Move moves them. Arcs, circles and
// splines are polygons with their corners on the curve. Entities in blocks are drawn where the blocks are inserted,
// those on layer 0 on the layer of the insert, as DXF has it. Dimensions, notes and other entities that draw nothing of
// the building are left out; entities that are not read (meshes, 3D solids) are counted by layer, so that a user learns
// what Plenum does not see.
//
// The DXF reader reads the ASCII form from R12 (AC1009) on; the group codes are those of Autodesk's DXF Reference. It
// reads the drawing in plan: it ignores heights, and reads entities with an extrusion direction only if they lie in the
// plane, seen from above or below. Coordinates of GeoJSON (RFC 7946) are planar; the unit is required.
//
// Files may come from anybody, so their content cannot exhaust time or memory: bytes, shapes, points and inserts are
// limited, blocks may not contain themselves, and coordinates are finite. Errors in a file are a diag.List with their
// lines; errors in Options are diag.FieldErrors.
package drawing
