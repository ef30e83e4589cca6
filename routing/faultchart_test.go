package routing_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/routing"
)

func init() { routing.DrawFaults = drawFaults }

// drawFaults writes the chart of the documentation.
func drawFaults(t *testing.T, points []routing.FaultPoint) {
	var curves []chart.Curve
	for _, of := range [][2]string{
		{"dal", "DAL"},
		{"safety-vector", "safety vectors"},
		{"safety-vector-any", "safety vectors, any neighbour"},
		{"safety-vector-escape", "safety vectors, escape by a spanning tree"},
	} {
		c := chart.Curve{Name: of[1]}
		for _, p := range points {
			if p.Function == of[0] {
				c.Points = append(c.Points, chart.Point{X: p.Failed, Y: p.Undelivered, HalfWidth: p.Interval})
			}
		}
		curves = append(curves, c)
	}
	drawn, err := (&chart.CurveChart{
		Title: "Undelivered pairs, HyperX 4 x 3 x 3 x 3", X: "failed links (%)", Y: "undelivered (%)", Curves: curves,
		Note: "Connected pairs of switches, 20 draws of failed links each; bars: 95 % confidence intervals",
	}).Draw(chart.Style{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := drawn.PNG(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("../docs/img/safety-vectors.png", b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
