package names

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/diag"
)

// MaxLength is the largest number of characters of a name, and of a pattern.
const MaxLength = 128

// Limits of fields.
const (
	maxWidth = 32            // digits
	maxAdded = 1_000_000_000 // number that a field adds or subtracts
)

// Pattern is a text with fields in braces, such as r{rack:02}.
type Pattern struct {
	text   string
	pieces []piece
}

// piece is a literal text, or a field.
type piece struct {
	literal string
	field   string // "" for a literal
	add     int    // added to the number
	width   int    // smallest number of digits
	form    byte   // 'd', 'x', 'X', 'a' or 'A'
}

// field matches the text between braces: NAME, a number to add, and after a colon a width with a leading 0 and a form.
var field = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)([+-][0-9]+)?(?::(0?)([0-9]*)([A-Za-z]?))?$`)

// Parse reads a pattern. The error says what is wrong with it; the caller writes the place of the pattern before it.
func Parse(text string) (*Pattern, error) {
	if n := utf8.RuneCountInString(text); n > MaxLength {
		return nil, fmt.Errorf("%d characters are more than the %d of a pattern", n, MaxLength)
	}
	if err := check(text); err != nil {
		return nil, err
	}
	p := &Pattern{text: text}
	var literal strings.Builder
	for rest := text; rest != ""; {
		at := strings.IndexAny(rest, "{}")
		if at < 0 {
			at = len(rest)
		}
		literal.WriteString(rest[:at])
		if rest = rest[at:]; rest == "" {
			break
		}
		if len(rest) > 1 && rest[1] == rest[0] { // a doubled brace is a literal one
			literal.WriteByte(rest[0])
			rest = rest[2:]
			continue
		}
		end := strings.IndexByte(rest, '}')
		if rest[0] == '}' || end < 0 {
			return nil, fmt.Errorf("%q has a brace that opens or closes no field\n"+
				"write {n} for a field, and {{ or }} for the brace itself", text)
		}
		f, err := parseField(rest[1:end])
		if err != nil {
			return nil, err
		}
		p.literal(&literal)
		p.pieces = append(p.pieces, f)
		rest = rest[end+1:]
	}
	p.literal(&literal)
	return p, nil
}

// literal adds the text in b, if any, as a piece, and empties b.
func (p *Pattern) literal(b *strings.Builder) {
	if b.Len() > 0 {
		p.pieces = append(p.pieces, piece{literal: b.String()})
		b.Reset()
	}
}

func parseField(text string) (piece, error) {
	m := field.FindStringSubmatch(text)
	if m == nil {
		return piece{}, fmt.Errorf("{%s} is not a field\nwrite {n}, {n:03} with zeros to a width, {n+100} with a "+
			"number "+
			"added, {n-1} to count from 0, or {rail:A} for letters", text)
	}
	out := piece{field: m[1], form: 'd'}
	if m[2] != "" {
		add, err := strconv.Atoi(m[2])
		if err != nil || add > maxAdded || add < -maxAdded {
			return piece{}, fmt.Errorf("{%s} adds more than %d", text, maxAdded)
		}
		out.add = add
	}
	if m[4] != "" {
		width, err := strconv.Atoi(m[4])
		switch {
		case err != nil || width > maxWidth || width == 0:
			return piece{}, fmt.Errorf("{%s} is to be %s wide: a width is 1 to %d", text, m[4], maxWidth)
		case m[3] == "" && width > 1:
			return piece{}, fmt.Errorf("{%s} would be filled with blanks\nwrite {%s%s:0%s} for zeros", text, m[1], m[2],
				m[4]+m[5])
		}
		out.width = width
	} else if m[3] != "" { // {n:0} has no smallest width
		out.width = 1
	}
	if m[5] != "" {
		if !strings.Contains("dxXaA", m[5]) {
			return piece{}, fmt.Errorf("{%s} has an unknown form %q\nwrite d, x or X for a number, a or A for letters",
				text, m[5])
		}
		out.form = m[5][0]
	}
	if out.width > 1 && (out.form == 'a' || out.form == 'A') {
		return piece{}, fmt.Errorf("{%s} would fill letters with zeros\nleave the width out", text)
	}
	return out, nil
}

// check returns an error if a text cannot be a name: empty, not UTF-8, with blanks around it or control characters.
func check(text string) error {
	switch {
	case text == "":
		return fmt.Errorf("is empty")
	case !utf8.ValidString(text):
		return fmt.Errorf("%q is not UTF-8 text", text)
	case strings.TrimSpace(text) != text:
		return fmt.Errorf("%q begins or ends with a blank", text)
	}
	for _, r := range text {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return fmt.Errorf("%q has the control character %U", text, r)
		}
	}
	return nil
}

// CheckName returns an error if a name is too long, or cannot be a name for its characters.
func CheckName(name string) error {
	if n := utf8.RuneCountInString(name); n > MaxLength {
		return fmt.Errorf("%.20q... has %d characters; a name has at most %d", name, n, MaxLength)
	}
	return check(name)
}

// String returns the pattern as it was written.
func (p *Pattern) String() string { return p.text }

// Fields lists the fields of the pattern, each once.
func (p *Pattern) Fields() []string {
	var out []string
	for _, x := range p.pieces {
		if x.field != "" && !slices.Contains(out, x.field) {
			out = append(out, x.field)
		}
	}
	return out
}

// Has reports whether the pattern has a field.
func (p *Pattern) Has(field string) bool { return slices.Contains(p.Fields(), field) }

// CheckFields returns an error that names the first field of the pattern that is not known; nil if all are.
func (p *Pattern) CheckFields(what string, known []string) error {
	for _, f := range p.Fields() {
		if !slices.Contains(known, f) {
			return fmt.Errorf("%s has no field {%s}\n%s", what, f, suggest(f, known))
		}
	}
	return nil
}

// suggest suggests the field of the nearest name, and lists all fields.
func suggest(f string, known []string) string {
	all := "its fields are " + strings.Join(known, ", ")
	if near, ok := diag.Closest(f, known); ok {
		return diag.DidYouMean(near) + " " + all
	}
	return all
}

// Value is the value of a field: a number, a text or nothing.
type Value struct {
	text  string
	n     int
	state uint8
}

const (
	isNothing = iota
	isNumber
	isText
)

// Number returns the value of a field with a number.
func Number(n int) Value { return Value{n: n, state: isNumber} }

// Text returns the value of a field with a text; an empty one is nothing. A text of digits is treated as a number:
// zeros are put before it, and the field may add to it. Other texts are written as they are.
func Text(s string) Value {
	if s == "" {
		return Value{}
	}
	return Value{text: s, state: isText}
}

// IsKnown reports whether a field has a value.
func (v Value) IsKnown() bool { return v.state != isNothing }

// Append appends the pattern to b, with the values of its fields. The error is a MissingError for a field without a
// value, or says that a number is below 0.
func (p *Pattern) Append(b []byte, value func(field string) Value) ([]byte, error) {
	for i := range p.pieces {
		x := &p.pieces[i]
		if x.field == "" {
			b = append(b, x.literal...)
			continue
		}
		v := value(x.field)
		if !v.IsKnown() {
			return b, &MissingError{x.field}
		}
		var err error
		if b, err = x.append(b, v); err != nil {
			return b, err
		}
	}
	return b, nil
}

// MissingError is the error about a field that has no value for a box.
type MissingError struct{ Field string }

// Error names the field.
func (e *MissingError) Error() string { return "there is no {" + e.Field + "}" }

// append appends the value of a field.
func (x *piece) append(b []byte, v Value) ([]byte, error) {
	n := v.n
	if v.state == isText {
		var err error
		if n, err = strconv.Atoi(v.text); err != nil || v.text[0] < '0' || v.text[0] > '9' {
			return append(b, v.text...), nil
		}
		if x.add == 0 && x.form == 'd' && len(v.text) >= x.width {
			return append(b, v.text...), nil // leading zeros of the value are kept
		}
	}
	n += x.add
	if n < 0 {
		return b, fmt.Errorf("{%s%+d} is below 0", x.field, x.add)
	}
	var digits string
	switch x.form {
	case 'x', 'X':
		digits = strconv.FormatInt(int64(n), 16)
		if x.form == 'X' {
			digits = strings.ToUpper(digits)
		}
	case 'a', 'A':
		digits = letters(n, x.form)
	default:
		digits = strconv.Itoa(n)
	}
	for range x.width - len(digits) {
		b = append(b, '0')
	}
	return append(b, digits...), nil
}

// letters returns the n-th of A to Z, AA, AB, ..., from 0; first is A or a.
func letters(n int, first byte) string {
	var out []byte
	for n++; n > 0; n = (n - 1) / 26 {
		out = append(out, first+byte((n-1)%26))
	}
	slices.Reverse(out)
	return string(out)
}

// Numbers returns the numbers of a field for which the pattern gives the text: none if the text does not match. As the
// values of other fields are not known, there may be several; it tries two ways to divide the text, with the shortest
// and the longest values of other fields.
func (p *Pattern) Numbers(field, text string) []int {
	var out []int
	for _, any := range []string{`.*?`, `.*`} { // values of other fields: the shortest, then the longest
		var b strings.Builder
		b.WriteByte('^')
		first := true
		for i := range p.pieces {
			x := &p.pieces[i]
			switch {
			case x.field == "":
				b.WriteString(regexp.QuoteMeta(x.literal))
			case x.field == field && first:
				first = false
				b.WriteString(`(` + x.digits() + `)`)
			case x.field == field:
				b.WriteString(x.digits())
			default:
				b.WriteString(any)
			}
		}
		form, err := regexp.Compile(b.String() + `$`)
		if err != nil || first {
			return nil
		}
		if m := form.FindStringSubmatch(text); m != nil {
			if n, ok := p.number(field, m[1]); ok && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// digits returns the regular expression for a number as the field writes it.
func (x *piece) digits() string {
	switch x.form {
	case 'x':
		return `[0-9a-f]{1,16}`
	case 'X':
		return `[0-9A-F]{1,16}`
	case 'a':
		return `[a-z]{1,12}`
	case 'A':
		return `[A-Z]{1,12}`
	}
	return `[0-9]{1,32}`
}

// number returns the number that the first piece with a field has written as text, false if it is too large.
func (p *Pattern) number(field, text string) (int, bool) {
	x := &p.pieces[slices.IndexFunc(p.pieces, func(x piece) bool { return x.field == field })]
	if x.form == 'a' || x.form == 'A' {
		n := 0
		for _, c := range []byte(text) {
			n = 26*n + int(c-x.form) + 1
		}
		return n - 1 - x.add, true
	}
	base := 10
	if x.form == 'x' || x.form == 'X' {
		base = 16
	}
	n, err := strconv.ParseInt(text, base, 63)
	return int(n) - x.add, err == nil
}
