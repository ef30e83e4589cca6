package examples_test

import (
	"context"
	"io"
	"testing"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/study/sweep"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// Functions of the library either accept zero values or return an error.
func TestZeroValues(t *testing.T) {
	ctx := context.Background()
	g, err := topology.New(topology.Torus{Dims: topology.Ints{4}})
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"embed.Place":            func() error { _, err := embed.Place(ctx, &embed.Problem{}); return err },
		"embed.Place of a graph": func() error { _, err := embed.Place(ctx, &embed.Problem{Graph: g}); return err },
		"embed.Place of a graph with kinds": func() error {
			_, err := embed.Place(ctx, &embed.Problem{Graph: g, Kinds: make([]embed.Kind, 1)})
			return err
		},
		"embed.Place in a room without boxes": func() error {
			_, err := embed.Place(ctx, &embed.Problem{
				Graph: g, Kinds: make([]embed.Kind, 1), Strategy: embed.Auto, Room: &layout.RoomSpec{},
			})
			return err
		},
		"cabling.Run":            func() error { _, err := cabling.Run(ctx, &cabling.Problem{}); return err },
		"cabling.Run of a graph": func() error { _, err := cabling.Run(ctx, &cabling.Problem{Graph: g}); return err },
		"cost.NewBill":           func() error { cost.NewBill(&cost.Input{}); return nil },
		"cost.NewBill of a schedule": func() error {
			cost.NewBill(&cost.Input{Schedule: &cabling.Schedule{}})
			return nil
		},
		"cost.NewEstimate": func() error {
			_, err := cost.NewEstimate(ctx, &cost.EstimateInput{})
			return err
		},
		"cost.NewEstimate of a graph": func() error {
			_, err := cost.NewEstimate(ctx, &cost.EstimateInput{Graph: g})
			return err
		},
		"delay.MeasureRouted": func() error {
			_, err := delay.MeasureRouted(ctx, g, "", delay.Model{}, delay.Links{}, delay.Options{})
			return err
		},
		"delay.MeasureFlood": func() error { _, err := delay.MeasureFlood(ctx, g, delay.FloodOptions{}); return err },
		"machine.Plan":       func() error { _, err := machine.Plan(ctx, &spec.Spec{}); return err },
		"measure.Bisect": func() error {
			_, err := measure.Bisect(ctx, g, measure.HopEnds(g), measure.BisectionOptions{})
			return err
		},
		"routing.NewNetwork": func() error { _, err := routing.NewNetwork(g); return err },
		"packet.Run": func() error {
			_, err := packet.Run(ctx, packet.Config{}, packet.OpenLoop{})
			return err
		},
		"packet.Run with a load": func() error {
			_, err := packet.Run(ctx, packet.Config{}, packet.OpenLoop{Load: 0.1})
			return err
		},
		"asbuilt.Grow": func() error { _, err := asbuilt.Grow(ctx, nil, asbuilt.Options{}); return err },
		"chart.Cost":   func() error { _, err := chart.Cost(&report.Comparison{}, chart.Style{}); return err },
		"chart.CostDelay": func() error {
			_, err := chart.CostDelay(&report.Comparison{}, chart.Style{})
			return err
		},
		"packet.PhiOver": func() error { packet.PhiOver(nil, nil, nil); return nil },
		"render.CompareWorkbook": func() error {
			return render.CompareWorkbook(ctx, io.Discard, &report.Comparison{})
		},
		"sweep.NewTable":          func() error { _, err := sweep.NewTable(ctx, nil, false); return err },
		"topology.KindNear":       func() error { topology.KindNear(nil, 0, 0); return nil },
		"topology.CSR.Vertices":   func() error { (&topology.CSR{}).Vertices(); return nil },
		"topology.SizeSearch":     func() error { (&topology.SizeSearch{}).Powers(0, 0, nil); return nil },
		"units.Length of no JSON": func() error { return new(units.Length).UnmarshalJSON(nil) },
		"topology.New":            func() error { _, err := topology.New(topology.Spec{}); return err },
		"topology.New of nil":     func() error { _, err := topology.New(nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("panics: %v", p)
				}
			}()
			if err := call(); err != nil {
				t.Log(err)
			}
		})
	}
}
