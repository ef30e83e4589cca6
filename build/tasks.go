package build

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// pieces returns work of an activity; nil where no figure covers it, which is counted as unknown.
func (p *project) pieces(of Activity, s *subject, n int64, metres float64) []work {
	if n == 0 {
		return nil
	}
	f := p.labour.find(of, s)
	if f < 0 {
		p.unknown[of] += n
		return nil
	}
	return []work{{of, f, n, metres}}
}

// add adds tasks for work, one for each skill and size of team, all after the same tasks and in the same racks. It
// returns their indices; none where there is no work.
func (p *project) add(name string, j job, all []work, after []int, waits []catalog.Item) []int {
	type team struct {
		skill  Skill
		people int
	}
	var teams []team
	by := map[team][]work{}
	for _, w := range all {
		f := &p.labour.Figures[w.figure]
		t := team{f.Skill, f.People}
		if by[t] == nil {
			teams = append(teams, t)
		}
		by[t] = append(by[t], w)
	}
	var out []int
	for _, t := range teams {
		j := j
		j.work = by[t]
		j.of = by[t][0].of
		task := Task{Name: name, Skill: slices.Index(Skills, t.skill), People: t.people, After: slices.Clone(after)}
		if len(teams) > 1 {
			task.Name = fmt.Sprintf("%s (%s)", name, j.of)
		}
		if len(out) > 0 {
			j.links = 0
		}
		task.Minutes = p.minutes(j.work, nil)
		j.needs = nil
		for _, item := range waits {
			at, known := p.lead[item]
			if known {
				j.needs = append(j.needs, item)
			}
			if at > task.NotBefore {
				task.NotBefore, j.waits = at, item.String()
			}
		}
		task.Places = p.places(j.racks)
		out = append(out, len(p.tasks))
		p.tasks, p.jobs = append(p.tasks, task), append(p.jobs, j)
	}
	return out
}

// milestone adds a task that takes no time. Without anything before it, it adds none.
func (p *project) milestone(name string, after []int) []int {
	if len(after) == 0 {
		return nil
	}
	p.tasks = append(p.tasks, Task{Name: name, After: slices.Clone(after)})
	p.jobs = append(p.jobs, job{racks: [2]int32{-1, -1}, fabric: -1, group: -1})
	return []int{len(p.tasks) - 1}
}

