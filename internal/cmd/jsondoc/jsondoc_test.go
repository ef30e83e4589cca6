package main

import (
	"bytes"
	"os"
	"path/filepath"
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
