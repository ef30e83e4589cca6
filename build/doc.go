// Package build schedules the work of building a planned machine: which team does what, where and when, how long that
// takes at least, and what it costs.
//
// The function Of turns a plan into tasks: racks are placed, boxes mounted, trays and trunks laid, optics plugged;
// cables are cleaned, patched and labelled bundle by bundle, links tested, and fabrics commissioned rack by rack. The
// duration of a task follows from a set of labour figures (Labour), most of which are marked as estimates. A task
// begins when the tasks that it depends on are done, when people of its skill are free, when no other team works in its
// racks (one team works in a rack at a time), and when its deliveries have arrived.
//
// Best finds a schedule by list scheduling (R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM Journal on
// Applied Mathematics 17, 1969), and LowerBound a duration that no schedule can be shorter than. Times are working
// minutes from the beginning of the work; a Calendar turns them into days. The schedule itself uses no random numbers.
// Only the ranges of the duration and of the hours (10, 50 and 90 %) come from labour figures drawn at random, from a
// seed.
package build
