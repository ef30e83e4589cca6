package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// built is a machine as it really is: what a generator of sources knows to be true. It names ports by what the
// catalogue says of them alone, and does not use what finds ports by their names.
type built struct {
	said   []bool // by planned link, whether the form can write it
	p      *Plan
	rnd    *rand.Rand
	cables []builtCable
	want   []string // the differences, as told writes them
	swaps  [2]string
	// clashes are rows that claim a port that another cable is in, which only tables have.
	clashes []builtCable
	// untold is the ports that a source does not tell although it tells their boxes.
	untold map[int32]bool
	// guesses says that the plan has no names for some of what a form calls ports.
	guesses bool
	domain  bool // boxes are called in capitals and with a domain
}

// builtCable is a cable between two ports of the plan. Rate is "" where it is as planned.
type builtCable struct {
	ends [2]int32
	rate string
}

func newBuilt(p *Plan, seed uint64) *built {
	m := &built{p: p, rnd: rand.New(rand.NewPCG(seed, 1)), untold: map[int32]bool{}}
	for i := range p.links {
		m.cables = append(m.cables, builtCable{ends: [2]int32{p.links[i].a, p.links[i].b}})
	}
	return m
}

func (m *built) kind(v int32) int { return topology.KindOf(m.p.kinds, int(v)) }

func (m *built) isSwitch(v int32) bool { return m.p.kinds[m.kind(v)].Role == topology.Switch }

func pick[T any](rnd *rand.Rand, all ...T) T { return all[rnd.IntN(len(all))] }

func shuffle[T any](rnd *rand.Rand, all []T) []T {
	all = slices.Clone(all)
	rnd.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return all
}

// box is what a source calls a box.
func (m *built) box(v int32) string {
	name := m.p.schedule.Device(v)
	if m.domain && !strings.ContainsAny(name, ". ") {
		return strings.ToUpper(name) + ".Example.COM"
	}
	return name
}

// portStyles are the names by which a source calls ports.
var portStyles = []string{"label", "interface", "device", "alias", "other"}

// port is what a source calls a port in a style; what a style has no name for is called as it is printed.
func (m *built) port(style string, at int32) string {
	v := m.p.vertex(at)
	id := m.p.names.PortIdentity(m.kind(v), int(at-m.p.first[v]))
	name := ""
	switch style {
	case "interface":
		name = id.Interface
	case "device":
		name = id.Device
	case "alias":
		if n := len(id.Aliases); n > 0 {
			name = id.Aliases[int(at)%n]
		}
	case "other":
		if !digits(id.Label) || m.hasNumbers(m.kind(v)) {
			name = otherForm(id.Label, id.Interface == "", int(at))
		}
	}
	if name == "" {
		name = id.Label
	}
	return name
}

// hasNumbers reports whether all ports of a kind have numbers. Beside ports with names, 7 is not swp7.
func (m *built) hasNumbers(kind int) bool {
	for n := range m.p.names.PortCount(kind) {
		if !digits(m.p.names.PortName(kind, n)) {
			return false
		}
	}
	return true
}

// otherForm is another form of the name of a port, as other systems and people write it. Of a number, swp7 is one only
// where the part does not say what its system calls the port.
func otherForm(name string, swp bool, n int) string {
	if strings.Trim(name, "0123456789") == "" {
		if n%5 == 3 && !swp {
			n++
		}
		return [...]string{"Port " + name, "P" + name, "0" + name, "swp" + name, "port" + name}[n%5]
	}
	if rest, ok := strings.CutPrefix(name, "Ethernet"); ok {
		return [...]string{"Et", "Eth", "ethernet", "ETHERNET", "eth"}[n%5] + rest
	}
	if rest, ok := strings.CutPrefix(name, "ethernet-"); ok && strings.Count(rest, "/") == 1 {
		return "e" + strings.Replace(rest, "/", "-", 1)
	}
	return strings.ToUpper(name)
}

