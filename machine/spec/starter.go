package spec

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"
	"text/template"
	"unicode"

	"github.com/plenum-planner/plenum/units"
)

//go:embed starter.yaml
var starter string

var starterTemplate = template.Must(template.New("starter.yaml").Parse(starter))

// StarterDefaults are the defaults of machine files that a starter shows.
type StarterDefaults struct {
	Rack                       string // id of a rack part
	ColdAisle, HotAisle, Slack units.Length
}

// Starter returns a commented machine file to start from, valid as it is.
func Starter(name string, defaults StarterDefaults) []byte {
	var b bytes.Buffer
	err := starterTemplate.Execute(&b, struct {
		Name string
		StarterDefaults
	}{Quoted(name), defaults})
	if err != nil {
		panic(err) // names of fields only
	}
	return b.Bytes()
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
