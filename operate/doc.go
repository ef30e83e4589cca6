// Package operate estimates what it takes to keep a planned machine running: how many repairs a month are expected, of
// which parts and on which evidence, how many spares cover the demand during a lead time, and what stops working when a
// cable, a piece of tray, a switch, a rack or a feed fails.
//
// Failure rates are a dated set of figures, each with its source and its confidence (Rates). A part without a rate is
// listed as unknown and is in no sum.
//
// Failures are taken to be independent and to come at a constant rate, so that the number in a period has a Poisson
// distribution. The package computes and draws nothing.
package operate
