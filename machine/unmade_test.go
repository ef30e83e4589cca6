package machine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
)

// TestCablesThatNoProductMakes are counted beside every sum that leaves them out: by level, in total and in words. Some
// links of the machine are too long for the only product allowed.
func TestCablesThatNoProductMakes(t *testing.T) {
	const file = "topology: {family: fat-tree, nodes: 512, radix: 32}\ncabling: {media: [{use: [passive-copper]}]}\n"
	p := planText(t, file)
	want := map[string]int64{}
	total := int64(0)
	for i := range p.Schedule.Segments {
		if s := &p.Schedule.Segments[i]; s.Cable != 0 && s.Product < 0 {
			want[p.Schedule.Graph.Levels()[s.Level].Name]++
			total++
		}
	}
	doc := p.Report()
	if total == 0 || total == p.Schedule.Cables || doc.Cost.Unmade != total {
		t.Errorf("%d of %d cables without a product, want %d, which is some", doc.Cost.Unmade, p.Schedule.Cables, total)
	}
	for i := range doc.Levels {
		l := &doc.Levels[i]
		if l.Unmade != want[l.Level] {
			t.Errorf("%s: %d cables without a product, want %d", l.Level, l.Unmade, want[l.Level])
		}
		if text := l.CostText(); (text == report.Unknown) != (l.Unmade > 0 && l.Unmade == l.Cables) {
			t.Errorf("%s: cost %s with %d of %d cables without a product", l.Level, text, l.Unmade, l.Cables)
		}
	}
	layout := int64(0)
	for i := range doc.LayoutLevels {
		layout += doc.LayoutLevels[i].Unmade
	}
	if layout != total {
		t.Errorf("%d cables without a product by level of the layout, want %d", layout, total)
	}
	for name, o := range map[string]report.Omitted{
		"total": doc.Cost.Omitted(), "network": doc.NetworkOmitted(), "links": doc.LinksOmitted(),
	} {
		if !strings.Contains(o.Short(), "cables that no product makes") {
			t.Errorf("%s leaves out %q", name, o.Short())
		}
	}
	given, err := machine.Parse("x.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	e, err := machine.Estimate(context.Background(), given)
	if err != nil {
		t.Fatal(err)
	}
	if e.Cost.Unmade != total {
		t.Errorf("an estimate counts %d cables without a product, want %d", e.Cost.Unmade, total)
	}
}
