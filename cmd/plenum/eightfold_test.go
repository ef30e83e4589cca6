package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed/qap"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/hostile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/study/machines"
	"github.com/plenum-planner/plenum/study/sweep"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// lines repeats a line n times, with its number for every %d.
func lines(n int, line string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(line, "%d", fmt.Sprint(i)) + "\n")
	}
	return b.String()
}

// growing are readers, each with a text that grows with a number. Some texts are wrong from end to end.
var growing = []struct {
	name string
	n    int
	text func(n int) string
	read func(text string) error
}{
	{"machine file, unknown ids", 500, func(n int) string {
		return "topology: {family: torus, dims: 8}\nprices:\n  unit:\n" + lines(n, "    some-part-%d: 1")
	}, readMachine},
	{"machine file, parts", 500, func(n int) string {
		return "topology: {family: torus, dims: 8}\nparts:\n" + lines(n, "- {id: part-%d, kind: rack}")
	}, readMachine},
	{"machine file, gaps", 500, func(n int) string {
		return "topology: {family: torus, dims: 8}\nroom:\n  gaps:\n  - &g {after: 1, width: 1 m}\n" +
			lines(n, "  - *g")
	}, readMachine},
	{"machine file, media", 500, func(n int) string {
		return "topology: {family: torus, dims: 8}\ncabling:\n  media:\n" + lines(n, "  - {levels: [dim1], use: [any]}")
	}, readMachine},
	{"machine file, a long name", 50_000, func(n int) string {
		return "topology: {family: torus, dims: 8}\nname: " + strings.Repeat("x", n) + "\n"
	}, readMachine},
	{"machine file, a long id", 50_000, func(n int) string {
		return "topology: {family: torus, dims: 8}\nroom: {rack: " + strings.Repeat("rack-", n) + "}\n"
	}, readMachine},
	{"search file", 200, func(n int) string {
		return "machine: {}\nnodes: 4\nfamilies:\n" + lines(n, "- torus%d")
	}, func(text string) error { _, err := machines.Parse("s.yaml", []byte(text)); return err }},
	{"sweep file", 100, func(n int) string {
		return "machine: {topology: {family: torus, dims: 8}}\naxes:\n- field: name\n  values:\n" + lines(n, "  - a%d")
	}, func(text string) error { _, err := sweep.Parse("s.yaml", []byte(text)); return err }},
	{"fields of an axis of a sweep", 500, func(n int) string {
		return "machine: {topology: {family: torus, dims: 8}}\naxes: [{field: [" + strings.Repeat("1, ", n) +
			"1], values: [8]}]\n"
	}, func(text string) error { _, err := sweep.Parse("s.yaml", []byte(text)); return err }},
	{"the same field of a sweep", 500, func(n int) string {
		return "machine: {topology: {family: torus, dims: 8}}\naxes: [{field: [" +
			strings.Repeat("room.rows, ", n) + "room], values: [8]}]\n"
	}, func(text string) error { _, err := sweep.Parse("s.yaml", []byte(text)); return err }},
	{"quote as a workbook", 200, func(n int) string {
		rows := []string{hostile.Row("1", "part", "unit price", "currency", "date")}
		for i := range n {
			rows = append(rows, hostile.Row(fmt.Sprint(i+2), fmt.Sprintf("rack-%d", i), "1", "USD", "2025-06-01"))
		}
		return string(hostile.Workbook([2]string{"S", strings.Join(rows, "")}))
	}, func(text string) error { _, err := catalog.ReadOffer("q.xlsx", []byte(text)); return err }},
	{"cables of NetBox as JSON", 1000, func(n int) string {
		end := func(side string) string {
			return `"` + side + `_terminations": [{"device": "` + side + `%d", "name": "1"}]`
		}
		one := "{" + end("a") + ", " + end("b") + "},"
		return "[" + strings.TrimRight(lines(n, one), ",\n") + "\n]"
	}, func(text string) error { _, err := exchange.ReadNetBox("c.json", strings.NewReader(text)); return err }},
	{"cable of NetBox with many ends", 1000, func(n int) string {
		ends := strings.TrimRight(strings.ReplaceAll(lines(n, "p%d"), "\n", ","), ",")
		return "device_a,termination_a,device_b,termination_b\na,\"" + ends + "\",b,\"" + ends + "\"\n"
	}, func(text string) error { _, err := exchange.ReadNetBox("c.csv", strings.NewReader(text)); return err }},
	{"report of Omni-Path", 1000, func(n int) string {
		port := "<Port><NodeDesc>n%d</NodeDesc><PortNum>1</PortNum></Port>"
		return "<Report>" + lines(n, "<Link>"+port+port+"</Link>") + "</Report>"
	}, func(text string) error {
		_, err := exchange.ReadOmniPathReport("l.xml", strings.NewReader(text))
		return err
	}},
	{"system of tt-metal", 1000, func(n int) string {
		return lines(n, `hosts { hostname: "h%d" }`) + "eth_connections {\n" +
			lines(n, "connection { endpoint_a { host_id: %d chan_id: 1 } endpoint_b { host_id: %d chan_id: 2 } }") + "}"
	}, func(text string) error {
		_, err := exchange.ReadTTSystem("s.textproto", strings.NewReader(text))
		return err
	}},
	{"system of tt-metal, nested", 1000, func(n int) string {
		return strings.Repeat("hosts {", n)
	}, func(text string) error {
		_, err := exchange.ReadTTSystem("s.textproto", strings.NewReader(text))
		return err
	}},
	{"discovered by tt-metal", 1000, func(n int) string {
		return "compute_node_specs:\n" + lines(n, "  h%d: {}") + "global_eth_connections:\n" +
			lines(n, "  - [{host_name: h%d, tray_id: 1, asic_location: 0, chan_id: 1}, "+
				"{host_name: x%d, tray_id: 1, asic_location: 0, chan_id: 1}]")
	}, func(text string) error {
		_, err := exchange.ReadTTDiscovered("s.yaml", strings.NewReader(text))
		return err
	}},
	{"graph of edges", 2000, func(n int) string { return lines(n, "a%d b%d") }, readGraph("edges")},
	{"graph of DOT", 2000, func(n int) string { return "graph {\n" + lines(n, "a%d -- b%d;") + "}" }, readGraph("dot")},
	{"graph of GraphML", 1000, func(n int) string {
		return "<graphml><graph>" + lines(n, `<node id="a%d"/>`) + "</graph></graphml>"
	}, readGraph("graphml")},
	{"graph of GML", 1000, func(n int) string {
		return "graph [\n" + lines(n, `node [ id %d ]`) + lines(n, "edge [ source 0 target %d ]") + "]"
	}, readGraph("gml")},
	{"graph of JSON", 1000, func(n int) string {
		return `{"nodes":[` + lines(n, `{"id":"a%d"},`) + `{}],"links":[` +
			lines(n, `{"source":"a0","target":"a%d"},`) +
			`{"source":0,"target":"a0"}]}`
	}, readGraph("json")},
	{"graph of METIS", 2000, func(n int) string {
		return fmt.Sprintf("%d %d\n", n+1, n) + strings.TrimSpace(strings.ReplaceAll(lines(n, "2"), "\n", " ")) + "\n"
	}, readGraph("metis")},
	{"graph of Matrix Market", 2000, func(n int) string {
		return fmt.Sprintf("%%%%MatrixMarket matrix coordinate pattern general\n%d %[1]d %d\n", 100*n, n) +
			lines(n, "1%d 1")
	}, readGraph("matrix-market")},
	{"graph of DOT, group", 2000, func(n int) string {
		return "graph { hub -- " +
			"{\n" + lines(n, "a%d") + "} }"
	}, readGraph("dot")},
	{"QAPLIB", 2000, func(n int) string { return "256\n" + lines(n, "1 2 3") }, func(text string) error {
		_, err := qap.Read("q.dat", strings.NewReader(text))
		return err
	}},
	{
		"GOAL", 1000, func(n int) string { return "num_ranks 1\nrank 0 {\n" + lines(n, "l%d: calc 5") + "}\n" },
		func(text string) error { _, err := goal.Read(strings.NewReader(text), "g"); return err },
	},
	{"trace", 1000, func(n int) string { return lines(n, "0 1 1 1") }, func(text string) error {
		_, err := traffic.ReadTrace(strings.NewReader(text), "t")
		return err
	}},
}

