// Package scheduler writes how the nodes of a planned machine are grouped by its network, for schedulers that place
// jobs: Slurm's topology files and labels of Kubernetes nodes.
//
//	t, err := scheduler.New(plan, "compute")
//	err = scheduler.WriteSlurm(ctx, file, t, scheduler.Tree)
//
// In a tree the groups are the nodes below a leaf, a pod, and so on (topology.GroupsByTier). Every other network has
// blocks: the smallest groups of its topology with several nodes, such as the nodes of a switch, or the nodes of a rack
// where the topology has no groups.
package scheduler
