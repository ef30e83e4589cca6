package packet

import (
	"maps"
	"slices"

	"github.com/plenum-planner/plenum/diag"
)

// readings are options by which published figures are compared, by name.
var readings = map[string]Options{
	// J. Navaridas et al., "Reducing complexity in tree-like computer interconnection
	// networks", Parallel Computing 36, 2010, section 4.1, for all of its tables: one
	// virtual channel; packets of 16 phits of 128 bits; queues of 4 packets, 8 to inject;
	// an output takes one of those that ask at random; "the one with more available
	// credits is selected", which we take for the room behind it in phits, busy or not.
	"thin-trees": {
		VCs: 1, PacketPhits: 16, PhitBytes: 16, BufferPackets: 4, InjectionPackets: 8,
		Switching: CutThrough, Arbiter: Random, Select: Room,
	},
	// BookSim 2 (N. Jiang et al., "A detailed and flexible cycle-accurate network-on-chip simulator", ISPASS 2013), as
	// our comparisons with it set both alike: packets of one phit, buffers of 8 for as many virtual channels as the
	// routing needs, two cycles through a switch besides waiting and the link, one to inject, arbitration in turn.
	// Every terminal has a channel of a cycle to its router and one from it, in a torus as in a tree.
	"booksim": {
		VCs: Needed, PacketPhits: 1, PhitBytes: 16, BufferPackets: 8, InjectionPackets: 8, Pipeline: 2, Inject: 1,
		NodeLink: 1, Switching: CutThrough, Arbiter: RoundRobin, Select: Idle,
	},
}

// Readings names the sets of options that Like knows.
func Readings() []string { return slices.Sorted(maps.Keys(readings)) }

// Like returns the switches by which the figures of a paper or of another simulator are compared: thin-trees,
// booksim. The error is a diag.FieldError of Like.
func Like(name string) (Options, error) {
	o, ok := readings[name]
	if !ok {
		return o, diag.Fieldf("Like", "no reading %q\n%s", name, diag.Suggest(name, Readings(), "there are "))
	}
	o.Patience = DefaultOptions().Patience // no paper's
	return o, nil
}
