package render

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// machineName is what a plan is called.
func machineName(r *machine.Result) string {
	if r.Spec.Name != "" {
		return r.Spec.Name
	}
	return "Unnamed machine"
}

// countedCables names what trays, bundles and bands of cables count: a splitter has a jacket for each of its legs.
func countedCables(s *cabling.Schedule) string {
	if s.HasSplitters() {
		return "cables and legs of splitters"
	}
	return "cables"
}

// networks describes the topology of a machine, or names its fabrics with the families of theirs.
func networks(s *spec.Spec) string {
	if len(s.Fabrics) == 0 {
		return sentence(s.Topology)
	}
	var words []string
	for _, f := range s.Fabrics {
		words = append(words, f.Name+" ("+f.Topology.Family()+")")
	}
	return "fabrics: " + strings.Join(words, ", ")
}

// sentence describes a topology: "torus, dims 8 × 8 × 8". It names every
// parameter that is given as a machine file does.
func sentence(s topology.Spec) string {
	words := []string{s.Family()}
	for name, f := range topology.GivenParams(s) {
		value := fmt.Sprint(f.Interface())
		if f.Kind() == reflect.Slice {
			var each []string
			for k := range f.Len() {
				each = append(each, fmt.Sprint(f.Index(k).Interface()))
			}
			value = strings.Join(each, " × ")
		} else if f.Kind() == reflect.Map {
			var each []string
			for _, key := range slices.SortedFunc(slices.Values(f.MapKeys()), func(a, b reflect.Value) int {
				return strings.Compare(a.String(), b.String())
			}) {
				each = append(each, fmt.Sprintf("%s of %s", grouped(f.MapIndex(key).Int()), key.String()))
			}
			value = strings.Join(each, " and ")
		} else if f.Kind() == reflect.Bool { // only true is given
			words = append(words, name)
			continue
		} else if f.CanInt() {
			value = grouped(f.Int())
		} else if local, ok := f.Interface().(*topology.Local); ok {
			value = "(" + sentence(local.Spec) + ")"
		}
		words = append(words, name+" "+value)
	}
	return strings.Join(words, ", ")
}

// capacities says which levels have links of a capacity above 1, after the sentence of a topology.
func capacities(levels []report.Level) string {
	var words []string
	for _, l := range levels {
		if l.Capacity > 1 {
			words = append(words, fmt.Sprintf("%s of %s", grouped(int64(l.Capacity)), l.Level))
		}
	}
	if words == nil {
		return ""
	}
	return ", capacity " + strings.Join(words, " and ")
}

func grouped(n int64) string { return english.Grouped(n) }

func plural(n int64, thing string) string { return english.Count(n, thing) }

// distance formats a length for people, to three or four figures.
func distance(l units.Length) string {
	switch m := math.Abs(float64(l)); {
	case m >= 1e5:
		return grouped(int64(math.Round(float64(l)/1e3))) + " km"
	case m >= 1e4:
		return strconv.FormatFloat(float64(l)/1e3, 'f', 1, 64) + " km"
	case m >= 1e3:
		return grouped(int64(math.Round(float64(l)))) + " m"
	case m >= 100:
		return strconv.FormatFloat(float64(l), 'f', 1, 64) + " m"
	}
	return units.Length(math.Round(float64(l)*100) / 100).String()
}

// price formats an amount for people: without cents from 1,000 upwards.
func price(m units.Money, currency string) string {
	if m >= 1e5 {
		return grouped(int64(m+50)/100) + " " + currency
	}
	return m.String() + " " + currency
}

// beside is what stands beside a sum of money, with what the sum leaves out.
func beside(about string, o report.Omitted) string {
	if s := o.Short(); s != "" {
		return about + ", " + s
	}
	return about
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
