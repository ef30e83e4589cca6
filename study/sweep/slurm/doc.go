// Package slurm has a Slurm cluster compute a study: it writes the script of a job array, submits it, asks how far it
// is
// and cancels it. Every task of the array runs plenum sweep with a part of the shards, in a directory that all nodes
// share. A task that is killed or requeued goes on after the shards that are there; the one that finishes the last
// shard
// merges them.
//
// The package calls sbatch, squeue, scontrol and scancel, and reads nothing else of Slurm's.
package slurm
