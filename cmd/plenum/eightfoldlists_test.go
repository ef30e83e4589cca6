package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine/spec"
)

// schemaNode is what the machine file's schema says of a value.
type schemaNode struct {
	Ref        string                 `json:"$ref"`
	Type       string                 `json:"type"`
	Properties map[string]*schemaNode `json:"properties"`
	Required   []string               `json:"required"`
	Items      *schemaNode            `json:"items"`
	Additional json.RawMessage        `json:"additionalProperties"`
	AnyOf      []*schemaNode          `json:"anyOf"`
	Enum       []any                  `json:"enum"`
	Minimum    json.Number            `json:"minimum"`
	Defs       map[string]*schemaNode `json:"$defs"`
}

// listOf is a list or a mapping with free keys of the language, by its path: what stands around its entries, and one
// entry.
type listOf struct {
	path   string
	around func(entries string) string
	mapped bool
	entry  *schemaNode
}

// listsOf finds every list and every mapping with free keys in a value, one value of each around it.
func (n *schemaNode) listsOf(root *schemaNode, path string, around func(string) string, seen []string,
	yield func(listOf),
) {
	if n.Ref != "" {
		name := strings.TrimPrefix(n.Ref, "#/$defs/")
		if slices.Contains(seen, name) {
			return
		}
		root.Defs[name].listsOf(root, path, around, append(slices.Clip(seen), name), yield)
		return
	}
	for _, one := range n.AnyOf {
		one.listsOf(root, path, around, seen, yield)
	}
	for _, key := range slices.Sorted(maps.Keys(n.Properties)) {
		inner := func(value string) string {
			return around("{" + n.others(root, key) + fmt.Sprintf("%q: ", key) + value + "}")
		}
		n.Properties[key].listsOf(root, path+"."+key, inner, seen, yield)
	}
	if n.Items != nil {
		yield(listOf{path + "[]", func(entries string) string { return around("[" + entries + "]") }, false, n.Items})
		n.Items.listsOf(root, path+"[]", func(value string) string { return around("[" + value + "]") }, seen, yield)
	}
	if value := n.free(); value != nil {
		yield(listOf{path + ".*", func(entries string) string { return around("{" + entries + "}") }, true, value})
		value.listsOf(root, path+".*", func(v string) string { return around("{x: " + v + "}") }, seen, yield)
	}
}

// free is what stands under free keys, nil where keys are not free.
func (n *schemaNode) free() *schemaNode {
	var value *schemaNode
	if len(n.Additional) == 0 || json.Unmarshal(n.Additional, &value) != nil {
		return nil
	}
	return value
}

// others are the keys that a section needs beside one.
func (n *schemaNode) others(root *schemaNode, beside string) string {
	var b strings.Builder
	for _, key := range n.Required {
		if key != beside && n.Properties[key] != nil {
			fmt.Fprintf(&b, "%q: %s, ", key, n.Properties[key].value(root, 0, false))
		}
	}
	return b.String()
}

// value is a value, in one line: number i of those that are alike; all of its keys, or those that it needs.
func (n *schemaNode) value(root *schemaNode, i int, whole bool) string {
	switch {
	case n.Ref == "#/$defs/Topology":
		return "{family: torus, dims: 8}"
	case n.Ref != "":
		return root.Defs[strings.TrimPrefix(n.Ref, "#/$defs/")].value(root, i, whole)
	case n.AnyOf != nil:
		return n.AnyOf[0].value(root, i, whole)
	case n.Enum != nil:
		return fmt.Sprintf("%q", fmt.Sprint(n.Enum[i%len(n.Enum)]))
	}
	switch n.Type {
	case "integer", "number":
		return fmt.Sprint(i%50 + 1)
	case "boolean":
		return "true"
	case "array":
		return "[" + n.Items.value(root, i, false) + "]"
	case "object":
		if n.Properties == nil {
			return "{x: 1}"
		}
		keys := n.Required
		if whole {
			keys = slices.Sorted(maps.Keys(n.Properties))
		}
		var b strings.Builder
		for k, key := range keys {
			if k > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%q: %s", key, n.Properties[key].value(root, i, false))
		}
		return "{" + b.String() + "}"
	}
	return fmt.Sprintf("x%d", i)
}

// machineLists are the lists of the machine file.
func machineLists(t *testing.T) (*schemaNode, []listOf) {
	text, err := spec.Schema()
	if err != nil {
		t.Fatal(err)
	}
	root := &schemaNode{}
	if err := json.Unmarshal(text, root); err != nil {
		t.Fatal(err)
	}
	var all []listOf
	root.AnyOf = nil
	root.listsOf(root, "", func(value string) string { return value }, nil, func(l listOf) { all = append(all, l) })
	return root, all
}

// entryKind is a way to fill a list.
type entryKind struct {
	name  string
	entry func(i int) string
}

// TestEightfoldLists is TestEightfoldInput for every list and every mapping of the machine file, by its schema: of
// entries with all keys, that are not such values, and that are all the same. The short form draws one of these for
// each list, the long one takes all.
func TestEightfoldLists(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute of reading")
	}
	root, all := machineLists(t)
	if len(all) < 60 {
		t.Fatalf("%d lists", len(all))
	}
	n, long := 120, os.Getenv("PLENUM_LONG") == "1"
	if long {
		n = 500
	}
	for _, l := range all {
		kinds := []entryKind{
			{"whole", func(i int) string { return l.entry.value(root, i, true) }},
			{"one", func(int) string { return l.entry.value(root, 0, true) }},
			{"wrong", func(i int) string { return fmt.Sprintf("{wrong%d: [x]}", i) }},
			{"scalars", func(i int) string { return fmt.Sprintf("x%d", i) }},
		}
		if !long {
			kinds = sample(t, kinds, 1)
		}
		for _, kind := range kinds {
			text := func(n int) string {
				var b strings.Builder
				for i := range n {
					if i > 0 {
						b.WriteString(",\n  ")
					}
					if l.mapped {
						fmt.Fprintf(&b, "x%d: ", i)
					}
					b.WriteString(kind.entry(i))
				}
				inner := l.around(b.String())
				if !strings.Contains(inner, `"topology"`) && !strings.Contains(inner, `"fabrics"`) {
					inner = strings.TrimSuffix(inner, "}") + `, "topology": {family: torus, dims: 8}}`
				}
				return inner
			}
			isLinear(t, l.path+" "+kind.name, n, text, readMachine)
		}
	}
}
