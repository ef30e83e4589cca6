package routing_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// The functions of this file are made of what package routing exports only, as those of any other package would be.
// They route on a mesh of side x side routers.

// plain is dimension order that says nothing of itself.
type plain struct {
	net  *routing.Network
	side int32
}

func (f *plain) Name() string { return "foreign" }
func (f *plain) Classes() int { return 1 }

// Arrive draws a number that it has no use for, as dor does, which needs it in rings.
func (f *plain) Arrive(h *routing.Header, _ int32, state *routing.State) {
	if h.Last < 0 && state != nil && state.Rand != nil {
		h.Marks = state.Rand.Uint32()
	}
}

// towards is the channel from one router to another that is next to it.
func (f *plain) towards(at, to int32) int32 {
	for c := f.net.First[at]; c < f.net.First[at+1]; c++ {
		if f.net.To[c] == to {
			return c
		}
	}
	return -1
}

// next is the router after this one in a dimension on the way to a goal, or this one.
func (f *plain) next(at, goal, stride int32) int32 {
	here, there := at/stride%f.side, goal/stride%f.side
	switch {
	case there > here:
		return at + stride
	case there < here:
		return at - stride
	}
	return at
}

func (f *plain) Next(h *routing.Header, at int32, _ *routing.State, hops []routing.Hop) []routing.Hop {
	for _, stride := range []int32{1, f.side} {
		if next := f.next(at, h.Goal, stride); next != at {
			return append(hops, routing.Hop{Channel: f.towards(at, next)})
		}
	}
	return hops
}

// oblivious says that it has no choice.
type oblivious struct{ plain }

func (f *oblivious) SinglePath() bool    { return true }
func (f *oblivious) SourceDecided() bool { return true }

func (f *oblivious) HopCount(from, to int32) int {
	count := func(a, b int32) int { return int(max(a-b, b-a)) }
	return count(from%f.side, to%f.side) + count(from/f.side, to/f.side)
}

// adaptive takes the dimension with fewer packets ahead here and at the next router, and dimension order in a class of
// its own where neither has room.
type adaptive struct {
	plain
	seen *bool // loads were known
}

func (f *adaptive) Classes() int             { return 2 }
func (f *adaptive) AdaptiveClass() int       { return 1 }
func (f *adaptive) AtomicBuffers() bool      { return true }
func (f *adaptive) LoadUse() routing.LoadUse { return routing.LoadUse{Waiting: true, Remote: true} }

func (f *adaptive) Next(h *routing.Header, at int32, state *routing.State, hops []routing.Hop) []routing.Hop {
	from, least := len(hops), int32(0)
	for _, stride := range []int32{1, f.side} {
		next := f.next(at, h.Goal, stride)
		if next == at {
			continue
		}
		hop, ahead := routing.Hop{Channel: f.towards(at, next), Class: 1}, int32(0)
		if state != nil && state.Wait != nil {
			*f.seen = true
			ahead = state.Wait[hop.Channel]
			for c := f.net.First[next]; c < f.net.First[next+1]; c++ {
				ahead += state.Wait[c]
			}
		}
		if len(hops) > from && ahead < least {
			hops = hops[:from]
		}
		if len(hops) == from {
			hops, least = append(hops, hop), ahead
		}
	}
	escape := f.plain.Next(h, at, nil, nil)
	for _, hop := range escape {
		hop.Escape, hop.Tier = true, 1
		hops = append(hops, hop)
	}
	return hops
}

// bubbles says that it stands on bubble flow control, as a function on rings would.
type bubbles struct{ oblivious }

func (f *bubbles) BubbleFlow() bool       { return true }
func (f *bubbles) CutThroughOnly() string { return "a bubble is a whole packet" }

