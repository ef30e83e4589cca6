package asbuilt

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// TestGrow follows a tree from 64 nodes to 96 and 128: the spines that the second stage adds have the ports that the
// third takes up, and nothing of what was cabled in the second is touched again.
func TestGrow(t *testing.T) {
	tree := func(nodes string) string {
		return "topology: {family: fat-tree, nodes: " + nodes + ", radix: 32}\nroom: {rows: 1, racks_per_row: 8}\n"
	}
	plans := []*machine.Result{planFile(t, tree("64"))}
	for _, nodes := range []string{"96", "128"} {
		dir := carriedOut(t, plans[len(plans)-1])
		defer os.RemoveAll(dir)
		plans = append(plans, planFile(t, tree(nodes)+"owned: {plan: "+dir+"}\n"))
	}
	g, err := Grow(context.Background(), plans, Options{Paths: 2, Capacity: 50})
	if err != nil {
		t.Fatal(err)
	}
	one, two := &g.Stages[0], &g.Stages[1]
	if one.Diff.RewiredLinks != 32 || two.Diff.RewiredLinks != 0 || one.RewireSteps != 1 || two.RewireSteps != 0 {
		t.Errorf("%d and %d links rewired in %d and %d steps", one.Diff.RewiredLinks, two.Diff.RewiredLinks,
			one.RewireSteps, two.RewireSteps)
	}
	if g.PortsAhead != 0 || one.PortsAhead != 32 || two.PortsAhead != 0 || two.Diff.Ports.TakenUp != 32 {
		t.Errorf("ports ahead %d, %d, %d; %d taken up", g.PortsAhead, one.PortsAhead, two.PortsAhead,
			two.Diff.Ports.TakenUp)
	}
	// The second stage takes cables that the first has disconnected.
	if g.BuyCost != one.BuyCost+two.BuyCost || one.BuyCost != one.Diff.BuyCost || two.BuyCost > two.Diff.BuyCost ||
		g.LabourCost != one.Diff.LabourCost+two.Diff.LabourCost {
		t.Errorf("%v and %v in all, of %v and %v", g.BuyCost, g.LabourCost, one.Diff.BuyCost, two.Diff.BuyCost)
	}
	var out bytes.Buffer
	if err := g.WriteCSV(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\r\n"); len(lines) != 3 {
		t.Errorf("%q", lines)
	}
}

// TestGrowReuses: what one stage gives the next ones take, and do not buy; ports are counted ahead over a stage that
// leaves them free.
func TestGrowReuses(t *testing.T) {
	copper, optical := "cabling: {media: [{use: [copper]}]}\n", "cabling: {media: [{use: [active-optical]}]}\n"
	small := "topology: {family: fat-tree, nodes: 4, radix: 8}\n"
	large := "topology: {family: fat-tree, nodes: 6, radix: 8}\n"
	var plans []*machine.Result
	for _, file := range []string{small + copper, small + optical, large + copper} {
		plans = append(plans, planFile(t, file))
	}
	g, err := Grow(context.Background(), plans, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Stages[0].Reused) != 0 || len(g.Stages[1].Reused) == 0 {
		t.Fatalf("%+v", g.Stages)
	}
	reused := int64(0)
	saved := g.Stages[1].Diff.BuyCost - g.Stages[1].BuyCost
	for _, r := range g.Stages[1].Reused {
		reused += r.Quantity
	}
	if reused != 8 || saved <= 0 {
		t.Errorf("%d pieces are taken again, which saves %v", reused, saved)
	}
	// The uplinks of the leaf that the last stage adds go to ports of spines that are there from the first on.
	if g.PortsAhead != 4 || g.Stages[0].PortsAhead != 4 || g.Stages[1].Diff.Ports.TakenUp != 4 {
		t.Errorf("%d and %d ports ahead", g.PortsAhead, g.Stages[0].PortsAhead)
	}
	other := planFile(t, small+"prices: {currency: EUR, rates: {USD: 0.9}, rates_date: 2025-06-01}\n")
	_, err = Grow(context.Background(), []*machine.Result{plans[0], plans[1], other}, Options{})
	if !errors.As(err, new(*CurrencyError)) {
		t.Error(err)
	}
}

// TestStageSum: pieces that become free serve once, in the order of the stages.
func TestStageSum(t *testing.T) {
	item := catalog.Item{Part: "dac", Length: 2}
	price := units.Money(250)
	free := map[catalog.Item]int64{}
	for i, c := range []struct{ buy, free, reused, left int64 }{
		{0, 5, 0, 5},
		{3, 0, 3, 2},
		{4, 0, 2, 0},
		{1, 0, 0, 0},
	} {
		st := Stage{Diff: &Document{Parts: []PartCount{{Item: item, Buy: c.buy, Free: c.free, UnitCost: &price}}}}
		st.sum(free)
		reused := int64(0)
		for _, r := range st.Reused {
			reused += r.Quantity
		}
		if reused != c.reused || free[item] != c.left || int64(st.BuyCost) != int64(price)*(c.buy-c.reused) {
			t.Errorf("stage %d: %d taken again, %d left, %v", i+1, reused, free[item], st.BuyCost)
		}
	}
}
