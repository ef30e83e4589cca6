package graphio

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
)

// word is a field of a line with the column at which it starts.
type word struct {
	text   string
	column int
}

// lines calls each with the number of every line, from 1, its words and its text. With comments, # starts a comment,
// and lines without words are left out; without, each is called for every line. The words are valid during the call
// only.
func (b *reading) lines(r io.Reader, comments bool, each func(line int, words []word, text string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), maxGraphLine)
	s.Split(wholeLines)
	var words []word
	line := 0
	for s.Scan() {
		rest := s.Text()
		if !strings.HasSuffix(rest, "\n") && csvtable.TextError(r) != nil {
			break // the line is cut where the text is refused
		}
		for more := true; more && rest != ""; {
			var text string
			text, rest, more = strings.Cut(rest, "\n")
			line++
			words = splitWords(words[:0], text, comments)
			if len(words) == 0 && comments {
				continue
			}
			if err := each(line, words, text); err != nil {
				return err
			}
		}
	}
	if err := s.Err(); errors.Is(err, bufio.ErrTooLong) {
		return b.errorAt(line+1, 1, "the line is longer than %d MiB", maxGraphLine>>20)
	} else if err != nil {
		return b.textError(err)
	}
	return nil
}

// wholeLines splits a text into as many lines at a time as have been read.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	n := bytes.LastIndexByte(data, '\n') + 1
	if atEOF {
		n = len(data)
	}
	if n == 0 {
		return 0, nil, nil
	}
	return n, data[:n], nil
}

// splitWords appends the words of a line.
func splitWords(words []word, text string, comments bool) []word {
	for i := 0; i < len(text); {
		if isBlank(text[i]) {
			i++
			continue
		}
		if comments && text[i] == '#' {
			break
		}
		end := i + 1
		for end < len(text) && !isBlank(text[end]) && (!comments || text[end] != '#') {
			end++
		}
		words = append(words, word{text[i:end], i + 1})
		i = end
	}
	return words
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// readEdges reads an edge list: on every line two vertices, any words, and
// attributes of the link: as name=value, which are level, width, simplex, length_m,
// latency or others; as a number, which is its weight; or in braces as NetworkX writes
// them, {'length_m': 2.5}.
func readEdges(b *reading, r io.Reader) error {
	b.numeric, b.plain = true, true
	ways := duplex
	if b.directed {
		ways = arc
	}
	return b.lines(r, true, func(line int, words []word, text string) error {
		if words[0].text[0] == '%' { // a comment of KONECT
			return nil
		}
		if len(words) < 2 {
			return b.errorAt(line, words[0].column, "a line names two vertices, here is only %q", words[0].text)
		}
		var attrs map[string]string
		if len(words) > 2 && words[2].text[0] == '{' {
			at := words[2].column - 1
			var end int
			var err error
			if attrs, end, err = literal(text[at:]); err == nil {
				if rest := strings.TrimLeft(text[at+end:], " \t\r"); rest != "" && rest[0] != '#' {
					err = fmt.Errorf("expected the end of the line after the attributes, not %.40q", rest)
				}
			}
			if err != nil {
				return b.errorAt(line, at+end+1, "%v", err)
			}
			words = words[:2]
		}
		for i, w := range words[2:] {
			key, value, ok := strings.Cut(w.text, "=")
			if _, err := strconv.ParseFloat(w.text, 64); err == nil && i == 0 && len(words) == 3 {
				key, value, ok = "weight", w.text, true
			}
			if !ok || key == "" {
				return b.errorAt(line, w.column, "expected an attribute as name=value, not %q", w.text)
			}
			if attrs == nil {
				attrs = make(map[string]string)
			}
			if _, twice := attrs[key]; twice {
				return b.errorAt(line, w.column, "%s is given twice", key)
			}
			attrs[key] = value
		}
		return b.link(b.vertex(words[0].text), b.vertex(words[1].text), ways, attrs, line, words[0].column)
	})
}

// literal reads a dictionary of Python or an object of JSON at the beginning of a text, and how long it is. Values that
// are lists or dictionaries are kept as they are written; None and null are left out. Behind an error, the length is
// where the mistake is.
func literal(s string) (attrs map[string]string, end int, err error) {
	attrs = make(map[string]string)
	i := 1 // behind the brace
	blank := func() byte {
		for i < len(s) && isBlank(s[i]) {
			i++
		}
		if i == len(s) {
			return 0
		}
		return s[i]
	}
	for blank() != '}' {
		if len(attrs) > 0 {
			if s[min(i, len(s)-1)] != ',' || i == len(s) {
				return nil, i, errors.New("expected a comma or } between the attributes")
			}
			if i++; blank() == '}' {
				break
			}
		}
		if c := blank(); c != '"' && c != '\'' {
			return nil, i, errors.New("expected the name of an attribute in quotes")
		}
		key, n, err := quotedText(s[i:])
		if i += n; err != nil {
			return nil, i, err
		}
		if blank() != ':' {
			return nil, i, errors.New("expected a colon after the name of an attribute")
		}
		i++
		var value string
		switch c := blank(); c {
		case '"', '\'':
			value, n, err = quotedText(s[i:])
		default:
			value, n, err = unquotedText(s[i:])
		}
		if i += n; err != nil {
			return nil, i, err
		}
		if _, twice := attrs[key]; twice {
			return nil, i, fmt.Errorf("%s is given twice", key)
		}
		attrs[key] = value
	}
	maps.DeleteFunc(attrs, func(_, v string) bool { return v == "None" || v == "null" })
	return attrs, i + 1, nil
}

// quotedText reads a text in quotes and how long it is.
func quotedText(s string) (string, int, error) {
	var text []byte
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == s[0]:
			return string(text), i + 1, nil
		case c == '\\' && i+1 < len(s):
			i++
			digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i]]
			if digits == 0 || i+digits >= len(s) {
				text = append(text, cmp.Or(map[byte]byte{'n': '\n', 't': '\t', 'r': '\r'}[s[i]], s[i]))
				continue
			}
			n, err := strconv.ParseUint(s[i+1:i+1+digits], 16, 31)
			if err != nil {
				return "", i, fmt.Errorf("%q is not the number of a character", s[i+1:i+1+digits])
			}
			text = utf8.AppendRune(text, rune(n))
			i += digits
		default:
			text = append(text, c)
		}
	}
	return "", len(s), errors.New("the text in quotes has no end")
}

