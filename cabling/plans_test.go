package cabling_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// planFiles are the machine files that the tests plan, by name: small machines that together use all ways of routing,
// all kinds of cables and all that a machine file says about them.
func planFiles(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/plans/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no machine files: %v", err)
	}
	return paths
}

// planned plans a machine file.
func planned(t *testing.T, path string, opt machine.Options) *machine.Result {
	t.Helper()
	s, err := machine.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.PlanWith(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPlans compares all that schedules say with files, and works out again by simple means (see twin) whether the
// figures in these files are right. A few of them worked out by hand:
//
//   - direct.golden, C0001: port 1 of a box with two rows of ports at unit 1, and port 2, in the lower row, at unit 3.
//     Units are 44.45 mm high and rows half of that apart: 2 x 0.04445 m - 0.04445 m / 2 = 0.0667 m. Slack of 3 % of it
//     is 0.0020 m, that in a rack 0.21 m, together 0.2787 m, and rounded up to a multiple of 0.05 m 0.3000 m.
//   - panels-lossy.golden: two panels of 0.6 dB, 2 x 3 m of cord at 1 dB/km and 10 m of trunk at 0.5 dB/km lose
//     1.2 + 0.006 + 0.005 = 1.211 dB; 3 + 10 + 3 = 16 m are more than the 15 m that the optics reach.
//   - limits.golden, C0001: trays hang 0.3 m above racks of 2 m, ports are at half of unit 1, 0.0222 m: up and down
//     2 x 2.2778 m, one rack of 0.6 m further, and 1.5 m of slack are 6.6556 m. Two nodes of 100 W with two plugs of
//     4.5 W and four of 0.1 W draw 209.4 W, 4.4 W more than 205 W.
func TestPlans(t *testing.T) {
	for _, path := range planFiles(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			r := planned(t, path, machine.Options{NoPaths: true})
			var b strings.Builder
			writeSchedule(&b, r.Schedule)
			writeViolations(&b, &r.Violations)
			writeExplanations(t, &b, r)
			writeMeter(t, &b, r)
			writeSelector(&b, r)
			golden.Compare(t, "plans/"+name+".golden", b.String())
			againstTwins(t, r.Schedule)
			if list := r.Schedule.Segments; cap(list) != len(list) {
				t.Errorf("memory for %d segments, there are %d", cap(list), len(list))
			}

			summary := planned(t, path, machine.Options{Summary: true}).Schedule
			if got, want := tallies(summary), tallies(r.Schedule); got != want {
				t.Errorf("the summary has\n%s\nthe schedule\n%s", got, want)
			}
			if summary.Segments != nil {
				t.Error("a summary lists segments")
			}
		})
	}
}

func metres(l units.Length) string { return fmt.Sprintf("%.4f", float64(l)) }

// product names a cable with its optics.
func product(p *cabling.Product) string {
	if p == nil {
		return "-"
	}
	item := p.Item()
	out := item.String()
	for _, o := range []struct {
		end  string
		part *catalog.Part
	}{{"A", p.OpticA}, {"B", p.OpticB}} {
		if o.part != nil {
			out += " " + o.end + ":" + o.part.ID
		}
	}
	if p.NearB {
		out += " near-B"
	}
	if p.Stock {
		out += " stock"
	}
	return out
}

func writeSchedule(w io.Writer, s *cabling.Schedule) {
	fmt.Fprintln(w, "# products: number, product, links, links a plug")
	used := map[int16]bool{}
	for i := range s.Segments {
		used[s.Segments[i].Product] = true
	}
	for i := range s.Products {
		if p := &s.Products[i]; used[int16(i)] {
			fmt.Fprintln(w, i, product(p), p.Links(), p.PerPlug())
		}
	}
	writeCables(w, s)
	fmt.Fprint(w, tallies(s))
	if len(s.Bundles) > 0 {
		writeBundles(w, s)
	}
	if s.Trays != nil {
		writeTrays(w, s)
	}
	if s.Gaps != nil {
		writeGaps(w, s.Gaps)
	}
	if s.Patching != nil {
		writePanels(w, s)
	}
	if c := s.Consolidated; c != nil {
		fmt.Fprintf(w, "# consolidated: %d products to %d, least %d, %v and %s m more\n", c.Before, c.After, c.Least,
			c.Extra, metres(c.Metres))
		for _, r := range c.Replaced {
			fmt.Fprintf(w, "%s: %d of %v become %v, %v more\n", r.Part.ID, r.Qty, r.From, r.To, r.Extra)
		}
	}
	for _, l := range s.Lacks {
		fmt.Fprintf(w, "lack: %s of level %d: %d cables of %s to %s m, %s\n", l.Item.String(), l.Level, l.Cables,
			metres(l.Shortest), metres(l.Longest), l.Why)
	}
}

