package spec

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/units"
)

// Excess bounds how much longer than the shortest piece that will do another one may be: a length in metres, or a share
// of the shortest piece in per cent. The share is kept as a negative number, so that specs stay comparable.
type Excess float64

// percentSign ends a share.
const percentSign = "%"

// Share is the bound as a share of the shortest piece, 0 where it is a length.
func (e Excess) Share() float64 { return max(0, -float64(e)) / 100 }

// Length is the bound as a length, 0 where it is a share.
func (e Excess) Length() units.Length { return units.Length(max(0, float64(e))) }

// UnmarshalText reads a length as units.ParseLength does, or a number and a per cent sign.
func (e *Excess) UnmarshalText(b []byte) error {
	text := strings.TrimSpace(string(b))
	if number, ok := strings.CutSuffix(text, percentSign); ok {
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%q is not a share\nwrite a number and a per cent sign, such as 30 %%", text)
		}
		if v < 0 {
			return fmt.Errorf("%s is negative", text)
		}
		*e = Excess(0 - v)
		return nil
	}
	l, err := units.ParseLength(text)
	switch {
	case err != nil:
		return fmt.Errorf("%w, or a share such as 30 %%", err)
	case l < 0:
		return fmt.Errorf("%s is negative", text)
	}
	*e = Excess(l)
	return nil
}

// String is the length with its unit, or the share in per cent.
func (e Excess) String() string {
	if e < 0 {
		return strconv.FormatFloat(-float64(e), 'f', -1, 64) + " " + percentSign
	}
	return e.Length().String()
}

// Most is the largest length.
func (Excess) Most() float64 { return units.Length(0).Most() }

// Units lists the units of a length, and the per cent sign.
func (Excess) Units() []string { return slices.Concat(units.Length(0).Units(), []string{percentSign}) }

// MarshalYAML writes the length as units.Length does, or the share.
func (e Excess) MarshalYAML() (any, error) {
	if e < 0 {
		return e.String(), nil
	}
	return e.Length().MarshalYAML()
}

// MarshalJSON writes metres, or the share as a text.
func (e Excess) MarshalJSON() ([]byte, error) {
	if e < 0 {
		return json.Marshal(e.String())
	}
	return json.Marshal(float64(e))
}

// UnmarshalJSON reads what MarshalJSON writes, and a text with a unit.
func (e *Excess) UnmarshalJSON(b []byte) error {
	text := ""
	if json.Unmarshal(b, &text) != nil {
		text = string(b)
	}
	return e.UnmarshalText([]byte(text))
}
