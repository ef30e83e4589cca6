package serve

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
)

// BenchmarkReplan goes from a text in which one value is another than in the last one to what the page is sent.
func BenchmarkReplan(b *testing.B) {
	given, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range []struct{ name, from, to, first, second string }{
		{"Slack", "fixed: 2 m", "fixed: VALUE m", "2.1", "2.2"},
		{"Trays", "trays: {count: 2}", "trays: {count: 2, height: VALUE m}", "2.6", "2.7"},
		{"Price", "set: estimate-2025", "set: estimate-2025\n  unit: {nvidia-qm9700: VALUE}", "30000", "31000"},
		{"Rack", "prices:", "embedding: {racks: [{with: dgx-001, at: VALUE}]}\nprices:", "B01", "B02"},
		{"Contingency", "set: estimate-2025", "set: estimate-2025\n  contingency: VALUE", "5", "6"},
	} {
		b.Run(e.name, func(b *testing.B) {
			var texts [2][]byte
			for i, value := range []string{e.first, e.second} {
				changed := strings.ReplaceAll(e.to, "VALUE", value)
				texts[i] = []byte(strings.Replace(string(given), e.from, changed, 1))
			}
			var p machine.Planner
			for i := 0; b.Loop(); i++ {
				data, err := planPage(context.Background(), &p, "superpod.yaml", texts[i%2])
				if err != nil {
					b.Fatal(err)
				}
				if err := json.NewEncoder(io.Discard).Encode(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
