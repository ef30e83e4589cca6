package flow

// rates keeps the rates of messages max-min fair. Messages have numbers from 0 that are
// used again.
type rates struct {
	uses    [][]use   // of each message, nil for none
	at      [][]int32 // where it stands among the members of each resource
	rate    []float64
	members [][]member // of each resource
	load    []int64    // sum of their shares
	dirty   []int32    // resources that are or were full, and whose members have changed
	isDirty []bool     // by resource, whether it is among them
	fresh   []int32    // messages that began

	marked  []bool // messages that are looked at
	seen    []bool // resources that are
	touched []int32
	levels  levels
	frozen  []float64 // by resource, what messages whose rate is known take
	free    []float64 // by resource, the shares of the others
	fixed   []bool    // messages whose rate is known
}

// member is a message on a resource.
type member struct {
	message int32
	index   int32 // of the resource among its uses
}

func newRates(resources int) *rates {
	return &rates{
		members: make([][]member, resources), load: make([]int64, resources), seen: make([]bool, resources),
		frozen: make([]float64, resources), free: make([]float64, resources), isDirty: make([]bool, resources),
	}
}

// begin adds a message.
func (r *rates) begin(m int32, uses []use) {
	for int(m) >= len(r.uses) {
		r.uses, r.at, r.rate = append(r.uses, nil), append(r.at, nil), append(r.rate, 0)
		r.marked, r.fixed = append(r.marked, false), append(r.fixed, false)
	}
	r.uses[m] = uses
	at := r.at[m][:0]
	for i, u := range uses {
		at = append(at, int32(len(r.members[u.resource])))
		r.members[u.resource] = append(r.members[u.resource], member{m, int32(i)})
		r.load[u.resource] += u.share
		r.stain(u.resource)
	}
	r.at[m] = at
	r.fresh = append(r.fresh, m)
}

// end takes a message away.
func (r *rates) end(m int32) {
	for i, u := range r.uses[m] {
		list := r.members[u.resource]
		r.stain(u.resource)
		r.load[u.resource] -= u.share
		last := len(list) - 1
		moved := list[last]
		list[r.at[m][i]] = moved
		r.at[moved.message][moved.index] = r.at[m][i]
		r.members[u.resource] = list[:last]
	}
	r.uses[m] = nil
	r.rate[m] = 0
}

// stain notes that the members of a resource change that is full with all of them.
func (r *rates) stain(resource int32) {
	if r.load[resource] > whole && !r.isDirty[resource] {
		r.isDirty[resource] = true
		r.dirty = append(r.dirty, resource)
	}
}

// stale tells whether something has begun or ended that the rates do not know of.
func (r *rates) stale() bool { return len(r.fresh)+len(r.dirty) > 0 }

// guess gives a message that has just begun what is free on its resources, until rates are
// found.
func (r *rates) guess(m int32) {
	rate := 1.0
	for _, u := range r.uses[m] {
		if r.load[u.resource] <= whole {
			continue
		}
		free := 1.0
		for _, o := range r.members[u.resource] {
			free -= float64(float64(r.uses[o.message][o.index].share) / float64(whole) * r.rate[o.message])
		}
		rate = min(rate, free*float64(whole)/float64(u.share))
	}
	if rate < leastGuess {
		rate = 0
	}
	r.rate[m] = rate
}

// leastGuess is the least rate that is worth a guess.
const leastGuess = 1.0 / 64

// settle finds the rates of all messages that what has changed concerns, and lists
// them.
func (r *rates) settle() []int32 {
	changed := r.concerned()
	// What follows does not depend on the order of the list, but for the last digits of
	// sums: these come out the same whenever messages begin and end in the same order.
	for _, resource := range r.touched {
		r.frozen[resource] = 0
		r.free[resource] = float64(r.load[resource]) / float64(whole)
		r.levels = append(r.levels, level{1 / r.free[resource], resource})
	}
	r.levels.order()
	for len(r.levels) > 0 {
		first := r.levels[0]
		if r.free[first.resource] < 1e-12 { // the rates of all its members are known
			r.levels.drop()
			continue
		}
		if now := (1 - r.frozen[first.resource]) / r.free[first.resource]; now > first.at*(1+1e-12) {
			r.levels[0].at = now
			r.levels.sink(0)
			continue
		}
		if first.at >= 1 {
			break
		}
		for _, m := range r.members[first.resource] {
			r.fix(m.message, first.at)
		}
		r.free[first.resource] = 0
	}
	for _, m := range changed {
		r.fix(m, 1)
		r.fixed[m], r.marked[m] = false, false
	}
	for _, resource := range r.touched {
		r.seen[resource] = false
	}
	for _, resource := range r.dirty {
		r.isDirty[resource] = false
	}
	r.touched, r.levels, r.dirty, r.fresh = r.touched[:0], r.levels[:0], r.dirty[:0], r.fresh[:0]
	return changed
}

// fix gives a message its rate.
func (r *rates) fix(m int32, rate float64) {
	if r.fixed[m] {
		return
	}
	r.fixed[m], r.rate[m] = true, rate
	for _, u := range r.uses[m] {
		if r.seen[u.resource] {
			share := float64(u.share) / float64(whole)
			r.frozen[u.resource] += float64(share * rate)
			r.free[u.resource] -= share
		}
	}
}

// concerned finds the messages that share full resources with those that began or
// ended, and these resources. A resource whose messages could all have the full rate
// of their terminals holds none back.
func (r *rates) concerned() []int32 {
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
			if r.seen[u.resource] || r.load[u.resource] <= whole {
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

// drop takes the first away.
func (l *levels) drop() {
	last := len(*l) - 1
	(*l)[0] = (*l)[last]
	*l = (*l)[:last]
	if last > 0 {
		l.sink(0)
	}
}
