package layout

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

// TestObstructions holds what obstructs an aisle against a raster of it, of which an obstacle covers squares.
func TestObstructions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const step = 0.1 // of the raster, and of where obstacles begin and end
		draw := func(what string, least, most int) float64 {
			return step * float64(rapid.IntRange(least, most).Draw(t, what))
		}
		aisle := orb.Bound{Min: orb.Point{1, 2}, Max: orb.Point{4, 3}}
		room := Room{
			Spec:   RoomSpec{AisleClear: units.Length(draw("clear", 0, 15) + step/2)},
			Aisles: []Aisle{{Bound: aisle}},
		}
		for range rapid.IntRange(0, 5).Draw(t, "obstacles") {
			x, y := draw("x", 0, 45), draw("y", 15, 35)
			box := orb.Bound{Min: orb.Point{x, y}, Max: orb.Point{x + draw("width", 1, 10), y + draw("depth", 1, 8)}}
			why := rapid.SampledFrom([]Cause{KeptFree, DoorZone, Column, Walled}).Draw(t, "why")
			room.KeepOuts = append(room.KeepOuts, KeepOut{Why: why, Area: box.ToPolygon()})
		}
		want := map[int]float64{}
		for i := range room.KeepOuts {
			free, inside := math.Inf(1), false
			for x := aisle.Min[0] + step/2; x < aisle.Max[0]; x += step {
				run, widest, here := 0.0, 0.0, false
				for y := aisle.Min[1] + step/2; y < aisle.Max[1]; y += step {
					run += step
					for k := range room.KeepOuts {
						o := &room.KeepOuts[k]
						if o.Why != DoorZone && o.Area.Bound().Contains(orb.Point{x, y}) {
							run, here = 0, here || k == i
						}
					}
					widest = max(widest, run)
				}
				if here {
					free, inside = min(free, widest), true
				}
			}
			if inside && free < min(float64(room.Spec.AisleClear), 1)-step/4 {
				want[i] = free
			}
		}
		got := room.Obstructions()
		if len(got) != len(want) {
			t.Fatalf("%v, by the raster %v", got, want)
		}
		for _, o := range got {
			if free, ok := want[o.KeepOut]; !ok || math.Abs(free-float64(o.Free)) > step/4 {
				t.Fatalf("%v, by the raster %v", o, want)
			}
		}
	})
}

// TestAisleFloors draws walls into an aisle: what is left is every stretch between walls that has a position beside it.
func TestAisleFloors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := orb.Bound{Min: orb.Point{0, 2}, Max: orb.Point{10, 3}}
		room := Room{Aisles: []Aisle{{Before: 0, After: 1, Bound: bound}}}
		at := map[int]bool{} // cells of 1 m with a position
		for range rapid.IntRange(0, 6).Draw(t, "positions") {
			cell := rapid.IntRange(0, 9).Draw(t, "at")
			at[cell] = true
			room.Places = append(room.Places, Place{
				Row: rapid.IntRange(0, 1).Draw(t, "row"), X: units.Length(cell) + 0.5,
			})
		}
		cut := map[int]bool{} // boundaries with a thin wall across the aisle
		for range rapid.IntRange(0, 4).Draw(t, "walls") {
			x := rapid.IntRange(1, 9).Draw(t, "wall")
			cut[x] = true
			wall := orb.Bound{Min: orb.Point{float64(x) - 0.05, 0}, Max: orb.Point{float64(x) + 0.05, 5}}
			room.KeepOuts = append(room.KeepOuts, KeepOut{Why: Walled, Area: wall.ToPolygon()})
		}
		for cell := range 10 {
			want := len(cut) == 0 // rooms without walls keep their aisles
			for _, step := range []int{-1, 1} {
				for c := cell; c >= 0 && c < 10; c += step {
					want = want || at[c]
					if cut[c+(step+1)/2] {
						break
					}
				}
			}
			got, middle := false, float64(cell)+0.5
			for _, a := range room.AisleFloors() {
				got = got || a.Bound.Min[0] < middle && middle < a.Bound.Max[0]
			}
			if got != want {
				t.Fatalf("cell %d: %v, want %v, of %v", cell, got, want, room.AisleFloors())
			}
		}
	})
}
