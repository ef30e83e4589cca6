package machine_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
)

// direct is a torus of servers that a network of switches manages.
const direct = `
boxes: [{name: blade, count: 16, part: generic-torus-node-1u, per_rack: 8}]
fabrics:
- name: torus
  topology: {family: torus, dims: [4, 4]}
  ends: [{boxes: blade, ports: 1-4}]
- name: tree
  topology: {family: fat-tree, radix: 8}
  ends: [{boxes: blade, ports: 5}]
  switches: {switch: {part: generic-switch-64x400g}}
room: {rows: 1, racks_per_row: 6}
`

// podWith is the pod with keys of its fabrics and of the machine.
func podWith(fabric map[string]string, machine ...string) string {
	text := strings.Replace(pod, "delay: {hop: {oob-switch: 1000 ns}}\n", "", 1)
	for name, keys := range fabric {
		text = strings.Replace(text, "- name: "+name+"\n", "- name: "+name+"\n  "+keys+"\n", 1)
	}
	return text + strings.Join(machine, "\n") + "\n"
}

// figures are what delays are about in a fabric: those of its paths and levels, without uplinks, which lead to switches
// of another.
func figures(t *testing.T, f report.Fabric) string {
	t.Helper()
	levels := slices.DeleteFunc(slices.Clone(f.Levels), func(l report.Level) bool { return l.Level == "uplink" })
	return asJSON(t, f.Delay) + asJSON(t, levels)
}

// TestDelayOfAFabric: what a fabric says of delays changes its own figures to those that it has where the machine says
// so, and leaves the other fabrics alone.
func TestDelayOfAFabric(t *testing.T) {
	plain := buy(t, podWith(nil)).Report()
	for _, c := range []struct{ own, all string }{
		{"{hop: {leaf: 40 ns}}", "{hop: {compute-leaf: 40 ns, in-band-leaf: 40 ns}}"},
		{"{hop: {switch: 40 ns, spine: 50 ns}}", "{hop: {switch: 40 ns, compute-spine: 50 ns, in-band-spine: 50 ns}}"},
		{"{propagation: {any: 9 ns/m}, ends: {optical: 70 ns}}", ""},
		{"{length: stocked}", ""},
		{"{exact_limit: 5, samples: 3}", ""},
	} {
		if c.all == "" {
			c.all = c.own
		}
		for i, name := range []string{"compute", "in-band"} {
			own := buy(t, podWith(map[string]string{name: "delay: " + c.own})).Report()
			all := buy(t, podWith(nil, "delay: "+c.all)).Report()
			for k := range own.Fabrics {
				want := plain.Fabrics[k]
				if k == i {
					want = all.Fabrics[k]
				}
				if got, want := figures(t, own.Fabrics[k]), figures(t, want); got != want {
					t.Errorf("%s of %s, %s:\n got %s\nwant %s", c.own, name, own.Fabrics[k].Name, got, want)
				}
			}
			if figures(t, all.Fabrics[i]) == figures(t, plain.Fabrics[i]) {
				t.Errorf("%s changes nothing", c.all)
			}
		}
	}
}

