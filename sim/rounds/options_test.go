package rounds

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
)

// Every wrong field is named, and nothing else; what is at the edge of its range is
// right.
func TestOptionsByField(t *testing.T) {
	small := topology.CLEX{Clique: 4, Levels: 2}
	for _, c := range []struct {
		field string // "" for right
		set   func(*Options)
	}{
		{"", func(*Options) {}},
		{"Mode", func(o *Options) { o.Mode = "calm" }},
		{"Destinations", func(o *Options) { o.Destinations = "home" }},
		{"Load", func(o *Options) { o.Load = 0 }},
		{"Load", func(o *Options) { o.Load = math.MaxInt }},
		{"Load", func(o *Options) { o.Load = math.MaxInt32/16 + 1 }},
		{"Load", func(o *Options) { o.Load = 500_001 }},
		{"", func(o *Options) { o.Load = 500_000 }},
		{"Messages", func(o *Options) { o.Messages = []Message{{0, 1}} }},
		{"Messages[1]", func(o *Options) { o.Load, o.Messages = 0, []Message{{0, 15}, {0, 16}} }},
		{"Valiant", func(o *Options) { o.Valiant = -1 }},
		{"Valiant", func(o *Options) { o.Valiant = 3 }},
		{"Loss", func(o *Options) { o.Loss = 1 }},
		{"Loss", func(o *Options) { o.Loss = math.NaN() }},
		{"FailNodes", func(o *Options) { o.FailNodes = -0.1 }},
		{"FailLinks", func(o *Options) { o.FailLinks = 1.1 }},
		{"FailedNodes[0]", func(o *Options) { o.FailedNodes = []int32{16} }},
		{"FailedLinks[0]", func(o *Options) { o.FailedLinks = []Edge{{0, 1, 2}} }},
		{"Retries", func(o *Options) { o.Retries = -1 }},
		{"Retries", func(o *Options) { o.Retries = 1_000_001 }},
		{"", func(o *Options) { o.Retries = 1_000_000 }},
		{"Detours", func(o *Options) { o.Detours = new(-1) }},
		{"Detours", func(o *Options) { o.Detours = new(math.MaxInt) }},
		{"", func(o *Options) { o.Detours = new(0) }},
		{"Alpha", func(o *Options) { o.Alpha = -1 }},
		{"Alpha", func(o *Options) { o.Alpha = 2e9 }},
		{"Reading.Copies", func(o *Options) { o.Reading.Copies = -1 }},
		{"Reading.CopyLimit", func(o *Options) { o.Reading.CopyLimit = -1 }},
		{"Reading.CopyGrowth", func(o *Options) { o.Reading.CopyGrowth = 0 }},
		{"Reading.CopyGrowth", func(o *Options) { o.Reading.CopyGrowth = math.Inf(1) }},
		{"Topology", func(o *Options) { o.Topology.Levels = 40 }},
		{"Topology", func(o *Options) {
			o.Topology.Local = &topology.Local{Spec: topology.Spec{Params: topology.Torus{Dims: topology.Ints{4}}}}
		}},
		{"Topology.Clique", func(o *Options) { o.Topology.Clique, o.Topology.Levels = 4097, 2 }},
		{"Topology", func(o *Options) { o.Topology, o.FailLinks = topology.CLEX{Clique: 2, Levels: 30}, 0.1 }},
	} {
		o := DefaultOptions()
		o.Topology = small
		c.set(&o)
		var fields []string
		for _, e := range diag.Fields(o.Check()) {
			fields = append(fields, e.Path)
		}
		if got := strings.Join(fields, " "); got != c.field {
			t.Errorf("%v; want a mistake in %q", o.Check(), c.field)
		}
		if o.Reading.CopyGrowth != 0 && o.Check() != nil { // which is filled in where it is 0
			if _, err := Run(context.Background(), o); diag.Fields(err) == nil {
				t.Errorf("%s: runs, with error %v", c.field, err)
			}
		}
	}
}

// Before the topology is known all else is checked.
func TestOptionsWithoutTopology(t *testing.T) {
	o := DefaultOptions()
	if err := o.Check(); err != nil {
		t.Error(err)
	}
	o.Mode, o.Load = "densse", -1
	want := "Mode: no mode \"densse\"; did you mean \"dense\"?\nLoad: must be from 1 to 2147483647, not -1"
	if err := o.Check(); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if _, err := Run(context.Background(), Options{}); err == nil || diag.Fields(err)[0].Path != "Topology" {
		t.Errorf("%v", err)
	}
}

func TestParseValiant(t *testing.T) {
	for _, c := range []struct {
		text         string
		levels, want int // -1 for wrong
	}{
		{"off", 3, 0},
		{"light", 3, 2},
		{"light", 2, 1},
		{"light", 1, 1},
		{"full", 3, 3},
		{"3", 3, 3},
		{"4", 3, -1},
		{"0", 3, -1},
		{"-1", 3, -1},
		{"ful", 3, -1},
		{"9223372036854775808", 3, -1},
	} {
		got, err := ParseValiant(c.text, c.levels)
		if (err != nil) != (c.want < 0) || err == nil && got != c.want {
			t.Errorf("%q of %d levels: %d, %v", c.text, c.levels, got, err)
		}
		if err != nil && diag.Fields(err)[0].Path != "Valiant" {
			t.Error(err)
		}
	}
	if CheckValiant("7") != nil || CheckValiant("seven") == nil {
		t.Error("a level is not known before the machine")
	}
}

// A run against itself, by hand: a ring of 4 nodes and 4 links, cut at 2.
func TestAgainst(t *testing.T) {
	r := &Result{Rounds: 4, Hops: 3, Delay: Delay{Mean: 50, Propagation: 20}}
	a := r.Against(Direct{Nodes: 4, Links: 4, Hops: 1.5, Wire: 10, Delay: 100, Cut: 2})
	want := AgainstFactors{
		Propagation: 2, Hops: 0.375, Path: 0.5, Delay: 2, Bandwidth: 2. / 3, BandwidthDuplex: 1. / 3,
	}
	if a.Bound != 0.5 || a.Factors != want {
		t.Errorf("%+v", a)
	}
	if f := r.Against(Direct{Nodes: 4, Links: 4}).Factors; f.Propagation != 0 || f.Bandwidth != 0 {
		t.Errorf("%+v", f)
	}
}
