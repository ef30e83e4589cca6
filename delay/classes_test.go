package delay

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plenum/topology"
	"plenum/units"
)

func twoLevels() (*listed, Model, Links) {
	g := new(listed).kind(topology.Switch, 2).kind(topology.Terminal, 2)
	g.link(0, 1, 1)
	g.link(0, 2, 0)
	g.link(1, 3, 0)
	g.links[1].Width = 3
	m := Model{Media: []Medium{{"copper", 5, 0}, {"optic", 5, 2}}, Hop: []units.Time{100, 0}}
	return g, m, Links{Length: []float32{10, 1, 2}, Medium: []uint8{1, 0, 0}}
}

func TestLevels(t *testing.T) {
	g, m, l := twoLevels()
	got, err := Levels(g, m, l)
	if err != nil {
		t.Fatal(err)
	}
	want := []Class{
		{"level0", 4, (3*55 + 60) / 4.0, 60, (3*1 + 2) / 4.0, 2}, // half of 100 ns enters the switch
		{"level1", 1, 154, 154, 10, 10},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestClasses(t *testing.T) {
	g, m, l := twoLevels()
	got, err := Classes(g, m, l, []uint8{2, 0, 2}, []string{"board", "rack", "room"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Class{{"board", 3, 55, 55, 1, 1}, {Name: "rack"}, {"room", 2, 107, 154, 6, 10}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestClassMismatchesAreRefused(t *testing.T) {
	g, m, l := twoLevels()
	few := Links{Length: l.Length[:2], Medium: l.Medium[:2]}
	many := Links{Length: append([]float32{1}, l.Length...), Medium: append([]uint8{0}, l.Medium...)}
	for want, run := range map[string]func() error{
		"2 classes for 3 links":    func() error { _, err := Classes(g, m, l, []uint8{0, 0}, []string{"a"}); return err },
		"link 1 has class 1 of 1":  func() error { _, err := Classes(g, m, l, []uint8{0, 1, 0}, []string{"a"}); return err },
		"more than the 2 links":    func() error { _, err := Levels(g, m, few); return err },
		"3 links and 4 lengths":    func() error { _, err := Levels(g, m, many); return err },
		"1 hop delays for 2 kinds": func() error { _, err := Levels(g, Model{Media: m.Media, Hop: m.Hop[:1]}, l); return err },
		"link 0 has medium 1 of 1": func() error { _, err := Levels(g, Model{Media: m.Media[:1], Hop: m.Hop}, l); return err },
		"medium \"\" has -1 ns/m":  func() error { _, err := Levels(g, Model{Media: []Medium{{"", -1, 0}}, Hop: m.Hop}, l); return err },
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q", err, want)
		}
	}
}