// unquotedText reads a number, a word, or all in brackets, and how long it is.
func unquotedText(s string) (string, int, error) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'':
			_, n, err := quotedText(s[i:])
			if err != nil {
				return "", i + n, err
			}
			i += n - 1
		case '[', '(', '{':
			depth++
		case ']', ')', '}', ',', ' ', '\t', '\r':
			switch {
			case depth == 0 && i == 0:
				return "", i, errors.New("expected a value")
			case depth == 0:
				return s[:i], i, nil
			case c == ']' || c == ')' || c == '}':
				depth--
			}
		}
	}
	return "", len(s), errors.New("the attributes have no end: expected }")
}

// readAnynet reads a BookSim network file: on every line a router or node and what is
// joined to it, and after each the latency there in cycles. Between routers, the latency
// back is what the other router's line says, or 1; that of a node holds both ways. A
// router that a line names several times is joined by as many channels. Routers
// are of kind "switch" and nodes of kind "node".
func readAnynet(b *reading, r io.Reader) error {
	b.anynet, b.numeric, b.prefix = true, true, 1
	return b.lines(r, true, func(line int, words []word, _ string) error {
		vertex := func(i int) (int32, bool, error) {
			isRouter := words[i].text == "router"
			if !isRouter && words[i].text != "node" {
				return 0, false, b.errorAt(line, words[i].column, "expected router or node, not %q", words[i].text)
			}
			if i+1 == len(words) {
				return 0, false, b.errorAt(line, words[i].column, "%s has no number", words[i].text)
			}
			n, err := strconv.ParseUint(words[i+1].text, 10, 31)
			if err != nil {
				return 0, false, b.errorAt(line, words[i+1].column, "%q is not the number of a %s", words[i+1].text,
					words[i].text)
			}
			v := b.vertex(words[i].text[:1] + strconv.FormatUint(n, 10))
			x := &b.vertices[v]
			x.known = true
			x.kind, x.role = "node", topology.Terminal
			if isRouter {
				x.kind, x.role = "switch", topology.Switch
			}
			return v, isRouter, nil
		}
		from, fromRouter, err := vertex(0)
		if err != nil {
			return err
		}
		for i := 2; i < len(words); {
			to, toRouter, err := vertex(i)
			if err != nil {
				return err
			}
			at := words[i].column
			i += 2
			attrs := map[string]string{}
			if i < len(words) && words[i].text != "router" && words[i].text != "node" {
				attrs["latency"] = words[i].text
				i++
			}
			switch {
			case !fromRouter && !toRouter:
				return b.errorAt(line, at, "a node is joined to a router, not to a node")
			case !fromRouter || !toRouter:
				attrs["level"] = "terminal"
			}
			if err := b.link(from, to, arc, attrs, line, at); err != nil {
				return err
			}
		}
		return nil
	})
}
