package packet

import (
	"math/rand/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/routing"
)

func newEngine(cfg Config) (*engine, error) {
	var err error
	if cfg.Options, err = cfg.filled(); err != nil {
		return nil, err
	}
	n := cfg.Network
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
		vcs: cfg.VCs, phits: int64(cfg.PacketPhits), channels: n.Channels(), free: -1,
		routers: [2]int32{0, int32(n.Routers())}, fair: fair,
	}
	e.cell = e.phits
	if cfg.Switching == Wormhole {
		e.cell = 1
		if err := routing.Wormhole(cfg.Routing, cfg.SharedBuffers); err != nil {
			return nil, diag.Fieldf("Switching", "%v", err)
		}
	}
	loads := routing.LoadUseOf(cfg.Routing)
	e.watches = loads.Waiting
	e.tracks = !e.single || loads.Read
	e.steady = routing.IsSteady(cfg.Routing) && cfg.Routing.Classes() == 1 && cfg.Switching != Wormhole &&
		cfg.Select == Idle
	e.choices = make([][]routing.Hop, n.Routers())
	e.streams = newStreams(cfg.Seed, n.Routers()+n.Terminals())
	e.rng = rand.New(&e.streams)
	e.state.Rand = e.rng
	if err := e.delays(); err != nil {
		return nil, err
	}
	if err := e.fits(); err != nil {
		return nil, err
	}
	e.build()
	switch {
	case e.cfg.Switching == Wormhole:
		e.newWorm()
	case e.cfg.Select == Room:
		e.moving = e.newMoving()
	}
	return e, nil
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
	n, count := e.net, e.channels+e.net.Terminals()
	e.latency, e.credit = make([]int32, count), make([]int32, count)
	of := func(link int32) int32 {
		if e.cfg.Latency == nil {
			return 1
		}
		return max(e.cfg.Latency[link], 1)
	}
	if e.cfg.Latency != nil {
		links := 0
		for range n.Graph.Links() {
			links++
		}
		if links != len(e.cfg.Latency) {
			return diag.Fieldf("Latency", "%d latencies for %d links", len(e.cfg.Latency), links)
		}
		for i, l := range e.cfg.Latency {
			if l < 0 || l > 1<<22 {
				return diag.Fieldf(diag.Elem("Latency", i), "%d cycles; from 0 to %d", l, 1<<22)
			}
		}
	}
	for c := range e.channels {
		e.latency[c] = of(n.Link[c])
		e.credit[c] = int32(e.cell) + e.latency[c]
	}
	for t, link := range n.TerminalLink {
		i := e.channels + t
		if link >= 0 {
			e.latency[i] = of(link)
		}
		e.credit[i] = int32(e.cell) + max(int32(e.cfg.Inject)+e.latency[i]-1, 0)
	}
	return nil
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
	terminals := n.Terminals()
	e.portOf = make([]int32, e.channels+terminals)
	e.firstPort = make([]int32, n.Routers()+1)
	e.idle = make([]bool, n.Routers())
	e.firstWord = make([]int32, n.Routers()+1)
	homeOf := make([][]int32, n.Routers())
	for t, r := range n.Home {
		if r >= 0 {
			homeOf[r] = append(homeOf[r], int32(t))
		} else {
			e.portOf[e.channels+t] = -1
		}
	}
	for r := range n.Routers() {
		for _, c := range n.Into(int32(r)) {
			e.portOf[c] = int32(len(e.source))
			e.source = append(e.source, c)
			e.router = append(e.router, int32(r))
		}
		for _, t := range homeOf[r] {
			e.portOf[e.channels+int(t)] = int32(len(e.source))
			e.source = append(e.source, ^t)
			e.router = append(e.router, int32(r))
		}
		e.firstPort[r+1] = int32(len(e.source))
		e.firstWord[r+1] = e.firstWord[r] + (e.firstPort[r+1]-e.firstPort[r]+63)/64
	}
	ports := len(e.source)
	e.inFree, e.turn, e.waiting = make([]int64, ports), make([]uint8, ports), make([]uint64, ports)
	e.busyPorts = make([]uint64, e.firstWord[n.Routers()])
	e.buffers, e.credits = make([]buffer, ports*e.vcs), make([]int32, ports*e.vcs)
	e.rooms = make([]int32, ports)
	for i := range e.buffers {
		e.buffers[i] = buffer{head: -1, tail: -1, out: noOut, wants: -1}
		e.credits[i] = int32(e.size(e.source[i/e.vcs]))
		e.rooms[i/e.vcs] += e.credits[i]
	}
	outs := e.channels + terminals
	e.outFree, e.lastIn = make([]int64, outs), make([]int32, outs)
	e.want, e.sent = make([]int32, outs), make([]int64, outs)
	e.state.Wait, e.state.Sent = e.want[:e.channels], make([]int32, e.channels)
	for c := range e.state.Sent {
		e.state.Sent[c] = -int32((int64(e.roundTrip(int32(c)))*e.cell + e.phits - 1) / e.phits)
	}
	e.asked, e.winner = make([]int32, outs), make([]int32, outs)
	e.winVC, e.winHop = make([]uint8, outs), make([]routing.Hop, outs)
	e.wheel.build(e.longest(), e.routers, terminals)
}

// size is the cells that the buffers behind a channel or a terminal hold.
func (e *engine) size(source int32) int {
	packet := int(e.phits / e.cell)
	switch {
	case source < 0 && e.net.TerminalLink[^source] < 0:
		return e.cfg.InjectionPackets * packet
	case e.cfg.BufferPhits > 0:
		return e.cfg.BufferPhits
	case e.cfg.BufferPackets > 0:
		return e.cfg.BufferPackets * packet
	}
	usual := max(4*packet, e.roundTrip(source))
	if e.fair {
		return max((FairVCs*usual+e.vcs-1)/e.vcs, packet)
	}
	return usual
}

// roundTrip is the cells that must fit into a buffer for one stream of packets
// to use the whole link: those that are sent until the room of the first is known
// to be free again.
func (e *engine) roundTrip(source int32) int {
	i := int(source)
	pipeline := int64(e.cfg.Pipeline)
	if source < 0 {
		i = e.channels + int(^source)
		pipeline = int64(e.cfg.Inject)
	}
	cycles := pipeline + int64(e.latency[i]) + int64(e.credit[i])
	if e.cfg.Switching == StoreAndForward {
		cycles += e.phits - 1
	}
	return int((cycles + e.cell - 1) / e.cell)
}

// longest is the most cycles that anything is put off.
func (e *engine) longest() int64 {
	most := int64(0)
	for i := range e.latency {
		most = max(most, int64(e.latency[i]), int64(e.credit[i]))
	}
	return most + int64(e.cfg.Pipeline+e.cfg.Inject+e.cfg.Eject) + 2*e.phits + 2
}
