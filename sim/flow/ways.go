package flow

import (
	"math"
	"slices"
)

// Where packets choose more than once on their way, what of the ways a message takes depends on the others of its
// first switch. While there are more outputs than streams, each packet takes one that is free just then, and a stream
// is spread over all. When all outputs are busy, each input finds none free but the one that it has just left: every
// stream keeps to one, even if it queues there, until the buffers on that way are full. When one of these streams
// ends, the others find its output too.

// way is the route of a message that begins. It may lead others of its switch to one way each.
func (p *player) way(slot int32) (*route, error) {
	m := &p.messages[slot]
	n, t := p.cfg.Network, p.place[m.Src]
	home := n.Home[t]
	f, err := p.router.between(home, n.Home[p.place[m.Dst]])
	if err != nil {
		return nil, err
	}
	if !f.chooses {
		return f.route, nil
	}
	g := &p.gate[t]
	p.notePassed(g)
	m.room = float64(f.route.hops * float64(p.room))
	g.room, g.stands = max(g.room, m.room), min(g.stands, float64(p.room))
	taken, err := p.isTaken(f)
	switch {
	case err != nil:
		return nil, err
	case !taken:
		p.allWays[home] = append(p.allWays[home], slot)
		return f.route, nil
	}
	if err := p.narrow(home); err != nil {
		return nil, err
	}
	m.narrow = true
	p.oneWay[home] = append(p.oneWay[home], slot)
	return p.least(f)
}

// spare is the outputs of a fork that are free beside one more message, on average, where its packets find a free one
// whenever they ask. Fitted: with 1, recursive halving on a tree of switches with 4 outputs is 16 % faster than with
// packets. Where outputs are busy all the time at any rate, a ring on a tree of 8 outputs is 26 % slower.
const spare = 2

// isTaken reports whether one more message takes the last output of a fork and leaves packets without a free one:
// outputs are busy for as much of the time as messages on them have rates, those whose rate is not known all the time.
func (p *player) isTaken(f *fork) (bool, error) {
	ways, err := p.router.split(f)
	total, busy := whole, 1.0
	for _, w := range ways {
		total += p.rates.load[w.channel]
		for _, m := range p.rates.members[w.channel] {
			rate := p.rates.rate[m.message]
			if rate == 0 {
				rate = 1
			}
			busy += float64(p.rates.uses[m.message][m.index].part() * rate)
		}
	}
	return total > int64(len(ways)-1)*whole && busy > float64(max(len(ways)-spare, 1)), err
}

// narrow leads messages from a router that have begun on all ways to one each.
func (p *player) narrow(home int32) error {
	list := p.allWays[home]
	for _, slot := range list {
		p.endWay(slot)
	}
	for _, slot := range list {
		m := &p.messages[slot]
		f, err := p.router.between(home, p.cfg.Network.Home[p.place[m.Dst]])
		if err != nil {
			return err
		}
		way, err := p.least(f)
		if err != nil {
			return err
		}
		m.narrow = true
		p.oneWay[home] = append(p.oneWay[home], slot)
		p.enter(slot, way, p.rest(slot))
	}
	p.allWays[home] = list[:0]
	return nil
}

// least is one way from a fork, by the outputs that carry least, of equals a random one. Behind the first, a message is
// split where outputs are free, and at the last choice always: packets of several messages come there.
func (p *player) least(f *fork) (*route, error) {
	for first := true; f.chooses; first = false {
		ways, err := p.router.split(f)
		if err != nil {
			return nil, err
		}
		if taken, err := p.isTaken(f); err != nil || !first && !taken {
			return f.route, err
		}
		least, ties := int64(math.MaxInt64), uint32(0)
		for _, w := range ways {
			load := p.rates.load[w.channel]
			if load < least {
				least, ties = load, 0
			}
			if load > least {
				continue
			}
			if ties++; p.rng.Uint32N(ties) == 0 {
				f = w.next
			}
		}
	}
	return f.route, nil
}

