package units

import (
	"encoding"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// quantity is a type with a unit.
type quantity struct {
	parse func(string) (float64, error)
	new   func() encoding.TextUnmarshaler
	units []string
}

// pointer is a pointer to a quantity.
type pointer[T any] interface {
	*T
	encoding.TextUnmarshaler
}

func of[T ~float64, P pointer[T]](parse func(string) (T, error), units []string) quantity {
	return quantity{
		parse: func(s string) (float64, error) { v, err := parse(s); return float64(v), err },
		new:   func() encoding.TextUnmarshaler { return P(new(T)) },
		units: units,
	}
}

// quantities are all types with a unit, by name.
var quantities = map[string]quantity{
	"length":            of(ParseLength, Length(0).Units()),
	"time":              of(ParseTime, Time(0).Units()),
	"propagation delay": of(ParsePropagation, Propagation(0).Units()),
	"power":             of(ParsePower, Power(0).Units()),
	"mass":              of(ParseMass, Mass(0).Units()),
	"flow":              of(ParseFlow, Flow(0).Units()),
	"floor load":        of(ParseFloorLoad, FloorLoad(0).Units()),
	"data rate":         of(ParseRate, Rate(0).Units()),
	"loss":              of(ParseLoss, Loss(0).Units()),
	"percentage":        of(ParsePercent, Percent(0).Units()),
	"time of delivery":  of(ParseDays, Days(0).Units()),
	"attenuation":       of(ParseAttenuation, Attenuation(0).Units()),
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b)) }

// What two of every unit are in the type's own unit.
func TestParseEverySuffix(t *testing.T) {
	for what, cases := range map[string]map[string]float64{
		"length": {
			"2 mm": 0.002, "2 cm": 0.02, "2 m": 2, "2 km": 2000, "2 in": 0.0508, "2 ft": 0.6096, "2 U": 0.0889, "2": 2,
			"42U": 1.8669, "0.6m": 0.6, "-3 m": -3, "+3 m": 3, " 3\tm ": 3, "1e3 mm": 1, ".5 m": 0.5,
			"5. m": 5, "0 m": 0,
		},
		"flow": {
			"2 l/min": 2, "2 L/min": 2, "2 lpm": 2, "2 LPM": 2, "2 m3/h": 100. / 3, "2 m³/h": 100. / 3, "2": 2,
		},
		"floor load": {
			"2 kg/m2": 2, "2 kg/m²": 2, "2 t/m2": 2000, "2 kN/m2": 2e3 / 9.80665, "2 kN/m²": 2e3 / 9.80665,
			"2 kPa": 2e3 / 9.80665, "2 lb/ft2": 2 * 4.882427636383, "2 psf": 2 * 4.882427636383, "2": 2,
		},
		"time": {"2 ps": 0.002, "2 ns": 2, "2 us": 2000, "2 µs": 2000, "2 ms": 2e6, "2": 2, "1.3us": 1300},
		"propagation delay": {
			"2 ns/m": 2, "2 ps/m": 0.002, "2 ns/ft": 2 / 0.3048, "2 us/km": 2, "2 µs/km": 2,
			"2": 2, "4.9ns/m": 4.9,
		},
		"power":       {"2 kW": 2000, "2 MW": 2e6, "2 mW": 0.002, "2 W": 2, "2": 2, "10.2kW": 10200},
		"mass":        {"2 kg": 2, "2 g": 0.002, "2 lb": 0.90718474, "2 t": 2000, "2": 2},
		"data rate":   {"2 Gb/s": 2, "2 Tb/s": 2000, "2 Mb/s": 0.002, "2 G": 2, "2 T": 2000, "2": 2, "400G": 400},
		"loss":        {"2 dB": 2, "2": 2, "0.35dB": 0.35},
		"attenuation": {"2 dB/km": 2, "2 dB/m": 2000, "2": 2},
	} {
		q := quantities[what]
		for text, want := range cases {
			if got, err := q.parse(text); err != nil || !near(got, want) {
				t.Errorf("%s %q: %v %v, want %v", what, text, got, err, want)
			}
		}
		for _, unit := range q.units {
			if _, ok := cases["2 "+unit]; !ok {
				t.Errorf("no case for a %s in %s", what, unit)
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for what, q := range quantities {
		unit := q.units[0]
		for _, text := range []string{
			"", " ", unit, "x", "x " + unit, "1 " + unit + " " + unit, "1 yards", "1,5 " + unit,
			"1 2 " + unit, "--1 " + unit, "NaN", "NaN " + unit, "Inf", "-Inf " + unit, "infinity",
			"1e999", "1e999 " + unit, unit + " 1",
		} {
			v := q.new()
			err := v.UnmarshalText([]byte(text))
			if err == nil {
				t.Errorf("%s %q was taken", what, text)
				continue
			}
			if message := err.Error(); !strings.Contains(message, what) || !strings.Contains(message, unit) {
				t.Errorf("%s %q: the message is %q", what, text, message)
			}
		}
	}
}

// What no machine has is refused with what is possible, so that sums stay finite.
func TestParseRefusesWhatIsBeyondTheMost(t *testing.T) {
	for what, q := range quantities {
		most := q.new().(interface{ Most() float64 }).Most()
		for _, sign := range []float64{1, -1} {
			v := q.new()
			if err := v.UnmarshalText([]byte(fmt.Sprint(sign * most))); err != nil {
				t.Errorf("%s %v: %v", what, sign*most, err)
			}
			for _, beyond := range []float64{most * 1.000001, 1e300, math.MaxFloat64} {
				err := v.UnmarshalText([]byte(fmt.Sprint(sign * beyond)))
				if err == nil || !strings.Contains(err.Error(), "the most is") {
					t.Errorf("%s %v: %v", what, sign*beyond, err)
				}
			}
		}
	}
}

func TestParseScalesByTheUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		what := rapid.SampledFrom(slices.Sorted(maps.Keys(quantities))).Draw(t, "what")
		q := quantities[what]
		unit := rapid.SampledFrom(q.units).Draw(t, "unit")
		one, err := q.parse("1 " + unit)
		if err != nil {
			t.Fatal(err)
		}
		v := rapid.Float64Range(-0.3, 0.3).Draw(t, "v") // in the largest unit too
		text := Length(v).String()
		number, _ := strings.CutSuffix(text, " m")
		bare, err := q.parse(number)
		if err != nil {
			t.Fatal(err)
		}
		got, err := q.parse(number + rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "space") + unit)
		if err != nil || !near(got, bare*one) {
			t.Fatalf("%s %s: %v %v, want %v", number, unit, got, err, bare*one)
		}
	})
}

