package verify

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// drawMachine draws a small machine file.
func drawMachine(t *rapid.T) string {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	topologies := []func() string{
		func() string {
			return fmt.Sprintf("{family: fat-tree, radix: %d, rails: %d, nodes: %d}", 2*n("half radix", 2, 8),
				n("rails", 1, 3), n("nodes", 2, 40))
		},
		func() string { return fmt.Sprintf("{family: torus, dims: [%d, %d]}", n("x", 2, 5), n("y", 2, 5)) },
		func() string {
			return fmt.Sprintf("{family: hyperx, dims: [%d, %d], terminals: %d}", n("x", 2, 4), n("y", 1, 4),
				n("terminals", 1, 3))
		},
		func() string {
			return fmt.Sprintf("{family: dragonfly, p: %d, a: %d, h: %d}", n("p", 1, 2), n("a", 2, 3), n("h", 1, 2))
		},
	}
	text := "topology: " + topologies[n("topology", 0, len(topologies)-1)]() + "\n"
	switch n("more", 0, 3) {
	case 0:
		text += "packaging: {node: {per_rack: 4}}\ncabling: {structured: {}, media: [{use: [fibre]}]}\n"
	case 1:
		text += "packaging: {switch: {part: nvidia-qm9700}}\n"
	case 2:
		text += "names: {boxes: {node: \"=Node {n:04}, left\", switch: \"-S'{n}\"}}\n" // a spreadsheet's formulas
	}
	return text
}

// written are the forms that are written and read back.
var written = []struct {
	file  string
	write func(ctx context.Context, r *machine.Result) ([]byte, error)
}{
	{"cables.csv", func(ctx context.Context, r *machine.Result) ([]byte, error) {
		var b bytes.Buffer
		err := render.Cables(ctx, &b, r)
		return b.Bytes(), err
	}},
	{"plan.xlsx", func(ctx context.Context, r *machine.Result) ([]byte, error) {
		var b bytes.Buffer
		err := render.Workbook(ctx, &b, r)
		return b.Bytes(), err
	}},
	{"fabric.net", func(ctx context.Context, r *machine.Result) ([]byte, error) {
		var b bytes.Buffer
		w, err := exchange.Planned(r, "")
		if err == nil {
			err = exchange.WriteIBNetDiscover(ctx, &b, w)
		}
		return b.Bytes(), err
	}},
}

// TestNothingDiffersReadBack writes plans of drawn machines in every form that is read as well, reads them back and
// compares: every link is right, and every box is found by its name.
func TestNothingDiffersReadBack(t *testing.T) {
	dir, read := t.TempDir(), 0
	t.Cleanup(func() {
		if read < 50 {
			t.Errorf("only %d of the machines that were drawn are planned", read)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		text := drawMachine(t)
		s, err := machine.Parse("machine.yaml", []byte(text))
		if err != nil {
			t.Skip(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Skip(err)
		}
		p, err := NewPlan(r, "")
		if err != nil {
			t.Fatal(err)
		}
		read++
		for _, form := range written {
			data, err := form.write(context.Background(), r)
			if err != nil {
				t.Fatalf("%s: %v\n%s", form.file, err, text)
			}
			path := filepath.Join(dir, form.file)
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
			w, err := exchange.Read(path)
			if err != nil {
				t.Fatalf("%s: %v\n%s", form.file, err, text)
			}
			got := p.Compare([]*exchange.Wiring{w})
			if !got.OK || got.Right != len(p.links) || got.Unknown > 0 || len(got.Strangers)+len(got.Identified) > 0 ||
				len(got.Notes) > 0 {
				t.Fatalf("%s: %+v\n%s", form.file, got, text)
			}
		}
	})
}
