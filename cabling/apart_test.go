package cabling

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// TestWhyLinksOfACageHaveACableEach has one reason at a time against cables for all links of a cage, and asks every
// cable of a level for it.
func TestWhyLinksOfACageHaveACableEach(t *testing.T) {
	copper := catalog.MediumAliases["copper"]
	fibre := []catalog.Medium{catalog.Multimode, catalog.SingleMode}
	tree := topology.FatTree{Nodes: 16, Radix: 64, Down: 8, Up: 8, Spines: 2}
	wide := tree
	wide.Spines = 8
	for name, c := range map[string]struct {
		tree  topology.FatTree
		media []MediaRule
		fixed units.Length
		price units.Money // of a cable that carries several links
		apart string      // of some cable between switches
		opt   Verdict     // of some cable for all links of its cage, where the links have a cable each
	}{
		"price": {tree: tree, price: 1_000_000_00, apart: "but costs 997,055.00 more than a", opt: Price},
		"rule":  {tree: tree, media: []MediaRule{{Media: fibre}}, apart: "but media rule 1 ", opt: Policy},
		"level": {
			tree: tree, media: []MediaRule{{Levels: []string{"terminal"}, Media: copper}, {Media: fibre}},
			apart: "but media rule 2 does not allow it", opt: Policy,
		},
		"reach":   {tree: tree, fixed: 20, apart: " more", opt: Reach},
		"spines":  {tree: wide, apart: "do not go to one cage: they lead to 2, such as at A01/U", opt: Lanes},
		"nothing": {tree: tree, apart: "", opt: Chosen},
	} {
		p, err := splitMachine(newGraph(t, c.tree), map[string]string{
			"node": "generic-node-1u", "leaf": "nvidia-qm9700", "spine": "nvidia-qm9700",
		}, nil, func(e *embed.Problem) {
			for k := range e.Kinds {
				e.Kinds[k].PerRack = 8
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		p.Media, p.Slack.Fixed = c.media, c.fixed
		if quote := p.Quote; c.price > 0 {
			p.Quote = func(part *catalog.Part, l units.Length) catalog.Quote {
				q := quote(part, l)
				if part.Cable != nil && part.Cable.Links > 1 {
					q.Unit, q.Priced = c.price, true
				}
				return q
			}
		}
		s := run(t, p)
		shared := map[int64]int{}
		s.Each(func(number int64, _ *Segment) bool { shared[number]++; return true })
		saidSo, judged := false, map[Verdict]bool{}
		s.Each(func(number int64, seg *Segment) bool {
			e, err := Explain(context.Background(), p, number)
			if err != nil {
				t.Fatal(err)
			}
			if (e.Apart == "") != (shared[number] > 1) {
				t.Errorf("%s: %s carries %d links: %q", name, s.CableID(number), shared[number], e.Apart)
			}
			if s.Graph.Levels()[seg.Level].Name == "terminal" {
				return true
			}
			saidSo = saidSo || strings.Contains(e.Apart, c.apart) && e.Apart != "" || c.apart == "" && e.Apart == ""
			for _, o := range e.Options {
				if o.Shared && o.Verdict != Connector && o.Verdict != Rate {
					judged[o.Verdict] = true
				}
			}
			return true
		})
		if !saidSo || !judged[c.opt] || c.opt != Chosen && judged[Lanes] != (c.opt == Lanes) {
			t.Errorf("%s: said so %t, verdicts %v", name, saidSo, judged)
		}
	}
}

// TestNoCableForACageOfWhichOneLinkIsTooLong: what is in the way is what the longest link of the cage needs, whichever
// of its links is reported.
func TestNoCableForACageOfWhichOneLinkIsTooLong(t *testing.T) {
	p, err := splitMachine(newGraph(t, topology.FatTree{Nodes: 24, Radix: 64, Down: 8, Up: 8, Spines: 2}),
		map[string]string{"node": "generic-node-1u", "leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"}, nil,
		func(e *embed.Problem) {
			for k := range e.Kinds {
				e.Kinds[k].PerRack = 3
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	p.Media = []MediaRule{{Media: catalog.MediumAliases["copper"]}}
	within := 0
	for _, p.Slack.Fixed = range []units.Length{0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.4, 2.8} {
		s := run(t, p)
		lengths := map[string]units.Length{}
		s.Each(func(number int64, seg *Segment) bool { lengths[s.CableID(number)] = seg.Length; return true })
		for _, v := range s.Violations.List() {
			if v.Rule != RuleReach.ID || !strings.Contains(v.Message, "no cable for ") ||
				strings.Contains(v.Message, "osfp 400G (2 in a cage) ports") {
				continue
			}
			if lengths[v.Where] <= 5 {
				within++
			}
			if !strings.Contains(v.Message, "are needed: stand the boxes nearer to each other") {
				t.Errorf("%v: %s", p.Slack.Fixed, v.Message)
			}
		}
	}
	if within == 0 {
		t.Error("all links that are reported are too long themselves: the test is too easy")
	}
}
