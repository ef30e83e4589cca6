package verify

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/asbuilt/workorder"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/render"
)

// site is the plug in every port, by "box port", while somebody works: plugs by cable, one of which may hang.
type site struct {
	at    map[string]int // the cable in a port
	other map[int]string // of a cable, the port of a plug that is in
	next  int
}

func siteOf(x wires) *site {
	s := &site{at: map[string]int{}, other: map[int]string{}}
	for a, b := range x {
		if a < b {
			s.next++
			s.at[a], s.at[b] = s.next, s.next
		}
	}
	return s
}

// wires is what is joined.
func (s *site) wires() wires {
	ends := map[int][]string{}
	for port, c := range s.at {
		ends[c] = append(ends[c], port)
	}
	out := wires{}
	for _, e := range ends {
		if len(e) == 2 {
			out[e[0]], out[e[1]] = e[1], e[0]
		}
	}
	return out
}

func (s *site) in(port string, c int) error {
	if s.at[port] != 0 {
		return fmt.Errorf("%s is taken", port)
	}
	s.at[port] = c
	return nil
}

// out takes a plug out of a port, of the cable that is in another.
func (s *site) out(port, other string) (int, error) {
	c := s.at[port]
	if c == 0 || s.at[other] != c {
		return 0, fmt.Errorf("no cable leads from %s to %s", port, other)
	}
	delete(s.at, port)
	return c, nil
}

// make makes a move as somebody would who reads it.
func (s *site) make(m *workorder.Move) error {
	port := func(e *workorder.End) string { return e.Box + " " + e.Port }
	other := port(m.Other)
	switch m.Do {
	case workorder.TakeOut:
		_, err := s.out(port(m.From), other)
		delete(s.at, other)
		return err
	case workorder.Unplug:
		_, err := s.out(port(m.From), other)
		return err
	case workorder.MovePlug:
		c, err := s.out(port(m.From), other)
		if err != nil {
			return err
		}
		return s.in(port(m.To), c)
	case workorder.PlugIn:
		c := s.at[other]
		if c == 0 {
			return fmt.Errorf("no cable hangs at %s", other)
		}
		return s.in(port(m.To), c)
	case workorder.Lay:
		s.next++
		if err := s.in(port(m.To), s.next); err != nil {
			return err
		}
		return s.in(other, s.next)
	case workorder.Exchange:
		if c := s.at[other]; c == 0 || s.at[port(m.To)] != c {
			return fmt.Errorf("no cable leads from %s to %s", port(m.To), other)
		}
		return nil
	}
	return fmt.Errorf("no such move: %s", m.Do)
}

// connected reports whether all nodes of the tree reach each other.
func connected(x wires, nodes []string) bool {
	reach := map[string]bool{nodes[0]: true}
	for more := true; more; {
		more = false
		for a, b := range x {
			va, _, _ := strings.Cut(a, " ")
			vb, _, _ := strings.Cut(b, " ")
			if reach[va] && !reach[vb] && (va == nodes[0] || !slices.Contains(nodes, va)) {
				reach[vb], more = true, true
			}
		}
	}
	return !slices.ContainsFunc(nodes, func(n string) bool { return !reach[n] })
}

