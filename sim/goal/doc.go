// Package goal holds schedules of ranks that compute and send messages to each
// other, as the Group Operation Assembly Language describes them (T. Hoefler, C.
// Siebert and A. Lumsdaine, "Group Operation Assembly Language: a flexible way to
// express collective communication", ICPP 2009), and reads and writes its text as
// LogGOPSim's tools do.
//
// A schedule is a list of operations for each rank: calculations of a time, sends
// and receives. An operation begins when all that it requires have ended, or have
// begun where it only irequires them. Sizes are in bytes, times of calculations in
// nanoseconds. The package knows no network and no clock; package sim/loggops plays
// schedules.
//
// Memory is about 36 bytes an operation and 4 for each dependence, for any
// length of the text. A schedule has at most MaxRanks ranks and MaxOps operations.
package goal
