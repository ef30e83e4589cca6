// Package sweep plans or simulates a machine many times over, with some of its values changed: a study.
//
// A sweep file names a machine, the axes along which its fields or the options of what is measured change, a grid or a
// random sample of them, and how often each is repeated with another seed. That gives numbered points, each with a hash
// of all that its figures depend on. The points are cut into shards, a fixed number of points each; the result of a
// shard is a file of JSON lines that appears when it is whole. Nothing else is kept while a study runs, so that it may
// be killed at any time and goes on after the last whole shard, and any number of processes on any machines that share
// a directory may run a part of the shards each. Merge makes one table of all shards.
//
// A point is the same wherever and however often it is computed, and so is the table: the order of its rows is that of
// the points, independent of the order of runs. A machine that cannot be planned is a row with the reason.
//
// The package runs studies on the cores of one machine; package sweep/slurm has a cluster do it.
package sweep