// TestWorkOrder makes the moves of orders one after the other: every port has to be free in time, every plug where a
// move says, and in the end all is as planned. Caps tell the ports that are left open and those that are taken.
func TestWorkOrder(t *testing.T) {
	p, w := planned(t, plan(t, tree), "")
	rapid.Check(t, func(t *rapid.T) {
		x := *w
		x.Links = slices.Clone(w.Links)
		for range rapid.IntRange(0, 12).Draw(t, "changes") {
			i := rapid.IntRange(0, len(x.Links)-1).Draw(t, "link")
			j := rapid.IntRange(0, len(x.Links)-1).Draw(t, "other")
			switch rapid.IntRange(0, 5).Draw(t, "change") {
			case 0:
				x.Links[i].B, x.Links[j].B = x.Links[j].B, x.Links[i].B
			case 1:
				x.Links[i].A, x.Links[j].B = x.Links[j].B, x.Links[i].A
			case 2:
				x.Links = slices.Delete(x.Links, i, i+1)
			case 3:
				if x.Links[i].B.Box < len(w.Boxes) {
					x.Links[i].B = free(t, p, &x)
				}
			case 4:
				x.Links[i].Product = "another"
			case 5: // to a box that the plan does not have
				x.Links[i].B = exchange.End{Box: len(x.Boxes), Port: "1"}
				x.Boxes = append(slices.Clip(x.Boxes), exchange.Box{Name: fmt.Sprintf("stranger-%d-!", len(x.Boxes))})
			}
		}
		// A cable between two boxes that the plan does not have stays.
		stranger := func(e exchange.End) bool { return e.Box >= len(w.Boxes) }
		x.Links = slices.DeleteFunc(x.Links, func(l exchange.Link) bool { return stranger(l.A) && stranger(l.B) })
		r := p.Compare([]*exchange.Wiring{&x})
		if err := r.FindOrder(context.Background(), asbuilt.Options{}); err != nil {
			t.Fatal(err)
		}
		s := siteOf(wired(&x))
		want := wired(w)
		for a, b := range wired(&x) { // what nobody knows stays, and what is planned in its ports waits
			if strings.HasPrefix(b, "stranger") {
				delete(want, want[a])
				want[a], want[b] = b, a
			}
		}
		products := map[workorder.Do]int{}
		for i := range r.Order.Steps {
			st := &r.Order.Steps[i]
			before := mapsKeys(s.at)
			for k := range st.Moves {
				m := &st.Moves[k]
				if err := s.make(m); err != nil {
					t.Fatalf("step %d, move %d: %v: %+v", st.Step, m.Move, err, r.Order)
				}
				products[m.Do]++
			}
			for _, e := range st.Cap {
				if port := e.Box + " " + e.Port; s.at[port] != 0 || !before[port] {
					t.Fatalf("%s is to be capped", port)
				}
			}
			for _, e := range st.Uncap {
				if port := e.Box + " " + e.Port; s.at[port] == 0 || before[port] {
					t.Fatalf("the cap of %s is to come off", port)
				}
			}
			if after := mapsKeys(s.at); len(after)-len(before) != len(st.Uncap)-len(st.Cap) {
				t.Fatalf("%d ports are in use after %d, with %d capped and %d uncapped", len(after), len(before),
					len(st.Cap), len(st.Uncap))
			}
		}
		got := s.wires()
		if len(got) != len(want) || len(s.at) != len(want) {
			t.Fatalf("%d ports are joined, %d in use, %d planned", len(got), len(s.at), len(want))
		}
		for a, b := range want {
			if got[a] != b {
				t.Fatalf("%s is joined to %s in the end, not to %s", a, got[a], b)
			}
		}
		taken, returned := 0, 0
		for _, c := range r.Order.Take {
			taken += c.Cables
		}
		for _, c := range r.Order.Return {
			returned += c.Cables
		}
		if taken != products[workorder.Lay]+products[workorder.Exchange] ||
			returned != products[workorder.TakeOut]+products[workorder.Exchange] {
			t.Fatalf("%d cables are brought and %d brought back: %v", taken, returned, products)
		}
		// The moves without steps end the same, with the same cables brought and brought back.
		is := wired(&x)
		if err := is.mend(r.Moves, plainly); err != nil {
			t.Fatalf("%v: %+v", err, r.Moves)
		}
		if !maps.Equal(is, want) {
			t.Fatalf("the moves make %v, not %v: %+v", is, want, r.Moves)
		}
		listed := map[Do]int{}
		for i := range r.Moves {
			listed[r.Moves[i].Do]++
		}
		if listed[Lay] != products[workorder.Lay] || listed[TakeOut] != products[workorder.TakeOut] ||
			listed[Exchange] != products[workorder.Exchange] {
			t.Fatalf("listed are %v, ordered %v", listed, products)
		}
	})
}