// places are those where one team works at a time.
func (p *project) places(racks [2]int32) []int {
	var out []int
	for _, r := range racks {
		at := int(r)
		switch {
		case r < 0 || p.opt.OneTeam == PerNone:
			continue
		case p.opt.OneTeam == PerRow && p.rows[r] >= 0:
			at = int(p.rows[r])
		}
		if !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// minutes is how long the team works, with the factors of all figures; nil for the likely ones.
func (p *project) minutes(all []work, factors []float64) int64 {
	sum := 0.0
	for _, w := range all {
		f := &p.labour.Figures[w.figure]
		m := float64(f.Minutes*float64(w.pieces)) + float64(f.PerMetre*w.metres)
		if factors != nil {
			m *= factors[w.figure]
		}
		sum += m
	}
	return int64(math.Ceil(sum - 1e-9))
}

// build makes the tasks of the build, in an order in which each comes after those that it depends on.
func (p *project) build() {
	n := len(p.racks)
	trays := p.trayTasks()
	mounted, powered, lit := make([][]int, n), make([][]int, n), make([][]int, n)
	inside := p.inside()
	for r := range n {
		rack := [2]int32{int32(r), -1}
		base := job{racks: rack, fabric: -1, group: -1}
		boxes := int64(0)
		for _, c := range p.boxes[r] {
			boxes += c
		}
		var placed []int
		if p.built[r] {
			continue
		}
		if boxes+p.panels[r] > 0 && !p.stands[r] {
			waits := p.rackItems()
			if p.preCabled[r] {
				waits = append(waits, inside[r]...)
			}
			placed = p.add("place rack "+p.racks[r], base,
				p.pieces(PlaceRack, &subject{integrated: p.preCabled[r]}, 1, 0), nil, waits)
		}
		mounted[r] = placed
		var power []int
		if !p.preCabled[r] {
			mounted[r] = p.mountTasks(r, base, placed)
			power = p.add("connect power in "+p.racks[r], base, p.pieces(ConnectPower, &subject{}, p.inlets[r], 0),
				mounted[r], nil)
			lit[r] = p.plugOptics("", r, base, p.optics[r], mounted[r])
		}
		if len(lit[r]) == 0 {
			lit[r] = mounted[r]
		}
		if len(power) == 0 {
			power = mounted[r]
		}
		if boxes > 0 && !p.stands[r] {
			powered[r] = p.add("power on "+p.racks[r], base, p.pieces(PowerOn, &subject{}, 1, 0), power, nil)
		}
		if len(powered[r]) == 0 {
			powered[r] = power
		}
	}
	patched, tests := make([][]int, len(p.groups)), make([][]int, len(p.groups))
	laid := map[int32][]int{}
	var free, tested []int // what a step pulls out is out; the links of the steps before are tested
	for _, step := range p.steps() {
		free = p.pullTasks(step, free, tested)
		p.lateTasks(step, free, mounted, lit, powered)
		p.layTrunks(step, slices.Concat(trays, free), mounted, laid)
		for i, g := range p.groups {
			if g.step == step {
				patched[i] = p.patchTasks(i, g, free, trays, lit, laid)
			}
		}
		for i, g := range p.groups {
			if g.step == step {
				tests[i] = p.testTasks(i, g, patched, powered)
				tested = append(tested, tests[i]...)
			}
		}
	}
	p.commissionTasks(tests, powered)
}

// steps are those of the growth; 0 alone without one.
func (p *project) steps() []int32 {
	if p.opt.From == nil {
		return []int32{0}
	}
	var out []int32
	for i := range p.opt.From.Steps {
		out = append(out, int32(i+1))
	}
	return out
}

// pullTasks pull out what a step of a growth pulls out, when the links of all steps before are tested, and then take
// boxes away. They return what the step has to wait for, which is what the one before waited for where nothing is
// pulled out.
func (p *project) pullTasks(step int32, free, tested []int) []int {
	if p.pulled == nil {
		return free
	}
	q := p.pulled
	after := slices.Concat(free, p.milestone(fmt.Sprintf("the links before step %d are tested", step), tested))
	var all []int
	disconnect := func(racks [2]int32, links int64, what string, work []work) {
		base := job{racks: [2]int32{p.rack(q.racks[racks[0]]), p.rack(q.racks[racks[1]])}, fabric: -1, group: -1}
		if racks[0] == racks[1] {
			base.racks[1] = -1
		}
		all = append(all, p.add(fmt.Sprintf("step %d: disconnect %s", step, what), base, work, after, nil)...)
	}
	for _, g := range q.groups {
		if g.step == step {
			work, n := q.cableWork(g, Disconnect)
			disconnect(g.racks, g.links, english.Count(n, "cable")+" "+q.called(g), work)
		}
	}
	q.eachTrunk(step, Disconnect, func(racks [2]int32, n int, work []work, _ []catalog.Item) {
		disconnect(racks, 0, fmt.Sprintf("%s from %s to %s", english.Count(n, "trunk"), q.racks[racks[0]],
			q.racks[racks[1]]), work)
	})
	after = slices.Concat(after, all)
	for r := range q.racks {
		late := q.late[[2]int32{int32(r), step}]
		if late == nil {
			continue
		}
		var work []work
		n := int64(0)
		for kind, c := range late.kinds {
			work = append(work, q.pieces(DismountBox, &subject{part: q.plan.Schedule.Boxes[kind].Part}, c, 0)...)
			n += c
		}
		all = append(all, p.add(fmt.Sprintf("step %d: dismount %s in %s", step, english.Count(n, "box"),
			q.racks[r]), job{racks: [2]int32{p.rack(q.racks[r]), -1}, fabric: -1, group: -1}, work, after, nil)...)
	}
	for of, n := range q.unknown {
		p.unknown[of] += n
	}
	clear(q.unknown)
	if len(all) == 0 {
		return free
	}
	return p.milestone(fmt.Sprintf("step %d is pulled out", step), all)
}

// rack is the number of a rack of the old plan, which may be empty or missing in the new one.
func (p *project) rack(name string) int32 {
	if at := slices.Index(p.racks, name); at >= 0 {
		return int32(at)
	}
	p.racks, p.rows = append(p.racks, name), append(p.rows, -1)
	return int32(len(p.racks) - 1)
}

// lateTasks mount the boxes of a step of a growth that have to wait for others to be taken away, and plug their optics.
func (p *project) lateTasks(step int32, free []int, mounted, lit, powered [][]int) {
	for r := range mounted {
		late := p.late[[2]int32{int32(r), step}]
		if late == nil {
			continue
		}
		base := job{racks: [2]int32{int32(r), -1}, fabric: -1, group: -1}
		tasks := p.mountBoxes(fmt.Sprintf("step %d: ", step), r, base, late.kinds, slices.Concat(mounted[r], free))
		power := p.add(fmt.Sprintf("step %d: connect power in %s", step, p.racks[r]), base,
			p.pieces(ConnectPower, &subject{}, late.inlets, 0), tasks, nil)
		optics := p.plugOptics(fmt.Sprintf("step %d: ", step), r, base, late.optics, tasks)
		mounted[r] = slices.Concat(mounted[r], tasks)
		lit[r] = slices.Concat(lit[r], tasks, optics)
		powered[r] = slices.Concat(powered[r], power)
	}
}

// rackItems are the racks that are bought.
func (p *project) rackItems() []catalog.Item {
	var out []catalog.Item
	for _, item := range slices.SortedFunc(maps.Keys(p.lead), compareItems) {
		if part := p.plan.Catalog.Part(item.Part); part != nil && part.Kind == catalog.KindRack {
			out = append(out, item)
		}
	}
	return out
}

func compareItems(a, b catalog.Item) int {
	return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.Length, b.Length))
}

