package cabling_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// splitParts are boxes whose ports of 800G are split, transceivers with one plug of eight lanes or two of four, and
// shuffles for them. Nothing has a price, so that any of them may be chosen.
const splitParts = `
parts:
  - {id: box, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 1 kW, source: x, confidence: user,
     ports: [{name: net, count: %d, connector: cage, rate: 800G}]}
  - {id: switch, kind: switch, units: 1, width: 440 mm, depth: 500 mm, power: 1 kW, hop: 300 ns, source: x,
     confidence: user, ports: [{count: 16, connector: cage, rate: 800G}]}
  - {id: optic, kind: optic, source: x, confidence: user, power: 15 W, optic: {form: cage, fibre: single-mode,
     reach: 500 m, end: 10 ns, loss: 3 dB, %s}}
  - {id: cord-12, kind: cable, source: x, confidence: user, weight: 9 g, cable: {medium: single-mode,
     connector: mpo12-test, lengths: [1, 3, 5, 10, 20, 50], diameter: 3 mm, propagation: 5, attenuation: 0.5 dB/km}}
  - {id: cord-16, kind: cable, source: x, confidence: user, weight: 9 g, cable: {medium: single-mode,
     connector: mpo16-test, lengths: [1, 3, 5, 10, 20, 50], diameter: 3 mm, propagation: 5, attenuation: 0.5 dB/km}}
`

func panelParts() string {
	var b strings.Builder
	for _, plug := range []string{"mpo12-test", "mpo16-test"} {
		for _, n := range []int{2, 4, 8} {
			fmt.Fprintf(&b, "  - {id: shuffle-%s-%d, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, "+
				"confidence: user,\n     panel: {connector: %s, fibre: single-mode, ports: 48, loss: 0.7 dB, "+
				"shuffle: %d}}\n", plug, n, plug, n)
		}
		fmt.Fprintf(&b, "  - {id: shuffle-%s-any, kind: panel, units: 4, width: 440 mm, depth: 300 mm, source: x, "+
			"confidence: user,\n     panel: {connector: %s, fibre: single-mode, ports: 400, loss: 0.7 dB, shuffle: "+
			"200, "+
			"to_order: true}}\n", plug, plug)
	}
	return b.String()
}

// drawSplit draws a machine of several planes whose ports are split at both ends.
func drawSplit(t *rapid.T) string {
	into := rapid.SampledFrom([]int{2, 4, 8}).Draw(t, "into")
	optic := rapid.SampledFrom([]string{
		"standard: dr8, plug: mpo16-test, rate: 800G, ports: 1",
		"standard: dr4, plug: mpo12-test, rate: 400G, ports: 2",
		"standard: dr4, plug: mpo12-test, rate: 800G, ports: 1",
	}).Draw(t, "optic")
	if into == 8 && strings.Contains(optic, "dr4") { // four lanes of 100G a plug, or of 200G
		optic = strings.Replace(optic, "rate: 800G, ports: 1", "rate: 400G, ports: 2", 1)
	}
	adapters := rapid.IntRange(1, 2).Draw(t, "adapters")
	leaves := rapid.IntRange(1, 3).Draw(t, "leaves")
	nodes := leaves * rapid.IntRange(1, 9).Draw(t, "nodes of a leaf")
	spines := rapid.IntRange(1, 4).Draw(t, "spines")
	up := spines * rapid.IntRange(1, 4).Draw(t, "links to a spine")
	planes := rapid.IntRange(2, into).Draw(t, "planes")
	var b strings.Builder
	if rapid.Bool().Draw(t, "direct network") { // links between boxes of one kind, some of which lead back
		fmt.Fprintf(&b, "topology: {family: hyperx, dims: [%d], widths: [%d], terminals: 1}\n",
			rapid.IntRange(2, 5).Draw(t, "switches"), rapid.IntRange(1, 3).Draw(t, "width"))
		fmt.Fprintf(&b, "packaging: {node: {part: box, breakout: %d}, "+
			"switch: {part: switch, breakout: %d, per_rack: 2}}\n", into, into)
		fmt.Fprintf(&b, splitParts, 1, optic)
		return b.String() + panelParts()
	}
	fmt.Fprintf(&b, "boxes: [{name: node, count: %d, part: box, per_rack: 9, breakout: {net: %d}}]\nfabrics:\n", nodes,
		into)
	for p := range planes {
		fmt.Fprintf(&b, "  - {name: p%d, topology: {family: leaf-spine, nodes: %d, rails: %d, leaves: %d, up: %d, "+
			"spines: %d}, "+
			"ends: [{boxes: node, ports: net/%d}], switches: {switch: {part: switch, breakout: %d}}}\n", p+1, nodes,
			adapters,
			leaves*adapters, up, spines, p+1, into)
	}
	fmt.Fprintf(&b, splitParts, adapters, optic)
	return b.String() + panelParts()
}

