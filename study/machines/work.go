package machines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/internal/yamldigest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/study/sweep"
)

// PlannedDir is the directory, in that of what is written, in which a search keeps what it has planned.
const PlannedDir = "planned"

// Work is what has been planned of a search, in a directory: candidates are the points of a study. They are planned in
// parts, by as many processes as share the directory. Each adds a JSON file for each, which appears when it is whole,
// and a mark when its part is done. A search that finds all of it there plans nothing anew; what it concludes is the
// same, byte for byte, however the candidates were divided.
type Work struct {
	path string

	mu    sync.Mutex
	own   *workManifest // to be written with the first of it; nil once it is there
	known map[candidateName]*outcome
}

// workManifest is the file that says whose work a directory has.
type workManifest struct {
	Format  int    `json:"format"`  // of the directory
	Version string `json:"version"` // that of the program that planned
	Name    string `json:"name"`    // that of the search file
	Search  string `json:"search"`  // the hash of all that figures depend on
}

const (
	workManifestName = "search.json"
	workFormat       = 2
)

// outcome is what planning a candidate has given, and the file of it.
type outcome struct {
	Topology string   `json:"topology"`
	Switch   string   `json:"switch,omitempty"`
	Reason   string   `json:"reason,omitempty"` // why the plan is not a machine; empty where it is
	Detail   string   `json:"detail,omitempty"`
	Currency string   `json:"currency,omitempty"`
	Entry    *Entry   `json:"entry,omitempty"`
	Inputs   []string `json:"inputs,omitempty"` // from the directory of the machine file, where they are below it
	// Cabled are the figures before delays were measured: alone where a machine that was planned in full beats them,
	// else beside the entry or the reason, as other machines may beat them where the search is not divided. It is nil
	// of plans that did not come so far or that break design rules.
	Cabled *cabledFigures `json:"cabled,omitempty"`
}

// cabledFigures are what is known of a plan before its delays are measured.
type cabledFigures struct {
	Cables int64   `json:"cables"`
	Metres float64 `json:"length_m"`
	Cost   float64 `json:"cost"`
	Power  float64 `json:"power_w"`
	// BundleTypes is nil unless it is the objective.
	BundleTypes *int `json:"bundle_types,omitempty"`
	// LeastDelay is a lower bound of the mean delay.
	LeastDelay float64 `json:"delay_least_ns"`
}

// isFinal reports whether the candidate was planned in full or is not a machine; others are cut before their delays.
func (o *outcome) isFinal() bool { return o.Entry != nil || o.Reason != "" }

// whole reports whether the outcome says what it has to.
func (o *outcome) whole() bool {
	switch {
	case o.Entry != nil:
		return o.Reason == "" && o.Cabled != nil
	case o.Reason != "":
		return true
	}
	return o.Cabled != nil
}

func (o *outcome) of() candidateName { return candidateName{o.Topology, o.Switch} }

// A BegunError refuses to begin a search that was begun.
type BegunError struct {
	Path    string
	Planned int
}

// Error says what is there and what to do.
func (e *BegunError) Error() string {
	return fmt.Sprintf("%s has what was planned of %d candidates already; --resume goes on after them", e.Path,
		e.Planned)
}

// Keep opens the directory of the search's work inside one, or has it made with the first that is planned. Without
// resume there must be no work, or, for one of several parts, that part must not be done: a *BegunError. Work of
// something else is a *sweep.OtherStudyError, and a file that is not as it was written a *sweep.DamagedError.
func (s *Search) Keep(dir string, part sweep.Part, resume bool) (*Work, error) {
	w := &Work{path: filepath.Join(dir, PlannedDir), known: map[candidateName]*outcome{}}
	own := workManifest{Format: workFormat, Version: machine.Version, Name: s.Name, Search: s.hash()}
	there, err := w.manifest()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.own = &own
		return w, nil
	case err != nil:
		return nil, err
	case there.Search != own.Search:
		return nil, &sweep.OtherStudyError{
			Path: w.path,
			Why:  "another search: the search file, the machine or a file that it names was not the same",
		}
	case there.Version != own.Version:
		return nil, &sweep.OtherStudyError{Path: w.path, Why: fmt.Sprintf(
			"version %s of Plenum, which may differ from those of %s", there.Version, own.Version,
		)}
	}
	if err := w.read(); err != nil {
		return nil, err
	}
	if begun := part == sweep.Whole && len(w.known) > 0 || w.isDone(part); begun && !resume {
		return nil, &BegunError{w.path, len(w.known)}
	}
	return w, nil
}

// manifest reads whose work it is.
func (w *Work) manifest() (*workManifest, error) {
	path := filepath.Join(w.path, workManifestName)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m workManifest
	if err := json.Unmarshal(data, &m); err != nil || m.Format != workFormat {
		return nil, fmt.Errorf("%s: not of a search that this version reads", path)
	}
	return &m, nil
}

