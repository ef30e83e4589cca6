package label

import (
	"errors"
	"math"
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
	invert [8][]bool // by mask; rows one after the other
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
		for y, row := range plan.Pixel {
			for x, pixel := range row {
				out.invert[mask] = append(out.invert[mask], (pixel^out.plan.Pixel[y][x])&coding.Black != 0)
			}
		}
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
	first := make([]bool, 0, n*n)
	for y := range n {
		for x := range n {
			first = append(first, code.Black(x, y))
		}
	}
	best, other := slices.Clone(first), make([]bool, n*n)
	least := penalty(best, n, math.MaxInt)
	for _, invert := range layout.invert[1:] {
		for i, dark := range first {
			other[i] = dark != invert[i]
		}
		if p := penalty(other, n, least); p < least {
			best, other, least = other, best, p
		}
	}
	return slices.Collect(slices.Chunk(best, n)), nil
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

// penalty rates a masked QR code of n modules a side: the higher, the harder it is to read (ISO/IEC 18004, section
// 7.8.3.1). It stops where it reaches enough.
func penalty(all []bool, n, enough int) int {
	sum, dark := 0, 0
	for i := range n {
		var row, column modules
		for k := range n {
			here := all[i*n+k]
			sum += row.add(here) + column.add(all[k*n+i])
			if here {
				dark++
			}
			// Blocks of two by two modules of one colour.
			if i > 0 && k > 0 && all[(i-1)*n+k] == here && all[i*n+k-1] == here && all[(i-1)*n+k-1] == here {
				sum += 3
			}
		}
		if sum >= enough {
			return sum
		}
	}
	// The share of dark modules in steps of 5 % away from a half.
	return sum + 10*(max(20*dark, 20*n*n-20*dark)/(n*n)-10)
}

// modules are the last modules of a row or column while its penalty is counted.
type modules struct {
	bits  uint // the last one lowest, 1 where it is dark
	count int
}

// add adds a module and returns the penalty that it adds: for five of one colour, for each further one, and for what
// looks like a finder pattern with four light modules on one side.
func (m *modules) add(dark bool) int {
	m.bits <<= 1
	if dark {
		m.bits |= 1
	}
	m.count++
	sum := 0
	if last := m.bits & 0b11111; m.count >= 5 && (last == 0 || last == 0b11111) {
		sum = 1
		if m.count == 5 || m.bits>>5&1 != last&1 {
			sum = 3
		}
	}
	if last := m.bits & 0b11111111111; m.count >= 11 && (last == 0b10111010000 || last == 0b00001011101) {
		sum += 40
	}
	return sum
}
