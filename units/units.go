// Package units holds the quantities that cross package borders: lengths,
// areas, times, frequencies, powers, energies, masses, data rates, optical losses
// and money.
//
// Every quantity is a type of its own, so that a bare float64 never means a
// length in one place and a time in another. The unit of each type's number is
// fixed (metres, nanoseconds, watts, kilograms, gigabits per second, decibels, cents);
// parsing accepts the usual other units and normalises them, and a bare number
// is taken in the type's own unit.
//
// All types that machine files and catalog files spell with a unit implement
// encoding.TextUnmarshaler, so the same spelling works there and on the command
// line. Diameter, Area, Frequency, Energy, Price and Tariff are plain numbers
// wherever they are written. The String methods round for people; they are not
// meant to be parsed back exactly.
package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// RackUnit is the height of one rack unit (EIA-310): 1.75 inches.
const RackUnit Length = 0.04445

// Length is a distance in metres.
type Length float64

// Diameter is the diameter of a bundle of cables, in millimetres.
type Diameter float64

// Area is a cross-section in square millimetres.
type Area float64

// Time is a delay in nanoseconds.
type Time float64

// Propagation is the delay of a medium per length, in nanoseconds per metre.
type Propagation float64

// Power is in watts.
type Power float64

// Voltage is in volts.
type Voltage float64

// Current is in amperes.
type Current float64

// Energy is in kilowatt hours.
type Energy float64

// Mass is in kilograms.
type Mass float64

// Flow is of a coolant, in litres per minute.
type Flow float64

// FloorLoad is the load that a floor can bear, or the load on it, in kilograms per square metre.
type FloorLoad float64

// Rate is a data rate of one direction of a link, in gigabits per second.
type Rate float64

// Loss is the loss of optical power on a path, in decibels.
type Loss float64

// Attenuation is the loss of fibre per length, in decibels per kilometre.
type Attenuation float64

// Percent is a share of a whole, in per cent.
type Percent float64

// Days is a lead time, in calendar days.
type Days float64

// Frequency is in gigahertz: cycles per nanosecond.
type Frequency float64

// Elapsed is the time that a computation took, in seconds.
type Elapsed float64

// Since returns the time that has passed since start.
func Since(start time.Time) Elapsed { return Elapsed(time.Since(start).Seconds()) }

// Cycles returns the number of cycles in t, which need not be whole.
func (f Frequency) Cycles(t Time) float64 { return float64(t) * float64(f) }

// Over returns the loss over l.
func (a Attenuation) Over(l Length) Loss { return Loss(float64(a) * float64(l) / 1000) }

// Over returns the time a signal takes over l.
func (p Propagation) Over(l Length) Time { return Time(float64(p) * float64(l)) }

type suffix struct {
	name   string
	factor float64
}

// A suffix that ends in another one comes before it ("mm" before "m"), as the first match is used.
var (
	lengthSuffixes = []suffix{
		{"mm", 1e-3}, {"cm", 1e-2}, {"km", 1e3}, {"m", 1}, {"in", 0.0254}, {"ft", 0.3048}, {"U", float64(RackUnit)},
	}
	timeSuffixes  = []suffix{{"ps", 1e-3}, {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}}
	propSuffixes  = []suffix{{"ns/m", 1}, {"ps/m", 1e-3}, {"ns/ft", 1 / 0.3048}, {"us/km", 1}, {"µs/km", 1}}
	powerSuffixes = []suffix{{"kW", 1e3}, {"MW", 1e6}, {"mW", 1e-3}, {"W", 1}}
	voltSuffixes  = []suffix{{"kV", 1e3}, {"V", 1}}
	ampSuffixes   = []suffix{{"A", 1}}
	massSuffixes  = []suffix{{"kg", 1}, {"g", 1e-3}, {"lb", 0.45359237}, {"t", 1e3}}
	flowSuffixes  = []suffix{{"l/min", 1}, {"L/min", 1}, {"lpm", 1}, {"LPM", 1}, {"m3/h", 1e3 / 60}, {"m³/h", 1e3 / 60}}
	floorSuffixes = []suffix{
		{"kg/m2", 1},
		{"kg/m²", 1},
		{"t/m2", 1e3},
		{"kN/m2", 1e3 / gravity},
		{"kN/m²", 1e3 / gravity},
		{"kPa", 1e3 / gravity},
		{"lb/ft2", poundsPerSquareFoot},
		{"psf", poundsPerSquareFoot},
	}
	lossSuffixes  = []suffix{{"dB", 1}}
	shareSuffixes = []suffix{{"%", 1}}
	attenSuffixes = []suffix{{"dB/km", 1}, {"dB/m", 1e3}}
	daysSuffixes  = []suffix{{"days", 1}, {"day", 1}, {"weeks", 7}, {"week", 7}, {"d", 1}, {"w", 7}}
	rateSuffixes  = []suffix{{"Gb/s", 1}, {"Tb/s", 1e3}, {"Mb/s", 1e-3}, {"G", 1}, {"T", 1e3}}
)

