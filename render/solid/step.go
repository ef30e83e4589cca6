package solid

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// stepFile writes the instances of a file of ISO 10303-21 one after the other.
type stepFile struct {
	text []byte
	last int            // number of the last instance
	one  map[string]ref // instances that are shared, by what they are
}

// ref refers to an instance; 0 is none.
type ref int

// enum is a value of an enumeration.
type enum string

// typed is a value of a named type, IFCLABEL('x').
type typed struct {
	name  string
	value any
}

// add writes an instance: texts are quoted, nil is nothing, and star stands for what follows from others.
func (f *stepFile) add(entity string, values ...any) ref {
	f.last++
	f.text = append(strconv.AppendInt(append(f.text, '#'), int64(f.last), 10), '=')
	f.text = f.list(append(f.text, entity...), values)
	f.text = append(f.text, ';', '\n')
	return ref(f.last)
}

// shared is add for what is written once, however often it is asked for.
func (f *stepFile) shared(entity string, values ...any) ref {
	key := string(f.list([]byte(entity), values))
	if r, known := f.one[key]; known {
		return r
	}
	r := f.add(entity, values...)
	f.one[key] = r
	return r
}

// star is the value of an attribute that a subtype derives.
type star struct{}

func (f *stepFile) list(b []byte, values []any) []byte {
	b = append(b, '(')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = f.value(b, v)
	}
	return append(b, ')')
}

func (f *stepFile) value(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, '$')
	case star:
		return append(b, '*')
	case ref:
		if v == 0 {
			return append(b, '$')
		}
		return strconv.AppendInt(append(b, '#'), int64(v), 10)
	case enum:
		return append(append(append(b, '.'), v...), '.')
	case string:
		return stepText(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case float64:
		return stepReal(b, v)
	case typed:
		b = f.value(append(append(b, v.name...), '('), v.value)
		return append(b, ')')
	case []ref:
		b = append(b, '(')
		for i, r := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = f.value(b, r)
		}
		return append(b, ')')
	case []float64:
		b = append(b, '(')
		for i, x := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = stepReal(b, x)
		}
		return append(b, ')')
	}
	panic(fmt.Sprintf("solid: no way to write %T", v))
}

// stepReal appends a number with a point, in hundredths of a millimetre of a metre.
func stepReal(b []byte, v float64) []byte {
	const digits = 1e5
	n := len(b)
	b = strconv.AppendFloat(b, math.Round(v*digits)/digits+0, 'f', -1, 64)
	for _, c := range b[n:] {
		if c == '.' {
			return b
		}
	}
	return append(b, '.')
}

// stepText appends a text in quotes: what is not a printable ASCII letter is written as its number (ISO 10303-21,
// 6.4.3).
func stepText(b []byte, s string) []byte {
	b = append(b, '\'')
	var wide []uint16
	flush := func() {
		if len(wide) == 0 {
			return
		}
		b = append(b, `\X2\`...)
		for _, u := range wide {
			b = fmt.Appendf(b, "%04X", u)
		}
		b = append(b, `\X0\`...)
		wide = wide[:0]
	}
	for _, r := range s {
		if r > 0xffff { // as \X2\ has no letters beyond the first plane
			flush()
			b = fmt.Appendf(b, `\X4\%08X\X0\`, r)
			continue
		}
		if r < 0x20 || r > 0x7e {
			wide = append(wide, utf16.Encode([]rune{r})...)
			continue
		}
		flush()
		if r == '\'' || r == '\\' {
			b = append(b, byte(r))
		}
		b = append(b, byte(r))
	}
	flush()
	return append(b, '\'')
}

// label cuts a text to what an IfcLabel can hold.
func label(s string) string {
	const most = 255
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.ToValidUTF8(string([]rune(s)[:most]), "?")
}

// identifier is the GlobalId of a thing of a machine, in the 22 letters that IFC has for 128 bits: the same for the
// same names, so that a model that is written again updates the one before. The bits are those of a UUID of version 8
// (RFC 9562), from a hash.
func identifier(names ...string) string {
	h := sha256.New()
	for _, n := range names {
		fmt.Fprintf(h, "%d:%s", len(n), n)
	}
	sum := h.Sum(nil)[:16]
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$"
	var out [22]byte
	// Two bits are in the first letter, six in each of the others.
	var hi, lo uint64
	for i := range 8 {
		hi, lo = hi<<8|uint64(sum[i]), lo<<8|uint64(sum[8+i])
	}
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = letters[lo&63]
		lo, hi = lo>>6|hi<<58, hi>>6
	}
	return string(out[:])
}
