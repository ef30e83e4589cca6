package main

import (
	_ "embed"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed words.txt
var wordList string

//go:embed words-allowed.txt
var allowedList string

// A phrase is a wording that readers who know the field stumble over.
type phrase struct {
	pattern *regexp.Regexp
	allowed *regexp.Regexp // matches of the pattern that are plain English; nil if there are none
	text    string         // the pattern as words.txt has it
	use     string         // what to write instead
}

// An allowance is a text in which a phrase may stay, because it quotes a name that others have given.
type allowance struct {
	path string // of one file
	text string // which contains the phrase
	used bool
}

// privateWords finds phrases of words.txt in comments, messages and pages, but for the texts that words-allowed.txt
// lists. A line of that file that nothing needs is a finding as well.
func privateWords(t *tree) []finding {
	phrases, allowances := parsePhrases(wordList), parseAllowances(allowedList)
	out := make([]finding, len(phrases))
	for i, p := range phrases {
		out[i].name = p.text + ": use " + p.use
	}
	for passage := range t.passages {
		for i, p := range phrases {
			for _, at := range p.pattern.FindAllStringIndex(passage.text, -1) {
				match := passage.text[at[0]:at[1]]
				if p.allowed != nil && p.allowed.MatchString(match) || passage.names(at[0], at[1]) ||
					allow(allowances, passage, at) {
					continue
				}
				out[i].value++
				line := passage.line + strings.Count(passage.text[:at[0]], "\n")
				out[i].where = append(out[i].where, passage.path+":"+strconv.Itoa(line)+": "+
					strings.Join(strings.Fields(match), " "))
			}
		}
	}
	out = slices.DeleteFunc(out, func(f finding) bool { return f.value == 0 })
	for _, a := range allowances {
		if !a.used && t.has(a.path) {
			out = append(out, finding{"words-allowed.txt: no phrase in " +
				"" + a.path + " needs " + strconv.Quote(a.text), 1, nil})
		}
	}
	return out
}

// allow reports whether an allowance covers the phrase at the given place of a passage, and marks it as used.
func allow(allowances []allowance, p passage, at []int) bool {
	for i := range allowances {
		a := &allowances[i]
		if a.path != p.path {
			continue
		}
		from := max(at[1]-len(a.text), 0)
		if strings.Contains(p.text[from:min(at[0]+len(a.text), len(p.text))], a.text) {
			a.used = true
			return true
		}
	}
	return false
}

// entries returns the lines of a list that are neither empty nor comments, split at tabs.
func entries(list string) [][]string {
	var out [][]string
	for line := range strings.Lines(list) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, strings.Split(line, "\t"))
		}
	}
	return out
}

func parsePhrases(list string) []phrase {
	// A space of a pattern matches the end of a line as well.
	compile := func(s string) *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:` + strings.ReplaceAll(s, " ", `\s+`) + `)\b`)
	}
	var out []phrase
	for _, e := range entries(list) {
		p := phrase{pattern: compile(e[0]), text: e[0], use: e[1]}
		if len(e) > 2 {
			p.allowed = compile(e[2])
		}
		out = append(out, p)
	}
	return out
}

func parseAllowances(list string) []allowance {
	var out []allowance
	for _, e := range entries(list) {
		out = append(out, allowance{path: e[0], text: e[1]})
	}
	return out
}

// A passage is a text that people read: a comment, a message or a page.
type passage struct {
	path string
	line int // of its beginning, from 1
	text string
	doc  bool // it is a comment
}

// names reports whether the text from one place to another is a name and not prose: a key or a field in quotes or
// behind a dot, or the exported name that a doc comment begins with.
func (p passage) names(from, to int) bool {
	if from > 0 && strings.ContainsRune(".`\"", rune(p.text[from-1])) {
		return true
	}
	name := p.text[from:to]
	return p.doc && strings.TrimSpace(p.text[:from]) == "" && token.IsExported(name) && token.IsIdentifier(name)
}

// passages yields the comments of all sources, the string literals with a space of all sources but tests (struct tags
// excepted), and the pages.
func (t *tree) passages(yield func(passage) bool) {
	for _, s := range t.sources {
		for _, group := range s.ast.Comments {
			if !yield(passage{s.path, t.fset.Position(group.Pos()).Line, commentText(group), true}) {
				return
			}
		}
		if s.test {
			continue
		}
		for _, m := range s.messages(t.fset) {
			if !yield(m) {
				return
			}
		}
	}
	for _, p := range append(slices.Clone(t.pages), t.assets...) {
		if !yield(passage{p.path, 1, strings.Join(p.lines, "\n"), false}) {
			return
		}
	}
}

// commentText returns a comment without its slashes, line by line.
func commentText(group *ast.CommentGroup) string {
	var lines []string
	for _, c := range group.List {
		for line := range strings.SplitSeq(c.Text, "\n") {
			lines = append(lines, strings.TrimPrefix(line, "//"))
		}
	}
	return strings.Join(lines, "\n")
}

// messages returns the string literals of a source that are more than one word.
func (s source) messages(fset *token.FileSet) []passage {
	var out []passage
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			tags[n.Tag] = true // before the literal itself is met
		case *ast.BasicLit:
			if tags[n] {
				return false
			}
			text, err := strconv.Unquote(n.Value)
			if n.Kind == token.STRING && err == nil && strings.Contains(text, " ") {
				out = append(out, passage{s.path, fset.Position(n.Pos()).Line, text, false})
			}
		}
		return true
	})
	return out
}

// has reports whether the repository has a file that is read.
func (t *tree) has(path string) bool {
	for _, s := range t.sources {
		if s.path == path {
			return true
		}
	}
	for _, p := range append(slices.Clone(t.pages), t.assets...) {
		if p.path == path {
			return true
		}
	}
	return false
}
