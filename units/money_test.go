package units

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseMoney(t *testing.T) {
	for text, want := range map[string]Money{
		"0": 0, "1250": 125000, "52.5": 5250, "1,250.00": 125000, " 7 ": 700, "-3.50": -350, "+2": 200, ".5": 50,
		"5.": 500, "-.05": -5,
		"1e3": 100000, "0.004": 0, "0.006": 1, "-0.006": -1, "1.999": 200, "12345678.905": 1234567891,
		// Beyond the whole numbers of a float64.
		"90071992547409.93":     9007199254740993,
		"92233720368547758.07":  math.MaxInt64,
		"-92233720368547758.08": math.MinInt64,
	} {
		if got, err := ParseMoney(text); err != nil || got != want {
			t.Errorf("%q is %d cents, want %d: %v", text, got, want, err)
		}
	}
	for _, text := range []string{
		"", " ", "-", ".", "-.", ",", "cheap", "5 USD", "$5", "1.2.3", "--5", "5.-3", "5.+3", "NaN", "Inf", "-infinity",
		"1e999", "1e300", "92233720368547758.08", "-92233720368547758.09",
	} {
		if got, err := ParseMoney(text); err == nil {
			t.Errorf("%q became %v", text, got)
		} else if !strings.Contains(err.Error(), "money") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// anyMoney draws amounts of all sizes, the extremes among them.
func anyMoney(t *rapid.T) Money {
	return Money(rapid.OneOf(
		rapid.Int64(), rapid.Int64Range(-100000, 100000),
		rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64}),
	).Draw(t, "cents"))
}

func TestMoneyIsReadBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyMoney(t)
		if decimal, err := ParseMoney(want.Decimal()); err != nil || decimal != want {
			t.Fatalf("%d cents are %s, read as %d: %v", want, want.Decimal(), decimal, err)
		}
		if grouped, err := ParseMoney(want.String()); err != nil || grouped != want {
			t.Fatalf("%d cents are %s, read as %d: %v", want, want, grouped, err)
		}
		text, err := json.Marshal(map[string]Money{"cost": want})
		if err != nil {
			t.Fatal(err)
		}
		if number := fmt.Sprintf(`{"cost":%s}`, want.Decimal()); string(text) != number {
			t.Fatalf("JSON is %s, want %s", text, number)
		}
		var got map[string]Money
		if err := json.Unmarshal(text, &got); err != nil || got["cost"] != want {
			t.Fatalf("%s is read as %d: %v", text, got["cost"], err)
		}
	})
}

func TestGroupingOfThousands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMoney(t)
		whole, frac, _ := strings.Cut(strings.TrimPrefix(m.String(), "-"), ".")
		groups := strings.Split(whole, ",")
		for i, g := range groups {
			if len(g) != 3 && (i > 0 || len(g) == 0 || len(g) > 3) {
				t.Fatalf("%s", m)
			}
		}
		if len(frac) != 2 || strings.ReplaceAll(m.String(), ",", "") != m.Decimal() {
			t.Fatalf("%s and %s", m, m.Decimal())
		}
	})
}

func TestMoneyOfRoundsToTheNearestCent(t *testing.T) {
	for amount, want := range map[float64]Money{
		0: 0, 1: 100, 0.004: 0, 0.005: 1, -0.005: -1, 19.999: 2000, 1e13: 1e15,
	} {
		if got := MoneyOf(amount); got != want || (want%100 == 0 && got.Float() != math.Round(amount)) {
			t.Errorf("%v became %d cents, want %d", amount, got, want)
		}
	}
}

// Prices keep fractions of a cent until they are summed up.
func TestPrices(t *testing.T) {
	for price, want := range map[Price]Money{0: 0, 0.004: 0, 0.005: 1, 12.345: 1235, -0.006: -1, 1e6: 100_000_000} {
		if got := price.Money(); got != want {
			t.Errorf("%v is %d cents, want %d", float64(price), got, want)
		}
	}
	if got := Money(1299).Price(); got != 12.99 {
		t.Errorf("1299 cents are %v", got)
	}
	if got := Length(0.0461).AsDiameter(); got != 46.1 {
		t.Errorf("a diameter of 0.0461 m is %v mm", got)
	}
	if got := Tariff(0.125).Over(8000); got != 1000 {
		t.Errorf("8000 kWh at 0.125 cost %v", got)
	}
	if got := Frequency(2.5).Cycles(90); got != 225 {
		t.Errorf("90 ns are %v cycles at 2.5 GHz", got)
	}
}
