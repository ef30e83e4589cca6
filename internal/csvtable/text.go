package csvtable

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/diag"
)

// Text returns a text file as UTF-8, with the line ends of old Macs (CR) as \n. It takes UTF-8 with or without a byte
// order mark, which it leaves out, and UTF-16 in either byte order, with the mark or without. Anything else, such as
// Latin-1, is refused, and so are NUL and all other control characters but tabs and line ends: the error is a
// *diag.Diagnostic with the place in the file, and the offset in bytes from its beginning. A reader that Text returned
// is returned as it is.
func Text(name string, r io.Reader) io.Reader {
	if t, ok := r.(*textReader); ok {
		return t
	}
	return &textReader{in: r, at: diag.Position{File: name, Line: 1, Column: 1}}
}

// XML decodes a text file in XML. The encoding that the file declares does not count: Text has made UTF-8 of it, or
// refuses the first byte that is neither UTF-8 nor UTF-16.
func XML(name string, r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(Text(name, r))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d
}

// textReader decodes and checks a text.
type textReader struct {
	in     io.Reader
	at     diag.Position // of the next character that is checked
	offset int64         // of the same in the file, in bytes
	begun  bool
	wide   bool // UTF-16
	big    bool // its higher byte comes first

	raw   []byte // as read: nothing but the end of what could not be decoded yet
	text  []byte // decoded and checked, not taken yet
	err   error  // behind text
	block []byte
}

// textBlock is how much is read at a time, in bytes.
const textBlock = 1 << 16

// Read implements io.Reader.
func (t *textReader) Read(p []byte) (int, error) {
	for len(t.text) == 0 {
		if t.err != nil {
			return 0, t.err
		}
		t.fill()
	}
	n := copy(p, t.text)
	t.text = t.text[n:]
	return n, nil
}

// fill reads and checks the next block.
func (t *textReader) fill() {
	if t.block == nil {
		t.block = make([]byte, textBlock)
	}
	kept := copy(t.block, t.raw)
	n, err := t.in.Read(t.block[kept:])
	t.raw = t.block[:kept+n]
	if !t.begun {
		if len(t.raw) < 4 && err == nil {
			return // the mark may be cut
		}
		t.begin()
	}
	if t.wide {
		t.decode(err != nil)
	} else {
		t.check(err != nil)
	}
	if t.err == nil {
		t.err = err
	}
}

// begin finds the encoding by the first bytes.
func (t *textReader) begin() {
	t.begun = true
	skip := 0
	switch b := t.raw; {
	case bytes.HasPrefix(b, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(b, []byte("\x00\x00\xfe\xff")):
		t.refuse("the file is UTF-32 text")
	case bytes.HasPrefix(b, []byte("\ufeff")):
		skip = 3
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		t.wide, skip = true, 2
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		t.wide, t.big, skip = true, true, 2
	case len(b) >= 4 && b[0] != 0 && b[1] == 0 && b[2] != 0 && b[3] == 0: // two letters of ASCII
		t.wide = true
	case len(b) >= 4 && b[0] == 0 && b[1] != 0 && b[2] == 0 && b[3] != 0:
		t.wide, t.big = true, true
	}
	t.raw = t.raw[skip:]
	t.offset += int64(skip)
}

// saved is what to do about a text that is refused.
const saved = "save it as UTF-8, which spreadsheets call CSV UTF-8"

func (t *textReader) refuse(format string, args ...any) {
	t.err, t.raw = t.at.Errorf(format+"\n"+saved, args...), nil
}

// isPlain tells which bytes are characters by themselves that a text may have.
var isPlain = func() (is [256]bool) {
	for c := range utf8.RuneSelf {
		is[c] = c >= ' ' && c != 0x7f || c == '\t' || c == '\r' || c == '\n'
	}
	return is
}()

// check passes on what is UTF-8 text of the bytes read.
func (t *textReader) check(last bool) {
	b := t.raw
	i := 0
	for i < len(b) {
		if isPlain[b[i]] {
			i++
			continue
		}
		if !last && !utf8.FullRune(b[i:]) {
			break
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			t.pass(b[:i], int64(i))
			if kind := kindOf(b[i:]); t.offset == 0 && kind != "" {
				t.err, t.raw = t.at.Errorf("the file is %s, not text", kind), nil
				return
			}
			t.refuse("the byte %#02x at offset %d is not UTF-8 text", b[i], t.offset)
			return
		}
		if unicode.IsControl(r) {
			t.pass(b[:i], int64(i))
			t.control(r)
			return
		}
		i += n
	}
	if i > 0 && b[i-1] == '\r' && !last {
		i-- // the line end may be cut
	}
	t.pass(b[:i], int64(i))
	t.raw = b[i:]
}

// kindOf names what a file is by how it begins, such as a picture under the name of a table; "" for others.
func kindOf(head []byte) string {
	for begin, kind := range map[string]string{
		"\x89PNG": "a PNG picture", "\xff\xd8\xff": "a JPEG picture", "\x1f\x8b": "packed with gzip",
		"\xd0\xcf\x11\xe0": "a document of an old office program, such as .xls",
	} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return kind
		}
	}
	return ""
}

// control refuses a control character.
func (t *textReader) control(r rune) {
	t.err, t.raw = t.at.Errorf("control character %U at offset %d\nremove it", r, t.offset), nil
}

// pass gives on text that takes so many bytes of the file, and counts its lines.
func (t *textReader) pass(text []byte, size int64) {
	for rest := text; ; {
		i := bytes.IndexByte(rest, '\r')
		if i < 0 {
			break
		}
		if i+1 == len(rest) || rest[i+1] != '\n' {
			rest[i] = '\n'
		}
		rest = rest[i+1:]
	}
	t.text = text
	t.offset += size
	if n := bytes.Count(text, []byte("\n")); n > 0 {
		t.at.Line += n
		t.at.Column = 1
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	t.at.Column += utf8.RuneCount(text)
}

// decode makes UTF-8 of the bytes read, which are UTF-16.
func (t *textReader) decode(last bool) {
	var out []byte
	b := t.raw
	unit := func(i int) rune {
		if t.big {
			return rune(b[i])<<8 | rune(b[i+1])
		}
		return rune(b[i]) | rune(b[i+1])<<8
	}
	i := 0
	for i+1 < len(b) {
		r, n := unit(i), 2
		if utf16.IsSurrogate(r) {
			if i+3 >= len(b) && !last {
				break
			}
			low := rune(0)
			if i+3 < len(b) {
				low = unit(i + 2)
			}
			if r = utf16.DecodeRune(r, low); r == unicode.ReplacementChar {
				t.pass(out, int64(i))
				t.refuse("half a character at offset %d of UTF-16 text", t.offset)
				return
			}
			n = 4
		}
		if unicode.IsControl(r) && r != '\t' && r != '\r' && r != '\n' {
			t.pass(out, int64(i))
			t.control(r)
			return
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	if n := len(out); n > 0 && out[n-1] == '\r' && !last {
		out, i = out[:n-1], i-2 // the line end may be cut
	}
	t.pass(out, int64(i))
	if t.raw = b[i:]; last && len(t.raw) > 0 {
		t.refuse("half a character at offset %d of UTF-16 text", t.offset)
	}
}

// TextError returns the mistake at which a reader that Text returned has ended, nil if there is none so far. The text
// is cut there, so that its reader may report a mistake of another kind as well.
func TextError(r io.Reader) error {
	var wrong *diag.Diagnostic
	if t, ok := r.(*textReader); ok && errors.As(t.err, &wrong) && len(t.text) == 0 {
		return wrong
	}
	return nil
}
