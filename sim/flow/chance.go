package flow

import (
	"math"
	"math/rand/v2"

	"github.com/plenum-planner/plenum/sim/packet"
)

// What arbiters leave to chance: how fast a message is beside others, and whether its last packet gets through.

// behind is how much of a message stands at the inputs of switches while others of its terminal are in front of it,
// which stand there to 1. Fitted: with a half or all, single collective operations are more than a tenth off packets.
const behind = 0.25

// locked is the share of the time that others take at least, of an input and of the output that its packet waits for,
// where these are hardly ever free at the same time.
const locked = 0.8

// draw is what arbiters give a message of some packets beside others. Where each of the inputs that ask has the same
// chance, the turns of one come at random times, and the time of so many turns has a gamma distribution of that shape;
// of arbiters that do not draw, all messages have 1. It is drawn for the message, whenever that is sent.
func (p *player) draw(id int64, packets float64) float64 {
	switch p.cfg.Arbiter {
	case packet.RoundRobin, packet.Age:
		return 1
	}
	p.draws.Seed(p.cfg.Seed, uint64(id))
	return 1 / gamma(rand.New(&p.draws), packets)
}

// gamma draws from the gamma distribution of a shape of at least 1 and mean 1 (G. Marsaglia and W. W. Tsang, "A simple
// method for generating gamma variables", ACM Transactions on Mathematical Software 26, 2000).
func gamma(rng *rand.Rand, shape float64) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-rng.Float64()) < float64(0.5*x*x)+d-float64(d*v)+float64(d*math.Log(v)) {
			return d * v / shape
		}
	}
}

// tail is where the last packet of a message that has been sent stays behind: it waits at one input for an output that
// others take nearly all the time, and the input too, so that they are hardly ever free at the same time. What the
// message had at other inputs has gone by then, so the packet has no other way. False if there is no such output.
func (p *player) tail(slot int32) (use, bool) {
	r, found, most := p.rates, use{}, locked
	for i := range r.uses[slot] {
		u := &r.uses[slot][i]
		if !r.holds(u.resource) {
			continue
		}
		taken := 0.0
		for _, o := range r.members[u.resource] {
			if o.message != slot {
				taken += float64(r.uses[o.message][o.index].part() * r.rate[o.message])
			}
		}
		by := u.several()
		if u.from != fromSeveral {
			by = []input{{u.from, 1}}
		}
		for _, x := range by {
			if taken <= most {
				break
			}
			if busy := min(r.carried[x.resource]-r.passes(x.resource, u.resource), taken); busy > most {
				found, most = use{resource: u.resource, from: x.resource, fork: certain, share: whole}, busy
			}
		}
	}
	return found, most > locked
}

// passes is the phits a cycle that come to a resource by an input.
func (r *rates) passes(from, resource int32) float64 {
	sum := 0.0
	for _, m := range r.members[resource] {
		u, rate := &r.uses[m.message][m.index], r.counted[m.message]
		if u.from == from {
			sum += float64(u.part() * rate)
		}
		for _, x := range u.several() {
			if x.resource == from {
				sum += float64(u.part() * x.share * rate)
			}
		}
	}
	return sum
}
