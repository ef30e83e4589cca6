package exchange

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// dotHead is the beginning of a graph of Graphviz, behind comments.
var dotHead = lazyregexp.New(`(?is)^(?:\s|#[^\n]*\n|//[^\n]*\n|/\*.*?\*/)*(?:strict\s+)?` +
	`(?:di)?graph\b\s*(?:"(?:[^"\\]|\\.)*"|[^\s{;,"=:]+)?\s*\{`)

func isPTM(head []byte) bool { return dotHead.Match(head) }

// ReadPTM reads a topology file of the prescriptive topology manager (ptmd) of Cumulus Linux, as WritePTM writes it,
// which NVIDIA's cable validation tool and Air take as well: a graph of Graphviz whose links name the ports,
//
//	"leaf-1":"swp1" -- "spine-1":"swp2"
//
// Of attributes, function and role tell switches from hosts.
func ReadPTM(path string, r io.Reader) (*Wiring, error) {
	p := &dotReader{
		in: bufio.NewReaderSize(csvtable.Text(path, r), 1<<16), at: diag.Position{File: path, Line: 1, Column: 1},
		builder: newBuilder(),
	}
	if err := p.read(); err != nil && !errors.Is(err, io.EOF) {
		return nil, diag.AsList(err)
	}
	if err := p.found.Err(); err != nil {
		return nil, err
	}
	return p.finish(), nil
}

// dotToken is a word of the language: an id, in quotes or not, or a sign.
type dotToken struct {
	text   string
	quoted bool
	at     diag.Position
}

// is reports whether a token is a sign or a word of the language.
func (t *dotToken) is(text string) bool { return !t.quoted && strings.EqualFold(t.text, text) }

func (t *dotToken) isID() bool {
	return t.quoted || t.text != "" && (isDotID(rune(t.text[0])) || t.text[0] >= utf8.RuneSelf)
}

// dotReader reads the statements of a graph.
type dotReader struct {
	*builder
	in    *bufio.Reader
	at    diag.Position // of the next character
	found diag.List
	back  *dotToken // read and not taken
}

// dotEnd is a box with a port in a statement.
type dotEnd struct {
	box, port string
	at        diag.Position
}

func (p *dotReader) rune() (rune, error) {
	c, _, err := p.in.ReadRune()
	if c == '\n' {
		p.at.Line, p.at.Column = p.at.Line+1, 0
	}
	p.at.Column++
	return c, err
}

