// Package scheduler writes how the nodes of a planned machine are grouped by its network, for schedulers that place
// jobs: Slurm's topology files and labels of Kubernetes nodes.
//
//	t, err := scheduler.New(plan, "compute") // the name of a fabric; "" for a machine of one topology
//	err = scheduler.WriteSlurmConf(ctx, file, t)
//
// WriteSlurmConf writes topology.conf, WriteSlurmYAML topology.yaml, WriteKubernetes a document with labels for each
// node. The network decides which plugin of Slurm and which labels they are for:
//
//   - A tree has its nodes on switches and no link within a tier. Its groups are the nodes below a leaf, a pod, and so
//     on (topology.GroupsByTier), also groups of a single node.
//   - Every other network has blocks: the smallest groups of its topology that are several, of the same size, and of
//     two nodes or more, such as the nodes of a switch. Where there are none, a block is the nodes of a rack, or of an
//     innermost container in a room without racks; these may differ in size.
//
// Nodes have the names that the plan gives them, which must be names of hosts. In names of groups and switches a hyphen
// replaces every other character than letters, digits, dots and hyphens. A group that would have the name of another
// one has -x after it.
package scheduler
