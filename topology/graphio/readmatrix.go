package graphio

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// numbersOf reads the words of a line as numbers of at least least.
func (b *reading) numbersOf(line int, words []word, least int64) ([]int64, error) {
	var out []int64
	for _, w := range words {
		n, err := strconv.ParseInt(w.text, 10, 64)
		if err != nil || n < least {
			return nil, b.errorAt(line, w.column, "expected a whole number of at least %d, not %q", least, w.text)
		}
		out = append(out, n)
	}
	return out, nil
}

// vertexNumbered is the vertex of a number from 1 to n.
func (b *reading) vertexNumbered(line int, w word, n int64) (int32, error) {
	if i, err := strconv.ParseInt(w.text, 10, 64); err != nil || i < 1 || i > n {
		return 0, b.errorAt(line, w.column, "expected a vertex from 1 to %d, not %q", n, w.text)
	}
	return b.vertex(strings.TrimLeft(w.text, "+0")), nil
}

// countVertices refuses more vertices than a graph may have.
func (b *reading) countVertices(line, column int, n int64) error {
	if n < 1 || n > topology.MaxVertices {
		return b.errorAt(line, column, "%s vertices are not from 1 to %s", english.Grouped(n),
			english.Grouped(topology.MaxVertices))
	}
	return nil
}

