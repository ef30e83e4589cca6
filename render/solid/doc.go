// Package solid shows a planned machine in three dimensions: floors, walls, racks, the boxes in them, trays, drops and
// bundles as one Model of named solids and swept lines, in metres.
//
// A Model is made once from a plan and written as glTF 2.0, for viewers and game engines (Model.GLTF), or as IFC 4, for
// the model of a building (Model.IFC). What is too much to be drawn one by one is drawn as what it amounts to: the
// boxes of a rack as one stack, the bundles of a tray as one body of their cross-section (see Limits).
//
// The axes of a Model are those of a room: x along the rows, y across them, z upwards.
package solid
