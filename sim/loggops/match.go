package loggops

import "github.com/plenum-planner/plenum/sim/goal"

// channel is the messages that wait for a receive, or the receives that wait for a
// message, of one source and tag at a rank, as a list in order. Messages are their
// number plus one, receives the same below zero, and zero is none.
type channel struct{ first, last int32 }

// arrive looks for the receive of a message, and has the message wait if there is
// none.
func (p *player) arrive(message int32) (receive int32, ok bool) {
	o := &p.ops[message]
	if o.partner >= 0 {
		r := &p.ops[o.partner]
		if r.waiting {
			return o.partner, true
		}
		r.waiting = true // the message, at the receive
		return 0, false
	}
	if o.channel < 0 {
		return p.wild[o.peer].arrive(p, message)
	}
	c := &p.channels[o.channel]
	if c.first < 0 {
		receive = -c.first - 1
		c.first = p.ops[receive].next
		return receive, true
	}
	p.append(c, message+1, message)
	return 0, false
}

// post looks for the message of a receive, and has the receive wait if there is
// none.
func (p *player) post(receive int32) (message int32, ok bool) {
	o := &p.ops[receive]
	if o.partner >= 0 {
		if o.waiting {
			return o.partner, true
		}
		o.waiting = true
		return 0, false
	}
	if o.channel < 0 {
		return p.wild[o.rank].post(p, receive)
	}
	c := &p.channels[o.channel]
	if c.first > 0 {
		message = c.first - 1
		c.first = p.ops[message].next
		return message, true
	}
	p.append(c, -receive-1, receive)
	return 0, false
}

func (p *player) append(c *channel, entry, op int32) {
	p.ops[op].next = 0
	if c.first == 0 {
		c.first = entry
	} else {
		last := c.last - 1
		if c.last < 0 {
			last = -c.last - 1
		}
		p.ops[last].next = entry
	}
	c.last = entry
}

// wild is what waits at a rank that receives from any source or of any tag. A message
// waits under its source and tag, and under any of either; a receive as it is
// stated.
type wild struct {
	posted   map[wildKey]*fifo
	messages map[wildKey]*fifo
	posts    int64
}

type wildKey struct {
	src int32
	tag uint32
}

// fifo is operations in order, with the number of their posting.
type fifo struct {
	ops    []int32
	number []int64
	at     int
}

func newWild() *wild { return &wild{posted: map[wildKey]*fifo{}, messages: map[wildKey]*fifo{}} }

// put appends to one of the lists.
func put(lists map[wildKey]*fifo, key wildKey, op int32, number int64) {
	f := lists[key]
	if f == nil {
		f = &fifo{}
		lists[key] = f
	}
	f.ops, f.number = append(f.ops, op), append(f.number, number)
}

func (w *wild) arrive(p *player, message int32) (int32, bool) {
	src, tag := p.ops[message].rank, p.schedule.Ops()[message].Tag
	keys := [4]wildKey{{src, tag}, {src, goal.AnyTag}, {goal.AnySource, tag}, {goal.AnySource, goal.AnyTag}}
	var first *fifo
	for _, key := range keys {
		f := w.posted[key]
		if f != nil && f.at < len(f.ops) && (first == nil || f.number[f.at] < first.number[first.at]) {
			first = f
		}
	}
	if first != nil {
		first.at++
		return first.ops[first.at-1], true
	}
	for _, key := range keys {
		put(w.messages, key, message, 0)
	}
	return 0, false
}

func (w *wild) post(p *player, receive int32) (int32, bool) {
	o := &p.schedule.Ops()[receive]
	key := wildKey{o.Peer, o.Tag}
	if f := w.messages[key]; f != nil {
		for f.at < len(f.ops) {
			f.at++
			if message := f.ops[f.at-1]; !p.ops[message].done {
				return message, true
			}
		}
	}
	w.posts++
	put(w.posted, key, receive, w.posts)
	return 0, false
}
