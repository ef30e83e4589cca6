package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"sync"
)

// An Array is a column of numbers or texts. In JSON it is a text: the kind of its elements (i8, u8, u16, i16, i32, u32,
// f32, or s for texts), a colon, and the elements in little-endian order, or the texts with a zero byte after each,
// compressed by gzip and written in base64. A column of numbers that are all zero, and one without elements, is empty.
type Array struct {
	kind string
	raw  []byte
}

// number is what columns of numbers have.
type number interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | float32
}

// column makes an Array of numbers.
func column[T number](values []T) Array {
	var zero T
	kind := map[any]string{
		int8(0): "i8", uint8(0): "u8", int16(0): "i16", uint16(0): "u16", int32(0): "i32", uint32(0): "u32",
		float32(0): "f32",
	}[any(zero)]
	some := false
	for _, v := range values {
		some = some || v != zero
	}
	if !some {
		return Array{kind: kind}
	}
	raw, _ := binary.Append(make([]byte, 0, binary.Size(values)), binary.LittleEndian, values)
	return Array{kind, raw}
}

// texts makes an Array of n texts, which it asks for one after the other.
func texts(n int, text func(i int) string) Array {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(strings.ReplaceAll(text(i), "\x00", ""))
		b.WriteByte(0)
	}
	return Array{"s", b.Bytes()}
}

// MarshalText writes the column as JSON has it.
func (a Array) MarshalText() ([]byte, error) {
	out := append([]byte(a.kind), ':')
	if len(a.raw) == 0 {
		return out, nil
	}
	return append(out, packed(a.raw)...), nil
}

// compressors are used again and again: one takes over a megabyte, and a page has some sixty columns, most of them far
// smaller than that.
var compressors = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // nearly as small as the best, in a fifth of the time
	return z
}}

// packed compresses bytes and writes them in base64.
func packed(raw []byte) []byte {
	var b bytes.Buffer
	z := compressors.Get().(*gzip.Writer)
	defer compressors.Put(z)
	z.Reset(&b)
	z.Write(raw) // a bytes.Buffer takes everything
	z.Close()
	return base64.StdEncoding.AppendEncode(nil, b.Bytes())
}