// inside lists the boxes, optics and cables in racks that arrive with them.
func (p *project) inside() [][]catalog.Item {
	out := make([][]catalog.Item, len(p.racks))
	for r := range out {
		if !p.preCabled[r] {
			continue
		}
		for kind, n := range p.boxes[r] {
			if n > 0 {
				out[r] = append(out[r], p.plan.Schedule.Boxes[kind].Part.Item(0))
			}
		}
		for _, optic := range sorted(p.optics[r]) {
			out[r] = append(out[r], optic.Item(0))
		}
	}
	for _, g := range p.groups {
		if r := g.racks[0]; r == g.racks[1] && p.preCabled[r] {
			out[r] = append(out[r], p.items(g)...)
		}
	}
	return out
}

// items are the cables of a group.
func (p *project) items(g *group) []catalog.Item {
	var out []catalog.Item
	for _, product := range slices.Sorted(maps.Keys(g.cables)) {
		if product >= 0 {
			out = append(out, p.plan.Schedule.Products[product].Item())
		}
	}
	return out
}

// sorted lists parts by id.
func sorted(of map[*catalog.Part]int64) []*catalog.Part {
	return slices.SortedFunc(maps.Keys(of), func(a, b *catalog.Part) int { return cmp.Compare(a.ID, b.ID) })
}

// trayTasks lay the trays, row by row. What they return is done when all trays are.
func (p *project) trayTasks() []int {
	t := p.plan.Schedule.Trays
	if t == nil || p.plan.Existing != nil || p.opt.From != nil || p.traysLaid {
		return nil
	}
	metres := map[string]float64{}
	var names []string
	for piece := range int32(t.Network.Pieces()) {
		if !t.Network.IsLaid(piece) {
			continue
		}
		at := t.Network.Piece(piece)
		name := t.TrayName(at.Level, at.Name)
		if _, ok := metres[name]; !ok {
			names = append(names, name)
		}
		metres[name] += float64(at.Length)
	}
	base := job{racks: [2]int32{-1, -1}, fabric: -1, group: -1}
	var all []int
	for _, name := range names {
		all = append(all, p.add("lay tray "+name, base, p.pieces(LayTray, &subject{}, 1, metres[name]), nil, nil)...)
	}
	return p.milestone("all trays laid", all)
}

