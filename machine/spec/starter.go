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
	name = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, name)
	// A JSON string is a YAML string.
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(name); err != nil {
		panic(err) // strings always encode
	}
	return bytes.Replace(starter, []byte("NAME"), bytes.TrimSpace(quoted.Bytes()), 1)
}