const (
	gravity             = 9.80665 // standard, in m/s²
	poundsPerSquareFoot = 0.45359237 / (0.3048 * 0.3048)
)

// Most that each quantity may be, either side of zero, where it is read from text.
// Nothing that is built comes near; what is counted and summed up from quantities in
// these ranges keeps its digits and stays finite.
const (
	MostLength      Length      = 100_000 // 100 km
	MostTime        Time        = 1e9     // 1 s
	MostPropagation Propagation = 1000    // a 300th of the speed of light
	MostPower       Power       = 1e9     // 1 GW
	MostVoltage     Voltage     = 100_000 // 100 kV
	MostCurrent     Current     = 100_000 // 100 kA
	MostMass        Mass        = 1e6     // 1,000 t
	MostFlow        Flow        = 10_000_000
	MostFloorLoad   FloorLoad   = 100_000   // 100 t on a square metre
	MostRate        Rate        = 1_000_000 // 1 Pb/s
	MostLoss        Loss        = 1000
	MostPercent     Percent     = 100
	MostDays        Days        = 3650
	MostAttenuation Attenuation = 1_000_000 // 1,000 dB/m
)

// Most is MostLength, in metres.
func (Length) Most() float64 { return float64(MostLength) }

// Most is MostTime, in nanoseconds.
func (Time) Most() float64 { return float64(MostTime) }

// Most is MostPropagation, in nanoseconds per metre.
func (Propagation) Most() float64 { return float64(MostPropagation) }

// Most is MostPower, in watts.
func (Power) Most() float64 { return float64(MostPower) }

// Most is MostVoltage, in volts.
func (Voltage) Most() float64 { return float64(MostVoltage) }

// Most is MostCurrent, in amperes.
func (Current) Most() float64 { return float64(MostCurrent) }

// Most is MostMass, in kilograms.
func (Mass) Most() float64 { return float64(MostMass) }

// Most is MostFlow, in litres per minute.
func (Flow) Most() float64 { return float64(MostFlow) }

// Most is MostFloorLoad, in kilograms per square metre.
func (FloorLoad) Most() float64 { return float64(MostFloorLoad) }

// Most is MostRate, in gigabits per second.
func (Rate) Most() float64 { return float64(MostRate) }

// Most is MostLoss, in decibels.
func (Loss) Most() float64 { return float64(MostLoss) }

// Most is MostPercent.
func (Percent) Most() float64 { return float64(MostPercent) }

// Most is MostDays.
func (Days) Most() float64 { return float64(MostDays) }

// Most is MostAttenuation, in decibels per kilometre.
func (Attenuation) Most() float64 { return float64(MostAttenuation) }

// TooLargeError says that a quantity is beyond the most of its kind.
type TooLargeError struct{ text string }

// Error names the text and the most.
func (e *TooLargeError) Error() string { return e.text }

// TooLarge tells readers that have a lower limit of their own that it is broken, too.
func (e *TooLargeError) TooLarge() bool { return true }