// drawPlugs gives a machine plugs of drawn families with as many fibres.
func drawPlugs(t *rapid.T, text string) string {
	return strings.NewReplacer(
		"mpo12-test", rapid.SampledFrom([]string{"mpo12-apc", "mmc12-apc", "snmt12"}).Draw(t, "plug of twelve"),
		"mpo16-test", rapid.SampledFrom([]string{"mpo16", "mmc16-apc", "snmt16-apc"}).Draw(t, "plug of sixteen"),
	).Replace(text)
}

// plug is a plug of the transceiver in a cage.
type plug struct {
	v          int32
	cage, plug int
}

// wires are the cords of a schedule and the fibres in its shuffles, worked out from the parts alone.
type wires struct {
	s        *cabling.Schedule
	adapter  map[plug][2]int32 // the panel and the adapter that a cord leads to
	plug     map[[2]int32]plug // and back
	straight map[plug]plug     // cables from plug to plug
	cable    map[plug]int32    // straight ones
	each     map[plug]int      // links of a plug
	lanes    int               // of a plug
	fibres   int
}

// whose is the plug of a port, and its place among the ports of the plug.
func (w *wires) whose(v int32, port uint16, optics int) (plug, int, int) {
	box := w.s.Boxes[topology.KindOf(w.s.Kinds, int(v))]
	at, all := 0, 0
	for i := range box.Ports {
		if p := &box.Ports[i]; p.Cage == box.Ports[port].Cage {
			if all++; p.Number < box.Ports[port].Number {
				at++
			}
		}
	}
	all = max(all, box.Ports[port].Group.PerCage) // some may be plugged into by no fabric
	if lane := box.Ports[port].Lane; lane > 0 {
		at = lane - 1
	}
	each := all / optics
	return plug{v, box.Ports[port].Cage, at / each}, at % each, each
}

func newWires(t *rapid.T, s *cabling.Schedule) *wires {
	w := &wires{
		s: s, adapter: map[plug][2]int32{}, plug: map[[2]int32]plug{}, straight: map[plug]plug{},
		cable: map[plug]int32{},
		each:  map[plug]int{},
	}
	share := func(seg *cabling.Segment, part, each int) {
		if gotPart, of := s.LaneShare(seg); gotPart != part || of != each {
			t.Fatalf("%s: share %d of %d, want %d of %d", s.CableID(int64(seg.Cable)), gotPart, of, part, each)
		}
	}
	for i := range s.Segments {
		seg := &s.Segments[i]
		p := s.Product(seg)
		if p == nil {
			t.Fatalf("%s has no product", s.Label(seg.A, seg.PortA))
		}
		optic := p.OpticA
		if optic == nil {
			optic = p.OpticB
		}
		w.lanes, w.fibres = 4, 12
		if optic.Optic.Standard == "dr8" {
			w.lanes, w.fibres = 8, 16
		}
		optics := max(optic.Optic.Ports, 1)
		switch a, b := s.Panel(seg.A), s.Panel(seg.B); {
		case a < 0 && b < 0:
			x, _, n := w.whose(seg.A, seg.PortA, optics)
			y, _, _ := w.whose(seg.B, seg.PortB, optics)
			w.straight[x], w.straight[y] = y, x
			if old := w.cable[x]; old != 0 && old != seg.Cable {
				t.Fatalf("%v has the cables %d and %d", x, old, seg.Cable)
			}
			w.cable[x], w.cable[y] = seg.Cable, seg.Cable
			w.each[x], w.each[y] = n, n
		case a < 0:
			x, part, n := w.whose(seg.A, seg.PortA, optics)
			share(seg, part, n)
			at := [2]int32{int32(b), int32(seg.PortB)}
			w.adapter[x], w.plug[at], w.each[x] = at, x, n
		default:
			x, part, n := w.whose(seg.B, seg.PortB, optics)
			share(seg, part, n)
			at := [2]int32{int32(a), int32(seg.PortA)}
			w.adapter[x], w.plug[at], w.each[x] = at, x, n
		}
	}
	return w
}

