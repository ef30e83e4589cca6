package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading      = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	notInAnchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the names that headings of a page have in links.
func anchors(page string) map[string]bool {
	out := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		name := notInAnchor.ReplaceAllString(strings.ToLower(m[1]), "")
		out[strings.ReplaceAll(name, " ", "-")] = true
	}
	return out
}

// TestLinksOfPagesResolve: every link of a page to the tree leads to a file, and to a
// heading of it where it names one.
func TestLinksOfPagesResolve(t *testing.T) {
	tree := os.DirFS("../..")
	links := 0
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		page, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		for _, m := range markdownLink.FindAllStringSubmatch(string(page), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := fs.Stat(tree, target); err != nil {
				t.Errorf("%s: %s leads nowhere", name, m[1])
				continue
			}
			if anchor == "" {
				continue
			}
			if text, err := fs.ReadFile(tree, target); err != nil || !anchors(string(text))[anchor] {
				t.Errorf("%s: %s has no such heading", name, m[1])
			}
		}
		return nil
	})
	if err != nil || links < 100 {
		t.Errorf("%d links, %v", links, err)
	}
}

// TestArchitectureNamesEveryPackage: by a link to the package or to a file of it.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	tree := os.DirFS("../..")
	page, err := fs.ReadFile(tree, "docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range markdownLink.FindAllStringSubmatch(string(page), -1) {
		target := path.Join("docs", m[1])
		named[target], named[path.Dir(target)] = true, true
	}
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		if !named[path.Dir(name)] {
			t.Errorf("docs/architecture.md does not name %s", path.Dir(name))
			named[path.Dir(name)] = true
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
