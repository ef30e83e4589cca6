package cabling

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/topology"
)

// TestExplainIsTheSchedule explains every cable of some machines: the product is
// that of the schedule, the option that is marked as chosen is it, the links are
// all that share the cable, and every option has a reason.
func TestExplainIsTheSchedule(t *testing.T) {
	for name, build := range map[string]func() (*Problem, error){
		"racks apart": func() (*Problem, error) {
			return machineOf(newGraph(t, topology.Torus{Dims: topology.Ints{4, 3}}), directParts,
				func(e *embed.Problem) { e.Kinds[0].PerRack = 1 })
		},
		"shared": func() (*Problem, error) {
			g := newGraph(t, topology.FatTree{Nodes: 21, Radix: 64, Down: 8, Up: 6, Spines: 2})
			return splitMachine(g, map[string]string{
				"node": "generic-node-1u", "leaf": "nvidia-sn5600",
				"spine": "nvidia-sn5600",
			}, map[string]int{"leaf": 2, "spine": 2}, nil)
		},
	} {
		for _, media := range [][]MediaRule{
			nil,
			{{Longest: 1.2, Media: catalog.MediumAliases["copper"]}, {Media: catalog.MediumAliases["fibre"]}},
		} {
			p, err := build()
			if err != nil {
				t.Fatal(err)
			}
			p.Media = media
			s := run(t, p)
			mates := map[int64]int{}
			s.Each(func(number int64, _ *Segment) bool { mates[number]++; return true })
			verdicts := map[Verdict]int{}
			done := map[int64]bool{}
			s.Each(func(number int64, seg *Segment) bool {
				if done[number] {
					return true
				}
				done[number] = true
				e, err := Explain(context.Background(), p, number)
				if err != nil || e == nil || len(e.Links) != mates[number] || e.Links[0].Link != seg.Link {
					t.Fatalf("%s: %s: %+v, %v", name, s.CableID(number), e, err)
				}
				if (e.Product == nil) != (seg.Product < 0) || e.Product != nil &&
					*e.Product != s.Products[seg.Product] {
					t.Fatalf("%s: %s: %v, the schedule has %d", name, s.CableID(number), e.Product, seg.Product)
				}
				chosen := 0
				for i, o := range e.Options {
					verdicts[o.Verdict]++
					if o.Why == "" || o.Verdict == Chosen && i > 0 {
						t.Fatalf("%s: %s: option %d: %+v", name, s.CableID(number), i, o)
					}
					if o.Verdict == Chosen {
						chosen++
						if e.Product == nil || o.Part != e.Product.Part || o.Length != e.Product.Length {
							t.Fatalf("%s: %s: %s is marked, the product is %v", name, s.CableID(number), o.Part.ID,
								e.Product)
						}
					}
				}
				if (chosen == 1) != (e.Product != nil) || (e.Rule == 0) != (media == nil) {
					t.Fatalf("%s: %s: %d chosen, rule %d", name, s.CableID(number), chosen, e.Rule)
				}
				return true
			})
			if verdicts[Chosen] == 0 || verdicts[Connector] == 0 || media == nil && verdicts[Price] == 0 ||
				media != nil && verdicts[Policy] == 0 {
				t.Errorf("%s: %v", name, verdicts)
			}
			if e, err := Explain(context.Background(), p, s.Cables+1); e != nil || err != nil {
				t.Errorf("%s: a cable too many: %v, %v", name, e, err)
			}
		}
	}
}

// TestExplainReasons looks at the words.
func TestExplainReasons(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.Torus{Dims: topology.Ints{16}}), directParts,
		func(e *embed.Problem) { e.Kinds[0].PerRack = 1 })
	if err != nil {
		t.Fatal(err)
	}
	p.Media = []MediaRule{{Media: []catalog.Medium{catalog.PassiveCopper, catalog.ActiveCopper, catalog.ActiveOptical}}}
	p.Slack.Fixed = 4
	e, err := Explain(context.Background(), p, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"dac-400g-qsfp112": "the longest is 3 m, and ", "optic": "media rule 1 does not allow it",
		"aoc-400g-qsfp112": "the cheapest that is allowed", "dac-800g-osfp": "",
	}
	found := 0
	for _, o := range e.Options {
		id := o.Part.ID
		if o.OpticA != nil {
			id = "optic"
		}
		if text, ok := want[id]; ok && strings.HasPrefix(o.Why, text) {
			found++
		}
	}
	if found < 3 {
		t.Errorf("%+v", e.Options)
	}
}