// through is where a fibre of a module on sale comes out: the i-th share of adapter j of one side is the j-th share of
// adapter i of the other, and what comes by the fibre of a transmitter leaves by that of one.
func (w *wires) through(at [2]int32, fibre int) (to [2]int32, out int) {
	panel := w.s.Patching.Panels[at[0]].Part.Panel
	n := int32(panel.Shuffle)
	module, within := at[1]/(2*n), at[1]%(2*n)
	// Cords are reversed: what a transceiver sends by fibre k comes by that many from the end.
	send := fibre > w.fibres/2
	lane := fibre
	if send {
		lane = w.fibres + 1 - fibre
	}
	size := int32(w.lanes) / n // lanes of a share
	share, rest := int32(lane-1)/size, int32(lane-1)%size
	far := module*2*n + n + share
	if within >= n {
		far = module*2*n + share
	}
	lane = int(within%n*size + rest + 1)
	if out = lane; !send {
		out = w.fibres + 1 - lane
	}
	return [2]int32{at[0], far}, out
}

// planSound plans a machine file that breaks no rule.
func planSound(t *rapid.T, text string) *machine.Result {
	r := planText(t, text)
	if r.Schedule.Violations.Errors() > 0 {
		t.Fatalf("%v\n%s", r.Schedule.Violations.List(), text)
	}
	return r
}

