package graphio_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// TestNumbersOfVertices: vertices whose names are numbers come in the order of the numbers, whether these are few or
// many, small or large, and a number that is written otherwise is another name.
func TestNumbersOfVertices(t *testing.T) {
	for text, want := range map[string][]string{
		"3 1\n0 2\n1 0\n":               {"0", "1", "2", "3"},
		"7 03\n3 007\n7 3\n":            {"03", "3", "7", "007"},
		"999999 1000000\n999 1000\n5 6": {"5", "6", "999", "1000", "999999", "1000000"},
		"2 1#3 4\n\n # 5\n\t9 2\r\n9 1": {"1", "2", "9"},
		"2 1\nb 0\n":                    {"2", "1", "b", "0"},
		"2 1\n1 -2":                     {"2", "1", "-2"},
	} {
		g, err := graphio.Read("it", "edges", strings.NewReader(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for v := range topology.Vertices(g) {
			got = append(got, g.Label(v))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: -want +got\n%s", text, diff)
		}
	}
}

// TestLinesOfAnyPieces reads a text in pieces of any size, so that lines are cut anywhere, and finds the same links and
// the same mistake in the same place.
func TestLinesOfAnyPieces(t *testing.T) {
	var text strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&text, "node%d node%d level=l%d # \u00e9\n", i, i+1, i%7)
	}
	good := text.String()
	for _, tt := range []struct{ text, mistake string }{
		{good, ""},
		{good + "a b\x00", "it:9001:4: control character U+0000 at offset 285786; remove it"},
		{good + "\n\xff b\n" + good, "it:9002:1: the byte 0xff at offset 285784 is not UTF-8 text; " +
			"save it as UTF-8, which spreadsheets call CSV UTF-8"},
		{good + " a\n\xff", `it:9001:2: a line names two vertices, here is only "a"`},
	} {
		for name, pieces := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader,
			"halves": iotest.HalfReader, "late end": iotest.DataErrReader,
		} {
			g, err := graphio.Read("it", "edges", pieces(strings.NewReader(tt.text)))
			switch {
			case tt.mistake == "" && (err != nil || topology.Count(g).Links != 9000):
				t.Errorf("%s: %v", name, err)
			case tt.mistake != "" && (err == nil || err.Error() != tt.mistake):
				t.Errorf("%s: %v, expected %s", name, err, tt.mistake)
			}
		}
	}
}

// BenchmarkReadEdges reads 131,072 links between 32,768 vertices.
func BenchmarkReadEdges(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text bytes.Buffer
	for i := range 131072 {
		a := i / 4
		fmt.Fprintln(&text, a, (a+1+rng.IntN(4000)*4+i%4)%32768)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := graphio.Read("it", "edges", bytes.NewReader(text.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
