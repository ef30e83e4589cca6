package spec

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

func schema(t *testing.T) (compiled *jsonschema.Schema, text []byte) {
	t.Helper()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("machine.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err = c.Compile("machine.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled, text
}

// instance turns a YAML file into what a schema validator takes.
func instance(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := yaml.Load(text, &v); err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	v, err = jsonschema.UnmarshalJSON(bytes.NewReader(j))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSchemaTakesWhatTheReaderTakes(t *testing.T) {
	s, _ := schema(t)
	files, err := filepath.Glob("testdata/good-*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	texts := map[string][]byte{"starter": Starter("x", shown)}
	for _, file := range files {
		if texts[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range texts {
		if _, err := parse(name, text); err != nil {
			t.Error(err)
		}
		if err := s.Validate(instance(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaRefusesWhatTheReaderRefuses(t *testing.T) {
	s, _ := schema(t)
	for _, text := range []string{
		"name: 42", "nmae: x", "room: {rows: 0}", "room: {rows: 4x}", "room: {rows: 1.5}", "room: {rows: 3000000000}",
		"room: [1]",
		"room: {margin: -1}", "room: {margin: -1 m}", "room: {margin: 1 yard}", "room: {gaps: {after: 1}}",
		"room: {gaps: [{after: 1}]}",
		"room: {containers: [{name: a, count: [0]}]}", "room: {facing: north}",
		"parts: [{id: a, kind: swich}]", "parts: [{id: a}]", "parts: [~]", "prices: {unit: {a: cheap}}",
		"prices: {unit: {'': 1}}", "prices: {spares: {cable: -1}}",
		"topology: {family: tours}", "topology: {dims: 4}", "topology: {family: torus, dims: [4, x]}", "topology: ~",
		"embedding: {fold: 1}", "embedding: {seed: -1}", "cabling: {media: [{use: []}]}",
		"cabling: {slack: {percent: 5%}}",
	} {
		if !strings.HasPrefix(text, "topology") {
			text = head + text
		}
		if _, err := parse("machine.yaml", []byte(text)); err == nil {
			t.Errorf("the reader takes %s", text)
		}
		if s.Validate(instance(t, []byte(text))) == nil {
			t.Errorf("the schema takes %s", text)
		}
	}
}

// The schema has the keys that the reader has, and the same are required.
func TestSchemaHasTheKeysOfTheReader(t *testing.T) {
	type object struct {
		Properties           map[string]json.RawMessage
		Required             []string
		AdditionalProperties *bool
		Defs                 map[string]object `json:"$defs"`
	}
	_, text := schema(t)
	var root object
	if err := json.Unmarshal(text, &root); err != nil {
		// Definitions alone have a true or false there; maps inside properties
		// stay undecoded.
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var walk func(typ reflect.Type, o object)
	walk = func(typ reflect.Type, o object) {
		if seen[schemaName(typ)] {
			return
		}
		seen[schemaName(typ)] = true
		var keys, required []string
		for _, f := range language.Fields(typ) {
			keys = append(keys, f.Key)
			if f.Required {
				required = append(required, f.Key)
			}
			if b := keyed(f.Type); b.Kind() == reflect.Struct {
				walk(b, root.Defs[schemaName(b)])
			}
		}
		var got []string
		for key := range o.Properties {
			got = append(got, key)
		}
		slices.Sort(keys)
		slices.Sort(got)
		if diff := cmp.Diff(keys, got) + cmp.Diff(required, o.Required); diff != "" {
			t.Errorf("%s: %s", typ, diff)
		}
		if o.AdditionalProperties == nil || *o.AdditionalProperties {
			t.Errorf("%s takes any key", typ)
		}
	}
	walk(reflect.TypeFor[Spec](), root)
	if len(seen)-1 != len(root.Defs) {
		t.Errorf("%d definitions for %d types", len(root.Defs), len(seen)-1)
	}
}

func TestSchemaIsTheSameEveryTime(t *testing.T) {
	_, a := schema(t)
	_, b := schema(t)
	if !bytes.Equal(a, b) {
		t.Error("it is not")
	}
}
