package chart

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/provenance"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/units"
)

// Style is how a chart is laid out. The zero value is for screens: 1600 pixels wide, as high as the content needs.
type Style struct {
	// Width and Height are those of the page on paper; 0 for screens. A page becomes higher where a legend or the rows
	// of a chart need it.
	Width, Height units.Length
	// Bare leaves out the title block: title, note and version.
	Bare bool
}

// Least and most that a page may have on paper: below it, axes have no room for their labels; above it, readers of PDF
// refuse a page.
const (
	LeastWidth  units.Length = 0.05
	LeastHeight units.Length = 0.03
	MostSide    units.Length = 5
)

// ParseSize reads the size of a page, width before height, such as 8.5cmx6cm, 85x60mm or 3.3in x 2in. A unit at the
// height only is that of both.
func ParseSize(text string) (width, height units.Length, err error) {
	refuse := func(why string) (units.Length, units.Length, error) {
		return 0, 0, fmt.Errorf("%q is not the size of a page (%s); write width x height, such as 8.5cmx6cm", text, why)
	}
	w, h, ok := strings.Cut(strings.ReplaceAll(text, "×", "x"), "x")
	if !ok {
		return refuse("a height is missing")
	}
	w, h = strings.TrimSpace(w), strings.TrimSpace(h)
	if strings.HasSuffix(h, "U") || strings.HasSuffix(w, "U") {
		return refuse("a rack unit is not a unit of paper")
	}
	if _, err := strconv.ParseFloat(w, 64); err == nil {
		w += strings.TrimLeft(h, "0123456789.+-eE ")
	}
	if width, err = units.ParseLength(w); err != nil {
		return refuse(err.Error())
	}
	if height, err = units.ParseLength(h); err != nil {
		return refuse(err.Error())
	}
	switch {
	case !withUnit(w) || !withUnit(h):
		return refuse("a unit is missing")
	case width < LeastWidth || height < LeastHeight:
		return 0, 0, fmt.Errorf("%q is too small for a chart whose letters are read: at least 5cmx3cm", text)
	case width > MostSide || height > MostSide:
		return 0, 0, fmt.Errorf("%q is too large for a page: at most 5mx5m", text)
	}
	return width, height, nil
}

func withUnit(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err != nil
}

// paper is the millimetres of paper of a unit: letters of 15 units, the smallest, have 6.4 points.
const paper = 0.15

// printed reports whether a chart has a size on paper.
func (s Style) printed() bool { return s.Width > 0 }

// units are a length on paper in units.
func onPaper(l units.Length) float64 { return float64(l) * 1000 / paper }

// Grown is the height that the page has where its content needs more than the style gives; 0 otherwise.
func (d *Drawing) Grown() units.Length {
	if high := units.Length(d.Scene.H * paper / 1000); d.Style.printed() && high > d.Style.Height+1e-6 {
		return high
	}
	return 0
}

// dots are those of pictures to a millimetre of paper: 300 to an inch.
const dots = 300 / 25.4

// png writes a picture: for screens a pixel to a unit, on paper with 300 pixels to an inch.
func (d *Drawing) png(ctx context.Context, w io.Writer) error {
	if d.Scene.Paper == 0 {
		return d.PNG(ctx, w)
	}
	img, err := pen.Raster(d.Letters, d.Scene.Scaled(dots*d.Scene.Paper))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := pen.EncodePNG(provenance.PNG(ctx, &b), img); err != nil {
		return err
	}
	// The chunk pHYs, pixels to a metre, stands behind the signature and the header, which have 8 and 25 bytes: PNG
	// specification, third edition, section 11.3.4.3.
	const head = 8 + 25
	chunk := []byte("\x00\x00\x00\x09pHYs")
	for range 2 {
		chunk = binary.BigEndian.AppendUint32(chunk, uint32(math.Round(dots*1000)))
	}
	chunk = append(chunk, 1)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	for _, part := range [][]byte{b.Bytes()[:head], chunk, b.Bytes()[head:]} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// Options are in which formats a command writes its charts, and how they look.
type Options struct {
	Formats []Format // PNG where there are none
	Style   Style
	// Warn receives a message about a page that became higher than asked for; it may be nil.
	Warn func(warning string)
}

// Written are the formats: those asked for, or PNG.
func (o Options) Written() []Format {
	if len(o.Formats) == 0 {
		return []Format{PNG}
	}
	return o.Formats
}

// File is a chart in one format.
type File struct {
	Name  string
	Write func(ctx context.Context, w io.Writer) error
}

// Files returns the files of a chart, in the order of the formats; name is theirs without the extension.
func (o Options) Files(name string, d *Drawing) []File {
	var out []File
	for _, f := range o.Written() {
		out = append(out, File{
			Name:  name + "." + string(f),
			Write: func(ctx context.Context, w io.Writer) error { return d.Write(ctx, w, f) },
		})
	}
	if high := d.Grown(); high > 0 && o.Warn != nil {
		o.Warn(fmt.Sprintf("the chart %s is %.1f cm high, not %.1f cm: its legend and rows need the height", name,
			float64(high)*100, float64(o.Style.Height)*100))
	}
	return out
}
