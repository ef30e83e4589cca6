package units

import (
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"
)

func TestYAMLIsReadBackExactly(t *testing.T) {
	type all struct {
		L Length
		T Time
		P Propagation
		W Power
		M Mass
		R Rate
		D Loss
		A Attenuation
		F FloorLoad
		C Money
	}
	rapid.Check(t, func(t *rapid.T) {
		v := func(name string) float64 { return rapid.Float64Range(-1000, 1000).Draw(t, name) }
		want := all{
			Length(v("l")), Time(v("t")), Propagation(v("p")), Power(v("w")), Mass(v("m")),
			Rate(v("r")), Loss(v("d")), Attenuation(v("a")), FloorLoad(v("f")),
			Money(rapid.Int64Range(-1e14, 1e14).Draw(t, "c")),
		}
		text, err := yaml.Dump(want)
		if err != nil {
			t.Fatal(err)
		}
		var got all
		if err := yaml.Load(text, &got); err != nil || got != want {
			t.Fatalf("%s: got %v, want %v: %v", text, got, want, err)
		}
	})
}

func TestEveryUnitParses(t *testing.T) {
	for _, c := range []struct {
		units []string
		into  interface{ UnmarshalText([]byte) error }
	}{
		{Length(0).Units(), new(Length)},
		{Time(0).Units(), new(Time)},
		{Propagation(0).Units(), new(Propagation)},
		{Power(0).Units(), new(Power)},
		{Mass(0).Units(), new(Mass)},
		{FloorLoad(0).Units(), new(FloorLoad)},
		{Flow(0).Units(), new(Flow)},
		{Rate(0).Units(), new(Rate)},
		{Loss(0).Units(), new(Loss)},
		{Days(0).Units(), new(Days)},
		{Attenuation(0).Units(), new(Attenuation)},
	} {
		for _, unit := range c.units {
			if err := c.into.UnmarshalText([]byte("1.5 " + unit)); err != nil {
				t.Error(err)
			}
		}
	}
}