// TestFabricBeforeMachine: of the same delay, that of the fabric goes before that of the machine, and what the fabric
// leaves out is that of the machine.
func TestFabricBeforeMachine(t *testing.T) {
	both := buy(t, podWith(map[string]string{"compute": "delay: {hop: {switch: 40 ns}, propagation: {any: 7 ns/m}}"},
		"delay: {hop: {compute-leaf: 900 ns}, propagation: {any: 1 ns/m}, ends: {any: 30 ns}}")).Report()
	const same = "delay: {hop: {compute-leaf: 40 ns, compute-spine: 40 ns}, propagation: {any: 7 ns/m}, " +
		"ends: {any: 30 ns}}"
	want := buy(t, podWith(nil, same)).Report()
	if got, want := figures(t, both.Fabrics[0]), figures(t, want.Fabrics[0]); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestRoutingOfAFabric follows packets in the fabrics that ask for it.
func TestRoutingOfAFabric(t *testing.T) {
	routed := func(text string) []string {
		var out []string
		for _, f := range buy(t, text).Report().Fabrics {
			var names []string
			for _, r := range f.Delay.Routed {
				names = append(names, r.Routing)
			}
			out = append(out, strings.Join(names, " "))
		}
		return out
	}
	got := routed(direct + "delay: {routing: own}\n")
	if got[0] == "" || got[1] == "" || got[0] == got[1] {
		t.Fatalf("own routing of both: %q", got)
	}
	own := strings.Replace(direct, "- name: torus\n", "- name: torus\n  delay: {routing: [dor, valiant]}\n", 1)
	if got, want := routed(own), []string{"dor", ""}; !strings.HasPrefix(got[0], want[0]) ||
		strings.Count(got[0], " ") != 1 || got[1] != want[1] {
		t.Errorf("routing of the torus alone: %q", got)
	}
	none := strings.Replace(direct, "- name: tree\n", "- name: tree\n  delay: {routing: none}\n", 1)
	if got := routed(none + "delay: {routing: [dor]}\n"); got[0] == "" || got[1] != "" {
		t.Errorf("none in the tree: %q", got)
	}
}

// TestEndsPassNothingOn: a box that forwards packets in one fabric, or is a switch of it, costs no hop delay on links
// of a fabric of which it is an end.
func TestEndsPassNothingOn(t *testing.T) {
	const fixed = "delay: {hop: {node: 1000 ns, switch: 1000 ns}, propagation: {any: 0 ns/m, trace: 0 ns/m}, " +
		"ends: {any: 0 ns, trace: 0 ns}}\n"
	for text, levels := range map[string]map[string]float64{
		podWith(nil, fixed): {"oob/terminal": 500, "oob/uplink": 1000, "compute/tier1": 1000},
		direct + fixed:      {"tree/terminal": 500, "torus/dim1": 1000, "tree/tier1": 1000},
	} {
		r := buy(t, text).Report()
		for _, l := range r.Levels {
			if want, ok := levels[l.Level]; ok && math.Abs(float64(l.Delay.Mean)-want) > 1e-6 {
				t.Errorf("%s: a link takes %v ns on average, want %v", l.Level, l.Delay.Mean, want)
			}
		}
	}
}

// TestFlagsOverFabrics: what is set for all fabrics goes before what each says.
func TestFlagsOverFabrics(t *testing.T) {
	text := podWith(map[string]string{
		"compute": "delay: {hop: {leaf: 7 ns}, propagation: {any: 70 ns/m}, ends: {any: 7 ns}, routing: [valiant]}",
	})
	s, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	before := asJSON(t, s.Fabrics)
	given := *s
	if err := given.SetHop(1000); err != nil {
		t.Fatal(err)
	}
	given.SetPropagation(0)
	given.SetRouting([]string{"none"})
	r, err := machine.Plan(context.Background(), &given)
	if err != nil {
		t.Fatal(err)
	}
	d := r.Report().Fabrics[0].Delay
	if math.Abs(float64(d.NsMean)-1000*(d.HopsMean-1)) > 1 || len(d.Routed) > 0 {
		t.Errorf("%v ns over %v hops, %d routing functions", d.NsMean, d.HopsMean, len(d.Routed))
	}
	if asJSON(t, s.Fabrics) != before {
		t.Error("the fabrics of the file have changed")
	}
}

// TestFabricDelayMistakes are reported at their lines.
func TestFabricDelayMistakes(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"delay: {hop: {laef: 1 ns}}", `fabrics[0].delay.hop.laef: compute has no laef`},
		{"delay: {hop: {laef: 1 ns}}", `did you mean "leaf"?`},
		{"delay: {hop: {compute-leaf: 1 ns}}", "its kinds of vertices are leaf, spine, switch, dgx"},
		{"delay: {ends: {coper: 1 ns}}", `fabrics[0].delay.ends.coper: "coper" is not a medium`},
		{"delay: {routing: [valiant, none]}", "fabrics[0].delay.routing[1]: none stands alone"},
		{"delay: {routing: [valient]}", `fabrics[0].delay.routing[0]: there is no routing "valient"`},
		{"delay: {routing: [dor]}", "fabrics[0].delay.routing: "},
		{"delay: {sample: 7}", `did you mean "samples"?`},
		{"spares: {rack: 5}", "fabrics[0].spares.rack: the fabrics share every rack"},
		{"spares: {swich: 5}", `did you mean "switch"?`},
		{"spares: {switch: 5000}", "at most 1000 per cent"},
	} {
		s, err := machine.Parse("m.yaml", []byte(podWith(map[string]string{"compute": c.keys})))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "m.yaml:9") {
			t.Errorf("%s: %v\nwant %s", c.keys, err, c.want)
		}
	}
	s, err := machine.Parse("m.yaml", []byte(podWith(nil, "delay: {routing: [dor]}")))
	if err == nil {
		_, err = machine.Plan(context.Background(), s)
	}
	if err == nil || !strings.Contains(err.Error(), "in the fabrics that it is for") {
		t.Error(err)
	}
}

