package flow

import (
	"context"
	"math"
	"slices"
)

// rates keeps the rates of messages fair. Messages have numbers from 0 that are used again.
//
// A resource is shared fairly by the inputs that messages come from, and what an input gets by its messages: an offer
// of a resource to a message is the rate that it would have if all that share the resource took what they are offered.
// A message has the least of its offers. Those whose least offer is lowest of all have it, and what they leave is
// offered to the others.
//
// An input sends one packet at a time, and asks for a resource only while it is not sending elsewhere: where the input
// of one message is busy and that of another is not, the other wins nearly always. So rates are found twice, the second
// time with weights of inputs by the share of the time in which they are free: see free. Of an input, messages that
// stand behind others of their terminal have less: see stands. An arbiter that draws is not fair to each: see luck.
//
// What is left to chance does not always fill a channel: see capacity.
type rates struct {
	uses    [][]use     // of each message, nil for none
	at      [][]int32   // where it stands among the members of each resource
	weight  [][]float64 // its weight there: its offer is this by the resource's part; 0 if it may have the full rate
	rate    []float64
	stands  []float64  // how much of it stands at its inputs beside others, 1 for most
	luck    []float64  // what arbiters give it beside others, 1 on average
	members [][]member // of each resource
	load    []int64    // sum of their shares
	chances []int32    // members that come by chance
	dirty   []int32    // resources that are or were full, and whose members have changed
	isDirty []bool     // by resource, whether it is among them
	fresh   []int32    // messages that began

	marked  []bool // messages that are looked at
	seen    []bool // resources that are
	touched []int32
	levels  levels
	now     []level   // bottlenecks
	lowest  []known   // messages that have their rate from these
	left    []float64 // by resource, what messages whose rate is known leave of its capacity
	asks    []float64 // by resource, the weights of the others by their shares
	least   []float64 // by resource, the least weight of one of these, or less
	fixed   []bool    // messages whose rate is known

	holding bool      // an input sends one packet at a time
	again   bool      // rates are found the second time
	counted []float64 // rates of messages that carried is the sum of
	carried []float64 // by input, the phits a cycle that pass it

	byInput, toHere, byFork []float64 // sums, 0 between uses
}

// member is a message on a resource.
type member struct {
	message int32
	index   int32 // of the resource among its uses
}

// known is the rate of a message.
type known struct {
	message int32
	rate    float64
}

func newRates(resources, routers int, holding bool) *rates {
	return &rates{
		holding: holding, carried: make([]float64, resources),
		members: make([][]member, resources), load: make([]int64, resources), seen: make([]bool, resources),
		left: make([]float64, resources), asks: make([]float64, resources), least: make([]float64, resources),
		isDirty: make([]bool, resources), chances: make([]int32, resources),
		byInput: make([]float64, resources), toHere: make([]float64, resources), byFork: make([]float64, routers),
	}
}

// part is the share of a message as a number.
func (u use) part() float64 { return float64(u.share) / float64(whole) }

// begin adds a message.
func (r *rates) begin(m int32, uses []use) {
	for int(m) >= len(r.uses) {
		r.uses, r.at, r.rate = append(r.uses, nil), append(r.at, nil), append(r.rate, 0)
		r.weight, r.counted = append(r.weight, nil), append(r.counted, 0)
		r.stands, r.luck = append(r.stands, 1), append(r.luck, 1)
		r.marked, r.fixed = append(r.marked, false), append(r.fixed, false)
	}
	r.uses[m] = uses
	r.stands[m], r.luck[m] = 1, 1
	at := r.at[m][:0]
	for i, u := range uses {
		at = append(at, int32(len(r.members[u.resource])))
		r.members[u.resource] = append(r.members[u.resource], member{m, int32(i)})
		r.load[u.resource] += u.share
		if u.fork != certain {
			r.chances[u.resource]++
		}
		r.stain(u.resource)
	}
	r.at[m] = at
	r.weight[m] = slices.Grow(r.weight[m][:0], len(uses))[:len(uses)]
	r.fresh = append(r.fresh, m)
}

