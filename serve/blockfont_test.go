package serve_test

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// blockFont returns a TrueType font that shows a bar for every character and nothing for spaces, all equally wide.
// Pages that are shown with it look the same on machines with different fonts.
func blockFont() []byte {
	const (
		em, wide        = 1000, 550
		ascent, descent = 900, -250
		glyphs          = 3 // .notdef, a bar, a space
	)
	var bar bytes.Buffer // one contour of four points
	put(&bar, int16(1), [4]int16{60, 0, wide - 60, 520}, uint16(3), uint16(0), [4]uint8{1, 1, 1, 1},
		[4]int16{60, 0, wide - 120, 0}, [4]int16{0, 520, 0, -520}, uint16(0))
	n := uint32(bar.Len())
	format := struct{ Format, Reserved uint16 }{13, 0} // which has the same glyph for a range of characters
	groups := [][3]uint32{{0, ' ', 2}, {' ' + 1, 0x9f, 1}, {0xa0, 0xa0, 2}, {0xa1, 0x10ffff, 1}}
	name := []byte("\x00b\x00l\x00o\x00c\x00k\x00s")
	var names bytes.Buffer
	put(&names, uint16(0), uint16(4), uint16(6+4*12))
	for _, id := range []uint16{1, 2, 4, 6} {
		put(&names, [6]uint16{3, 1, 0x409, id, uint16(len(name)), 0})
	}
	names.Write(name)
	tables := []struct {
		tag    string
		values []any
	}{
		{"OS/2", []any{
			[8]uint16{4, wide, 400, 5, 0, 650, 700, 0},
			[7]uint16{140, 650, 700, 0, 480, 50, 300},
			uint16(0),
			[10]uint8{},
			[4]uint32{1, 0, 0, 0},
			[4]byte{' ', ' ', ' ', ' '},
			[3]uint16{0x40, 1, 0xffff},
			[3]int16{ascent, descent, 0},
			[2]uint16{ascent, -descent},
			[2]uint32{1, 0},
			[2]int16{520, 520},
			[3]uint16{0, ' ', 1},
		}},
		{"cmap", []any{
			[2]uint16{0, 1},
			[2]uint16{3, 10},
			uint32(12), format, uint32(16 + 12*len(groups)), uint32(0),
			uint32(len(groups)), groups,
		}},
		{"glyf", []any{bar.Bytes()}},
		{"head", []any{
			uint32(0x10000), uint32(0x10000), uint32(0), uint32(0x5f0f3cf5),
			[2]uint16{0, em},
			[2]int64{},
			[4]int16{0, 0, wide, 520},
			[2]uint16{0, 8},
			[3]int16{2, 1, 0},
		}},
		{"hhea", []any{
			uint32(0x10000),
			[3]int16{ascent, descent, 0},
			uint16(wide),
			[3]int16{0, 0, wide},
			[8]int16{1},
			uint16(glyphs),
		}},
		{"hmtx", []any{[2 * glyphs]uint16{wide, 0, wide, 60, wide, 0}}},
		{"loca", []any{[glyphs + 1]uint32{0, 0, n, n}}},
		{"maxp", []any{uint32(0x10000), [14]uint16{glyphs, 4, 1, 0, 0, 1}}},
		{"name", []any{names.Bytes()}},
		{"post", []any{uint32(0x30000), uint32(0), [2]int16{-100, 50}, uint32(1), [4]uint32{}}},
	}
	var head, body bytes.Buffer
	count := uint16(len(tables))
	power := uint16(bits.Len16(count) - 1)
	put(&head, uint32(0x10000), count, uint16(16)<<power, power, 16*count-16<<power)
	for _, t := range tables {
		at := body.Len()
		put(&body, t.values...)
		length := body.Len() - at
		body.Write(make([]byte, -length&3))
		sum := uint32(0)
		for i := at; i < body.Len(); i += 4 {
			sum += binary.BigEndian.Uint32(body.Bytes()[i:])
		}
		put(&head, []byte(t.tag), sum, uint32(12+16*len(tables)+at), uint32(length))
	}
	return append(head.Bytes(), body.Bytes()...)
}

// put appends values as fonts have them, most significant bytes first.
func put(b *bytes.Buffer, values ...any) {
	for _, v := range values {
		if err := binary.Write(b, binary.BigEndian, v); err != nil {
			panic(err)
		}
	}
}