// spares has the spare ports of plans.
var spares sync.Map

// spare are ports for data that nothing is planned in. They are found once for a plan, as names take long.
func (m *built) spare() []int32 {
	if found, ok := spares.Load(m.p); ok {
		return found.([]int32)
	}
	var out []int32
	for at, l := range m.p.planned {
		if l < 0 && !identity.OtherPort(m.port("label", int32(at))) {
			out = append(out, int32(at))
		}
	}
	spares.Store(m.p, out)
	return out
}

// free are ports for data that nothing is planned in, of boxes that the test accepts.
func (m *built) free(is func(v int32) bool) []int32 {
	used := make([]bool, len(m.p.planned))
	for _, c := range slices.Concat(m.cables, m.clashes) {
		for _, at := range c.ends {
			if at >= 0 {
				used[at] = true
			}
		}
	}
	var out []int32
	for _, at := range m.spare() {
		if !used[at] && is(m.p.vertex(at)) {
			out = append(out, at)
		}
	}
	return out
}

// told writes a difference: its kind, the planned cables and the links that are found.
func told(kind Kind, plan []string, found [][2]string) string {
	for i := range found {
		slices.Sort(found[i][:])
	}
	slices.Sort(plan)
	slices.SortFunc(found, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return fmt.Sprint(kind, plan, found)
}

// pair is a found link as a difference has it.
func (m *built) pair(a, b int32) [2]string { return [2]string{m.spot(a), m.spot(b)} }

func (m *built) spot(at int32) string {
	e := m.p.end(at)
	return e.Box + " " + e.Port
}

// faults are the kinds of faults that are injected, each into links that no other has touched.
var faults = []Kind{Missing, Extra, Swapped, WrongBox, WrongPort, WrongRate, WrongWidth, Conflict, UnknownPort}

// inject injects a fault into one or two of the untouched links, and reports whether it can. ok reports whether a form
// can write a port.
func (m *built) inject(kind Kind, untouched *[]int, ok func(at int32) bool) bool {
	take := func() (int, bool) {
		if len(*untouched) == 0 {
			return 0, false
		}
		i := (*untouched)[0]
		*untouched = (*untouched)[1:]
		return i, true
	}
	i, more := take()
	if !more {
		return false
	}
	c := &m.cables[i]
	name := m.p.cableName(int32(i))
	a, b := c.ends[0], c.ends[1]
	// A plug goes to a free port.
	move := func(is func(v int32) bool) bool {
		to := slices.DeleteFunc(m.free(is), func(at int32) bool { return !ok(at) })
		if len(to) == 0 {
			return false
		}
		c.ends[1] = pick(m.rnd, to...)
		m.want = append(m.want, told(kind, []string{name}, [][2]string{m.pair(a, c.ends[1])}))
		return true
	}
	home := m.p.vertex(b)
	like := func(v int32) bool { return m.isSwitch(v) == m.isSwitch(home) && v != home && v != m.p.vertex(a) }
	switch kind {
	case Missing:
		// Of boxes without another link of the fabric, sources that list links say nothing.
		if i < len(m.p.links) && !m.beside(int32(i)) {
			return false
		}
		c.ends = [2]int32{-1, -1}
		m.want = append(m.want, told(kind, []string{name}, nil))
	case Extra:
		from := slices.DeleteFunc(m.free(m.isSwitch), func(at int32) bool { return !ok(at) })
		if len(from) < 2 {
			return false
		}
		x := pick(m.rnd, from...)
		y := pick(m.rnd, from...)
		if m.p.vertex(x) == m.p.vertex(y) {
			return false
		}
		m.cables = append(m.cables, builtCable{ends: [2]int32{x, y}})
		m.want = append(m.want, told(kind, nil, [][2]string{m.pair(x, y)}))
	case Swapped:
		k, more := take()
		if !more {
			return false
		}
		d := &m.cables[k]
		c.ends[1], d.ends[1] = d.ends[1], c.ends[1]
		m.want = append(m.want, told(kind, []string{name, m.p.cableName(int32(k))},
			[][2]string{m.pair(a, c.ends[1]), m.pair(d.ends[0], b)}))
	case WrongBox:
		return move(like)
	case WrongPort:
		return move(func(v int32) bool { return v == home })
	case WrongRate, WrongWidth:
		word := rateWord(m.p, i)
		if word == "" {
			return false
		}
		if c.rate = "4xSDR"; kind == WrongWidth {
			c.rate = "1x" + word
		}
		m.want = append(m.want, told(kind, []string{name}, [][2]string{m.pair(a, b)}))
	case Conflict:
		to := slices.DeleteFunc(m.free(like), func(at int32) bool { return !ok(at) })
		if len(to) == 0 {
			return false
		}
		x := pick(m.rnd, to...)
		m.clashes = append(m.clashes, builtCable{ends: [2]int32{a, x}})
		m.want = append(m.want, told(kind, []string{name}, [][2]string{m.pair(a, b), m.pair(a, x)}))
	case UnknownPort: // a plug in a port that is not told, of a wrong box
		if m.isSwitch(home) || !m.isSwitch(m.p.vertex(a)) {
			return false
		}
		boxes := slices.DeleteFunc(m.free(like), func(at int32) bool { return !ok(at) })
		if len(boxes) == 0 {
			return false
		}
		c.ends[1] = pick(m.rnd, boxes...)
		m.untold[c.ends[1]] = true
		m.want = append(m.want, told(WrongBox, []string{name}, [][2]string{{m.spot(a), "untold"}}))
	}
	return true
}

// beside reports whether a box of a planned link has another one of the fabric.
func (m *built) beside(l int32) bool {
	for _, at := range m.cables[l].ends {
		v := m.p.vertex(at)
		for k := m.p.first[v]; k < m.p.first[v+1]; k++ {
			if o := m.p.planned[k]; o >= 0 && o != l && m.said[o] && m.p.links[o].fabric == m.p.links[l].fabric {
				return true
			}
		}
	}
	return false
}

// exchange cables two switches of a kind in each other's place, and reports whether there are two.
func (m *built) exchange() bool {
	n := int32(len(m.p.first) - 1)
	var all []int32
	for v := range n {
		if m.isSwitch(v) {
			all = append(all, v)
		}
	}
	all = shuffle(m.rnd, all)
	for i := 0; i+1 < min(len(all), 40); i++ {
		v, w := all[i], all[i+1]
		ok, links := m.kind(v) == m.kind(w), 0
		for k := int32(0); ok && k < m.p.first[v+1]-m.p.first[v]; k++ {
			x, y := m.p.planned[m.p.first[v]+k], m.p.planned[m.p.first[w]+k]
			ok = (x < 0) == (y < 0)
			if x >= 0 && ok {
				links++
				far := m.p.vertex(m.p.links[x].other(m.p.first[v] + k))
				ok = far != w && far != v
			}
		}
		if !ok || links < 2 {
			continue
		}
		for k := range m.p.first[v+1] - m.p.first[v] {
			x, y := m.p.planned[m.p.first[v]+k], m.p.planned[m.p.first[w]+k]
			if x < 0 {
				continue
			}
			var found [][2]string
			for _, e := range [][2]int32{{x, m.p.first[w] + k}, {y, m.p.first[v] + k}} {
				c := &m.cables[e[0]]
				side := 0
				if u := m.p.vertex(c.ends[1]); u == v || u == w {
					side = 1
				}
				c.ends[side] = e[1]
				found = append(found, m.pair(c.ends[0], c.ends[1]))
			}
			m.want = append(m.want, told(Swapped, []string{m.p.cableName(x), m.p.cableName(y)}, found))
		}
		m.swaps = [2]string{m.p.schedule.Device(min(v, w)), m.p.schedule.Device(max(v, w))}
		return true
	}
	return false
}

var lines = regexp.MustCompile(`(:\d+"|line \d+)`)

// check compares the plan with sources of a machine, and holds what is found against what is true. Of the links, so
// many are in the sources.
func (m *built) check(t rapid.TB, what string, sources []*exchange.Wiring, links int) []byte {
	t.Helper()
	r := m.p.Compare(sources)
	got := []string{}
	real := map[[2]string]bool{}
	for _, c := range slices.Concat(m.cables, m.clashes) {
		if c.ends[0] >= 0 {
			real[m.pair(c.ends[0], c.ends[1])], real[m.pair(c.ends[1], c.ends[0])] = true, true
		}
	}
	for _, d := range r.Differences {
		var plan []string
		var found [][2]string
		for _, l := range d.Plan {
			plan = append(plan, l.Cable)
		}
		for _, l := range d.Found {
			x := [2]string{l.A.Box + " " + l.A.Port, l.B.Box + " " + l.B.Port}
			if d.Confidence == Certain && !real[x] {
				t.Errorf("%s: %v is certain, and not there", what, x)
			}
			for side, e := range []End{l.A, l.B} {
				if v := m.p.called(e.Box); v >= 0 && d.Kind == WrongBox && d.Confidence == Guess &&
					m.named(v, e.Port) < 0 {
					x[side] = "untold"
				}
			}
			found = append(found, x)
		}
		got = append(got, told(d.Kind, plan, found))
	}
	for _, move := range r.Moves {
		for _, e := range []*End{move.From, move.To, &move.Other} {
			if e != nil && m.named(m.p.called(e.Box), e.Port) < 0 {
				t.Errorf("%s: a move to a port that the plan does not have: %+v", what, *e)
			}
		}
	}
	want := slices.Sorted(slices.Values(m.want))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %d differences of %d:\n%s\nand not\n%s", what, len(got), len(want), some(minus(got, want)),
			some(minus(want, got)))
	}
	if m.swaps[0] != "" && (len(r.Exchanged) != 1 || r.Exchanged[0].Boxes != m.swaps) {
		t.Errorf("%s: exchanged are %v, want %v", what, r.Exchanged, m.swaps)
	}
	if len(m.want) == 0 && (!r.OK || len(r.Moves) > 0 || r.Right != links) || r.Unknown != len(m.p.links)-links {
		t.Errorf("%s: %d right of %d, %d unknown, %d moves, %v, places %v", what, r.Right, links, r.Unknown,
			len(r.Moves), r.Notes, r.Places)
	}
	if boxes, ports := r.Identification.Guesses(); !m.guesses && boxes+ports > 0 || len(r.Identified) > 0 {
		t.Errorf("%s: guessed are %v, %v, %v", what, r.Identification.Boxes, r.Identification.Ports, r.Identified)
	}
	for _, n := range r.Notes {
		if strings.Contains(n, "could be any") {
			t.Errorf("%s: %s", what, n)
		}
	}
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return lines.ReplaceAll(out, nil)
}

