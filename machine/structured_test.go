package machine_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// A cord and a trunk are explained as they are scheduled, with the whole way of
// the links that they carry.
func TestExplainOverPanels(t *testing.T) {
	spec, err := machine.Load("testdata/structured.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	s := plan.Schedule
	first := slices.IndexFunc(s.Segments, func(seg cabling.Segment) bool { return s.Panel(seg.B) >= 0 })
	whole := 0.0
	for _, seg := range s.Segments[first : first+3] {
		whole += float64(seg.Length)
	}
	for i, want := range []struct {
		links int
		why   string
	}{
		{1, "the cheapest patch cord"},
		{12, "12 of its 12 positions in use; 16 links of the level join these racks"},
		{1, "the cheapest patch cord"},
	} {
		seg := &s.Segments[first+i]
		c, err := plan.ExplainCable(context.Background(), s.CableID(int64(seg.Cable)))
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Links) != want.links || len(c.Ways) != len(c.Links) ||
			c.Product != s.Products[seg.Product].Item().String() || c.Rule != 2 {
			t.Errorf("%s: %+v", c.Cable, c)
		}
		if o := c.Options[0]; o.Verdict != cabling.Chosen || o.Product != c.Product ||
			!strings.HasPrefix(o.Why, want.why) {
			t.Errorf("%s: %+v", c.Cable, c.Options)
		}
		way := c.Ways[0]
		if math.Abs(float64(way.Length)-whole) > 1e-6 ||
			way.A != s.Label(s.Segments[first].A, s.Segments[first].PortA) ||
			way.B != s.Label(s.Segments[first+2].B, s.Segments[first+2].PortB) || way.Cables[i].Cable != c.Cable {
			t.Errorf("%s: %+v, %.4f m in all", c.Cable, way, whole)
		}
		pieces := units.Length(0)
		for _, p := range c.Links[0].Pieces {
			pieces += p.Length
		}
		if math.Abs(float64(pieces-seg.Length)) > 1e-6 {
			t.Errorf("%s: pieces of %.4f m, %v needed", c.Cable, pieces, seg.Length)
		}
	}
}

// Panels stand at the top of racks of any height, here of more units than a word has bits.
func TestPanelsInTallRacks(t *testing.T) {
	spec, err := machine.Load("testdata/structured.yaml")
	if err != nil {
		t.Fatal(err)
	}
	spec.Room.Rack = "tall"
	spec.Parts = append(spec.Parts, catalog.Part{
		ID: "tall", Kind: catalog.KindRack, Units: 100, Width: 0.6, Depth: 1.2, Height: 4.7,
	})
	plan, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	racks := map[int32]int{}
	for _, p := range plan.Schedule.Patching.Panels {
		if p.Unit <= 64 {
			t.Errorf("a panel at unit %d", p.Unit)
		}
		racks[p.Rack] = max(racks[p.Rack], p.Unit)
	}
	leaves := 0
	for _, top := range racks {
		if top < 98 { // one or two switches are above
			t.Errorf("the highest panel of a rack at unit %d", top)
		}
		leaves++
	}
	if leaves == 0 {
		t.Error("no panels")
	}
}