// end takes a message away.
func (r *rates) end(m int32) {
	for i, u := range r.uses[m] {
		list := r.members[u.resource]
		r.stain(u.resource)
		r.load[u.resource] -= u.share
		if u.fork != certain {
			r.chances[u.resource]--
		}
		last := len(list) - 1
		moved := list[last]
		list[r.at[m][i]] = moved
		r.at[moved.message][moved.index] = r.at[m][i]
		r.members[u.resource] = list[:last]
	}
	r.count(m, 0)
	r.uses[m] = nil
	r.rate[m] = 0
}

// count notes what inputs carry of a message at a rate.
func (r *rates) count(m int32, rate float64) {
	change := rate - r.counted[m]
	r.counted[m] = rate
	for i := range r.uses[m] {
		u := &r.uses[m][i]
		if u.from != fromSeveral {
			r.carried[u.from] += float64(u.part() * change)
			continue
		}
		for _, x := range u.several() {
			r.carried[x.resource] += float64(u.part() * x.share * change)
		}
	}
}

// holds reports whether a resource may hold messages back.
func (r *rates) holds(resource int32) bool {
	return r.load[resource] > whole || r.chances[resource] > 1
}

// shares reports whether a message shares resources with others that may hold it back.
func (r *rates) shares(m int32) bool {
	return slices.ContainsFunc(r.uses[m], func(u use) bool { return r.holds(u.resource) })
}

// capacity is the phits a cycle that a resource carries at most. Packets that come by chance now come together and now
// not at all: at any time one waits here with the probability that not all of the streams, each independent of the
// others, are elsewhere. Streams that come from the same fork do not come together, as they leave it by different
// channels. Those whose way is certain fill the rest.
func (r *rates) capacity(resource int32) float64 {
	if r.chances[resource] < 2 {
		return 1
	}
	sure, none := 0.0, 1.0
	for _, m := range r.members[resource] {
		if u := r.uses[m.message][m.index]; u.fork != certain {
			r.byFork[u.fork] += u.part()
		} else {
			sure += u.part()
		}
	}
	for _, m := range r.members[resource] {
		if u := r.uses[m.message][m.index]; u.fork != certain {
			none *= 1 - min(r.byFork[u.fork], 1)
			r.byFork[u.fork] = 0
		}
	}
	return min(1, sure+1-none)
}

// leastFree is the share of the time in which any input is free at least, so that no message stands still.
const leastFree = leastRate

// free is the share of the time in which an input is not sending elsewhere than to the resource whose sums stand.
func (r *rates) free(from int32) float64 {
	if !r.again {
		return 1
	}
	return roundShare(1 - r.carried[from] + r.toHere[from])
}

// roundShare returns a share of time without what sums leave in their last digits, leastFree at least.
func roundShare(free float64) float64 {
	const steps = 1 << 20
	return min(max(math.Round(free*steps)/steps, leastFree), 1)
}

// weigh finds the weights of the members of a resource: each input has the same sum, by what stands there of their
// shares and by their luck; the second time as much of it as it is free. A message that comes by several inputs has its
// part of each. Inputs that could not take as much if their messages had the full rate have what they can take, and the
// others share the rest.
func (r *rates) weigh(resource int32) {
	list := r.members[resource]
	for _, m := range list {
		u := &r.uses[m.message][m.index]
		part, rate, stands := u.part(), r.counted[m.message], r.stands[m.message]
		if u.from != fromSeveral {
			r.byInput[u.from] += float64(part * stands)
			r.toHere[u.from] += float64(part * rate)
			continue
		}
		for _, x := range u.several() {
			r.byInput[x.resource] += float64(part * x.share * stands)
			r.toHere[x.resource] += float64(part * x.share * rate)
		}
	}
	asks, least := 0.0, math.Inf(1)
	for _, m := range list {
		u := &r.uses[m.message][m.index]
		w := 0.0
		switch {
		case u.from != fromSeveral:
			w = r.stands[m.message] * r.free(u.from) / r.byInput[u.from]
		case u.inputs == nil:
			w = 1 / u.part()
		default:
			for _, x := range u.several() {
				w += r.stands[m.message] * r.free(x.resource) * x.share / r.byInput[x.resource]
			}
		}
		w *= r.luck[m.message]
		r.weight[m.message][m.index] = w
		asks += float64(u.part() * w)
		least = min(least, w)
	}
	for _, m := range list {
		u := &r.uses[m.message][m.index]
		if u.from != fromSeveral {
			r.byInput[u.from], r.toHere[u.from] = 0, 0
			continue
		}
		for _, x := range u.several() {
			r.byInput[x.resource], r.toHere[x.resource] = 0, 0
		}
	}
	left := r.capacity(resource)
	for full := true; full && asks > same; {
		full = false
		part := left / asks
		for _, m := range list {
			if w := &r.weight[m.message][m.index]; *w > 0 && *w*part >= 1-same {
				share := r.uses[m.message][m.index].part()
				left -= share
				asks -= float64(share * *w)
				*w, full = 0, true
			}
		}
	}
	r.left[resource], r.asks[resource], r.least[resource] = left, asks, least
}

