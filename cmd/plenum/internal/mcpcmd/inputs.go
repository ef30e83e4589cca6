package mcpcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/study/sweep"
)

// line collects the arguments of a command line of plenum, and the errors in them.
type line struct {
	s        *server
	args     []string
	operands []string
	guarded  bool // write "--" before the operands, since one may have the name of a subcommand
	wrong    []error
}

// command begins a line with the names of a command, which is to print JSON.
func (s *server) command(names ...string) *line { return &line{s: s, args: append(names, "--json")} }

// flag adds --name=value, unless the value is empty.
func (l *line) flag(name, value string) {
	if value != "" {
		l.args = append(l.args, "--"+name+"="+value)
	}
}

// flags adds --name=value for each value.
func (l *line) flags(name string, values []string) {
	for _, v := range values {
		l.flag(name, v)
	}
}

// switched adds --name if on is true.
func (l *line) switched(name string, on bool) {
	if on {
		l.args = append(l.args, "--"+name)
	}
}

// file adds an operand: the path of a file below the directory that is served, or a name such as that of an example. It
// need not exist.
func (l *line) file(field, path string) {
	l.inside(field, path)
	l.operands = append(l.operands, path)
}

// inside records an error if the path leads outside the directory that is served, or to something other than a file or
// directory. A path that does not exist is accepted.
func (l *line) inside(field, path string) {
	if _, err := infile.Inside(l.s.root, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.wrong = append(l.wrong, fmt.Errorf("%s: %w", field, err))
	}
}

// output tells the command to write into a directory, which it creates; for "", to write no files. It records an error
// if the server may not write.
func (l *line) output(dir string) {
	switch {
	case dir == "":
		l.args = append(l.args, "--output=")
		return
	case !l.s.write:
		l.wrong = append(l.wrong, errors.New("output: nothing may be written; the server has to be started with "+
			"--allow-write for that"))
		return
	}
	l.inside("output", dir)
	if len(l.wrong) == 0 {
		if err := l.s.root.MkdirAll(dir, 0o777); err != nil {
			l.wrong = append(l.wrong, fmt.Errorf("output: %w", err))
		}
	}
	l.flag("output", dir)
}

// end returns the arguments of the whole line, and all errors joined.
func (l *line) end() ([]string, error) {
	if l.guarded || slices.ContainsFunc(l.operands, func(o string) bool { return strings.HasPrefix(o, "-") }) {
		l.args = append(l.args, "--")
	}
	return append(l.args, l.operands...), errors.Join(l.wrong...)
}

// meanings are the descriptions of the arguments of tools, by name.
var meanings = map[string]string{
	"machine":   "machine file below the directory, or the name of an example",
	"machines":  "two or more machine files or examples",
	"summary":   "leave out the cable schedule and the delays over paths: faster",
	"effort":    "optimise places: none, quick, normal or thorough",
	"objective": "what effort minimizes: money, length, longest or delay",
	"estimate": "count ports and cables only, without a room; machine may then be a topology such as " +
		"{family: torus, dims: [8, 8]}",
	"output": "directory to write the files of the command into, where the server allows it",
	"fabric": "one fabric of a machine that has several",
	"equal":  "plan all machines with the same hop=TIME, switch=PART or per_rack=N",
	"accepted": "simulate these traffic patterns at full load, such as uniform, and rank the machines by cost for " +
		"accepted traffic",
	"what":          "cable such as C00042, box, part, figure (cost, length, power or delay) or design rule",
	"plan":          "directory of a plan, machine file or example; explain needs it for cables, boxes and figures",
	"file":          "search file below the directory",
	"sources":       "files of what is cabled: LLDP, ibnetdiscover, NetBox, cables.csv and others",
	"failed":        "boxes, panels and cables that are out of order, or files that list them",
	"maps":          "files that say what others call boxes and ports",
	"strict":        "refuse what can only be guessed",
	"allow_unknown": "how many links may be unknown because no source sees them; -1 for any number",
	"do":            "list (all parts), show (one part or price set) or audit (what is not known about parts)",
	"id":            "part or price set to show, or part to audit",
	"kind": "list or audit only parts of this kind: node, switch, adapter, cable, optic, panel, rack, tray or " +
		"another",
}

// schema returns the JSON schema of the arguments of a tool, with their meanings. A test requires a meaning for every
// argument.
func schema[In any]() (*jsonschema.Schema, error) {
	s, err := jsonschema.For[In](nil)
	if err != nil {
		return nil, err
	}
	for name, p := range s.Properties {
		p.Description = meanings[name]
		if p.Items != nil { // a list; the generated type would allow null too
			p.Type, p.Types = "array", nil
		}
	}
	return s, nil
}

