package catalog

import (
	"encoding/json"

	"github.com/plenum-planner/plenum/units"
)

// Amount is a price. In a file
// it is a number or, where it is known as a range only, a mapping
// {low: 80, likely: 100, high: 150}. Plans compute with the likely value.
type Amount struct{ Low, Likely, High units.Price }

// Exactly is an amount without a range.
func Exactly(x units.Price) Amount { return Amount{x, x, x} }

// IsZero reports whether no amount is stated.
func (a Amount) IsZero() bool { return a == Amount{} }

// IsRange reports whether the amount is a range.
func (a Amount) IsRange() bool { return a.Low != a.High }

// times scales an amount. The conversion keeps the product from being fused into
// a sum, so that all processors round alike.
func (a Amount) times(x float64) Amount {
	by := units.Price(x)
	return Amount{units.Price(a.Low * by), units.Price(a.Likely * by), units.Price(a.High * by)}
}

func (a Amount) plus(b Amount) Amount {
	return Amount{a.Low + b.Low, a.Likely + b.Likely, a.High + b.High}
}

// Written implements strictyaml.Alternative: a mapping is a range, anything else a
// number.
func (a *Amount) Written(tag string) (target any, take func()) {
	if tag == "!!map" {
		r := new(rangeDocument)
		return r, func() { *a = Amount(*r) }
	}
	x := new(units.Price)
	return x, func() { *a = Exactly(*x) }
}

// MarshalYAML writes what is read from a file.
func (a Amount) MarshalYAML() (any, error) {
	if !a.IsRange() {
		return a.Likely, nil
	}
	return rangeDocument(a), nil
}

// MarshalJSON writes a number, or an object with the three of a range.
func (a Amount) MarshalJSON() ([]byte, error) {
	if !a.IsRange() {
		return json.Marshal(a.Likely)
	}
	return json.Marshal(rangeDocument(a))
}

type rangeDocument struct {
	Low    units.Price `yaml:"low" json:"low" signed:"true"`
	Likely units.Price `yaml:"likely" json:"likely" signed:"true"`
	High   units.Price `yaml:"high" json:"high" signed:"true"`
}