func writeCables(w io.Writer, s *cabling.Schedule) {
	fmt.Fprintln(w, "# cables: id, leg (with a jacket *), ends, level, within, need, pieces, product, bundle, way")
	legs := s.Legs()
	for i := range s.Segments {
		seg := &s.Segments[i]
		id, leg := "trace", 0
		jacket := ""
		if seg.Product != cabling.IsTrace {
			id, leg = s.CableID(int64(seg.Cable)), legs.Next(seg)
			if s.Jacket(seg, leg) {
				jacket = "*"
			}
		}
		var pieces []string
		for _, p := range s.Pieces(seg) {
			pieces = append(pieces, p.Name+" "+metres(p.Length))
		}
		fmt.Fprintf(w, "%s %d%s  %s  %s  link %d %s within %s  %s = %s; %d%s", id, leg, jacket,
			s.Label(seg.A, seg.PortA), s.Label(seg.B, seg.PortB), seg.Link, s.Graph.Levels()[seg.Level].Name,
			s.Placement.Layout.Levels[seg.Within].Name, metres(seg.Length), strings.Join(pieces, " + "), seg.Product,
			s.Polarity(seg))
		if seg.Bundle > 0 {
			fmt.Fprintf(w, "; bundle %d", seg.Bundle)
		}
		if way, back := s.WayOf(seg); way >= 0 {
			fmt.Fprintf(w, "; way %d %v", way, back)
		}
		fmt.Fprintln(w)
	}
}

// tallies writes what a schedule counts, a summary too.
func tallies(s *cabling.Schedule) string {
	var w strings.Builder
	fmt.Fprintf(&w, "# %d cables, %d wired, ports used: %d of switches, %d of nodes\n", s.Cables, s.Wired,
		s.PortsUsed.Switch, s.PortsUsed.Node)
	for i, row := range s.Tallies {
		for j := range row {
			t := &row[j]
			if t.Links == 0 && t.Cables == 0 {
				continue
			}
			fmt.Fprintf(&w, "tally %s %s: %d links, %d cables, %s m, longest %s; cables %s m, longest %s; kept %d, "+
				"fibres %d;", s.Graph.Levels()[i].Name, s.Placement.Layout.Levels[j].Name, t.Links, t.Cables,
				metres(t.Metres), metres(t.Longest), metres(t.CableMetres), metres(t.LongestCable), t.Kept, t.KeptFibre)
			for p, n := range t.Product {
				if n > 0 {
					fmt.Fprintf(&w, " %d x %s", n, product(&s.Products[p]))
				}
			}
			for _, o := range slices.SortedFunc(maps.Keys(t.Optics),
				func(x, y *catalog.Part) int { return cmp.Compare(x.ID, y.ID) }) {
				fmt.Fprintf(&w, " %d x %s", t.Optics[o], o.ID)
			}
			fmt.Fprintln(&w)
		}
	}
	fmt.Fprintln(&w, "rack power", s.RackPower)
	for _, r := range s.LoadedRacks() {
		fmt.Fprintf(&w, "rack %+v\n", r)
	}
	return w.String()
}

func writeBundles(w io.Writer, s *cabling.Schedule) {
	fmt.Fprintln(w, "# bundles")
	for i := range s.Bundles {
		b := &s.Bundles[i]
		fmt.Fprintf(w, "%d: racks %d and %d, way %d, %s: %d cables, %d copper, %d bare, %s to %s m, bought %s m, "+
			"%.4f mm2, %.6f kg a metre, %.6f kg, %s m thick\n", i+1, b.A, b.B, b.Way, b.Kind(), b.Cables, b.Copper,
			b.Bare, metres(b.Shortest), metres(b.Longest), metres(b.Bought), float64(b.Area()), float64(b.LineWeight()),
			float64(b.Weight()), metres(b.Diameter()))
	}
	fmt.Fprintln(w, "pull order", s.PullOrder())
}

