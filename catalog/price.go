package catalog

import "plenum/units"

// PriceSet is a named, dated list of prices in one currency.
type PriceSet struct {
	Name     string  `yaml:"name" json:"name"`
	Currency string  `yaml:"currency" json:"currency"` // ISO 4217
	Date     string  `yaml:"date" json:"date"`         // year or ISO date
	Source   string  `yaml:"source" json:"source"`
	Prices   []Price `yaml:"prices" json:"prices"`
	// Labour is the price of installing one cable.
	Labour LabourRates `yaml:"labour,omitempty" json:"labour"`
}

// LabourRates prices the installing of cables.
type LabourRates struct {
	InRack       units.Money `yaml:"in_rack,omitempty" json:"in_rack"`
	BetweenRacks units.Money `yaml:"between_racks,omitempty" json:"between_racks"`
	Source       string      `yaml:"source,omitempty" json:"source"`
	Confidence   Confidence  `yaml:"confidence,omitempty" json:"confidence"`
}

// Price is what one part costs. For a cable either ByLength lists stocked
// lengths, or the price is Unit + PerMetre x length. A switch may be priced by
// port: Unit + PerPort x its ports.
type Price struct {
	Part       string             `yaml:"part" json:"part"` // id; a trailing * matches any ending
	Unit       float64            `yaml:"unit,omitempty" json:"unit,omitempty"`
	PerMetre   float64            `yaml:"per_metre,omitempty" json:"per_metre,omitempty"`
	PerPort    float64            `yaml:"per_port,omitempty" json:"per_port,omitempty"`
	ByLength   map[string]float64 `yaml:"by_length,omitempty" json:"by_length,omitempty"` // "3 m": 87
	Source     string             `yaml:"source,omitempty" json:"source,omitempty"`       // the set's source when left out
	Confidence Confidence         `yaml:"confidence,omitempty" json:"confidence,omitempty"`
}

// Quote is a price found for a part.
type Quote struct {
	Unit       units.Money
	Priced     bool // false: no price is known, and Unit is meaningless
	Source     string
	Confidence Confidence
}
