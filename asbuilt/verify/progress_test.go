package verify

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
)

// TestProgressOfRacks counts by the places of the ends of links what is right, and by the differences what is not.
func TestProgressOfRacks(t *testing.T) {
	p, w := planned(t, plan(t, tree), "")
	all := slices.Clone(w.Links)
	inject(p, w, 10, rand.New(rand.NewPCG(5, 1)))
	blind := w.Links[len(w.Links)-1].A.Box // whose links nobody lists, nor the box at the other end
	for i := range w.Boxes {
		w.Boxes[i].Listed = i != blind
	}
	r := p.Compare([]*exchange.Wiring{w})
	want := map[string]*Rack{}
	at := func(place string) *Rack {
		name, _, _ := strings.Cut(place, "/")
		if want[name] == nil {
			want[name] = &Rack{Rack: name}
		}
		return want[name]
	}
	count := func(l Link, add func(k *Rack)) {
		a, b := at(l.A.Place), at(l.B.Place)
		if add(a); a != b {
			add(b)
		}
	}
	for i := range p.links {
		count(r.sight.planned(int32(i)), func(k *Rack) { k.Planned++; k.Right++ })
	}
	for _, d := range r.Differences {
		for _, l := range d.Plan {
			count(l, func(k *Rack) {
				k.Right--
				if d.Kind == Missing {
					k.Missing++
				} else {
					k.Wrong++
				}
			})
		}
	}
	if len(r.Racks) != len(want) || len(want) < 3 {
		t.Fatalf("%d racks, expected %d", len(r.Racks), len(want))
	}
	for _, k := range r.Racks {
		k.Right, k.Unknown = k.Right+k.Unknown, 0
		if *want[k.Rack] != k {
			t.Errorf("%+v, expected %+v", k, *want[k.Rack])
		}
	}
	w.Links = all
	for _, k := range p.Compare([]*exchange.Wiring{w}).Racks {
		if k.Right != k.Planned || k.Right == 0 || k.Missing+k.Wrong+k.Unknown > 0 {
			t.Errorf("all is right, and %+v", k)
		}
	}
	for _, k := range p.Compare(nil).Racks {
		if k.Unknown != k.Planned || k.Right+k.Missing+k.Wrong > 0 {
			t.Errorf("nothing is known, and %+v", k)
		}
	}
}