func writeTrays(w io.Writer, s *cabling.Schedule) {
	t := s.Trays
	fmt.Fprintf(w, "# trays: %d cables rerouted, %s m more, %d rounds\n", t.Rerouted, metres(t.Extra), t.Rounds)
	for i := range s.Ways {
		way := &s.Ways[i]
		fmt.Fprintf(w, "way %d: racks %d and %d, level %d, %s m: %s\n", i, way.A, way.B, way.Level, metres(way.Run),
			t.AppendRoute(nil, s.WayLegs(int32(i))))
	}
	for i := range t.Rules {
		fmt.Fprintf(w, "level %d: %d trays, %d needed, %.1f mm2\n", i, t.Rules[i].Count, t.TraysNeeded(i),
			float64(t.Section(i)))
	}
	fmt.Fprintln(w, "fullest", t.Fullest())
	for i := range t.Loads {
		l := &t.Loads[i]
		if l.Cables == 0 {
			continue
		}
		fmt.Fprintf(w, "%s %s: %d cables, %d bare, %.4f mm2, %.6f kg a metre, fill %.6f, %.4f mm2 too much\n",
			t.ID(int32(i)), t.PieceName(int32(i)), l.Cables, l.Bare, float64(l.Area()), float64(l.LineWeight()),
			t.Fill(int32(i)), float64(t.Excess(int32(i))))
	}
}

func writeGaps(w io.Writer, g *cabling.Gaps) {
	fmt.Fprintln(w, "# gaps")
	levels := g.Levels()
	for i := range levels {
		l := &levels[i]
		fmt.Fprintf(w, "level %d: width %v, limit %v, %d gaps, %d too full, %d bare, pitch %v; fullest between %s "+
			"along %d: %d cables, %d copper, %d bare, %.4f mm2; %.6f, mean %.6f\n", l.Level, l.Width, l.Limit, l.Gaps,
			l.Overfull,
			l.Bare, l.Pitch, g.Where(l), l.Axis, l.Fullest.Cables, l.Fullest.Copper, l.Fullest.Bare,
			float64(l.Fullest.Area()), l.Greatest, l.Mean)
	}
}

func writePanels(w io.Writer, s *cabling.Schedule) {
	p := s.Patching
	fmt.Fprintf(w, "# panels of %s, polarity %s: %d links, %d kept, %.4f dB, unstated %v\n", p.Part.ID, p.Method,
		p.Links, p.Kept, float64(p.Loss), p.Unstated)
	for i := range p.Panels {
		panel := &p.Panels[i]
		fmt.Fprintf(w, "%s {Rack:%d Unit:%d Ports:%d Links:%d}\n", s.Device(p.Vertex(int32(i))), panel.Rack, panel.Unit,
			panel.Ports, panel.Links)
	}
	for _, t := range p.Trunks {
		fmt.Fprintf(w, "%s: panels %d.%d and %d.%d, %d links, product %d, cable %d\n", t.Part.ID, t.A, t.PortA, t.B,
			t.PortB, t.Links, t.Product, t.Cable)
	}
	fmt.Fprintln(w, strings.Join(p.PortNames(), " "))
}

func writeViolations(w io.Writer, v *cabling.Violations) {
	fmt.Fprintln(w, "# violations:", v.Errors(), "errors")
	for _, x := range v.List() {
		fmt.Fprintf(w, "%s %s at %s: %s; %s\n", x.Rule, x.Severity, x.Where, x.Message, x.Suppressed)
	}
}

