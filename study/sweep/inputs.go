package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/yamldigest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
)

// InputFile is a file that machines of a study name: a list of racks, a quote, a graph.
type InputFile struct {
	Path string `json:"path"` // from where the study was begun
	// Digest is a hash of its content when the study was begun.
	Digest string `json:"digest"`
}

// noteFiles adds the files that a machine names to those of the study, with what is in them now.
func (s *Study) noteFiles(m *spec.Spec) {
	for _, in := range machine.Inputs(m) {
		if _, known := s.inputs.Load(in.Path); !known {
			s.content(in.Path)
			s.files = append(s.files, in.Path)
		}
	}
}

// noteGraphs notes the files of graphs to which one axis leads and another one the family that reads them: with the
// first family no path is read.
func (s *Study) noteGraphs(first []setting) {
	leads := func(x *axis, to string) bool {
		return !x.broken && slices.ContainsFunc(x.places, func(p place) bool { return p.path == to })
	}
	for i, x := range s.axes {
		for _, p := range x.places {
			section, isPath := strings.CutSuffix(p.path, ".path")
			if !isPath || x.broken {
				continue
			}
			for k, family := range s.axes {
				if k == i || !leads(family, section) && !leads(family, section+".family") {
					continue
				}
				settings := slices.Clone(first)
				for _, settings[k] = range family.trialValues() {
					for _, settings[i] = range x.trialValues() {
						if at, _, err := s.with(settings); err == nil {
							s.noteFiles(s.draft.Read(at))
						}
					}
				}
			}
		}
	}
}

// inputFiles lists the files of the study as they were when it was read.
func (s *Study) inputFiles() []InputFile {
	var out []InputFile
	for _, path := range s.files {
		out = append(out, InputFile{path, s.content(path).Text()})
	}
	return out
}

// content is the digest of a file when it was first asked for, of nothing where it cannot be read: planning says so.
func (s *Study) content(path string) yamldigest.Digest {
	if d, ok := s.inputs.Load(path); ok {
		return d.(yamldigest.Digest)
	}
	d, _ := s.inputs.LoadOrStore(path, yamldigest.File(path))
	return d.(yamldigest.Digest)
}

// checkInputs returns a *ChangedInputError if a file of the study is not as it was when the study was read.
func (s *Study) checkInputs() error {
	for _, path := range s.files {
		if yamldigest.File(path) != s.content(path) {
			return &ChangedInputError{path}
		}
	}
	return nil
}

// A ChangedInputError reports that a file that machines name was changed while points were computed.
type ChangedInputError struct{ Path string }

// Error names the file, and says what to do.
func (e *ChangedInputError) Error() string {
	return fmt.Sprintf("%s was changed while the sweep ran; finished shards are of the file as it was: restore it and "+
		"go on with --resume, or run the sweep into another directory with -o", e.Path)
}

// changedInputs says which files differ from those of other results with the same number of them; "" where none does.
func (m *Manifest) changedInputs(own []InputFile) string {
	if len(m.Inputs) != len(own) {
		return ""
	}
	var paths []string
	for i, in := range own {
		if in.Digest != m.Inputs[i].Digest {
			paths = append(paths, in.Path)
		}
	}
	return strings.Join(paths, ", ")
}