// planInput holds the arguments of the tool plan.
type planInput struct {
	Machine   string `json:"machine"`
	Summary   bool   `json:"summary,omitempty"`
	Effort    string `json:"effort,omitempty"`
	Objective string `json:"objective,omitempty"`
	Estimate  bool   `json:"estimate,omitempty"`
	Output    string `json:"output,omitempty"`
}

func (in *planInput) arguments(s *server) ([]string, error) {
	l := s.command("plan")
	l.switched("summary", in.Summary)
	l.flag("effort", in.Effort)
	l.flag("objective", in.Objective)
	l.switched("estimate", in.Estimate)
	if in.Estimate && strings.HasPrefix(strings.TrimSpace(in.Machine), "{") {
		l.operands = append(l.operands, in.Machine)
	} else {
		l.file("machine", in.Machine)
	}
	if !in.Estimate || in.Output != "" {
		l.output(in.Output)
	}
	return l.end()
}

// compareInput holds the arguments of the tool compare.
type compareInput struct {
	Machines []string `json:"machines"`
	Fabric   string   `json:"fabric,omitempty"`
	Equal    []string `json:"equal,omitempty"`
	Accepted []string `json:"accepted,omitempty"`
	Output   string   `json:"output,omitempty"`
}

func (in *compareInput) arguments(s *server) ([]string, error) {
	l := s.command("compare")
	l.flag("fabric", in.Fabric)
	l.flags("equal", in.Equal)
	l.flags("accepted", in.Accepted)
	for i, m := range in.Machines {
		l.file(fmt.Sprintf("machines[%d]", i), m)
	}
	l.output(in.Output)
	return l.end()
}

// explainInput holds the arguments of the tool explain.
type explainInput struct {
	What   string `json:"what"`
	Plan   string `json:"plan,omitempty"`
	Fabric string `json:"fabric,omitempty"`
}

func (in *explainInput) arguments(s *server) ([]string, error) {
	l := s.command("explain")
	l.flag("fabric", in.Fabric)
	if in.Plan != "" {
		l.file("plan", in.Plan)
	}
	l.operands = append(l.operands, in.What)
	return l.end()
}

// searchInput holds the arguments of the tool search.
type searchInput struct {
	File   string `json:"file"`
	Output string `json:"output,omitempty"`
}

func (in *searchInput) arguments(s *server) ([]string, error) {
	l := s.command("search")
	l.guarded = true
	l.flag("engine", sweep.Local) // no jobs are submitted, even if the file says so
	l.file("file", in.File)
	l.output(in.Output)
	return l.end()
}

// verifyInput holds the arguments of the tool verify.
type verifyInput struct {
	Plan         string   `json:"plan"`
	Sources      []string `json:"sources,omitempty"`
	Fabric       string   `json:"fabric,omitempty"`
	Failed       []string `json:"failed,omitempty"`
	Maps         []string `json:"maps,omitempty"`
	Strict       bool     `json:"strict,omitempty"`
	AllowUnknown int64    `json:"allow_unknown,omitempty"` // 0 for none, -1 for any number
}

func (in *verifyInput) arguments(s *server) ([]string, error) {
	l := s.command("verify")
	l.flag("fabric", in.Fabric)
	for i, f := range in.Failed {
		l.inside(fmt.Sprintf("failed[%d]", i), f)
	}
	l.flags("failed", in.Failed)
	for i, f := range in.Maps {
		l.inside(fmt.Sprintf("maps[%d]", i), f)
	}
	l.flags("map", in.Maps)
	l.switched("strict", in.Strict)
	l.flag("allow-unknown", strconv.FormatInt(in.AllowUnknown, 10))
	l.file("plan", in.Plan)
	for i, f := range in.Sources {
		l.file(fmt.Sprintf("sources[%d]", i), f)
	}
	return l.end()
}

// catalogInput holds the arguments of the tool catalog.
type catalogInput struct {
	Do   string `json:"do"`
	ID   string `json:"id,omitempty"`
	Kind string `json:"kind,omitempty"`
}

func (in *catalogInput) arguments(s *server) ([]string, error) {
	switch {
	case in.Do != "list" && in.Do != "show" && in.Do != "audit":
		return nil, fmt.Errorf("do: expected list, show or audit, not %q", in.Do)
	case in.Do == "show" && in.ID == "":
		return nil, errors.New("id: name the part or price set to show")
	}
	l := s.command("catalog", in.Do)
	l.flag("kind", in.Kind)
	if in.ID != "" {
		l.operands = append(l.operands, in.ID)
	}
	return l.end()
}
