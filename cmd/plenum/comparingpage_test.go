package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

const comparingFiles = "../../examples/comparing"

// comparingPage is the page.
func comparingPage(t *testing.T) string { return get(t, "../../docs/comparing.md") }

// comparingStudy is a directory with the files of the page.
func comparingStudy(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(comparingFiles)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// pageTable is the n rows of the table of a page under a header that begins so: the cells of each by its first.
func pageTable(t *testing.T, page, header string, n int) map[string][]string {
	t.Helper()
	_, text, ok := strings.Cut(page, "\n| "+header)
	if !ok {
		t.Fatalf("the page has no table %q", header)
	}
	rows := map[string][]string{}
	for i, line := range strings.Split(text, "\n") {
		if i < 2 {
			continue
		}
		if !strings.HasPrefix(line, "| ") {
			break
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		rows[cells[0]] = cells[1:]
	}
	if len(rows) != n {
		t.Errorf("the table %q has %d rows", header, len(rows))
	}
	return rows
}

// results are the rows of a sweep file, with what stands in it replaced.
func results(t *testing.T, dir, file string, replaced ...string) []map[string]string {
	t.Helper()
	path := filepath.Join(dir, file)
	text := get(t, path)
	for i := 0; i < len(replaced); i += 2 {
		if !strings.Contains(text, replaced[i]) {
			t.Fatalf("%s has no %q", file, replaced[i])
		}
	}
	put(t, path, strings.NewReplacer(replaced...).Replace(text))
	out := filepath.Join(t.TempDir(), "out")
	status, _, stderr := command(context.Background(), "sweep", path, "-o", out)
	if status != cli.ExitDone || stderr != "" {
		t.Fatalf("%s: status %d, %s", file, status, stderr)
	}
	return csvRows(t, filepath.Join(out, "results.csv"))
}

// csvRows are the rows of a table by the names of the columns.
func csvRows(t *testing.T, path string) (rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(get(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// figure is a number of a table.
func figure(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// holdCells holds cells of the page against what they should be.
func holdCells(t *testing.T, what string, page, want []string) {
	t.Helper()
	if !slices.Equal(page, want) {
		t.Errorf("%s: the page has\n%s\nbut it is\n%s", what, strings.Join(page, " | "), strings.Join(want, " | "))
	}
}

// The files that the page shows are those of the examples.
func TestComparingPageShowsItsFiles(t *testing.T) {
	page := comparingPage(t)
	shown := map[string]bool{}
	withoutComments := func(name string) string {
		return regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(get(t, filepath.Join(comparingFiles, name)), "")
	}
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		if m[1] != "file" {
			continue
		}
		shown[m[2]] = true
		if file := withoutComments(m[2]); m[4] != file {
			t.Errorf("the page shows %s as\n%s\nbut it is\n%s", m[2], m[4], file)
		}
	}
	if want := []string{"ten.yaml"}; !slices.Equal(want, slices.Sorted(maps.Keys(shown))) {
		t.Errorf("the page shows %v", shown)
	}
	// The machines that are compared are the room with another name and topology, which ten.yaml has.
	for _, name := range []string{"dragonfly.yaml", "slim-fly.yaml", "fat-tree.yaml"} {
		_, room, _ := strings.Cut(withoutComments("room.yaml"), "\npackaging:")
		head, own, _ := strings.Cut(withoutComments(name), "\npackaging:")
		_, topology, _ := strings.Cut(head, "\ntopology: ")
		if own != room || !strings.Contains(withoutComments("ten.yaml"), "      - "+topology+"\n") {
			t.Errorf("%s is not room.yaml with a topology of ten.yaml", name)
		}
	}
}

// The commands of the page that take seconds print what it shows.
func TestComparingPageCompares(t *testing.T) {
	page := comparingPage(t)
	t.Chdir(comparingStudy(t))
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		if m[3] == "console" && strings.HasPrefix(m[4], "$ plenum compare") {
			console(t, m[4])
			return
		}
	}
	t.Error("the page compares nothing")
}

// The tables of machines and delays, and what the text concludes from them.
func TestComparingPageDelays(t *testing.T) {
	if testing.Short() {
		t.Skip("plans ten machines of 4,096 nodes")
	}
	page := comparingPage(t)
	machines, delays := pageTable(t, page, "network | topology", 10), pageTable(t, page, "network | routers", 10)
	topologies := regexp.MustCompile(`(?m)^      - (\{.*\})$`).FindAllStringSubmatch(
		get(t, filepath.Join(comparingFiles, "ten.yaml")), -1)
	rows := results(t, comparingStudy(t), "ten.yaml")
	if len(rows) != 60 {
		t.Fatalf("%d rows", len(rows))
	}
	of := func(column, network, hop string) string {
		for _, r := range rows {
			if r["network"] == network && r["hop_delay"] == hop {
				return fmt.Sprintf("%.1f ns", figure(t, r[column]))
			}
		}
		return "no " + network
	}
	const fastest = "plan.delay.delay_fastest_mean_ns"
	words := strings.Join(strings.Fields(page), " ")
	for _, claim := range []string{
		"takes " + of(fastest, "Slim Fly", "10 ns") + " at 10 ns a hop, still behind the dragonfly",
		"leads from 50 ns on: " + of(fastest, "Slim Fly", "50 ns") + " against " + of(fastest, "dragonfly", "50 ns"),
		"In the HyperX they take " + of("plan.delay.delay_max_ns", "HyperX", "10 ns"),
	} {
		if !strings.Contains(words, claim) {
			t.Errorf("the page does not say %q", claim)
		}
	}
	leaders := map[string]string{}
	least := map[string]float64{}
	for i, r := range rows {
		name, delay := r["network"], figure(t, r["plan.delay.delay_mean_ns"])
		if l := least[r["hop_delay"]]; l == 0 || delay < l {
			least[r["hop_delay"]], leaders[r["hop_delay"]] = delay, name
		}
		if i%6 > 0 {
			continue
		}
		routers := figure(t, r["plan.delay.hops_mean"]) - 1
		want := []string{fmt.Sprintf("%.3f", routers), fmt.Sprintf("%.1f", delay-10*routers)}
		for _, at := range rows[i : i+6] {
			want = append(want, fmt.Sprintf("%.1f", figure(t, at["plan.delay.delay_mean_ns"])))
			hop := figure(t, strings.TrimSuffix(at["hop_delay"], " ns"))
			off := figure(t, at["plan.delay.delay_mean_ns"]) - delay - (hop-10)*routers
			if math.Abs(off) > 1e-3 || at["plan.delay.exact"] != "true" || at["plan.breaches"] != "0" {
				t.Errorf("%s at %v ns: %v ns more than routers and cables", name, hop, off)
			}
		}
		holdCells(t, name, delays[name], want)
		holdCells(t, name, machines[name], []string{
			"`" + topologies[i/6][1] + "`", r["plan.switches"],
			fmt.Sprintf("%.0f %%", 100*(figure(t, r["plan.ports.used"])-4096)/(32*figure(t, r["plan.switches"]))),
			r["plan.racks"], fmt.Sprintf("%.1f", figure(t, r["plan.length_m.total"])/1000),
			fmt.Sprintf("%.1f", figure(t, r["plan.cost.network"])/1e6),
		})
	}
	if want := map[string]string{
		"10 ns": "dragonfly", "20 ns": "dragonfly", "50 ns": "dragonfly", "100 ns": "Slim Fly", "200 ns": "Slim Fly",
		"500 ns": "Slim Fly",
	}; !maps.Equal(leaders, want) {
		t.Errorf("the least delays have %v", leaders)
	}
}

// The tables of rooms and of queues: some rows, and all with PLENUM_LONG=1.
func TestComparingPageRoomsAndQueues(t *testing.T) {
	if testing.Short() {
		t.Skip("plans and simulates machines of 4,096 nodes")
	}
	long := os.Getenv("PLENUM_LONG") != ""
	page, dir := comparingPage(t), comparingStudy(t)
	rooms := pageTable(t, page, "network | compact", 6)
	delays := pageTable(t, page, "network | routers", 10)
	apart := figure(t, delays["dragonfly"][0]) - figure(t, delays["Slim Fly"][0])
	for i, cell := range rooms["Slim Fly overtakes the dragonfly at"] {
		even := (figure(t, rooms["Slim Fly"][i]) - figure(t, rooms["dragonfly"][i])) / apart
		if math.Abs(even-figure(t, cell)) > 0.8 { // of cells with one decimal each
			t.Errorf("column %d: break-even at %v ns, the page has %s", i, even, cell)
		}
	}
	column := map[string]int{"compact": 0, "long": 2, "spread": 4}
	var fewer []string
	if !long {
		fewer = []string{
			", {effort: quick, objective: delay}]", "]", "[structured, optimised]", "[structured]",
			"      - {family: hyperx, dims: [8, 8, 8], terminals: 8}\n", "", "HyperX, ", "",
			"      - {family: random-regular, nodes: 512, degree: 24, terminals: 8, seed: 1}\n", "", ", random]", "]",
		}
	}
	rows := results(t, dir, "rooms.yaml", fewer...)
	for _, r := range rows {
		i := column[r["room"]]
		if r["places"] == "optimised" {
			i++
		}
		holdCells(t, r["network"]+" "+r["room"]+" "+r["places"], rooms[r["network"]][i:i+1],
			[]string{fmt.Sprintf("%.1f", figure(t, r["plan.delay.delay_mean_ns"]))})
	}
	if want := map[bool]int{false: 9, true: 30}[long]; len(rows) != want {
		t.Errorf("%d rows of rooms", len(rows))
	}

	fewer = nil
	if !long {
		fewer = []string{"[0.1, 0.4, 0.8]", "[0.1]"}
		for line := range strings.Lines(get(t, filepath.Join(dir, "queues.yaml"))) {
			if strings.HasPrefix(line, "      - {family") && !strings.Contains(line, "slim-fly") {
				fewer = append(fewer, line, "")
			}
		}
		fewer = append(fewer, "HyperX, fat tree, dragonfly, dragonfly+, Slim Fly, random", "Slim Fly")
	}
	holdQueues(t, pageTable(t, page, "network | on cables |", 6), results(t, dir, "queues.yaml", fewer...))
	if long {
		holdQueues(t, pageTable(t, page, "network | on cables, ns", 4), results(t, dir, "queues-thin.yaml"))
	}
}

// holdQueues holds a table of queues against rows that begin with those of a load of 0.1, or 0.05.
func holdQueues(t *testing.T, table map[string][]string, rows []map[string]string) {
	t.Helper()
	columns := map[string]int{"0.1": 1, "0.4": 2, "0.8": 3}
	if rows[0]["load"] == "0.05" {
		columns = map[string]int{"0.05": 1, "0.1": 2}
	}
	for _, r := range rows {
		want := fmt.Sprintf("%.1f", figure(t, r["packets.latency_ns.queueing"]))
		if r["packets.stationary"] != "true" {
			want = "saturated"
		}
		i := columns[r["load"]]
		holdCells(t, r["network"]+" at "+r["load"], table[r["network"]][i:i+1], []string{want})
		if r["load"] == "0.1" {
			holdCells(t, r["network"], table[r["network"]][:1],
				[]string{fmt.Sprintf("%.1f", figure(t, r["packets.latency_ns.propagation"]))})
		}
	}
}

// TestComparingPageRuns runs every command of the page and compares what it prints: minutes.
func TestComparingPageRuns(t *testing.T) {
	if os.Getenv("PLENUM_LONG") == "" {
		t.Skip("set PLENUM_LONG=1: studies of 4,096 nodes; the other tests of the page check figures of them")
	}
	page := comparingPage(t)
	t.Chdir(comparingStudy(t))
	commands := 0
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		if m[3] == "console" {
			commands += strings.Count(m[4], "$ ")
			for _, text := range strings.Split(m[4], "$ ")[1:] {
				console(t, "$ "+text)
			}
		}
	}
	if commands != 3 {
		t.Errorf("%d commands", commands)
	}
}
