package page

import (
	"encoding/json"
	"html"
	"io"
	"strings"
	"sync"
	"text/template"
)

// Alternatives are machines side by side: a chart of any two of their figures, in which those that nothing betters are
// joined, and tables. What is clicked in the chart is marked in the tables, and the other way round.
type Alternatives struct {
	Title   string   `json:"title"`
	Names   []string `json:"names"`   // of the machines
	Figures []Figure `json:"figures"` // that can be drawn
	X       int      `json:"x"`       // the number of the figure that is drawn across at first
	Y       int      `json:"y"`       // and that of the one that is drawn upwards
	// Tables follow the chart. A row of the first is a machine, in the order of Names.
	Tables  []Table `json:"tables"`
	Colours Colours `json:"colours"`
}

// Figure is a figure of all machines.
type Figure struct {
	Name   string     `json:"name"`
	Unit   string     `json:"unit"`
	Values []*float64 `json:"values"` // null where it is not known
	// Lower reports whether less of it is better; only figures of which this is so have a Pareto front.
	Lower bool `json:"lower_is_better,omitempty"`
}

// Table is a table of texts and numbers.
type Table struct {
	Title   string   `json:"title"`
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
	Notes   []string `json:"notes"`
}

// Dress is what a page of alternatives is made of. All of it is ready for HTML.
type Dress struct {
	Policy string // the content security policy
	Style  string
	Data   string // JSON, for a script element of the id plenum-alternatives
	Script string // shows the chart in the element of the id alternatives, and the tables after it
}

// Dress makes the parts of a page, to be put into one. Cells of other tables that are about machine i, and have the
// attribute data-of="i", are marked like the rows of its own.
func (a *Alternatives) Dress() (*Dress, error) {
	a.Colours = allColours()
	data, err := json.Marshal(a) // which writes < as \u003c
	if err != nil {
		return nil, err
	}
	script := alternativesScript()
	return &Dress{
		Policy: "default-src 'none'; script-src " + Hash(script) + "; style-src " + Hash(style()) +
			"; img-src data:; form-action 'none'; base-uri 'none'",
		Style: style(), Data: string(data), Script: script,
	}, nil
}

// HTML writes a page of nothing else.
func (a *Alternatives) HTML(w io.Writer) error {
	d, err := a.Dress()
	if err != nil {
		return err
	}
	return alternativesShell().Execute(w, map[string]any{"Title": html.EscapeString(a.Title), "Dress": d})
}

var alternativesScript = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("\n(() => {\n\"use strict\";\n")
	for _, name := range []string{"figures.js", "dom.js", "tables.js", "alternatives.js"} {
		b.Write(asset(name))
	}
	b.WriteString("})();\n")
	return b.String()
})

var alternativesShell = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("alternatives").Parse(string(asset("alternatives.html"))))
})