// useAllWays lets a message use all paths from now on.
func (p *player) useAllWays(slot int32) {
	m := &p.messages[slot]
	home := p.cfg.Network.Home[p.place[m.Src]]
	forget(&p.oneWay[home], slot)
	p.turns.remove(slot)
	m.narrow = false
	f, err := p.router.between(home, p.cfg.Network.Home[p.place[m.Dst]])
	if err != nil {
		p.err = err
		return
	}
	p.endWay(slot)
	p.enter(slot, f.route, p.rest(slot))
}

// loosen notes that a message has ended: the outputs of its switch are not all busy any more.
func (p *player) loosen(slot int32) {
	m := &p.messages[slot]
	home := p.cfg.Network.Home[p.place[m.Src]]
	forget(&p.allWays[home], slot)
	if !m.narrow {
		return
	}
	m.narrow = false
	p.turns.remove(slot)
	forget(&p.oneWay[home], slot)
	for len(p.oneWay[home]) > 0 && p.err == nil {
		p.useAllWays(p.oneWay[home][0])
	}
}

// forget takes a message off a list.
func forget(list *[]int32, slot int32) {
	*list = slices.DeleteFunc(*list, func(x int32) bool { return x == slot })
}

// turn finds when the buffers on the only way of a message are full.
func (p *player) turn(slot int32) {
	m := &p.messages[slot]
	p.turns.remove(slot)
	if wait := (m.room - p.gate[p.place[m.Src]].stands) / (1 - m.pace); wait < float64(m.phits)/leastRate {
		p.turns.set(slot, p.now+max(int64(math.Ceil(wait-1e-9)), 1))
	}
}

// rest is the phits that a message has still to send.
func (p *player) rest(slot int32) float64 {
	m := &p.messages[slot]
	return max(m.left-float64(m.pace*float64(p.now-m.since)), 0)
}

// endWay takes a message off its path. Its rate on the next path is a guess until rates are computed.
func (p *player) endWay(slot int32) {
	p.count(slot, -p.rest(slot))
	p.rates.end(slot)
	if p.messages[slot].pace > 0 {
		p.begun = append(p.begun, slot)
	}
}

// enter puts what is left of a message on a way.
func (p *player) enter(slot int32, way *route, left float64) {
	m := &p.messages[slot]
	t, to := p.place[m.Src], p.place[m.Dst]
	m.uses = append(append(m.uses[:0], way.uses...), p.receiver(way, to))
	for i := range m.uses {
		if m.uses[i].from == fromSource {
			m.uses[i].from = int32(p.channels) + t
		}
	}
	m.hops = way.hops
	p.rates.begin(slot, m.uses)
	p.rates.luck[slot], p.rates.stands[slot] = m.luck, m.stands
	c := &p.charges
	fixed := int64(p.cfg.Inject+p.cfg.Eject) + int64(c.Terminal[t]+c.Router[p.cfg.Network.Home[to]]+c.Terminal[to]) +
		p.link(t) + p.link(to)
	m.delay = fixed + int64(math.Round(way.delay)) - 1
	p.count(slot, left)
}

// count adds phits of a message to what channels carry.
func (p *player) count(slot int32, phits float64) {
	m := &p.messages[slot]
	for i := range m.uses {
		if u := &m.uses[i]; int(u.resource) < p.channels {
			p.sent[u.resource] += float64(phits * u.part())
		}
	}
	p.FlitHops += float64(phits * m.hops)
}

// receiver is the link to a message's receiver.
func (p *player) receiver(way *route, to int32) use {
	n := p.cfg.Network
	out := use{resource: int32(p.channels) + to, fork: certain, share: whole}
	p.by = p.by[:0]
	for i := range way.uses {
		if u := &way.uses[i]; n.To[u.resource] == n.Home[to] {
			p.by = append(p.by, input{u.resource, u.part()})
		}
	}
	out.comes(p.by, way.chosen)
	return out
}
