package graphtest

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// FewerDraws has a property test draw no more than a number of inputs in each check unless PLENUM_LONG=1.
func FewerDraws(t *testing.T, number int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	if n, err := strconv.Atoi(before); err != nil || n <= number || os.Getenv("PLENUM_LONG") == "1" {
		return
	}
	if err := checks.Value.Set(strconv.Itoa(number)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = checks.Value.Set(before) })
}