// planText plans a machine file.
func planText(t *rapid.T, text string) *machine.Result {
	spec, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, err := machine.PlanWith(context.Background(), spec, machine.Options{NoPaths: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// TestStrandsReachTheirReceivers follows every fibre of drawn machines from its transmitter through cords and shuffles
// to a receiver, by what is printed on the parts alone, and finds that of the link in the plan.
func TestStrandsReachTheirReceivers(t *testing.T) {
	graphtest.FewerDraws(t, 20)
	rapid.Check(t, func(t *rapid.T) {
		text := drawPlugs(t, drawSplit(t))
		r := planSound(t, text)
		s := r.Schedule
		w := newWires(t, s)
		counted(t, w)
		for i := 0; i < len(s.Segments); i++ {
			way := s.Segments[i : i+1]
			if s.Panel(way[0].B) >= 0 {
				way = s.Segments[i : i+2]
				i++
			}
			w.follow(t, way)
		}
	})
}

// follow holds the strands of a link against the parts.
func (w *wires) follow(t *rapid.T, way []cabling.Segment) {
	s, last := w.s, &way[len(way)-1]
	strands := s.Strands(way)
	optics := max(s.Product(&way[0]).OpticA.Optic.Ports, 1)
	a, partA, each := w.whose(way[0].A, way[0].PortA, optics)
	b, partB, _ := w.whose(last.B, last.PortB, optics)
	if each != w.each[b] {
		t.Fatalf("%d links of a plug and %d", each, w.each[b])
	}
	if want := 2 * w.lanes / each; len(strands) != want {
		t.Fatalf("%d strands of %s, want %d", len(strands), s.Label(way[0].A, way[0].PortA), want)
	}
	for _, strand := range strands {
		from, to, part, farPart := a, b, partA, partB
		if strand.Back {
			from, to, part, farPart = b, a, partB, partA
		}
		between(t, way, strand.At, w.fibres)
		lane := part*w.lanes/each + strand.Lane
		farLane := farPart*w.lanes/each + strand.Lane
		receiver := w.fibres + 1 - farLane
		if strand.At[0] != lane || strand.At[len(strand.At)-1] != receiver {
			t.Fatalf("%+v sends lane %d, received as %d", strand, lane, farLane)
		}
		at, ok := w.adapter[from]
		if !ok {
			if w.straight[from] != to || w.fibres+1-lane != receiver {
				t.Fatalf("%v leads to %v by fibre %d, want %v by %d", from, w.straight[from], w.fibres+1-lane, to,
					receiver)
			}
			continue
		}
		if s.Patching.Panels[at[0]].Part.Panel.ToOrder {
			continue // wired as the plan says: nothing is printed on it
		}
		there, out := w.through(at, w.fibres+1-lane)
		if got := w.plug[there]; got != to || w.fibres+1-out != receiver {
			t.Fatalf("%v lane %d comes to %v by fibre %d, want %v by %d", from, lane, got, w.fibres+1-out, to, receiver)
		}
	}
}

// TestCrossedLanesTakeAShuffle plugs the links between two plugs in crosswise: lane 1 of one to lane 2 of the other.
// One cable would join other lanes, so that they run over a shuffle that is wired to order; straight links share one.
func TestCrossedLanesTakeAShuffle(t *testing.T) {
	const text = `
topology: {family: leaf-spine, nodes: 8, leaves: 2, up: 4, spines: 1}
packaging:
  node: {part: box, per_rack: 8}
  leaf: {part: switch, breakout: {9-16: 4}, ports: [1-4, 9-16]}
  spine: {part: switch, breakout: 4, ports: [PORTS]}
parts:
  - {id: box, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 1 kW, source: x, confidence: user,
     ports: [{name: net, count: 1, connector: osfp, rate: 800G}]}
  - {id: switch, kind: switch, units: 1, width: 440 mm, depth: 500 mm, power: 1 kW, hop: 300 ns, source: x,
     confidence: user, ports: [{count: 16, connector: osfp, rate: 800G}]}
`
	for ports, shuffled := range map[string]int64{"1/1, 1/2, 1/3, 1/4, 2": 0, "1/2, 1/1, 1/3, 1/4, 2": 2} {
		spec, err := machine.Parse("machine.yaml", []byte(strings.Replace(text, "PORTS", ports, 1)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.PlanWith(context.Background(), spec, machine.Options{NoPaths: true})
		if err != nil {
			t.Fatal(err)
		}
		if n := r.Schedule.Violations.Errors(); n > 0 {
			t.Errorf("%s: %v", ports, r.Schedule.Violations.List())
		}
		got := int64(0)
		if k := r.Schedule.Patching; k != nil {
			got = k.Links
		}
		if got < shuffled || shuffled == 0 && got > 0 {
			t.Errorf("%s: %d links over shuffles, want %d", ports, got, shuffled)
		}
	}
}

// TestCordsFollowMediaRules finds that every cord of drawn machines is of a family that the media rules allow for the
// levels of all links in it, and that a cord without a product has links whose rules share no family.
func TestCordsFollowMediaRules(t *testing.T) {
	graphtest.FewerDraws(t, 20)
	families := []string{"cord-12", "cord-12-b", "cord-12-c"}
	rapid.Check(t, func(t *rapid.T) {
		use := func(label string) []string {
			var out []string
			for i, bits := 0, rapid.IntRange(1, 7).Draw(t, label); i < len(families); i++ {
				if bits>>i&1 == 1 {
					out = append(out, families[i])
				}
			}
			return out
		}
		allowed := map[string][]string{"terminal": use("terminal"), "tier1": use("tier1")}
		var b strings.Builder
		fmt.Fprintf(&b, "topology: {family: leaf-spine, nodes: %d, leaves: 2, up: %d, spines: 2}\n",
			2*rapid.IntRange(1, 9).Draw(t, "nodes of a leaf"), 2*rapid.IntRange(1, 4).Draw(t, "links to a spine"))
		fmt.Fprintf(&b, "packaging: {node: {part: box, breakout: 2, per_rack: 9}, "+
			"switch: {part: switch, breakout: 2}}\n")
		fmt.Fprintf(&b, "cabling: {media: [{levels: [terminal], use: [%s]}, {use: [%s]}]}\n",
			strings.Join(allowed["terminal"], ", "), strings.Join(allowed["tier1"], ", "))
		fmt.Fprintf(&b, splitParts, 1, "standard: dr4, plug: mpo12-test, rate: 800G, ports: 1")
		for _, id := range families[1:] {
			fmt.Fprintf(&b, "  - {id: %s, kind: cable, source: x, confidence: user, weight: 9 g, "+
				"cable: {medium: single-mode,\n     connector: mpo12-test, lengths: [1, 3, 5, 10, 20, 50], "+
				"diameter: 3 mm, propagation: 5}}\n", id)
		}
		text := b.String() + panelParts()
		spec, err := machine.Parse("machine.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		r, err := machine.PlanWith(context.Background(), spec, machine.Options{NoPaths: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		s := r.Schedule
		levels := r.Graph.Levels()
		shared := map[int32][]string{}
		for i := range s.Segments {
			seg := &s.Segments[i]
			may, ok := shared[seg.Cable]
			if !ok {
				may = families
			}
			shared[seg.Cable] = slices.DeleteFunc(slices.Clone(may), func(id string) bool {
				return !slices.Contains(allowed[levels[seg.Level].Name], id)
			})
		}
		for i := range s.Segments {
			seg := &s.Segments[i]
			p, may := s.Product(seg), shared[seg.Cable]
			switch {
			case p == nil && len(may) > 0:
				t.Fatalf("%s: no product, %v are allowed: %v\n%s", s.CableID(int64(seg.Cable)), may,
					s.Violations.List(), text)
			case p != nil && !slices.Contains(may, p.Part.ID):
				t.Fatalf("%s: %s, allowed are %v\n%s", s.CableID(int64(seg.Cable)), p.Part.ID, may, text)
			}
		}
	})
}

// TestAnotherKindOfTransceiverServesAllLinks plans drawn machines with a second transceiver, which is chosen first and
// for which no shuffle is wired to order: all links get a cable with it, or with the other one.
func TestAnotherKindOfTransceiverServesAllLinks(t *testing.T) {
	graphtest.FewerDraws(t, 20)
	rapid.Check(t, func(t *rapid.T) {
		text := drawSplit(t)
		_, optic, _ := strings.Cut(text, "{form: cage, fibre: single-mode,")
		optic, _, _ = strings.Cut(optic, "}}")
		optic = strings.NewReplacer("dr", "sr", "-test", "-multi").Replace(optic)
		plug := "mpo12-multi"
		if strings.Contains(optic, "mpo16") {
			plug = "mpo16-multi"
		}
		text += fmt.Sprintf("  - {id: multi, kind: optic, source: x, confidence: user, power: 15 W, "+
			"optic: {form: cage, fibre: multimode,%s}}\n", optic)
		text += fmt.Sprintf("  - {id: cord-multi, kind: cable, source: x, confidence: user, weight: 9 g, "+
			"cable: {medium: multimode,\n     connector: %s, lengths: [1, 3, 5, 10, 20, 50], diameter: 3 mm, "+
			"propagation: 5, attenuation: 0.5 dB/km}}\n", plug)
		for _, n := range []int{2, 4} {
			text += fmt.Sprintf("  - {id: shuffle-multi-%d, kind: panel, units: 1, width: 440 mm, depth: 300 mm, "+
				"source: x, confidence: user,\n     panel: {connector: %s, fibre: multimode, ports: 48, loss: 0.7 dB, "+
				"shuffle: %d}}\n", n, plug, n)
		}
		s := planSound(t, text).Schedule
		for i := range s.Segments {
			if s.Product(&s.Segments[i]) == nil {
				t.Fatalf("%s has no product\n%s", s.Label(s.Segments[i].A, s.Segments[i].PortA), text)
			}
		}
	})
}

// TestUnshuffledLinksNameTheReason plans machines with parts of the catalog whose split ports no shuffle joins.
func TestUnshuffledLinksNameTheReason(t *testing.T) {
	for _, c := range []struct{ name, node, leaf, cabling, want string }{
		{
			"lanes of other rates", "gpu", "nvidia-sn6810, breakout: 4", "auto",
			"no shuffle joins them: transceivers that split are dr4 of 800G over single-mode for mmc12-apc 200G",
		},
		{
			"fewer lanes than ports", "gpu", "dd, breakout: 8", "auto",
			"no shuffle joins them: no transceiver fills the cage of qsfp-dd 100G (8 in a cage) ports",
		},
		{
			"modules of another size", "gpu", "nvidia-sn5610, breakout: 4", "shuffle-1u-sm-mpo12-apc-4x4",
			"through up to 2 plugs on a side, 2 links each, and shuffles of mpo12-apc over single-mode are of 4 by 4 " +
				"plugs",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			split := c.leaf[len(c.leaf)-1:]
			var b strings.Builder
			fmt.Fprintf(&b, "boxes: [{name: node, count: 16, part: gpu, breakout: %s}]\nfabrics:\n", split)
			for plane := 1; plane <= 2; plane++ {
				fmt.Fprintf(&b, "  - {name: p%d, topology: {family: leaf-spine, nodes: 16, leaves: 2, up: 8, "+
					"spines: 1}, ends: [{boxes: node, ports: net/%d}], switches: {switch: {part: %s}}}\n", plane,
					plane, c.leaf)
			}
			fmt.Fprintf(&b, "cabling: {shuffle: %s}\nparts:\n  - {id: gpu, kind: node, units: 2, width: 440 mm, "+
				"depth: 800 mm, power: 1 kW, source: x, confidence: user, ports: [{name: net, count: 1, "+
				"connector: osfp, rate: 800G}]}\n  - {id: dd, kind: switch, units: 2, width: 440 mm, depth: 800 mm, "+
				"source: x, confidence: user, ports: [{count: 8, connector: qsfp-dd, rate: 800G}]}\n", c.cabling)
			spec, err := machine.Parse("machine.yaml", []byte(b.String()))
			if err != nil {
				t.Fatal(err)
			}
			r, err := machine.PlanWith(context.Background(), spec, machine.Options{NoPaths: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(r.Schedule.Violations.List()); !strings.Contains(got, c.want) {
				t.Errorf("%s\ndoes not say %s", got, c.want)
			}
		})
	}
}
