package units

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
)

// Money is an amount in hundredths (cents) of a currency that the document or
// price set around it names. Sums of Money are exact.
type Money int64

// MostMoney is the largest absolute value of an amount. Sums and products beyond it are MostMoney, so that an overflow
// can be recognized in the result.
const MostMoney Money = 9e18

// MoneyOf rounds an amount in whole currency units to the nearest cent.
func MoneyOf(amount float64) Money {
	cents := math.Round(amount * 100)
	switch {
	case cents >= float64(MostMoney):
		return MostMoney
	case cents <= -float64(MostMoney):
		return -MostMoney
	}
	return Money(cents)
}

// Times returns the amount multiplied by n, limited to MostMoney.
func (m Money) Times(n int64) Money {
	if high, low := bits.Mul64(magnitude(int64(m)), magnitude(n)); high == 0 && low <= uint64(MostMoney) {
		return m * Money(n)
	}
	if (m < 0) != (n < 0) {
		return -MostMoney
	}
	return MostMoney
}

// Plus returns the sum of two amounts, limited to MostMoney.
func (m Money) Plus(o Money) Money {
	m, o = min(max(m, -MostMoney), MostMoney), min(max(o, -MostMoney), MostMoney)
	switch {
	case o > 0 && m > MostMoney-o:
		return MostMoney
	case o < 0 && m < -MostMoney-o:
		return -MostMoney
	}
	return m + o
}

// magnitude returns the absolute value of n.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// Price is an amount in whole units of a currency that may have a fraction of a
// cent: the cost of a metre, or of a share of a part, before it is summed up.
type Price float64

// Money rounds the price to the nearest cent.
func (p Price) Money() Money { return MoneyOf(float64(p)) }

// Tariff is the price of a kilowatt hour in whole units of a currency.
type Tariff float64

// Over returns what energy costs at the tariff.
func (t Tariff) Over(e Energy) Price { return Price(float64(e) * float64(t)) }

// ParseMoney reads an amount such as "1250", "52.5" or "1,250.00". With at most
// two decimals it is read exactly, otherwise rounded to the nearest cent.
func ParseMoney(s string) (Money, error) {
	plain := strings.ReplaceAll(strings.TrimSpace(s), ",", "")
	if whole, frac, _ := strings.Cut(plain, "."); len(frac) <= 2 && strings.ContainsAny(plain, "0123456789") {
		if cents, err := strconv.ParseInt(whole+(frac + "00")[:2], 10, 64); err == nil {
			return Money(cents), nil
		}
	}
	v, err := strconv.ParseFloat(plain, 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > 9e15 {
		return 0, fmt.Errorf("%q is not an amount of money", s)
	}
	return MoneyOf(v), nil
}

// UnmarshalText implements encoding.TextUnmarshaler by ParseMoney.
func (m *Money) UnmarshalText(b []byte) (err error) { *m, err = ParseMoney(string(b)); return err }

// Price returns the amount as a price.
func (m Money) Price() Price { return Price(m.Float()) }

// Float returns the amount in whole currency units.
func (m Money) Float() float64 { return float64(m) / 100 }

// Decimal formats the amount with two decimals and no grouping: "1250.00".
func (m Money) Decimal() string {
	sign, cents := m.parts()
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// parts returns the sign of the amount, "-" or "", and its absolute value in cents.
func (m Money) parts() (sign string, cents uint64) {
	if m < 0 {
		return "-", uint64(-m)
	}
	return "", uint64(m)
}

// MarshalJSON writes the amount as a number with two decimals, exactly.
func (m Money) MarshalJSON() ([]byte, error) { return []byte(m.Decimal()), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Money) UnmarshalJSON(b []byte) error { return m.UnmarshalText(b) }

// String formats the amount with grouped thousands: "1,250.00".
func (m Money) String() string {
	sign, cents := m.parts()
	return fmt.Sprintf("%s%s.%02d", sign, english.Grouped(int64(cents/100)), cents%100)
}
