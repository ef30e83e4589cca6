package goal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/diag"
)

// Bounds of a text.
const (
	mostErrors = 20
	mostLine   = 1 << 16 // bytes
)

// Read reads the text of a schedule:
//
//	num_ranks 2
//	rank 0 {
//	l1: calc 100 cpu 0
//	l2: send 64b to 1 tag 3 cpu 0 nic 0
//	l2 requires l1
//	}
//	rank 1 {
//	l1: recv 64b from 0 tag 3
//	}
//
// A statement ends with its line. Labels may be left out, and so may tag, cpu and
// nic, which are then 0; a receive may have -1 for its source and its tag. A label is
// known from the line of its operation to the end of its rank. What follows // is a
// comment, and so is what stands between /* and */.
//
// The text is read as a stream. The error is a diag.List of up to 20 mistakes, each
// with its line and column; labels and limits are checked as they come, but whether
// the schedule comes to an end is found by playing it.
func Read(r io.Reader, name string) (*Schedule, error) {
	t := &reader{name: name, in: bufio.NewReaderSize(r, mostLine), labels: map[string]int32{}}
	for !t.full() {
		more, err := t.next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !more {
			t.finish()
			break
		}
		t.statement()
	}
	if err := t.found.Err(); err != nil {
		return nil, err
	}
	s := t.b.Schedule()
	s.name, s.lines = name, t.lines
	return s, nil
}

// reader is the state between two lines.
type reader struct {
	name      string
	in        *bufio.Reader
	found     diag.List
	b         *Builder // nil before num_ranks
	lines     []int32
	line      int
	open      int // line of the rank that has not been closed, or 0
	openNote  int // line of the comment that has not been closed, or 0
	lost      bool
	labels    map[string]int32
	numbered  []int32 // operations of the labels l1, l2 ...
	text      []byte  // the line
	at, token int     // bytes read of it, and the first of the last token
}

func (t *reader) full() bool { return len(t.found) >= mostErrors }

// mistake notes what is wrong at the token that was read last.
func (t *reader) mistake(format string, args ...any) {
	column := utf8.RuneCount(t.text[:min(t.token, len(t.text))]) + 1
	t.found.Addf(diag.Position{File: t.name, Line: t.line, Column: column}, format, args...)
}

// next reads a line, without its end and without comments.
func (t *reader) next() (bool, error) {
	text, err := t.in.ReadSlice('\n')
	t.line++
	t.at, t.token = 0, 0
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		t.text = nil
		t.mistake("the line is longer than %d bytes", mostLine)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = t.in.ReadSlice('\n')
		}
		text = nil
	case err == io.EOF && len(text) == 0:
		return false, nil
	}
	if err != nil && err != io.EOF {
		return false, err
	}
	for len(text) > 0 && (text[len(text)-1] == '\n' || text[len(text)-1] == '\r') {
		text = text[:len(text)-1]
	}
	t.text = t.blankComments(text)
	return true, nil
}

