package main

import (
	"bytes"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestPage: the page says what the documents have, and all their keys keep the rule for names.
func TestPage(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	want, err := document(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not up to date: go run ./internal/cmd/jsondoc", page)
	}
}

func TestBreach(t *testing.T) {
	for _, name := range []string{
		"delay_mean_ns", "length_m", "mean", "hops_mean_with_self", "beta_ns_per_m", "bisection_lower", "wall_s", "p50",
		"min", "hops_std", "tariff_low_per_kwh", "m",
	} {
		if text := breach(name); text != "" {
			t.Error(text)
		}
	}
	for name, want := range map[string]string{
		"ns_mean":      "ns_mean: the unit ns stands after the statistic mean",
		"path_m_max":   "path_m_max: the unit m stands after the statistic max",
		"max_load":     "max_load: the statistic max stands after its quantity",
		"avg_hops":     "avg_hops: write mean for avg",
		"hops_std_err": "hops_std_err: write stderr for err",
		"gbps_per_usd": "gbps_per_usd: the unit gbps stands last",
	} {
		if got := breach(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestTells(t *testing.T) {
	for _, c := range []struct {
		names, end string
		want       bool
	}{
		{"mean length_m", "m", true},
		{"weight_kg_per_m trays", "kg", true},
		{"m", "m", true},
		{"length_mm", "m", false},
		{"mean", "ns", false},
	} {
		if got := tells(c.names, c.end); got != c.want {
			t.Errorf("%q tells of %s: %v", c.names, c.end, got)
		}
	}
}

func TestMeaning(t *testing.T) {
	for _, c := range []struct{ comment, want string }{
		{"Hops is the number of links.", "the number of links"},
		{"Hops are links on a path.", "links on a path"},
		{"by V. G. Cerf.", "by V. G. Cerf"},
		{"links; docs/delay.md#a-path", "links; [delay.md](../delay.md#a-path)"},
		{"keys; docs/reference/rules.md", "keys; [reference/rules.md](rules.md)"},
		{
			"figures; docs/internals/reproduction.md",
			"figures; [internals/reproduction.md](../internals/reproduction.md)",
		},
		{"links. Null where there is no path.", "links. Null where there is no path."},
	} {
		if got := cleanComment(c.comment, "Hops"); got != c.want {
			t.Errorf("%q: got %q, want %q", c.comment, got, c.want)
		}
	}
}

// TestNoMeaning: a key needs a comment, unless it means the same everywhere or has a page of its own.
func TestNoMeaning(t *testing.T) {
	spec := types.NewPackage(module+"machine/spec", "spec")
	file := types.NewNamed(types.NewTypeName(token.NoPos, spec, "Spec", nil), types.NewStruct(nil, nil), nil)
	p := types.NewPackage(module+"machine/report", "report")
	number := types.Typ[types.Int]
	s := types.NewStruct([]*types.Var{
		types.NewField(token.NoPos, p, "Hops", number, false), types.NewField(token.NoPos, p, "Max", number, false),
		types.NewField(token.NoPos, p, "Spec", types.NewPointer(file), false),
	}, []string{`json:"hops"`, `json:"max"`, `json:"spec"`})
	w := &walker{source: &source{fset: token.NewFileSet()}}
	w.fields(s, "delay", "")
	want := []string{"delay.hops: has no meaning: the field Hops of package report needs a comment"}
	if !slices.Equal(w.wrong, want) {
		t.Errorf("got %q, want %q", w.wrong, want)
	}
}
