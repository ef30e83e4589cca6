// Package build schedules the work of building a machine: tasks that follow each other, take people of one skill, and
// share places where one team can work at a time.
//
// Best finds a schedule by list scheduling (R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM Journal on
// Applied Mathematics 17, 1969), and LowerBound what no schedule can beat. Times are working minutes from the begin of
// the work. The package knows neither machines nor calendars, and draws no random numbers.
package build
