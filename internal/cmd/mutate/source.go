package main

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// helperName is the name by which mutated files import package mutant.
const helperName = "plenumMutant"

// source is a file whose points are rendered into its text.
type source struct {
	data   []byte
	base   token.Pos // of the first byte
	points []*point  // by their beginnings, outer before inner
}

// newSource sorts the points of a file.
func newSource(data []byte, base token.Pos, points []*point) *source {
	points = slices.DeleteFunc(slices.Clone(points), func(p *point) bool { return p.render == nil })
	slices.SortFunc(points, func(a, b *point) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	return &source{data, base, points}
}

// original returns the text as it is.
func (s *source) original(from, to token.Pos) string { return string(s.data[from-s.base : to-s.base]) }

// text returns the text between two positions with the points in it rendered. A point that reaches beyond, such as the
// one whose operand this is, is passed over.
func (s *source) text(from, to token.Pos) string {
	var b strings.Builder
	at := from
	i, _ := slices.BinarySearchFunc(s.points, from, func(p *point, pos token.Pos) int { return int(p.from - pos) })
	for ; i < len(s.points) && s.points[i].from < to; i++ {
		if p := s.points[i]; p.from >= at && p.to <= to {
			b.WriteString(s.original(at, p.from))
			b.WriteString(p.render(s))
			at = p.to
		}
	}
	b.WriteString(s.original(at, to))
	return b.String()
}

// call returns a call of a function of package mutant.
func (s *source) call(function string, id int, args ...ast.Expr) string {
	out := s.helper(function) + "(" + s.number(id)
	for _, a := range args {
		out += ", " + s.text(a.Pos(), a.End())
	}
	return out + ")"
}

func (s *source) helper(function string) string { return helperName + "." + function }
func (s *source) number(id int) string          { return strconv.Itoa(id) }
func (s *source) on(id int) string              { return s.helper("On") + "(" + s.number(id) + ")" }
