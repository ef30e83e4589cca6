package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/hostile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/study/machines"
	"github.com/plenum-planner/plenum/study/sweep"
)

// hostileBases are machines with many sections in use, which values are put into.
var hostileBases = []string{`
name: torus
topology: {family: torus, dims: [2, 2, 2]}
packaging:
  node: {part: blade, place: in-rack, per_rack: 24, chassis: blades, adapter: none}
  chassis: {blades: {units: 10, slots: [8, 1, 1], pitch: 54 mm, per_rack: 3, links: cable}}
room:
  rows: 2
  racks_per_row: 4
  rack: rack-42u
  cold_aisle: 1.2
  gaps: [{after: 2, width: 1.5 m}]
  columns: [{x: 9 m, y: 9 m, width: 40 cm, depth: 400 mm}]
  keep_outs: [{name: stairs, points: [[12, 12], [14 m, 12], [14 m, 15]]}]
  trays: {height: 2.6 m, cross: [0, 4], part: tray-ladder}
parts:
  - {id: blade, kind: node, confidence: estimate, source: x, width: 50 mm, height: 400 mm, depth: 600 mm,
     power: 350 W, weight: 4 kg, hop: 40 ns,
     ports: [{name: p, count: 6, first: 0, connector: qsfp, rate: 40G, face: front, rows: 1}]}
  - {id: short-copper, kind: cable, source: x, confidence: user, cable: {medium: passive-copper, connector: qsfp,
     rate: 40 Gb/s, lengths: [0.5, 1 m, 2 m, 10], propagation: 4.5 ns/m}}
  - {id: long-optic, kind: optic, source: x, confidence: user, optic: {form: qsfp, standard: sr4, fibre: multimode,
     plug: mpo12, rate: 40G, reach: 100 m}}
cabling:
  slack: {fixed: 0, in_rack: 20 cm, percent: 2.5}
  media: [{use: any}]
delay: {hop: {node: 40 ns}, propagation: {fibre: 4.9 ns/m}, exact_limit: 1000, samples: 16}
prices: {set: estimate-2025, currency: EUR, rates: {USD: 0.92}, rates_date: 2025-06-01, spares: {cable: 2},
  unit: {blade: "1,250.00", short-copper: 52.5, long-optic: 3}}
embedding: {strategy: folded, seed: 5}
`, `
topology: {family: hypercube, dims: 3}
room: {containers: [{name: cube, count: [2, 1, 1], pitch: [1 m]},
  {name: box, count: [1, 2, 2], gap: 10 cm, links: trace}]}
cabling: {route: direct}
embedding: {blocks: {cube: [2, 2, 2], box: [1, 2, 2]}}
`, `
boxes:
- {name: dgx, count: 4, part: nvidia-dgx-h100, per_rack: 2}
- {name: manager, count: 2, role: service, part: generic-server-1u}
fabrics:
- name: compute
  topology: {family: fat-tree, radix: 64, rails: 8}
  ends: [{boxes: dgx, ports: compute}]
  switches: {switch: {part: nvidia-qm9700}}
- name: in-band
  topology: {family: leaf-pair, peer_links: 2}
  ends: [{boxes: dgx, ports: in-band}, {boxes: manager, ports: data}]
  switches: {leaf: {part: nvidia-sn4600c, racks: network}}
- name: oob
  topology: {family: access, down: 40}
  ends: [{boxes: dgx, ports: bmc}, {boxes: manager, ports: bmc}]
  switches: {leaf: {part: nvidia-sn2201, racks: network}}
  uplinks: [{to: in-band/leaf, each: 2, ports: [up]}]
room: {rows: 1, racks_per_row: 8, rack: rack-48u}
`}

