package catalog

import (
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/internal/hostile"
)

var bounds = hostile.Bounds{Time: 3 * time.Second, Bytes: 400 << 20}

// TestRowBeyondTheSheet: a row may be numbered as one likes, and a library that counts up to it does not come back.
func TestRowBeyondTheSheet(t *testing.T) {
	head := hostile.Row("1", "part", "unit price", "currency", "date")
	for _, number := range []string{"1000000000000000000", "9223372036854775807", "1048577"} {
		book := hostile.Workbook([2]string{"Prices", head + hostile.Row(number, "rack-42u", "1", "USD", "2025-06-01")})
		bounds.Hold(t, number, func() {
			_, err := ReadOffer("quote.xlsx", book)
			if err == nil || !strings.Contains(err.Error(), "more than 1048576 rows") {
				t.Errorf("row %s: %v", number, err)
			}
		})
	}
}

// Whatever a sheet of a quote has, reading it ends, and what is taken has prices.
func FuzzReadWorkbook(f *testing.F) {
	head := hostile.Row("1", "part", "unit price", "currency", "date")
	f.Add(head + hostile.Row("2", "rack-42u", "1250", "USD", "2025-06-01"))
	f.Add(head + `<row r="99999999999"><c r="A3"><v>1e9</v></c></row>`)
	f.Add(head + `<row><c><v>x</v></c><c r="ZZZZZ1"/><c r="B1" t="s"><v>7</v></c></row>`)
	f.Add("<row r='-1'/><row r='x'/>" + hostile.Row("3", "part", "price"))
	f.Fuzz(func(t *testing.T, rows string) {
		bounds.Hold(t, rows, func() {
			o, err := ReadOffer("q.xlsx", hostile.Workbook([2]string{"S", rows}))
			if err == nil && len(o.Lines) == 0 {
				t.Error("an offer of nothing")
			}
			if err != nil && !strings.HasPrefix(err.Error(), "q.xlsx") {
				t.Errorf("an error without its place: %q", err)
			}
		})
	})
}
