package budget

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestCheck(t *testing.T) {
	need := Need{Bytes: 5e9, Seconds: 100}
	for _, tt := range []struct {
		b    Budget
		want string
	}{
		{Budget{}, ""},
		{Budget{Memory: 5e9, Time: 50 * time.Second}, ""},
		{Budget{Memory: 4e9}, "sorting would take about 5 GB of memory and 1.7 minutes; --max-memory allows 4 GB"},
		{
			Budget{Memory: 6e9, Time: 49 * time.Second},
			"sorting would take about 5 GB of memory and 1.7 minutes; --max-time allows 49s",
		},
	} {
		err := Check(With(t.Context(), tt.b), 2, need, "%s", "sorting")
		if got := message(err); got != tt.want {
			t.Errorf("%+v: %q, expected %q", tt.b, got, tt.want)
		}
		if err != nil && !errors.As(err, new(*ExceededError)) {
			t.Errorf("%T", err)
		}
	}
	if err := Check(context.Background(), 1, Need{1e30, 1e30}, "all"); err != nil {
		t.Error(err)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"4 GB": 4e9, "512MiB": 512 << 20, "2g": 2e9, "1.5 TiB": 3 << 39, "64000000 B": 64e6,
	} {
		if got, err := ParseSize(text); got != want || err != nil {
			t.Errorf("%q is %d, %v; expected %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "4", "GB", "-4 GB", "nan GB", "inf GB", "1e308 TB", "1 B", "4 XB", "4\x1b GB", strings.Repeat("9", 5000),
	} {
		if got, err := ParseSize(text); err == nil || len(err.Error()) > 400 {
			t.Errorf("%.60q is %d, %v", text, got, err)
		}
	}
}

func TestAmounts(t *testing.T) {
	for bytes, want := range map[float64]string{
		0: "0 bytes", 999: "1000 bytes", 1500: "1.5 kB", 123e9: "120 GB", 4e18: "4 EB", 4e24: "4e+06 EB",
	} {
		if got := Size(bytes); got != want {
			t.Errorf("%g bytes are %s, expected %s", bytes, got, want)
		}
	}
	for seconds, want := range map[float64]string{
		0.1: "less than a second", 59: "59 seconds", 5400: "1.5 hours", 1e18: "3e+10 years",
	} {
		if got := Span(seconds); got != want {
			t.Errorf("%g seconds are %s, expected %s", seconds, got, want)
		}
	}
}