// named is the port of a box that is printed so, -1 for none.
func (m *built) named(v int32, label string) int32 {
	if v < 0 {
		return -1
	}
	for at := m.p.first[v]; at < m.p.first[v+1]; at++ {
		if m.p.portName(v, at) == label {
			return at
		}
	}
	return -1
}

// minus is what of a list is not in another.
func minus(a, b []string) []string {
	count := map[string]int{}
	for _, x := range b {
		count[x]++
	}
	var out []string
	for _, x := range a {
		if count[x]--; count[x] < 0 {
			out = append(out, x)
		}
	}
	return out
}

func some(all []string) string { return strings.Join(all[:min(len(all), 5)], "\n") }

// tooLarge are the refusals of files that hold more than readers of their kind take.
var tooLarge = regexp.MustCompile(`is larger than \d|(has|stands for) more than |and at most \d+ are read`)

// read writes the files of a form and reads them, in any order. It returns nil where a file is too large for its form.
func (m *built) read(t rapid.TB, dir string, files map[string]string) []*exchange.Wiring {
	t.Helper()
	var out []*exchange.Wiring
	for _, name := range shuffle(m.rnd, slices.Sorted(maps.Keys(files))) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(files[name]), 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := exchange.Read(path)
		if err != nil && len(m.p.links) > 20_000 && tooLarge.MatchString(err.Error()) {
			return nil
		}
		if err != nil {
			t.Fatalf("%s: %v\n%.1000s", name, err, files[name])
		}
		out = append(out, w)
	}
	return out
}

