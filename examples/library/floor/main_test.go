package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestDraw: the picture is well-formed XML and names every rack of the two rows once.
func TestDraw(t *testing.T) {
	var svg bytes.Buffer
	if err := draw(t.Context(), &svg); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for d := xml.NewDecoder(&svg); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			texts = append(texts, strings.TrimSpace(string(text)))
		}
	}
	for _, rack := range []string{"A01", "A02", "B01", "B02"} {
		if !slices.Contains(texts, rack) {
			t.Errorf("no rack %s in %q", rack, texts)
		}
	}
}