// writeExplanations explains the first cable of each product, level and container, and the last one.
func writeExplanations(t *testing.T, w io.Writer, r *machine.Result) {
	t.Helper()
	s := r.Schedule
	type class struct {
		product int16
		level   uint8
		within  uint8
		panel   bool
	}
	known := map[class]bool{}
	explain := func(number int64) {
		c, err := r.ExplainCable(context.Background(), s.CableID(number))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(w, "explain %s: %s %s, %s of %s, stock %v, instead %s, rule %d %q, apart %q, %d elsewhere\n",
			c.Cable, c.Product, c.Medium, metres(c.Length), metres(c.Stock), c.FromStock, metres(c.Instead), c.Rule,
			c.RuleText,
			c.Apart, c.Elsewhere)
		for _, l := range c.Links {
			fmt.Fprintf(w, "  %s, %s to %s, %s: %s\n", l.A, l.PortA, l.B, l.PortB, metres(l.Length))
		}
		for _, o := range c.Options {
			fmt.Fprintf(w, "  %+v\n", o)
			if o.Verdict == cabling.Connector {
				break // one of those that do not fit will do
			}
		}
	}
	s.Each(func(number int64, seg *cabling.Segment) bool {
		k := class{seg.Product, seg.Level, seg.Within, s.Panel(seg.A) >= 0}
		if !known[k] && len(known) < 12 {
			known[k] = true
			explain(number)
		}
		return true
	})
	if s.Cables > 0 {
		explain(s.Cables)
	}
}

// writeMeter measures links of each class between some sites, as an optimiser of places does.
func writeMeter(t *testing.T, w io.Writer, r *machine.Result) {
	t.Helper()
	p := cabling.ProblemOf(r.Schedule)
	p.Catalog, p.Quote = r.Catalog, r.Prices.Quote
	m, err := cabling.NewMeter(p)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(w, "# meter:", m.Classes(), "classes; most that plugs draw", cabling.PlugPower(p))
	sites := int32(p.Placement.Layout.Slots())
	if room := r.Room(); room != nil {
		sites = int32(len(room.Places))
	}
	for class := range m.Classes() {
		for _, ends := range [][2]int32{{0, 0}, {0, 1}, {1, 0}, {0, sites - 1}, {sites / 2, 1}} {
			if max(ends[0], ends[1]) >= sites {
				continue
			}
			l := m.Between(class, ends[0], ends[1])
			fmt.Fprintf(w, "%d from %d to %d: %s m, %s, trace %v, within %d, level %d, %.6f\n", class, ends[0], ends[1],
				metres(l.Length), product(l.Product), l.Trace, l.Within, l.Level, float64(l.Cost))
		}
	}
}

// writeSelector chooses cables of which only the length is known, between all kinds of ports that links join.
func writeSelector(w io.Writer, r *machine.Result) {
	s := r.Schedule
	rules := []cabling.MediaRule{
		{Within: "rack", Media: []catalog.Medium{catalog.PassiveCopper}},
		{Longest: 4, Media: []catalog.Medium{catalog.PassiveCopper, catalog.ActiveCopper}},
		{Media: catalog.Media},
	}
	choices := cabling.NewSelector(r.Catalog, r.Prices.Quote, rules, nil, []string{"chassis"})
	fmt.Fprintln(w, "# selector: choices for 0.5 m in a rack, and for 3, 8 and 60 m between rows")
	known := map[[2]*catalog.PortGroup]bool{}
	for i := range s.Segments {
		seg := &s.Segments[i]
		if s.Panel(seg.A) >= 0 || s.Panel(seg.B) >= 0 {
			continue
		}
		a := s.Boxes[topology.KindOf(s.Kinds, int(seg.A))].Ports[seg.PortA].Group
		b := s.Boxes[topology.KindOf(s.Kinds, int(seg.B))].Ports[seg.PortB].Group
		if known[[2]*catalog.PortGroup{a, b}] {
			continue
		}
		known[[2]*catalog.PortGroup{a, b}] = true
		fmt.Fprintf(w, "%s %v to %s %v: at least %v, at most %d links", a.Connector, a.Rate, b.Connector, b.Rate,
			choices.Least(a, b), choices.MostLinks(a, b))
		for _, c := range []struct {
			within int
			need   units.Length
		}{{layout.RackLevel, 0.5}, {layout.HallLevel, 3}, {layout.HallLevel, 8}, {layout.HallLevel, 60}} {
			p, links := choices.Choose(a, b, s.Graph.Levels()[seg.Level].Name, c.within, c.need)
			fmt.Fprintf(w, "; %s for %d", product(p), links)
		}
		fmt.Fprintln(w)
	}
}
