package label

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/render"
)

// Resolutions are those of label printers, in dots to the inch.
var Resolutions = []int{203, 300, 600}

// ZPL writes labels in the Zebra Programming Language, a format for each in the size of f, at a resolution in dots to
// the inch. The printer makes the codes. Texts are UTF-8. One that is longer than its line is cut, with
// an ellipsis: a field of ZPL holds 3072 bytes, and a label less.
func ZPL(ctx context.Context, w io.Writer, plugs []render.Plug, f *Format, dpi int) error {
	out := bufio.NewWriter(w)
	side, err := f.beside(plugs, zplWidth)
	if err != nil {
		return err
	}
	dots := func(mm float64) int { return int(mm*float64(dpi)/25.4 + 0.5) }
	for i := range plugs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := zpl(out, &plugs[i], f, side, dots); err != nil {
			return err
		}
	}
	return out.Flush()
}

// zpl writes one label.
func zpl(out *bufio.Writer, p *render.Plug, f *Format, side float64, dots func(mm float64) int) error {
	n, err := f.Kind.side(Code(p))
	if err != nil {
		return err
	}
	if err := f.fits(Code(p), n); err != nil {
		return err
	}
	magnify := max(dots(side)/(n+2*quiet), 1)
	if f.Kind == QR {
		magnify = min(magnify, 10) // the most of ^BQ
	}
	fmt.Fprintf(out, "^XA\n^CI28\n^PW%d\n^LL%d\n^LH0,0\n", dots(f.Width), dots(f.Height))
	lefts := []float64{0}
	width := f.Width
	if f.Core > 0 {
		width = (f.Width - f.Core) / 2
		lefts = append(lefts, width+f.Core)
	}
	for _, left := range lefts {
		x0, y0 := dots(left+margin)+quiet*magnify, dots(margin)+quiet*magnify
		if f.Kind == DataMatrix {
			// ~ begins commands within the code.
			code := zplText(strings.ReplaceAll(Code(p), "~", "~d126"))
			fmt.Fprintf(out, "^FO%d,%d^BXN,%d,200^FH^FD%s^FS\n", x0, y0, magnify, code)
		} else {
			// ^BQ puts a margin of ten dots above the code, for any size.
			fmt.Fprintf(out, "^FO%d,%d^BQN,2,%d^FH^FDMA,%s^FS\n", x0, max(y0-10, 0), magnify, zplText(Code(p)))
		}
		x := left + margin*1.5 + side
		wide := left + width - margin - x
		plan := f.lay(p, side, zplWidth)
		top := (f.Height - plan.pitch*float64(len(plan.lines))) / 2
		for n, l := range plan.lines {
			size := plan.sizes[n]
			fmt.Fprintf(out, "^FO%d,%d^A0N,%d,%d^FH^FD%s^FS\n", dots(x), dots(top+float64(n)*plan.pitch), dots(size),
				dots(size), zplText(zplCut(l, int(wide/size*2))))
		}
	}
	_, err = out.WriteString("^XZ\n")
	return err
}

// zplWidth is about how wide a text is: the letters of font 0 are half as wide as high.
func zplWidth(text string, size float64) float64 {
	return float64(utf8.RuneCountInString(text)) * size / 2
}

// zplCut is a line of at most so many letters.
func zplCut(l line, most int) string {
	text := []rune(l.text)
	switch most = max(most, 2); {
	case len(text) <= most:
		return l.text
	case l.tail:
		return "…" + string(text[len(text)-most+1:])
	}
	return string(text[:most-1]) + "…"
}

// zplText is a text in a field with ^FH: what begins commands, and what no label has, is written in hexadecimal.
func zplText(text string) string {
	var out strings.Builder
	for _, b := range []byte(csvtable.OneLine(text)) {
		if b == '^' || b == '~' || b == '_' || b == '\\' {
			fmt.Fprintf(&out, "_%02X", b)
		} else {
			out.WriteByte(b)
		}
	}
	return out.String()
}

var columns = []string{
	"code", "cable_id", "end", "near", "near_rack", "near_unit", "near_box", "near_port", "far", "far_rack", "far_unit",
	"far_box", "far_port", "length_m", "product", "bundle", "pull_order", "colour",
}

// Table writes labels as comma-separated values, a row for each, for the programs of label printers, which put columns
// into fields of a label: code is what its QR code has to say.
func Table(ctx context.Context, w io.Writer, plugs []render.Plug) error {
	out := csvtable.NewWriter(ctx, w, columns)
	number := func(n int) {
		if n > 0 {
			out.Int(int64(n))
		} else {
			out.Empty(1)
		}
	}
	for i := range plugs {
		p := &plugs[i]
		out.Texts(Code(p), p.Cable, p.End)
		for _, e := range []render.PlugEnd{p.Near, p.Far} {
			out.Texts(e.Label, e.Rack)
			number(e.Unit)
			out.Texts(e.Box, e.Port)
		}
		out.Texts(p.Length.Round4().Number(), p.Product, p.Bundle)
		number(p.Pull)
		out.Text(p.Colour)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}
