package sweep

import (
	"slices"
	"strings"
)

// unitNames are the ends of keys that name a unit, as documents and axes of a study have them
// (docs/reference/json.md: quantity, statistic, unit), and how the unit is written.
var unitNames = map[string]string{
	"mm": "mm", "cm": "cm", "m": "m", "km": "km", "in": "in", "ft": "ft", "ps": "ps", "ns": "ns", "us": "µs",
	"ms": "ms", "s": "s", "w": "W", "kw": "kW", "mw": "MW", "g": "g", "kg": "kg", "t": "t", "lb": "lb", "gbps": "Gb/s",
	"tbps": "Tb/s", "mbps": "Mb/s", "ghz": "GHz", "db": "dB", "percent": "%", "cycles": "cycles", "phits": "phits",
	"bytes": "bytes", "hours": "h", "days": "days", "weeks": "weeks", "years": "years", "kwh": "kWh", "m2": "m²",
	"m3": "m³",
}

// statistics are the words of keys that say of which value of a quantity a figure is, as they stand before it.
var statistics = map[string]string{
	"mean": "mean", "max": "maximum", "min": "minimum", "total": "total",
	"p1": "1st percentile of", "p10": "10th percentile of",
	"p50": "median", "p90": "90th percentile of", "p99": "99th percentile of", "stderr": "standard error of",
	"stddev": "standard deviation of", "fastest": "fastest",
}

// known are the titles of keys that do not say by themselves what they count, without the measure before them.
var known = map[string][2]string{
	"load":                {"offered load", "phits per cycle and terminal"},
	"offered":             {"offered load", "phits per cycle and terminal"},
	"accepted":            {"accepted load", "phits per cycle and terminal"},
	"accepted_half_width": {"95 % half-width of the accepted load", "phits per cycle and terminal"},
	"breaches":            {"violations of design rules", ""},
	"length_m.total":      {"total cable length", "m"},
	"length_m.mean":       {"mean cable length", "m"},
	"length_m.max":        {"maximum cable length", "m"},

	"delay.delay_paths_mean_ns": {"mean delay over all shortest paths", "ns"},
	"delay.delay_paths_max_ns":  {"maximum mean delay over all shortest paths", "ns"},
}

// parts are sections of documents whose figures say by themselves what they are of.
var parts = []string{"delay", "definition", "options"}

// title is the title of a column and its unit, from its name: plan.delay.delay_mean_ns is "mean delay" in ns. Money is
// in the currency. A unit is empty for counts, shares and texts.
func (t *Table) title(column, currency string) (title, unit string) {
	names := strings.Split(column, ".")
	if len(names) > 1 && slices.Contains(Measures(), names[0]) {
		names = names[1:]
	}
	if k, ok := known[strings.Join(names, ".")]; ok {
		return k[0], k[1]
	}
	for len(names) > 1 && slices.Contains(parts, names[0]) {
		names = names[1:]
	}
	var words, stats []string
	for _, name := range names {
		own := strings.Split(strings.Replace(name, "_by_kind", "", 1), "_")
		money := names[0] == "cost_per"
		for n := min(3, len(own)); n > 0; n-- {
			u, ok := unitOf(own[len(own)-n:])
			if !ok || n == len(own) && name != "percent" {
				continue
			}
			if own = own[:len(own)-n]; money { // per unit
				own = append(own, u)
			} else {
				unit = u
			}
			break
		}
		for _, word := range own {
			switch stat, ok := statistics[word]; {
			case ok:
				stats = append(stats, stat)
			case len(words) == 0 || words[len(words)-1] != word:
				words = append(words, word)
			}
		}
	}
	if unit == "" && slices.ContainsFunc(words, func(w string) bool {
		return w == "cost" || w == "capital" || w == "price" || w == "prices"
	}) {
		unit = currency
	}
	if len(words) == 0 {
		words = []string{"value"}
	}
	return strings.Join(append(stats, words...), " "), unit
}

// unitOf is the unit that the last words of a key name: one of unitNames, or one by another, as in ns_per_m.
func unitOf(words []string) (string, bool) {
	switch len(words) {
	case 1:
		u, ok := unitNames[words[0]]
		return u, ok
	case 3:
		a, one := unitNames[words[0]]
		b, two := unitNames[words[2]]
		return a + "/" + b, one && two && words[1] == "per"
	}
	return "", false
}

// axisLabel is a title with its unit in brackets.
func axisLabel(title, unit string) string {
	if unit == "" {
		return title
	}
	return title + " (" + unit + ")"
}
