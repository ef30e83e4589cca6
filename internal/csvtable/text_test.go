package csvtable

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// utf16Text is a text in UTF-16, higher bytes first if big.
func utf16Text(text string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.String()
}

// Whatever the encoding and however it is read, the text is the same.
func TestEncodings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := "ab" + rapid.StringMatching("[a-zé中\U0001f600,\t\n\r]{0,40}").Draw(t, "text")
		lines := strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\v"), "\r", "\n")
		lines = strings.ReplaceAll(lines, "\v", "\r\n")
		for name, data := range map[string]string{
			"UTF-8": text, "with a mark": "\ufeff" + text, "UTF-16": utf16Text("\ufeff"+text, false),
			"UTF-16, big": utf16Text("\ufeff"+text, true), "no mark": utf16Text(text, false),
			"no mark, big": utf16Text(text, true),
		} {
			for _, r := range []io.Reader{strings.NewReader(data), iotest.OneByteReader(strings.NewReader(data))} {
				if got, err := io.ReadAll(Text("f", r)); err != nil || string(got) != lines {
					t.Fatalf("%s: %q, %v, want %q", name, got, err, lines)
				}
			}
		}
	})
}

func TestTextsThatAreRefused(t *testing.T) {
	for _, test := range []struct{ data, want string }{
		{"a,b\né,caf\xe9\n", "f:2:6: the byte 0xe9 at offset 10 is not UTF-8 text"},
		{"\x89PNG\r\n\x1a\n", "f:1:1: the file is a PNG picture, not text"},
		{"\xff\xd8\xff\xe0", "f:1:1: the file is a JPEG picture, not text"},
		{"abcd\n\x00", "f:2:1: control character U+0000 at offset 5"},
		{"\ufeffab\x1b", "f:1:3: control character U+001B at offset 5"},
		{"\xff\xfea\x00\x00\xd8", "f:1:2: half a character at offset 4 of UTF-16 text"},
		{"\xff\xfea\x00b", "f:1:2: half a character at offset 4 of UTF-16 text"},
		{"\xff\xfe\x00\x00a\x00\x00\x00", "f:1:1: the file is UTF-32 text"},
	} {
		r := Text("f", strings.NewReader(test.data))
		if _, err := io.ReadAll(r); err == nil || !strings.HasPrefix(err.Error(), test.want) || TextError(r) == nil {
			t.Errorf("%q: %v, want %s", test.data, err, test.want)
		}
	}
}

func TestColumnsHaveALimit(t *testing.T) {
	wide := strings.Repeat("x,", MostColumns) + "x"
	_, err := NewReader("f", strings.NewReader(wide)).Read()
	if err == nil || !strings.HasPrefix(err.Error(), "f:1:1: 257 ") {
		t.Error(err)
	}
	l := NewLines("f", strings.NewReader(wide), 1<<16)
	line, err := l.Next()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Split(line); err == nil || !strings.HasPrefix(err.Error(), "f:1:1: 257 ") {
		t.Error(err)
	}
}
