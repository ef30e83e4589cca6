package qap

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/plenum-planner/plenum/diag"
)

func TestRead(t *testing.T) {
	q, err := Read("two.dat", strings.NewReader("2\r\n\n0 1\t-2\n3 +4 5 6\f7"))
	if err != nil {
		t.Fatal(err)
	}
	if q.N != 2 || !slices.Equal(q.A, []int64{0, 1, -2, 3}) || !slices.Equal(q.B, []int64{4, 5, 6, 7}) {
		t.Errorf("%+v", q)
	}
	if got := q.Cost([]int{1, 0}); got != 1*6-2*5+3*4 {
		t.Errorf("cost %d", got)
	}
}

func TestReadMistakes(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "x.dat:1:1: the file is empty; expected the number of objects"},
		{" \n ", "x.dat:2:2: the file is empty; expected the number of objects"},
		{"n", `x.dat:1:1: expected a whole number, not "n"`},
		{"0", "x.dat:1:1: 0 objects, expected 1 to 4096"},
		{"-3", "x.dat:1:1: -3 objects, expected 1 to 4096"},
		{"4097", "x.dat:1:1: 4097 objects, expected 1 to 4096"},
		{"1\n5", "x.dat:2:2: the file ends at row 1, column 1 of matrix B; expected 1 x 1 numbers"},
		{"1\n5 a", `x.dat:2:3: expected a whole number, not "a"`},
		{
			"1\n1e3 7.0",
			"x.dat:2:1: expected a whole number, not \"1e3\"\nx.dat:2:5: expected a whole number, not \"7.0\"",
		},
		{"1\n5\n6 7", `x.dat:3:3: "7" after the two matrices, expected the end of the file`},
		{"1 99999999999999999999 1", "x.dat:1:3: 99999999999999999999 does not fit 64 bits"},
		{"1 9999999999999999 9999999999999999", "x.dat: qap: entries are too large for exact costs"},
		{
			"1 " + strings.Repeat("7", 1000) + " 1",
			`x.dat:1:3: expected a whole number, not "` + strings.Repeat("7", 64) + `"...`,
		},
	}
	for _, tt := range tests {
		if _, err := Read("x.dat", strings.NewReader(tt.text)); err == nil || err.Error() != tt.want {
			t.Errorf("%.20q: %v\nexpected %s", tt.text, err, tt.want)
		}
	}
	_, err := Read("x.dat", strings.NewReader("9 "+strings.Repeat("a ", 100)))
	if list, ok := err.(diag.List); !ok || len(list) != maxMistakes {
		t.Errorf("%v", err)
	}
	broken := errors.New("broken")
	if _, err := Read("x.dat", iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// endless is a device that gives the same byte for ever.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// A device without an end is not an instance: neither a number that does not end nor,
// up to a gigabyte, space before one.
func TestReadEnds(t *testing.T) {
	if _, err := Read("zero", endless(0)); err == nil || !strings.HasPrefix(err.Error(), "zero:1:1: expected a whole") {
		t.Errorf("zeros: %v", err)
	}
	tokens := newTokens("blank", endless('\n'))
	tokens.left = 1 << 20
	if _, ok := tokens.size(); ok || tokens.result() == nil ||
		!strings.Contains(tokens.result().Error(), "larger than") {
		t.Errorf("blanks: %v", tokens.result())
	}
}

func TestReadSolution(t *testing.T) {
	tests := []struct {
		text, want string
		p          []int
	}{
		{text: "3 -7\n2,3, 1\n", p: []int{1, 2, 0}},
		{text: "3 -7 2 0 1", p: []int{2, 0, 1}},
		{text: "3 -7 2 0 3", want: "x.sln:1:10: there are locations 0 and 3, expected to count from 0 or from 1"},
		{text: "3 -7 2 4 2", want: "x.sln:1:8: location 4, expected 1 to 3\nx.sln:1:10: location 2 stands here twice"},
		{text: "3 -7 2 -1 1", want: "x.sln:1:8: location -1, expected 1 to 3"},
		{text: "3 -7 2 b 1", want: `x.sln:1:8: expected a whole number, not "b"`},
		{text: "3 -7 2 1", want: "x.sln:1:9: the file ends; expected a cost and 3 locations"},
		{text: "3", want: "x.sln:1:2: the file ends; expected a cost and 3 locations"},
		{text: "3 -7 1 2 3 4", want: `x.sln:1:12: "4" after the permutation, expected the end of the file`},
		{text: "2 -7 1 2", want: "x.sln:1:1: a permutation of 2, expected 3"},
	}
	for _, tt := range tests {
		p, cost, err := ReadSolution("x.sln", strings.NewReader(tt.text), 3)
		switch {
		case tt.want != "":
			if err == nil || err.Error() != tt.want {
				t.Errorf("%q: %v\nexpected %s", tt.text, err, tt.want)
			}
		case err != nil || cost != -7 || !slices.Equal(p, tt.p):
			t.Errorf("%q: %v %d %v", tt.text, p, cost, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("2\n0 1\n1 0\n0 3\n3 0\n")
	f.Add("1\n-5\n9223372036854775807")
	f.Add("3 1 2 x")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Read("x.dat", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x.dat:") {
				t.Errorf("%v names no place", err)
			}
			return
		}
		if err := q.Check(); err != nil || len(strings.Fields(text)) != 1+2*q.N*q.N {
			t.Errorf("%d objects of %q: %v", q.N, text, err)
		}
	})
}

func FuzzReadSolution(f *testing.F) {
	f.Add("3 5\n1 2 3\n", 3)
	f.Add("3 5\n0,2,1\n", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 0 || n > MaxN {
			t.Skip()
		}
		p, _, err := ReadSolution("x.sln", strings.NewReader(text), n)
		if err != nil {
			return
		}
		seen := make([]bool, n)
		for _, k := range p {
			if seen[k] {
				t.Errorf("%v of %q", p, text)
			}
			seen[k] = true
		}
		if len(p) != n {
			t.Errorf("%v of %q", p, text)
		}
	})
}
