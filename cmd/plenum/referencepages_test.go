package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// referencePages are the pages of docs/reference that are written from what the program itself says.
var referencePages = map[string]func(*testing.T) string{
	"commands": commandsPage, "families": familiesPage, "machine-keys": keysPage, "parts": partsPage,
}

// TestReferencePages compares the pages with the program. PLENUM_UPDATE=1 writes them.
func TestReferencePages(t *testing.T) {
	for name, page := range referencePages {
		path := "../../docs/reference/" + name + ".md"
		want := page(t)
		if os.Getenv("PLENUM_UPDATE") == "1" {
			if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is not what the program says; run PLENUM_UPDATE=1 go test ./cmd/plenum -run ReferencePages "+
				"(%v)", path, err)
		}
	}
}

// pageHead opens a page with its title and what stands on it.
func pageHead(title, text string) string {
	return "# " + title + "\n\n<!-- Written by PLENUM_UPDATE=1 go test ./cmd/plenum -run ReferencePages -->\n\n" +
		wrapPage(text) + "\n"
}

// commandsPage has the help of every command.
func commandsPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(pageHead("Commands and flags", "The help of every command, as `plenum COMMAND --help` prints it."))
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Hidden || cmd.Name() == "help" || cmd.CommandPath() == "plenum completion" {
			return
		}
		var help bytes.Buffer
		cmd.SetOut(&help)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s\n```\n", cmd.CommandPath(), strings.TrimSpace(help.String()))
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	root := newRoot()
	walk(root)
	return b.String()
}

// familiesPage has the parameters of every family, and a small member with its levels of links and kinds of vertices.
func familiesPage(t *testing.T) string {
	samples := map[string]topology.Params{}
	for _, p := range graphtest.Small(t) {
		if name := p.Family(); samples[name] == nil {
			samples[name] = p
		}
	}
	var b strings.Builder
	b.WriteString(pageHead("Families of topologies", "The parameters of each family in `topology: {family: ...}`, "+
		"where it is defined, and a small member: its kinds of vertices name parts in `packaging`, its levels of "+
		"links are what `cabling.media`, `capacity` and tables speak of."))
	for _, f := range topology.Families() {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n", f.Name, wrapPage(strings.ToUpper(f.Doc[:1])+f.Doc[1:]))
		b.WriteString("| parameter | meaning |\n|---|---|\n")
		for _, p := range f.Params {
			need := ""
			if p.Required {
				need = " (required)"
			}
			fmt.Fprintf(&b, "| `%s` | %s%s |\n", p.Name, cell(p.Doc), need)
		}
		if p := samples[f.Name]; p != nil {
			g := graphtest.New(t, p)
			var kinds, levels []string
			for _, k := range g.Kinds() {
				kinds = append(kinds, fmt.Sprintf("%d `%s`", k.Count, k.Name))
			}
			for i, n := range topology.Count(g).ByLevel {
				levels = append(levels, fmt.Sprintf("%d `%s`", n, g.Levels()[i].Name))
			}
			fmt.Fprintf(&b, "\n%s\n", wrapPage(fmt.Sprintf("`%s` has vertices %s and links %s.",
				topology.Spec{Params: p}, strings.Join(kinds, ", "), strings.Join(levels, ", "))))
		}
		fmt.Fprintf(&b, "\n%s\n", wrapPage("Source: "+f.Source+"."))
	}
	return b.String()
}

// cell makes a text one cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// wrapPage breaks a paragraph into lines of at most 120 columns.
func wrapPage(text string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case column > 0 && column+1+n > 120:
			b.WriteByte('\n')
			column = 0
		case column > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// quantity finds the units in the pattern of a quantity, which take their place behind the number.
var quantity = regexp.MustCompile(`\(([^()\[\]]+)\)\?\\s\*\$$`)

// keysPage has every key of a machine file, section by section in the order in which the schema leads to them.
func keysPage(t *testing.T) string {
	text, err := schemas["machine"]()
	if err != nil {
		t.Fatal(err)
	}
	var doc yaml.Node // JSON is YAML, and a node keeps the order of keys
	if err := yaml.Load(text, &doc); err != nil {
		t.Fatal(err)
	}
	k := keys{defs: member(doc.Content[0], "$defs"), places: map[string]string{}}
	k.b.WriteString(pageHead("Keys of machine files", "Every key of a [machine file](../machine-file.md), from the "+
		"schema that `plenum schema` prints. Numbers are 0 or more unless the table says otherwise. A section that "+
		"stands in several places is "+
		"described at the first of them."))
	k.section("", member(doc.Content[0], "properties"))
	for len(k.queue) > 0 {
		next := k.queue[0]
		k.queue = k.queue[1:]
		k.section(k.places[next], member(member(k.defs, next), "properties"))
	}
	return k.b.String()
}

// keys writes the page of keys.
type keys struct {
	b      strings.Builder
	defs   *yaml.Node
	places map[string]string // where each section was first met
	queue  []string          // sections that are not written
}

// section writes the table of a section at a place of the file.
func (k *keys) section(place string, properties *yaml.Node) {
	if place != "" {
		fmt.Fprintf(&k.b, "\n## %s\n", place)
	}
	k.b.WriteString("\n| key | takes | meaning |\n|---|---|---|\n")
	for i := 0; i+1 < len(properties.Content); i += 2 {
		name, s := properties.Content[i].Value, properties.Content[i+1]
		path := strings.TrimPrefix(place+"."+name, ".")
		meaning := ""
		if d := member(s, "description"); d != nil {
			meaning = d.Value
		}
		if place == "topology" && name == "family" {
			meaning += " [Families](families.md) has the same."
		}
		fmt.Fprintf(&k.b, "| `%s` | %s | %s |\n", name, cell(k.takes(path, s)), cell(meaning))
	}
}

// takes says which values a schema takes; sections in it are written later, at the path of the key.
func (k *keys) takes(path string, s *yaml.Node) string {
	value := func(key string) string {
		if m := member(s, key); m != nil {
			return m.Value
		}
		return ""
	}
	if ref := strings.TrimPrefix(value("$ref"), "#/$defs/"); ref != "" {
		if member(member(k.defs, ref), "properties") == nil {
			return k.takes(path, member(k.defs, ref))
		}
		if _, met := k.places[ref]; !met {
			k.places[ref] = path
			k.queue = append(k.queue, ref)
		}
		return fmt.Sprintf("[%s](#%s)", k.places[ref], anchor(k.places[ref]))
	}
	if words := member(s, "enum"); words != nil {
		var list []string
		for _, w := range words.Content {
			list = append(list, "`"+w.Value+"`")
		}
		return strings.Join(list, ", ")
	}
	if of := member(s, "anyOf"); of != nil {
		var list []string
		for _, a := range of.Content {
			if says := k.takes(path, a); says != "" {
				list = append(list, says)
			}
		}
		if len(list) == 2 && strings.HasPrefix(list[1], "number in ") { // the unit may be left out
			return list[1]
		}
		return strings.Join(list, ", or ")
	}
	switch kind := value("type"); kind {
	case "array":
		items := k.takes(path+"[]", member(s, "items"))
		return "list of " + strings.Replace(items, "number", "numbers", 1)
	case "object":
		if of := member(s, "additionalProperties"); of != nil && of.Kind == yaml.MappingNode {
			return "by name: " + k.takes(path+".NAME", of)
		}
		return "section"
	case "null":
		return ""
	case "string":
		if m := quantity.FindStringSubmatch(value("pattern")); m != nil {
			return "number in " + strings.ReplaceAll(m[1], "|", ", ")
		}
		return "text"
	case "integer", "number":
		least, most := value("minimum"), value("maximum")
		kind = map[string]string{"integer": "whole number", "number": "number"}[kind]
		if most == "2147483647" {
			most = ""
		}
		if least == "0" && most == "" {
			least = ""
		}
		switch {
		case least != "" && most != "":
			return kind + ", " + least + " to " + most
		case least != "":
			return kind + ", at least " + least
		case most != "":
			return kind + ", at most " + most
		}
		return kind
	case "boolean":
		return "`true`, `false`"
	default:
		return kind
	}
}

// member is the value of a key in an object, nil if there is none.
func member(n *yaml.Node, key string) *yaml.Node {
	if n == nil {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// anchor is the fragment of a heading.
func anchor(heading string) string {
	return regexp.MustCompile(`[^a-z0-9_ -]`).ReplaceAllString(strings.ToLower(heading), "")
}

// partsPage has every part that comes with Plenum, by kind.
func partsPage(*testing.T) string {
	var b strings.Builder
	b.WriteString(pageHead("Parts", "The parts that come with Plenum. `plenum catalog show PART` prints all figures "+
		"of one, `plenum catalog audit` what is not known of it; [confidence](../catalog.md) says how good its "+
		"figures are."))
	parts := catalog.Default().Parts()
	slices.SortStableFunc(parts, func(p, q catalog.Part) int { return cmp.Compare(p.Kind, q.Kind) })
	last := ""
	for _, p := range parts {
		if kind := string(p.Kind); kind != last {
			fmt.Fprintf(&b, "\n## %s\n\n| part | what it is | source | confidence |\n|---|---|---|---|\n", kind)
			last = kind
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.ID, cell(p.Description), cell(p.Source), p.Confidence)
	}
	return b.String()
}
