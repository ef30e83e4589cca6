package units

import "strconv"

// The MarshalYAML methods write a quantity so that it is read back exactly: the
// shortest decimal number that yields the same bits, and the unit that the
// type's number is in.

func exact(v float64, unit string) (any, error) {
	return strconv.FormatFloat(v, 'f', -1, 64) + unit, nil
}

func (l Length) MarshalYAML() (any, error)      { return exact(float64(l), " m") }
func (t Time) MarshalYAML() (any, error)        { return exact(float64(t), " ns") }
func (p Propagation) MarshalYAML() (any, error) { return exact(float64(p), " ns/m") }
func (p Power) MarshalYAML() (any, error)       { return exact(float64(p), " W") }
func (m Mass) MarshalYAML() (any, error)        { return exact(float64(m), " kg") }
func (l Loss) MarshalYAML() (any, error)        { return exact(float64(l), " dB") }
func (a Attenuation) MarshalYAML() (any, error) { return exact(float64(a), " dB/km") }
func (r Rate) MarshalYAML() (any, error)        { return exact(float64(r), "G") }

// MarshalYAML writes the amount as text with two decimals.
func (m Money) MarshalYAML() (any, error) { return m.Decimal(), nil }

// The Units methods list the units that a type's parser accepts, for schemas.

func (Length) Units() []string      { return unitNames(lengthSuffixes) }
func (Time) Units() []string        { return unitNames(timeSuffixes) }
func (Propagation) Units() []string { return unitNames(propSuffixes) }
func (Power) Units() []string       { return unitNames(powerSuffixes) }
func (Mass) Units() []string        { return unitNames(massSuffixes) }
func (Loss) Units() []string        { return unitNames(lossSuffixes) }
func (Attenuation) Units() []string { return unitNames(attenSuffixes) }
func (Rate) Units() []string        { return unitNames(rateSuffixes) }

func unitNames(suffixes []suffix) []string {
	names := make([]string, len(suffixes))
	for i, s := range suffixes {
		names[i] = s.name
	}
	return names
}
