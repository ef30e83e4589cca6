package closeout

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/build"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
)

// planTree plans a small tree, over patch panels or not.
func planTree(t testing.TB, more string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte("name: small\n"+
		"topology: {family: fat-tree, nodes: 12, radix: 8}\npackaging: {node: {per_rack: 4}}\n"+
		"prices: {spares: {cable: 10}}\n"+more))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rows reads a table of a package, without its head.
func rows(t rapid.TB, path string) []map[string]string {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range all[1:] {
		m := map[string]string{}
		for i, head := range all[0] {
			m[head] = row[i]
		}
		out = append(out, m)
	}
	return out
}

// TestPackage: of a progress table in which drawn cables are not done, every planned link has a row, right if all of
// its cables are done; counts are those of the rows, and the summary says whether anything is open.
func TestPackage(t *testing.T) {
	dir := t.TempDir()
	plans := []*machine.Result{planTree(t, ""), planTree(t, "cabling: {structured: {beyond: rack}}\n")}
	left := 6 // each writes drawings
	rapid.Check(t, func(t *rapid.T) {
		if left--; left < 0 {
			return
		}
		r := rapid.SampledFrom(plans).Draw(t, "plan")
		open := map[string]bool{}
		for range rapid.IntRange(0, 3).Draw(t, "open") {
			open[r.Schedule.CableID(rapid.Int64Range(1, r.Schedule.Cables).Draw(t, "cable"))] = true
		}
		// A table as it is filled in: both ends of each link, with a row for each of its cables.
		var table strings.Builder
		table.WriteString("cable_id,a_device,a_port,b_device,b_port,done,by,when\n")
		for x := range exchange.PlannedLinks(r, "") {
			for i := range x.Segments {
				seg := &x.Segments[i]
				id, done := r.Schedule.CableID(int64(seg.Cable)), "yes"
				if open[id] {
					done = "no"
				}
				fmt.Fprintf(&table, "%s,%s,%s,%s,%s,%s,ann,2027-03-01\n", id, r.Schedule.Device(seg.A),
					r.Schedule.PortName(seg.A, seg.PortA), r.Schedule.Device(seg.B),
					r.Schedule.PortName(seg.B, seg.PortB), done)
			}
		}
		path := filepath.Join(dir, "progress.csv")
		if err := os.WriteFile(path, []byte(table.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		progress, err := build.ReadProgress(path, strings.NewReader(table.String()), r)
		if err != nil {
			t.Fatal(err)
		}
		w, err := exchange.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := verify.NewPlan(r, "")
		if err != nil {
			t.Fatal(err)
		}
		pack := New(r, p.Compare([]*exchange.Wiring{w}), nil, progress, []string{"progress.csv"})
		if _, err := pack.Write(context.Background(), filepath.Join(dir, "out")); err != nil {
			t.Fatal(err)
		}
		c := pack.Count()
		right := 0
		got := rows(t, filepath.Join(dir, "out", linksName))
		for _, row := range got {
			done := "yes"
			for _, id := range strings.Fields(row["cables"]) {
				if open[id] {
					done = "no"
				}
			}
			if row["done"] != done || (row["result"] == "right") != (done == "yes") {
				t.Fatalf("%v, want done %s", row, done)
			}
			if row["result"] == "right" {
				right++
			}
		}
		if len(got) != c.Links || right != c.Right || c.Complete != (len(open) == 0) {
			t.Fatalf("%d rows, %d right; counted %+v with %d cables open", len(got), right, c, len(open))
		}
		summary, err := os.ReadFile(filepath.Join(dir, "out", summaryName))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(summary), "NOT COMPLETE") != (len(open) > 0) {
			t.Fatalf("%d cables are open:\n%s", len(open), summary)
		}
		spares := int64(0)
		for i := range r.Bill.Rows {
			spares += r.Bill.Rows[i].Spares
		}
		if c.Spares != spares || spares == 0 || len(rows(t, filepath.Join(dir, "out", sparesName))) == 0 {
			t.Fatalf("%d spares, the bill has %d", c.Spares, spares)
		}
		_, err = os.Stat(filepath.Join(dir, "out", floorName))
		if drawn := err == nil; drawn != (c.Differences > 0) {
			t.Fatalf("drawing of differences: %v, with %d differences", drawn, c.Differences)
		}
	})
}

// TestTicksAgainstSources: a link that the progress table has as done is a conflict where the list of what is cabled,
// which has all others, has not.
func TestTicksAgainstSources(t *testing.T) {
	r := planTree(t, "")
	dir := t.TempDir()
	read := func(name, text string) *exchange.Wiring {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := exchange.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	ticks := "cable_id,a_device,a_port,b_device,b_port,done,by,when\n"
	built := "cable_id,a_device,a_port,b_device,b_port\n"
	lost := r.Schedule.CableID(5)
	for x := range exchange.PlannedLinks(r, "") {
		for i := range x.Segments {
			seg := &x.Segments[i]
			id := r.Schedule.CableID(int64(seg.Cable))
			row := fmt.Sprintf("%s,%s,%s,%s,%s", id, r.Schedule.Device(seg.A), r.Schedule.PortName(seg.A, seg.PortA),
				r.Schedule.Device(seg.B), r.Schedule.PortName(seg.B, seg.PortB))
			ticks += row + ",yes,ann,2027-03-01\n"
			if id != lost {
				built += row + "\n"
			}
		}
	}
	progress, err := build.ReadProgress("progress.csv", strings.NewReader(ticks), r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := verify.NewPlan(r, "")
	if err != nil {
		t.Fatal(err)
	}
	tick, list := read("progress.csv", ticks), read("built.csv", built)
	pack := New(r, p.Compare([]*exchange.Wiring{tick, list}), p.Compare([]*exchange.Wiring{list}), progress,
		[]string{"progress.csv", "built.csv"})
	c := pack.Count()
	if c.Conflicts != 1 || c.Differences != 1 || c.Right != c.Links-1 || c.Complete {
		t.Errorf("%+v", c)
	}
	if _, err := pack.Write(context.Background(), filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows(t, filepath.Join(dir, "out", linksName)) {
		if want := map[bool]string{true: "conflict", false: "right"}[row["cables"] == lost]; row["result"] != want {
			t.Errorf("%v, want %s", row, want)
		}
	}
	if got := rows(t, filepath.Join(dir, "out", differencesName)); len(got) != 2 || got[1]["cable"] != lost ||
		got[1]["source"] != "the other sources have it as missing" {
		t.Errorf("%v", got)
	}
}
