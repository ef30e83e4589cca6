package operate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// planOf plans an example.
func planOf(t *testing.T, name string) *machine.Result {
	t.Helper()
	text, err := examples.Files.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := machine.Parse(name+".yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestPublishedRepairs: a pod of 30,720 access links and 240 leaves at the published rates of 0.057 and 0.051 % a
// month.
func TestPublishedRepairs(t *testing.T) {
	d, err := Of(context.Background(), planOf(t, "hpn-7"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Access != 30720 || d.Leaves != 240 || d.Nodes != 1920 {
		t.Fatalf("%d access links, %d leaves, %d nodes", d.Access, d.Leaves, d.Nodes)
	}
	for _, c := range []struct {
		of     Subject
		pieces int64
		want   float64
	}{{AccessLink, 30720, 17.5104}, {Leaf, 240, 0.1224}, {Switch, 120, 0.8}} {
		found := false
		for _, r := range d.Repairs {
			if r.Of == c.of {
				found = true
				if r.Pieces != c.pieces || math.Abs(r.RepairsPerMonth.Likely-c.want) > 1e-9 {
					t.Errorf("%s: %d pieces, %v repairs a month; want %d, %v", c.of, r.Pieces, *r.RepairsPerMonth,
						c.pieces, c.want)
				}
			}
		}
		if !found {
			t.Errorf("no repairs of %s", c.of)
		}
	}
}

// TestSpares holds the formula for spares against a simulation: in each of many lead times pieces fail at random
// moments, one after the other.
func TestSpares(t *testing.T) {
	const periods = 200_000
	random := rand.New(rand.NewPCG(1, 2)) // two seeds of the test, so that it is the same each time
	for _, mean := range []float64{0.02, 0.5, 1.18, 6.15, 40} {
		count := map[int]int{}
		for range periods {
			n := 0
			for at := random.ExpFloat64(); at < mean; at += random.ExpFloat64() {
				n++
			}
			count[n]++
		}
		for _, level := range []float64{0.5, 0.9, 0.95, 0.99} {
			sum, want := 0, -1
			for float64(sum) < level*periods {
				want++
				sum += count[want]
			}
			got := int(PoissonQuantile(mean, level))
			before := float64(sum-count[want]) / periods
			after := float64(sum) / periods
			near := min(math.Abs(before-level), math.Abs(after-level)) < 0.003 // the simulation cannot tell
			if got != want && !near {
				t.Errorf("mean %v, %v %%: %d spares, the simulation needs %d", mean, 100*level, got, want)
			}
		}
	}
	if got := PoissonQuantile(6.15, 0.95); got != 10 {
		t.Errorf("6.15 at 95 %%: %d spares, published are 10", got)
	}
}

// TestQuantileIsTheLeast: the sum of probabilities up to a quantile reaches the level, and up to the number before does
// not.
func TestQuantileIsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mean := rapid.Float64Range(1e-6, 600).Draw(t, "mean")
		level := rapid.Float64Range(0.01, 0.9999).Draw(t, "level")
		got := PoissonQuantile(mean, level)
		p := math.Exp(-mean)
		sum := p
		before := 0.0
		for k := int64(1); k <= got; k++ {
			before = sum
			p *= mean / float64(k)
			sum += p
		}
		if sum < level-1e-9 || got > 0 && before >= level+1e-9 {
			t.Fatalf("mean %v, level %v: %d, with %v before and %v", mean, level, got, before, sum)
		}
	})
}

// ownRates are rates of which the figures of a plan follow by hand.
const ownRates = `
name: mine
date: "2026-11"
rates:
  - {of: access-link, per_month: 1 %, low: 0.5 %, high: 2 %, source: ours, confidence: user}
  - {of: leaf, parts: ["none-*"], per_month: 50 %, source: ours, confidence: user}
  - {of: leaf, per_year: 12 %, source: ours, confidence: user}
  - {of: optic, kinds: [dsp], per_year: 6 %, source: ours, confidence: user}
work: [{of: [access-link], time: {hours: 2, low: 1, high: 3, source: ours, confidence: user}}]
lead_time: {days: 365 days, source: ours, confidence: user}
response: {hours: 71, source: ours, confidence: user}
restart: {hours: 7.3, source: ours, confidence: user}
`

// TestOwnRates computes what follows from own rates by hand: 1,016 access links, 32 leaves of 48 switches.
func TestOwnRates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(path, []byte(ownRates), 0o666); err != nil {
		t.Fatal(err)
	}
	rates, err := LoadRates(path)
	if err != nil {
		t.Fatal(err)
	}
	plan := planOf(t, "superpod-h100-compute")
	d, err := Of(context.Background(), plan, Options{Rates: rates, Jobs: []int{127}, Worst: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	perMonth := map[Subject]float64{}
	for _, r := range d.Repairs {
		if r.RepairsPerMonth != nil && !r.Within {
			perMonth[r.Of] += r.RepairsPerMonth.Likely
		}
	}
	near("access links", perMonth[AccessLink], float64(d.Access)*0.01)
	near("leaves", perMonth[Leaf], float64(d.Leaves)*0.01)
	sum := 0.0
	for _, n := range perMonth {
		sum += n
	}
	near("sum", d.RepairsPerMonth, sum)
	near("interrupts", d.Jobs[0].Interrupts, float64(d.Access)*0.01+float64(d.Leaves)*0.01+perMonth[Adapter])
	near("availability", d.Jobs[0].Availability, 1/(1+d.Jobs[0].Interrupts*0.01))
	// A link is down for 71 + 2 hours of 730; a leaf for 71 and what it takes to mount a switch.
	near("access capacity", *d.Capacity.Access, 1-0.01*73/730-0.01*(71+1.25)/730)
	if r := d.RepairsRange; !(r.P10 < r.P50 && r.P50 < r.P90) {
		t.Errorf("%+v", r)
	}
	optics := int64(0)
	for i := range plan.Bill.Rows {
		if plan.Bill.Rows[i].Kind == catalog.KindOptic {
			optics += plan.Bill.Rows[i].Qty
		}
	}
	demand, pieces := 0.0, int64(0)
	for _, s := range d.Spares {
		if s.Of == Optic {
			demand += s.Demand
			pieces += s.Pieces
		}
	}
	if pieces != optics {
		t.Errorf("%d optics have spares, the bill has %d", pieces, optics)
	}
	near("optics replaced in a year", demand, float64(optics)*0.06)
	if got := d.LeadTime.Days; got != 365 {
		t.Errorf("lead time of %v", got)
	}
	testLosses(t, plan, d)
}

// TestServiceBoxes: power shelves and the like are not nodes, and a machine without switches has no jobs to tell of.
func TestServiceBoxes(t *testing.T) {
	d, err := Of(context.Background(), planOf(t, "nvl72-8"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Nodes != 144 || d.Jobs[len(d.Jobs)-1].Nodes != 144 {
		t.Errorf("%d nodes, want the 144 compute trays", d.Nodes)
	}
	if d, err = Of(context.Background(), planOf(t, "torus-4096-cubes"), Options{}); err != nil || len(d.Jobs) > 0 {
		t.Errorf("%v, %v", d.Jobs, err)
	}
}

// testLosses holds the losses of switches and racks against the slow twin.
func testLosses(t *testing.T, plan *machine.Result, d *Document) {
	n := newNetwork(plan)
	rack := func(v int) string { return plan.Placement.Layout.Rack(plan.Placement.Slot[v]) }
	of := map[string]*Losses{}
	for i := range d.Dark {
		of[d.Dark[i].Kind] = &d.Dark[i]
	}
	for _, kind := range []string{"switch", "rack"} {
		k := of[kind]
		if k == nil || len(k.Worst) != k.Count {
			t.Fatalf("%s: %+v", kind, k)
		}
		for i, l := range k.Worst {
			if i > 0 && compareLosses(&k.Worst[i-1], &l) > 0 {
				t.Errorf("%s %s stands behind a smaller loss", kind, l.Name)
			}
			if i%7 != 0 {
				continue
			}
			var boxes []int32
			for v := range n.node {
				if kind == "switch" && plan.Schedule.Device(int32(v)) == l.Name || kind == "rack" && rack(v) == l.Name {
					boxes = append(boxes, int32(v))
				}
			}
			want := slowWithout(n, boxes, nil)
			got := impact{l.NodesDown, l.NodesCutOff, l.Links, l.Bandwidth}
			if got != want {
				t.Errorf("%s %s: %+v, want %+v", kind, l.Name, l, want)
			}
		}
	}
	cables := of["cable"]
	if int64(cables.Count) != plan.Schedule.Cables || cables.Harmful != 0 {
		t.Errorf("cables: %d, %d harmful", cables.Count, cables.Harmful)
	}
}

// TestMistakesInRates: mistakes are reported with their place, all of it at once.
func TestMistakesInRates(t *testing.T) {
	const text = `name: mine
date: "2026"
rates:
  - {of: optics, per_month: 1 %, source: a, confidence: user}
  - {of: leaf, source: a, confidence: user}
  - {of: leaf, per_month: 1 %, per_year: 1 %, source: a, confidence: user}
  - {of: leaf, per_month: 1 %, low: 2 %, high: 0.5 %, source: a, confidence: user}
  - {of: leaf, kinds: [dsp], per_month: 1 %, source: a, confidence: user}
  - {of: link, parts: [a], per_month: 1 %, confidence: user}
restart: {hours: 1, low: 2, source: a, confidence: user}
`
	_, err := ParseRates("mine.yaml", []byte(text))
	var found diag.List
	if !errors.As(err, &found) {
		t.Fatal(err)
	}
	for _, want := range []string{
		`mine.yaml:4:10: rates[0].of: "optics"`, "mine.yaml:5:5: rates[1]: the rate is missing",
		"mine.yaml:6:42: rates[2].per_year: state one", "rates[3].low: must not be above",
		"rates[3].high: must not be below", "rates[4].kinds: only rates of optics and cables",
		"rates[5].parts: a rate of link", "rates[5].source",
		"restart.low: must not be above hours",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in\n%v", want, err)
		}
	}
	if len(found) != 9 {
		t.Errorf("%d mistakes:\n%v", len(found), err)
	}
}

func FuzzParseRates(f *testing.F) {
	f.Add([]byte(ownRates))
	f.Add(builtIn)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseRates("fuzz.yaml", data)
		if (r == nil) == (err == nil) {
			t.Fatal(r, err)
		}
	})
}

// TestLaserModules: the modules of switches with optics inside are counted by their part, and have spares by a rate of
// their own; without one their failures are unknown and in no sum.
func TestLaserModules(t *testing.T) {
	spec, err := machine.Parse("machine.yaml", []byte("topology: {family: leaf-spine, nodes: 40, rails: 8, leaves: 8, "+
		"up: 36, spines: 2}\npackaging: {node: {part: nvidia-dgx-b300}, switch: {part: nvidia-q3450}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := machine.PlanWith(context.Background(), spec, machine.Options{NoPaths: true})
	if err != nil {
		t.Fatal(err)
	}
	own := DefaultRates()
	perYear := units.Percent(12)
	own.Rates = []Rate{{Of: Laser, PerYear: &perYear, Source: "x", Confidence: catalog.User}}
	for _, rates := range []*Rates{DefaultRates(), own} {
		d, err := Of(context.Background(), plan, Options{Rates: rates})
		if err != nil {
			t.Fatal(err)
		}
		var pieces int64
		var monthly float64
		known := true
		for _, r := range d.Repairs {
			if r.Of == Laser {
				pieces += r.Pieces
				if known = r.RepairsPerMonth != nil; known {
					monthly += r.RepairsPerMonth.Likely
				}
			}
		}
		if pieces != 18*10 {
			t.Fatalf("%d modules of ten switches", pieces)
		}
		at := slices.IndexFunc(d.Spares, func(s Spare) bool { return s.Of == Laser })
		if rates != own {
			if known || at >= 0 {
				t.Errorf("%v repairs a month, spare %d, without a rate", monthly, at)
			}
			continue
		}
		if math.Abs(monthly-1.8) > 1e-9 {
			t.Errorf("%v repairs a month of 180 modules at 1 %%", monthly)
		}
		if s := d.Spares[at]; s.Pieces != 180 || s.Spares != PoissonQuantile(s.Demand, 0.99) || s.Spares == 0 {
			t.Errorf("%+v", s)
		}
	}
}
