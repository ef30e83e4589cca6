package delay

import (
	"testing"

	"github.com/plenum-planner/plenum/units"
)

func TestClass(t *testing.T) {
	m := Model{Media: []Medium{{"copper", 5, 0}, {"optic", 5, 2}}, Hop: []units.Time{100, 0}}
	var c Class
	if c.MeanDelay() != 0 {
		t.Error("a mean of nothing")
	}
	for range 3 {
		c.Add(m.Link(1, 0, 0, 1)) // half of 100 ns enters the switch
	}
	c.Add(m.Link(10, 1, 0, 0))
	if want := units.Time(3*55+154) / 4; c.MeanDelay() != want || c.MaxDelay != 154 || c.Channels != 4 {
		t.Errorf("%d channels, mean %v, most %v; want mean %v", c.Channels, c.MeanDelay(), c.MaxDelay, want)
	}
}