// readMETIS reads a graph of METIS (G. Karypis, "METIS", manual 5.1, section 4.1.1): a header with the numbers of
// vertices and edges, the format and how many weights a vertex has, and a line for every vertex with its neighbours,
// from 1. An edge stands in the lines of both its ends. Lines that begin with % are comments. The weight of an edge is
// its attribute weight; weights and sizes of vertices are passed over.
func readMETIS(b *reading, r io.Reader) error {
	b.numeric, b.listed = true, true
	var n, m, entries, at int64
	var weights, skip, headerLine int
	b.undirected = true
	err := b.lines(r, false, func(line int, words []word, _ string) error {
		switch {
		case len(words) > 0 && words[0].text[0] == '%':
			return nil
		case n == 0 && len(words) == 0:
			return nil
		case n == 0:
			var err error
			headerLine = line
			n, m, weights, skip, err = b.metisHeader(line, words)
			return err
		case at == n && len(words) == 0:
			return nil
		case at == n:
			return b.errorAt(line, words[0].column, "there are more lines than the %d vertices of the header", n)
		}
		at++
		from := b.vertex(strconv.FormatInt(at, 10))
		if len(words) < skip {
			return b.errorAt(line, 1, "vertex %d has %d numbers before its neighbours, not %d", at, len(words), skip)
		}
		if _, err := b.numbersOf(line, words[:skip], 0); err != nil {
			return err
		}
		words = words[skip:]
		if len(words)%(1+weights) != 0 {
			return b.errorAt(line, words[len(words)-1].column, "the last neighbour has no weight")
		}
		for i := 0; i < len(words); i += 1 + weights {
			to, err := b.vertexNumbered(line, words[i], n)
			if err != nil {
				return err
			}
			var attrs map[string]string
			if weights > 0 {
				if _, err := b.numbersOf(line, words[i+1:i+2], 0); err != nil {
					return err
				}
				attrs = map[string]string{"weight": words[i+1].text}
			}
			entries++
			if err := b.link(from, to, arc, attrs, line, words[i].column); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case n == 0:
		return fmt.Errorf("%s: the file has no header with the numbers of vertices and edges", b.name)
	case at < n:
		return b.errorAt(headerLine, 1, "the header says %d vertices, and there are lines for %d", n, at)
	case entries != 2*m:
		return b.errorAt(headerLine, 1, "the header says %d edges, and the lines list %d neighbours, not "+
			"%d", m, entries,
			2*m)
	}
	if skip > 0 {
		b.notef("passed over the weights of vertices")
	}
	return nil
}

// metisHeader reads the header: vertices, edges, whether edges have weights, and the numbers before the neighbours of a
// vertex.
func (b *reading) metisHeader(line int, words []word) (n, m int64, weights, skip int, err error) {
	if len(words) < 2 || len(words) > 4 {
		return 0, 0, 0, 0, b.errorAt(line, 1, "the header has 2 to 4 numbers (vertices, edges, format, weights of a "+
			"vertex), not %d", len(words))
	}
	counts, err := b.numbersOf(line, words[:2], 0)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	if err := b.countVertices(line, words[0].column, counts[0]); err != nil {
		return 0, 0, 0, 0, err
	}
	if len(words) > 2 {
		format := words[2].text
		if len(format) > 3 || strings.Trim(format, "01") != "" {
			return 0, 0, 0, 0, b.errorAt(line, words[2].column, "the format has up to three digits 0 and 1, not %q",
				format)
		}
		format = strings.Repeat("0", 3-len(format)) + format
		skip, weights = int(format[0]-'0'), int(format[2]-'0')
		constraints := int64(1)
		if len(words) == 4 {
			list, err := b.numbersOf(line, words[3:], 1)
			if err != nil {
				return 0, 0, 0, 0, err
			}
			constraints = min(list[0], maxGraphLine)
		}
		skip += int(format[1]-'0') * int(constraints)
	}
	return counts[0], counts[1], weights, skip, nil
}

// maxLoneRows bounds the vertices of a matrix that have no edges, for which the file has no text.
const maxLoneRows = 1 << 16

// readMatrixMarket reads a square sparse matrix in the Matrix Market exchange format (R. Boisvert et al., NISTIR 5935,
// 1996) as a graph: an entry is an edge from its row to its column, numbered from 1, and its value is the attribute
// weight. An entry of a symmetric matrix carries both ways.
func readMatrixMarket(b *reading, r io.Reader) error {
	b.numeric = true
	var n, m, entries int64
	var header, size, values int
	err := b.lines(r, false, func(line int, words []word, _ string) error {
		switch {
		case header == 0:
			header = line
			var err error
			values, err = b.matrixHeader(line, words)
			return err
		case len(words) == 0 || words[0].text[0] == '%':
			return nil
		case size == 0:
			size = line
			if len(words) != 3 {
				return b.errorAt(line, 1, "expected the numbers of rows, columns and entries, not %d "+
					"numbers", len(words))
			}
			counts, err := b.numbersOf(line, words, 0)
			if err != nil {
				return err
			}
			if counts[0] != counts[1] {
				return b.errorAt(line, words[1].column, "%d rows and %d columns are not a graph: a matrix of "+
					"neighbours "+
					"is square", counts[0], counts[1])
			}
			n, m = counts[0], counts[2]
			return b.countVertices(line, words[0].column, n)
		case entries == m:
			return b.errorAt(line, words[0].column, "there are more entries than the %d of the header", m)
		case len(words) != 2+values:
			return b.errorAt(line, words[0].column, "expected %d numbers, not %d", 2+values, len(words))
		}
		entries++
		from, err := b.vertexNumbered(line, words[0], n)
		if err != nil {
			return err
		}
		to, err := b.vertexNumbered(line, words[1], n)
		if err != nil {
			return err
		}
		var attrs map[string]string
		if values > 0 {
			if _, err := strconv.ParseFloat(words[2].text, 64); err != nil {
				return b.errorAt(line, words[2].column, "expected a number, not %q", words[2].text)
			}
			attrs = map[string]string{"weight": words[2].text}
		}
		return b.link(from, to, arc, attrs, line, words[0].column)
	})
	switch {
	case err != nil:
		return err
	case size == 0:
		return fmt.Errorf("%s: the file has no line with the numbers of rows, columns and entries", b.name)
	case entries < m:
		return b.errorAt(size, 1, "the file has %d entries, not the %d of this line", entries, m)
	}
	if lone := n - int64(len(b.vertices)); lone > maxLoneRows {
		return b.errorAt(size, 1, "%s rows have no entries, more than %s", english.Grouped(lone),
			english.Grouped(maxLoneRows))
	}
	for i := int64(1); i <= n; i++ {
		b.vertex(strconv.FormatInt(i, 10))
	}
	return nil
}

// matrixHeader reads the first line, and returns how many values an entry has.
func (b *reading) matrixHeader(line int, words []word) (values int, err error) {
	want := [][]string{
		{"%%matrixmarket"},
		{"matrix"},
		{"coordinate"},
		{"pattern", "real", "integer"},
		{"general", "symmetric", "skew-symmetric"},
	}
	for i, choice := range want {
		if i >= len(words) {
			return 0, b.errorAt(line, 1, "expected a header such as %%%%MatrixMarket matrix coordinate pattern "+
				"symmetric")
		}
		if !slices.Contains(choice, strings.ToLower(words[i].text)) {
			return 0, b.errorAt(line, words[i].column, "%q is not a matrix that is read as a graph: expected %s",
				words[i].text, strings.ReplaceAll(strings.Join(choice, " or "), "matrixmarket", "MatrixMarket"))
		}
	}
	b.undirected = !strings.EqualFold(words[4].text, "general")
	if !strings.EqualFold(words[3].text, "pattern") {
		values = 1
	}
	return values, nil
}
