// Package label makes labels for both ends of every cable of a plan, with a QR code or a Data Matrix: sheets of paper
// as PDF, files for label printers (ZPL), and a table for the programs of label printers.
//
// The code says the cable's id and the end, such as C00042/A, which is what a technician looks up; all else is to be
// read. Labels are in the order of labels.csv: by rack, and there in the order in which bundles are pulled.
package label
