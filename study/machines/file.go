package machines

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/sim/workload"
	"github.com/plenum-planner/plenum/study/ranking"
	"github.com/plenum-planner/plenum/study/sweep"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// File is a search file. Its tags drive the reader; fields.txt describes the fields for users. Throughput, Bisection
// (in ports of half of the nodes) and Rate (of the slowest port) are minimum values, Diameter, Delay (the mean between
// nodes) and Power maximum values; 0 sets no limit.
type File struct {
	Name        string           `yaml:"name,omitempty"`
	Description string           `yaml:"description,omitempty"`
	Machine     yaml.Node        `yaml:"machine"`
	Fabric      string           `yaml:"fabric,omitempty" letters:"64"`
	Nodes       Range            `yaml:"nodes,omitempty"`
	Families    []string         `yaml:"families,omitempty"`
	SwitchPorts []int            `yaml:"switch_ports,omitempty" jsonschema:"minimum=1" most:"65535"`
	Switches    []string         `yaml:"switches,omitempty"`
	Diameter    int              `yaml:"diameter,omitempty" jsonschema:"minimum=1" most:"1000000"`
	Capacity    map[string][]int `yaml:"capacity,omitempty"`
	Throughput  Throughput       `yaml:"throughput,omitempty"`
	Load        float64          `yaml:"load,omitempty" most:"1"`
	Bisection   float64          `yaml:"bisection,omitempty" most:"1000"`
	Rate        units.Rate       `yaml:"rate,omitempty"`
	Delay       units.Time       `yaml:"delay,omitempty"`
	Power       units.Power      `yaml:"power,omitempty"`
	Objective   Objective        `yaml:"objective,omitempty"`
	Workload    Workload         `yaml:"workload,omitempty"`
	Equal       Equal            `yaml:"equal,omitempty"`
	Engine      string           `yaml:"engine,omitempty"`
	Slurm       sweep.Slurm      `yaml:"slurm,omitempty"`
}

// Equal has values with which all candidates are planned, in place of those of the machine.
type Equal struct {
	Hop *units.Time `yaml:"hop,omitempty"` // hop delay of every router; nil for that of its part
}

// Workload is a job that is simulated on every machine.
type Workload struct {
	// File is the description of a training job, the trace of a rank or the name of a job that comes along.
	File         string `yaml:"file"`
	Groups       string `yaml:"groups,omitempty"` // the ranks of the process groups of traces
	RanksPerNode int    `yaml:"ranks_per_node,omitempty" jsonschema:"minimum=1" most:"4096"`
}

// Throughput has the minimum throughput of a network, as shares of what the ports of its nodes can send; 0 for no
// minimum.
type Throughput struct {
	Uniform float64 `yaml:"uniform,omitempty" most:"1"`
	Worst   float64 `yaml:"worst,omitempty" most:"1"`
}

// Range is a number of nodes, or a range like 1000..1200.
type Range string

// ends returns the first and the last number of the range; a single number is both.
func (r Range) ends() (from, to int, err error) {
	low, high, ranged := strings.Cut(string(r), "..")
	if !ranged {
		high = low
	}
	from, errLow := strconv.Atoi(strings.TrimSpace(low))
	to, errHigh := strconv.Atoi(strings.TrimSpace(high))
	switch {
	case errLow != nil || errHigh != nil:
		return 0, 0, fmt.Errorf("%q is neither a number of nodes nor a range like 1000..1200", string(r))
	case from < 1 || to > topology.MaxVertices:
		return 0, 0, fmt.Errorf("must be from 1 to %d nodes", topology.MaxVertices)
	case from > to:
		return 0, 0, fmt.Errorf("the range ends at %d, before it begins at %d", to, from)
	}
	return from, to, nil
}

// language is that of search files.
var language = strictyaml.Language{
	Empty:    "it needs a machine and nodes; docs/search.md has one to start from",
	Second:   "a search file is a single document: remove what begins with this ---",
	Numerals: []reflect.Type{reflect.TypeFor[Range]()},
	Enum: func(of reflect.Type, key string) []string {
		switch {
		case of != reflect.TypeFor[File]():
			return nil
		case key == "families":
			return searchable()
		case key == "objective":
			return Objectives()
		case key == "engine":
			return sweep.Engines()
		}
		return nil
	},
}

// searchable lists the families whose members Plenum can enumerate by size.
func searchable() []string {
	var out []string
	for _, f := range topology.Families() {
		if f.Sizes != nil {
			out = append(out, f.Name)
		}
	}
	return out
}

