package packet

import (
	"math/rand/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/bigarray"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
)

var errNoNetwork = diag.Fieldf("Network", "a run needs a network")

// newEngine lays out a run that nothing has been sent in.
func newEngine(cfg Config) (*engine, error) {
	e, err := planEngine(cfg)
	if err != nil {
		return nil, err
	}
	e.build()
	switch {
	case e.cfg.Switching == Wormhole:
		e.newWorm()
	case e.cfg.Select == Room:
		e.moving = e.newMoving()
	}
	e.early = e.worm == nil && e.once && !e.tracks && (e.single || e.steady)
	return e, nil
}

// planEngine is an engine with its delays, before its arrays are laid out.
func planEngine(cfg Config) (*engine, error) {
	var err error
	if cfg.Options, err = cfg.withDefaults(); err != nil {
		return nil, err
	}
	n := cfg.Network
	switch {
	case n == nil:
		return nil, errNoNetwork
	case cfg.Routing == nil:
		return nil, diag.Fieldf("Routing", "a run needs a routing function")
	}
	fair := cfg.VCs == 0 && cfg.Routing.Classes() > FairVCs
	cfg.VCs = cfg.Channels()
	classes := routing.Split(cfg.Routing, cfg.VCs)
	if classes == nil {
		return nil, diag.Fieldf("VCs", "routing %s needs %d virtual channels, not %d", cfg.Routing.Name(),
			cfg.Routing.Classes(), cfg.VCs)
	}
	if cfg.VCs > 64 {
		return nil, diag.Fieldf("VCs", "routing %s needs %d virtual channels on this network; 64 at most",
			cfg.Routing.Name(), cfg.VCs)
	}
	if routing.IsBubbleFlow(cfg.Routing) && cfg.BufferPackets == 1 {
		return nil, diag.Fieldf("BufferPackets", "bubble flow control needs buffers of 2 packets")
	}
	e := &engine{
		cfg: cfg, net: n, fn: cfg.Routing, single: routing.IsSinglePath(cfg.Routing),
		once: routing.IsSourceDecided(cfg.Routing), classes: classes,
		vcs: cfg.VCs, phits: int64(cfg.PacketPhits), channels: n.Channels(),
		fair: fair,
	}
	e.stores = cfg.Switching == StoreAndForward
	if e.charges, err = cfg.Charges(); err != nil {
		return nil, err
	}
	if e.single {
		e.step, _ = cfg.Routing.(routing.Stepper)
	}
	e.shareVC = (1<<shareBits + uint64(e.vcs) - 1) / uint64(e.vcs)
	e.cell = e.phits
	if cfg.Switching == Wormhole {
		e.cell = 1
		if err := routing.Wormhole(cfg.Routing, cfg.SharedBuffers); err != nil {
			return nil, diag.Fieldf("Switching", "%v", err)
		}
	}
	loads := routing.LoadUseOf(cfg.Routing)
	e.watches = loads.Waiting
	e.undecided = routing.IsUndecided(cfg.Routing)
	e.steady = routing.IsSteady(cfg.Routing) && cfg.Routing.Classes() == 1 && cfg.Switching != Wormhole &&
		cfg.Select == Idle
	e.tracks = !e.single && !e.steady || loads.Read
	if err := e.delays(); err != nil {
		return nil, err
	}
	return e, e.fits()
}

// Charges are the cycles of routers and terminals.
func (c Config) Charges() (routing.Charges[int32], error) {
	if c.Network == nil {
		return routing.Charges[int32]{}, errNoNetwork
	}
	byKind, err := c.byKind(c.Network.Graph.Kinds())
	if err != nil {
		return routing.Charges[int32]{}, err
	}
	return routing.ChargesOf(c.Network, byKind), nil
}

// byKind is Vertex, filled in where it is nil.
func (c Config) byKind(kinds []topology.Kind) ([]int32, error) {
	byKind := c.Vertex
	if byKind == nil {
		for _, k := range kinds {
			byKind = append(byKind, topology.Charge(k.Role, int32(c.Pipeline), 0))
		}
	}
	if len(byKind) != len(kinds) {
		return nil, diag.Fieldf("Vertex", "%d numbers for %d kinds of vertices", len(byKind), len(kinds))
	}
	for i, cycles := range byKind {
		if cycles < 0 || cycles > 1<<16 {
			return nil, diag.Fieldf(diag.Elem("Vertex", i), "%d cycles; from 0 to %d", cycles, 1<<16)
		}
	}
	return byKind, nil
}

