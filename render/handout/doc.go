// Package handout makes the papers that people carry while they cable a machine: a pull sheet for each bundle, with the
// cables in it, a checklist for each rack, with all that is plugged in there, and a progress file, which they fill in.
//
// Bundles are in the order in which they are pulled and racks in that of the room. Within a bundle or a rack, the order
// is that of the boxes from the top down, and of their ports.
package handout
