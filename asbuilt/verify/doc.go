// Package verify compares a plan with what is really cabled, and says with which moves the one becomes the other.
//
//	p, err := verify.NewPlan(result, "")
//	found, err := exchange.Read("ibnetdiscover.txt")
//	r := p.Compare([]*exchange.Wiring{found})
//
// A port has at most one planned and at most one found link, so that planned and found links, port by port, make up
// paths and rings in which they take turns. A ring of one of each is a link that is right. Every other path or ring is
// one fault with everything that belongs to it: two cables whose ends are exchanged make a ring of four links, a group
// that is plugged in shifted a longer one, a plug in the wrong port a path.
//
// The moves of a path or ring are as few as there can be. With f found and p planned links that are not the same, every
// cable that stays must have at least one plug moved, since it is nowhere right, and min(f, p) stay; the others are
// laid or disconnected. One plug each is enough: a cable keeps the end that it shares with the planned link next to it.
//
// FindLeft goes on from there: what the nodes can still reach over the links that are there, without boxes and cables
// that are said to have failed, by which routes, and with what bandwidth.
//
// What no source can see is unknown and never missing: a link of which neither end is on a box whose links are listed.
package verify
