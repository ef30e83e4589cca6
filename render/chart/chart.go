// Package chart draws the charts of all commands, each once, and writes it as PNG, SVG or PDF.
//
// gonum/plot lays out axes and draws data; what it draws are marks of a scene (render/scene), like those of all other
// drawings. Colours are those of render/palette. No two ticks of an axis have the same label.
package chart

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"

	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Drawing is a chart that has been drawn.
type Drawing struct {
	*pen.Canvas
	vg    *canvas
	fonts *font.Cache
}

// Format is what a chart can be written as.
type Format string

// The formats of charts, named by the extensions of their files.
const (
	PNG Format = "png"
	SVG Format = "svg"
	PDF Format = "pdf"
)

// Formats are all formats.
var Formats = []Format{PNG, SVG, PDF}

// FormatOf is the format of a file by its extension.
func FormatOf(path string) (Format, error) {
	ext := filepath.Ext(path)
	for _, f := range Formats {
		if strings.EqualFold(ext, "."+string(f)) {
			return f, nil
		}
	}
	return "", fmt.Errorf("%s: drawings are written as .png, .svg or .pdf; the extension says which", path)
}

// ParseFormats finds formats by their names; all that is wrong is in one error.
func ParseFormats(names []string) ([]Format, error) {
	var out []Format
	var wrong []error
	for _, name := range names {
		switch f := Format(strings.ToLower(name)); {
		case !slices.Contains(Formats, f):
			wrong = append(wrong, fmt.Errorf("charts are not written as %q; there are png, svg and pdf", name))
		case !slices.Contains(out, f):
			out = append(out, f)
		}
	}
	if len(names) == 0 {
		wrong = append(wrong, errors.New("name a format: png, svg or pdf"))
	}
	return out, errors.Join(wrong...)
}

// Write writes a chart.
func (d *Drawing) Write(w io.Writer, f Format) error {
	switch f {
	case SVG:
		return scene.SVG(w, d.Scene)
	case PDF:
		return scene.PDF(w, d.Scene)
	case PNG:
		return d.PNG(w)
	}
	return fmt.Errorf("chart: no format %q", f)
}
