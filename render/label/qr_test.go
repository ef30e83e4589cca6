package label

import (
	"strings"
	"testing"

	"github.com/boombuler/barcode/qr"
	"pgregory.net/rapid"
)

// TestCodesOfAnotherLibrary holds that QR codes of texts of all lengths and alphabets are those of a slower library,
// module by module.
func TestCodesOfAnotherLibrary(t *testing.T) {
	letters := []*rapid.Generator[rune]{
		rapid.RuneFrom([]rune("0123456789")), rapid.RuneFrom([]rune("0123456789ABCXYZ $%*+-./:")),
		rapid.RuneFrom([]rune("abcABC012/.-_é")),
	}
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{10, 40, 300}).Draw(t, "most")
		text := rapid.StringOfN(rapid.SampledFrom(letters).Draw(t, "letters"), 1, most, -1).Draw(t, "text")
		if strings.ContainsAny(text, "+-") && strings.Trim(text, "0123456789+-") == "" {
			return // the other library takes signs for digits: "+0" has the code of "0"
		}
		equalCodes(t, text)
	})
}

func equalCodes(t *rapid.T, text string) {
	got, err := qrModules(text)
	if err != nil {
		t.Fatal(err)
	}
	want, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		t.Fatal(err)
	}
	n := want.Bounds().Dx()
	if side, err := QR.side(text); err != nil || side != n || len(got) != n {
		t.Fatalf("%q: %d modules a side and %d rows, not %d: %v", text, side, len(got), n, err)
	}
	for y, row := range got {
		for x, dark := range row {
			shade, _, _, _ := want.At(x, y).RGBA()
			if dark != (shade == 0) {
				t.Fatalf("%q: module %d of row %d", text, x, y)
			}
		}
	}
}

// TestRectanglesAreTheModules holds that the rectangles of a code cover each dark module once and no light one.
func TestRectanglesAreTheModules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.Bool(), n, n), n, n).Draw(t, "rows")
		covered := make([][]int, n)
		for y := range covered {
			covered[y] = make([]int, n)
		}
		for _, r := range runs(rows) {
			for y := r.y0; y < r.y1; y++ {
				for x := r.x0; x < r.x1; x++ {
					covered[y][x]++
				}
			}
		}
		for y, row := range rows {
			for x, dark := range row {
				if dark != (covered[y][x] == 1) || !dark && covered[y][x] != 0 {
					t.Fatalf("module %d of row %d: dark is %t, covered %d times", x, y, dark, covered[y][x])
				}
			}
		}
	})
}