// hash is that of all that figures depend on.
func (s *Search) hash() string {
	asked := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(s.given.Content); i += 2 {
		switch s.given.Content[i].Value {
		case "name", "description", "machine", "engine", "slurm":
		default:
			asked.Content = append(asked.Content, s.given.Content[i], s.given.Content[i+1])
		}
	}
	none := yamldigest.Known{}
	file, base := none.Of(asked, false), none.Of(s.root, false)
	parts := [][]byte{[]byte("plenum search 1"), file[:], base[:]}
	for _, in := range machine.Inputs(s.draft.Read(s.draft.Root())) {
		d := yamldigest.File(in.Path)
		parts = append(parts, d[:])
	}
	for _, path := range s.workloadFiles {
		d := yamldigest.File(path)
		parts = append(parts, d[:])
	}
	return yamldigest.Join(parts...).Text()
}

// read reads all that has been planned.
func (w *Work) read() error {
	w.known = map[candidateName]*outcome{}
	files, err := filepath.Glob(filepath.Join(escapeGlob(w.path), "[0-9]*.json"))
	if err != nil {
		return err
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var o outcome
		err = json.Unmarshal(data, &o)
		if err == nil && !o.whole() {
			err = errors.New("not a planned candidate")
		}
		if err != nil {
			return &sweep.DamagedError{Path: path, Err: err}
		}
		w.known[o.of()] = &o
	}
	return nil
}

// of is what planning a candidate has given, nil where that is not known.
func (w *Work) of(c *candidate) *outcome {
	if w == nil {
		return nil
	}
	return w.known[candidateName{c.size.Spec.String(), c.part}]
}

// escapeGlob escapes the special characters of a path for filepath.Glob.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// write writes a file of the directory, which is made with the first.
func (w *Work) write(ctx context.Context, path string, data []byte) error {
	if w.own != nil {
		if err := os.MkdirAll(w.path, 0o777); err != nil {
			return err
		}
		err := outfile.Write(ctx, filepath.Join(w.path, workManifestName), func(out io.Writer) error {
			return render.Document(ctx, out, w.own)
		})
		if err != nil {
			return err
		}
		w.own = nil
	}
	return writeFile(ctx, path, data)
}

// add writes what has been planned, in a file called after the place of the candidate in their order.
func (w *Work) add(ctx context.Context, place int, o *outcome) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[o.of()] = o
	return w.write(ctx, filepath.Join(w.path, fmt.Sprintf("%06d.json", place)), data)
}

// finish marks a part as done.
func (w *Work) finish(ctx context.Context, part sweep.Part) error {
	return w.write(ctx, w.mark(part), nil)
}

// mark is the file that says that a part is done.
func (w *Work) mark(part sweep.Part) string {
	return filepath.Join(w.path, fmt.Sprintf("part-%d-of-%d.done", part.Index, part.Of))
}

func (w *Work) isDone(part sweep.Part) bool {
	_, err := os.Stat(w.mark(part))
	return err == nil
}

// MissingParts lists those of a number of parts that are not done.
func (w *Work) MissingParts(of int) []int {
	var out []int
	for i := range of {
		if !w.isDone(sweep.Part{Index: i, Of: of}) {
			out = append(out, i)
		}
	}
	return out
}

// CountPlanned returns how many candidates have been planned in full, or were found to be no machines.
func (w *Work) CountPlanned() (n int) {
	for _, o := range w.known {
		if o.isFinal() {
			n++
		}
	}
	return n
}

// Remove deletes the work, which is of no use any more once all is written. What else is in its directory stays. The
// error joins those of all files that could not be deleted.
func (w *Work) Remove() error {
	var gone error
	for _, pattern := range []string{"[0-9]*.json", "part-*.done", workManifestName, ".*.tmp"} {
		files, err := filepath.Glob(filepath.Join(escapeGlob(w.path), pattern))
		gone = errors.Join(gone, err)
		for _, path := range files {
			if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
				gone = errors.Join(gone, err)
			}
		}
	}
	if gone == nil {
		_ = os.Remove(w.path) // stays if something else is in it
	}
	return gone
}

// WorkStatus is how far a search is.
type WorkStatus struct {
	Name    string `json:"name"`    // that of the search file
	Planned int    `json:"planned"` // candidates that were planned in full
	// PartsDone is how many of the parts are done; 0 where it is not divided.
	PartsDone int `json:"parts_done"`
	Parts     int `json:"parts"` // that the search is divided into; 0 where it is not
}

// OpenWork says how far the search is whose work a directory has; of is the number of parts of its last job, 0 if there
// was none.
func OpenWork(dir string, of int) (*WorkStatus, error) {
	w := &Work{path: filepath.Join(dir, PlannedDir)}
	m, err := w.manifest()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no work of a search: there is no %s in it", dir,
			filepath.Join(PlannedDir, workManifestName))
	}
	if err == nil {
		err = w.read()
	}
	if err != nil {
		return nil, err
	}
	return &WorkStatus{Name: m.Name, Planned: w.CountPlanned(), Parts: of, PartsDone: of - len(w.MissingParts(of))}, nil
}
