// Package edited reads the workbook of a plan back after people edited it: prices, names and places of boxes, locks,
// positions of racks, and marks of what is owned. What was edited is found by comparing the workbook with the plan of
// the same machine file, row by row and by the name in the first column, so that sorted and filtered tables do as well.
// Edits become what the sections of a machine file say: prices.unit, names.table, embedding.placement, lock and racks,
// and owned.workbook. All other sheets are compared with the workbook that the plan would have: any other difference
// is refused, with its cell. Content that nobody reads, such as sheets and columns that were added and formulas that
// were changed, is reported.
package edited
