package verify

import (
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
)

// TestPlacesOfSources: where racks count from the top or from another unit than 1, boxes stand where they are planned;
// racks of a page do not make others missing, and those of a whole answer do.
func TestPlacesOfSources(t *testing.T) {
	p, _ := planned(t, plan(t, leaves), "")
	s := p.newSight()
	rack, unit, rear := s.plannedPlace(node1)
	name, units := "A02", p.schedule.Placement.Layout.Room.Type(rack).Units
	faces := map[bool]string{false: "front", true: "rear"}
	top := &exchange.Rack{Name: "a2", Units: units, FromTop: true}
	for _, c := range []struct {
		place exchange.Place
		rack  *exchange.Rack
		want  []Misplaced
	}{
		{exchange.Place{Rack: name, Unit: unit}, nil, nil},
		{exchange.Place{Rack: name, Unit: unit, Face: faces[rear]}, nil, nil},
		{exchange.Place{Rack: name}, nil, nil},
		{exchange.Place{Rack: name, Face: faces[!rear]}, nil, nil},
		{exchange.Place{Unit: 9}, nil, nil},
		{exchange.Place{Rack: name, Unit: units + 1 - unit}, top, nil},
		{exchange.Place{Rack: name}, top, nil},
		{exchange.Place{Rack: name, Unit: unit + 4}, &exchange.Rack{Name: name, Start: 5}, nil},
		{exchange.Place{Rack: "B7"}, top, []Misplaced{{"N1", "A02", "B7"}}},
		{exchange.Place{Rack: "B7", Face: "rear"}, nil, []Misplaced{{"N1", "A02", "B7"}}},
		{exchange.Place{Rack: name, Unit: unit}, top, []Misplaced{{"N1", "A02/U01", "A02/U42"}}},
		{exchange.Place{Rack: name, Unit: 1, Half: true}, nil, []Misplaced{{"N1", "A02/U01", "A02/U01.5"}}},
		{exchange.Place{Rack: name, Unit: unit, Face: faces[!rear]}, nil, []Misplaced{
			{"N1", "A02/U01 " + faces[rear], "A02/U01 " + faces[!rear]},
		}},
	} {
		s := p.newSight()
		racks := map[string]*exchange.Rack{}
		c.place.Box = "N1"
		if c.rack != nil {
			racks["a2"] = c.rack
		}
		if s.standsAt(&c.place, racks); !slices.Equal(s.places, c.want) {
			t.Errorf("%+v in %+v: %+v, want %+v", c.place, c.rack, s.places, c.want)
		}
	}
	page := func(partial bool, racks ...exchange.Rack) *exchange.Wiring {
		return &exchange.Wiring{Partial: partial, Racks: racks}
	}
	a2 := exchange.Rack{Name: name, Units: units}
	for _, c := range []struct {
		sources []*exchange.Wiring
		missing int // the rack of the spines
	}{
		{[]*exchange.Wiring{page(false, a2)}, 1},
		{[]*exchange.Wiring{page(true, a2)}, 0},
		{[]*exchange.Wiring{page(false, a2), page(true)}, 1}, // a page without racks says nothing of them
		{[]*exchange.Wiring{page(true, a2), page(false)}, 0},
		{[]*exchange.Wiring{page(false)}, 0},
	} {
		s := p.newSight()
		if s.comparePlaces(c.sources); len(s.places) != c.missing {
			t.Errorf("%+v: %+v", c.sources, s.places)
		}
	}
}