// mountTasks mount the boxes and panels of a rack.
func (p *project) mountTasks(r int, base job, placed []int) []int {
	out := p.mountBoxes("", r, base, p.boxes[r], placed)
	if p.panels[r] > 0 {
		out = append(out, p.add("mount panels in "+p.racks[r], base,
			p.pieces(MountPanel, &subject{}, p.panels[r], 0), placed, nil)...)
	}
	if len(out) == 0 {
		return placed
	}
	return out
}

// mountBoxes mounts boxes, by kind, in a rack.
func (p *project) mountBoxes(step string, r int, base job, kinds []int64, after []int) []int {
	var all []work
	var waits []catalog.Item
	n := int64(0)
	for kind, c := range kinds {
		part := p.plan.Schedule.Boxes[kind].Part
		all = append(all, p.pieces(MountBox, &subject{part: part}, c, 0)...)
		if c > 0 {
			waits = append(waits, part.Item(0))
		}
		n += c
	}
	return p.add(fmt.Sprintf("%smount %s in %s", step, english.Count(n, "box"), p.racks[r]), base, all, after,
		waits)
}

// plugOptics plugs transceivers in a rack.
func (p *project) plugOptics(step string, r int, base job, optics map[*catalog.Part]int64, after []int) []int {
	var all []work
	var waits []catalog.Item
	n := int64(0)
	for _, optic := range sorted(optics) {
		c := optics[optic]
		all = append(all, p.pieces(PlugOptic, &subject{part: optic}, c, 0)...)
		waits = append(waits, optic.Item(0))
		n += c
	}
	return p.add(fmt.Sprintf("%splug %s in %s", step, english.Count(n, "optic"), p.racks[r]), base, all, after,
		waits)
}

// layTrunks lays the trunks of a step, by the racks that they join, and adds the tasks to those of each rack.
func (p *project) layTrunks(step int32, trays []int, mounted [][]int, laid map[int32][]int) {
	p.eachTrunk(step, LayTrunk, func(racks [2]int32, n int, all []work, waits []catalog.Item) {
		after := slices.Concat(trays, mounted[racks[0]], mounted[racks[1]])
		name := fmt.Sprintf("lay %s from %s to %s", english.Count(n, "trunk"), p.racks[racks[0]], p.racks[racks[1]])
		base := job{racks: racks, fabric: -1, group: -1}
		for _, i := range p.trunks[trunked{racks, step}] {
			base.cables = append(base.cables, p.plan.Schedule.Patching.Trunks[i].Cable)
		}
		tasks := p.add(name, base, all, after, waits)
		for _, r := range racks {
			laid[r] = append(laid[r], tasks...)
		}
	})
}

// eachTrunk calls visit for each two racks that trunks of a step join, with their number, the work of an activity on
// them, and what they are made of.
func (p *project) eachTrunk(
	step int32, of Activity, visit func(racks [2]int32, n int, all []work, waits []catalog.Item),
) {
	k := p.plan.Schedule.Patching
	for _, key := range slices.SortedFunc(maps.Keys(p.trunks), func(a, b trunked) int {
		return cmp.Or(cmp.Compare(a.racks[0], b.racks[0]), cmp.Compare(a.racks[1], b.racks[1]),
			cmp.Compare(a.step, b.step))
	}) {
		if key.step != step {
			continue
		}
		racks := key.racks
		span := p.span(&group{racks: racks})
		var all []work
		var waits []catalog.Item
		for _, i := range p.trunks[key] {
			t := &k.Trunks[i]
			s := &subject{part: t.Part, span: span}
			if t.Product >= 0 {
				made := &p.plan.Schedule.Products[t.Product]
				s.length = made.Length
				if !slices.Contains(waits, made.Item()) {
					waits = append(waits, made.Item())
				}
			}
			all = merge(all, p.pieces(of, s, 1, float64(s.length)))
		}
		visit(racks, len(p.trunks[key]), all, waits)
	}
}

