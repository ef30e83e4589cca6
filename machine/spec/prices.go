package spec

import "github.com/plenum-planner/plenum/units"

// Prices chooses a price set and changes it. Prices of Unit go before those of
// Quote, and those before the set's.
type Prices struct {
	Set       string             `yaml:"set,omitempty" json:"set,omitempty"`
	Model     string             `yaml:"model,omitempty" json:"model,omitempty"`
	Quote     []string           `yaml:"quote,omitempty" json:"quote,omitempty"`
	Currency  string             `yaml:"currency,omitempty" json:"currency,omitempty"`
	Rates     map[string]float64 `yaml:"rates,omitempty" json:"rates,omitempty"`
	RatesDate string             `yaml:"rates_date,omitempty" json:"rates_date,omitempty"`
	Spares    map[string]float64 `yaml:"spares,omitempty" json:"spares,omitempty"`
	// LeastSpares is the fewest spares of a product that is used, in pieces, by kind of part or by id.
	LeastSpares map[string]int           `yaml:"least_spares,omitempty" json:"least_spares,omitempty" most:"100000"`
	Ranges      map[string][]units.Money `yaml:"ranges,omitempty" json:"ranges,omitempty"`

	Freight     float64 `yaml:"freight,omitempty" json:"freight,omitempty" jsonschema:"minimum=0"`
	Contingency float64 `yaml:"contingency,omitempty" json:"contingency,omitempty" jsonschema:"minimum=0"`

	Seed uint64                 `yaml:"seed,omitempty" json:"seed,omitempty"`
	Unit map[string]units.Money `yaml:"unit,omitempty" json:"unit,omitempty"`
}

// Operation prices power.
type Operation struct {
	Tariff      units.Tariff   `yaml:"tariff" json:"tariff" jsonschema:"minimum=0"`
	TariffRange []units.Tariff `yaml:"tariff_range,omitempty" json:"tariff_range,omitempty" jsonschema:"minimum=0"`
	PUE         float64        `yaml:"pue,omitempty" json:"pue,omitempty" jsonschema:"minimum=1"`
	Years       float64        `yaml:"years,omitempty" json:"years,omitempty"`
	Idle        *float64       `yaml:"idle,omitempty" json:"idle,omitempty"`
	PortPower   units.Power    `yaml:"port_power,omitempty" json:"port_power,omitempty"`
}