// checkLatency refuses latencies of other than a graph's links, and those out of range.
func (c Config) checkLatency(g topology.Graph) error {
	if c.Latency == nil {
		return nil
	}
	links := 0
	for range g.Links() {
		links++
	}
	if links != len(c.Latency) {
		return diag.Fieldf("Latency", "%d latencies for %d links", len(c.Latency), links)
	}
	for i, l := range c.Latency {
		if l < 0 || l > 1<<22 {
			return diag.Fieldf(diag.Elem("Latency", i), "%d cycles; from 0 to %d", l, 1<<22)
		}
	}
	return nil
}

// latency is the cycles that a signal takes on a link.
func (c Config) latency(link int32) int32 {
	if c.Latency == nil {
		return 1
	}
	return max(c.Latency[link], 1)
}

// Channels is the number of virtual channels of a port, with what VCs stands for in place of 0 and Needed.
func (c Config) Channels() int {
	switch c.VCs {
	case 0:
		return max(FairVCs, c.Routing.Classes())
	case Needed:
		return c.Routing.Classes()
	}
	return c.VCs
}

// delays fills in what follows from the lengths of links.
func (e *engine) delays() error {
	n := e.net
	e.outputs = bigarray.Make[output](e.channels + n.Terminals())
	if err := e.cfg.checkLatency(n.Graph); err != nil {
		return err
	}
	for c := range e.channels {
		e.outputs[c].latency = e.cfg.latency(n.Link[c])
	}
	for t := range n.TerminalLink {
		e.outputs[e.channels+t].latency = e.cfg.TerminalLatency(int32(t))
	}
	return nil
}

// TerminalLatency returns the cycles of the link between a terminal and its router, in each direction: that of the
// graph, or NodeLink where the terminal is its own router.
func (c *Config) TerminalLatency(t int32) int32 {
	if link := c.Network.TerminalLink[t]; link >= 0 {
		return c.latency(link)
	}
	return int32(c.NodeLink)
}

// creditTime is the cycles until an output knows of room that is returned to it.
func (e *engine) creditTime(out int) int32 {
	latency := e.outputs[out].latency
	if out < e.channels {
		return int32(e.cell) + latency
	}
	return int32(e.cell) + max(int32(e.inject(int32(out-e.channels)))+latency-1, 0)
}

// maxBuffers is the most virtual channels of all inputs, and maxWheel the most
// words of the wheel: about 4 and 1 GB.
const maxBuffers, maxWheel = 1 << 26, 1 << 27

// fits refuses what would take too much memory.
func (e *engine) fits() error {
	if buffers := int64(e.channels+e.net.Terminals()) * int64(e.vcs); buffers > maxBuffers {
		return diag.Fieldf("VCs", "%d inputs with %d virtual channels; %d of these at most",
			e.channels+e.net.Terminals(), e.vcs, maxBuffers)
	}
	longest := e.longest()
	if words := longest * int64((e.net.Routers()+63)/64); words > maxWheel/2 {
		return diag.Fieldf("Latency", "delays of up to %d cycles are too long for a network of %d switches; choose a "+
			"slower clock or shorter packets", longest, e.net.Routers())
	}
	return nil
}

