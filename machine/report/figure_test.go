package report_test

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
)

// Explained figures are those of the plan, and the terms that state a share of one add up to it.
func TestExplainedFiguresAddUp(t *testing.T) {
	for _, name := range []string{"superpod-h100-compute", "clex-4096", "slimfly-200", "nvl72-8"} {
		text, err := examples.Files.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		spec, err := machine.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := machine.PlanWith(context.Background(), spec, machine.Options{Summary: true, Paths: true})
		if err != nil {
			t.Fatal(err)
		}
		p := plan.Report()
		for _, figure := range report.FigureNames {
			f := p.Explain(figure)
			if f == nil {
				t.Errorf("%s: %s is not explained", name, figure)
				continue
			}
			value, sum := amountOf(t, f.Value), 0.0
			shares := 0.0
			for _, term := range f.Terms {
				percent, _, found := strings.Cut(term.Note, " %")
				share, err := strconv.ParseFloat(percent, 64)
				if !found || err != nil {
					continue
				}
				shares += share
				sum += amountOf(t, term.Value)
			}
			switch figure {
			case "delay":
				if p.Delay != nil && value != math.Round(float64(p.Delay.NsMean)*10)/10 {
					t.Errorf("%s: delay %s, the plan says %v", name, f.Value, p.Delay.NsMean)
				}
			case "power": // written to a few digits
				if math.Abs(sum-value) > 0.01*value || math.Abs(shares-100) > 0.5 {
					t.Errorf("%s: terms of %s add up to %v of %v, %v %%", name, figure, sum, value, shares)
				}
			default:
				if math.Abs(sum-value) > 0.05 || math.Abs(shares-100) > 0.5 {
					t.Errorf("%s: terms of %s add up to %v of %v, %v %%", name, figure, sum, value, shares)
				}
			}
		}
		if got, want := p.Explain("cost").Value, p.Cost.Total.String()+" "+p.Currency; got != want {
			t.Errorf("%s: cost %s, the plan says %s", name, got, want)
		}
		if cost := p.Explain("cost"); len(cost.LeftOut) != len(p.Cost.Omitted().Sentences()) {
			t.Errorf("%s: cost leaves out %q", name, cost.LeftOut)
		}
	}
}

// TestMainFabricExplainsDelay has the delay of the fabric that carries the most stand for those of all, wherever the
// machine file has it.
func TestMainFabricExplainsDelay(t *testing.T) {
	text, err := examples.Files.ReadFile("basepod.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, reversed := range []bool{false, true} {
		spec, err := machine.Parse("basepod.yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		if reversed {
			slices.Reverse(spec.Fabrics)
		}
		plan, err := machine.PlanWith(context.Background(), spec, machine.Options{Summary: true, Paths: true})
		if err != nil {
			t.Fatal(err)
		}
		p := plan.Report()
		if got := p.Explain("delay").Value; p.MainFabric != "compute" || !strings.HasPrefix(got, "compute: ") {
			t.Errorf("reversed %v: the main fabric is %q, the delay %q", reversed, p.MainFabric, got)
		}
		p.MainFabric = "" // as in plans of before
		if got, first := p.Explain("delay").Value, p.Fabrics[0].Name; !strings.HasPrefix(got, first+": ") {
			t.Errorf("without a main fabric, the delay is %q, want that of %s", got, first)
		}
	}
}

// amountOf reads the number with which a text begins, and a prefix of its unit.
func amountOf(t *testing.T, text string) float64 {
	t.Helper()
	if _, after, found := strings.Cut(text, ": "); found { // the name of a fabric
		text = after
	}
	number, unit, _ := strings.Cut(strings.TrimPrefix(text, "at least "), " ")
	v, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	switch {
	case strings.HasPrefix(unit, "kW"):
		return 1e3 * v
	case strings.HasPrefix(unit, "MW"):
		return 1e6 * v
	}
	return v
}