// TestSparesOfFabrics are computed from the parts that each has for itself, and those of the machine on the rest.
func TestSparesOfFabrics(t *testing.T) {
	text := strings.Replace(podWith(map[string]string{
		"compute": "spares: {switch: 10, optic: 0}", "in-band": "spares: {cable: 50}",
	}), "prices: {", "prices: {spares: {cable: 2, optic: 3, switch: 1, rack: 20}, ", 1)
	r := buy(t, text)
	doc := r.Report()
	up := func(n int64, percent float64) int64 { return int64(math.Ceil(float64(n)*percent/100 - 1e-9)) }
	inBand := map[string]int64{} // cables of the in-band network by product
	for level, tallies := range r.Schedule.Tallies {
		if !strings.HasPrefix(r.Graph.Levels()[level].Name, "in-band/") {
			continue
		}
		for _, t := range tallies {
			for i, n := range t.Product {
				inBand[r.Schedule.Products[i].Part.Item(r.Schedule.Products[i].Length).String()] += n
			}
		}
	}
	optics := map[string]bool{} // of the compute fabric alone, as no other has OSFP cages
	for _, row := range doc.BOM {
		want := int64(0)
		item := row.Item.String()
		switch row.Kind {
		case "cable":
			want = up(inBand[item], 50) + up(row.Qty-inBand[item], 2)
		case "optic":
			if optics[item] = strings.HasPrefix(item, "nvidia-mma4z"); !optics[item] {
				want = up(row.Qty, 3)
			}
		case "switch":
			want = up(row.Qty, 1)
			if item == "nvidia-qm9700" {
				want = up(row.Qty, 10)
			}
		case "rack":
			want = up(row.Qty, 20)
		}
		if row.Spares != want {
			t.Errorf("%s: %d spares of %d, want %d", item, row.Spares, row.Qty, want)
		}
	}
	if len(optics) == 0 || len(inBand) == 0 {
		t.Error("there are no optics or no cables to look at")
	}
	switches := doc.Fabrics[0].Spares
	if len(switches) != 1 || switches[0].Item.String() != "nvidia-qm9700" || switches[0].Qty != 2 {
		t.Errorf("spares of compute: %+v", switches)
	}
	var cables int64
	for _, s := range doc.Fabrics[1].Spares {
		cables += s.Qty
	}
	want := int64(0)
	for _, n := range inBand {
		want += up(n, 50)
	}
	if cables != want || doc.Fabrics[2].Spares != nil {
		t.Errorf("%d spare cables in band, want %d; out of band %v", cables, want, doc.Fabrics[2].Spares)
	}
}

// TestSparesOfTheMachine hold for all fabrics together where none has its own.
func TestSparesOfTheMachine(t *testing.T) {
	const spares = "spares: {cable: 7, optic: 3, switch: 10}"
	doc := buy(t, strings.Replace(pod, "prices: {", "prices: {"+spares+", ", 1)).Report()
	kinds := map[string]float64{"cable": 7, "optic": 3, "switch": 10}
	if !slices.ContainsFunc(doc.Media, func(m report.Product) bool { return m.Qty > 1 }) {
		t.Fatal("no cables")
	}
	for _, row := range doc.BOM {
		if want := int64(math.Ceil(float64(row.Qty)*kinds[string(row.Kind)]/100 - 1e-9)); row.Spares != want {
			t.Errorf("%s: %d spares of %d, want %d", row.Item, row.Spares, row.Qty, want)
		}
	}
}
