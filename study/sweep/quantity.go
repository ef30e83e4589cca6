package sweep

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/units"
)

// quantity is how the values of a column are read as numbers.
type quantity struct {
	unit string // as axes write it; empty for plain numbers
	read func(cell string) (float64, bool)
}

// plain reads numbers without a unit.
func plain() *quantity {
	return &quantity{read: func(cell string) (float64, bool) {
		v, err := strconv.ParseFloat(cell, 64)
		return v, err == nil
	}}
}

// parsers read texts of each quantity, in the unit beside them.
var parsers = []struct {
	unit string
	read func(string) (float64, error)
}{
	{"m", reader(units.ParseLength)},
	{"ns", reader(units.ParseTime)},
	{"ns/m", reader(units.ParsePropagation)},
	{"W", reader(units.ParsePower)},
	{"kg", reader(units.ParseMass)},
	{"Gb/s", reader(units.ParseRate)},
	{"dB", reader(units.ParseLoss)},
	{"dB/km", reader(units.ParseAttenuation)},
	{"kg/m²", reader(units.ParseFloorLoad)},
	{"l/min", reader(units.ParseFlow)},
	{"days", reader(units.ParseDays)},
}

func reader[T ~float64](parse func(string) (T, error)) func(string) (float64, error) {
	return func(s string) (float64, error) {
		v, err := parse(s)
		return float64(v), err
	}
}

// percent reads "15 %".
func percent(cell string) (float64, bool) {
	number, ok := strings.CutSuffix(unquote(cell), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	return v, ok && err == nil
}

// quantity finds how a column is read: as numbers, or as values of one quantity with their units, such as 30 cm and 1
// m, or 400G. In one unit they keep it, in several they are converted. It is nil where there is a value that is
// neither.
func (t *Table) quantity(ctx context.Context, column string) (*quantity, error) {
	switch t.columns[t.index[column]].kind {
	case whole, decimal:
		return plain(), nil
	case text:
	default:
		return nil, nil
	}
	suffixes := map[string]bool{}
	fits := make([]bool, len(parsers))
	for i := range fits {
		fits[i] = true
	}
	shares, some := true, false
	err := t.each(ctx, func(r row) error {
		for _, c := range r.cells {
			if c.name != column || c.value == "null" {
				continue
			}
			some = true
			cell := unquote(c.value)
			_, ok := percent(c.value)
			shares = shares && ok
			for i, p := range parsers {
				_, err := p.read(cell)
				fits[i] = fits[i] && err == nil
			}
			suffixes[strings.TrimLeft(cell, "0123456789.+- ")] = true
		}
		return nil
	})
	if err != nil || !some {
		return nil, err
	}
	if shares {
		return &quantity{"%", percent}, nil
	}
	for i, p := range parsers {
		if !fits[i] {
			continue
		}
		for suffix := range suffixes {
			if len(suffixes) == 1 && suffix != "" { // the values as they are written
				written := map[string]string{"G": "Gb/s", "T": "Tb/s"}
				return &quantity{cmp.Or(written[suffix], suffix), func(cell string) (float64, bool) {
					v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(unquote(cell), suffix)), 64)
					return v, err == nil
				}}, nil
			}
		}
		return &quantity{p.unit, func(cell string) (float64, bool) {
			v, err := p.read(unquote(cell))
			return v, err == nil
		}}, nil
	}
	return nil, nil
}