// Search is a search file without errors, and its machine.
type Search struct {
	File
	MinNodes, MaxNodes int

	path  string
	text  []byte // of the whole file
	doc   *strictyaml.Document
	draft *spec.Draft
	root  *yaml.Node // of the machine, without aliases
	given *yaml.Node // the search file

	partPorts []int    // of each of Switches
	boxNames  []string // the kinds of boxes of a machine of several fabrics

	player *ranking.Player // nil without a workload
	// workloadFiles are those that the workload was read from.
	workloadFiles []string

	leastStep float64 // lower bound, in seconds, on a step of the workload on any machine
	tokens    float64 // number of tokens of a step of a training job
}

// Load reads a search file and the machine that it names. The error is a diag.List with every mistake of both.
func Load(path string) (*Search, error) {
	data, err := readLimited(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads the text of a search file, as Load does. name is its path: the machine file that it names is in the same
// directory.
func Parse(name string, data []byte) (*Search, error) {
	s := &Search{path: name, text: data}
	doc, root := language.Parse(name, data)
	if root == nil {
		return nil, doc.Err()
	}
	s.doc, s.given = language.Decode(doc, root, &s.File), root
	if syntax := doc.Mistakes(); len(syntax) > 0 {
		return nil, append(syntax, s.doc.Mistakes()...)
	}
	var wrong diag.FieldErrors
	s.check(&wrong)
	err := s.readWorkload(&wrong)
	var inWorkload diag.List
	if err != nil && !errors.As(err, &inWorkload) {
		wrong.Add("workload.file", "%v", err)
	}
	var inMachine diag.List
	draft, err := s.base()
	switch {
	case err == nil:
		s.draft, s.root = draft, plain(draft.Root())
		errors.As(s.checkMachine(&wrong), &inMachine)
		s.checkSwitches(&wrong)
		if len(wrong) == 0 && len(inMachine) == 0 && s.Nodes == "" {
			s.countEnds(&wrong)
		}
	case !errors.As(err, &inMachine):
		wrong.Add("machine", "%v", err)
	}
	for _, e := range wrong {
		s.doc.Report(e.Path, e)
	}
	if list := append(append(s.doc.Mistakes(), inWorkload...), inMachine...); len(list) > 0 {
		return nil, list
	}
	return s, nil
}

// check adds errors in the meaning of the file to wrong, and fills in defaults.
func (s *Search) check(wrong *diag.FieldErrors) {
	if s.Nodes != "" {
		var err error
		if s.MinNodes, s.MaxNodes, err = s.Nodes.ends(); err != nil {
			wrong.Add("nodes", "%v", err)
		}
	} else if s.Fabric == "" {
		wrong.Add("nodes", "missing\nwrite a number of nodes or a range like 1000..1200")
	}
	for i, f := range s.Families {
		if slices.Contains(s.Families[:i], f) {
			wrong.Add(diag.Elem("families", i), "%s is there already", f)
		}
	}
	if len(s.Families) == 0 {
		s.Families = searchable()
	}
	if s.Engine == "" {
		s.Engine = sweep.Local
	}
	if hop := s.Equal.Hop; hop != nil && (*hop < 0 || *hop > 1e9) {
		wrong.Add("equal.hop", "must be from 0 to 1 s, not %v", *hop)
	}
	s.Slurm.Check(wrong)
	for i, n := range s.SwitchPorts {
		if slices.Contains(s.SwitchPorts[:i], n) {
			wrong.Add(diag.Elem("switch_ports", i), "%d is there already", n)
		}
	}
	s.checkCapacity(wrong)
	switch w := s.Objective.Weights; {
	case s.Objective.Name == "":
		s.Objective.Name = Money
	case w != nil && *w == Weights{}:
		wrong.Add("objective", "no figure has a weight above 0\n"+
			"give one, like {money: 1, delay: 20000}, or write one of %s", strings.Join(Objectives(), ", "))
	}
}

// checkCapacity adds errors in the capacities that levels may have to wrong. It does not check the names of levels,
// which are those of candidates.
func (s *Search) checkCapacity(wrong *diag.FieldErrors) {
	for _, level := range slices.Sorted(maps.Keys(s.Capacity)) {
		at, choices := diag.Key("capacity", level), s.Capacity[level]
		if len(choices) == 0 {
			wrong.Add(at, "is empty\nlist the capacities that are tried, such as [1, 2, 4]")
		}
		for i, n := range choices {
			switch {
			case n < 1 || n > topology.MaxCapacity:
				wrong.Add(diag.Elem(at, i), "must be from 1 to %d times the rate of a port, not %d",
					topology.MaxCapacity, n)
			case slices.Contains(choices[:i], n):
				wrong.Add(diag.Elem(at, i), "%d is there already", n)
			}
		}
	}
}

// readWorkload reads the workload, and adds errors about objectives that need one, or do not go with it, to wrong. The
// error is that of its files.
func (s *Search) readWorkload(wrong *diag.FieldErrors) error {
	w, asked := s.Workload, s.Objective.Name
	if w.File == "" {
		if w != (Workload{}) {
			wrong.Add("workload", "file is missing: the description of a training job, a trace or the name of a job")
		} else if asked == StepTime || asked == MoneyPerTokens {
			wrong.Add("objective", "%s needs a workload\nadd workload: {file: job.yaml}", asked)
		}
		return nil
	}
	beside := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(filepath.Dir(s.path), path)
	}
	file := beside(w.File)
	if slices.Contains(workload.Presets(), w.File) {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			file = w.File
		}
	}
	groups := beside(w.Groups)
	if groups != "" && !workload.IsTrace(file) {
		wrong.Add("workload.groups", "goes with traces (NAME.0.et, NAME.0.json) only")
		groups = ""
	}
	var err error
	if s.workloadFiles, err = workload.Files(file, groups); err != nil {
		return err
	}
	job, err := workload.Read(file, groups)
	if err != nil {
		return err
	}
	s.player = &ranking.Player{Workload: job, RanksPerNode: cmp.Or(w.RanksPerNode, 1)}
	s.leastStep = s.player.LeastSeconds()
	switch {
	case job.Job != nil:
		s.tokens = float64(job.Job.Tokens())
	case asked == MoneyPerTokens:
		wrong.Add("objective", "traces do not tell tokens\nwrite %s, or describe the training job", StepTime)
	}
	if n := s.player.Nodes(); s.MaxNodes > 0 && n > s.MaxNodes {
		wrong.Add("nodes", "the %d ranks of the workload take %d nodes\nask for more nodes, or state "+
			"workload.ranks_per_node", job.Schedule.Ranks(), n)
	}
	return nil
}