// mesh is a network of side x side routers with a terminal each.
func mesh(t *testing.T, side int) *routing.Network {
	t.Helper()
	g, err := topology.New(topology.Mesh{Dims: topology.Ints{side, side}})
	if err != nil {
		t.Fatal(err)
	}
	n, err := routing.NewNetwork(g)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func play(t *testing.T, n *routing.Network, f routing.Function, opt packet.Options, cores int) *packet.Result {
	t.Helper()
	cfg := packet.Config{Network: n, Routing: f, Options: opt, Seed: 3, Cores: cores}
	r, err := packet.Run(context.Background(), cfg, packet.OpenLoop{
		Pattern: traffic.Uniform(n.Terminals()), Load: 0.3,
		Measurement: packet.Measurement{Warmup: new(500), Check: 500, Checks: 4, Batches: 2, Batch: 1000},
	})
	if err != nil {
		t.Fatalf("%s: %v", f.Name(), err)
	}
	r.Wall = 0
	return r
}

// TestForeignFunctionEqualsOurs: dimension order of another package is played as dor is, to the last figure, and
// delivers as many packets if it says nothing of itself.
func TestForeignFunctionEqualsOurs(t *testing.T) {
	n := mesh(t, 6)
	dor, err := routing.New(n, "dor", routing.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := play(t, n, dor, packet.Options{VCs: 2}, 1)
	if got := play(t, n, &oblivious{plain{n, 6}}, packet.Options{VCs: 2}, 1); !reflect.DeepEqual(got, want) {
		t.Errorf("a foreign dor:\n%+v\nours:\n%+v", got, want)
	}
	silent := play(t, n, &plain{n, 6}, packet.Options{VCs: 2}, 1)
	if silent.Packets != want.Packets || silent.Undeliverable > 0 {
		t.Errorf("who says nothing injects %d packets, of which %d are lost; %d otherwise",
			silent.Packets, silent.Undeliverable, want.Packets)
	}
}

// TestForeignCapabilitiesAreAskedFor: what a function of another package says of itself is heard.
func TestForeignCapabilitiesAreAskedFor(t *testing.T) {
	n := mesh(t, 4)
	seen := false
	a := &adaptive{plain{n, 4}, &seen}
	o := &oblivious{plain{n, 4}}
	b := &bubbles{*o}
	if routing.IsSinglePath(a) || !routing.IsSinglePath(o) || routing.IsSourceDecided(a) ||
		!routing.IsSourceDecided(o) {
		t.Error("which of them have one path, or decide at the source only, is not told")
	}
	if use := routing.LoadUseOf(a); !use.Read || !use.Waiting || !use.Remote {
		t.Errorf("loads are read where they change hops: %+v", use)
	}
	if use := routing.LoadUseOf(o); use != (routing.LoadUse{}) {
		t.Errorf("loads are nothing to dimension order: %+v", use)
	}
	split := routing.Split(a, 4)
	if want := []routing.Range{{From: 0, To: 1}, {From: 1, To: 4}}; !reflect.DeepEqual(split, want) {
		t.Errorf("the virtual channels %v, expected %v: the adaptive class has the rest", split, want)
	}
	for _, f := range []routing.Function{a, o, b} {
		if err := routing.CheckDependencies(n, f, 2); err != nil {
			t.Error(err)
		}
	}

	// Loads are kept for who reads them, and far ones on one core, so that cores change nothing.
	one, two := play(t, n, a, packet.Options{}, 1), play(t, n, a, packet.Options{}, 2)
	if !seen || !reflect.DeepEqual(one, two) {
		t.Errorf("loads seen: %v; on two cores:\n%+v\non one:\n%+v", seen, two, one)
	}
	want := play(t, n, o, packet.Options{}, 1).Hops
	if one.Undeliverable > 0 || one.Hops < want-0.1 || one.Hops > want+0.1 {
		t.Errorf("%d packets lost, %.3f hops; minimal ones are %.3f", one.Undeliverable, one.Hops, want)
	}

	for _, c := range []struct {
		name string
		f    routing.Function
		opt  packet.Options
		want string
	}{
		{"bubbles in small buffers", b, packet.Options{BufferPackets: 1}, "buffers of 2 packets"},
		{"bubbles as worms", b, packet.Options{Switching: packet.Wormhole}, "a bubble is a whole packet"},
		{"shared buffers", a, packet.Options{Switching: packet.Wormhole, SharedBuffers: true}, "shared buffers"},
		{"atomic buffers", a, packet.Options{Switching: packet.Wormhole}, ""},
		{"too few virtual channels", a, packet.Options{VCs: 1}, "needs 2 virtual channels"},
	} {
		_, _, err := packet.Check(packet.Config{Network: n, Routing: c.f, Options: c.opt})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v; expected %q", c.name, err, c.want)
		}
	}
}

// TestForeignPath: paths of single packets are followed too, and have the hops that the function counts.
func TestForeignPath(t *testing.T) {
	n := mesh(t, 5)
	f := &oblivious{plain{n, 5}}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		src, dst := rng.Int32N(25), rng.Int32N(25)
		channels, err := routing.Path(n, f, src, dst, 1, nil)
		if err != nil || len(channels) != f.HopCount(src, dst) {
			t.Errorf("from %d to %d: %d hops, not %d; %v", src, dst, len(channels), f.HopCount(src, dst), err)
		}
	}
}
