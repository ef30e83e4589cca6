package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/serve"
)

// TestQuotedPartsHaveTheirPrice: the list of parts has the price of a quote, not that of the price set.
func TestQuotedPartsHaveTheirPrice(t *testing.T) {
	v := run(t, clusters)
	const offer = "part,unit price,currency,date\nmy-node,9123,USD,2026-01-15\n"
	sent := v.sendForm("/api/quote", map[string]string{"text": clusters}, [2]string{"offer.csv", offer})
	if sent.status != 200 {
		t.Fatal(sent)
	}
	b := open(t, v.s.URL())
	b.until(`document.body.dataset.ready === "yes"`)
	b.typed("prices: {", "prices: {quote: offer.csv, ")
	b.until(editorSays + `.startsWith("Planned")`)
	b.press(button("Parts"))
	const node = `document.querySelector('[data-part="my-node"]')`
	b.until(node)
	if got := eval[string](b, node+`.textContent`); !strings.Contains(got, "9,123 USD") {
		t.Errorf("the part says %q", got)
	}
}

// TestQuote writes quotes beside the machine file, and never over another file.
func TestQuote(t *testing.T) {
	v := run(t, small)
	const good = "part,unit price,currency,date\ngeneric-switch-64x400g,27000,USD,2026-01-15\n" +
		"my-node,9000,USD,2026-01-15\n"
	send := func(name, data string) answered {
		return v.sendForm("/api/quote", map[string]string{"text": clusters}, [2]string{name, data})
	}
	for _, tt := range []struct{ name, data, want string }{
		{"machine.yaml", good, "not the name of a quote"},
		{".csv", good, "not the name of a quote"},
		{`a\b.csv`, good, "not the name of a quote"},
		{"quote.csv", "nothing\n", "quote.csv"},
		{"quote.csv", good + "generic-switch-64x40g,1,USD,2026-01-15\n", "did you mean"},
		{"quote.csv", good + "x1,1,USD,2026-01-15\nx2,1,USD,2026-01-15\n", "quote.csv has 2 mistakes"},
		{"quote.csv", good + "my-node,1,EUR,2026-01-15\n", "no rate from EUR to USD"},
	} {
		if a := send(tt.name, tt.data); a.status != 422 || !strings.Contains(a.body, tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, a, tt.want)
		}
	}
	a := v.sendForm("/api/quote", map[string]string{"text": "name: ["}, [2]string{"quote.csv", good})
	if a.status != 422 || !strings.Contains(a.body, "the machine file has mistakes") {
		t.Error(a)
	}
	if a := v.sendForm("/api/quote", map[string]string{"text": small}); a.status != 400 {
		t.Error(a)
	}
	for range 2 { // the same file may come again
		if a := send("our quote.csv", good); a.status != 200 {
			t.Error(a)
		}
	}
	a = send("our quote.csv", strings.Replace(good, "27000", "1", 1))
	if a.status != 422 || !strings.Contains(a.body, "exists and says something else") {
		t.Error(a)
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(v.path), "our quote.csv"))
	if err != nil || string(text) != good {
		t.Errorf("the quote is %s, %v", text, err)
	}
	if list, err := os.ReadDir(filepath.Dir(v.path)); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
	v = start(t, serve.Options{Name: "small.yaml", Text: []byte(small)})
	if a := send("../quote.csv", good); a.status != 403 || !strings.Contains(a.body, "plenum init") {
		t.Error(a)
	}
}