// parse reads a number with one of the units, whose size is at most that of the
// largest.
func parse[T interface {
	~float64
	fmt.Stringer
	Most() float64
}](text, what string, suffixes []suffix) (T, error) {
	s := strings.TrimSpace(text)
	factor := 1.0
	for _, x := range suffixes {
		if rest, ok := strings.CutSuffix(s, x.name); ok {
			s, factor = strings.TrimSpace(rest), x.factor
			break
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		var names []string
		for _, x := range suffixes {
			names = append(names, x.name)
		}
		return 0, fmt.Errorf("%q is not a %s (a number and one of %s)", text, what, strings.Join(names, ", "))
	}
	var largest T
	if largest = T(largest.Most()); math.Abs(v*factor) > float64(largest) {
		return 0, &TooLargeError{fmt.Sprintf("%q is too large for a %s: the most is %v", text, what, largest)}
	}
	return T(v * factor), nil
}

// ParseLength reads a length such as "0.6 m", "600 mm", "2 ft" or "42U". Like all
// parsers of quantities it refuses what is beyond the most.
func ParseLength(s string) (Length, error) {
	return parse[Length](s, "length", lengthSuffixes)
}

// ParseTime reads a time such as "90 ns" or "1.3 us".
func ParseTime(s string) (Time, error) {
	return parse[Time](s, "time", timeSuffixes)
}

// ParsePropagation reads a propagation delay such as "4.5 ns/m".
func ParsePropagation(s string) (Propagation, error) {
	return parse[Propagation](s, "propagation delay", propSuffixes)
}

// ParsePower reads a power such as "10.2 kW".
func ParsePower(s string) (Power, error) {
	return parse[Power](s, "power", powerSuffixes)
}

// ParseVoltage reads a voltage such as "415 V".
func ParseVoltage(s string) (Voltage, error) {
	return parse[Voltage](s, "voltage", voltSuffixes)
}

// ParseCurrent reads a current such as "60 A".
func ParseCurrent(s string) (Current, error) {
	return parse[Current](s, "current", ampSuffixes)
}

// ParseMass reads a mass such as "130 kg".
func ParseMass(s string) (Mass, error) {
	return parse[Mass](s, "mass", massSuffixes)
}

// ParseFlow reads a flow of coolant such as "1200 l/min" or "72 m3/h".
func ParseFlow(s string) (Flow, error) {
	return parse[Flow](s, "flow", flowSuffixes)
}

// ParseFloorLoad reads a floor load such as "1200 kg/m2" or "12 kN/m2".
func ParseFloorLoad(s string) (FloorLoad, error) {
	return parse[FloorLoad](s, "floor load", floorSuffixes)
}

// ParseRate reads a data rate such as "400G" or "40 Gb/s".
func ParseRate(s string) (Rate, error) {
	return parse[Rate](s, "data rate", rateSuffixes)
}

// ParseLoss reads a loss such as "0.35 dB".
func ParseLoss(s string) (Loss, error) {
	return parse[Loss](s, "loss", lossSuffixes)
}

// ParsePercent reads a share of a whole in per cent such as "85 %"; a bare number is of per cent.
func ParsePercent(s string) (Percent, error) {
	return parse[Percent](s, "percentage", shareSuffixes)
}

// ParseDays reads a time of delivery such as "8 weeks" or "10 days"; a bare number is of days.
func ParseDays(s string) (Days, error) {
	return parse[Days](s, "time of delivery", daysSuffixes)
}

// ParseAttenuation reads an attenuation such as "0.4 dB/km".
func ParseAttenuation(s string) (Attenuation, error) {
	return parse[Attenuation](s, "attenuation", attenSuffixes)
}

// ParseShare reads a share of a whole, such as "5%" or "0.05", which is from 0 to 1.
func ParseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		x /= 100
	}
	if err != nil || !(x >= 0 && x <= 1) {
		return 0, fmt.Errorf("%q is not a share from 0 to 100%%, like 5%% or 0.05", s)
	}
	return x, nil
}

// UnmarshalText implements encoding.TextUnmarshaler by ParseLength.
func (l *Length) UnmarshalText(b []byte) (err error) { *l, err = ParseLength(string(b)); return err }

// UnmarshalText implements encoding.TextUnmarshaler by ParseTime.
func (t *Time) UnmarshalText(b []byte) (err error) { *t, err = ParseTime(string(b)); return err }

// UnmarshalText implements encoding.TextUnmarshaler by ParsePropagation.
func (p *Propagation) UnmarshalText(b []byte) (err error) {
	*p, err = ParsePropagation(string(b))
	return err
}

// UnmarshalText implements encoding.TextUnmarshaler by ParsePower.
func (p *Power) UnmarshalText(b []byte) (err error) { *p, err = ParsePower(string(b)); return err }

// UnmarshalText implements encoding.TextUnmarshaler by ParseVoltage.
func (v *Voltage) UnmarshalText(b []byte) (err error) { *v, err = ParseVoltage(string(b)); return err }

// UnmarshalText implements encoding.TextUnmarshaler by ParseCurrent.
func (c *Current) UnmarshalText(b []byte) (err error) { *c, err = ParseCurrent(string(b)); return err }

// UnmarshalText implements encoding.TextUnmarshaler by ParseMass.
func (m *Mass) UnmarshalText(b []byte) (err error) { *m, err = ParseMass(string(b)); return err }

// UnmarshalText implements encoding.TextUnmarshaler by ParseFlow.
func (f *Flow) UnmarshalText(b []byte) (err error) { *f, err = ParseFlow(string(b)); return err }

// UnmarshalText implements encoding.TextUnmarshaler by ParseFloorLoad.
func (f *FloorLoad) UnmarshalText(b []byte) (err error) {
	*f, err = ParseFloorLoad(string(b))
	return err
}

