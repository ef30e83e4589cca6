package english

import (
	"math"
	"testing"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000", 12345: "12,345", 1234567: "1,234,567",
		math.MaxInt64: "9,223,372,036,854,775,807", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Grouped(n); got != want {
			t.Errorf("%d is written %s, not %s", n, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Count(1, "leaf"), "1 leaf"},
		{Count(0, "leaf"), "0 leaves"},
		{Count(12345, "up port"), "12,345 up ports"},
		{Count(1, "cable"), "1 cable"},
		{Count(12345, "cable"), "12,345 cables"},
		{Count(-1, "cable"), "-1 cables"},
	} {
		if c.got != c.want {
			t.Errorf("%q, not %q", c.got, c.want)
		}
	}
}

func TestList(t *testing.T) {
	for want, words := range map[string][]string{
		"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"},
	} {
		if got := List(words); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestGroupedText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "-": "-", "1": "1", "1234": "1,234", "-1234567.89": "-1,234,567.89", "1042.0": "1,042.0",
		"999.5": "999.5",
		".5":    ".5", "1234.": "1,234.", "1e9": "1e9", "12:34": "12:34", "1,234": "1,234", "x1234": "x1234",
	} {
		if got := GroupedText(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := Fixed(-123456.78, 1); got != "-123,456.8" {
		t.Error(got)
	}
}
