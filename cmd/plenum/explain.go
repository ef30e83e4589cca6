package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/units"
)

func newExplain() *cobra.Command {
	var asJSON bool
	var fabric string
	cmd := &cobra.Command{
		Use:   "explain RULE | PART | PLAN CABLE | PLAN BOX | PLAN PART | PLAN FIGURE",
		Short: "Explain where a figure comes from: of the plan, a cable, a box, a part, a design rule",
		Long: `Explain a cable of a plan: what its length is made of, the media rule that
decided, every product that was considered with the reason why it was taken or
not, and what priced it from which source. PLAN is the directory that plenum plan
wrote, its plan.json, a machine file or an example; the machine is planned again,
which gives the same plan. CABLE is the id of a cable, as C00042.

Explain a box of a plan: what it is, where it stands and what it is linked to. BOX
is its name, its label in the notation of the topology or the number of its vertex.
With --fabric, of a machine that has several, only its links in that one count.

Explain a part (an id, of a cable also with its length, as id@3 m): its figures and
their source; with a PLAN, how many there are, on which levels, at what price.

Explain a figure of a plan: how it is computed, what it is made of and what it
leaves out. FIGURE is cost, length, power or delay; a box of that name goes first.

Explain a design rule: what must hold, why it matters and how it is checked, and
what helps against a violation. plenum plan --rules lists the rules.`,
		Args: cli.Usage(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			id := args[len(args)-1]
			if fabric != "" && len(args) == 1 {
				return cli.InputError(errors.New("--fabric: is for a cable or a box of a plan"))
			}
			if r := cabling.FindRule(id); r != nil {
				return explainRuleAs(cmd.Context(), cmd.OutOrStdout(), r, asJSON)
			}
			if len(args) == 1 {
				return explainPart(cmd.Context(), cmd.OutOrStdout(), id, asJSON)
			}
			s, err := cli.PlannedSpec(args[0])
			if err != nil {
				return err
			}
			if fabric != "" {
				if _, err := s.Fabric(fabric); err != nil {
					return cli.Spelled(err, cli.FabricFlags)
				}
			}
			return explainIn(cmd.Context(), cmd.OutOrStdout(), s, id, fabric, asJSON)
		},
	}
	cli.FabricFlag(cmd.Flags(), &fabric)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func explainRuleAs(ctx context.Context, w io.Writer, r *cabling.Rule, asJSON bool) error {
	if asJSON {
		entry := ruleEntry{ID: r.ID, Severity: r.Severity, Text: r.Text, Why: r.Why, Mend: r.Mend}
		return render.Document(ctx, w, entry)
	}
	return explainRule(w, r)
}

// explainPart explains the part of the catalog with this id. Another id is an error, which suggests a rule or a part.
func explainPart(ctx context.Context, w io.Writer, id string, asJSON bool) error {
	item, _ := catalog.ParseItem(id) // a part is explained as a whole, for all its lengths
	if p := catalog.Default().Part(item.Part); p != nil {
		return writePart(ctx, w, &report.Part{Part: p}, asJSON)
	}
	if machine.CableID.MatchString(id) {
		return cli.Inputf("%s is a cable of a plan: say of which, as in plenum explain plan-out %s", id, id)
	}
	if slices.Contains(report.FigureNames, id) {
		return cli.Inputf("%s is a figure of a plan: say of which, as in plenum explain plan-out %s", id, id)
	}
	known := cabling.RuleIDs()
	for _, p := range catalog.Default().Parts() {
		known = append(known, p.ID)
	}
	suggestion := cmp.Or(diag.Suggest(id, known, ""),
		"plenum plan --rules lists the rules, plenum catalog list the parts")
	return cli.InputError(diag.Fieldf("", "there is no rule or part %q\n%s", id, suggestion))
}

// explainIn explains a cable, a box or a part of a plan; of a fabric, unless its name is empty, a cable or a box.
func explainIn(ctx context.Context, w io.Writer, s *spec.Spec, id, fabric string, asJSON bool) error {
	plan, err := machine.PlanWith(ctx, s, machine.Options{Summary: true, Paths: id == "delay"})
	if err != nil {
		return cli.AsInput(err)
	}
	if plan.IsCable(id) {
		c, err := plan.ExplainCable(ctx, id)
		switch {
		case errors.Is(err, machine.ErrNoCable):
			return cli.Inputf("%s: %w", id, err)
		case err != nil:
			return cli.AsInput(err)
		case !machine.InFabric(c.Links[0].Level, fabric):
			return cli.Inputf("--fabric: %s is not a cable of %s; its level is %s", id, fabric,
				c.Links[0].Level)
		case asJSON:
			return render.Document(ctx, w, c)
		}
		return writeCable(w, c)
	}
	if p := plan.ExplainPart(id); p != nil {
		if fabric != "" {
			return cli.Inputf("--fabric: is for a cable or a box; %s is a part, and without --fabric its "+
				"pieces are listed by level, each of one fabric", id)
		}
		return writePart(ctx, w, p, asJSON)
	}
	b := plan.ExplainBox(id, fabric)
	switch {
	case b == nil && slices.Contains(report.FigureNames, id):
		return explainFigure(ctx, w, plan, id, fabric, asJSON)
	case b == nil:
		what := fmt.Sprintf("the plan has no cable, box, part or figure %q, and there is no such rule", id)
		if near, ok := diag.Closest(id, append(cabling.RuleIDs(), report.FigureNames...)); ok {
			return cli.Inputf("%s; %s", what, diag.DidYouMean(near))
		}
		_, err := plan.Names.Find(id)
		return cli.Inputf("%s\n%w", what, err)
	case asJSON:
		return render.Document(ctx, w, b)
	}
	return writeBox(w, b)
}

// explainFigure explains a figure of a plan among report.FigureNames.
func explainFigure(ctx context.Context, w io.Writer, plan *machine.Result, name, fabric string, asJSON bool) error {
	if fabric != "" {
		return cli.Inputf("--fabric: is for a cable or a box; %s is explained for the whole machine, fabric by fabric "+
			"where each has its own", name)
	}
	f := plan.Report().Explain(name)
	switch {
	case f == nil:
		return cli.Inputf("%s: no path between nodes was measured", name)
	case asJSON:
		return render.Document(ctx, w, f)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s\n\n%s\n\n", f.Figure, f.Value, f.Meaning)
	t := tabwriter.NewWriter(&out, 0, 4, 2, ' ', 0)
	for _, term := range f.Terms {
		fmt.Fprintf(t, "  %s\t%s", term.Name, term.Value)
		if term.Note != "" {
			fmt.Fprintf(t, "\t%s", term.Note)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	for _, s := range f.LeftOut {
		fmt.Fprintf(&out, "\nnot counted: %s\n", s)
	}
	fmt.Fprintf(&out, "\nsee %s\n", f.Page)
	return cli.Print(w, out.String())
}

// writeBox prints what is known of a box.
func writeBox(w io.Writer, b *report.Box) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s, a %s\n\n", b.Name, b.Part, b.Kind)
	t := tabwriter.NewWriter(&out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(t, "  place\t%s\n", b.Place)
	fmt.Fprintf(t, "  vertex\t%d", b.Vertex)
	if b.Address != b.Name && b.Address != strconv.Itoa(b.Vertex) {
		fmt.Fprintf(t, ", %s in the topology", b.Address)
	}
	fmt.Fprintf(t, "\n  links\t%s\n", english.Grouped(b.Links))
	for _, n := range b.Neighbours {
		names := strings.Join(n.Names, ", ")
		if rest := n.Boxes - len(n.Names); rest > 0 {
			names += fmt.Sprintf(" and %s more", english.Grouped(int64(rest)))
		}
		fmt.Fprintf(t, "  to %s\t%s: %s\n", n.Kind, english.Grouped(n.Links), names)
	}
	t.Flush()
	return cli.Print(w, out.String())
}

// metres writes a length of a report.
func metres(l units.Length) string { return l.Number() + " m" }

// writeCable prints what is known of a cable.
func writeCable(w io.Writer, c *report.Cable) error {
	var b strings.Builder
	product := "no product can make it"
	if c.Product != "" {
		product = c.Product + ", " + c.Medium
	}
	fmt.Fprintf(&b, "%s: %s\n", c.Cable, product)
	for i, l := range c.Links {
		head := "from"
		if len(c.Links) > 1 {
			head = fmt.Sprintf("link %d, from", i+1)
		}
		if i > 0 && len(c.Ways) > 0 { // the positions of a trunk are alike
			fmt.Fprintf(&b, "%s %s to %s\n", head, l.A, l.B)
			continue
		}
		fmt.Fprintf(&b, "\n%s %s (%s)\n  to %s (%s)\n  level %s, within one %s\n", head, l.A, l.PortA, l.B, l.PortB,
			l.Level, l.LayoutLevel)
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, p := range l.Pieces {
			fmt.Fprintf(t, "\t%s\t  %s\n", metres(p.Length), p.Name)
		}
		fmt.Fprintf(t, "\t%s\t  needed\n", metres(l.Length))
		t.Flush()
	}
	for _, way := range c.Ways {
		over := "panels"
		if len(way.Cables) == 2 {
			over = "a shuffle"
		}
		if way.Octopus {
			over = "octopus cables"
		}
		fmt.Fprintf(&b, "\nlink over %s, %s to %s\n", over, way.A, way.B)
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, over := range way.Cables {
			kind := ""
			if over.Polarity != "" {
				kind = ", type " + over.Polarity
			}
			fmt.Fprintf(t, "\t%s\t  %s, %s%s\n", metres(over.Length), over.Cable, cmp.Or(over.Product, "no product"),
				kind)
		}
		fmt.Fprintf(t, "\t%s\t  in all\n", metres(way.Length))
		t.Flush()
		for _, s := range way.Strands {
			from, to := "A", "B"
			if s.Back {
				from, to = to, from
			}
			var at []string
			for i := 0; i+1 < len(s.At); i += 2 {
				at = append(at, fmt.Sprintf("%d-%d", s.At[i], s.At[i+1]))
			}
			if s.Lost != "" {
				fmt.Fprintf(&b, "  lane %d, %s to %s: sent by fibre %d, %s; cables %s\n", s.Lane, from, to, s.At[0],
					s.Lost, strings.Join(at, ", "))
				continue
			}
			fmt.Fprintf(&b, "  lane %d, %s to %s: sent by fibre %d, received by fibre %d; cables %s\n", s.Lane, from,
				to,
				s.At[0], s.At[len(s.At)-1], strings.Join(at, ", "))
		}
		if n := len(way.Dark); n > 0 {
			fmt.Fprintf(&b, "  no light in positions %d to %d of the plugs of transceivers\n", way.Dark[0],
				way.Dark[n-1])
		}
	}
	if c.Product != "" {
		how := "Bought"
		if c.FromStock {
			how = "From the store,"
		}
		fmt.Fprintf(&b, "\n%s in %s, %s more than needed.\n", how, metres(c.Stock), metres(c.Stock-c.Length))
		if c.Colour != "" {
			fmt.Fprintf(&b, "Colour: %s, by cabling.colours.\n", c.Colour)
		}
		if c.Instead > 0 {
			fmt.Fprintf(&b, "Consolidated: bought in place of %s, to order fewer lengths.\n", metres(c.Instead))
		}
	}
	rule := c.RuleText
	if c.Rule > 0 {
		rule = fmt.Sprintf("media rule %d (%s)", c.Rule, rule)
	}
	fmt.Fprintf(&b, "\nDecided by %s.\n", rule)
	if c.Apart != "" {
		fmt.Fprintf(&b, "One cable for each link: %s.\n", c.Apart)
	}
	writeOptions(&b, c)
	price := func(p *report.Price) string {
		if p.Unit == nil {
			return "has no price"
		}
		return fmt.Sprintf("%v %s each for %s, from %s (%s): %s", *p.Unit, c.Currency, english.Grouped(p.Qty),
			p.From, p.Confidence, p.Source)
	}
	for i := range c.Prices {
		p := &c.Prices[i]
		fmt.Fprintf(&b, "\n%s\n  price: %s\n  figures: %s\n", p.Part, price(p), p.PartSource)
	}
	fmt.Fprintf(&b, "\n%s\n  price: %s\n", c.Labour.Part, price(&c.Labour))
	return cli.Print(w, b.String())
}

// writeOptions lists the products that were considered for a cable, each with verdict, unit cost and reason.
func writeOptions(b *strings.Builder, c *report.Cable) {
	fmt.Fprintf(b, "\nConsidered, optics and all links included, at the unit costs of the bill:\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, o := range c.Options {
		name := o.Product
		if len(o.Optics) > 0 {
			name += " with " + strings.Join(slices.Compact(slices.Clone(o.Optics)), " and ")
		}
		price := "-"
		if o.Cost != nil {
			price = fmt.Sprintf("%v %s", *o.Cost, c.Currency)
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", o.Verdict, name, price, o.Why)
	}
	t.Flush()
	if c.Elsewhere > 0 {
		fmt.Fprintf(b, "  and %d cable families whose plugs fit neither port\n", c.Elsewhere)
	}
}

// writePart prints what is known of a part and, if it is of a plan, of its use.
func writePart(ctx context.Context, w io.Writer, p *report.Part, asJSON bool) error {
	if asJSON {
		return render.Document(ctx, w, p)
	}
	data, err := yaml.Marshal(p.Part)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.Write(data)
	if p.Rows != nil && len(p.Rows) == 0 {
		b.WriteString("\nThe plan has none.\n")
	}
	for i := range p.Rows {
		writeRow(&b, &p.Rows[i], p.Currency)
		for _, u := range p.Uses {
			if u.Product == p.Rows[i].Item {
				fmt.Fprintf(&b, "  %s on level %s, within one %s\n", english.Grouped(u.Qty), u.Level, u.LayoutLevel)
			}
		}
	}
	return cli.Print(w, b.String())
}

// writeRow prints a row of the bill.
func writeRow(b *strings.Builder, r *cost.Row, currency string) {
	fmt.Fprintf(b, "\n%s: %s and %s spares", r.Item, english.Grouped(r.Qty), english.Grouped(r.Spares))
	if r.FromStock > 0 || r.Buy != r.Need() {
		fmt.Fprintf(b, ", %s of them in stock, %s to buy", english.Grouped(r.FromStock), english.Grouped(r.Buy))
	}
	b.WriteString("\n")
	if r.UnitCost == nil {
		b.WriteString("  has no price\n")
		return
	}
	fmt.Fprintf(b, "  %v %s each, %v in all, from %s (%s): %s\n", *r.UnitCost, currency, *r.Cost, r.From, r.Confidence,
		r.Source)
}
