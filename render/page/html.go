package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"strings"
	"sync"
	"text/template"
)

//go:embed assets
var assets embed.FS

// scripts are the files of the page's script, in the order in which they are joined.
var scripts = []string{
	"figures.js", "data.js", "dom.js",
	"tables.js", "charts.js", "scene.js", "bands.js", "places.js", "fingers.js", "floor.js", "filter.js", "explain.js",
	"elevation.js", "cords.js", "sight.js", "space.js", "views.js", "keep.js", "main.js",
}

// Options changes the page around the data.
type Options struct {
	// Scripts are further scripts that run after the page's own, which has window.plenum by then.
	Scripts []string
	// Styles are further stylesheets, after the page's own.
	Styles []string
	// Connect lets the page connect to where it came from; a page on disk connects to nothing.
	Connect bool
}

// HTML writes the page of a plan, or with nil data a page without one, which waits for plenum.show.
func HTML(w io.Writer, d *Data, o Options) error {
	data, err := json.Marshal(d) // which writes < as \u003c: no text can end the element that it stands in
	if err != nil {
		return err
	}
	script := script()
	connect := "'none'"
	if o.Connect {
		connect = "'self'"
	}
	styles := []string{Hash(style())}
	for _, s := range o.Styles {
		styles = append(styles, Hash(s))
	}
	title := "No plan"
	if d != nil && d.Plan != nil {
		title = d.Plan.Machine
	}
	hashes := []string{Hash(script)}
	for _, s := range o.Scripts {
		hashes = append(hashes, Hash(s))
	}
	return shell().Execute(w, map[string]any{
		"Title": html.EscapeString(title),
		"Policy": "default-src 'none'; script-src " + strings.Join(hashes, " ") + " blob:; style-src " +
			strings.Join(styles, " ") + "; img-src data: blob:; connect-src " + connect +
			"; form-action 'none'; base-uri 'none'",
		"Style": style(), "Styles": o.Styles,
		"Script": script, "More": o.Scripts, "Data": string(data), "Three": three(),
	})
}

// Hash is that of a script or style in a content security policy.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func asset(name string) []byte {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return data
}

// style is the stylesheet.
var style = sync.OnceValue(func() string { return "\n" + roomColours() + string(asset("page.css")) })

// Style is the page's stylesheet, for other pages in the same dress.
func Style() string { return style() }

// script is the page's script: its files within one function.
var script = sync.OnceValue(func() string {
	var b bytes.Buffer
	b.WriteString("\n(() => {\n\"use strict\";\n")
	for _, name := range scripts {
		b.Write(asset(name))
	}
	b.WriteString("})();\n")
	return b.String()
})

// three is the library for the view in three dimensions, with its licence, compressed.
var three = sync.OnceValue(func() string {
	licence := append([]byte("/*!\n"), asset("three/LICENSE")...)
	return string(packed(append(append(licence, "*/\n"...), asset("three/three.module.min.js")...)))
})

// shell is the page around its parts, all of which are ready for HTML.
var shell = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(string(asset("page.html"))))
})
