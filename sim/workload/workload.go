package workload

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/sim/goal"
)

//go:embed data/*.yaml
var presets embed.FS

// Presets lists the names of the published jobs that come along.
func Presets() []string {
	entries, err := presets.ReadDir("data")
	if err != nil {
		panic(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return out
}

// Preset returns the text of a published job, as a file to start from; an error of package fs for names that Presets
// does not list.
func Preset(name string) ([]byte, error) { return presets.ReadFile(path.Join("data", name+".yaml")) }

// Workload is a job and what its ranks do.
type Workload struct {
	Name     string
	Schedule *goal.Schedule
	Job      *Job   // nil for traces
	Trace    *Trace // nil for a training job
}

// IsTrace reports whether a file is read as a trace, by its name: it ends with .et, or with .json after the number of a
// rank.
func IsTrace(file string) bool {
	return filepath.Ext(file) == ".et" || filepath.Ext(file) == ".json" && chakraName.MatchString(filepath.Base(file))
}

// Read reads a workload: traces where the name of the file ends with .et or, after
// the number of a rank, .json, with the groups of a file of groups, else
// the description of a training job or the name of one that comes along, where no file has that name. Groups is "" for
// none, and must be for a job. Errors are those of ReadChakra, ReadGroups, ReadJob and Job.Schedule.
func Read(file, groups string) (*Workload, error) {
	if !IsTrace(file) {
		if groups != "" {
			return nil, errors.New("groups of ranks go with traces only")
		}
		return readJob(file)
	}
	var of Groups
	if groups != "" {
		var err error
		if of, err = ReadGroups(groups); err != nil {
			return nil, err
		}
	}
	trace, err := ReadChakra(file, of)
	if err != nil {
		return nil, err
	}
	return &Workload{Name: filepath.Base(file), Schedule: trace.Schedule, Trace: trace}, nil
}

// Files lists the files that Read reads of a workload and its groups; none of a job that comes along. The error is that
// of traces that are not complete.
func Files(file, groups string) ([]string, error) {
	if IsTrace(file) {
		files, err := chakraFiles(file)
		if groups != "" {
			files = append(files, groups)
		}
		return files, err
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) && slices.Contains(Presets(), file) {
		return nil, nil
	}
	return []string{file}, nil
}

func readJob(file string) (*Workload, error) {
	j, err := ReadJob(file)
	if errors.Is(err, fs.ErrNotExist) && slices.Contains(Presets(), file) {
		var data []byte
		if data, err = Preset(file); err == nil {
			j, err = ParseJob(file+".yaml", data)
		}
	}
	if err != nil {
		return nil, err
	}
	s, err := j.Schedule()
	if err != nil {
		return nil, err
	}
	return &Workload{Name: j.Name, Schedule: s, Job: j}, nil
}
