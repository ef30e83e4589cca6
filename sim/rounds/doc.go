// Package rounds simulates the point-to-point communication of CLEX in
// synchronous rounds, as its authors did (C. Lenzen and R. Wattenhofer, "CLEX:
// Yet Another Supercomputer Architecture?", arXiv:1607.00298, sections II-D and
// III).
//
// # The model
//
// In a round, every edge carries as many messages in each direction as the
// capacity of its level: one in the full form and in cliques. Level and copy
// are those of package topology: a copy of C(1) is a clique, C(k) consists of
// as many copies of C(k-1) as a clique has nodes.
//
// A(1) brings messages to their destinations in a clique. In the first phase,
// of one round, each link takes one message directly; of several for the same
// link, a random one. In each later phase, of two rounds, every message left
// over asks k relays, drawn at random; a relay takes one request per
// destination, drawn at random. In dense traffic the message then moves once, by
// way of one relay that took it; in light traffic the request is the message
// itself, and every relay passes on the copies that it took. A node sends no two
// requests over one link in a phase. Loops count as edges.
//
// A(k) calls A(k-1) to bring each message to a random node, in its own copy of
// C(k-1), whose edges of level k lead to the copy that it is for; then it moves
// over one of these edges; then A(k-1) is called again. The messages at a node
// are spread over its edges, so that X messages take ceil(X/n1) rounds, the last
// of which uses random edges. In the bundled form, the one link of a level has
// capacity n1 (unless another is given) and carries as many messages a round, and
// a node that has no such link, being in the copy already, keeps its messages.
//
// All calls of a step run at the same time; a call's rounds do not count those
// of the calls it makes.
//
// # Loss
//
// A message, copy or request is lost on a link with the probability given, on
// loops never. Answers always arrive. A(1) tries again until a message has
// arrived, and counts it as lost only after more than 10,000 phases; a hop above
// level 1 is repeated Retries times, after which the message counts as lost.
//
// # Failures
//
// Nodes know which of their own links work, and which nodes have edges left
// that lead to a copy. Relays that cannot reach a destination do not answer. A
// message that finds no way on some level stays where it is and is then sent on
// from a random node of the copy, up to Detours times on each level.
//
// # Guarantees
//
// Every message is delivered once, to its destination, or counted as lost or
// undeliverable; a run in which a fingerprint of all messages does not come out
// as it went in ends with an error. The result depends on the options alone:
// the random numbers of a step are seeded by its level, copy and path of calls,
// so the number of goroutines changes nothing. Means are over integers.
//
// # Cost
//
// About 34 bytes per message, 8 more where propagation is asked for and 8 where
// something fails or the trick of Valiant is full; 12 per node, with failures
// one bit more per edge. Nothing is allocated after the start but for what a
// larger copy needs.
// Delays are kept in picoseconds.
package rounds
