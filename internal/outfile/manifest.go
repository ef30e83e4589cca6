package outfile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/provenance"
)

// ManifestName is the name of the manifest of a directory.
const ManifestName = "manifest.json"

// manifestVersion is that of the form of manifests.
const manifestVersion = 1

// Manifest says which files of a directory belong together, with the sum of each.
type Manifest struct {
	Version int     `json:"version"` // of the form of the manifest: 1
	Plenum  string  `json:"plenum"`  // the version that wrote it
	Machine string  `json:"machine"` // whose plan it is
	Plan    string  `json:"plan"`    // names the plan: a hash of all that it was made from
	Files   []Entry `json:"files"`   // by name
	// Provenance says what wrote it, and the files that have none of their own; nil in manifests of earlier versions.
	Provenance *provenance.Record `json:"provenance,omitempty"`
}

// Entry is a file of a manifest.
type Entry struct {
	Name   string `json:"name"`   // below the directory, with slashes
	Bytes  int64  `json:"bytes"`  // its size
	SHA256 string `json:"sha256"` // its sum, in hexadecimal digits
	Plan   string `json:"plan"`   // the plan that it is of
	// Provenance says what wrote the file, where that is not what wrote the manifest last.
	Provenance *provenance.Record `json:"provenance,omitempty"`
}

// merge returns a manifest with new entries, in which the other files of a directory keep theirs.
func (m *Manifest) merge(ctx context.Context, dir string, entries []Entry, stale []string) (*Manifest, error) {
	out := *m
	made := provenance.Of(ctx)
	out.Provenance = &made
	out.Version = manifestVersion
	out.Files = nil
	for _, e := range entries {
		e.Plan = m.Plan
		out.Files = append(out.Files, e)
	}
	old, err := ReadManifest(dir)
	if err != nil {
		old = &Manifest{} // one that cannot be read says nothing that could be kept
	}
	for _, e := range old.Files {
		again := slices.ContainsFunc(out.Files, func(n Entry) bool { return n.Name == e.Name })
		if !again && !slices.Contains(stale, e.Name) {
			if p := old.Provenance; e.Provenance == nil && p != nil && p.Line() != made.Line() {
				e.Provenance = p
			}
			out.Files = append(out.Files, e)
		}
	}
	slices.SortFunc(out.Files, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return &out, nil
}

func (m *Manifest) write(_ context.Context, w io.Writer) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// ReadManifest reads the manifest of a directory: an error that is fs.ErrNotExist where it has none.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%s is not a manifest of Plenum: %w", path, err)
	}
	if m.Version < 1 || m.Version > manifestVersion {
		return nil, fmt.Errorf("%s has version %d, which this version of Plenum does not know", path, m.Version)
	}
	for _, e := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(e.Name)) {
			return nil, fmt.Errorf("%s names the file %q, which is not in its directory", path, e.Name)
		}
	}
	return &m, nil
}

// The ways in which a file differs from its manifest.
const (
	Missing   = "missing"    // it is not there
	Changed   = "changed"    // it has other bytes
	OtherPlan = "other-plan" // it is of another plan than the rest
)

// Difference is a file that is not as its manifest says.
type Difference struct {
	File string `json:"file"` // its name below the directory
	Kind string `json:"kind"` // missing, changed or other-plan
	Text string `json:"text"` // in words
}

// Checked is what became of the files of a manifest.
type Checked struct {
	OK          bool         `json:"ok"`          // whether all are as they were written, and of one plan
	Machine     string       `json:"machine"`     // whose plan it is
	Checked     int          `json:"checked"`     // how many files the manifest names
	Differences []Difference `json:"differences"` // by file
}

// Check compares the files of a directory with its manifest.
func Check(ctx context.Context, dir string) (*Checked, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	out := &Checked{Machine: m.Machine, Checked: len(m.Files), Differences: []Difference{}}
	for _, e := range m.Files {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		kind, text, err := e.compare(ctx, dir)
		switch {
		case err != nil:
			return nil, err
		case kind == "" && e.Plan != m.Plan:
			kind, text = OtherPlan, "was written with another plan than that of the manifest"
		case kind == "":
			continue
		}
		out.Differences = append(out.Differences, Difference{e.Name, kind, text})
	}
	out.OK = len(out.Differences) == 0
	return out, nil
}

func (e *Entry) compare(ctx context.Context, dir string) (kind, text string, err error) {
	path := filepath.Join(dir, filepath.FromSlash(e.Name))
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing, "is not there", nil
	case err != nil:
		return "", "", err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", "", err
	case !info.Mode().IsRegular():
		return Changed, "is not an ordinary file", nil
	case info.Size() != e.Bytes:
		return Changed, fmt.Sprintf("has %d bytes instead of %d", info.Size(), e.Bytes), nil
	}
	s := &summed{ctx: ctx, write: func(p []byte) (int, error) { return len(p), nil }, sum: sha256.New()}
	if _, err := io.Copy(s, f); err != nil {
		return "", "", err
	}
	if hex.EncodeToString(s.sum.Sum(nil)) != e.SHA256 {
		return Changed, "has other bytes than those that were written", nil
	}
	return "", "", nil
}

// Verify tells that a file which stands beside a manifest is not the one that was written with it. A file without a
// manifest, or that the manifest does not name, is unknown.
func Verify(path string, data []byte) error {
	m, err := ReadManifest(filepath.Dir(path))
	if err != nil {
		return nil //nolint:nilerr // there is nothing to hold it against
	}
	for _, e := range m.Files {
		if e.Name != filepath.Base(path) {
			continue
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != e.SHA256 {
			return fmt.Errorf("%s is not the file that %s beside it was written with: it is cut short or changed, "+
				"or an interrupted run left files of two plans; plan again, or remove %s to take it as it is",
				path, ManifestName, ManifestName)
		}
	}
	return nil
}