// PlayedWorkload returns the workload that is simulated on every machine, nil for none.
func (s *Search) PlayedWorkload() *workload.Workload {
	if s.player == nil {
		return nil
	}
	return s.player.Workload
}

// countEnds sets MinNodes and MaxNodes to the number of places that the ends of the fabric need, according to the
// machine file.
func (s *Search) countEnds(wrong *diag.FieldErrors) {
	g, _, err := machine.Topology(s.draft.Read(s.draft.Root()), s.Fabric)
	if err != nil {
		wrong.Add("nodes", "missing, and the machine does not tell how many places the ends of %s take: %s\n"+
			"write nodes: NUMBER, or mend the machine", s.Fabric, inWords(err))
		return
	}
	places := 0
	for _, k := range g.Kinds() {
		switch k.Role {
		case topology.Switch:
		case topology.Terminal:
			places += k.Count * k.Ports // every port has a place of its own in the topologies that are enumerated
		default:
			places += k.Count
		}
	}
	s.MinNodes, s.MaxNodes = max(places, 1), max(places, 1)
}

// checkMachine returns the errors in the machine that all candidates start from, and adds an error in the name of the
// fabric to inSearch. Errors that depend on a topology are found with the candidates.
func (s *Search) checkMachine(inSearch *diag.FieldErrors) error {
	given := s.draft.Read(s.draft.Root())
	var wrong diag.FieldErrors
	refuse := func(path string, there bool, why string) {
		if there {
			wrong.Add(path, "%s", why)
		}
	}
	for i := range given.Boxes {
		s.boxNames = append(s.boxNames, given.Boxes[i].Name)
	}
	fabric := slices.Index(given.FabricNames(), s.Fabric)
	if s.Fabric == "" {
		refuse("fabrics", len(given.Fabrics) > 0, "a search is for one topology, and each of "+
			english.List(given.FabricNames())+" has its own\nwrite fabric: NAME in the search file, such as fabric: "+
			strings.Join(given.FabricNames()[:min(1, len(given.Fabrics))], ""))
	} else if fabric < 0 {
		inSearch.Add("fabric", "%s", fabricMistake(given, s.Fabric))
	}
	refuse("boxes", len(given.Boxes) > 0 && len(given.Fabrics) == 0, "boxes go with fabrics, and a search is for one "+
		"topology\nremove them")
	refuse("owned", given.Owned != nil, "what exists has a topology already, and a search is for one\nremove it")
	if len(s.Switches) > 0 && fabric >= 0 {
		for _, key := range slices.Sorted(maps.Keys(given.Fabrics[fabric].Switches)) {
			refuse(diag.Key(diag.Elem("fabrics", fabric)+".switches", key)+".part",
				given.Fabrics[fabric].Switches[key].Part != "", "the search names the parts of the "+
					"switches\nremove this, or switches of the search")
		}
	}
	if len(s.Switches) > 0 {
		p := given.Packaging
		for i, b := range []*spec.Box{p.Switch, p.Leaf, p.Spine, p.Core} {
			refuse("packaging."+switchKinds[i]+".part", b != nil && b.Part != "", "the search names the parts of the "+
				"switches\nremove this, or switches of the search")
		}
	}
	refuse("packaging.kinds", len(given.Packaging.Kinds) > 0, "the kinds are those of one topology\nremove it")
	refuse("embedding.placement", given.Embedding.Placement != "", "the places are those of one topology\nremove it")
	refuse("racks", len(given.Racks) > 0, "templates of racks hold the boxes of one topology\nremove them")
	refuse("embedding.racks", len(given.Embedding.Racks) > 0, "the places are those of one topology\nremove it")
	return given.Locate(wrong)
}

