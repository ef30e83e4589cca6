package diag_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
)

// A terminal is given nothing to act on, and no line without end.
func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[31m b\n\tc":          "a\\x1b[31m b\n\tc",
		"\u009b31m é":               "\\u009b31m é",
		strings.Repeat("é", 2000):   strings.Repeat("é", 2000),
		strings.Repeat("é\n", 3000): strings.Repeat("é\n", 3000),
	} {
		if got := diag.Escape(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := diag.Escape(strings.Repeat("é", 5_000_000)); !strings.HasSuffix(got, "é... (and 4,998,000 characters)") ||
		len(got) > 5000 {
		t.Errorf("%d bytes: %.50s", len(got), got)
	}
}

// Of mistakes that differ in names and numbers only the first are reported, and how
// many there are.
func TestManyMistakesOfOneKind(t *testing.T) {
	var all diag.FieldErrors
	for i := range 120_000 {
		all.Add(fmt.Sprintf("lengths[%d]", i), "%d is not a divisor of %q", i, "8")
	}
	all.Add("dims", "missing")
	lines := strings.Split(all.Error(), "\n")
	if len(lines) != 22 || lines[20] != "and 119,980 more of the same kind" || lines[21] != "dims: missing" {
		t.Errorf("%d lines: %.500q", len(lines), lines)
	}
}
