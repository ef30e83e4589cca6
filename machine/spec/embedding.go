package spec

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/topology"
)

// Objectives of an optimised placement, and the names of weights.
const (
	Money   = "money"   // of cables, optics and labour
	Length  = "length"  // of all cables
	Longest = "longest" // the longest cable, then the length of all
	MeanNs  = "delay"   // the mean delay of links over the paths of all pairs of nodes
)

// NoEffort leaves places as the strategy fills them.
const NoEffort = "none"

// Efforts lists the values of embedding.effort.
func Efforts() []string { return []string{NoEffort, "quick", "normal", "thorough"} }

// Objectives lists the values of embedding.objective.
func Objectives() []string { return []string{Money, Length, Longest, MeanNs} }

// Ways to fill rows.
const (
	FillRows       = "rows"        // one after the other, without holes
	FillColdAisles = "cold-aisles" // one pair that faces a cold aisle after the other
	FillHotAisles  = "hot-aisles"  // one pair whose backs are to a hot aisle after the other
)

// Fills lists the values of embedding.fill.
func Fills() []string { return []string{FillRows, FillColdAisles, FillHotAisles} }

// Embedding says how vertices are assigned to places.
type Embedding struct {
	Strategy   embed.Strategy           `yaml:"strategy,omitempty" json:"strategy,omitempty"`
	Seed       uint64                   `yaml:"seed,omitempty" json:"seed,omitempty"`
	Effort     string                   `yaml:"effort,omitempty" json:"effort,omitempty"`
	Objective  string                   `yaml:"objective,omitempty" json:"objective,omitempty"`
	Weights    map[string]float64       `yaml:"weights,omitempty" json:"weights,omitempty"`
	Together   []string                 `yaml:"together,omitempty" json:"together,omitempty"`
	Apart      []Apart                  `yaml:"apart,omitempty" json:"apart,omitempty"`
	Contiguous [][]string               `yaml:"contiguous,omitempty" json:"contiguous,omitempty"`
	Fill       string                   `yaml:"fill,omitempty" json:"fill,omitempty"`
	FreeUnits  int                      `yaml:"free_units,omitempty" json:"free_units,omitempty" most:"60"`
	Fold       Fold                     `yaml:"fold,omitempty" json:"fold,omitempty"`
	Blocks     map[string]topology.Ints `yaml:"blocks,omitempty" json:"blocks,omitempty" jsonschema:"minimum=1"`
	Placement  string                   `yaml:"placement,omitempty" json:"placement,omitempty"`
	Lock       []string                 `yaml:"lock,omitempty" json:"lock,omitempty"`
	Racks      []RackOf                 `yaml:"racks,omitempty" json:"racks,omitempty"`
}

// RackOf is the place of a rack, or container, that is known by a box in it.
type RackOf struct {
	With string `yaml:"with" json:"with"`
	At   string `yaml:"at" json:"at"`
}

// Apart limits the boxes in one rack (""), row, feed or hall to AtMost (1 where it is 0): anti-affinity by failure
// domain.
type Apart struct {
	Of []string `yaml:"of" json:"of"`
	By []string `yaml:"by,omitempty" json:"by,omitempty"`

	Within string `yaml:"within,omitempty" json:"within,omitempty" jsonschema:"enum=rack,enum=row,enum=feed,enum=hall"`
	AtMost int    `yaml:"at_most,omitempty" json:"at_most,omitempty" jsonschema:"minimum=1"`
}

// Fold lists the dimensions of a lattice whose rings are folded, dim1, dim2, ...; or it is a single true or false for
// all of them. Nil folds all.
type Fold []string

// Written makes the reader take a truth value as such; for anything else it returns nil, and the list is read.
func (f *Fold) Written(tag string) (target any, take func()) {
	if tag != "!!bool" {
		return nil, nil
	}
	all := false
	return &all, func() { *f = Fold{strconv.FormatBool(all)} }
}

// Folded reports whether dimension d, from 0, is folded.
func (f Fold) Folded(d int) bool {
	return f == nil || f.All() || slices.Contains(f, "dim"+strconv.Itoa(d+1))
}

// All reports whether the file says true. It is false for nil, which folds all rings as well (see Folded).
func (f Fold) All() bool { return len(f) == 1 && f[0] == "true" }

// None reports whether the file says false: no ring is folded.
func (f Fold) None() bool { return len(f) == 1 && f[0] == "false" }

// MarshalJSON writes a truth value or the list.
func (f Fold) MarshalJSON() ([]byte, error) { return json.Marshal(f.value()) }

// MarshalYAML writes a truth value or the list.
func (f Fold) MarshalYAML() (any, error) { return f.value(), nil }

func (f Fold) value() any {
	if f.All() || f.None() {
		return f.All()
	}
	return []string(f)
}
