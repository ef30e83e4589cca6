package catalog

import (
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v4"
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

// amountKeys are the keys of a range.
var amountKeys = []string{"low", "likely", "high"}

// UnmarshalYAML reads a number or a range.
func (a *Amount) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		var x float64
		if err := n.Decode(&x); err != nil {
			return err
		}
		*a = Exactly(x)
		return nil
	}
	*a = Amount{}
	given := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		target, ok := map[string]*float64{"low": &a.Low, "likely": &a.Likely, "high": &a.High}[key]
		if !ok {
			return fmt.Errorf("unknown key %q; a range has low, likely and high", key)
		}
		if err := n.Content[i+1].Decode(target); err != nil {
			return err
		}
		given[key] = true
	}
	for _, key := range amountKeys {
		if !given[key] {
			return fmt.Errorf("a range has low, likely and high; %s is missing", key)
		}
	}
	return nil
}

// MarshalYAML writes what UnmarshalYAML reads.
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
	Low    float64 `yaml:"low" json:"low"`
	Likely float64 `yaml:"likely" json:"likely"`
	High   float64 `yaml:"high" json:"high"`
}
