package spec

import "encoding/json"

// Breakout says how many ports those of a part are broken out into: by the name of a port, of a group of them or of a
// range, as Ports has it. The name "" is that of all ports that links are plugged into without being named; it stands
// alone, and is written as a number.
type Breakout map[string]int

// BreakoutOfAll breaks every port out into as many.
func BreakoutOfAll(into int) Breakout { return Breakout{"": into} }

// All is what every port is broken out into where that is a number; 1 for ranges of ports, and without a breakout.
func (b Breakout) All() int { return max(b[""], 1) }

// Written makes the reader take a number for that of all ports; for anything else it returns nil, and the ranges are
// read.
func (b *Breakout) Written(tag string) (target any, take func()) {
	if tag != "!!int" {
		return nil, nil
	}
	into := 0
	return &into, func() {
		if into > 0 {
			*b = BreakoutOfAll(into)
		}
	}
}

// MarshalJSON writes a number or the ranges.
func (b Breakout) MarshalJSON() ([]byte, error) { return json.Marshal(b.value()) }

// MarshalYAML writes a number or the ranges.
func (b Breakout) MarshalYAML() (any, error) { return b.value(), nil }

func (b Breakout) value() any {
	if into, ok := b[""]; ok {
		return into
	}
	return map[string]int(b)
}