// halfMillion is the number of links above which a form describes a machine once, and not again in another order: that
// takes minutes.
const halfMillion = 1 << 19

// alarm writes a machine in a form, twice in different orders, and compares it with the plan. It reports whether the
// form can say the machine, and all faults that were asked for.
func alarm(t rapid.TB, p *Plan, form *sourceForm, style, what string, seed uint64, kinds []Kind, swap bool) bool {
	m := newBuilt(p, seed)
	m.domain = form.named && seed%3 == 0
	ok := func(at int32) bool { return form.can == nil || form.can(m, at) }
	links := make([]bool, len(m.cables))
	var untouched []int
	for i, c := range m.cables {
		if links[i] = ok(c.ends[0]) && ok(c.ends[1]); links[i] {
			untouched = append(untouched, i)
		}
	}
	if form.can != nil { // a subnet has all of a fabric, or nothing of it
		whole := make([]bool, p.fabrics)
		for f := range whole {
			whole[f] = true
		}
		for i := range links {
			whole[p.links[i].fabric] = whole[p.links[i].fabric] && links[i]
		}
		for i := range links {
			links[i] = whole[p.links[i].fabric]
		}
		in := ok
		ok = func(at int32) bool { h := p.home[p.vertex(at)]; return in(at) && (h < 0 || whole[h]) }
		untouched = slices.DeleteFunc(untouched, func(i int) bool { return !links[i] })
	}
	count := len(untouched)
	if count == 0 {
		return false
	}
	m.said = links
	if swap {
		if form.can != nil && count < len(links) || !m.exchange() {
			return false
		}
	}
	untouched = shuffle(m.rnd, untouched)
	for _, kind := range kinds {
		if slices.Contains(form.cannot, kind) {
			return false
		}
		const tries = 60 // on a machine whose ports are all full, none succeeds
		done := false
		for n := 0; n < tries && len(untouched) > 0 && !done; n++ {
			done = m.inject(kind, &untouched, ok)
		}
		if !done {
			return false
		}
	}
	kept := m.cables[:0]
	for i, c := range m.cables {
		if c.ends[0] >= 0 && (i >= len(links) || links[i]) {
			kept = append(kept, c)
		}
	}
	m.cables = kept
	dir, err := os.MkdirTemp("", "alarm")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	var before []byte
	orders := 2
	if len(p.links) > halfMillion {
		orders = 1
	}
	for range orders {
		m.rnd = rand.New(rand.NewPCG(seed, 2))
		files := form.write(m, style)
		if files == nil {
			return false
		}
		sources := m.read(t, dir, files)
		if sources == nil {
			return false
		}
		got := m.check(t, fmt.Sprintf("%s %s %s %v", what, form.name, style, kinds), sources, count)
		if before != nil && !bytes.Equal(before, got) {
			t.Errorf("%s %s %s %v: other orders give other results: %s", what, form.name, style, kinds,
				differing(before, got))
		}
		before, seed = got, seed+1
	}
	return true
}