// blankComments blanks comments.
func (t *reader) blankComments(text []byte) []byte {
	for i := 0; i < len(text); i++ {
		pair := text[i:min(i+2, len(text))]
		switch {
		case t.openNote > 0 && string(pair) == "*/":
			text[i], text[i+1] = ' ', ' '
			t.openNote = 0
			i++
		case t.openNote > 0:
			_, n := utf8.DecodeRune(text[i:])
			text[i] = ' ' // one for each character, so that columns stay what they are
			text = append(text[:i+1], text[i+n:]...)
		case string(pair) == "/*":
			t.openNote = t.line
			text[i], text[i+1] = ' ', ' '
			i++
		case string(pair) == "//":
			return text[:i]
		}
	}
	return text
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// nextToken reads a token: a word, a number or a single character; nil at the end of the
// line. A number ends before a letter, so that 64b is two tokens.
func (t *reader) nextToken() []byte {
	for t.at < len(t.text) && isSpace(t.text[t.at]) {
		t.at++
	}
	t.token = t.at
	if t.at == len(t.text) {
		return nil
	}
	c := t.text[t.at]
	t.at++
	switch {
	case isDigit(c):
		for t.at < len(t.text) && isDigit(t.text[t.at]) {
			t.at++
		}
	case isWord(c) && c != '_':
		for t.at < len(t.text) && isWord(t.text[t.at]) {
			t.at++
		}
	case c == '-' && t.at < len(t.text) && t.text[t.at] == '1':
		t.at++
	case c >= utf8.RuneSelf:
		_, n := utf8.DecodeRune(t.text[t.token:])
		t.at = t.token + n
	}
	return t.text[t.token:t.at]
}

// formatToken returns a token for messages.
func formatToken(token []byte) string {
	if token == nil {
		return "the end of the line"
	}
	return fmt.Sprintf("%q", token)
}

// number reads a number from 0 to most; -1 for one that may be any.
func (t *reader) number(what string, most int64, any bool) (int64, bool) {
	token := t.nextToken()
	if any && string(token) == "-1" {
		return -1, true
	}
	n := int64(0)
	good := len(token) > 0 && isDigit(token[0])
	for _, c := range token {
		if !good {
			break
		}
		if n = 10*n + int64(c-'0'); n > most {
			good = false
		}
	}
	if !good {
		or := ""
		if any {
			or = ", or -1 for any"
		}
		t.mistake("%s must be from 0 to %d%s, not %s", what, most, or, formatToken(token))
	}
	return n, good
}

// word reads a given word.
func (t *reader) word(want, after string) bool {
	token := t.nextToken()
	if string(token) == want {
		return true
	}
	t.mistake("expected %q after %s, found %s", want, after, formatToken(token))
	return false
}

// end takes the end of the line.
func (t *reader) end(after string) bool {
	token := t.nextToken()
	if token == nil {
		return true
	}
	t.mistake("expected the end of the line after %s, found %s", after, formatToken(token))
	return false
}

var statements = []string{"num_ranks", "rank", "send", "recv", "calc"}

// statement reads what stands on a line. Where ranks are not known, only num_ranks is
// looked for.
func (t *reader) statement() {
	token := t.nextToken()
	if token == nil {
		return
	}
	switch word := string(token); {
	case word == "num_ranks":
		t.numRanks()
	case t.b == nil:
		if !t.lost {
			t.mistake("expected num_ranks before all else, found %s", formatToken(token))
		}
		t.lost = true
	case word == "rank":
		t.rank()
	case t.open == 0:
		if !t.lost {
			t.mistake("expected rank N {, found %s%s", formatToken(token), nearest(word, statements[:2]))
		}
		t.lost = true
	case word == "}":
		t.open = 0
		t.end("}")
	default:
		t.operation(token)
	}
}

func nearest(word string, names []string) string {
	if best, ok := diag.Closest(word, names); ok {
		return "\n" + diag.DidYouMean(best)
	}
	return ""
}

func (t *reader) numRanks() {
	if t.b != nil {
		t.mistake("the number of ranks is given twice")
		return
	}
	n, ok := t.number("the number of ranks", MaxRanks, false)
	if !ok {
		n = MaxRanks // so that ranks are not said to be too many
	} else if n == 0 {
		t.mistake("a schedule has at least one rank")
		n = 1
	}
	t.b, _ = NewBuilder(int(n))
	t.lost = false
	if ok {
		t.end("the number of ranks")
	}
}

// rank reads the head of a rank. What follows it on the line is a statement.
func (t *reader) rank() {
	if t.open > 0 {
		t.mistake("rank of line %d has no } yet", t.open)
	}
	t.open, t.lost = t.line, false
	clear(t.labels)
	t.numbered = t.numbered[:0]
	rank, ok := t.number("the rank", MaxRanks-1, false)
	if !ok {
		return
	}
	if err := t.b.Rank(int32(rank)); err != nil {
		t.mistake("%v", err)
		return
	}
	if t.word("{", "the rank") {
		t.statement()
	}
}

// operation reads an operation, with or without a label, or a dependence.
func (t *reader) operation(token []byte) {
	if kind, ok := kindOf(token); ok {
		t.add(kind)
		return
	}
	if c := token[0]; !isWord(c) || isDigit(c) || c == '_' {
		t.mistake("expected a label, send, recv, calc or }, found %s", formatToken(token))
		return
	}
	first, label := t.token, token
	next := t.nextToken()
	switch string(next) {
	case ":":
		token = t.nextToken()
		kind, ok := kindOf(token)
		if !ok {
			t.mistake("expected send, recv or calc after the label, found %s%s", formatToken(token),
				nearest(string(token), statements[2:]))
			return
		}
		if op, ok := t.add(kind); ok {
			t.label(first, label, op)
		}
	case "requires", "irequires":
		t.depend(first, label, string(next) == "irequires")
	default:
		t.mistake("expected :, requires or irequires after %q, found %s%s", label, formatToken(next),
			nearest(string(label), statements))
	}
}

func kindOf(token []byte) (Kind, bool) {
	switch string(token) {
	case "send":
		return Send, true
	case "recv":
		return Recv, true
	case "calc":
		return Calc, true
	}
	return 0, false
}

// add reads an operation from behind its name.
func (t *reader) add(kind Kind) (int32, bool) {
	o := Op{Kind: kind}
	var ok bool
	size := t.at
	if kind == Calc {
		o.Size, ok = t.number("the time of a calculation", MaxCalc, false)
	} else {
		o, ok = t.message(kind)
	}
	if !ok || !t.options(&o) {
		return 0, false
	}
	op, err := t.b.Add(o)
	if err != nil {
		t.token = size
		t.mistake("%v", err)
		return 0, false
	}
	t.lines = append(t.lines, int32(min(t.line, math.MaxInt32)))
	return op, true
}

// message reads the size and the peer.
func (t *reader) message(kind Kind) (Op, bool) {
	o := Op{Kind: kind}
	size, ok := t.number("the length of a message", MaxBytes, false)
	if !ok || !t.word("b", "the length") {
		return o, false
	}
	preposition := "to"
	if kind == Recv {
		preposition = "from"
	}
	if !t.word(preposition, "the length") {
		return o, false
	}
	peer, ok := t.number("the rank", int64(t.b.s.ranks)-1, kind == Recv)
	o.Size, o.Peer = size, int32(peer)
	return o, ok
}

// optionNames are those of messages; a calculation has the second only.
var optionNames = []string{"tag", "cpu", "nic"}

// options reads tag, cpu and nic, each at most once.
func (t *reader) options(o *Op) bool {
	names := optionNames
	if o.Kind == Calc {
		names = names[1:2]
	}
	var seen [3]bool
	for {
		token := t.nextToken()
		if token == nil {
			return true
		}
		i := slices.IndexFunc(names, func(name string) bool { return name == string(token) })
		if i < 0 {
			t.mistake("expected %s or the end of the line, found %s%s", strings.Join(names, ", "), formatToken(token),
				nearest(string(token), names))
			return false
		}
		if seen[i] {
			t.mistake("%s is given twice", token)
			return false
		}
		seen[i] = true
		var n int64
		var ok bool
		switch names[i] {
		case "tag":
			n, ok = t.number("the tag", int64(AnyTag)-1, o.Kind == Recv)
			o.Tag = uint32(n)
		case "cpu":
			n, ok = t.number("the cpu", math.MaxUint8, false)
			o.CPU = uint8(n)
		case "nic":
			n, ok = t.number("the nic", math.MaxUint8, false)
			o.NIC = uint8(n)
		}
		if !ok {
			return false
		}
	}
}

// labelNumber is that of a label l1, l2 ... as text written by programs has them, 0 for others.
func labelNumber(label []byte) int {
	if len(label) < 2 || len(label) > 9 || label[0] != 'l' || label[1] == '0' {
		return 0
	}
	n := 0
	for _, c := range label[1:] {
		if !isDigit(c) {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// label names an operation. The labels l1, l2 ... in their order need no map.
func (t *reader) label(column int, label []byte, op int32) {
	_, known := t.find(label)
	switch {
	case known:
		t.token = column
		t.mistake("the label %q is given twice in its rank", label)
	case labelNumber(label) == len(t.numbered)+1:
		t.numbered = append(t.numbered, op)
	default:
		t.labels[string(label)] = op
	}
}

func (t *reader) find(label []byte) (int32, bool) {
	if n := labelNumber(label); n > 0 && n <= len(t.numbered) {
		return t.numbered[n-1], true
	}
	op, ok := t.labels[string(label)]
	return op, ok
}

// depend reads the second label of a dependence.
func (t *reader) depend(column int, label []byte, start bool) {
	op, ok := t.find(label)
	if !ok {
		t.token = column
		t.reportUnknownLabel(label)
	}
	second := t.nextToken()
	if second == nil || !isWord(second[0]) || isDigit(second[0]) {
		t.mistake("expected a label, found %s", formatToken(second))
		return
	}
	column = t.token
	on, ok2 := t.find(second)
	if !ok2 {
		t.reportUnknownLabel(second)
	}
	if !ok || !ok2 || !t.end("the label") {
		return
	}
	if op == on {
		t.token = column
		t.mistake("%q waits for itself", label)
		return
	}
	if start {
		t.b.RequiresStart(op, on)
	} else {
		t.b.Requires(op, on)
	}
}

func (t *reader) reportUnknownLabel(label []byte) {
	t.mistake("no operation of this rank has the label %q so far", label)
}

// finish checks what is missing at the end.
func (t *reader) finish() {
	t.text, t.token = nil, 0
	t.line = max(1, t.line-1)
	switch {
	case t.b == nil && len(t.found) == 0:
		t.mistake("the schedule is empty: expected num_ranks and a number")
	case t.openNote > 0:
		t.mistake("the comment of line %d has no */", t.openNote)
	case t.open > 0:
		t.mistake("the rank of line %d has no }", t.open)
	}
}