// hostileReaders are the files that people write, each with its schema.
var hostileReaders = []struct {
	name   string
	schema func() ([]byte, error)
	bases  []string
	read   func(ctx context.Context, data []byte) (status int, err error)
	least  int // cases in the short form
}{
	{"machine", spec.Schema, hostileBases, planned, 550},
	{"search", machines.Schema, []string{hostileSearch}, func(_ context.Context, data []byte) (int, error) {
		_, err := machines.Parse("search.yaml", data)
		return cli.Status(err), err
	}, 20},
	{"sweep", sweep.Schema, []string{hostileSweep}, func(_ context.Context, data []byte) (int, error) {
		_, err := sweep.Parse("sweep.yaml", data)
		return cli.Status(err), err
	}, 20},
}

const hostileSearch = `
machine: {topology: {family: torus, dims: 8}}
nodes: 16..32
switch_ports: 16
families: [fat-tree, torus]
objective: cables
`

const hostileSweep = `
machine: {topology: {family: torus, dims: 8}}
axes: [{field: topology.dims, values: [8, 9]}]
measure: packets
packets: {load: 0.1}
`

// TestHostileFields puts values that nobody means into every field of the files that people write, by their schemas.
// Each is taken or refused at its place, in bounded time and memory, and is never a fault of Plenum's. The short form
// has every field with one of the values, and every value in some fields; the long one all pairs in all machines.
func TestHostileFields(t *testing.T) {
	long := os.Getenv("PLENUM_LONG") == "1"
	t.Chdir(t.TempDir())
	for _, r := range hostileReaders {
		t.Run(r.name, func(t *testing.T) {
			text, err := r.schema()
			if err != nil {
				t.Fatal(err)
			}
			bases := make([]yaml.Node, len(r.bases))
			for i, base := range r.bases {
				if err := yaml.Unmarshal([]byte(base), &bases[i]); err != nil {
					t.Fatal(err)
				}
				if status, err := r.read(t.Context(), []byte(base)); status != cli.ExitDone {
					t.Fatalf("base %d: %v", i, err)
				}
			}
			tried, values := 0, hostileYAML(long)
			for n, path := range slices.Sorted(maps.Keys(fieldsOf(t, text))) {
				if r.name != "machine" && strings.HasPrefix(string(path), "machine/") {
					continue // as in machine files
				}
				for i, base := range bases {
					if !long && i != bestBase(bases, path) {
						continue
					}
					for v, value := range values {
						if !long && (n+v)%len(values) != 0 {
							continue
						}
						data := withValue(t, &base, path, value)
						name := fmt.Sprintf("%s %d, %s: %.60s", r.name, i, path, value)
						hostileBounds.Hold(t, name, func() {
							status, err := r.read(t.Context(), data)
							judge(t, name, status, err)
						})
						tried++
					}
				}
			}
			t.Logf("%d cases", tried)
			if tried < r.least {
				t.Errorf("only %d cases", tried)
			}
		})
	}
}

// hostileBounds are what any mistake of a few kilobytes may take.
var hostileBounds = hostile.Bounds{Time: 3 * time.Second, Bytes: 600 << 20}

// judge holds the end of a case to what is promised of any mistake.
func judge(t *testing.T, name string, status int, err error) {
	t.Helper()
	if status == cli.ExitDone {
		return
	}
	if status != cli.ExitInput {
		t.Errorf("%s: status %d: %.500q", name, status, err)
	}
	text := diag.Escape(err.Error())
	if strings.ContainsAny(text, "\x1b\x00") || !strings.Contains(text, ".yaml") {
		t.Errorf("%s: the message has no place: %.500q", name, text)
	}
	var all diag.List
	if !errors.As(err, &all) {
		t.Errorf("%s: a mistake without a place: %.500q", name, text)
	}
	for _, d := range all {
		if one := d.Error(); len(one) > 4096 {
			t.Errorf("%s: a message of %d bytes: %.500q", name, len(one), one)
		}
	}
	if len(text) > 64<<10 {
		t.Errorf("%s: messages of %d bytes: %.500q", name, len(text), text)
	}
}

// planned plans a machine as the command does, without writing files.
func planned(ctx context.Context, data []byte) (status int, err error) {
	s, err := machine.Parse("machine.yaml", data)
	if err == nil {
		_, err = machine.PlanWith(ctx, s, machine.Options{})
		err = cli.AsInput(err)
	}
	return cli.Status(err), err
}

