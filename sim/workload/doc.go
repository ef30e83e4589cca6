// Package workload reads what a job does, and makes the schedules of package sim/goal that its ranks play: a training
// job from a short description (Job), or execution traces of MLCommons Chakra, in protobuf or JSON (ReadChakra).
//
// # Collectives
//
// A collective operation of a group becomes the messages of a simple algorithm, the same for all sizes: rings for
// all-reduce, all-gather and reduce-scatter, direct messages to all others for all-to-all, gather and scatter, a
// binomial tree for broadcast and reduce, dissemination for a barrier. Sizes are in bytes, as ASTRA-sim takes those of
// Chakra: the vector of each rank before the operation, of a broadcast or scatter that of the root. Parts of vectors
// are rounded up to whole bytes. Reductions take no time.
//
// # Processors
//
// A rank computes on its processor 0 and sends and receives on its processor 1, so that both go on at once;
// calculations of the host in a trace have processor 2. All messages of a rank share one network interface.
//
// # A training job
//
// Ranks are numbered as Megatron-LM does: tensor-parallel ranks are next to each other, data-parallel ones follow, and
// pipeline stages are the farthest apart. A step runs each microbatch forward and backward through the stages, one
// forward and one backward in turn once the pipeline is full (D. Narayanan et al., "Efficient Large-Scale Language
// Model Training on GPU Clusters Using Megatron-LM", SC'21, section 2.2), and ends with an all-reduce of the gradients
// over the data-parallel ranks, which does not overlap with calculations.
package workload
