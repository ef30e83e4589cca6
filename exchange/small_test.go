package exchange_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
)

// smallPlans plans the small machines that together use every feature that an exported file shows, by name.
func smallPlans(t *testing.T) map[string]*machine.Result {
	t.Helper()
	paths, err := filepath.Glob("../machine/testdata/small/*.yaml")
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

// writer writes a plan, or one of its fabrics.
type writer = func(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error

// tables are the formats of one file.
var tables = map[string]writer{
	"ndt": exchange.WriteNDT, "point-to-point": exchange.WritePointToPoint, "ptm": exchange.WritePTM,
	"omnipath": exchange.WriteOmniPath, "ansible": exchange.WriteAnsible,
}

// folders are the formats of several files.
var folders = map[string]func(ctx context.Context, r *machine.Result, fabric string) (
	map[string]func(io.Writer) error, error){
	"lldp": exchange.LLDP, "tt-metal": exchange.TTMetal,
	"ibdm": func(ctx context.Context, r *machine.Result, fabric string) (map[string]func(io.Writer) error, error) {
		w, err := exchange.PlannedWiring(r, fabric)
		if err != nil {
			return nil, err
		}
		return exchange.IBDM(ctx, w)
	},
	"ibnetdiscover": func(ctx context.Context, r *machine.Result, fabric string) (
		map[string]func(io.Writer) error, error,
	) {
		w, err := exchange.PlannedWiring(r, fabric)
		return map[string]func(io.Writer) error{
			"fabric.net": func(out io.Writer) error { return exchange.WriteIBNetDiscover(ctx, out, w) },
		}, err
	},
}

// exported is every file that a plan or a fabric is exported to, or why it is not.
func exported(t *testing.T, r *machine.Result, fabric string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, write := range tables {
		var b bytes.Buffer
		if err := write(t.Context(), &b, r, fabric); err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
		}
		out[name] = b.String()
	}
	for name, write := range folders {
		files, err := write(t.Context(), r, fabric)
		if err != nil {
			out[name] = fmt.Sprintf("error: %v\n", err)
		}
		for _, file := range slices.Sorted(maps.Keys(files)) {
			var b bytes.Buffer
			if err := files[file](&b); err != nil {
				t.Fatal(name, file, err)
			}
			out[name] += "--- " + file + "\n" + b.String()
		}
	}
	return out
}

// TestExportsOfSmallMachines compares every file that small machines are exported to with the files in testdata.
func TestExportsOfSmallMachines(t *testing.T) {
	for name, r := range smallPlans(t) {
		fabrics := []string{""}
		for _, f := range r.Fabrics {
			fabrics = append(fabrics, f.Name)
		}
		for _, fabric := range fabrics {
			var all strings.Builder
			files := exported(t, r, fabric)
			for _, format := range slices.Sorted(maps.Keys(files)) {
				if format == "lldp" && name != "panels" && name != "odd" {
					continue // it is long
				}
				fmt.Fprintf(&all, "=== %s\n%s", format, files[format])
			}
			to := name
			if fabric != "" {
				to += "-" + fabric
			}
			golden.Compare(t, "small/"+to+".txt", strings.ReplaceAll(all.String(), "\r\n", "\n"))
		}
	}
}

// A row is a row of cables.csv by the names of its columns.
type row map[string]string

func rowsOf(t *testing.T, text string) []row {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []row
	for _, record := range records[1:] {
		r := row{}
		for i, name := range records[0] {
			r[name] = strings.TrimPrefix(record[i], "'") // guards a field against formulas
		}
		out = append(out, r)
	}
	return out
}

// An endToEnd is a link between boxes as the rows of cables.csv tell it.
type endToEnd struct {
	a, b     [4]string // rack, unit, box and port
	length   float64   // in metres, as bought
	cables   []string
	products []string
}

// endToEnds joins the rows of the cable schedule over patch panels. The rows of a link have its number and follow each
// other from A to B.
func endToEnds(t *testing.T, r *machine.Result) []endToEnd {
	t.Helper()
	var b bytes.Buffer
	if err := render.Cables(t.Context(), &b, r); err != nil {
		t.Fatal(err)
	}
	end := func(x row, side string) [4]string {
		return [4]string{x[side+"_rack"], x[side+"_unit"], x[side+"_device"], x[side+"_port"]}
	}
	var out []endToEnd
	last := ""
	for _, x := range rowsOf(t, b.String()) {
		if last != x["link"] {
			out = append(out, endToEnd{a: end(x, "a")})
			last = x["link"]
		}
		l := &out[len(out)-1]
		text := x["stock_length_m"]
		if text == "" {
			text = x["length_m"]
		}
		length, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		l.b, l.length = end(x, "b"), l.length+length
		l.cables, l.products = append(l.cables, x["cable_id"]), append(l.products, x["product"])
	}
	return out
}

// boxKnown is what the plan says of a box: whether it is a switch, and the numbers of its ports.
type boxKnown struct {
	isSwitch bool
	called   func(port string) catalog.PortIdentity
	number   func(port string) int // from 1
}

// TestExportsAgreeWithCables computes the rows of NDT, point-to-point, and Omni-Path from the cable schedule.
func TestExportsAgreeWithCables(t *testing.T) {
	for name, r := range smallPlans(t) {
		known := map[string]boxKnown{}
		for i, k := range r.Schedule.Kinds {
			for v := k.First; v < k.First+k.Count; v++ {
				called := func(port string) (id catalog.PortIdentity) {
					for p := range r.Schedule.Boxes[i].Ports {
						if id := r.Schedule.Boxes[i].Ports[p].Identity(); id.Label == port {
							return id
						}
					}
					return catalog.PortIdentity{Label: port}
				}
				known[r.Schedule.Device(int32(v))] = boxKnown{k.Role == topology.Switch, called, func(port string) int {
					for p := range r.Schedule.Boxes[i].Ports {
						if r.Schedule.PortName(int32(v), uint16(p)) == port {
							return r.Schedule.Boxes[i].PortNumber(p)
						}
					}
					n, err := strconv.Atoi(port)
					if err != nil {
						t.Fatalf("%s has no port %s", k.Name, port)
					}
					return n
				}}
			}
		}
		files := exported(t, r, "")
		links := endToEnds(t, r)
		var ndt, points, sheet []string
		for _, l := range links {
			a, b := known[l.a[2]], known[l.b[2]]
			device := func(e [4]string, k boxKnown) string {
				if k.isSwitch {
					return e[2] + "|Port " + strconv.Itoa(k.number(e[3]))
				}
				if device := k.called(e[3]).Device; device != "" {
					return e[2] + " " + device + "|Port 1"
				}
				if strings.HasPrefix(e[2], "dgx") { // whose other ports have devices, and numbers of their own
					return e[2] + " " + cmp.Or(k.called(e[3]).Interface, e[3]) + "|Port 1"
				}
				return e[2] + " mlx5_" + strconv.Itoa(k.number(e[3])-1) + "|Port 1"
			}
			length := strconv.FormatFloat(math.Round(l.length*1e4)/1e4, 'f', -1, 64)
			ndt = append(ndt, strings.Join([]string{
				l.a[0], l.a[1], device(l.a, a), device(l.b, b), l.b[0], l.b[1], length + " m",
			}, "|"))
			kind := map[bool]string{true: "Switch", false: "Host"}
			system := func(e [4]string, k boxKnown) string { return cmp.Or(k.called(e[3]).Interface, e[3]) }
			points = append(points, strings.Join([]string{
				l.a[0], l.a[1], l.a[2], kind[a.isSwitch], system(l.a, a), l.b[0], l.b[1], l.b[2], kind[b.isSwitch],
				system(l.b, b),
			}, "|"))
			ends := []string{}
			for _, e := range [][4]string{l.a, l.b} {
				k := known[e[2]]
				text := identity.PlainName(e[2]) + "|" + strconv.Itoa(k.number(e[3])) + "|SW"
				if !k.isSwitch {
					text = identity.PlainName(e[2]) + " hfi1_" + strconv.Itoa(k.number(e[3])-1) + "|1|FI"
				}
				ends = append(ends, text)
			}
			if a.isSwitch && !b.isSwitch { // adapters come first
				ends[0], ends[1] = ends[1], ends[0]
			}
			sheet = append(sheet, strings.Join(append(ends, strings.Join(l.cables, " "), length+"m"), "|"))
		}
		var got []string
		for _, x := range rowsOf(t, files["ndt"]) {
			got = append(got, strings.Join([]string{
				x["rack #"], x["U height"], x["#Fields:StartDevice"], x["StartPort"], x["EndDevice"], x["EndPort"],
				x["EndDeviceLocation"], x["U height_1"], x["Cable Length"],
			}, "|"))
		}
		same(t, name+" NDT", got, ndt)
		got = nil
		for _, x := range rowsOf(t, files["point-to-point"]) {
			got = append(got, strings.Join([]string{
				x["A-Rack"], x["A-U"], x["A-Node Name"], x["A-Type"], x["A-Port"],
				x["Z-Rack"], x["Z-RU"], x["Z-Node Name"], x["Z-Type"], x["Z-Port"],
			}, "|"))
		}
		same(t, name+" point-to-point", got, points)
		if strings.HasPrefix(files["omnipath"], "error") {
			continue
		}
		got = nil
		for line := range strings.Lines(files["omnipath"]) {
			if f := strings.Split(line, ","); f[0] != "Source" && f[0] != "Rack Group" {
				got = append(got, strings.Join([]string{f[2], f[4], f[5], f[8], f[10], f[11], f[12], f[13]}, "|"))
			}
		}
		same(t, name+" Omni-Path", got, sheet)
	}
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) == 0 || len(got) != len(want) {
		t.Fatalf("%s: %d links, want %d", what, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: link %d is\n%s, want\n%s", what, i+1, got[i], want[i])
			return
		}
	}
}
