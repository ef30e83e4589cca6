package verify

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
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

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/exchange/netbox"
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
	if n("split", 0, 4) == 0 { // some ports of a switch are split and the others are whole
		return partlySplit(rapid.Bool().Draw(t, "twin cages"), n("split ports", 1, 5))
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

// partlySplit is a machine whose leaves have a number of ports split in two for the nodes and whole ports for the
// spines.
func partlySplit(twin bool, ports int) string {
	leaf, node := "generic-switch-128x400g", "qsfp112"
	if twin {
		leaf, node, ports = "nvidia-qm9700", "osfp-rhs", 2*ports
	}
	return fmt.Sprintf(`
topology: {family: leaf-spine, nodes: %[1]d, down: %[2]d, leaves: 3, up: 4, spines: 2, spine_radix: 8}
packaging: {node: {part: my-node}, leaf: {part: %[3]s, breakout: {1-%[4]d: 2}}, spine: {part: %[3]s}}
parts:
  - {id: my-node, kind: node, units: 1, width: 44 cm, depth: 80 cm, power: 450 W,
     ports: [{count: 1, connector: %[5]s, rate: 200G}]}
cabling: {media: [{use: [fibre]}]}
`, 6*ports, 2*ports, leaf, ports, node)
}

// one is a form of one file.
func one(file string, write func(ctx context.Context, w io.Writer, r *machine.Result) error) form {
	return form{file, func(ctx context.Context, r *machine.Result) (map[string]func(io.Writer) error, error) {
		return map[string]func(io.Writer) error{
			file: func(w io.Writer) error { return write(ctx, w, r) },
		}, nil
	}}
}

// form is a form in which plans are written and read back.
type form struct {
	name  string
	files func(ctx context.Context, r *machine.Result) (map[string]func(io.Writer) error, error)
}

// of writes the whole machine.
func of(
	write func(ctx context.Context, w io.Writer, r *machine.Result, fabric string) error,
) func(ctx context.Context, w io.Writer, r *machine.Result) error {
	return func(ctx context.Context, w io.Writer, r *machine.Result) error { return write(ctx, w, r, "") }
}

// discovered writes a plan as ibnetdiscover finds it.
func discovered(write func(ctx context.Context, w io.Writer, x *exchange.Wiring) error) func(
	ctx context.Context, w io.Writer, r *machine.Result,
) error {
	return func(ctx context.Context, w io.Writer, r *machine.Result) error {
		x, err := exchange.PlannedWiring(r, "")
		if err != nil {
			return err
		}
		return write(ctx, w, x)
	}
}

// brief writes a wiring as ibnetdiscover -p prints it: every link from both sides, and ports that are down.
func brief(_ context.Context, w io.Writer, x *exchange.Wiring) error {
	kind := func(b int) string { return map[bool]string{true: "SW", false: "CA"}[x.Boxes[b].Role == "switch"] }
	name := func(b int) string { return strings.ReplaceAll(x.Boxes[b].Name, "\n", " ") }
	for _, l := range x.Links {
		for _, e := range [][2]exchange.End{{l.A, l.B}, {l.B, l.A}} {
			fmt.Fprintf(w, "%s %5d %2s 0x%016x 4x XDR - %s %5d %2s 0x%016x ( '%s' - '%s' )\n", kind(e[0].Box), e[0].Box,
				e[0].Port, e[0].Box, kind(e[1].Box), e[1].Box, e[1].Port, e[1].Box, name(e[0].Box), name(e[1].Box))
		}
	}
	return nil
}

// written are the forms that are written and read back. Those of ibnetdiscover -p, opareport, opaextractlink and
// what tt-metal discovers are written by programs that run on a fabric, and here as these print them.
var written = []form{
	one("cables.csv", render.Cables),
	one("plan.xlsx", func(ctx context.Context, w io.Writer, r *machine.Result) error {
		return render.Workbook(ctx, w, r)
	}),
	one("fabric.net", discovered(exchange.WriteIBNetDiscover)),
	one("ports.txt", discovered(brief)),
	one("ndt.csv", of(exchange.WriteNDT)),
	one("topology.csv", of(exchange.WriteOmniPath)),
	one("links.xml", omniPathLinks(func(w io.Writer, a, b []string) {
		text := func(s string) string {
			var out bytes.Buffer
			xml.EscapeText(&out, []byte(s))
			return out.String()
		}
		fmt.Fprint(w, "<Link><Rate>100g</Rate>")
		for _, e := range [][]string{a, b} {
			fmt.Fprintf(w, "<Port><PortNum>%s</PortNum><NodeType>%s</NodeType><NodeDesc>%s</NodeDesc></Port>", e[4],
				e[5], text(e[2]))
		}
		fmt.Fprint(w, "</Link>\n")
	}, "<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n<Report><LinkSummary>\n", "</LinkSummary></Report>\n")),
	one("extracted.csv", omniPathLinks(func(w io.Writer, a, b []string) {
		fmt.Fprintf(w, "100g;;;;;;;;;;%s;%s;%s;%s\n", a[2], a[4], b[2], b[4])
	}, "Rate;LinkDetails;CableLength;CableLabel;CableDetails;DeviceTechShort;CableInfo.Length;CableInfo.VendorName;"+
		"CableInfo.VendorPN;CableInfo.VendorRev;Port.NodeDesc;Port.PortNum;Port.NodeDesc;Port.PortNum\n", "")),
	{"lldp", func(ctx context.Context, r *machine.Result) (map[string]func(io.Writer) error, error) {
		return exchange.LLDP(ctx, r, "")
	}},
	{"tt-metal", func(ctx context.Context, r *machine.Result) (map[string]func(io.Writer) error, error) {
		files, err := exchange.TTMetal(ctx, r, "")
		delete(files, exchange.TTSystem)
		return files, err
	}},
	{"tt-metal system", func(ctx context.Context, r *machine.Result) (map[string]func(io.Writer) error, error) {
		files, err := exchange.TTMetal(ctx, r, "")
		delete(files, exchange.TTCutSheet)
		return files, err
	}},
	{"tt-metal discovered", func(ctx context.Context, r *machine.Result) (map[string]func(io.Writer) error, error) {
		files, err := exchange.TTMetal(ctx, r, "")
		if err != nil {
			return nil, err
		}
		return map[string]func(io.Writer) error{"gsd.yaml": func(w io.Writer) error {
			var system bytes.Buffer
			if err := files[exchange.TTSystem](&system); err != nil {
				return err
			}
			return ttDiscovers(w, &system)
		}}, nil
	}},
	{"netbox", func(ctx context.Context, r *machine.Result) (map[string]func(io.Writer) error, error) {
		x, err := netbox.New(r, "")
		if err != nil {
			return nil, exchange.LimitError(err.Error())
		}
		files := x.Files(ctx)
		maps.DeleteFunc(files, func(name string, _ func(io.Writer) error) bool {
			return !slices.Contains([]string{netbox.Cables, netbox.SeveralEnds, netbox.Devices, netbox.Racks}, name)
		})
		return files, nil
	}},
}

// ttDiscovers writes what the validation of a cluster of tt-metal finds where all is as a description of a system says:
// its text has a line for each host and connection.
func ttDiscovers(w io.Writer, system io.Reader) error {
	var names []string
	var links strings.Builder
	in := bufio.NewScanner(system)
	for in.Scan() {
		words := strings.Fields(in.Text())
		if words[0] == "hosts" {
			name, _, _ := strings.Cut(strings.TrimPrefix(in.Text(), "hosts { hostname: "), " aisle: ")
			names = append(names, name)
		}
		if words[0] != "connection" {
			continue
		}
		var end [8]int
		const ends = "{ host_id: %d tray_id: %d asic_location: %d chan_id: %d }"
		if _, err := fmt.Sscanf(in.Text(), "  connection { endpoint_a "+ends+" endpoint_b "+ends+" }", &end[0], &end[1],
			&end[2], &end[3], &end[4], &end[5], &end[6], &end[7]); err != nil {
			return err
		}
		const one = "{host_name: %s, tray_id: %d, asic_location: %d, chan_id: %d}"
		fmt.Fprintf(&links, "  - ["+one+", "+one+"]\n", names[end[0]], end[1], end[2], end[3], names[end[4]], end[5],
			end[6], end[7])
	}
	fmt.Fprint(w, "compute_node_specs:\n")
	for _, name := range names {
		fmt.Fprintf(w, "  %s:\n    motherboard: X12\n    asic_info:\n      - tray_id: 1\n", name)
	}
	_, err := fmt.Fprintf(w, "local_eth_connections:\n  []\nglobal_eth_connections:\n%s", links.String())
	return err
}

// omniPathLinks writes the links of a topology sheet in another form.
func omniPathLinks(
	link func(w io.Writer, a, b []string), head, tail string,
) func(ctx context.Context, w io.Writer, r *machine.Result) error {
	return func(ctx context.Context, w io.Writer, r *machine.Result) error {
		var sheet bytes.Buffer
		if err := exchange.WriteOmniPath(ctx, &sheet, r, ""); err != nil {
			return err
		}
		rows, err := csv.NewReader(&sheet).ReadAll()
		if err != nil {
			return err
		}
		io.WriteString(w, head)
		for _, row := range rows[2:] {
			link(w, row[:6], row[6:12])
		}
		_, err = io.WriteString(w, tail)
		return err
	}
}

// readBack writes a plan in a form and reads it; ok is false where the form has no way to say the plan.
func (f *form) readBack(t rapid.TB, dir string, r *machine.Result) (sources []*exchange.Wiring, ok bool) {
	files, err := f.files(context.Background(), r)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		var b bytes.Buffer
		if err = files[name](&b); err != nil {
			break
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := exchange.Read(path)
		if err != nil {
			t.Fatalf("%s: %v\n%.2000s", f.name, err, b.Bytes())
		}
		sources = append(sources, w)
	}
	if limit := exchange.LimitError(""); errors.As(err, &limit) {
		return nil, false
	} else if err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	return sources, true
}

// asPlanned reports whether all is right, and nothing had to be guessed. One of several files may be empty.
func asPlanned(p *Plan, r *Result) bool {
	for _, n := range r.Notes {
		if !strings.HasSuffix(n, ": has no link, no box that stands anywhere and no rack") {
			return false
		}
	}
	return r.OK && r.Right == len(p.links) && r.Unknown == 0 && len(r.Strangers)+len(r.Identified) == 0
}

// TestExamplesReadBack does the same with machines of several fabrics, chassis, breakouts, splitters and panels.
func TestExamplesReadBack(t *testing.T) {
	for _, path := range []string{
		"examples/basepod.yaml", "examples/superpod-h100-4su.yaml", "examples/superpod-b300-planes.yaml",
		"machine/testdata/structured.yaml",
	} {
		r := planFile(t, "../../"+path)
		p, err := NewPlan(r, "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range written {
			sources, ok := written[i].readBack(t, t.TempDir(), r)
			if !ok {
				t.Logf("%s: %s cannot say it", path, written[i].name)
				continue
			}
			if got := p.Compare(sources); !asPlanned(p, got) {
				t.Errorf("%s, %s: %d right of %d, %d unknown, %d differences, %v, %v, %d identified, %v", path,
					written[i].name, got.Right, len(p.links), got.Unknown, len(got.Differences), got.Notes,
					got.Strangers, len(got.Identified), got.Places)
				for _, d := range got.Differences[:min(len(got.Differences), 2)] {
					t.Logf("%+v", d)
				}
			}
		}
	}
}

// TestNothingDiffersReadBack writes plans of drawn machines in every form that is read as well, reads them back and
// compares: every link is right, and every box is found by its name.
func TestNothingDiffersReadBack(t *testing.T) {
	dir := t.TempDir()
	read := make([]int, len(written))
	t.Cleanup(func() {
		for i, n := range read {
			if n < 20 {
				t.Errorf("%s: only %d of the machines that were drawn are read back", written[i].name, n)
			}
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
		for i := range written {
			sources, ok := written[i].readBack(t, dir, r)
			if !ok {
				continue
			}
			read[i]++
			if got := p.Compare(sources); !asPlanned(p, got) {
				t.Fatalf("%s: %+v\n%s", written[i].name, got, text)
			}
		}
	})
}
