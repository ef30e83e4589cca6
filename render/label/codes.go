package label

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/boombuler/barcode/datamatrix"

	"github.com/plenum-planner/plenum/diag"
)

// Kind is a kind of codes.
type Kind int

// The kinds of codes. A Data Matrix has fewer modules than a QR code of the same text, and phones rarely read it
// without a program of its own.
const (
	QR         Kind = iota
	DataMatrix      // ECC 200
)

// Kinds are the names of the kinds.
var Kinds = []string{"qr", "datamatrix"}

// KindOf is the kind of a name.
func KindOf(name string) (Kind, error) {
	for i, other := range Kinds {
		if other == name {
			return Kind(i), nil
		}
	}
	return 0, fmt.Errorf("no kind of codes %q; %s", name, diag.DidYouMean(diag.Nearest(name, Kinds)))
}

// String is the kind in words.
func (k Kind) String() string {
	if k == DataMatrix {
		return "Data Matrix"
	}
	return "QR code"
}

// modules are the rows of a code, true where it is dark, without the quiet zone.
func (k Kind) modules(text string) ([][]bool, error) {
	modules := qrModules
	if k == DataMatrix {
		modules = matrixModules
	}
	rows, err := modules(text)
	if err != nil {
		return nil, k.cannot(text, err)
	}
	return rows, nil
}

// side returns how many modules the side of the code of a text has, without the quiet zone.
func (k Kind) side(text string) (int, error) {
	if k == DataMatrix {
		rows, err := k.modules(text)
		return len(rows), err
	}
	_, version, err := qrEncoding(text)
	if err != nil {
		return 0, k.cannot(text, err)
	}
	return 17 + 4*int(version), nil
}

func (k Kind) cannot(text string, err error) error {
	return fmt.Errorf("no %s can say %s: %w", k, strconv.Quote(text), err)
}

// matrixModules returns the rows of the Data Matrix of a text in ASCII. Of other letters, readers would have to know
// how they are meant.
func matrixModules(text string) ([][]bool, error) {
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
		return nil, fmt.Errorf("it has other letters than those of ASCII")
	}
	code, err := datamatrix.Encode(text)
	if err != nil {
		return nil, err
	}
	n := code.Bounds().Dx()
	out := make([][]bool, n)
	for y := range out {
		out[y] = make([]bool, n)
		for x := range out[y] {
			shade, _, _, _ := code.At(x, y).RGBA()
			out[y][x] = shade == 0
		}
	}
	return out, nil
}
