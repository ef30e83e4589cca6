package catalog

import (
	"os"
	"strings"
	"testing"
)

// The examples of docs/catalog.md are read and found right, as it says.
func TestDocumentedExamples(t *testing.T) {
	text, err := os.ReadFile("../docs/catalog.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for i, block := range strings.Split(string(text), "\n```") {
		if i%2 == 0 {
			continue
		}
		language, body, _ := strings.Cut(block, "\n")
		switch {
		case strings.HasPrefix(body, "part,"):
			seen["quote"]++
			o, err := ReadOffer("quote.csv", []byte(body))
			if err != nil {
				t.Error(err)
				continue
			}
			for _, err := range o.Check(Default(), nil) {
				t.Error(err)
			}
		case language == "yaml":
			if strings.HasPrefix(body, "- id:") {
				body = "parts:\n" + body
			}
			f := ParseFile([]byte(body), "example.yaml")
			seen["parts"] += len(f.Parts)
			seen["sets"] += len(f.Sets)
			if err := Default().CheckFiles([]*File{f}).Err(); err != nil {
				t.Error(err)
			}
		}
	}
	if seen["quote"] == 0 || seen["parts"] == 0 || seen["sets"] == 0 {
		t.Errorf("found only %v", seen)
	}
}
