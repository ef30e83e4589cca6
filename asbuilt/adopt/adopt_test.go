package adopt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/exchange/netbox"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// files are those of a form, by name.
type files = map[string]func(io.Writer) error

// one is a form of one file.
func one(name string, write func(ctx context.Context, w io.Writer, r *machine.Result) error) func(
	ctx context.Context, r *machine.Result,
) (files, error) {
	return func(ctx context.Context, r *machine.Result) (files, error) {
		return files{name: func(w io.Writer) error { return write(ctx, w, r) }}, nil
	}
}

// fabric writes all fabrics.
func fabric(write func(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error) func(
	ctx context.Context, w io.Writer, r *machine.Result,
) error {
	return func(ctx context.Context, w io.Writer, r *machine.Result) error { return write(ctx, w, r, "") }
}

// forms are those in which plans are written and that are read.
var forms = map[string]func(ctx context.Context, r *machine.Result) (files, error){
	"cables":   one("cables.csv", render.Cables),
	"workbook": one("plan.xlsx", render.Workbook),
	"ndt":      one("ndt.csv", fabric(exchange.WriteNDT)),
	"omnipath": one("topology.csv", fabric(exchange.WriteOmniPath)),
	"ptm":      one("topology.dot", fabric(exchange.WritePTM)),
	"point":    one("point.csv", fabric(exchange.WritePointToPoint)),
	"subnet": one("fabric.net", func(ctx context.Context, w io.Writer, r *machine.Result) error {
		x, err := exchange.PlannedAdapters(r, "")
		if err != nil {
			return err
		}
		return exchange.WriteIBNetDiscover(ctx, w, x)
	}),
	"lldp": func(ctx context.Context, r *machine.Result) (files, error) { return exchange.LLDP(ctx, r, "") },
	"netbox": func(ctx context.Context, r *machine.Result) (files, error) {
		x, err := netbox.New(r, "")
		if err != nil {
			return nil, exchange.LimitError(err.Error())
		}
		out := x.Files(ctx)
		maps.DeleteFunc(out, func(name string, _ func(io.Writer) error) bool {
			return !slices.Contains([]string{netbox.Cables, netbox.SeveralEnds, netbox.Devices, netbox.Racks}, name)
		})
		return out, nil
	},
}

// sources writes a plan in a form and reads it; nil where the form has no way to say the plan.
func sources(t rapid.TB, dir, form string, r *machine.Result) []*exchange.Wiring {
	t.Helper()
	all, err := forms[form](context.Background(), r)
	var out []*exchange.Wiring
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var b bytes.Buffer
		if err = all[name](&b); err != nil {
			break
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := exchange.Read(path)
		if err != nil {
			t.Fatalf("%s: %v\n%.1000s", form, err, b.Bytes())
		}
		out = append(out, w)
	}
	if limit := exchange.LimitError(""); errors.As(err, &limit) {
		return nil
	} else if err != nil {
		t.Fatalf("%s: %v", form, err)
	}
	return out
}

// adopted makes a machine of sources and compares the plan of its files with them once more.
func adopted(t rapid.TB, sources []*exchange.Wiring) (*Machine, *verify.Result) {
	t.Helper()
	m, err := New(context.Background(), Options{Name: "stands", Rate: 400}, sources)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "adopt")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, data := range m.Files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := machine.Load(filepath.Join(dir, "stands.yaml"))
	if err != nil {
		t.Fatalf("%v\n%s", err, m.Files["stands.yaml"])
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	p, err := verify.NewPlan(r, "")
	if err != nil {
		t.Fatal(err)
	}
	return m, p.Compare(sources)
}

// same refuses any difference, unknown link, stranger or guess. Only a cable of another length is one that a note may
// tell: where no source says where boxes stand, or has no units for what stands upright, some are too short for the
// places that are guessed.
func same(t rapid.TB, what string, m *Machine, c *verify.Result) {
	t.Helper()
	if slices.ContainsFunc(m.Notes, func(n string) bool { return strings.Contains(n, "between this machine and") }) {
		short := func(d verify.Difference) bool { return d.Kind == verify.WrongProduct }
		before := len(c.Differences)
		c.Differences = slices.DeleteFunc(c.Differences, short)
		c.Right += before - len(c.Differences)
	}
	boxes, ports := c.Identification.Guesses()
	if c.Unknown+len(c.Differences)+len(c.Strangers)+boxes+ports > 0 || c.Right != m.Links {
		t.Errorf("%s: %d right of %d, %d differences, %d unknown, places %v, strangers %v, %d boxes and %d ports "+
			"guessed",
			what, c.Right, m.Links, len(c.Differences), c.Unknown, c.Places, c.Strangers, boxes, ports)
		for _, d := range c.Differences[:min(3, len(c.Differences))] {
			t.Logf("%+v", d)
		}
		t.Logf("%s\n%.3000s", strings.Join(m.Notes, "\n"), m.Files["stands.yaml"])
	}
}

// TestSmallMachines adopts the small machines from every form that they are written in.
func TestSmallMachines(t *testing.T) {
	paths, err := filepath.Glob("../../machine/testdata/small/*.yaml")
	if err != nil || len(paths) < 8 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		s, err := machine.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range slices.Sorted(maps.Keys(forms)) {
			what := strings.TrimSuffix(filepath.Base(path), ".yaml") + " from " + form
			t.Run(what, func(t *testing.T) {
				w := sources(t, t.TempDir(), form, r)
				if w == nil {
					t.Skip("cannot say it")
				}
				m, c := adopted(t, w)
				same(t, what, m, c)
			})
		}
	}
}

// TestDrawnMachines does the same with machines that are drawn, and their sources in any order: some, or in its long
// form all.
func TestDrawnMachines(t *testing.T) {
	names := slices.Sorted(maps.Keys(forms))
	dir := t.TempDir()
	drawn := 0
	rapid.Check(t, func(t *rapid.T) {
		if drawn++; drawn > 15 && os.Getenv("PLENUM_LONG") == "" {
			return
		}
		n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		text := "topology: " + []string{
			fmt.Sprintf("{family: fat-tree, radix: %d, rails: %d, nodes: %d}\n", 2*n("half", 2, 5), n("rails", 1, 3),
				n("nodes", 2, 24)),
			fmt.Sprintf("{family: hyperx, dims: [%d, %d], terminals: %d}\n", n("x", 2, 4), n("y", 1, 3),
				n("terminals", 1, 3)),
			fmt.Sprintf("{family: torus, dims: [%d, %d]}\n", n("x", 2, 4), n("y", 2, 4)),
		}[n("topology", 0, 2)]
		s, err := machine.Parse("machine.yaml", []byte(text))
		if err != nil {
			t.Skip(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Skip(err)
		}
		form := rapid.SampledFrom(names).Draw(t, "form")
		w := sources(t, dir, form, r)
		if w == nil {
			t.Skip("cannot say it")
		}
		w = rapid.Permutation(w).Draw(t, "order")
		m, c := adopted(t, w)
		same(t, form+" of "+text, m, c)
	})
}
