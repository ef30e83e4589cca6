package cost_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
)

// machines are the machine files of testdata.
func machines(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/machines/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	return paths
}

func readMachine(t *testing.T, path string) *spec.Spec {
	t.Helper()
	s, err := machine.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// printer writes figures one to a line.
type printer struct {
	strings.Builder
	t *testing.T
}

func (p *printer) line(what string, v any) {
	p.t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		p.t.Fatal(err)
	}
	fmt.Fprintf(p, "%s: %s\n", what, data)
}

// bill writes all figures of a bill.
func (p *printer) bill(b *cost.Bill) {
	for i := range b.Rows {
		r := &b.Rows[i]
		p.line("row", r)
		fmt.Fprintf(p, "     %v ... %v, %g %%, medium %q, quoted %v\n", r.Low, r.High, r.Percent, r.Medium, r.Quoted)
	}
	p.line("by kind", b.ByKind)
	fmt.Fprintf(p, "total %v %s, network %v\n", b.Total, b.Currency, b.Network)
	p.line("unpriced", b.Unpriced)
	p.line("not in the bill", b.NotInBill)
	p.line("notes", b.Notes)
	fmt.Fprintf(p, "power %+v, %v\n", b.Power, b.Power.Total())
	for i, spares := range b.FabricSpares {
		p.line(fmt.Sprint("spares of fabric ", i), spares)
	}
	for i, within := range b.LevelCost {
		p.line(fmt.Sprint("level ", i), within)
	}
}

// TestFiguresOfBills compares every figure of the bills of some machines with files. The twins of this package say
// that such figures are right; the files notice that one changes.
func TestFiguresOfBills(t *testing.T) {
	for _, path := range machines(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			r, err := machine.Plan(context.Background(), readMachine(t, path))
			if err != nil {
				t.Fatal(err)
			}
			p := &printer{t: t}
			p.bill(r.Bill)
			p.line("operation", r.Operation)
			p.line("uncertainty", r.Uncertainty)
			p.line("per unit", r.PerUnit)
			golden.Compare(t, "bills/"+name+".txt", p.String())
		})
	}
}

// topologies are networks that published models estimate by themselves: lattices of several sides and folded rings,
// routers with terminals, trees, and graphs whose vertices stand in order. Some fill several cabinets.
var topologies = []string{
	"{family: torus, dims: [12, 10]}",
	"{family: torus, dims: [5, 7, 9]}",
	"{family: torus, dims: [1, 3]}",
	"{family: mesh, dims: [80]}",
	"{family: mesh, dims: [9, 4, 6]}",
	"{family: hypercube, dims: 9}",
	"{family: hyperx, dims: [6, 8], widths: [2, 1], terminals: 5}",
	"{family: flattened-butterfly, dims: [4, 4], terminals: 4}",
	"{family: slim-fly, q: 5, terminals: 4}",
	"{family: polarfly, q: 7, terminals: 4}",
	"{family: dragonfly, p: 4, a: 8, h: 4}",
	"{family: fat-tree, nodes: 300, radix: 24}",
	"{family: fat-tree, nodes: 40, radix: 16, rails: 2}",
	"{family: leaf-spine, nodes: 96, down: 16, up: 4, spines: 2}",
	"{family: thin-tree, down: 4, up: 3, levels: 3}",
	"{family: clex, clique: 4, levels: 3}",
	"{family: de-bruijn, base: 3, digits: 4}",
}

// estimate writes the figures of an estimate, or why there is none.
func (p *printer) estimate(s *spec.Spec) {
	for _, model := range cost.ModelNames()[1:] {
		given := *s
		given.Prices.Model = model
		given.Stock, given.Owned, given.Cabling.Structured = nil, nil, nil // which published models refuse
		e, err := machine.Estimate(context.Background(), &given)
		if err != nil {
			text, _, _ := strings.Cut(err.Error(), "\n")
			fmt.Fprintf(p, "%s: %s\n", model, filepath.ToSlash(text))
			continue
		}
		if levels := e.Levels; len(levels) > 0 {
			for _, l := range levels {
				p.line(model+" "+l.Level, l)
			}
			e.Levels = nil
		}
		for i := range e.Fabrics {
			p.line(model+" fabric", e.Fabrics[i])
		}
		e.Fabrics = nil
		p.line(model, e)
	}
}

// TestFiguresOfEstimates compares estimates by all published models with files.
func TestFiguresOfEstimates(t *testing.T) {
	for _, path := range machines(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			p := &printer{t: t}
			p.estimate(readMachine(t, path))
			golden.Compare(t, "estimates/"+name+".txt", p.String())
		})
	}
	t.Run("topologies", func(t *testing.T) {
		p := &printer{t: t}
		for _, text := range topologies {
			s, err := machine.Parse("machine.yaml", []byte("topology: "+text))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(p, text)
			p.estimate(s)
		}
		golden.Compare(t, "estimates/topologies.txt", p.String())
	})
}