func readMachine(text string) error { _, err := machine.Parse("m.yaml", []byte(text)); return err }

func readGraph(format string) func(text string) error {
	return func(text string) error {
		_, err := graphio.Read("g", format, strings.NewReader(text))
		return err
	}
}

// TestEightfoldInput: eight times the input takes about eight times the time of the processor, and no more than
// twenty-four times, where work that grows with the square takes sixty-four. Less than five milliseconds count as five:
// so little says more of the computer than of the reader.
func TestEightfoldInput(t *testing.T) {
	for _, r := range growing {
		isLinear(t, r.name, r.n, r.text, r.read)
	}
}

// isLinear reports whether a reader takes about eight times as long for eight times the text.
func isLinear(t *testing.T, name string, n int, text func(n int) string, read func(text string) error) {
	t.Helper()
	few, many := text(n), text(8*n)
	ratio, took := 0.0, 0.0
	for range 8 { // what else the computer does may disturb some
		short := hostile.Seconds(func() { _ = read(few) })
		took = hostile.Seconds(func() { _ = read(many) })
		if ratio = took / max(short, 5e-3); ratio < 24 {
			break
		}
	}
	if ratio >= 24 {
		t.Errorf("%s: eight times the input takes %.0f times as long, %.2f s", name, ratio, took)
	}
	if took > 20 {
		t.Errorf("%s: %d bytes take %.1f s", name, len(many), took)
	}
}
