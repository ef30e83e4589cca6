// Package workorder is what people do to get a machine from one cabling to another: steps of moves with all that stands
// at both ends of every cable, what they take from the store and bring back, the labels to print and the ports to cap.
//
// It does not find the steps: asbuilt does between two plans, asbuilt/verify from what is found to the plan. Both write
// their orders by it, as a table, as sheets of paper and as JSON.
package workorder
