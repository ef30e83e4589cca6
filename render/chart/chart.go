// Package chart draws the charts of all commands, each once, and writes it as PNG, SVG or PDF, or as the table of the
// data behind it.
//
// Charts are marks of a scene (render/scene), like all other drawings. A Style gives them a size on paper. Every curve
// has a colour of render/palette, a pattern of dashes and a marker, so that it is found without the colour. No two
// ticks of an axis have the same label, and no two texts overlap: the tests read every text of the scene.
package chart

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Drawing is a chart that has been drawn.
type Drawing struct {
	*pen.Canvas
	// Data is what the chart shows; nil for a drawing that is not a chart.
	Data *Table
	// Style is that of the chart; its page is higher than asked for where the content needs it.
	Style  Style
	panels []*panel
}

// Format is what a chart can be written as.
type Format string

// The formats of charts, named by the extensions of their files.
const (
	PNG Format = "png"
	SVG Format = "svg"
	PDF Format = "pdf"
	CSV Format = "csv" // the data behind the chart
)

// Pictures are the formats of pictures.
var Pictures = []Format{PNG, SVG, PDF}

// Formats are all formats: pictures, and the data.
var Formats = []Format{PNG, SVG, PDF, CSV}

// FormatOf is the format of a picture by the extension of its file; or one of the others that are allowed as well.
func FormatOf(path string, also ...Format) (Format, error) {
	ext := filepath.Ext(path)
	names := ".png, .svg or .pdf"
	for _, f := range slices.Concat(Pictures, also) {
		if strings.EqualFold(ext, "."+string(f)) {
			return f, nil
		}
	}
	for _, f := range also {
		names = strings.Replace(names, " or ", ", ", 1) + " or ." + string(f)
	}
	return "", fmt.Errorf("%s: drawings are written as %s; the extension says which", path, names)
}

// ParseFormats finds formats by their names; all that is wrong is in one error.
func ParseFormats(names []string) ([]Format, error) {
	var out []Format
	var wrong []error
	for _, name := range names {
		switch f := Format(strings.ToLower(name)); {
		case !slices.Contains(Formats, f):
			wrong = append(wrong, fmt.Errorf("charts are not written as %q; there are png, svg, pdf and csv", name))
		case !slices.Contains(out, f):
			out = append(out, f)
		}
	}
	if len(names) == 0 {
		wrong = append(wrong, errors.New("name a format: png, svg, pdf or csv"))
	}
	return out, errors.Join(wrong...)
}

// Write writes a chart.
func (d *Drawing) Write(ctx context.Context, w io.Writer, f Format) error {
	switch f {
	case SVG:
		return scene.SVG(ctx, w, d.Scene)
	case PDF:
		return scene.PDF(ctx, w, d.Scene)
	case PNG:
		return d.png(ctx, w)
	case CSV:
		if d.Data != nil {
			return d.Data.CSV(w)
		}
	}
	return fmt.Errorf("chart: no format %q", f)
}
