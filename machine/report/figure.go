package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// Figure explains one figure of a plan: how it is computed, what it is made of and what it leaves out.
type Figure struct {
	Figure  string `json:"figure"`  // `cost`, `length`, `power` or `delay`
	Value   string `json:"value"`   // with its unit
	Meaning string `json:"meaning"` // how it is computed, in a sentence or two
	// Terms are what the figure is made of, the largest first where they add up to it.
	Terms   []FigureTerm `json:"terms"`
	LeftOut []string     `json:"left_out"` // sentences: what the figure does not count; empty where it counts all
	Page    string       `json:"page"`     // the page of the documentation that defines it
}

// FigureTerm is one part or one property of a figure.
type FigureTerm struct {
	Name  string `json:"name"`           // what it is, as `optics` of the cost
	Value string `json:"value"`          // with its unit
	Note  string `json:"note,omitempty"` // what to know of it; left out where there is nothing
}

// FigureNames are the figures that Explain knows, as `plenum explain` takes them.
var FigureNames = []string{"cost", "length", "power", "delay"}

// Explain explains the figure of a name among FigureNames; nil for another name, and for a delay that was not measured.
func (p *Plan) Explain(name string) *Figure {
	switch name {
	case "cost":
		return p.explainCost()
	case "length":
		return p.explainLength()
	case "power":
		return p.explainPower()
	case "delay":
		return p.explainDelay()
	}
	return nil
}

// summand is a term of a sum.
type summand struct {
	name   string
	amount float64
	text   string
	note   string
}

// addUp returns the terms of a sum, the largest first, with their shares; terms of 0 are left out.
func addUp(total float64, of []summand) []FigureTerm {
	slices.SortStableFunc(of, func(a, b summand) int { return cmp.Compare(b.amount, a.amount) })
	out := []FigureTerm{}
	for _, s := range of {
		if s.amount == 0 {
			continue
		}
		note := fmt.Sprintf("%.1f %%", 100*s.amount/total)
		if s.note != "" {
			note += ", " + s.note
		}
		out = append(out, FigureTerm{s.name, s.text, note})
	}
	return out
}

func (p *Plan) explainCost() *Figure {
	c := &p.Cost
	var of []summand
	add := func(name string, m units.Money) {
		of = append(of, summand{name: name, amount: float64(m), text: m.String()})
	}
	if c.Nodes != nil {
		add("nodes", *c.Nodes)
	}
	add("service boxes", c.Services)
	add("switches", c.Switches)
	add("adapters", c.Adapters)
	add("optics", c.Optics)
	add("cables", c.Cables)
	add("panels", c.Panels)
	add("midplanes", c.Midplanes)
	add("racks, trays, chassis and frames", c.Racks)
	add("hoses", c.Hoses)
	add("labour", c.Labour)
	add("freight", c.Freight)
	add("contingency", c.Contingency)
	f := &Figure{
		Figure: "cost", Value: c.Total.String() + " " + p.Currency, Page: "docs/cost.md",
		Meaning: "The sum of the lines of the bill of materials that have a price: pieces to buy, spares included, " +
			"times the price at that quantity. Prices are from " + p.PriceSet +
			" where neither the machine file nor a quote states one.",
		Terms: addUp(float64(c.Total), of), LeftOut: append([]string{}, c.Omitted().Sentences()...),
	}
	if u := p.Uncertainty; u != nil {
		f.Terms = append(f.Terms, FigureTerm{
			"80 % of draws within", u.Capital.P10.String() + " to " + u.Capital.P90.String(),
			english.Count(u.Draws, "draw") + " of all prices",
		})
	}
	return f
}

func (p *Plan) explainLength() *Figure {
	metres := func(l units.Length) string { return english.Fixed(float64(l), 2) + " m" }
	var of []summand
	for _, l := range p.Lengths {
		of = append(of, summand{
			string(l.Medium), float64(l.Total), metres(l.Total), english.Count(l.Cables, "cable"),
		})
	}
	f := &Figure{
		Figure: "length", Value: metres(p.Length.Total), Page: "docs/cabling.md#lengths",
		Meaning: "What all cables need along their routes, slack included, before each is rounded up to a length " +
			"that is sold; links that are traces on boards and backplanes are left out. plenum explain PLAN CABLE " +
			"says what one of them is made of.",
		Terms: addUp(float64(p.Length.Total), of), LeftOut: []string{},
	}
	f.Terms = append(f.Terms, FigureTerm{"mean of a cable", metres(p.Length.Mean), ""},
		FigureTerm{"longest cable", metres(p.Length.Max), ""})
	for _, l := range p.Levels {
		f.Terms = append(f.Terms, FigureTerm{
			"links of " + l.Level, fmt.Sprintf("%s mean, %s longest", metres(l.Length.Mean), metres(l.Length.Max)),
			english.Count(l.Links, "link"),
		})
	}
	return f
}

