package graphio

import (
	"io"
	"unicode/utf8"
)

// plainText passes on a text until a control character, which no name of a vertex
// needs and which a terminal would act on, and remembers where it stands. A zero
// byte is left to the formats, which know better what such a file may be.
type plainText struct {
	r            io.Reader
	line, column int
	found        rune // 0 for none
	half         bool // the last byte began a character of two that may be a control character
}

// Read implements io.Reader.
func (t *plainText) Read(p []byte) (int, error) {
	if t.found != 0 {
		return 0, io.EOF
	}
	n, err := t.r.Read(p)
	for _, c := range p[:n] {
		switch {
		case t.half && c >= 0x80 && c < 0xa0 && c != 0x85: // U+0080 to U+009F, without the line break of some systems
			t.found = rune(c)
			return 0, io.EOF
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0, c == 0x7f:
			t.column++
			t.found = rune(c)
			return 0, io.EOF
		case c == '\n':
			t.line++
			t.column = 0
		case utf8.RuneStart(c):
			t.column++
		}
		t.half = c == 0xc2
	}
	return n, err
}
