package netbox

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/units"
)

// TestJoinKeepsDevicesAtTheirSides draws the links of a cable between the ports of some devices and those of others,
// each the one way round or the other: every port is at the side of its device, once, in the order of the links.
func TestJoinKeepsDevicesAtTheirSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c cable
		var near, far []termination
		add := func(side *[]termination, o termination) {
			if !slices.Contains(*side, o) {
				*side = append(*side, o)
			}
		}
		ports := rapid.SampledFrom([]string{"1", "2"})
		hub := rapid.SampledFrom([]string{"n1", "n2"})
		for i := range rapid.IntRange(1, 6).Draw(t, "links") {
			a := termination{"dcim.interface", hub.Draw(t, "near"), ports.Draw(t, "port")}
			b := termination{"dcim.interface", "f1", string(rune('a' + i))}
			add(&near, a)
			add(&far, b)
			if i > 0 && rapid.Bool().Draw(t, "turned") {
				a, b = b, a
			}
			c.join(a, b)
		}
		if !slices.Equal(c.A, near) || !slices.Equal(c.B, far) {
			t.Fatalf("%v and %v, want %v and %v", c.A, c.B, near, far)
		}
	})
	// The far side is known by another device as well.
	var c cable
	port := func(device string) termination { return termination{Device: device, Name: "1"} }
	c.join(port("x"), port("y"))
	c.join(port("z"), port("x"))
	c.join(port("w"), port("z"))
	if c.A[0] != port("x") || !slices.Equal(c.B, []termination{port("y"), port("z")}) ||
		!slices.Equal(c.A, []termination{port("x"), port("w")}) {
		t.Errorf("%v and %v", c.A, c.B)
	}
}

// TestMillimetresAreRounded: 1.001 m is a little less than 1001 mm in binary.
func TestMillimetresAreRounded(t *testing.T) {
	for metres, want := range map[units.Length]int64{1.001: 1001, 0.5996: 600, 0.5994: 599} {
		if got := millimetres(metres); got != want {
			t.Errorf("%v: %d mm", metres, got)
		}
	}
}

// TestPortsAtEitherSideAreInTheWay: a found cable is deleted for a port at its A or at its B side, and several ports at
// a side in no order are taken as long as one device has them.
func TestPortsAtEitherSideAreInTheWay(t *testing.T) {
	x, err := New(parsed(t, "topology: {family: fat-tree, nodes: 8, radix: 8}"), "")
	if err != nil {
		t.Fatal(err)
	}
	all := cablesOf(t, x.Files(t.Context()))
	spare := func(device, name string) exchange.NetBoxPort { return exchange.NetBoxPort{Device: device, Name: name} }
	for _, c := range []struct {
		a, b      []exchange.NetBoxPort
		unordered bool
		deleted   int
		err       error
	}{
		{all[0].A, []exchange.NetBoxPort{spare("s", "1")}, false, 1, nil},
		{[]exchange.NetBoxPort{spare("s", "1")}, all[0].B, false, 1, nil},
		{[]exchange.NetBoxPort{spare("s", "1")}, []exchange.NetBoxPort{spare("s", "2")}, false, 0, nil},
		{[]exchange.NetBoxPort{spare("s", "1"), spare("S", "2")}, all[0].B, true, 1, nil},
		{[]exchange.NetBoxPort{spare("s", "1"), spare("r", "2")}, all[0].B, true, 0, ErrUnordered},
		{all[0].B, []exchange.NetBoxPort{spare("s", "1"), spare("r", "2")}, true, 0, ErrUnordered},
	} {
		changes, err := x.Changes([]exchange.NetBoxCable{{ID: 5, A: c.a, B: c.b, Unordered: c.unordered}})
		if err != c.err {
			t.Fatalf("%v - %v: %v", c.a, c.b, err)
		}
		if err == nil && len(changes.delete) != c.deleted {
			t.Errorf("%v - %v: %d are deleted", c.a, c.b, len(changes.delete))
		}
	}
}
