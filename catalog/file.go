package catalog

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/strictyaml"
)

// File is a catalog file that was read as far as it could be. It remembers where its
// values stand; CheckFiles tells all that is wrong with it.
type File struct {
	Name  string
	Parts []Part
	Sets  []PriceSet
	doc   *strictyaml.Document
}

// fileLists is the shape of a catalog file. Either list may be left out.
type fileLists struct {
	Parts     []Part     `yaml:"parts,omitempty"`
	PriceSets []PriceSet `yaml:"price_sets,omitempty"`
}

// language is that of catalog files.
var language = strictyaml.Language{
	Empty:  "it has the lists parts and price_sets",
	Second: "a catalog file is a single document: remove what begins with this ---",
}

// ParseFile reads a catalog file: a mapping with the lists parts and price_sets.
func ParseFile(data []byte, name string) *File {
	var lists fileLists
	doc := language.Read(name, data, &lists)
	return &File{Name: name, Parts: lists.Parts, Sets: lists.PriceSets, doc: doc}
}

// Err tells what is wrong with the form of the file, as a diag.List: its syntax, its
// keys and the values that cannot be read.
func (f *File) Err() error { return f.doc.Err() }

// Parse reads a catalog file whole. The error is that of the form; New checks what
// the figures say.
func Parse(data []byte, name string) ([]Part, []PriceSet, error) {
	f := ParseFile(data, name)
	if err := f.Err(); err != nil {
		return nil, nil, err
	}
	return f.Parts, f.Sets, nil
}

// CheckFiles audits the catalog with the parts and price sets of files, which
// replace those of the same id or name. Mistakes in the files come first, file by
// file, each with its place; what is wrong elsewhere has none. Where part of a file
// could not be read for its syntax, only mistakes in the form are reported.
func (c *Catalog) CheckFiles(files []*File) diag.List {
	var parts []Part
	var sets []PriceSet
	checked := make([]*strictyaml.Document, len(files))
	whole := true
	for i, f := range files {
		parts, sets = append(parts, f.Parts...), append(sets, f.Sets...)
		checked[i] = f.doc.Anew()
		whole = whole && f.doc.Whole
	}
	var elsewhere diag.List
	if whole {
		for _, err := range c.overlaid(parts, sets).Audit() {
			f := err.(*Fault)
			if i, path := locate(f, files); path != "" {
				checked[i].Report(path, &f.FieldError)
			} else {
				elsewhere.Add(diag.Diagnostic{
					Subject: f.Subject, Path: f.Path, Message: f.Message, Suggestion: f.Suggestion,
				})
			}
		}
	}
	var found diag.List
	for i, f := range files {
		here := append(f.doc.Mistakes(), checked[i].Mistakes()...)
		here.Sort()
		found = append(found, here...)
	}
	return append(found, elsewhere...)
}

// locate finds the file that has the faulty part or price set, and the path of the
// faulty field there; the path is empty if no file has it.
func locate(fault *Fault, files []*File) (file int, path string) {
	left := fault.nth
	set := strings.TrimSuffix(fault.Set, nameless)
	for i, f := range files {
		for j := range f.Parts {
			if fault.Set == "" && f.Parts[j].ID == fault.Part {
				if left--; left < 0 {
					return i, diag.Join(fmt.Sprintf("parts[%d]", j), fault.Path)
				}
			}
		}
		for j := range f.Sets {
			if fault.Set != "" && f.Sets[j].Name == set {
				if left--; left < 0 {
					return i, diag.Join(fmt.Sprintf("price_sets[%d]", j), fault.Path)
				}
			}
		}
	}
	return 0, ""
}
