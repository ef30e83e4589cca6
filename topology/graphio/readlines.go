package graphio

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
)

// word is a field of a line with the column at which it starts.
type word struct {
	text   string
	column int
}

// lines calls each with the words of every line that has any; # starts a
// comment. The words are gone when it has returned.
func (b *reading) lines(r io.Reader, each func(line int, words []word) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), maxGraphLine)
	s.Split(wholeLines)
	var words []word
	line := 0
	for s.Scan() {
		rest := s.Text()
		if !strings.HasSuffix(rest, "\n") && csvtable.Refused(r) != nil {
			break // the line is cut where the text is refused
		}
		for more := true; more && rest != ""; {
			var text string
			text, rest, more = strings.Cut(rest, "\n")
			line++
			words = splitWords(words[:0], text)
			if len(words) == 0 {
				continue
			}
			if err := each(line, words); err != nil {
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
func splitWords(words []word, text string) []word {
	for i := 0; i < len(text); {
		if isBlank(text[i]) {
			i++
			continue
		}
		if text[i] == '#' {
			break
		}
		end := i + 1
		for end < len(text) && !isBlank(text[end]) && text[end] != '#' {
			end++
		}
		words = append(words, word{text[i:end], i + 1})
		i = end
	}
	return words
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// readEdges reads an edge list: on every line two vertices, any words, and
// attributes of the link as name=value: level, width, simplex, length_m,
// latency or others.
func readEdges(b *reading, r io.Reader) error {
	b.numeric = true
	return b.lines(r, func(line int, words []word) error {
		if len(words) < 2 {
			return b.errorAt(line, words[0].column, "a line names two vertices, here is only %q", words[0].text)
		}
		var attrs map[string]string
		for _, w := range words[2:] {
			key, value, ok := strings.Cut(w.text, "=")
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
		return b.link(b.vertex(words[0].text), b.vertex(words[1].text), false, attrs, line, words[0].column)
	})
}

// readAnynet reads a BookSim network file: on every line a router and what is
// joined to it, nodes and routers, and after a router the latency there in
// cycles. The latency back is what the other router's line says, or 1. Routers
// are of kind "switch" and nodes of kind "node".
func readAnynet(b *reading, r io.Reader) error {
	b.bothWays, b.numeric, b.prefix = true, true, 1
	return b.lines(r, func(line int, words []word) error {
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
				return 0, false, b.errorAt(line, words[i+1].column, "%q is no number of a %s", words[i+1].text,
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
			latency := ""
			if i < len(words) && words[i].text != "router" && words[i].text != "node" {
				latency = words[i].text
				if !fromRouter || !toRouter {
					return b.errorAt(line, words[i].column, "a latency stands only between two routers, not %q",
						latency)
				}
				i++
			}
			a, z, attrs := from, to, map[string]string{}
			switch {
			case !fromRouter && !toRouter:
				return b.errorAt(line, at, "a node is joined to a router, not to a node")
			case !fromRouter:
				a, z = to, from
				fallthrough
			case !toRouter:
				attrs["level"] = "terminal"
			case latency != "":
				attrs["latency"] = latency
			}
			if err := b.link(a, z, fromRouter && toRouter, attrs, line, at); err != nil {
				return err
			}
		}
		return nil
	})
}
