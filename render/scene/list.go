package scene

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"
)

// List writes the marks of a scene, one a line, for people and tests that compare drawings: lengths in units to a
// tenth, colours as RRGGBBAA.
func List(w io.Writer, s *Scene) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "scene %s %q\n", tenths(s.W, s.H), s.Name)
	for _, m := range s.Marks {
		fmt.Fprintln(out, listed(m))
	}
	return out.Flush()
}

// listed is one mark in words.
func listed(m Mark) string {
	switch m := m.(type) {
	case Layer:
		return "layer " + string(m)
	case Fill:
		text := "fill " + corners(m.Box) + " " + rgba(m.Color)
		if m.Name != "" || m.Block != "" {
			text += fmt.Sprintf(" %q %q block %q", m.Name, m.About, m.Block)
		}
		if m.Turned {
			text += " turned"
		}
		if m.Bar {
			text += " bar"
		}
		return text
	case Frame:
		return "frame " + corners(m.Box) + " " + tenths(m.Width) + " " + rgba(m.Color)
	case Path:
		text := "path"
		if m.Filled {
			text = "polygon"
		}
		for i, line := range m.Lines {
			if i > 0 {
				text += " /"
			}
			text += " " + points(line)
		}
		if !m.Filled {
			text += " wide " + tenths(m.Width)
		}
		if len(m.Dash) > 0 {
			text += " dash " + tenths(m.Dash...)
		}
		return text + " " + rgba(m.Color)
	case Circle:
		return "circle " + tenths(m.X, m.Y, m.Radius, m.Width) + " " + rgba(m.Color)
	case Hatch:
		return "hatch " + points(m.Points) + " every " + tenths(m.Gap) + " " + rgba(m.Color)
	case Text:
		text := "text " + tenths(m.X, m.Y) + " align " + tenths(m.Align) + " size " + tenths(m.Size)
		if m.Bold {
			text += " bold"
		}
		return text + " " + rgba(m.Color) + " " + strconv.Quote(m.Text)
	case Picture:
		return "picture " + corners(m.Within)
	case Link:
		return fmt.Sprintf("link %s page %d", corners(m.Box), m.Page)
	case Turn:
		return "turn " + strconv.FormatFloat(m.Angle, 'f', 3, 64) + " " + tenths(m.X, m.Y)
	case Clip:
		return "clip " + corners(m.Box)
	case End:
		return "end"
	}
	return fmt.Sprintf("%T", m)
}

func rgba(c color.NRGBA) string { return fmt.Sprintf("%02x%02x%02x%02x", c.R, c.G, c.B, c.A) }

func corners(b Box) string { return tenths(b.X0, b.Y0, b.X1, b.Y1) }

// tenths are numbers to a tenth, with spaces between them.
func tenths(values ...float64) string {
	var words []string
	for _, v := range values {
		text := strconv.FormatFloat(v, 'f', 1, 64)
		if text == "-0.0" {
			text = "0.0"
		}
		words = append(words, strings.TrimSuffix(text, ".0"))
	}
	return strings.Join(words, " ")
}

func points(line [][2]float64) string {
	var words []string
	for _, p := range line {
		words = append(words, tenths(p[0])+","+tenths(p[1]))
	}
	return strings.Join(words, " ")
}
