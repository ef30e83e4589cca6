package machine

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
)

// differences are the fields that the machine file of a machine has otherwise than that of a baseline. What only one of
// them has is one difference, with any content. Names and descriptions of machines are left out.
func differences(name string, baseline, other *spec.Spec) ([]report.Difference, error) {
	var both [2]any
	for i, s := range []*spec.Spec{baseline, other} {
		text, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &both[i]); err != nil {
			return nil, err
		}
		if fields, ok := both[i].(map[string]any); ok {
			delete(fields, "name")
			delete(fields, "description")
		}
	}
	var out []report.Difference
	var compare func(path string, a, b any)
	compare = func(path string, a, b any) {
		x, y := asJSONText(a), asJSONText(b)
		if x == y {
			return
		}
		p, isMap := a.(map[string]any)
		q, both := b.(map[string]any)
		if !isMap || !both || p["family"] != q["family"] { // a topology of another family is one difference
			out = append(out, report.Difference{Machine: name, Field: path, Baseline: x, Value: y})
			return
		}
		keys := slices.Sorted(maps.Keys(p))
		for _, k := range slices.Sorted(maps.Keys(q)) {
			if _, known := p[k]; !known {
				keys = append(keys, k)
			}
		}
		slices.Sort(keys)
		for _, k := range keys {
			compare(strings.TrimPrefix(diag.Key(path, k), "."), p[k], q[k])
		}
	}
	compare("", both[0], both[1])
	return out, nil
}

// asJSONText is a value as JSON, "" for none.
func asJSONText(v any) string {
	if v == nil {
		return ""
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return string(text)
}
