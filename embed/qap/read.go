package qap

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/plenum-planner/plenum/diag"
)

const (
	maxToken    = 64      // bytes of a number
	maxMistakes = 10      // that are listed
	maxBytes    = 1 << 30 // of a file: more than two matrices of MaxN x MaxN numbers need
)

// Read reads an instance in the format of QAPLIB: n, the n x n entries of A and
// those of B, with white space between (R. E. Burkard, S. E. Karisch and F.
// Rendl, "QAPLIB - a quadratic assignment problem library", J. Global Optim. 10,
// 1997). What is wrong with the form is a diag.List of up to ten mistakes.
func Read(name string, r io.Reader) (*Instance, error) {
	t := newTokens(name, r)
	n, ok := t.size()
	if !ok {
		return nil, t.result()
	}
	q := &Instance{N: n}
	for _, part := range []struct {
		name string
		to   *[]int64
	}{{"A", &q.A}, {"B", &q.B}} {
		for i := range n * n {
			v, ok := t.number()
			if !ok {
				t.mistake("the file ends at row %d, column %d of matrix %s; expected %d x %d numbers",
					1+i/n, 1+i%n, part.name, n, n)
				return nil, t.result()
			}
			*part.to = append(*part.to, v)
		}
	}
	t.last("the two matrices")
	if err := t.result(); err != nil {
		return nil, err
	}
	if err := q.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return q, nil
}

// ReadSolution reads a permutation of n objects in the format of QAPLIB's .sln
// files: n, its cost, and the location of every object, counted from 1, or from 0
// where there is a 0. The cost is returned as it stands there: some published
// files halve it, and some list the inverse permutation.
func ReadSolution(name string, r io.Reader, n int) (p []int, cost int64, err error) {
	t := newTokens(name, r)
	t.commas = true
	if size, ok := t.size(); !ok {
		return nil, 0, t.result()
	} else if size != n {
		t.mistake("a permutation of %d, expected %d", size, n)
		return nil, 0, t.result()
	}
	cost, ok := t.number()
	seen := make([]bool, n+1)
	for i := 0; ok && i < n; i++ {
		var v int64
		if v, ok = t.number(); !ok {
			break
		}
		switch {
		case t.wrong:
		case v < 0 || v > int64(n):
			t.mistake("location %d, expected 1 to %d", v, n)
		case seen[v]:
			t.mistake("location %d stands here twice", v)
		case seen[0] && v == int64(n) || v == 0 && seen[n]:
			t.mistake("there are locations 0 and %d, expected to count from 0 or from 1", n)
		default:
			seen[v] = true
		}
		p = append(p, int(v))
	}
	if !seen[0] {
		for i := range p {
			p[i]--
		}
	}
	if !ok {
		t.mistake("the file ends; expected a cost and %d locations", n)
	} else {
		t.last("the permutation")
	}
	if err := t.result(); err != nil {
		return nil, 0, err
	}
	return p, cost, nil
}

// tokens reads numbers between white space.
type tokens struct {
	name         string
	in           *bufio.Reader
	commas       bool // count as white space
	line, column int  // of the last byte read
	left         int  // bytes that may still be read
	at, from     int  // line and column of the last token
	wrong        bool // the last token was not a number
	err          error
	mistakes     diag.List
}

func newTokens(name string, r io.Reader) *tokens {
	return &tokens{name: name, in: bufio.NewReaderSize(r, 1<<16), line: 1, at: 1, from: 1, left: maxBytes}
}

func (t *tokens) mistake(format string, args ...any) {
	if len(t.mistakes) < maxMistakes {
		t.mistakes.Addf(diag.Position{File: t.name, Line: t.at, Column: t.from}, format, args...)
	}
}

func (t *tokens) result() error {
	if t.err != nil {
		return t.err
	}
	return t.mistakes.Err()
}

// next returns the next token, or "" at the end. A longer one than maxToken bytes is
// a mistake, and the end.
func (t *tokens) next() string {
	var text []byte
	for {
		c, err := t.in.ReadByte()
		if t.left--; t.left < 0 && err == nil {
			err = fmt.Errorf("%s: the file is larger than %d MiB", t.name, maxBytes>>20)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.err = err
			}
			if len(text) == 0 {
				t.at, t.from = t.line, t.column+1
			}
			return string(text)
		}
		t.column++
		space := c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v' || t.commas && c == ','
		switch {
		case !space && len(text) == 0:
			t.at, t.from = t.line, t.column
			text = append(text, c)
		case !space && len(text) == maxToken:
			t.mistake("expected a whole number, not %q...", text)
			t.err = t.result()
			return ""
		case !space:
			text = append(text, c)
		case space && len(text) > 0:
			t.in.UnreadByte() //nolint:errcheck // a byte was just read
			t.column--
			return string(text)
		case c == '\n':
			t.line++
			t.column = 0
		}
	}
}

// number reads a number; it is false at the end of the file, and when so much
// is wrong that going on makes no sense.
func (t *tokens) number() (int64, bool) {
	text := t.next()
	if text == "" || len(t.mistakes) == maxMistakes {
		return 0, false
	}
	v, err := strconv.ParseInt(text, 10, 64)
	t.wrong = err != nil
	switch {
	case errors.Is(err, strconv.ErrRange):
		t.mistake("%s does not fit 64 bits", text)
	case err != nil:
		t.mistake("expected a whole number, not %q", text)
	}
	return v, true
}

func (t *tokens) size() (int, bool) {
	n, ok := t.number()
	switch {
	case !ok:
		t.mistake("the file is empty; expected the number of objects")
	case t.wrong:
		ok = false
	case n < 1 || n > MaxN:
		t.mistake("%d objects, expected 1 to %d", n, MaxN)
		ok = false
	}
	return int(n), ok
}

// last checks that nothing follows.
func (t *tokens) last(what string) {
	if text := t.next(); text != "" {
		t.mistake("%q after %s, expected the end of the file", text, what)
	}
}