func mapsKeys(at map[string]int) map[string]bool {
	out := map[string]bool{}
	for k := range at {
		out[k] = true
	}
	return out
}

// TestStepsKeepPaths rotates all uplinks of a leaf: disconnected together, its nodes would be cut off. Every moment of
// every step has all nodes connected; with one step for all moves, some would not be.
func TestStepsKeepPaths(t *testing.T) {
	p, w := planned(t, plan(t, tree), "")
	var up []int
	leaf := ""
	for i, l := range w.Links {
		a, b := w.Boxes[l.A.Box], w.Boxes[l.B.Box]
		if a.Role != "switch" || b.Role != "switch" {
			continue
		}
		if leaf == "" {
			leaf = a.Name
		}
		if a.Name == leaf {
			up = append(up, i)
		}
	}
	if len(up) < 3 {
		t.Fatalf("%s has %d links up", leaf, len(up))
	}
	last := w.Links[up[len(up)-1]].A
	for k := len(up) - 1; k > 0; k-- {
		w.Links[up[k]].A = w.Links[up[k-1]].A
	}
	w.Links[up[0]].A = last
	r := p.Compare([]*exchange.Wiring{w})
	if len(r.Differences) != 1 || r.Differences[0].Kind != Rotated {
		t.Fatalf("%+v", r.Differences)
	}
	if err := r.FindOrder(context.Background(), asbuilt.Options{Capacity: 90}); err != nil {
		t.Fatal(err)
	}
	var nodes []string
	for _, b := range w.Boxes {
		if b.Role != "switch" {
			nodes = append(nodes, b.Name)
		}
	}
	s := siteOf(wired(w))
	if !connected(s.wires(), nodes) {
		t.Fatal("the nodes are not connected before the work")
	}
	for i := range r.Order.Steps {
		st := &r.Order.Steps[i]
		if len(st.Cut) > 0 || st.Paths < 1 || st.Share < 90 {
			t.Errorf("step %d cuts off %v and leaves %v %% of the links", st.Step, st.Cut, st.Share)
		}
		for k := range st.Moves {
			if err := s.make(&st.Moves[k]); err != nil {
				t.Fatal(err)
			}
			if !connected(s.wires(), nodes) {
				t.Fatalf("after move %d of step %d some node is cut off", st.Moves[k].Move, st.Step)
			}
		}
	}
	if len(r.Order.Steps) < 2 {
		t.Errorf("all uplinks of %s are moved in %d steps, with 90 %% of links to be kept", leaf, len(r.Order.Steps))
	}
}

// TestOrdersAreWritten holds the table and the sheets of an order to its moves.
func TestOrdersAreWritten(t *testing.T) {
	p, w := planned(t, plan(t, tree), "")
	inject(p, w, 10, rand.New(rand.NewPCG(1, 1)))
	r := p.Compare([]*exchange.Wiring{w})
	if err := r.FindOrder(context.Background(), asbuilt.Options{}); err != nil {
		t.Fatal(err)
	}
	var table, sheets bytes.Buffer
	if err := r.Order.WriteTable(context.Background(), &table); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(table.String(), "\n"); n != r.Order.Moves()+1 || r.Order.Moves() < 10 {
		t.Errorf("%d lines of %d moves", n, r.Order.Moves())
	}
	if err := r.Order.WriteSheets(context.Background(), &sheets, "test"); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(sheets.Bytes(), []byte("%PDF")) {
		t.Error("the sheets are not PDF")
	}
}

