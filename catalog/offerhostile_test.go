package catalog_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
)

// A cell of megabytes is not a part and no note; it took minutes to say so.
func TestOfferCellsHaveAnEnd(t *testing.T) {
	const head = "part,unit price,currency,date,note\n"
	long := strings.Repeat("x", 15_000_000)
	for text, want := range map[string]string{
		head + long + ",100,USD,2025-01-01,\n": "q.csv:2:1: a text of 15000000 bytes; at most " +
			"10000 are read",
		head + "generic-node-1u,1,USD,2025-01-01," + long +
			"\n": "q.csv:2:34: a text of 15000000 bytes; at most 10000 are read",
	} {
		if _, err := catalog.ReadOffer("q.csv", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.200v, want %s", err, want)
		}
	}
}
