package handout

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/label"
)

// machines are planned: bundles of several fabrics, patch panels, splitters and twin-port cables, containers.
func machines(t *testing.T) map[string]*machine.Result {
	t.Helper()
	out := map[string]*machine.Result{}
	for name, text := range map[string]string{
		"panels": "topology: {family: fat-tree, radix: 16, nodes: 48}\npackaging: {node: {per_rack: 6}}\n" +
			"cabling: {structured: {}, media: [{use: [fibre]}]}\n",
		"nested": "topology: {family: torus, dims: [4, 4, 4]}\n" +
			"room: {containers: [{name: cube, count: [4, 4, 4], pitch: [1, 1, 1], links: cable}]}\n",
		"torus": "topology: {family: torus, dims: [8, 8]}\n",
	} {
		s, err := machine.Parse(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if out[name], err = machine.Plan(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"basepod", "superpod-h100-compute"} {
		text, err := examples.Files.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		s, err := machine.Parse(name+".yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		if out[name], err = machine.Plan(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestPullsAreAllCables: every plug of the plan is on the pull sheets, with its cable, and they are in order.
func TestPullsAreAllCables(t *testing.T) {
	for name, r := range machines(t) {
		pulls := Pulls(r, "")
		type plug struct{ cable, rack, box, port string }
		want, got := map[plug]bool{}, map[plug]bool{}
		for p := range render.Plugs(r, "") {
			want[plug{p.Cable, p.Near.Rack, p.Near.Box, p.Near.Port}] = true
		}
		racks := map[string]bool{}
		for i, p := range pulls {
			got[plug{p.Cable, p.From.Rack, p.From.Box, p.From.Port}] = true
			got[plug{p.Cable, p.To.Rack, p.To.Box, p.To.Port}] = true
			if p.Order == 0 && r.Room() != nil && p.From.Rack != p.To.Rack {
				t.Errorf("%s: %s has no bundle and leads from %s to %s", name, p.Cable, p.From.Rack, p.To.Rack)
			}
			if i == 0 {
				continue
			}
			b := &pulls[i-1]
			switch {
			case b.Order == p.Order && p.Order > 0:
				if b.Bundle != p.Bundle || b.From.Rack != p.From.Rack || b.To.Rack != p.To.Rack {
					t.Errorf("%s: %s and %s are of bundle %s", name, b.Cable, p.Cable, p.Bundle)
				}
				if b.From.Unit < p.From.Unit {
					t.Errorf("%s: unit %d comes before %d in %s", name, b.From.Unit, p.From.Unit, p.Bundle)
				}
			case b.Order > 0 && p.Order > 0 && p.Order != b.Order+1, b.Order == 0 && p.Order > 0:
				t.Errorf("%s: bundle %d comes after %d", name, p.Order, b.Order)
			case p.Order == 0 && p.From.Rack != b.From.Rack && racks[p.From.Rack]:
				t.Errorf("%s: rack %s comes twice", name, p.From.Rack)
			}
			racks[p.From.Rack] = racks[p.From.Rack] || p.Order == 0
		}
		for p := range want {
			if !got[p] {
				t.Errorf("%s: %v is missing", name, p)
			}
		}
		if len(got) != len(want) || len(want) == 0 {
			t.Errorf("%s: %d plugs, expected %d", name, len(got), len(want))
		}
	}
}

// TestChecklists: a checklist has the plugs of its rack from the top down.
func TestChecklists(t *testing.T) {
	for name, r := range machines(t) {
		plugs, err := label.Of(r, label.Chosen{})
		if err != nil {
			t.Fatal(err)
		}
		sorted := Sorted(plugs)
		count := map[string]int{}
		for i := range plugs {
			count[plugs[i].Near.Rack]++
			count[sorted[i].Near.Rack]--
			a, b := &sorted[max(i-1, 0)].Near, &sorted[i].Near
			if a.Rack == b.Rack && (a.Unit < b.Unit || a.Box == b.Box && a.Index > b.Index) {
				t.Errorf("%s: %s comes before %s", name, a.Label, b.Label)
			}
			if plugs[i].Near.Rack != sorted[i].Near.Rack {
				t.Fatalf("%s: racks are in another order", name)
			}
		}
		for rack, n := range count {
			if n != 0 {
				t.Errorf("%s: rack %s has %d plugs more", name, rack, n)
			}
		}
		var b bytes.Buffer
		err = CheckTable(t.Context(), &b, sorted)
		if n := bytes.Count(b.Bytes(), []byte("\n")); err != nil || n != len(plugs)+1 {
			t.Errorf("%s: %v, %d lines of %d plugs", name, err, n, len(plugs))
		}
	}
}

// TestSheets writes all sheets, and none of more rows than a book takes.
func TestSheets(t *testing.T) {
	for name, r := range machines(t) {
		plugs, err := label.Of(r, label.Chosen{})
		if err != nil {
			t.Fatal(err)
		}
		pulls := Pulls(r, "")
		var pull, check, table bytes.Buffer
		if err := PullSheets(t.Context(), &pull, r, pulls, Part{}); err != nil {
			t.Fatal(err)
		}
		if err := CheckSheets(t.Context(), &check, r, plugs, Part{}); err != nil {
			t.Fatal(err)
		}
		if err := PullTable(t.Context(), &table, pulls); err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(pull.Bytes(), []byte("%PDF")) || !bytes.HasPrefix(check.Bytes(), []byte("%PDF")) ||
			bytes.Count(table.Bytes(), []byte("\n")) != len(pulls)+1 {
			t.Errorf("%s: not written", name)
		}
		if err := PullSheets(t.Context(), &pull, r, make([]Pull, 50_000), Part{}); err == nil {
			t.Errorf("%s: 50,000 rows are written", name)
		}
	}
}

// TestProgress fills a progress file in and reads it back: what is done is right, the rest missing; with all done all
// is right. Columns by and when may have anything.
func TestProgress(t *testing.T) {
	for name, r := range machines(t) {
		var b bytes.Buffer
		if err := Progress(t.Context(), &b, r, ""); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		done := slices.Index(rows[0], "done")
		segments := 0
		for i := range r.Schedule.Segments {
			if r.Schedule.Segments[i].Product != cabling.IsTrace {
				segments++
			}
		}
		if len(rows) != segments+1 || done < 0 {
			t.Fatalf("%s: %d rows of %d links", name, len(rows), segments)
		}
		p, err := verify.NewPlan(r, "")
		if err != nil {
			t.Fatal(err)
		}
		all := readBack(t, p, rows, func(int) bool { return true }, done)
		if !all.OK || all.Unknown > 0 || all.Right == 0 {
			t.Errorf("%s: all is done, and %d right, %d unknown, %v", name, all.Right, all.Unknown, all.Differences)
		}
		if name == "panels" {
			continue // half of a way over panels is none
		}
		some := readBack(t, p, rows, func(i int) bool { return i%3 == 0 }, done)
		missing := 0
		for _, d := range some.Differences {
			if d.Kind != verify.Missing {
				t.Fatalf("%s: %+v", name, d)
			}
			missing += len(d.Plan)
		}
		if some.Right != (segments+2)/3 || some.Right+missing+some.Unknown != all.Right {
			t.Errorf("%s: %d of %d are done, %d right and %d missing", name, (segments+2)/3, segments, some.Right,
				missing)
		}
	}
}

// readBack compares what a filled in progress file says with the plan.
func readBack(t *testing.T, p *verify.Plan, rows [][]string, is func(i int) bool, done int) *verify.Result {
	t.Helper()
	var out []string
	for i, row := range rows {
		row = slices.Clone(row)
		if i > 0 && is(i-1) {
			row[done], row[done+1], row[done+2] = "x", "Ada", "2026-03-01 10:15"
		}
		out = append(out, strings.Join(row, ","))
	}
	file := filepath.Join(t.TempDir(), "progress.csv")
	if err := os.WriteFile(file, []byte(strings.Join(out, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := exchange.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return p.Compare([]*exchange.Wiring{w})
}

// TestCancelled: writers stop when their context ends.
func TestCancelled(t *testing.T) {
	r := machines(t)["basepod"]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := PullSheets(ctx, &bytes.Buffer{}, r, Pulls(r, ""), Part{}); err == nil {
		t.Error("the sheets are written")
	}
	if err := Progress(ctx, &bytes.Buffer{}, r, ""); err == nil {
		t.Error("the table is written")
	}
}