// merge adds work to a list, in which each activity and figure comes once.
func merge(all, more []work) []work {
	for _, w := range more {
		i := slices.IndexFunc(all, func(o work) bool { return o.of == w.of && o.figure == w.figure })
		if i < 0 {
			all = append(all, w)
			continue
		}
		all[i].pieces += w.pieces
		all[i].metres += w.metres
	}
	return all
}

// span is where the cables of a group run.
func (p *project) span(g *group) Span {
	a, b := g.racks[0], g.racks[1]
	switch {
	case a == b:
		return InRack
	case p.rows[a] == p.rows[b]:
		return InRow
	}
	return InRoom
}

// called names a group.
func (p *project) called(g *group) string {
	a, b := p.racks[g.racks[0]], p.racks[g.racks[1]]
	switch {
	case a == b:
		return "in " + a
	case g.bundle > 0:
		return fmt.Sprintf("%s to %s, bundle %d", a, b, g.bundle)
	}
	return fmt.Sprintf("%s to %s", a, b)
}

// cableWork returns activities for each cable of a group, and the number of cables.
func (p *project) cableWork(g *group, activities ...Activity) (all []work, cables int64) {
	for _, product := range slices.Sorted(maps.Keys(g.cables)) {
		c := g.cables[product]
		if c.cables == 0 {
			continue
		}
		s := &subject{span: p.span(g), length: units.Length(c.metres / float64(c.cables))}
		if product >= 0 {
			s.part = p.plan.Schedule.Products[product].Part
		}
		for _, of := range activities {
			all = merge(all, p.pieces(of, s, c.cables, c.metres))
		}
		cables += c.cables
	}
	return all, cables
}

// patchTasks clean, patch and label the cables of a group, when what is pulled out before them is out. They return the
// tasks after which the cables are plugged in.
func (p *project) patchTasks(i int, g *group, free, trays []int, lit [][]int, laid map[int32][]int) []int {
	a, b := g.racks[0], g.racks[1]
	if a == b && p.preCabled[a] {
		return lit[a]
	}
	base := job{racks: g.racks, fabric: -1, group: i}
	if a == b {
		base.racks[1] = -1
	}
	after := slices.Concat(lit[a], lit[b])
	if a == b {
		after = slices.Clone(lit[a])
	} else {
		after = append(after, trays...)
	}
	after = append(after, free...)
	if p.plan.Schedule.Patching != nil {
		after = append(after, laid[a]...)
		if a != b {
			after = append(after, laid[b]...)
		}
	}
	slices.Sort(after)
	after = slices.Compact(after)
	waits := p.items(g)
	clean := slices.Concat(p.pieces(Clean, &subject{}, g.plugs[0], 0),
		p.pieces(Clean, &subject{multiFibre: true}, g.plugs[1], 0))
	name := p.called(g)
	if cleaned := p.add("clean plugs "+name, base, clean, after, waits); len(cleaned) > 0 {
		after = cleaned
	}
	all, n := p.cableWork(g, Patch, Label)
	base.links, base.cables = g.left, g.list
	patched := p.add(fmt.Sprintf("patch %s %s", english.Count(n, "cable"), name), base, all, after, waits)
	if len(patched) == 0 {
		return after
	}
	return patched
}

