package units

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// document has a field of every quantity, named as documents name them.
type document struct {
	Length      Length      `json:"length_m"`
	Time        Time        `json:"delay_ns"`
	Propagation Propagation `json:"propagation_ns_per_m"`
	Power       Power       `json:"power_w"`
	Mass        Mass        `json:"weight_kg"`
	Loss        Loss        `json:"loss_db"`
	Attenuation Attenuation `json:"loss_db_per_km"`
	Rate        Rate        `json:"rate_gbps"`
	Diameter    Diameter    `json:"diameter_mm"`
	Area        Area        `json:"section_mm2"`
	Frequency   Frequency   `json:"clock_ghz"`
	Energy      Energy      `json:"energy_kwh"`
	Price       Price       `json:"price"`
	Tariff      Tariff      `json:"tariff_per_kwh"`
}

func TestJSONHasPlainNumbers(t *testing.T) {
	text, err := json.Marshal(document{1.5, 90, 4.9, 350, 21.25, 0.35, 3, 400, 46.1, 2400.5, 1.25, 8766, 0.105, 0.12})
	const want = `{"length_m":1.5,"delay_ns":90,"propagation_ns_per_m":4.9,"power_w":350,` +
		`"weight_kg":21.25,"loss_db":0.35,"loss_db_per_km":3,"rate_gbps":400,` +
		`"diameter_mm":46.1,` +
		`"section_mm2":2400.5,"clock_ghz":1.25,"energy_kwh":8766,"price":0.105,"tariff_per_kwh":0.12}`
	if err != nil || string(text) != want {
		t.Errorf("%s, want %s: %v", text, want, err)
	}
}

func TestJSONIsReadBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := func(name string) float64 { return rapid.Float64().Draw(t, name) }
		want := document{
			Length(v("length")), Time(v("time")), Propagation(v("propagation")), Power(v("power")), Mass(v("mass")),
			Loss(v("loss")), Attenuation(v("attenuation")), Rate(v("rate")), Diameter(v("diameter")),
			Area(v("area")), Frequency(v("frequency")),
			Energy(v("energy")), Price(v("price")), Tariff(v("tariff")),
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got document
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Fatalf("%s: got %v, want %v: %v", text, got, want, err)
		}
	})
}

func TestJSONTakesTextsWithUnits(t *testing.T) {
	for text, want := range map[string]Length{`"2 ft"`: 0.6096, `"42U"`: 42 * RackUnit, `3e2`: 300, `null`: 7} {
		got := Length(7)
		if err := json.Unmarshal([]byte(text), &got); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v: %v", text, got, want, err)
		}
	}
	for _, text := range []string{`"long"`, `true`, `[1]`, `{}`, `"3 ns"`} {
		got := Length(7)
		if err := json.Unmarshal([]byte(text), &got); err == nil || got != 7 {
			t.Errorf("%s became %v: %v", text, got, err)
		}
	}
}
