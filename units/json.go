package units

import "encoding/json"

// JSON documents have plain numbers, in the unit that the type's number is in;
// the field's name carries the unit: `json:"length_m"`, `json:"delay_ns"`. So a
// quantity is written as the float that it is, exactly. The UnmarshalJSON methods
// read that back, and take a text with a unit as the parsers do.

func fromJSON[T ~float64](b []byte, to *T, parse func(string) (T, error)) error {
	if len(b) == 0 || b[0] != '"' {
		v := float64(*to) // stays where the document has null
		err := json.Unmarshal(b, &v)
		*to = T(v)
		return err
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	v, err := parse(text)
	if err == nil {
		*to = v
	}
	return err
}

// UnmarshalJSON reads metres, or a text that ParseLength takes.
func (l *Length) UnmarshalJSON(b []byte) error { return fromJSON(b, l, ParseLength) }

// UnmarshalJSON reads nanoseconds, or a text that ParseTime takes.
func (t *Time) UnmarshalJSON(b []byte) error { return fromJSON(b, t, ParseTime) }

// UnmarshalJSON reads nanoseconds per metre, or a text that ParsePropagation takes.
func (p *Propagation) UnmarshalJSON(b []byte) error { return fromJSON(b, p, ParsePropagation) }

// UnmarshalJSON reads watts, or a text that ParsePower takes.
func (p *Power) UnmarshalJSON(b []byte) error { return fromJSON(b, p, ParsePower) }

// UnmarshalJSON reads volts, or a text that ParseVoltage takes.
func (v *Voltage) UnmarshalJSON(b []byte) error { return fromJSON(b, v, ParseVoltage) }

// UnmarshalJSON reads amperes, or a text that ParseCurrent takes.
func (c *Current) UnmarshalJSON(b []byte) error { return fromJSON(b, c, ParseCurrent) }

// UnmarshalJSON reads kilograms, or a text that ParseMass takes.
func (m *Mass) UnmarshalJSON(b []byte) error { return fromJSON(b, m, ParseMass) }

// UnmarshalJSON reads litres per minute, or a text that ParseFlow takes.
func (f *Flow) UnmarshalJSON(b []byte) error { return fromJSON(b, f, ParseFlow) }

// UnmarshalJSON reads kilograms per square metre, or a text that ParseFloorLoad takes.
func (f *FloorLoad) UnmarshalJSON(b []byte) error { return fromJSON(b, f, ParseFloorLoad) }

// UnmarshalJSON reads decibels, or a text that ParseLoss takes.
func (l *Loss) UnmarshalJSON(b []byte) error { return fromJSON(b, l, ParseLoss) }

// UnmarshalJSON reads per cent, or a text that ParsePercent takes.
func (p *Percent) UnmarshalJSON(b []byte) error { return fromJSON(b, p, ParsePercent) }

// UnmarshalJSON reads days, or a text that ParseDays takes.
func (d *Days) UnmarshalJSON(b []byte) error { return fromJSON(b, d, ParseDays) }

// UnmarshalJSON reads decibels per kilometre, or a text that ParseAttenuation takes.
func (a *Attenuation) UnmarshalJSON(b []byte) error { return fromJSON(b, a, ParseAttenuation) }

// UnmarshalJSON reads gigabits per second, or a text that ParseRate takes.
func (r *Rate) UnmarshalJSON(b []byte) error { return fromJSON(b, r, ParseRate) }
