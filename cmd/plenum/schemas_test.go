package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/study/machines"
	"github.com/plenum-planner/plenum/study/sweep"
)

// schemaOf compiles a schema.
func schemaOf(t *testing.T, kind string) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	text, err := schemas[kind]()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(kind+".json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(kind + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled, doc.(map[string]any)
}

// valid reports whether a schema takes a file.
func valid(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	var v any
	if err := yaml.Load([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if v, err = jsonschema.UnmarshalJSON(bytes.NewReader(j)); err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// The schemas of search and sweep files take what the readers take, refuse what they refuse, and describe every key.
func TestSchemasTakeWhatReadersTake(t *testing.T) {
	starter, err := examples.Searches.ReadFile("searches/four-thousand.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, ofMachines := schemaOf(t, "machine")
	const search = "machine: {}\nnodes: 64\n"
	const study = "machine: {topology: {family: torus, dims: [8, 8]}}\n" +
		"axes: [{field: cabling.slack.percent, values: [5, 10]}]\n"
	for kind, of := range map[string]struct {
		read      func(name string, data []byte) error
		good, bad []string
	}{
		"search": {
			func(name string, data []byte) error { _, err := machines.Parse(name, data); return err },
			[]string{
				string(starter),
				search,
				"machine: {room: {rows: 4}}\nnodes: 1..64\nswitch_ports: 32\nobjective: power\n",
				search + "families: torus\nthroughput: {uniform: 0.5}\nbisection: 0.5\n" +
					"rate: 400G\ndelay: 1 us\npower: 5 kW\n",
				search + "objective: {money: 1, delay: 20.5}\nswitch_ports: [32, 64]\ndiameter: 4\n",
				search + "throughput:\n",
				search + "switches: [nvidia-qm9700, nvidia-qm8700]\n",
			},
			[]string{
				"nodes: 64\n",
				"machine: {}\n",
				"machine: 5\nnodes: 64\n",
				search + "nods: 3\n",
				search + "families: [toros]\n",
				search + "objective: price\n", search + "objective: {mony: 1}\n", search + "objective: {money: -1}\n",
				search + "switch_ports: 0\n",
				search + "switches: {}\n",
				search + "switch_ports: [a]\n",
				search + "delay: 5 m\n",
				search + "diameter: 1.5\n",
				search + "throughput: {uniform: 2}\n", "machine: {room: {rack_per_row: 3}}\nnodes: 64\n",
			},
		},
		"sweep": {
			func(name string, data []byte) error { _, err := sweep.Parse(name, data); return err },
			[]string{
				study, study + "sample: {points: 3}\nrepeats: 2\nseed: 5\n", study + "measure: [estimate]\n",
				study + "measure: packets\npackets: {room: false, load: 0.5, vcs: 4}\n",
				study + "engine: slurm\nslurm: {partition: p, cpus: 4}\n",
				"machine: {topology: {family: torus, dims: [8, 8]}}\naxes:\n" +
					"- {field: room.cold_aisle, from: 100, to: 120, count: 3, " +
					"unit: cm, scale: linear}\n",
			},
			[]string{
				"machine: {}\n", "axes: []\nmachine: {}\n", study + "engine: cluster\n", study + "measure: [plans]\n",
				study + "sample: {seed: 3}\n",
				study + "repeats: 0\n",
				study + "packets: {load: 2}\n",
				study + "slurm: {cpu: 3}\n",
				study + "points: 3\n",
			},
		},
	} {
		s, doc := schemaOf(t, kind)
		for _, text := range of.good {
			if err := of.read("file.yaml", []byte(text)); err != nil {
				t.Errorf("%s: the reader refuses\n%s%v", kind, text, err)
			}
			if err := valid(t, s, text); err != nil {
				t.Errorf("%s: the schema refuses\n%s%v", kind, text, err)
			}
		}
		for _, text := range of.bad {
			if of.read("file.yaml", []byte(text)) == nil {
				t.Errorf("%s: the reader takes\n%s", kind, text)
			}
			if valid(t, s, text) == nil {
				t.Errorf("%s: the schema takes\n%s", kind, text)
			}
		}
		described(t, kind, doc, ofMachines["$defs"].(map[string]any))
	}
}

// described tells of sections without descriptions, but those of machine files, which have a test of their own.
func described(t *testing.T, kind string, doc, ofMachines map[string]any) {
	t.Helper()
	sections := map[string]any{"File": doc}
	for name, s := range doc["$defs"].(map[string]any) {
		if _, ok := ofMachines[name]; !ok && name != "Machine" {
			sections[name] = s
		}
	}
	if len(sections) < 3 {
		t.Errorf("%s: only %d sections", kind, len(sections))
	}
	for name, s := range sections {
		for key, value := range s.(map[string]any)["properties"].(map[string]any) {
			if words, _ := value.(map[string]any)["description"].(string); words == "" {
				t.Errorf("%s: %s.%s has no description", kind, name, key)
			}
		}
	}
}
