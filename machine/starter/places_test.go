package starter_test

import (
	"context"
	"fmt"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/starter"
	"github.com/plenum-planner/plenum/units"
)

// mostAboveBest is how much more a plan may cost than the best of those with switches at simple places.
const mostAboveBest = 1.03

// mostAboveFill is the same of a plan whose rows are not filled. Rows are filled unasked only where at least half of a
// room stays free; in other rooms, draws cost up to 6 % more.
const mostAboveFill = 1.08

// The places of switches in a machine file.
var (
	placeOfSwitches = regexp.MustCompile(`(?m)^  (leaf|spine|core|switch): \{part: ([^,}]+), place: [a-z-]+\}$`)
	simplePlaces    = []string{"in-rack", "end-of-row", "middle-of-row", "network-row"}
	simpleFills     = []string{"rows", "cold-aisles", "hot-aisles"}
)

// TestPlacesOfSwitches holds the cost of starters, in drawn rooms, against every combination of simple places and ways
// to fill rows, and that of every combination of places without fill against that with it
// where the room has a size.
func TestPlacesOfSwitches(t *testing.T) {
	graphtest.FewerDraws(t, 3)
	rapid.Check(t, func(t *rapid.T) {
		m := starter.Default()
		m.Nodes = rapid.IntRange(8, 519).Draw(t, "nodes")
		m.Ports = 1 << rapid.IntRange(0, 3).Draw(t, "log2 of the ports")
		m.Rate = rapid.SampledFrom(starter.Rates()).Draw(t, "rate")
		if rapid.IntRange(0, 3).Draw(t, "room") > 0 {
			m.Room = starter.Room{
				Width: units.Length(rapid.IntRange(10, 49).Draw(t, "width")),
				Depth: units.Length(rapid.IntRange(8, 47).Draw(t, "depth")),
			}
		}
		data, err := m.Planned(context.Background())
		if err != nil {
			return // the room is too small
		}
		best, with := units.MostMoney, ""
		for _, leaf := range simplePlaces {
			for _, upper := range simplePlaces {
				file := placedAt(data, leaf, upper)
				groups, least := costOf(t, file), units.MostMoney
				for _, fill := range simpleFills {
					filled := fmt.Appendf(nil, "%s\nembedding: {fill: %s}\n", file, fill)
					least = min(least, costOf(t, filled))
				}
				if m.Room != (starter.Room{}) && groups.Float() > mostAboveFill*least.Float() {
					t.Errorf("%s, %s: %v without fill, %v with", leaf, upper, groups, least)
				}
				if least = min(least, groups); least < best {
					best, with = least, leaf+", "+upper
				}
			}
		}
		if cost := costOf(t, data); cost.Float() > mostAboveBest*best.Float() {
			t.Errorf("%v, %.1f %% more than %v of %s", cost, 100*(cost.Float()/best.Float()-1), best, with)
		}
	})
}

// placedAt is a machine file with leaves at one place, and spines and cores at another.
func placedAt(data []byte, leaf, upper string) []byte {
	return placeOfSwitches.ReplaceAllFunc(data, func(line []byte) []byte {
		place := upper
		if name := string(placeOfSwitches.FindSubmatch(line)[1]); name == "leaf" || name == "switch" {
			place = leaf
		}
		return placeOfSwitches.ReplaceAll(line, []byte("  $1: {part: $2, place: "+place+"}"))
	})
}

// costOf is the total of the bill, MostMoney of a machine that cannot be built.
func costOf(t *rapid.T, data []byte) units.Money {
	s, err := machine.Parse("x.yaml", data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	r, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true})
	if err != nil || r.Violations.Errors() > 0 {
		return units.MostMoney
	}
	return r.Bill.Total
}
