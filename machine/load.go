package machine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine/spec"
)

// Load reads a machine file. See Parse.
func Load(path string) (*spec.Spec, error) {
	data, err := Text(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Text reads a machine file, at most one byte more than spec.MaxSize, so that Parse still refuses a file that is too
// large.
func Text(path string) ([]byte, error) {
	f, err := infile.OpenArgument(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, spec.MaxSize+1))
}

// Parse reads a machine file. The error is a diag.List with every mistake of
// the file: of its syntax, its keys and values, its parts and its topology. A
// spec remembers where it was read from, so that what goes wrong in planning it
// can be shown at its place.
func Parse(name string, data []byte) (*spec.Spec, error) {
	s, whole := spec.Read(name, data)
	var faults diag.FieldErrors
	if whole {
		_, err := resolve(s)
		faults = diag.Fields(err)
	}
	if err := s.Locate(faults); err != nil {
		return nil, err
	}
	return s, nil
}

// located gives mistakes in fields of a spec their places in its file; other errors
// stay what they are.
func located(s *spec.Spec, err error) error {
	if faults := diag.Fields(err); faults != nil {
		return s.Locate(faults)
	}
	return err
}

// LoadPlan reads the machine of a saved plan: a plan.json, a directory that holds one, or a machine file. Places that
// were optimised are taken from the placement.csv beside plan.json, with effort none and without the objective,
// together, lock and racks; other files that the machine file names from their copies there. It is an error if
// plan.json is not the file that the manifest beside it names, is larger than 256 MiB or was made by a newer version.
func LoadPlan(path string) (*spec.Spec, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "plan.json")
	}
	if filepath.Ext(path) != ".json" {
		return Load(path)
	}
	f, err := infile.OpenArgument(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPlan+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxPlan {
		return nil, fmt.Errorf("%s: the file is larger than %d MiB", path, maxPlan>>20)
	}
	if err := outfile.Verify(path, data); err != nil {
		return nil, err
	}
	var plan struct {
		Version string          `json:"version"`
		Spec    json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(data, &plan); err != nil {
		if errors.As(err, new(*json.UnmarshalTypeError)) {
			return nil, fmt.Errorf("%s: not a plan: it is not a mapping of keys to values", path)
		}
		return nil, fmt.Errorf("%s: not a plan: %w", path, err)
	}
	if len(bytes.TrimSpace(plan.Spec)) == 0 || string(plan.Spec) == "null" {
		return nil, fmt.Errorf("%s: not a plan: it has no spec", path)
	}
	if newer(plan.Version, Version) {
		return nil, fmt.Errorf("%s: made by Plenum %.40q, which is newer than this %s: it may say what this one does "+
			"not know", path, plan.Version, Version)
	}
	// Files are read from their copies beside the plan; paths of those that it has none
	// of start where it was planned.
	s, err := Parse("spec of plan.json", fromCopies(filepath.Dir(path), plan.Spec))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	places := filepath.Join(filepath.Dir(path), "placement.csv")
	if _, err := os.Stat(places); err == nil && s.Embedding.Effort != "" && s.Embedding.Effort != spec.NoEffort {
		s.Embedding.Effort, s.Embedding.Objective, s.Embedding.Weights = spec.NoEffort, "", nil
		s.Embedding.Together, s.Embedding.Lock, s.Embedding.Racks = nil, nil, nil
		s.Embedding.Placement = places
	}
	return s, nil
}

// newer reports whether a version, such as 1.12.0, comes after another. What is not a version comes before all
// versions; what follows a hyphen does not count.
func newer(version, than string) bool {
	numbers := func(v string) []int {
		var out []int
		v, _, _ = strings.Cut(v, "-") // of what is released later
		for part := range strings.SplitSeq(v, ".") {
			n, err := strconv.Atoi(part)
			if err != nil {
				return nil
			}
			out = append(out, n)
		}
		return out
	}
	return slices.Compare(numbers(version), numbers(than)) > 0
}

// maxPlan bounds the size of a plan.json.
const maxPlan = 256 << 20
