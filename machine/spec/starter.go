package spec

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"
	"unicode"
)

//go:embed starter.yaml
var starter []byte

// Starter returns a commented machine file to start from, valid as it is.
func Starter(name string) []byte {
	return bytes.Replace(starter, []byte("NAME"), []byte(Quoted(name)), 1)
}

// Quoted writes a text as a YAML string on one line; what cannot be printed becomes a space.
func Quoted(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	// A JSON string is a YAML string.
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // strings always encode
	}
	return strings.TrimSpace(quoted.String())
}
