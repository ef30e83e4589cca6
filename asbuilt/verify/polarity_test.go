package verify

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// TestWrongPolarityOfAList alters the types of some cables of drawn lists, whose rows are in any order and name either
// end first. The links of exactly these cables differ, with the types that are planned and found; fields without a type
// say nothing, and forms of a type are the same.
func TestWrongPolarityOfAList(t *testing.T) {
	var plans []*machine.Result
	const structured = "structured: {levels: [tier1], beyond: rack, panel: %s, polarity: %s}"
	parallel := strings.Replace(duplexLinks, "standard: fr4, plug: lc", "standard: dr4, plug: mpo12-apc", 1)
	for _, text := range []string{
		fmt.Sprintf(duplexLinks, "neighbours", "A"), fmt.Sprintf(duplexLinks, "ends", "B"),
		fmt.Sprintf(parallel, "panel-1u-sm-mpo12-apc", "A"),
		strings.Replace(parallel, structured, "mated_pairs: 2", 1),
	} {
		plans = append(plans, plan(t, text))
	}
	rapid.Check(t, func(t *rapid.T) {
		r := plans[rapid.IntRange(0, len(plans)-1).Draw(t, "plan")]
		p, err := NewPlan(r, "")
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := render.Cables(t.Context(), &b, r); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		column := func(name string) int { return slices.Index(rows[0], name) }
		polarity, cable, product := column("polarity"), column("cable_id"), column("product")
		types := []string{"A", "B", "C", "A-to-B", "A-to-A"}
		changed := map[string]bool{} // cables
		is := map[string]string{}    // of a cable
		for _, row := range rows[1:] {
			row[product] = ""
			if is[row[cable]] == "" {
				is[row[cable]] = row[polarity]
				if row[polarity] != "" && rapid.IntRange(0, 4).Draw(t, "wrong") == 0 {
					is[row[cable]] = rapid.SampledFrom(types).Draw(t, "type")
				}
			}
			of := is[row[cable]]
			switch {
			case row[polarity] == "":
			case rapid.IntRange(0, 5).Draw(t, "told") == 0 && of == row[polarity]:
				row[polarity] = rapid.SampledFrom([]string{"", "-", "n/a"}).Draw(t, "nothing")
			default:
				changed[row[cable]] = changed[row[cable]] || of != row[polarity]
				row[polarity] = rapid.SampledFrom([]string{of, "type " + of, strings.ToLower(of)}).Draw(t, "form")
			}
			if rapid.Bool().Draw(t, "other end first") {
				for i, head := range rows[0] {
					if far := column("b" + strings.TrimPrefix(head, "a")); strings.HasPrefix(head, "a_") && far >= 0 {
						row[i], row[far] = row[far], row[i]
					}
				}
			}
		}
		rows = append(rows[:1:1], rapid.Permutation(rows[1:]).Draw(t, "order")...)
		b.Reset()
		if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		w, err := exchange.ReadCables("site.csv", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for x := range exchange.PlannedLinks(r, "") {
			wrong := false
			for i := range x.Segments {
				wrong = wrong || changed[r.Schedule.CableID(int64(x.Segments[i].Cable))]
			}
			if wrong {
				want++
			}
		}
		got := p.Compare([]*exchange.Wiring{w})
		if len(got.Differences) != want || got.Right != len(p.links)-want {
			t.Fatalf("%d differences, %d right, want %d of %d links\n%+v\n%s", len(got.Differences), got.Right, want,
				len(p.links), got, text)
		}
		for _, d := range got.Differences {
			if d.Kind != WrongPolarity || d.Plan[0].Polarity == "" || d.Plan[0].Polarity == d.Found[0].Polarity ||
				d.Plan[0].A != d.Found[0].A {
				t.Fatalf("%+v", d)
			}
		}
	})
}

// A word that is not a type of cable is a mistake of the list, with its place.
func TestUnknownPolarityOfAList(t *testing.T) {
	_, err := exchange.ReadCables("site.csv", strings.NewReader(
		"a_device,a_port,b_device,b_port,polarity\nnode-1,1,leaf-1,1,D\n"))
	if err == nil || !strings.Contains(err.Error(), `site.csv:2:19: polarity is "D"`) {
		t.Error(err)
	}
}