// UnmarshalText implements encoding.TextUnmarshaler by ParseLoss.
func (l *Loss) UnmarshalText(b []byte) (err error) { *l, err = ParseLoss(string(b)); return err }

// UnmarshalText implements encoding.TextUnmarshaler by ParsePercent.
func (p *Percent) UnmarshalText(b []byte) (err error) { *p, err = ParsePercent(string(b)); return err }

// UnmarshalText implements encoding.TextUnmarshaler by ParseDays.
func (d *Days) UnmarshalText(b []byte) (err error) { *d, err = ParseDays(string(b)); return err }

// UnmarshalText implements encoding.TextUnmarshaler by ParseAttenuation.
func (a *Attenuation) UnmarshalText(b []byte) (err error) {
	*a, err = ParseAttenuation(string(b))
	return err
}

// UnmarshalText implements encoding.TextUnmarshaler by ParseRate.
func (r *Rate) UnmarshalText(b []byte) (err error) { *r, err = ParseRate(string(b)); return err }

// AsDiameter returns the length in millimetres.
func (l Length) AsDiameter() Diameter { return Diameter(float64(l) * 1e3) }

// Round4 rounds to four decimals: a tenth of a millimetre, the resolution at
// which cable lengths are kept. It also removes the last-bit differences that
// processors with fused multiply-add would show.
func (l Length) Round4() Length { return Length(round(float64(l)*1e4) / 1e4) }

// round is math.Round, which processors have no instruction for, by one that they have.
func round(x float64) float64 {
	whole := math.Trunc(x)
	if rest := x - whole; rest >= 0.5 || rest <= -0.5 { // exact
		whole += math.Copysign(1, x)
	}
	return whole
}

func number(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		s = "0"
	}
	return s
}

// Abs returns the length without its sign.
func (l Length) Abs() Length { return Length(math.Abs(float64(l))) }

// Number formats the length in metres with at most four decimals.
func (l Length) Number() string { return number(float64(l), 4) }

// String formats the length in metres, to the millimetre.
func (l Length) String() string { return number(float64(l), 3) + " m" }

// FormatDistinct formats two lengths for a comparison, as String does but with more decimals if different lengths would
// look equal otherwise: 0.4601 m and 0.46 m.
func FormatDistinct(a, b Length) (string, string) {
	for decimals := 3; decimals < 9; decimals++ {
		if x, y := number(float64(a), decimals), number(float64(b), decimals); x != y {
			return x + " m", y + " m"
		}
	}
	return a.String(), b.String()
}

// String formats the time in nanoseconds, to two decimals.
func (t Time) String() string { return number(float64(t), 2) + " ns" }

// String formats the delay in nanoseconds per metre, to three decimals.
func (p Propagation) String() string { return number(float64(p), 3) + " ns/m" }

// String formats the voltage in volts, to one decimal.
func (v Voltage) String() string { return number(float64(v), 1) + " V" }

// String formats the current in amperes, to one decimal.
func (c Current) String() string { return number(float64(c), 1) + " A" }

// String formats the mass in kilograms, to one decimal.
func (m Mass) String() string { return number(float64(m), 1) + " kg" }

// String formats the flow in litres per minute, to one decimal.
func (f Flow) String() string { return number(float64(f), 1) + " l/min" }

// String formats the cross-section in square millimetres, below 10 mm2 with one decimal.
func (a Area) String() string {
	decimals := 0
	if math.Abs(float64(a)) < 10 {
		decimals = 1
	}
	return number(float64(a), decimals) + " mm2"
}

// String formats the load in kilograms per square metre, to a whole number.
func (f FloorLoad) String() string { return number(float64(f), 0) + " kg/m²" }

// String formats the rate as parts name it: "400G".
func (r Rate) String() string { return number(float64(r), 3) + "G" }

// String formats the loss in decibels, to two decimals.
func (l Loss) String() string { return number(float64(l), 2) + " dB" }

// String formats the share in per cent, to two decimals.
func (p Percent) String() string { return number(float64(p), 2) + " %" }

// String formats the time of delivery in days.
func (d Days) String() string { return number(float64(d), 1) + " days" }

// String formats the attenuation in decibels per kilometre, to three decimals.
func (a Attenuation) String() string { return number(float64(a), 3) + " dB/km" }

// String formats the power in watts, kilowatts or megawatts, whichever is shortest.
func (p Power) String() string {
	switch {
	case math.Abs(float64(p)) >= 1e6:
		return number(float64(p)/1e6, 2) + " MW"
	case math.Abs(float64(p)) >= 1e3:
		return number(float64(p)/1e3, 1) + " kW"
	}
	return number(float64(p), 1) + " W"
}
