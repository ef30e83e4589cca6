// Package slurm has a Slurm cluster compute a study or a search: it writes the script of a job array, submits it, asks
// how far it is and cancels it. Every task of the array runs plenum sweep with a part of the shards, or plenum search
// with a part of the candidates, in a directory that all nodes share. A task that is killed or requeued goes on after
// what is there; the one that finishes the last part merges the shards, or concludes the search.
//
// The package calls sbatch, squeue, scontrol and scancel, and reads nothing else of Slurm's.
package slurm
