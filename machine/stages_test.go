package machine

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The package comment lists the stages of a plan as they are, in their order.
func TestDocumentedStages(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.Lines(string(text)) {
		name, _, found := strings.Cut(strings.TrimPrefix(line, "//\t"), "  ")
		if found && strings.HasPrefix(line, "//\t") {
			listed = append(listed, name)
		}
	}
	var want []string
	for _, s := range stages {
		want = append(want, s.name)
	}
	if fmt.Sprint(listed) != fmt.Sprint(want) {
		t.Errorf("the package comment lists %q, the stages are %q", listed, want)
	}
}