func (p *Plan) explainPower() *Figure {
	by := &p.PowerBy
	rest := p.Power - by.Nodes - by.Switches - by.Optics - by.Cables - by.Enclosures
	if rest < 0.5 { // of rounding
		rest = 0
	}
	var of []summand
	for _, s := range []struct {
		name string
		draw units.Power
	}{
		{"nodes and their adapters", by.Nodes},
		{"switches", by.Switches},
		{"transceivers", by.Optics},
		{"ends of cables", by.Cables},
		{"midplanes, chassis and frames", by.Enclosures},
		{"other boxes", rest},
	} {
		of = append(of, summand{name: s.name, amount: float64(s.draw), text: s.draw.String()})
	}
	f := &Figure{
		Figure: "power", Value: p.PowerWords() + p.PowerNote().After(), Page: "docs/machine-file.md#power_basis",
		Meaning: "What all boxes, transceivers, ends of cables and enclosures draw by the figures of their parts; " +
			"spares draw nothing.",
		Terms: addUp(float64(p.Power), of), LeftOut: []string{},
	}
	if p.PowerDelivered > 0 {
		f.Terms = append(f.Terms, FigureTerm{
			DeliveredName, p.PowerDelivered.String(), "losses " + (p.PowerDelivered - p.Power).String(),
		})
	}
	for _, o := range p.PowerUnstated {
		f.LeftOut = append(f.LeftOut, fmt.Sprintf("%s (%s) states no power.", o.Part, english.Grouped(o.Qty)))
	}
	if p.PowerBasis == nil {
		f.Meaning += " The machine file names no power_basis, so each part counts with the power that it states."
		return f
	}
	for _, o := range p.PowerBasis.Instead {
		f.LeftOut = append(f.LeftOut, fmt.Sprintf("%s states no %s power.", o, p.PowerBasis.Basis))
	}
	return f
}

func (p *Plan) explainDelay() *Figure {
	f := &Figure{
		Figure: "delay", Page: "docs/delay.md", Terms: []FigureTerm{}, LeftOut: []string{},
		Meaning: "Of every pair of nodes, the fastest of the paths with the fewest hops: the hop delay of each " +
			"switch and forwarding node on it, the propagation along each cable, and the ends of the cables. The " +
			"figure is the mean over all pairs.",
	}
	if p.Delay != nil {
		f.Value = delayText(p.Delay)
		f.addDelay("", p.Delay)
	}
	if main := p.mainDelay(); main != nil {
		f.Value = main.Name + ": " + delayText(main.Delay)
	}
	for i := range p.Fabrics {
		if d := p.Fabrics[i].Delay; d != nil {
			f.addDelay(p.Fabrics[i].Name+": ", d)
		}
	}
	if f.Value == "" {
		return nil
	}
	for _, l := range p.Levels {
		f.Terms = append(f.Terms, FigureTerm{
			"a link of " + l.Level,
			fmt.Sprintf("%s ns mean, %s ns most", nanoseconds(l.Delay.Mean), nanoseconds(l.Delay.Max)),
			"cable, ends and one hop",
		})
	}
	return f
}

// mainDelay is the fabric whose delay stands for those of all where there is room for one: the main fabric, or else the
// first whose delay was measured; nil where there is none.
func (p *Plan) mainDelay() *Fabric {
	var found *Fabric
	for i := range p.Fabrics {
		if f := &p.Fabrics[i]; f.Delay != nil && (found == nil || f.Name == p.MainFabric) {
			found = f
		}
	}
	return found
}

// addDelay adds the terms of the delays of one network, whose names begin with a prefix, and what they leave out.
func (f *Figure) addDelay(prefix string, d *Delay) {
	measured := "all pairs"
	if !d.Exact {
		measured = fmt.Sprintf("from %s, standard error %s ns; maxima are lower bounds",
			english.Count(d.Sources, "node drawn"), nanoseconds(d.NsStdErr))
	}
	add := func(name, value, note string) { f.Terms = append(f.Terms, FigureTerm{prefix + name, value, note}) }
	add("mean and most", delayText(d), measured)
	add("within", fmt.Sprintf("%s ns half of the pairs, %s ns 90 %%, %s ns 99 %%", nanoseconds(d.NsP50),
		nanoseconds(d.NsP90), nanoseconds(d.NsP99)), "")
	add("hops", fmt.Sprintf("%.3f mean, %d most", d.HopsMean, d.HopsMax), "links on the path")
	add("path", fmt.Sprintf("%s m mean, %s m most", english.Fixed(float64(d.PathMean), 2),
		english.Fixed(float64(d.PathMax), 2)), "cables on the path")
	add("propagation", fmt.Sprintf("%.3f ns/m", float64(d.Definition.Beta)), "mean over the metres of link")
	if a := d.Definition.Alpha; a != nil {
		add("hop delay", nanoseconds(*a)+" ns", "mean over the ends of links")
	}
	if len(d.HopUnstated) > 0 {
		f.LeftOut = append(f.LeftOut, prefix+"the delays are lower bounds: no hop delay is stated for "+
			Missing(d.HopUnstated)+".")
	}
	if d.UnreachedPairs > 0 {
		f.LeftOut = append(f.LeftOut, prefix+english.Count(d.UnreachedPairs, "pair")+" without a path.")
	}
}

// delayText writes the mean and the greatest delay of a network.
func delayText(d *Delay) string {
	least := ""
	if d.AtLeast() {
		least = "at least "
	}
	return fmt.Sprintf("%s%s ns mean, %s ns most", least, nanoseconds(d.NsMean), nanoseconds(d.NsMax))
}

func nanoseconds(t units.Time) string { return english.Fixed(float64(t), 1) }
