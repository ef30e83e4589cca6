package verify

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

func plan(t testing.TB, text string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// planFile plans a machine file without the delays of all pairs.
func planFile(t *testing.T, path string) *machine.Result {
	t.Helper()
	s, err := machine.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.PlanWith(t.Context(), s, machine.Options{NoPaths: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func planned(t testing.TB, r *machine.Result, fabric string) (*Plan, *exchange.Wiring) {
	t.Helper()
	p, err := NewPlan(r, fabric)
	if err != nil {
		t.Fatal(err)
	}
	w, err := exchange.PlannedWiring(r, fabric)
	if err != nil {
		t.Fatal(err)
	}
	return p, w
}

const tree = `
topology: {family: fat-tree, radix: 16, nodes: 48}
`

func TestNothingDiffersFromThePlanItself(t *testing.T) {
	p, w := planned(t, plan(t, tree), "")
	r := p.Compare([]*exchange.Wiring{w, w})
	if !r.OK || r.Right != len(w.Links) || r.Checked != r.Right || r.Unknown != 0 || len(r.Notes) > 0 {
		t.Errorf("%+v", r)
	}
}

// wires is what is cabled: which port is joined to which, by "box port".
type wires map[string]string

func wired(w *exchange.Wiring) wires {
	out := wires{}
	name := func(e exchange.End) string { return w.Boxes[e.Box].Name + " " + e.Port }
	for _, l := range w.Links {
		out[name(l.A)], out[name(l.B)] = name(l.B), name(l.A)
	}
	return out
}

// mend makes moves one after the other, as somebody would, and fails where a port is taken.
func (x wires) mend(moves []Move, name func(e End) string) error {
	port := func(e *End) string { return name(*e) }
	var hanging string // the other end of the cable whose plug hangs
	pull := func(a, b string) error {
		if x[a] != b || x[b] != a {
			return fmt.Errorf("there is no cable from %s to %s, but to %s", a, b, x[a])
		}
		delete(x, a)
		delete(x, b)
		return nil
	}
	plug := func(a, b string) error {
		if x[a] != "" || x[b] != "" {
			return fmt.Errorf("%s or %s is taken", a, b)
		}
		x[a], x[b] = b, a
		return nil
	}
	for _, m := range moves {
		other := port(&m.Other)
		var err error
		switch m.Do {
		case MovePlug:
			if err = pull(port(m.From), other); err == nil {
				err = plug(port(m.To), other)
			}
		case Unplug:
			hanging = other
			err = pull(port(m.From), other)
		case Plug:
			if hanging != other {
				err = fmt.Errorf("the cable from %s hangs, not that from %s", hanging, other)
			} else {
				err = plug(port(m.To), other)
			}
		case Lay:
			err = plug(port(m.To), other)
		case TakeOut:
			err = pull(port(m.From), other)
		}
		if err != nil {
			return fmt.Errorf("move %d: %w", m.Step, err)
		}
	}
	return nil
}

// plainly is an end by box and port, where ports are printed as numbers.
func plainly(e End) string { return e.Box + " " + e.Port }

// touched counts the cables that moves are about: one that is unplugged and plugged in again once.
func touched(moves []Move) int {
	return len(moves) - len(slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return m.Do != Plug }))
}

// TestMovesMend draws what is cabled and holds that the moves, one after the other, make it as planned, and that no
// fewer cables could be touched: every planned link that is not there needs one, and so does every found one that is
// not planned.
func TestMovesMend(t *testing.T) {
	p, w := planned(t, plan(t, tree), "")
	rapid.Check(t, func(t *rapid.T) {
		x := *w
		x.Links = slices.Clone(w.Links)
		for i := range x.Links {
			x.Links[i].Product = "" // what is moved twice may be right again, as another product
		}
		for range rapid.IntRange(0, 12).Draw(t, "changes") {
			i := rapid.IntRange(0, len(x.Links)-1).Draw(t, "link")
			j := rapid.IntRange(0, len(x.Links)-1).Draw(t, "other")
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				x.Links[i].B, x.Links[j].B = x.Links[j].B, x.Links[i].B
			case 1:
				x.Links[i].A, x.Links[j].B = x.Links[j].B, x.Links[i].A
			case 2:
				x.Links = slices.Delete(x.Links, i, i+1)
			case 3: // into a port that nothing is planned for
				x.Links[i].B = free(t, p, &x)
			}
		}
		r := p.Compare([]*exchange.Wiring{&x})
		if len(r.Notes)+len(r.Strangers) > 0 {
			t.Fatal(r.Notes, r.Strangers)
		}
		is, want := wired(&x), wired(w)
		wrong, lacking := 0, 0
		for a, b := range is {
			if a < b && want[a] != b {
				wrong++
			}
		}
		for a, b := range want {
			if a < b && is[a] != b {
				lacking++
			}
		}
		differing, count := 0, 0
		for _, d := range r.Differences {
			differing += max(len(d.Plan), len(d.Found))
			count += len(d.Plan) + len(d.Found)
		}
		if count != wrong+lacking || r.OK != (count == 0) || r.Checked != len(w.Links) ||
			r.Right != len(w.Links)-lacking {
			t.Fatalf("%d wrong, %d lacking: %+v", wrong, lacking, r)
		}
		if n := touched(r.Moves); n != differing {
			t.Errorf("%d cables are touched, %d are enough: %+v", n, differing, r.Moves)
		}
		if err := is.mend(r.Moves, plainly); err != nil {
			t.Fatalf("%v: %+v", err, r.Moves)
		}
		for a, b := range want {
			if is[a] != b {
				t.Fatalf("%s is joined to %q after all, not to %s", a, is[a], b)
			}
		}
		if len(is) != len(want) {
			t.Fatalf("%d ports are joined, %d are planned", len(is), len(want))
		}
	})
}

// free draws a port that nothing is in.
func free(t *rapid.T, p *Plan, x *exchange.Wiring) exchange.End {
	taken := wired(x)
	for {
		b := rapid.IntRange(0, len(p.first)-2).Draw(t, "box")
		if count := p.first[b+1] - p.first[b]; count > 0 {
			port := rapid.IntRange(0, int(count)-1).Draw(t, "port")
			number := p.names.PortNumber(topology.KindOf(p.kinds, b), port)
			e := exchange.End{Box: b, Port: fmt.Sprint(number), Form: exchange.Subnet}
			if number > 0 && taken[x.Boxes[b].Name+" "+e.Port] == "" {
				return e
			}
		}
	}
}

// fault is one that a test has made.
type injected struct {
	kind Kind
	plan []string // the ends of the planned links that it is about; of an extra one, its own
}

// spare lists the ports of switches that nothing is planned for, of the switches that a wiring links.
func spare(p *Plan, w *exchange.Wiring) []exchange.End {
	linked := make([]bool, len(w.Boxes))
	for _, l := range w.Links {
		linked[l.A.Box], linked[l.B.Box] = true, true
	}
	var out []exchange.End
	for v := range w.Boxes {
		for i, l := range p.planned[p.first[v]:p.first[v+1]] {
			number := p.names.PortNumber(topology.KindOf(p.kinds, v), i)
			if l < 0 && linked[v] && w.Boxes[v].Role == "switch" && number > 0 {
				out = append(out, exchange.End{Box: v, Port: fmt.Sprint(number), Form: exchange.Subnet})
			}
		}
	}
	return out
}

// inject makes faults of all kinds in a wiring, about links that no two share. A port that is dead, or a plug that is
// in nothing, is a missing link.
func inject(p *Plan, w *exchange.Wiring, count int, rng *rand.Rand) []injected {
	order := rng.Perm(len(w.Links))
	take := func() *exchange.Link {
		l := &w.Links[order[0]]
		order = order[1:]
		return l
	}
	text := func(l *exchange.Link) string {
		a, b := w.Boxes[l.A.Box].Name+" "+l.A.Port, w.Boxes[l.B.Box].Name+" "+l.B.Port
		return min(a, b) + " - " + max(a, b)
	}
	var out []injected
	gone := map[*exchange.Link]bool{}
	idle := spare(p, w)
	rng.Shuffle(len(idle), func(i, k int) { idle[i], idle[k] = idle[k], idle[i] })
	var extra []exchange.Link
	for i := range count {
		var f injected
		if i%6 == 5 && len(idle) > 1 {
			extra = append(extra, exchange.Link{A: idle[0], B: idle[1]})
			idle = idle[2:]
			out = append(out, injected{Extra, []string{text(&extra[len(extra)-1])}})
			continue
		}
		group := []*exchange.Link{take()}
		switch i % 6 {
		case 0, 5:
			f.kind = Missing
			gone[group[0]] = true
		case 1: // two ends at boxes of any kind
			f.kind = Swapped
			group = append(group, take())
		case 2: // a group of one box, plugged in shifted
			f.kind = Rotated
			for k, n := range order {
				if l := &w.Links[n]; l.B.Box == group[0].B.Box && len(group) < 4 {
					group = append(group, l)
					order[k] = -1
				}
			}
			order = slices.DeleteFunc(order, func(n int) bool { return n < 0 })
			if len(group) < 3 {
				f.kind = []Kind{"", Missing, Swapped}[len(group)]
				if len(group) == 1 {
					gone[group[0]] = true
				}
			}
		case 3: // into the port of a cable that is not there, of another box at either end
			f.kind = WrongBox
			k := slices.IndexFunc(order, func(n int) bool {
				return w.Links[n].A.Box != group[0].A.Box && w.Links[n].B.Box != group[0].B.Box
			})
			group = append(group, &w.Links[order[k]])
			order = slices.Delete(order, k, k+1)
		case 4: // the same, of the same box
			f.kind = WrongPort
			k := slices.IndexFunc(order, func(n int) bool { return w.Links[n].B.Box == group[0].B.Box })
			if k < 0 {
				f.kind, gone[group[0]] = Missing, true
				break
			}
			group = append(group, &w.Links[order[k]])
			order = slices.Delete(order, k, k+1)
		}
		for _, l := range group {
			f.plan = append(f.plan, text(l))
		}
		switch f.kind {
		case Swapped, Rotated:
			first := group[0].B
			for k := range group[1:] {
				group[k].B = group[k+1].B
			}
			group[len(group)-1].B = first
		case WrongBox, WrongPort:
			group[0].B = group[1].B
			gone[group[1]] = true
		}
		slices.Sort(f.plan)
		out = append(out, f)
	}
	left := extra
	for i := range w.Links {
		if !gone[&w.Links[i]] {
			left = append(left, w.Links[i])
		}
	}
	w.Links = left
	return out
}

// same holds that the differences are the faults that were made, no more and no fewer.
func same(t *testing.T, r *Result, want []injected, name func(e End) string) {
	t.Helper()
	var got []string
	for _, d := range r.Differences {
		var links []string
		about := d.Plan
		if d.Kind == Extra {
			about = d.Found
		}
		for _, l := range about {
			a, b := name(l.A), name(l.B)
			links = append(links, min(a, b)+" - "+max(a, b))
		}
		slices.Sort(links)
		got = append(got, string(d.Kind)+": "+strings.Join(links, ", "))
	}
	var made []string
	for _, f := range want {
		made = append(made, string(f.kind)+": "+strings.Join(f.plan, ", "))
	}
	slices.Sort(got)
	slices.Sort(made)
	if !slices.Equal(got, made) {
		t.Errorf("found:\n%s\nmade:\n%s", strings.Join(got, "\n"), strings.Join(made, "\n"))
	}
}

func TestKindsOfFaults(t *testing.T) {
	for seed := range uint64(20) {
		p, w := planned(t, plan(t, tree), "")
		want := inject(p, w, 10, rand.New(rand.NewPCG(seed, 1)))
		same(t, p.Compare([]*exchange.Wiring{w}), want, plainly)
	}
}

// TestUnknownIsNotMissing: what a source cannot see is unknown.
func TestUnknownIsNotMissing(t *testing.T) {
	p, w := planned(t, plan(t, tree), "")
	all := len(w.Links)
	w.Links = nil
	for i := range w.Boxes {
		w.Boxes[i].Listed = false
	}
	if r := p.Compare([]*exchange.Wiring{w}); !r.OK || r.Unknown != all {
		t.Errorf("nothing is listed: %+v", r)
	}
	w.Boxes[0].Listed = true // a node
	w.Boxes[0].Role = ""
	r := p.Compare([]*exchange.Wiring{{Boxes: w.Boxes, Links: []exchange.Link{}}})
	if r.Unknown != all {
		t.Errorf("a host without any link tells nothing of its fabrics: %+v", r)
	}
}

func TestNamesAreFolded(t *testing.T) {
	for _, tt := range [][2]string{
		{"Leaf-01", "leaf-1"}, {"leaf-01.hall.example.com", "LEAF-1"}, {"n00", "N0"}, {"sw10", "SW010"},
	} {
		if identity.Host(tt[0]) != identity.Host(tt[1]) {
			t.Errorf("%q and %q", identity.Host(tt[0]), identity.Host(tt[1]))
		}
	}
	for _, tt := range [][2]string{{"leaf-1", "leaf-10"}, {"n1", "n11"}, {"10.0.0.1", "10.0.0.2"}} {
		if identity.Host(tt[0]) == identity.Host(tt[1]) {
			t.Errorf("%q is %q", tt[0], tt[1])
		}
	}
}

// TestFaultsInASimulatedFabric has ibsim play the SuperPOD's InfiniBand networks with 25 faults of known kinds, and
// ibnetdiscover find them.
func TestFaultsInASimulatedFabric(t *testing.T) {
	needs(t, "ibsim", "ibsim-run", "ibnetdiscover")
	file, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	result := plan(t, string(file))
	seeds := uint64(1)
	if os.Getenv("PLENUM_LONG") != "" {
		seeds = 200
	}
	for seed := range seeds {
		for _, fabric := range []string{"compute", "storage"} {
			p, w := planned(t, result, fabric)
			for _, faults := range []int{0, 25} {
				if faults == 0 && seed > 0 {
					continue
				}
				whole := wired(w)
				want := inject(p, w, faults, rand.New(rand.NewPCG(seed, 2)))
				dir := t.TempDir()
				found := simulated(t, dir, w)
				begun := time.Now()
				r := p.Compare([]*exchange.Wiring{found})
				t.Logf("seed %d, %s: %d links, %d differences, compared in %v", seed, fabric, len(found.Links),
					len(r.Differences), time.Since(begun))
				// The numbers by which ports were made faulty are those of the file; ends are printed by name.
				name := func(e End) string {
					v := p.called(e.Box)
					for i := range p.first[v+1] - p.first[v] {
						if port := p.first[v] + i; p.portName(v, port) == e.Port {
							number := p.names.PortNumber(topology.KindOf(p.kinds, int(v)), int(i))
							return fmt.Sprintf("%s %d", e.Box, number)
						}
					}
					return e.Box + "?"
				}
				same(t, r, want, name)
				mended(t, w, whole, r, name)
				if faults > 0 && fabric == "compute" { // nodes have ports enough to be known by them
					found = simulated(t, t.TempDir(), anonymous(w, rand.New(rand.NewPCG(seed, 4))))
					begun = time.Now()
					r = p.Compare([]*exchange.Wiring{found})
					t.Logf("without names: %d identified in %v", len(r.Identified), time.Since(begun))
					same(t, r, want, name)
					mended(t, w, whole, r, name)
				}
			}
		}
	}
}

// mended makes the moves of a result in a wiring, and holds that it is as planned then.
func mended(t *testing.T, w *exchange.Wiring, want wires, r *Result, name func(e End) string) {
	t.Helper()
	is := wired(w)
	if err := is.mend(r.Moves, name); err != nil {
		t.Error(err)
	}
	if !maps.Equal(is, want) {
		t.Errorf("%d ports are joined after the moves, %d are planned, or others", len(is), len(want))
	}
}

// simulated is what ibnetdiscover finds in a wiring that ibsim plays.
func simulated(t *testing.T, dir string, w *exchange.Wiring) *exchange.Wiring {
	t.Helper()
	var net bytes.Buffer
	if err := exchange.WriteIBNetDiscover(t.Context(), &net, w); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "fabric.net")
	if err := os.WriteFile(path, net.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// A name of its own, so that it is not taken for the simulator of another test that runs at the same time.
	name := fmt.Sprintf("plenum-verify-%d", os.Getpid())
	env := append(os.Environ(), "IBSIM_SOCKNAME="+name)
	sim := exec.CommandContext(ctx, "ibsim", "-s", "-n", "-N", "8192", "-S", "2048", "-P", "200000", path)
	sim.Env = env
	if err := sim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		sim.Process.Kill()
		sim.Wait()
	}()
	// A client that comes before the simulator listens waits for seconds.
	for range 100 {
		if sockets, err := os.ReadFile("/proc/net/unix"); err != nil || bytes.Contains(sockets, []byte(name+":")) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	var out []byte
	for ctx.Err() == nil {
		discover := exec.CommandContext(ctx, "ibsim-run", "ibnetdiscover")
		discover.Env = env
		var err error
		if out, err = discover.Output(); err == nil && len(out) > 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	path = filepath.Join(dir, "found.txt")
	if err := os.WriteFile(path, out, 0o666); err != nil {
		t.Fatal(err)
	}
	found, err := exchange.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// BenchmarkAnonymous compares a machine in which no box is called as planned.
func BenchmarkAnonymous(b *testing.B) {
	for _, text := range []string{
		"topology: {family: torus, dims: [22, 22, 21]}", "topology: {family: random-regular, nodes: 10000, degree: 8}",
	} {
		b.Run(text, func(b *testing.B) {
			p, w := planned(b, plan(b, text), "")
			rng := rand.New(rand.NewPCG(1, 1))
			inject(p, w, 100, rng)
			w = anonymous(w, rng)
			for b.Loop() {
				if r := p.Compare([]*exchange.Wiring{w}); len(r.Identified) < 10_000 {
					b.Fatal(len(r.Identified))
				}
			}
		})
	}
}

func BenchmarkCompare(b *testing.B) {
	r := plan(b, `
topology: {family: torus, dims: [32, 32, 32]}
packaging: {node: {part: generic-torus-node-1u}}
`)
	p, w := planned(b, r, "")
	inject(p, w, 1000, rand.New(rand.NewPCG(1, 1)))
	for b.Loop() {
		if r := p.Compare([]*exchange.Wiring{w}); len(r.Differences) < 900 {
			b.Fatal(len(r.Differences))
		}
	}
}

// anonymous calls all boxes by numbers that say nothing, in another order.
func anonymous(w *exchange.Wiring, rng *rand.Rand) *exchange.Wiring {
	order := rng.Perm(len(w.Boxes))
	out := &exchange.Wiring{Boxes: make([]exchange.Box, len(w.Boxes))}
	for i, b := range w.Boxes {
		b.Name = fmt.Sprintf("0x%016x", rng.Uint64())
		out.Boxes[order[i]] = b
	}
	for _, i := range rng.Perm(len(w.Links)) {
		l := w.Links[i]
		l.A.Box, l.B.Box, l.Product = order[l.A.Box], order[l.B.Box], "" // the cables of another place may be longer
		out.Links = append(out.Links, l)
	}
	return out
}

// TestAnonymousBoxes finds faults where nobody has named a box. In a tree no two boxes look alike; a torus can be laid
// down in many ways, each as good as the others.
func TestAnonymousBoxes(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		choice     bool
		seeds      uint64
	}{
		{"tree", "topology: {family: fat-tree, radix: 16, rails: 4, nodes: 48}", false, 10},
		{"torus", "topology: {family: torus, dims: [6, 6, 6]}", true, 120},
	} {
		r := plan(t, tt.text)
		for seed := range tt.seeds {
			p, w := planned(t, r, "")
			rng := rand.New(rand.NewPCG(seed, 3))
			want := inject(p, w, 10, rng)
			got := p.Compare([]*exchange.Wiring{anonymous(w, rng)})
			if len(got.Strangers) > 0 || len(got.Identified) != len(w.Boxes) {
				t.Fatalf("%s, seed %d: %d identified of %d; strangers %v", tt.name, seed, len(got.Identified),
					len(w.Boxes), got.Strangers)
			}
			if !tt.choice {
				if len(got.Notes) > 0 {
					t.Errorf("%s: %v", tt.name, got.Notes)
				}
				same(t, got, want, plainly)
				continue
			}
			if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "could be any of 216 boxes that look alike") {
				t.Errorf("%s: %v", tt.name, got.Notes)
			}
			count := map[Kind]int{}
			for _, d := range got.Differences {
				count[d.Kind]++
			}
			for _, f := range want {
				count[f.kind]--
			}
			for kind, n := range count {
				if n != 0 {
					t.Errorf("%s, seed %d: %s off by %d", tt.name, seed, kind, n)
				}
			}
		}
	}
}

// TestOneUnknownName finds the one box that has another name, beside others that are known.
func TestOneUnknownName(t *testing.T) {
	p, w := planned(t, plan(t, "topology: {family: torus, dims: [4, 4, 4]}"), "")
	name := w.Boxes[13].Name
	w.Boxes[13].Name = "spare"
	r := p.Compare([]*exchange.Wiring{w})
	if !r.OK || len(r.Identified) != 1 || r.Identified[0] != (Identified{"spare", name}) || len(r.Notes) > 0 {
		t.Errorf("%+v", r)
	}
}

// TestOverPanels reads the cables of a plan over patch panels, cord by cord, and finds the link whose trunk is not
// there.
func TestOverPanels(t *testing.T) {
	r := plan(t, `
topology: {family: fat-tree, radix: 16, nodes: 48}
packaging: {node: {per_rack: 8}}
cabling: {structured: {}, media: [{use: [fibre]}]}
`)
	s := r.Schedule
	if s.Patching == nil || len(s.Patching.Panels) == 0 {
		t.Fatal("the plan has no panels")
	}
	p, _ := planned(t, r, "")
	w := &exchange.Wiring{Source: "cables.csv"}
	boxes := map[string]int{}
	end := func(v int32, port uint16) exchange.End {
		name := s.Device(v)
		if _, ok := boxes[name]; !ok {
			boxes[name] = len(w.Boxes)
			w.Boxes = append(w.Boxes, exchange.Box{Name: name, Listed: true})
		}
		return exchange.End{Box: boxes[name], Port: s.PortName(v, port)}
	}
	trunk := -1
	for i := range s.Segments {
		seg := &s.Segments[i]
		if trunk < 0 && s.Continues(seg) && s.Panel(seg.B) >= 0 {
			trunk = len(w.Links)
		}
		w.Links = append(w.Links, exchange.Link{A: end(seg.A, seg.PortA), B: end(seg.B, seg.PortB)})
	}
	if got := p.Compare([]*exchange.Wiring{w}); !got.OK || got.Right != len(p.links) || len(got.Strangers) > 0 {
		t.Errorf("%+v", got)
	}
	w.Links = slices.Delete(w.Links, trunk, trunk+1)
	got := p.Compare([]*exchange.Wiring{w})
	if len(got.Differences) != 1 || got.Differences[0].Kind != Missing || len(got.Notes) != 1 ||
		!strings.Contains(got.Notes[0], "ends at PP") {
		t.Errorf("%+v", got)
	}
}
