// Package provenance says what made a document: which version and commit of Plenum, which command, which files and
// which seeds. The same record stands in every kind of document, as an object of JSON documents and as one line of
// JSON in the metadata of pictures, drawings, tables and workbooks, so that one reader reads them all.
//
// A record has no date, host, user or absolute path: the same command on the same files gives the same bytes.
package provenance

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"unicode/utf16"
)

// Version is the version of Plenum.
const Version = "0.2.0"

// Key is the name of the record: the key in JSON documents, and the name of the entry in metadata.
const Key = "provenance"

// Namespace is the XML namespace of the record in XMP and in the metadata of SVG.
const Namespace = "https://github.com/plenum-planner/plenum/ns/provenance/"

// Unknown is the commit of a build that has not recorded one.
const Unknown = "unknown"

// Record says what made a document.
type Record struct {
	Version string `json:"version"` // of Plenum
	// Commit is what the program was built from; `unknown` where the build has not recorded it.
	Commit string `json:"commit"`
	// Modified is whether files differed from the commit; null where the build does not know.
	Modified *bool `json:"modified"`
	// Command is the command line, for a shell: without the flags that change no figure (where files go, how many
	// points are computed at a time, limits), and with the last element of absolute paths; left out where no command
	// line made the document.
	Command string `json:"command,omitempty"`
	// Files are those that the command read, in the order of its arguments, each followed by the files it names or was
	// made from.
	Files []File `json:"files"`
	// Seeds are those that the command line and the files give; a seed that is not listed has its default, 0.
	Seeds []Seed `json:"seeds"`
}

// File is a file that a command read.
type File struct {
	// Name is its path as the command line or a file gives it; of an absolute one the last element.
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // the hash of its bytes, in hexadecimal digits, as sha256sum prints it
}

// Seed is a seed of random numbers.
type Seed struct {
	// Of is the flag, such as `--seed`, or the file and the key in it, such as `machine.yaml: embedding.seed`.
	Of   string `json:"of"`
	Seed uint64 `json:"seed"` // its value
}

// commit is what a release was built from, where the build has no repository to ask:
// -X github.com/plenum-planner/plenum/internal/provenance.commit=...
var commit string

// built reads once what the build has recorded of itself.
var built = sync.OnceValue(func() Record {
	info, _ := debug.ReadBuildInfo()
	return FromBuild(info)
})

// FromBuild returns the record of a program, given what its build has recorded, nil for nothing: version, commit and
// whether it was modified.
func FromBuild(info *debug.BuildInfo) Record {
	r := Record{Version: Version, Commit: Unknown, Files: []File{}, Seeds: []Seed{}}
	if commit != "" {
		r.Commit = commit
	}
	if info == nil {
		return r
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			r.Commit = s.Value
		case "vcs.modified":
			modified := s.Value == "true"
			r.Modified = &modified
		}
	}
	return r
}

// Program is the record of this program, without a command.
func Program() Record { return built() }

type key struct{}

// With gives a context the record of the documents that are made under it.
func With(ctx context.Context, r Record) context.Context { return context.WithValue(ctx, key{}, r) }

// FromContext returns the record that With gave, and reports whether there is one.
func FromContext(ctx context.Context) (Record, bool) {
	r, ok := ctx.Value(key{}).(Record)
	return r, ok
}

// Of is the record of the documents that are made under a context: the record given to With, or else that of the
// program.
func Of(ctx context.Context) Record {
	if r, ok := FromContext(ctx); ok {
		return r
	}
	return Program()
}

// Line is the record as one line of JSON, for metadata of any format: in ASCII, without letters that XML escapes.
func (r *Record) Line() string {
	var b strings.Builder
	for _, c := range string(r.encode("")) {
		switch {
		case c < 0x7f:
			b.WriteRune(c)
		case c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}

// encode returns the record as JSON, on lines that begin with a prefix where that is not empty.
func (r *Record) encode(prefix string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	if prefix != "" {
		e.SetEscapeHTML(false)
		e.SetIndent(prefix, prefix)
	}
	if err := e.Encode(r); err != nil {
		panic(err) // texts and numbers only
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