func BenchmarkOrder(b *testing.B) {
	r := plan(b, `
topology: {family: torus, dims: [32, 32, 32]}
packaging: {node: {part: generic-torus-node-1u}}
`)
	p, w := planned(b, r, "")
	inject(p, w, 1000, rand.New(rand.NewPCG(1, 1)))
	found := p.Compare([]*exchange.Wiring{w})
	for b.Loop() {
		if err := found.FindOrder(context.Background(), asbuilt.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLabelsOfOrders: every plug of a cable that is touched has its label, once, over panels and of cables that carry
// several links, and no other cable has one.
func TestLabelsOfOrders(t *testing.T) {
	for name, text := range map[string]string{
		"panels": "topology: {family: fat-tree, radix: 16, nodes: 48}\npackaging: {node: {per_rack: 6}}\n" +
			"cabling: {structured: {}, media: [{use: [fibre]}]}\n",
		"pod": "",
	} {
		if name == "pod" {
			file, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
			if err != nil {
				t.Fatal(err)
			}
			text = string(file)
		}
		result := plan(t, text)
		p, w := planned(t, result, "")
		inject(p, w, 15, rand.New(rand.NewPCG(7, 1)))
		r := p.Compare([]*exchange.Wiring{w})
		if err := r.FindOrder(context.Background(), asbuilt.Options{}); err != nil {
			t.Fatal(err)
		}
		touched, seen := map[string]bool{}, map[string]bool{}
		for _, st := range r.Order.Steps {
			for _, m := range st.Moves {
				touched[m.Cable] = true
			}
		}
		count := map[string]int{}
		for _, l := range r.Order.Labels {
			key := l.Cable + "/" + l.End + " " + l.Near
			if seen[key] {
				t.Errorf("%s: %s comes twice", name, key)
			}
			seen[key] = true
			count[l.Cable]++
		}
		for plug := range render.Plugs(result, "") {
			if count[plug.Cable] > 0 && !seen[plug.Cable+"/"+plug.End+" "+plug.Near.Label] {
				t.Errorf("%s: end %s of %s has no label", name, plug.End, plug.Cable)
			}
		}
		for cable := range touched {
			if cable != "" && count[cable] == 0 && name != "panels" { // where the far cord may be the one
				t.Errorf("%s: %s has no label", name, cable)
			}
		}
		if len(count) == 0 || name != "panels" && len(count) > len(touched) {
			t.Errorf("%s: %d cables have labels, %d are touched", name, len(count), len(touched))
		}
	}
}

// TestPortsThatMayNotBeEmpty: a port of a box that has a plug in some port which the source does not tell may be that
// one, so that no cable is laid there; a cable of another box is.
func TestPortsThatMayNotBeEmpty(t *testing.T) {
	p, w := planned(t, plan(t, leaves), "")
	cable := p.cableName(5)                      // LF2 2 to N6
	w.Links[4].A = exchange.End{Port: "unknown"} // N5 to some port of LF1 in place of LF2
	w.Links = append(w.Links[1:5:5], w.Links[6:]...)
	r := p.Compare([]*exchange.Wiring{w})
	if len(r.Differences) != 3 || len(r.Moves) != 1 || r.Moves[0].Do != Lay || r.Moves[0].Cable != cable {
		t.Errorf("%+v, want %s to be laid alone", r.Moves, cable)
	}
}

// TestLevelsOfWhatIsNotPlanned: a found link counts at the level of what is planned in one of its ports, else of what
// is planned at one of its boxes.
func TestLevelsOfWhatIsNotPlanned(t *testing.T) {
	p, _ := planned(t, plan(t, leaves), "")
	o := &orderer{sight: p.newSight()}
	hosts, spines := int(p.links[0].level), int(p.links[8].level)
	if hosts == spines {
		t.Fatal("all links are of one level")
	}
	port := func(v, n int32) int32 { return p.first[v] + n }
	for _, c := range []struct {
		a, b int32
		want int
	}{
		{port(spine1, 60), port(spine2, 60), spines},
		{port(spine1, 60), port(leaf1, 0), hosts},
		{port(leaf1, 5), port(spine1, 60), spines},
		{port(leaf1, 60), port(spine1, 60), hosts}, // the first of the leaf
	} {
		if got := o.levelOf(&found{a: c.a, b: c.b}); got != c.want {
			t.Errorf("%v to %v: level %d, want %d", p.end(c.a), p.end(c.b), got, c.want)
		}
	}
}