func TestRound4(t *testing.T) {
	for _, c := range []struct{ given, want Length }{
		{0, 0},
		{1, 1},
		{0.00004, 0},
		{0.00005, 0.0001},
		{-0.00005, -0.0001},
		{1.23454999, 1.2345},
		{1.23456, 1.2346},
		{0.1 + 0.2, 0.3},
		{-7.00009, -7.0001},
	} {
		if got := c.given.Round4(); got != c.want {
			t.Errorf("%v: %v, want %v", float64(c.given), float64(got), float64(c.want))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		l := Length(rapid.Float64Range(-9e4, 9e4).Draw(t, "l"))
		r := l.Round4()
		if math.Abs(float64(r-l)) > 0.5e-4+1e-9 || r.Round4() != r || (-l).Round4() != -r {
			t.Fatalf("%v becomes %v", float64(l), float64(r))
		}
		again, err := ParseLength(r.Number())
		if err != nil || again != r {
			t.Fatalf("%s is %v, not %v: %v", r.Number(), float64(again), float64(r), err)
		}
	})
}

func TestString(t *testing.T) {
	for want, got := range map[string]interface{ String() string }{
		"3 m":        Length(3),
		"0.5 m":      Length(0.5),
		"1.235 m":    Length(1.2345678),
		"0 m":        Length(-0.0001),
		"-1.5 m":     Length(-1.5),
		"100 m":      Length(100),
		"90 ns":      Time(90),
		"0.25 ns":    Time(0.25),
		"4.9 ns/m":   Propagation(4.9),
		"130.5 kg":   Mass(130.46),
		"400G":       Rate(400),
		"1.4G":       Rate(1.4),
		"0.35 dB":    Loss(0.35),
		"0.4 dB/km":  Attenuation(0.4),
		"9.6 mm2":    Area(9.64),
		"0.3 mm2":    Area(0.25001),
		"12346 mm2":  Area(12345.678),
		"0 W":        Power(0),
		"19.5 W":     Power(19.53),
		"-19.5 W":    Power(-19.53),
		"10.2 kW":    Power(10200),
		"1.36 MW":    Power(1.3611e6),
		"0.00":       Money(0),
		"0.05":       Money(5),
		"-0.05":      Money(-5),
		"999.99":     Money(99999),
		"1,000.00":   Money(100000),
		"-1,000.00":  Money(-100000),
		"123,456.78": Money(12345678),

		"92,233,720,368,547,758.07":  Money(math.MaxInt64),
		"-92,233,720,368,547,758.08": Money(math.MinInt64),
	} {
		if got.String() != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
}

func TestOver(t *testing.T) {
	if got := Propagation(4.5).Over(3); got != 13.5 {
		t.Errorf("3 m at 4.5 ns/m take %v", got)
	}
}

// Lengths that differ look different, however close they are.
func TestApart(t *testing.T) {
	for _, tt := range []struct {
		a, b Length
		x, y string
	}{
		{0.4604, 0.46, "0.4604 m", "0.46 m"},
		{2000.00001, 2000, "2000.00001 m", "2000 m"},
		{0.399, 2000, "0.399 m", "2000 m"},
		{3, 3, "3 m", "3 m"},
	} {
		if x, y := FormatDistinct(tt.a, tt.b); x != tt.x || y != tt.y {
			t.Errorf("%v and %v: %q and %q", float64(tt.a), float64(tt.b), x, y)
		}
	}
}
