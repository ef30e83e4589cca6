package label

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"sync"

	"rsc.io/qr/coding"
)

// errTooLong says that a text does not fit into the largest QR code.
var errTooLong = errors.New("it is too long")

// qrLayout is how QR codes of level M and one version are made: their modules with the first mask, and which of them
// each mask inverts as against the first.
type qrLayout struct {
	plan   *coding.Plan
	invert [8]square // by mask
}

// qrLayouts are the layouts by version, made at the first use of a version.
var qrLayouts [coding.MaxVersion + 1]struct {
	once sync.Once
	*qrLayout
	err error
}

func newQRLayout(version coding.Version) (*qrLayout, error) {
	out := &qrLayout{}
	for mask := range out.invert {
		plan, err := coding.NewPlan(version, coding.M, coding.Mask(mask))
		if err != nil {
			return nil, err
		}
		if mask == 0 {
			out.plan = plan
		}
		out.invert[mask] = newSquare(len(plan.Pixel), func(x, y int) bool {
			return (plan.Pixel[y][x]^out.plan.Pixel[y][x])&coding.Black != 0
		})
	}
	return out, nil
}

// qrModules returns the rows of the QR code of a text, true where a module is dark. The code has level M, of which 15 %
// may be lost, and the mask with the lowest penalty (ISO/IEC 18004, section 7.8.3), the first of several.
func qrModules(text string) ([][]bool, error) {
	encoded, version, err := qrEncoding(text)
	if err != nil {
		return nil, err
	}
	layout := &qrLayouts[version]
	layout.once.Do(func() { layout.qrLayout, layout.err = newQRLayout(version) })
	if layout.err != nil {
		return nil, layout.err
	}
	code, err := layout.plan.Encode(encoded)
	if err != nil {
		return nil, err
	}
	n := code.Size
	first := newSquare(n, code.Black)
	best, other := slices.Clone(first), make(square, len(first))
	least := best.penalty(math.MaxInt)
	for _, invert := range layout.invert[1:] {
		for i, l := range first {
			other[i] = l.xor(invert[i])
		}
		if p := other.penalty(least); p < least {
			best, other, least = other, best, p
		}
	}
	rows := make([][]bool, n)
	for y := range rows {
		for x := range n {
			rows[y] = append(rows[y], best[y][x/64]>>(x%64)&1 != 0)
		}
	}
	return rows, nil
}

// qrEncoding returns the shortest encoding of a text and the smallest version of level M that holds it.
func qrEncoding(text string) (coding.Encoding, coding.Version, error) {
	var encoded coding.Encoding = coding.String(text)
	for _, shorter := range []coding.Encoding{coding.Num(text), coding.Alpha(text)} {
		if shorter.Check() == nil {
			encoded = shorter
			break
		}
	}
	for v := coding.Version(coding.MinVersion); v <= coding.MaxVersion; v++ {
		if encoded.Bits(v) <= 8*v.DataBytes(coding.M) {
			return encoded, v, nil
		}
	}
	return nil, 0, errTooLong
}

// square is the rows of a QR code, and then its columns.
type square []modules

// modules are up to 177 modules of a line of a QR code, those of the largest version: the first one lowest, 1 where it
// is dark.
type modules [3]uint64

func newSquare(n int, dark func(x, y int) bool) square {
	s := make(square, 2*n)
	for y := range n {
		for x := range n {
			if dark(x, y) {
				s[y][x/64] |= 1 << (x % 64)
				s[n+x][y/64] |= 1 << (y % 64)
			}
		}
	}
	return s
}

// penalty rates a masked QR code: the higher, the harder it is to read (ISO/IEC 18004, section 7.8.3.1). It stops where
// it reaches enough.
func (s square) penalty(enough int) int {
	n := len(s) / 2
	var within modules // 1 for every module
	for i := range n {
		within[i/64] |= 1 << (i % 64)
	}
	sum, dark := 0, 0
	for i, l := range s {
		light, alike := l.xor(within), l.xor(l.from(1)).xor(within).and(within.from(1)) // alike: as the next one
		// Five or more of one colour: 3, and 1 for each further one.
		five := alike.and(alike.from(1))
		five = five.and(five.from(2))
		sum += five.count() + 2*five.and(five.from(1).xor(within)).count()
		// What looks like a finder pattern, 1011101, with four light modules on one side.
		finder := l.and(light.from(1)).and(l.from(2)).and(l.from(3)).and(l.from(4)).and(light.from(5)).and(l.from(6))
		four := light.and(light.from(1))
		four = four.and(four.from(2))
		sum += 40 * (finder.and(four.from(7)).count() + four.and(finder.from(4)).count())
		if i < n {
			dark += l.count()
		}
		if i > 0 && i < n { // blocks of two by two modules of one colour
			over := l.xor(s[i-1]).xor(within)
			sum += 3 * alike.and(over).and(over.from(1)).count()
		}
		if sum >= enough {
			return sum
		}
	}
	// The share of dark modules in steps of 5 % away from a half.
	return sum + 10*(max(20*dark, 20*n*n-20*dark)/(n*n)-10)
}

// from is the modules from one on, less than 64.
func (l modules) from(i int) modules {
	return modules{l[0]>>i | l[1]<<(64-i), l[1]>>i | l[2]<<(64-i), l[2] >> i}
}

func (l modules) xor(m modules) modules { return modules{l[0] ^ m[0], l[1] ^ m[1], l[2] ^ m[2]} }

func (l modules) and(m modules) modules { return modules{l[0] & m[0], l[1] & m[1], l[2] & m[2]} }

func (l modules) count() int {
	return bits.OnesCount64(l[0]) + bits.OnesCount64(l[1]) + bits.OnesCount64(l[2])
}
