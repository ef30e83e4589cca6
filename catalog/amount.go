package catalog

import (
	"encoding/json"
)

// Amount is a price, or a factor of one, in whole units of a currency. In a file
// it is a number or, where it is known as a range only, a mapping
// {low: 80, likely: 100, high: 150}. Likely is what plans reckon with.
type Amount struct{ Low, Likely, High float64 }

// Exactly is an amount without a range.
func Exactly(x float64) Amount { return Amount{x, x, x} }

// IsZero tells whether no amount is stated.
func (a Amount) IsZero() bool { return a == Amount{} }

// Ranged tells whether the amount is a range.
func (a Amount) Ranged() bool { return a.Low != a.High }

// times scales an amount. The conversion keeps the product from being fused into
// a sum, so that all processors round alike.
func (a Amount) times(x float64) Amount {
	return Amount{float64(a.Low * x), float64(a.Likely * x), float64(a.High * x)}
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
	x := new(float64)
	return x, func() { *a = Exactly(*x) }
}

// MarshalYAML writes what is read from a file.
func (a Amount) MarshalYAML() (any, error) {
	if !a.Ranged() {
		return a.Likely, nil
	}
	return rangeDocument(a), nil
}

// MarshalJSON writes a number, or an object with the three of a range.
func (a Amount) MarshalJSON() ([]byte, error) {
	if !a.Ranged() {
		return json.Marshal(a.Likely)
	}
	return json.Marshal(rangeDocument(a))
}

type rangeDocument struct {
	Low    float64 `yaml:"low" json:"low" signed:"true"`
	Likely float64 `yaml:"likely" json:"likely" signed:"true"`
	High   float64 `yaml:"high" json:"high" signed:"true"`
}