// testTasks test the links of a group, when all their cables are plugged in and the boxes have power.
func (p *project) testTasks(i int, g *group, patched, powered [][]int) []int {
	a, b := g.racks[0], g.racks[1]
	if a == b && p.preCabled[a] {
		return nil
	}
	after := slices.Concat(patched[i], powered[a], powered[b])
	for _, j := range g.after {
		after = slices.Concat(after, patched[j], powered[p.groups[j].racks[0]], powered[p.groups[j].racks[1]])
	}
	slices.Sort(after)
	base := job{racks: g.racks, fabric: -1, group: i}
	if a == b {
		base.racks[1] = -1
	}
	return p.add("test links "+p.called(g), base, p.pieces(Test, &subject{span: p.span(g)}, g.links, 0),
		slices.Compact(after), nil)
}

// commissionTasks bring each fabric into service, rack by rack, when the links of the rack are tested.
func (p *project) commissionTasks(tests, powered [][]int) {
	of := make([]map[int][]int, len(p.touched)) // by rack and fabric: the tests
	for i, g := range p.groups {
		for fabric, has := range g.fabric {
			if !has {
				continue
			}
			for _, r := range g.racks {
				if of[r] == nil {
					of[r] = map[int][]int{}
				}
				of[r][fabric] = append(of[r][fabric], tests[i]...)
			}
		}
	}
	for fabric, name := range p.fabrics {
		var all []int
		for r := range p.touched {
			n := p.touched[r][fabric]
			if n == 0 || of[r] == nil || len(of[r][fabric]) == 0 {
				continue
			}
			after := slices.Concat(of[r][fabric], powered[r])
			slices.Sort(after)
			label := "commission " + p.racks[r]
			if name != "" {
				label = fmt.Sprintf("commission %s in %s", name, p.racks[r])
			}
			all = append(all, p.add(label, job{racks: [2]int32{int32(r), -1}, fabric: fabric, group: -1},
				p.pieces(Commission, &subject{}, n, 0), slices.Compact(after), nil)...)
		}
		label := "the network is in service"
		if name != "" {
			label = fmt.Sprintf("fabric %s is in service", name)
		}
		if done := p.milestone(label, all); done != nil {
			p.jobs[done[0]].fabric = fabric
		}
	}
}

// remove makes the tasks of taking the machine down, in the order of the reverse: bundles that are pulled last are
// disconnected first.
func (p *project) remove() {
	cables := make([][]int, len(p.racks))
	for i := len(p.groups) - 1; i >= 0; i-- {
		g := p.groups[i]
		base := job{racks: g.racks, fabric: -1, group: i, links: g.links}
		if g.racks[0] == g.racks[1] {
			base.racks[1] = -1
		}
		all, n := p.cableWork(g, Disconnect)
		tasks := p.add(fmt.Sprintf("disconnect %s %s", english.Count(n, "cable"), p.called(g)), base, all, nil,
			nil)
		for _, r := range base.racks {
			if r >= 0 {
				cables[r] = append(cables[r], tasks...)
			}
		}
	}
	p.eachTrunk(0, Disconnect, func(racks [2]int32, n int, all []work, _ []catalog.Item) {
		name := fmt.Sprintf("disconnect %s from %s to %s", english.Count(n, "trunk"), p.racks[racks[0]],
			p.racks[racks[1]])
		tasks := p.add(name, job{racks: racks, fabric: -1, group: -1}, all, nil, nil)
		for _, r := range racks {
			cables[r] = append(cables[r], tasks...)
		}
	})
	for r := range p.racks {
		base := job{racks: [2]int32{int32(r), -1}, fabric: -1, group: -1}
		after := cables[r]
		if !p.preCabled[r] {
			var all []work
			n := int64(0)
			for kind, c := range p.boxes[r] {
				all = append(all, p.pieces(DismountBox, &subject{part: p.plan.Schedule.Boxes[kind].Part}, c, 0)...)
				n += c
			}
			if tasks := p.add(fmt.Sprintf("dismount %s in %s", english.Count(n, "box"), p.racks[r]), base, all,
				after, nil); len(tasks) > 0 {
				after = tasks
			}
		}
		p.add("remove rack "+p.racks[r], base, p.pieces(RemoveRack, &subject{}, 1, 0), after, nil)
	}
}