// hostileYAML are values as a file writes them.
func hostileYAML(long bool) []string {
	many := 5_000
	if long {
		many = 1_000_000
	}
	return append(slices.Clone(hostile.Scalars),
		"["+strings.Repeat("1,", many-1)+"1]", strings.Repeat("x", many), "{"+strings.Repeat("a: 1, ", 1000)+"}")
}

// fieldsOf lists the paths of all fields of a schema: keys, with "0" for the first entry of a list and "any" for a key
// of the user's own.
func fieldsOf(t *testing.T, text []byte) map[fieldPath]bool {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	defs, _ := root["$defs"].(map[string]any)
	out := map[fieldPath]bool{}
	var walk func(schema any, path fieldPath, within []string)
	walk = func(schema any, path fieldPath, within []string) {
		s, _ := schema.(map[string]any)
		if path != "" {
			out[path] = true
		}
		if ref, ok := s["$ref"].(string); ok {
			name := ref[strings.LastIndex(ref, "/")+1:]
			if !slices.Contains(within, name) {
				walk(defs[name], path, append(slices.Clip(within), name))
			}
		}
		properties, _ := s["properties"].(map[string]any)
		for key, value := range properties {
			walk(value, path.join(key), within)
		}
		if of, ok := s["additionalProperties"].(map[string]any); ok {
			walk(of, path.join("any"), within)
		}
		if of, ok := s["items"]; ok {
			walk(of, path.join("0"), within)
		}
		alternatives, _ := s["anyOf"].([]any)
		for _, a := range alternatives {
			walk(a, path, within)
		}
	}
	walk(root, "", nil)
	return out
}

// fieldPath is the keys that lead to a field, with slashes between.
type fieldPath string

func (p fieldPath) join(key string) fieldPath {
	if p == "" {
		return fieldPath(key)
	}
	return p + "/" + fieldPath(key)
}

// bestBase is the machine that has most of the keys of a path.
func bestBase(bases []yaml.Node, path fieldPath) int {
	best, most := 0, -1
	for i := range bases {
		n := 0
		at := bases[i].Content[0]
		for _, key := range strings.Split(string(path), "/") {
			if at = child(at, key, false); at == nil {
				break
			}
			n++
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// child is the value of a key of a mapping, or the entry of a list; where there is none and one may be made, a new one.
func child(of *yaml.Node, key string, grow bool) *yaml.Node {
	index, err := strconv.Atoi(key)
	isEntry := err == nil
	if isEntry && of.Kind == yaml.SequenceNode && index < len(of.Content) {
		return of.Content[index]
	}
	if !isEntry && of.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(of.Content); i += 2 {
			if of.Content[i].Value == key || key == "any" {
				return of.Content[i+1]
			}
		}
	}
	if !grow {
		return nil
	}
	value := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	if isEntry {
		if of.Kind != yaml.SequenceNode {
			*of = yaml.Node{Kind: yaml.SequenceNode}
		}
		of.Content = append(of.Content, value)
		return value
	}
	if of.Kind != yaml.MappingNode {
		*of = yaml.Node{Kind: yaml.MappingNode}
	}
	of.Content = append(of.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	return value
}

// withValue is a base with the value of one field replaced.
func withValue(t *testing.T, base *yaml.Node, path fieldPath, value string) []byte {
	t.Helper()
	doc := cloned(base)
	at := doc.Content[0]
	for _, key := range strings.Split(string(path), "/") {
		at = child(at, key, true)
	}
	const mark = "HOSTILE"
	*at = yaml.Node{Kind: yaml.ScalarNode, Value: mark}
	text, err := yaml.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(text, []byte(mark), []byte(value), 1)
}

// cloned copies a document.
func cloned(n *yaml.Node) *yaml.Node {
	out := *n
	out.Content = nil
	for _, c := range n.Content {
		out.Content = append(out.Content, cloned(c))
	}
	return &out
}
