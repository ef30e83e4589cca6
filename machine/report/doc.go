// Package report has the documents that Plenum prints: a plan ([Plan]), several
// plans side by side ([Comparison] and its [CompareDocument]), and what a cable
// ([Cable]) or a part ([Part]) of a plan is explained by.
//
// A document is what `--json` prints and plan.json holds. Its types fix the names
// of all fields and the units of all figures, and every section has a function
// that makes it from the values that the packages below return; where those say
// the same, they are the section (delay.Routed, delay.Stretch, cost.Row). Lengths
// are in metres, delays in nanoseconds, powers in watts, masses in kilograms,
// rates in gigabits per second, money in units of the document's currency; other
// units stand in the name of the field. Figures are rounded to six decimals
// ([Round]), beyond which processors may differ.
package report
