package units

import "strconv"

// The MarshalYAML methods write a quantity so that it is read back exactly: the
// shortest decimal number that yields the same bits, and the unit that the
// type's number is in.

func exact(v float64, unit string) (any, error) {
	return strconv.FormatFloat(v, 'f', -1, 64) + unit, nil
}

// MarshalYAML writes the quantity as text in metres.
func (l Length) MarshalYAML() (any, error) { return exact(float64(l), " m") }

// MarshalYAML writes the quantity as text in nanoseconds.
func (t Time) MarshalYAML() (any, error) { return exact(float64(t), " ns") }

// MarshalYAML writes the quantity as text in nanoseconds per metre.
func (p Propagation) MarshalYAML() (any, error) { return exact(float64(p), " ns/m") }

// MarshalYAML writes the quantity as text in watts.
func (p Power) MarshalYAML() (any, error) { return exact(float64(p), " W") }

// MarshalYAML writes the quantity as text in volts.
func (v Voltage) MarshalYAML() (any, error) { return exact(float64(v), " V") }

// MarshalYAML writes the quantity as text in amperes.
func (c Current) MarshalYAML() (any, error) { return exact(float64(c), " A") }

// MarshalYAML writes the quantity as text in kilograms.
func (m Mass) MarshalYAML() (any, error) { return exact(float64(m), " kg") }

// MarshalYAML writes the quantity as text in litres per minute.
func (f Flow) MarshalYAML() (any, error) { return exact(float64(f), " l/min") }

// MarshalYAML writes the quantity as text in kilograms per square metre.
func (f FloorLoad) MarshalYAML() (any, error) { return exact(float64(f), " kg/m2") }

// MarshalYAML writes the quantity as text in decibels.
func (l Loss) MarshalYAML() (any, error) { return exact(float64(l), " dB") }

// MarshalYAML writes the quantity as text in per cent.
func (p Percent) MarshalYAML() (any, error) { return exact(float64(p), " %") }

// MarshalYAML writes the quantity as text in days.
func (d Days) MarshalYAML() (any, error) { return exact(float64(d), " days") }

// MarshalYAML writes the quantity as text in decibels per kilometre.
func (a Attenuation) MarshalYAML() (any, error) { return exact(float64(a), " dB/km") }

// MarshalYAML writes the quantity as text in gigabits per second.
func (r Rate) MarshalYAML() (any, error) { return exact(float64(r), "G") }

// MarshalYAML writes the amount as text with two decimals.
func (m Money) MarshalYAML() (any, error) { return m.Decimal(), nil }

// Units lists the units that ParseLength accepts.
func (Length) Units() []string { return unitNames(lengthSuffixes) }

// Units lists the units that ParseTime accepts.
func (Time) Units() []string { return unitNames(timeSuffixes) }

// Units lists the units that ParsePropagation accepts.
func (Propagation) Units() []string { return unitNames(propSuffixes) }

// Units lists the units that ParsePower accepts.
func (Power) Units() []string { return unitNames(powerSuffixes) }

// Units lists the units that ParseVoltage accepts.
func (Voltage) Units() []string { return unitNames(voltSuffixes) }

// Units lists the units that ParseCurrent accepts.
func (Current) Units() []string { return unitNames(ampSuffixes) }

// Units lists the units that ParseMass accepts.
func (Mass) Units() []string { return unitNames(massSuffixes) }

// Units lists the units that ParseFlow accepts.
func (Flow) Units() []string { return unitNames(flowSuffixes) }

// Units lists the units that ParseFloorLoad accepts.
func (FloorLoad) Units() []string { return unitNames(floorSuffixes) }

// Units lists the units that ParseLoss accepts.
func (Loss) Units() []string { return unitNames(lossSuffixes) }

// Units lists the units that ParsePercent accepts.
func (Percent) Units() []string { return unitNames(shareSuffixes) }

// Units lists the units that ParseDays accepts.
func (Days) Units() []string { return unitNames(daysSuffixes) }

// Units lists the units that ParseAttenuation accepts.
func (Attenuation) Units() []string { return unitNames(attenSuffixes) }

// Units lists the units that ParseRate accepts.
func (Rate) Units() []string { return unitNames(rateSuffixes) }

func unitNames(suffixes []suffix) []string {
	names := make([]string, len(suffixes))
	for i, s := range suffixes {
		names[i] = s.name
	}
	return names
}
