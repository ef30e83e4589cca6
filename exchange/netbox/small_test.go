package netbox_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/exchange/netbox"
	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// smallPlans plans the small machines that together use every feature that an exported file shows, by name.
func smallPlans(t *testing.T) map[string]*machine.Result {
	t.Helper()
	paths, err := filepath.Glob("../../machine/testdata/small/*.yaml")
	if err != nil || len(paths) < 8 {
		t.Fatal(len(paths), err)
	}
	out := map[string]*machine.Result{}
	for _, path := range paths {
		s, err := machine.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(t.Context(), s)
		if err != nil {
			t.Fatal(path, err)
		}
		out[strings.TrimSuffix(filepath.Base(path), ".yaml")] = r
	}
	return out
}

// text is what writers write, one file after the other.
func text(t *testing.T, files map[string]func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "--- %s\n", name)
		if err := files[name](&b); err != nil {
			t.Fatal(err)
		}
	}
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

// TestExportsOfSmallMachines compares the files of small machines and of their fabrics with those in testdata.
func TestExportsOfSmallMachines(t *testing.T) {
	for name, r := range smallPlans(t) {
		fabrics := []string{""}
		for _, f := range r.Fabrics {
			fabrics = append(fabrics, f.Name)
		}
		for _, fabric := range fabrics {
			x, err := netbox.New(r, fabric)
			to, got := name, ""
			if fabric != "" {
				to += "-" + fabric
			}
			if err != nil {
				got = fmt.Sprintf("error: %v\n", err)
			} else {
				got = strings.Join(x.Notes, "\n") + "\n" + text(t, x.Files(t.Context()))
			}
			golden.Compare(t, "small/"+to+".txt", got)
		}
	}
}

// A side is the ports at a side of a cable.
type side map[[2]string]bool

// systemPort is what the operating system calls a port of a device that has this printed name, or that name.
func systemPort(r *machine.Result, device, port string) string {
	for i, k := range r.Schedule.Kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			if r.Schedule.Device(int32(v)) != device {
				continue
			}
			for p := range r.Schedule.Boxes[i].Ports {
				if id := r.Schedule.Boxes[i].Ports[p].Identity(); id.Label == port && id.Interface != "" {
					return id.Interface
				}
			}
		}
	}
	return port
}

// TestCablesAreThoseOfTheSchedule computes the label, the length and the ends of every cable from the cable schedule:
// the length in hundredths of a metre is the smallest whole number that is not below it, and lanes of a port that go
// into one cable are the port as a whole.
func TestCablesAreThoseOfTheSchedule(t *testing.T) {
	for name, r := range smallPlans(t) {
		x, err := netbox.New(r, "")
		if err != nil {
			t.Fatal(name, err)
		}
		files := x.Files(t.Context())
		var b bytes.Buffer
		if err := render.Cables(t.Context(), &b, r); err != nil {
			t.Fatal(err)
		}
		lengths, ends := map[string]string{}, map[string]side{}
		for _, row := range rowsOf(t, b.String()) {
			metres := row["stock_length_m"]
			if metres == "" {
				metres = row["length_m"]
			}
			exact, ok := new(big.Rat).SetString(metres)
			if !ok {
				t.Fatal(metres)
			}
			exact.Mul(exact, big.NewRat(100, 1))
			up := new(big.Int).Add(exact.Num(), new(big.Int).Sub(exact.Denom(), big.NewInt(1)))
			centimetres := up.Div(up, exact.Denom())
			label := row["cable_id"]
			lengths[label] = new(big.Rat).SetFrac(centimetres, big.NewInt(100)).RatString()
			if ends[label] == nil {
				ends[label] = side{}
			}
			ends[label][[2]string{row["a_device"], systemPort(r, row["a_device"], row["a_port"])}] = true
			ends[label][[2]string{row["b_device"], systemPort(r, row["b_device"], row["b_port"])}] = true
		}
		cables := 0
		check := func(label, length string, found side) {
			got, ok := new(big.Rat).SetString(length)
			if !ok || got.RatString() != lengths[label] {
				t.Errorf("%s: cable %s has %s m, want %s", name, label, length, lengths[label])
			}
			if !strings.Contains("breakout panels", name) && !maps.Equal(found, ends[label]) {
				t.Errorf("%s: cable %s has the ends %v, want %v", name, label, found, ends[label])
			}
			cables++
		}
		b.Reset()
		if err := files[netbox.Cables](&b); err != nil {
			t.Fatal(err)
		}
		for _, row := range rowsOf(t, b.String()) {
			check(row["label"], row["length"], side{
				{row["side_a_device"], row["side_a_name"]}: true, {row["side_b_device"], row["side_b_name"]}: true,
			})
		}
		if files[netbox.SeveralEnds] != nil {
			b.Reset()
			if err := files[netbox.SeveralEnds](&b); err != nil {
				t.Fatal(err)
			}
			type end struct{ Device, Name string }
			var all []struct {
				Label  string
				Length json.Number
				A      []end `json:"a_terminations"`
				B      []end `json:"b_terminations"`
			}
			if err := json.Unmarshal(b.Bytes(), &all); err != nil {
				t.Fatal(err)
			}
			for _, c := range all {
				found := side{}
				for _, e := range slices.Concat(c.A, c.B) {
					found[[2]string{e.Device, e.Name}] = true
				}
				check(c.Label, c.Length.String(), found)
			}
		}
		if cables != len(lengths) {
			t.Errorf("%s: %d cables, want %d", name, cables, len(lengths))
		}
	}
}

// rowsOf are the rows of a table by the names of its columns, without what guards fields against formulas.
func rowsOf(t *testing.T, table string) []map[string]string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, head := range records[0] {
			row[head] = strings.TrimPrefix(record[i], "'")
		}
		out = append(out, row)
	}
	return out
}

// TestChangesOfSmallMachines compares what is to be done where NetBox has cables in ports of planned ones, planned ones
// under other labels or the other way round, and others, with a file.
func TestChangesOfSmallMachines(t *testing.T) {
	r := smallPlans(t)["dragonfly"]
	x, err := netbox.New(r, "")
	if err != nil {
		t.Fatal(err)
	}
	var found []exchange.NetBoxCable
	for _, name := range []string{netbox.Cables, netbox.SeveralEnds} {
		var b bytes.Buffer
		if err := x.Files(t.Context())[name](&b); err != nil {
			t.Fatal(err)
		}
		cables, err := exchange.ReadNetBoxCables(name, b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, cables...)
	}
	for i := range found {
		c := &found[i]
		c.ID = int64(100 + i)
		switch i % 6 {
		case 1:
			c.A, c.B = c.B, c.A
		case 2:
			c.Label += " old"
		case 3:
			c.Status = "decommissioning"
		case 4:
			c.B = []exchange.NetBoxPort{{Device: "Spare", Name: "1"}}
		case 5:
			c.A = []exchange.NetBoxPort{{Device: "other", Name: "1"}}
			c.B = []exchange.NetBoxPort{{Device: "other", Name: "2"}, {Device: "other", Name: "3"}}
		}
	}
	all := found
	for to, cables := range map[string][]exchange.NetBoxCable{"some": all, "none": nil, "first": all[:1]} {
		c, err := x.Changes(cables)
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, "small/changes-"+to+".txt", strings.Join(c.Notes, "\n")+"\n"+text(t, c.Files(t.Context())))
	}
}
