package examples_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/report"
)

// galleryEnd is what follows the table of the gallery.
const galleryEnd = "\n<!-- The table is written by PLENUM_UPDATE=1 go test ./examples -run Gallery -->\n"

// TestGallery keeps the table of docs/gallery.md, which has every example. PLENUM_UPDATE=1 writes it.
func TestGallery(t *testing.T) {
	const page = "../docs/gallery.md"
	var b strings.Builder
	b.WriteString("| example | nodes | switches | racks | cables | metres | longest | power | network and racks |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, name := range every(t) {
		var r *report.Plan
		if slices.Contains(large, name) {
			r = sketch(t, name).Report()
		} else {
			r = plan(t, name).report
		}
		fmt.Fprintf(&b, "| [%s](../examples/%s) | %s | %s | %s | %s | %s | %.2f m | %s | %s %s |\n",
			strings.TrimSuffix(name, ".yaml"), name,
			english.Grouped(int64(r.Nodes)), english.Grouped(int64(r.Switches)),
			english.Grouped(int64(r.Racks)), english.Grouped(r.Cables), english.Grouped(int64(r.Length.Total)),
			float64(r.Length.Max), r.Power, english.Grouped(int64(r.Cost.Total.Float())), r.Currency)
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), "| example |")
	_, tail, found := strings.Cut(rest, galleryEnd)
	if !ok || !found {
		t.Fatalf("%s has no table, or does not say what writes it", page)
	}
	want := head + b.String() + galleryEnd + tail
	if want == string(data) {
		return
	}
	if os.Getenv("PLENUM_UPDATE") != "1" {
		t.Fatalf("%s does not have the figures of the examples; run PLENUM_UPDATE=1 go test ./examples -run Gallery",
			page)
	}
	if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
