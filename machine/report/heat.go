package report

import (
	"fmt"

	"github.com/plenum-planner/plenum/units"
)

// Heat is where the heat of a machine goes. It is nil where no part states the share of its heat that goes to liquid.
type Heat struct {
	HeatSplit
	// Missing are the boxes and adapters whose part does not state the share; optics and cables never do.
	Missing []Unstated `json:"missing"`
	// Racks are those that hold boxes, in the order of their places; empty with containers.
	Racks []RackHeat `json:"racks"`
	// Rows are those with racks that hold boxes, in the order of the room; empty with containers.
	Rows []RowHeat `json:"rows"`
}

// RowHeat is where the heat of a row goes.
type RowHeat struct {
	Row string `json:"row"` // its name
	HeatSplit
	// MostAir is the most heat that the air of the row takes, by room.row_air; left out where not stated.
	MostAir units.Power `json:"air_limit_w,omitzero"`
}

// RackHeat is where the heat of a rack goes.
type RackHeat struct {
	Rack string `json:"rack"` // its name
	HeatSplit
}

// HeatSplit is heat by where it goes.
type HeatSplit struct {
	Liquid units.Power `json:"liquid_w"` // to liquid, as parts state it
	Air    units.Power `json:"air_w"`    // the rest of the heat of these parts
	// Unstated is the heat of parts that do not say where it goes, and of optics and cable ends.
	Unstated units.Power `json:"unstated_w"`
}

// Rounded is the split as documents have it.
func (h HeatSplit) Rounded() HeatSplit {
	return HeatSplit{Round(h.Liquid), Round(h.Air), Round(h.Unstated)}
}

// String is the split in words.
func (h HeatSplit) String() string {
	out := fmt.Sprintf("%v to liquid, %v to air", h.Liquid, h.Air)
	if h.Unstated > 0 {
		out += fmt.Sprintf(", %v of parts that do not state it", h.Unstated)
	}
	return out
}