// offer is the least that a resource offers to a message, or less.
func (r *rates) offer(resource int32) float64 {
	return r.left[resource] / r.asks[resource] * r.least[resource]
}

// bottlenecks finds the resources with the lowest offer, if it is below 1. What the heap knows of others may be too
// low. None are found after ctx has ended.
func (r *rates) bottlenecks(ctx context.Context) bool {
	for _, l := range r.now {
		r.levels.push(l)
	}
	r.now = r.now[:0]
	for n := 0; len(r.levels) > 0; n++ {
		if n%askedEvery == 0 && ctx.Err() != nil {
			return false
		}
		first := &r.levels[0]
		if first.at >= 1 || len(r.now) > 0 && first.at > r.now[0].at*(1+same) {
			break
		}
		at := r.offer(first.resource)
		if !(at > first.at*(1+same)) {
			if !r.reweigh(first.resource) {
				r.levels.drop()
				continue
			}
			at = r.offer(first.resource)
		}
		if at > first.at*(1+same) {
			first.at = at
			r.levels.sink(0)
			continue
		}
		r.now = append(r.now, *first)
		r.levels.drop()
	}
	return len(r.now) > 0
}

// reweigh finds the weights of a resource's messages without a rate; false if there are none.
func (r *rates) reweigh(resource int32) bool {
	asks, least := 0.0, math.Inf(1)
	for _, m := range r.members[resource] {
		if w := r.weight[m.message][m.index]; w > 0 && !r.fixed[m.message] {
			asks += float64(r.uses[m.message][m.index].part() * w)
			least = min(least, w)
		}
	}
	r.asks[resource], r.least[resource] = asks, least // without what rounding has left of others
	return !math.IsInf(least, 1)
}

// stain notes that the members of a resource change that may hold them back.
func (r *rates) stain(resource int32) {
	if r.holds(resource) && !r.isDirty[resource] {
		r.isDirty[resource] = true
		r.dirty = append(r.dirty, resource)
	}
}

// unblock records that nothing is before message m at its inputs any more.
func (r *rates) unblock(m int32) {
	if r.stands[m] == 1 {
		return
	}
	r.stands[m] = 1
	for i := range r.uses[m] {
		r.stain(r.uses[m][i].resource)
	}
}

// stale reports whether something has begun or ended that the rates do not know of.
func (r *rates) stale() bool { return len(r.fresh)+len(r.dirty) > 0 }

// guess gives a message that has just begun what is free on its resources, until rates are found; 0 if that is less
// than leastGuess.
func (r *rates) guess(m int32) {
	rate := 1.0
	for _, u := range r.uses[m] {
		if !r.holds(u.resource) {
			continue
		}
		free := r.capacity(u.resource)
		for _, o := range r.members[u.resource] {
			free -= float64(r.uses[o.message][o.index].part() * r.rate[o.message])
		}
		rate = min(rate, free/u.part())
	}
	if rate < leastGuess {
		rate = 0
	}
	r.rate[m] = rate
}

// leastGuess is the least rate that is worth a guess.
const leastGuess = 1.0 / 64

// same is the difference of numbers, as a share, that are taken for equal.
const same = 1e-10

// askedEvery is how many messages or resources are gone through before it is asked again whether the run is to end: the
// rates of a million messages take seconds.
const askedEvery = 1024