func isDotID(c rune) bool { return c == '_' || c == '.' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// next is the next token; the error is io.EOF behind the last.
func (p *dotReader) next() (*dotToken, error) {
	if t := p.back; t != nil {
		p.back = nil
		return t, nil
	}
	if err := p.blanks(); err != nil {
		return nil, err
	}
	t := &dotToken{at: p.at}
	c, err := p.rune()
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	switch {
	case c == '"':
		t.quoted = true
		for {
			if c, err = p.rune(); err != nil {
				return nil, t.at.Errorf("this quotation mark is never closed")
			}
			if c == '"' {
				t.text = text.String()
				return t, nil
			}
			if c == '\\' {
				if next, err := p.in.Peek(1); err == nil && next[0] == '"' {
					c, _ = p.rune()
				}
			}
			if text.WriteRune(c); text.Len() > maxLine {
				return nil, t.at.Errorf("the text is longer than %d bytes", maxLine)
			}
		}
	case isDotID(c):
		text.WriteRune(c)
		for {
			// A minus belongs to a name that should stand in quotes, unless it begins the sign of a link.
			next, _ := p.in.Peek(2)
			r := p.peek()
			inName := len(next) == 2 && next[0] == '-' && next[1] != '-' && next[1] != '>' || len(next) > 0 &&
				next[0] == '/'
			if !isDotID(r) && !inName {
				t.text = text.String()
				return t, nil
			}
			_, _ = p.rune()
			if text.WriteRune(r); text.Len() > maxLine {
				return nil, t.at.Errorf("the text is longer than %d bytes", maxLine)
			}
		}
	case c == '-':
		if r := p.peek(); r == '-' || r == '>' {
			_, _ = p.rune()
			t.text = "--"
			return t, nil
		}
	case c == '<':
		return nil, t.at.Errorf("texts in <> are not read")
	}
	t.text = string(c)
	return t, nil
}

// peek is the next character, 0 at the end.
func (p *dotReader) peek() rune {
	next, _ := p.in.Peek(utf8.UTFMax)
	if len(next) == 0 {
		return 0
	}
	c, _ := utf8.DecodeRune(next)
	return c
}

// blanks goes over blanks and comments.
func (p *dotReader) blanks() error {
	for {
		next, err := p.in.Peek(2)
		if len(next) == 0 {
			return err
		}
		start := p.at
		switch {
		case next[0] == '#' || string(next) == "//":
			for {
				if c, err := p.rune(); err != nil || c == '\n' {
					break
				}
			}
		case string(next) == "/*":
			for last := rune(0); ; {
				c, err := p.rune()
				if err != nil {
					return start.Errorf("this comment is never closed")
				}
				if last == '*' && c == '/' {
					break
				}
				last = c
			}
		case unicode.IsSpace(p.peek()):
			_, _ = p.rune()
		default:
			return nil
		}
	}
}

// read reads the graph.
func (p *dotReader) read() error {
	for { // strict graph "name" {
		t, err := p.next()
		if err != nil {
			return p.early(err)
		}
		if t.is("{") {
			break
		}
	}
	for depth := 1; depth > 0 && len(p.found) < diag.Most; {
		t, err := p.next()
		if err != nil {
			return p.early(err)
		}
		switch {
		case t.is("{"):
			depth++
		case t.is("}"):
			depth--
		case t.is(";"), t.is(","):
		case t.is("["):
			_, err = p.attributes()
		case t.is("subgraph"):
			if name, err := p.next(); err == nil && !name.isID() {
				p.back = name
			}
		case t.isID():
			err = p.statement(t)
		default:
			p.found.Addf(t.at, "%q begins no statement\nexpected a link, such as \"leaf-1\":\"swp1\" -- "+
				"\"spine-1\":\"swp2\"",
				t.text)
			return nil
		}
		if err != nil {
			return p.early(err)
		}
	}
	return nil
}

// early says that the text ends within the graph.
func (p *dotReader) early(err error) error {
	if errors.Is(err, io.EOF) {
		return p.at.Errorf("the text ends within the graph\nexpected }")
	}
	return err
}

// statement reads a statement that begins with an id: links, a box with attributes, or an attribute of the graph.
func (p *dotReader) statement(first *dotToken) error {
	e, err := p.end(first)
	if err != nil {
		return err
	}
	ends := []dotEnd{e}
	for {
		t, err := p.next()
		if err != nil {
			return err
		}
		switch {
		case t.is("="):
			_, err := p.next()
			return err
		case t.is("--"):
			t, err := p.next()
			if err != nil {
				return err
			}
			if !t.isID() {
				return t.at.Errorf("%q is not an end of a link\nexpected a box and its port, such as "+
					"\"leaf-1\":\"swp1\"", t.text)
			}
			if e, err = p.end(t); err != nil {
				return err
			}
			ends = append(ends, e)
			continue
		case t.is("["):
			attributes, err := p.attributes()
			if err != nil {
				return err
			}
			if len(ends) == 1 && !first.is("node") && !first.is("edge") && !first.is("graph") {
				p.dotBox(e.box, attributes)
			}
			return p.dotLinks(ends)
		default:
			p.back = t
			return p.dotLinks(ends)
		}
	}
}

// end reads an end of a link from its box on: a port may follow, and a side of the drawing.
func (p *dotReader) end(box *dotToken) (dotEnd, error) {
	e := dotEnd{box: box.text, at: box.at}
	for n := 0; ; n++ {
		t, err := p.next()
		if errors.Is(err, io.EOF) {
			return e, nil
		}
		if err != nil {
			return e, err
		}
		if !t.is(":") {
			p.back = t
			return e, nil
		}
		port, err := p.next()
		if err != nil {
			return e, err
		}
		if !port.isID() {
			return e, port.at.Errorf("%q is not a port", port.text)
		}
		if n == 0 {
			e.port = port.text
		}
	}
}

// dotLinks adds the links between ends that follow each other.
func (p *dotReader) dotLinks(ends []dotEnd) error {
	for i := 1; i < len(ends); i++ {
		for _, e := range ends[i-1 : i+1] {
			if e.port == "" || e.box == "" {
				p.found.Addf(e.at, "the link names no port of %q\nexpected box and port, such as \"leaf-1\":\"swp1\"",
					clip(e.box))
				return nil
			}
		}
		p.addNamedLink(ends[i-1].box, ends[i-1].port, ends[i].box, ends[i].port, ends[i-1].at.Line)
	}
	return nil
}

// dotBox has a box know its role by its attributes.
func (p *dotReader) dotBox(name string, attributes map[string]string) {
	i := p.box(name, name)
	for _, key := range []string{"function", "role"} {
		switch kind := strings.ToLower(attributes[key]); {
		case kind == "":
		case strings.Contains(kind, "leaf"), strings.Contains(kind, "spine"), strings.Contains(kind,
			"switch"), kind == "exit",
			kind == "tor":
			p.w.Boxes[i].Role = "switch"
		case kind == "host", kind == "server":
			p.w.Boxes[i].Role = "adapter"
		}
	}
}

// attributes reads a list of attributes whose bracket was read.
func (p *dotReader) attributes() (map[string]string, error) {
	out := map[string]string{}
	key := ""
	for equals := false; ; {
		t, err := p.next()
		if err != nil {
			return nil, err
		}
		switch {
		case t.is("]"):
			return out, nil
		case t.is("="):
			equals = true
		case equals:
			if len(out) < csvtable.MostColumns {
				out[strings.ToLower(key)] = t.text
			}
			equals = false
		case t.isID():
			key = t.text
		case !t.is(",") && !t.is(";"):
			return nil, t.at.Errorf("%s", fmt.Sprintf("%q is not an attribute", t.text))
		}
	}
}