// fabricMistake returns the message that a machine has no fabric of a name, with what to write.
func fabricMistake(given *spec.Spec, name string) string {
	if len(given.Fabrics) == 0 {
		return "the machine has one topology and no fabrics\nremove fabric"
	}
	return fmt.Sprintf("the machine has no fabric %q\n%s", name,
		diag.Suggest(name, given.FabricNames(), "its fabrics are "))
}

// checkSwitches adds errors about the parts of switches, of the catalog or of the machine, to wrong, and reads their
// numbers of ports.
func (s *Search) checkSwitches(wrong *diag.FieldErrors) {
	if len(s.Switches) > 0 && len(s.SwitchPorts) > 0 {
		wrong.Add("switch_ports", "the parts in switches say how many ports there are\nremove one of the two")
	}
	parts, err := catalog.Default().With(s.draft.Read(s.draft.Root()).Parts)
	if err != nil {
		return // reported with the machine
	}
	s.partPorts = make([]int, len(s.Switches))
	for i, id := range s.Switches {
		at := diag.Elem("switches", i)
		part := parts.Part(id)
		switch {
		case slices.Contains(s.Switches[:i], id):
			wrong.Add(at, "%s is there already", id)
		case part == nil:
			wrong.Add(at, "there is no switch %q in the catalog or the parts of the machine\n%s", id,
				parts.Suggest(id, catalog.KindSwitch))
		case part.Kind != catalog.KindSwitch:
			wrong.Add(at, "part %q is of kind %s, not %s", id, part.Kind, catalog.KindSwitch)
		default:
			s.partPorts[i] = part.PortCount()
		}
	}
}

// readLimited reads a file up to one byte more than strictyaml.MaxFile, which lets the reader refuse larger files.
func readLimited(path string) ([]byte, error) {
	f, err := infile.OpenArgument(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, strictyaml.MaxFile+1))
}

// base returns the machine file that the search file names, or the machine that is a section of it.
func (s *Search) base() (*spec.Draft, error) {
	n := &s.Machine
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.MappingNode {
		return spec.SectionDraft(s.path, s.text, n), nil
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		return nil, errors.New("expected the name of a machine file, or a machine with its sections but the topology")
	}
	path := n.Value
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(s.path), path)
	}
	data, err := readLimited(path)
	if errors.Is(err, fs.ErrNotExist) {
		var found error
		name := strings.TrimSuffix(n.Value, ".yaml") + ".yaml"
		if data, found = examples.Files.ReadFile(name); found != nil {
			return nil, fmt.Errorf("%s is neither a file beside the search file nor an example", n.Value)
		}
		path, err = name, nil
	}
	if err != nil {
		return nil, err
	}
	s.path = path // what the machine names stands beside it
	return spec.ParseDraft(path, data)
}

// plain returns a copy of a value without aliases, which are replaced by their values, and without comments.
func plain(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	own := *n
	own.Anchor, own.Content = "", nil
	for _, c := range n.Content {
		own.Content = append(own.Content, plain(c))
	}
	return &own
}
