package build

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestSuperPODBySimulation plays the calendar of a SuperPOD minute by minute, from what docs/building.md says of tasks
// and not from the tasks of the scheduler: who works where, what comes after what, when all is done, links
// a day, and the critical path.
func TestSuperPODBySimulation(t *testing.T) {
	t.Parallel()
	r := example(t, "superpod-h100-4su")
	d := of(t, r, Options{})
	all := d.Calendar()
	people := map[Skill]int{}
	for _, c := range d.People {
		people[c.Skill] = c.People
	}
	minute := func(h float64) int { return int(math.Round(h * 60)) }
	end := 0
	for _, e := range all {
		end = max(end, minute(e.End))
	}
	working := map[Skill][]int{}
	inRack := map[string][]int{}
	firstDay, lastDay, links := math.MaxInt, 0, int64(0)
	for _, e := range all {
		if working[e.Skill] == nil {
			working[e.Skill] = make([]int, end)
		}
		for m := minute(e.Begin); m < minute(e.End); m++ {
			if working[e.Skill][m] += e.People; working[e.Skill][m] > people[e.Skill] {
				t.Fatalf("%q: %d people for %s in minute %d", e.Task, working[e.Skill][m], e.Skill, m)
			}
			for _, rack := range e.Racks {
				if inRack[rack] == nil {
					inRack[rack] = make([]int, end)
				}
				if inRack[rack][m]++; inRack[rack][m] > 1 {
					t.Fatalf("%q: two teams in %s in minute %d", e.Task, rack, m)
				}
			}
		}
		if e.Links > 0 {
			day := (minute(e.End) - 1) / int(d.PerDay)
			firstDay, lastDay, links = min(firstDay, day), max(lastDay, day), links+e.Links
		}
	}
	if float64(end)/60 != d.Hours {
		t.Errorf("all is done after %v h, the document has %v h", float64(end)/60, d.Hours)
	}
	if perDay := float64(links) / float64(lastDay-firstDay+1); math.Abs(perDay-d.LinksPerDay) > 1e-9 {
		t.Errorf("%v links a day, the document has %v", perDay, d.LinksPerDay)
	}

	// What comes before what. Begin and end of all entries of an activity at a rack, or at a bundle or in a rack; and
	// how long they take side by side, for people without end.
	type at struct {
		of    Activity
		where string
	}
	type span struct{ begin, end, long int }
	spans := map[at]span{}
	note := func(of Activity, where string, e *Entry) {
		s, ok := spans[at{of, where}]
		if !ok {
			s.begin = math.MaxInt
		}
		spans[at{of, where}] = span{
			min(s.begin, minute(e.Begin)), max(s.end, minute(e.End)), max(s.long, int(e.Minutes)),
		}
	}
	cables := func(e *Entry) string { return fmt.Sprint(e.Racks, e.Bundle) }
	var racks []string
	var bundles []Entry
	for i := range all {
		e := &all[i]
		switch e.Activity {
		case LayTray:
			note(LayTray, "", e)
		case Clean, Patch, Label, Test:
			of := e.Activity
			if of == Label {
				of = Patch
			}
			note(of, cables(e), e)
			if of == Test {
				bundles = append(bundles, *e)
			}
		case Commission:
			note(Commission, e.Racks[0]+e.Fabric, e)
		default:
			note(e.Activity, e.Racks[0], e)
			if !slices.Contains(racks, e.Racks[0]) {
				racks = append(racks, e.Racks[0])
			}
		}
	}
	// after checks that an activity begins when others have ended, and returns when it ends at the earliest.
	earliest := map[at]int{}
	after := func(of Activity, where string, before ...at) {
		s, ok := spans[at{of, where}]
		from := 0
		for _, b := range before {
			from = max(from, earliest[b])
			if done, is := spans[b]; ok && is && s.begin < done.end {
				t.Fatalf("%s at %s begins at %d, before %s at %s ends at %d", of, where, s.begin, b.of, b.where,
					done.end)
			}
		}
		earliest[at{of, where}] = from + s.long
	}
	after(LayTray, "")
	for _, rack := range racks {
		after(PlaceRack, rack)
		after(MountBox, rack, at{PlaceRack, rack})
		after(ConnectPower, rack, at{MountBox, rack})
		after(PowerOn, rack, at{MountBox, rack}, at{ConnectPower, rack})
		after(PlugOptic, rack, at{MountBox, rack})
	}
	commissioned := map[at][]at{}
	for i := range bundles {
		e := &bundles[i]
		key := cables(e)
		ready := []at{}
		tested := []at{{Patch, key}}
		for _, rack := range e.Racks {
			ready = append(ready, at{MountBox, rack}, at{PlugOptic, rack})
			tested = append(tested, at{ConnectPower, rack}, at{PowerOn, rack})
		}
		if len(e.Racks) > 1 {
			ready = append(ready, at{LayTray, ""})
		}
		after(Clean, key, ready...)
		after(Patch, key, append(ready, at{Clean, key})...)
		after(Test, key, tested...)
		for _, rack := range e.Racks {
			for _, f := range d.Fabrics {
				k := at{Commission, rack + f.Fabric}
				commissioned[k] = append(commissioned[k], at{Test, key}, at{PowerOn, rack})
			}
		}
	}
	// The links of the plan say which fabrics a bundle has.
	fabrics := map[string]map[string]bool{}
	for _, g := range d.project.groups {
		key := fmt.Sprint([]string{d.project.racks[g.racks[0]], d.project.racks[g.racks[1]]}, g.bundle)
		if g.racks[0] == g.racks[1] {
			key = fmt.Sprint([]string{d.project.racks[g.racks[0]]}, g.bundle)
		}
		if fabrics[key] == nil {
			fabrics[key] = map[string]bool{}
		}
		for f, has := range g.fabric {
			if has {
				fabrics[key][d.project.fabrics[f]] = true
			}
		}
	}
	critical := 0
	for k, before := range commissioned {
		before = slices.DeleteFunc(before, func(b at) bool {
			return b.of == Test && !slices.ContainsFunc(d.Fabrics, func(f Ready) bool {
				return fabrics[b.where][f.Fabric] && strings.HasSuffix(k.where, f.Fabric)
			})
		})
		if _, ok := spans[k]; ok {
			after(k.of, k.where, before...)
			critical = max(critical, earliest[k])
		}
	}
	if float64(critical)/60 != d.CriticalHours {
		t.Errorf("the critical path takes %v h, the document has %v h", float64(critical)/60, d.CriticalHours)
	}
	if d.Hours > 1.1*d.LowerBound {
		t.Errorf("%v h, the lower bound is %v h", d.Hours, d.LowerBound)
	}
}
