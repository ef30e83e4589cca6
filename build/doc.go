// Package build schedules the work of building a planned machine: which team does what, where and when, how long that
// takes at least, and what it costs.
//
// Of makes tasks of a plan: racks are placed, boxes mounted, trays and trunks laid, optics plugged; cables are cleaned,
// patched and labelled bundle by bundle, links tested, and fabrics commissioned rack by rack. How long a task takes
// follows from a set of labour figures (Labour), most of which are estimates and say so. Tasks wait for those that they
// depend on, for people of their skill, for the racks where one team works at a time, and for deliveries.
//
// Best finds a schedule by list scheduling (R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM Journal on
// Applied Mathematics 17, 1969), and LowerBound a time that no schedule beats. Times are working minutes from the begin
// of the work; a Calendar turns them into days. Only the ranges of figures are drawn at random, from a seed.
package build
