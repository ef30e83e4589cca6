package main

import (
	"fmt"
	"slices"
	"strings"
)

// The parts of a key: quantity_statistic_unit, as in delay_mean_ns.
var (
	statistics = []string{"mean", "max", "min", "std", "stderr", "p10", "p50", "p90", "p99", "median"}
	unitEnds   = []string{"ns", "s", "m", "mm", "mm2", "w", "kwh", "kg", "lpm", "db", "gbps", "ghz", "percent"}
	strange    = map[string]string{
		"avg": "mean", "average": "mean", "err": "stderr", "maximum": "max",
		"minimum": "min",
	}
)

// violation says how a key breaks the rule; nothing if it keeps it. The keys of a list of statistics, such as
// latency_cycles.mean, are statistics alone.
func breach(name string) string {
	words := strings.Split(name, "_")
	for _, w := range words {
		if better, ok := strange[w]; ok {
			return fmt.Sprintf("%s: write %s for %s", name, better, w)
		}
	}
	if len(words) > 1 && slices.Contains(statistics, words[0]) {
		return fmt.Sprintf("%s: the statistic %s stands after its quantity", name, words[0])
	}
	for i, w := range words[:len(words)-1] {
		if next := words[i+1]; slices.Contains(unitEnds, w) && slices.Contains(statistics, next) {
			return fmt.Sprintf("%s: the unit %s stands after the statistic %s", name, w, next)
		}
	}
	if len(words) > 1 && slices.Contains(unitEnds, words[0]) {
		return fmt.Sprintf("%s: the unit %s stands last", name, words[0])
	}
	return ""
}
