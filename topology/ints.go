package topology

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Ints is a list of integers; in YAML and JSON a single number stands for a
// list of one.
type Ints []int

// Sides writes the numbers as the sides of a lattice: "16x16x4".
func (n Ints) Sides() string {
	sides := make([]string, len(n))
	for i, side := range n {
		sides[i] = strconv.Itoa(side)
	}
	return strings.Join(sides, "x")
}

// UnmarshalYAML reads a list of integers or a single integer. It takes the
// decoder as a function, so that this package needs no YAML library.
func (n *Ints) UnmarshalYAML(decode func(any) error) error {
	var list []any
	if decode(&list) == nil {
		return decode((*[]int)(n))
	}
	var one int
	if err := decode(&one); err != nil {
		return err
	}
	*n = Ints{one}
	return nil
}

// UnmarshalJSON reads a list of integers or a single integer.
func (n *Ints) UnmarshalJSON(text []byte) error {
	if text = bytes.TrimSpace(text); len(text) > 0 && (text[0] == '[' || text[0] == 'n') {
		return json.Unmarshal(text, (*[]int)(n))
	}
	var one int
	if err := json.Unmarshal(text, &one); err != nil {
		return err
	}
	*n = Ints{one}
	return nil
}
