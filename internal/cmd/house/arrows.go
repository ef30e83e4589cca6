package main

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// arrowsHeading is the section of the page of imports that says who imports whom, in indented lines:
//
//	package  ->  package, package, ...
//
// The list may go on in lines without an arrow; it is "nothing" where a package imports none. It names what the
// package itself imports, tests aside, but for units, diag, budget and packages in internal, which all may use. These
// have a line of their own only where they import another. Lines stand from the roof down: none names a package above
// it.
const arrowsHeading = "## Who imports whom"

// ground reports whether a package is one that all may use.
func ground(pkg string) bool {
	return pkg == "units" || pkg == "diag" || pkg == "budget" || strings.HasPrefix(pkg, "internal/")
}

// A arrowLine is what the page says of one package.
type arrowLine struct {
	pkg     string
	imports []string
	place   string
}

// readArrows reads the lines of the section.
func (t *tree) readArrows() []arrowLine {
	i := slices.IndexFunc(t.pages, func(p text) bool { return p.path == importsPage })
	if i < 0 {
		return nil
	}
	var out []arrowLine
	inside := false
	for n, line := range t.pages[i].lines {
		if strings.HasPrefix(line, "## ") {
			inside = line == arrowsHeading
		}
		if !inside || !strings.HasPrefix(line, "    ") {
			continue
		}
		list := line
		if pkg, rest, ok := strings.Cut(line, "->"); ok {
			out = append(out, arrowLine{pkg: strings.TrimSpace(pkg), place: importsPage + ":" + strconv.Itoa(n+1)})
			list = rest
		} else if len(out) == 0 {
			continue
		}
		last := &out[len(out)-1]
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name != "" && name != "nothing" {
				last.imports = append(last.imports, name)
			}
		}
	}
	return out
}

// imports returns what each package imports of the module, ground left out, and where.
func (t *tree) imports() map[string]map[string]string {
	out := map[string]map[string]string{}
	for s := range t.code {
		from := s.folder()
		if out[from] == nil {
			out[from] = map[string]string{}
		}
		for _, i := range s.ast.Imports {
			to, own := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), t.module+"/")
			if own && !ground(to) {
				out[from][to] = t.place(i.Pos())
			}
		}
	}
	return out
}

// arrows finds where the page and the code differ in who imports whom.
func arrows(t *tree) []finding {
	var out []finding
	found := func(name, place, what string) {
		out = append(out, finding{name, 1, []string{place + ": " + what}})
	}
	imports := t.imports()
	above := map[string]bool{}
	for _, s := range t.readArrows() {
		code, exists := imports[s.pkg]
		switch {
		case !exists:
			found(s.pkg, s.place, "there is no package "+s.pkg)
			continue
		case above[s.pkg]:
			found(s.pkg, s.place, s.pkg+" has two lines")
			continue
		}
		above[s.pkg] = true
		for _, to := range s.imports {
			arrow := s.pkg + "->" + to
			if _, used := code[to]; !used {
				found(arrow, s.place, s.pkg+" does not import "+to)
			} else if above[to] {
				found(arrow, s.place, to+" stands above "+s.pkg)
			}
		}
		for to, place := range code {
			if !slices.Contains(s.imports, to) {
				found(s.pkg+"->"+to, place, importsPage+" does not say that "+s.pkg+" imports "+to)
			}
		}
	}
	for pkg, code := range imports {
		if !above[pkg] && (!ground(pkg) || len(code) > 0) {
			found(pkg, path.Clean(pkg), importsPage+" does not say what "+pkg+" imports")
		}
	}
	return out
}
