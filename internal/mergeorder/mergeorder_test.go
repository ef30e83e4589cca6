package mergeorder_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/mergeorder"
)

func TestMerge(t *testing.T) {
	for _, tt := range []struct{ lists, want string }{
		{"", ""},
		{"a b c", "a b c"},
		{"a c|b c|a b", "a b c"},       // the end of the first waits for the others
		{"d|a b|c b", "d a c b"},       // what all begin with comes first
		{"a b|b a", "a b"},             // a contradiction goes by the first
		{"x a b y|x b a y", "x a b y"}, // and only as far as it reaches
	} {
		var lists [][]string
		for words := range strings.SplitSeq(tt.lists, "|") {
			lists = append(lists, strings.Fields(words))
		}
		if got := mergeorder.Merge(lists); !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%s: %v, expected %s", tt.lists, got, tt.want)
		}
	}
}
