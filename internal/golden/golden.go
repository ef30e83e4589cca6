// Package golden compares what tests make with files that hold what they are to make.
package golden

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Compare compares a text with a file under testdata. PLENUM_UPDATE=1 writes it.
func Compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if os.Getenv("PLENUM_UPDATE") == "1" {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (PLENUM_UPDATE=1 writes it anew; look at the picture first): %s", path, diff)
	}
}

var (
	innermost = regexp.MustCompile(`[{\[][^{}\[\]]*[}\]]`)
	blanks    = regexp.MustCompile(`\n\s*`)
)

// JSON returns a document as JSON for a file to compare with: objects and lists without others in them are on one line.
func JSON(t *testing.T, doc any) string {
	t.Helper()
	data, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return innermost.ReplaceAllStringFunc(string(data), func(s string) string {
		return blanks.ReplaceAllString(s, " ")
	})
}
