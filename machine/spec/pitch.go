package spec

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// Pitch is the distance between neighbouring cells of a container in metres, or Fit. It is read and written as a
// units.Length. Whoever computes with a pitch must test for Fit first, which as a number is almost 0.
type Pitch units.Length

// Fit is the pitch that is written "fit": planning replaces it by the smallest at which the cables fit between the
// cells. It is not a length; it is a number only so that specs stay comparable with ==.
const Fit Pitch = math.SmallestNonzeroFloat64

// fitWord is how Fit is written.
const fitWord = "fit"

// UnmarshalText reads a length as units.ParseLength does, or the word fit in small letters. The error names both.
func (p *Pitch) UnmarshalText(b []byte) error {
	if string(b) == fitWord {
		*p = Fit
		return nil
	}
	l, err := units.ParseLength(string(b))
	if near, ok := diag.Closest(string(b), []string{fitWord}); ok && err != nil {
		return fmt.Errorf("%w, or %s", err, near)
	}
	*p = Pitch(l)
	return err
}

// String is the length with its unit, or fit.
func (p Pitch) String() string {
	if p == Fit {
		return fitWord
	}
	return units.Length(p).String()
}

// Most is the largest length that is accepted, in metres.
func (Pitch) Most() float64 { return units.Length(0).Most() }

// Units lists the units of a length.
func (Pitch) Units() []string { return units.Length(0).Units() }

// MarshalYAML writes the length as units.Length does, or fit.
func (p Pitch) MarshalYAML() (any, error) {
	if p == Fit {
		return fitWord, nil
	}
	return units.Length(p).MarshalYAML()
}

// MarshalJSON writes metres, or fit.
func (p Pitch) MarshalJSON() ([]byte, error) {
	if p == Fit {
		return json.Marshal(fitWord)
	}
	return json.Marshal(float64(p))
}

// UnmarshalJSON reads what MarshalJSON writes, and a text with a unit.
func (p *Pitch) UnmarshalJSON(b []byte) error {
	if text := ""; json.Unmarshal(b, &text) == nil {
		return p.UnmarshalText([]byte(text))
	}
	return (*units.Length)(p).UnmarshalJSON(b)
}

// Fitted reports along which axes, in the order of Pitch, the pitch of a level is fitted to its cables. A single pitch
// holds for all axes.
func (c *Container) Fitted() (fit [3]bool) {
	for axis := range fit {
		switch {
		case len(c.Pitch) == 1:
			fit[axis] = c.Pitch[0] == Fit
		case axis < len(c.Pitch):
			fit[axis] = c.Pitch[axis] == Fit
		}
	}
	return fit
}

// Fitted is the index in Room.Containers, outermost first, of the first level whose pitch is fitted to its cables along
// any axis; -1 if there is none.
func (s *Spec) Fitted() int {
	for i := range s.Room.Containers {
		if s.Room.Containers[i].Fitted() != [3]bool{} {
			return i
		}
	}
	return -1
}