// build lays out the arrays.
func (e *engine) build() {
	n := e.net
	e.choices = make([][]routing.Hop, n.Routers())
	e.streams = newStreams(e.cfg.Seed, n.Routers()+n.Terminals())
	e.rng = rand.New(&e.streams)
	e.state.Rand = e.rng
	e.firstPort = make([]int32, n.Routers()+1)
	e.idle, e.closed = make([]bool, n.Routers()), make([]int64, n.Routers())
	e.firstWord = make([]int32, n.Routers()+1)
	homeOf := make([][]int32, n.Routers())
	for t, r := range n.Home {
		if r >= 0 {
			homeOf[r] = append(homeOf[r], int32(t))
		} else {
			e.outputs[e.channels+t].port = -1
			e.broken = true
		}
	}
	e.inputs = bigarray.Make[input](len(e.outputs))[:0]
	for r := range n.Routers() {
		for _, c := range n.Into(int32(r)) {
			e.connect(c, n.From[c], int32(r))
		}
		for _, t := range homeOf[r] {
			e.connect(int32(e.channels)+t, int32(r), int32(r))
		}
		e.firstPort[r+1] = int32(len(e.inputs))
		e.firstWord[r+1] = e.firstWord[r] + (e.firstPort[r+1]-e.firstPort[r]+63)/64
	}
	e.busyPorts = make([]uint64, e.firstWord[n.Routers()])
	e.buffers = bigarray.Make[buffer](len(e.inputs) * e.vcs)
	e.credits = bigarray.Make[int32](len(e.outputs) * e.vcs)
	for i := range e.buffers {
		e.buffers[i] = buffer{head: -1, tail: -1, out: noOut, wants: -1}
	}
	e.sizes = make([]int32, e.channels)
	for i := range e.inputs {
		source := int(e.inputs[i].source)
		size := int32(e.size(source))
		if source < e.channels {
			e.sizes[source] = size
		}
		for v := range e.vcs {
			e.credits[source*e.vcs+v] = size
		}
		e.outputs[source].room = size * int32(e.vcs)
	}
	e.want = bigarray.Make[int32](len(e.outputs))
	e.state.Wait, e.state.Sent = e.want[:e.channels], make([]int32, e.channels)
	for c := range e.state.Sent {
		e.state.Sent[c] = -int32((int64(e.roundTrip(c))*e.cell + e.phits - 1) / e.phits)
	}
	if routing.LoadUseOf(e.fn).Remote {
		e.seen = e.newSeen()
	}
	e.wheel.build(e.longest(), [2]int32{0, int32(n.Routers())}, n.Terminals())
	e.ahead = ahead{looks: e.looksAhead(), decides: e.single && e.once && !e.tracks}
	e.ahead.table, _ = e.fn.(routing.Tabled)
}

// connect gives an output the next input port.
func (e *engine) connect(out, from, to int32) {
	o := &e.outputs[out]
	o.port, o.from, o.to = int32(len(e.inputs)), from, to
	e.inputs = append(e.inputs, input{source: out, credit: e.creditTime(int(out)), router: to})
}

// size is the cells that the buffers behind an output hold.
func (e *engine) size(out int) int {
	packet := int(e.phits / e.cell)
	switch {
	case out >= e.channels && e.net.TerminalLink[out-e.channels] < 0:
		return e.cfg.InjectionPackets * packet
	case e.cfg.BufferPhits > 0:
		return e.cfg.BufferPhits
	case e.cfg.BufferPackets > 0:
		return e.cfg.BufferPackets * packet
	}
	usual := max(4*packet, e.roundTrip(out))
	if e.fair {
		return max((FairVCs*usual+e.vcs-1)/e.vcs, packet)
	}
	return usual
}

// roundTrip is the cells that must fit into a buffer for one stream of packets
// to use the whole link: those that are sent until the room of the first is known
// to be free again.
func (e *engine) roundTrip(out int) int {
	var before int64
	if out >= e.channels {
		before = e.inject(int32(out - e.channels))
	} else {
		before = int64(e.charges.Router[e.net.From[out]])
	}
	cycles := before + int64(e.outputs[out].latency) + int64(e.creditTime(out))
	if e.cfg.Switching == StoreAndForward {
		cycles += e.phits - 1
	}
	return int((cycles + e.cell - 1) / e.cell)
}

// longest is the most cycles that anything is put off.
func (e *engine) longest() int64 {
	most := int64(0)
	for i := range e.outputs {
		most = max(most, int64(e.outputs[i].latency), int64(e.creditTime(i)))
	}
	var router, terminal int32
	for _, cycles := range e.charges.Router {
		router = max(router, cycles)
	}
	for _, cycles := range e.charges.Terminal {
		terminal = max(terminal, cycles)
	}
	return most + int64(router+2*terminal) + int64(e.cfg.Inject+e.cfg.Eject) + 2*e.phits + 2
}