// differing is where two texts begin to differ.
func differing(a, b []byte) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(i-80, 0)
	return fmt.Sprintf("\n%s\n%s", a[from:min(i+80, len(a))], b[from:min(i+80, len(b))])
}

// alarmPlan plans a machine.
func alarmPlan(t rapid.TB, text string) *Plan {
	p, err := planText(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func planText(text string) (*Plan, error) {
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	r, err := machine.PlanWith(context.Background(), s, machine.Options{NoPaths: true})
	if err != nil {
		return nil, err
	}
	return NewPlan(r, "")
}

// alarmSystems are parts whose ports are called as different systems call them.
var alarmSystems = map[string]string{
	"EOS":       `label: "Ethernet#/1", split: "Ethernet{n}/{lane/8}"`,
	"NX-OS":     `label: "Ethernet1/#", interface: "Ethernet1/#"`,
	"Junos":     `label: "#", interface: "et-0/0/{n0}"`,
	"SR Linux":  `label: "ethernet-1/#"`,
	"SONiC":     `label: "#", interface: "Ethernet{n0*8}", aliases: ["etp#", "Eth{n}(Port{n})"]`,
	"Cumulus":   `label: "#", interface: "swp#"`,
	"MLNX-OS":   `label: "1/#", interface: "Eth1/#"`,
	"numbers":   `count: 32`,
	"Ethernet#": `label: "Ethernet#"`,
}

func alarmSystem(ports string) string {
	if strings.HasPrefix(ports, "count") {
		ports = `label: "#"`
	}
	return `
topology: {family: leaf-spine, nodes: 6, down: 3, up: 2, spines: 2}
packaging: {leaf: {part: my-sw}, spine: {part: my-sw}, node: {part: my-node}}
names: {boxes: {leaf: "leaf-{n:02}", spine: "spine-{n:02}", node: "gpu-{n:03}"}}
parts:
  - {id: my-sw, kind: switch, units: 1, width: 44 cm, depth: 60 cm, power: 500 W, hop: 500 ns,
     ports: [{count: 32, connector: qsfp28, rate: 100G, ` + ports + `}]}
  - {id: my-node, kind: node, units: 1, width: 44 cm, depth: 80 cm, power: 450 W,
     ports: [{count: 2, connector: qsfp28, rate: 100G, names: [enp65s0f0np0, enp65s0f1np1],
       device: [mlx5_2, mlx5_3], pci: ["41:00.0", "41:00.1"]},
       {name: bmc, count: 1, connector: rj45, rate: 1G, by_name: true, label: bmc}]}
`
}

// alarms writes a machine in all forms, or every third and so on from the nth, and in all styles, right and with
// faults, and counts those that can say it.
func alarms(t rapid.TB, p *Plan, what string, seed uint64, every, n int, said map[string]int) {
	for i := range sourceForms {
		if (i+n)%every > 0 {
			continue
		}
		form := &sourceForms[i]
		styles := portStyles
		if !form.named {
			styles = portStyles[:1]
		}
		for k, style := range styles {
			seed := seed + uint64(100*i+k)
			if alarm(t, p, form, style, what, seed, nil, false) {
				said[form.name]++
			}
			for x, kind := range faults {
				if (x+k)%len(styles) == 0 && alarm(t, p, form, style, what, seed, []Kind{kind}, false) {
					said[string(kind)]++
				}
			}
			if k == 0 {
				alarm(t, p, form, style, what, seed, []Kind{Missing, WrongBox, Swapped, WrongPort, Missing, Extra},
					false)
				if alarm(t, p, form, style, what, seed, nil, true) {
					said["exchanged"]++
				}
			}
		}
	}
}

// TestNoFalseAlarms writes machines of many systems in all forms in which sources are read, with all names that ports
// have and with much beside the fabric: nothing differs. With faults, exactly these differ.
func TestNoFalseAlarms(t *testing.T) {
	said := map[string]int{}
	for i, name := range slices.Sorted(maps.Keys(alarmSystems)) {
		t.Run(name, func(t *testing.T) {
			every := 3
			if os.Getenv("PLENUM_LONG") == "1" {
				every = 1
			}
			alarms(t, alarmPlan(t, alarmSystem(alarmSystems[name])), name, 7, every, i, said)
		})
	}
	for _, twin := range []bool{false, true} {
		t.Run(fmt.Sprintf("partly split, twin cages %v", twin), func(t *testing.T) {
			alarms(t, alarmPlan(t, partlySplit(twin, 2)), "partly split", 7, 2, 0, said)
			alarms(t, alarmPlan(t, partlySplit(twin, 3)), "partly split", 8, 2, 1, said)
		})
	}
	for _, form := range sourceForms {
		if said[form.name] == 0 {
			t.Errorf("no machine is said in the form %s", form.name)
		}
	}
	for _, kind := range faults {
		if said[string(kind)] == 0 {
			t.Errorf("no fault is of the kind %s", kind)
		}
	}
	t.Logf("%v", said)
}

// TestNoFalseAlarmsOfDrawnMachines does the same with drawn machines, each in a drawn form, or in all forms.
func TestNoFalseAlarmsOfDrawnMachines(t *testing.T) {
	check := func(t *rapid.T, forms []sourceForm) {
		p, err := planText(drawMachine(t))
		if err != nil {
			t.Skip(err) // too many skips fail the test
		}
		style := rapid.SampledFrom(portStyles).Draw(t, "style")
		kinds := rapid.SliceOfN(rapid.SampledFrom(faults), 0, 4).Draw(t, "faults")
		seed := rapid.Uint64().Draw(t, "seed")
		for i := range forms {
			alarm(t, p, &forms[i], style, "drawn", seed, kinds, false)
			if len(forms) > 1 {
				alarm(t, p, &forms[i], style, "drawn", seed, nil, false)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, []sourceForm{rapid.SampledFrom(sourceForms).Draw(t, "form")})
	})
	if os.Getenv("PLENUM_LONG") == "1" {
		for range 2 {
			rapid.Check(t, func(t *rapid.T) { check(t, sourceForms) })
		}
	}
}

// TestNoFalseAlarmsOfExamples does the same with the examples, of which the short form has a few.
func TestNoFalseAlarmsOfExamples(t *testing.T) {
	paths := []string{
		"../../examples/basepod.yaml", "../../examples/hpn-1024.yaml", "../../examples/superpod-b300-planes.yaml",
	}
	long := os.Getenv("PLENUM_LONG") == "1"
	if long {
		paths, _ = filepath.Glob("../../examples/*.yaml")
	}
	for n, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { noFalseAlarm(t, path, n, long) })
	}
}

// noFalseAlarm has every form tell of an example, or a sixth of them, another one for each example. In the long form a
// quarter of them tell of the largest, with faults alone: any difference beside these is a false alarm.
func noFalseAlarm(t *testing.T, path string, n int, long bool) {
	p, err := NewPlan(planFile(t, path), "")
	if err != nil {
		t.Skip(err)
	}
	said, large := map[string]int{}, len(p.links) > halfMillion
	for i := range sourceForms {
		if !long && (i+n)%6 > 0 || large && (i+n)%4 > 0 {
			continue
		}
		form := &sourceForms[i]
		name := filepath.Base(path)
		t.Run(form.name, func(t *testing.T) { // a form at a time, as the largest take minutes
			style := portStyles[(i+n)%len(portStyles)]
			faulty := alarm(t, p, form, style, name, uint64(i+n), []Kind{Missing, Swapped, WrongBox, WrongPort}, false)
			if large && faulty || alarm(t, p, form, style, name, uint64(i+n), nil, false) {
				said[form.name]++
			}
			if long && !large {
				alarm(t, p, form, portStyles[(i+n+2)%len(portStyles)], name, uint64(i+n+1), nil, true)
			}
		})
	}
	t.Logf("%d links: %v", len(p.links), said)
}