// settle finds the rates of all messages that what has changed concerns, and lists
// them. When ctx ends first, the rates are of no use any more.
func (r *rates) settle(ctx context.Context) ([]int32, error) {
	changed := r.findConcerned()
	if err := r.share(ctx, changed); err != nil {
		return nil, err
	}
	for _, m := range changed {
		r.count(m, r.rate[m])
		r.marked[m] = false
	}
	if r.holding {
		r.again = true
		if err := r.share(ctx, changed); err != nil {
			return nil, err
		}
		r.again = false
		for _, m := range changed {
			r.count(m, r.rate[m])
		}
	}
	for _, resource := range r.touched {
		r.seen[resource] = false
	}
	for _, resource := range r.dirty {
		r.isDirty[resource] = false
	}
	r.touched, r.dirty, r.fresh = r.touched[:0], r.dirty[:0], r.fresh[:0]
	return changed, nil
}

// share finds the rates of messages that share the resources touched with no others.
func (r *rates) share(ctx context.Context, messages []int32) error {
	// What follows does not depend on the order of the list, but for the last digits of
	// sums: these come out the same whenever messages begin and end in the same order.
	for i, resource := range r.touched {
		if i%askedEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.weigh(resource)
		if r.asks[resource] > same {
			r.levels = append(r.levels, level{r.offer(resource), resource})
		}
	}
	r.levels.order()
	for r.bottlenecks(ctx) {
		for i, l := range r.now {
			if i%askedEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			for _, m := range r.members[l.resource] {
				w := r.weight[m.message][m.index]
				if w > 0 && w <= r.least[l.resource]*(1+same) && !r.fixed[m.message] {
					r.lowest = append(r.lowest, known{m.message, l.at})
				}
			}
		}
		for _, k := range r.lowest {
			r.fix(k.message, k.rate)
		}
		r.lowest = r.lowest[:0]
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, m := range messages {
		r.fix(m, 1)
		r.fixed[m] = false
	}
	r.levels, r.now = r.levels[:0], r.now[:0]
	return nil
}

// fix gives a message its rate.
func (r *rates) fix(m int32, rate float64) {
	if r.fixed[m] {
		return
	}
	r.fixed[m], r.rate[m] = true, min(rate, 1)
	for i, u := range r.uses[m] {
		if r.seen[u.resource] {
			if r.weight[m][i] == 0 {
				r.left[u.resource] += u.part()
			}
			r.left[u.resource] -= float64(u.part() * r.rate[m])
			r.asks[u.resource] -= float64(u.part() * r.weight[m][i])
		}
	}
}

// findConcerned finds the messages that share full resources with those that began or
// ended, and these resources. A resource whose messages could all have the full rate
// of their terminals holds none back.
func (r *rates) findConcerned() []int32 {
	var list []int32
	take := func(m int32) {
		if r.uses[m] != nil && !r.marked[m] {
			r.marked[m] = true
			list = append(list, m)
		}
	}
	for _, m := range r.fresh {
		take(m)
	}
	for _, resource := range r.dirty {
		for _, m := range r.members[resource] {
			take(m.message)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, u := range r.uses[list[i]] {
			if r.seen[u.resource] || !r.holds(u.resource) {
				continue
			}
			r.seen[u.resource] = true
			r.touched = append(r.touched, u.resource)
			for _, m := range r.members[u.resource] {
				take(m.message)
			}
		}
	}
	return list
}

// level is the rate at which a resource is full.
type level struct {
	at       float64
	resource int32
}

// levels is a heap of them, the lowest first and of equals that of the lowest resource.
type levels []level

func (a level) before(b level) bool { return a.at < b.at || a.at == b.at && a.resource < b.resource }

// order makes a heap of a list.
func (l levels) order() {
	for i := len(l)/2 - 1; i >= 0; i-- {
		l.sink(i)
	}
}

// sink puts an entry that may be too high into its place.
func (l levels) sink(i int) {
	x := l[i]
	for {
		down := 2*i + 1
		if down+1 < len(l) && l[down+1].before(l[down]) {
			down++
		}
		if down >= len(l) || x.before(l[down]) {
			l[i] = x
			return
		}
		l[i] = l[down]
		i = down
	}
}

// push puts an entry in.
func (l *levels) push(x level) {
	*l = append(*l, x)
	list := *l
	for i := len(list) - 1; i > 0; {
		up := (i - 1) / 2
		if list[up].before(list[i]) {
			return
		}
		list[up], list[i] = list[i], list[up]
		i = up
	}
}

// drop takes the first away.
func (l *levels) drop() {
	last := len(*l) - 1
	(*l)[0] = (*l)[last]
	*l = (*l)[:last]
	if last > 0 {
		l.sink(0)
	}
}
