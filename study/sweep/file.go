package sweep

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/topology/measure"
)

// File is a sweep file. Its tags drive the reader and the schema alike.
type File struct {
	Name        string    `yaml:"name,omitempty"`
	Description string    `yaml:"description,omitempty"`
	Machine     yaml.Node `yaml:"machine"`
	Axes        []Axis    `yaml:"axes"`
	Sample      *Sample   `yaml:"sample,omitempty"`
	Repeats     int       `yaml:"repeats,omitempty" jsonschema:"minimum=1" most:"1000000"`
	Seed        *uint64   `yaml:"seed,omitempty"`
	Seeds       []string  `yaml:"seeds,omitempty"`
	Measure     []string  `yaml:"measure,omitempty"`
	Equal       Equal     `yaml:"equal,omitempty"`
	Plan        Plan      `yaml:"plan,omitempty"`
	Metrics     Metrics   `yaml:"metrics,omitempty"`
	Packets     Packets   `yaml:"packets,omitempty"`
	Shard       int       `yaml:"points_per_shard,omitempty" jsonschema:"minimum=1" most:"1000000"`
	Engine      string    `yaml:"engine,omitempty"`
	Slurm       Slurm     `yaml:"slurm,omitempty"`
}

// Equal is what all points are planned with in place of what their machines say.
type Equal = spec.Equal

// Axis is a field, or some that change together, with the values that it takes: a list, or a range of numbers.
type Axis struct {
	Field  []string    `yaml:"field"`
	Name   []string    `yaml:"name,omitempty"`
	Values []yaml.Node `yaml:"values,omitempty"`
	Labels []string    `yaml:"labels,omitempty"`
	From   *float64    `yaml:"from,omitempty" signed:"true"`
	To     *float64    `yaml:"to,omitempty" signed:"true"`
	Step   *float64    `yaml:"step,omitempty"`
	Count  int         `yaml:"count,omitempty" jsonschema:"minimum=2" most:"1000000"`
	Scale  string      `yaml:"scale,omitempty" jsonschema:"enum=linear,enum=log"`
	Unit   string      `yaml:"unit,omitempty"`
	Whole  bool        `yaml:"whole,omitempty"`
}

// Sample draws points at random in place of the grid of all values.
type Sample struct {
	Points int    `yaml:"points" jsonschema:"minimum=1" most:"10000000"`
	Seed   uint64 `yaml:"seed,omitempty"`
}

// Slurm says how a cluster runs the study. Texts are handed to sbatch as they are.
type Slurm struct {
	Partition  string   `yaml:"partition,omitempty"`
	Account    string   `yaml:"account,omitempty"`
	QOS        string   `yaml:"qos,omitempty"`
	Constraint string   `yaml:"constraint,omitempty"`
	Time       string   `yaml:"time,omitempty"`
	Memory     string   `yaml:"memory,omitempty"`
	CPUs       int      `yaml:"cpus,omitempty" jsonschema:"minimum=1" most:"100000"`
	Tasks      int      `yaml:"tasks,omitempty" jsonschema:"minimum=1" most:"1000000"`
	AtOnce     int      `yaml:"at_once,omitempty" jsonschema:"minimum=1" most:"1000000"`
	Modules    []string `yaml:"modules,omitempty"`
	Setup      []string `yaml:"setup,omitempty"`
	Options    []string `yaml:"options,omitempty"`
	Program    string   `yaml:"program,omitempty"`
}

// The engines.
const (
	Local       = "local" // the cores of this machine
	SlurmEngine = "slurm" // a job array
)

// Engines lists the values of engine.
func Engines() []string { return []string{Local, SlurmEngine} }

// What is measured at a point.
const (
	MeasurePlan     = "plan"
	MeasureEstimate = "estimate"
	MeasureMetrics  = "metrics"
	MeasurePackets  = "packets"
)

// Measures lists the values of measure, in the order of their columns. Each is also what the names of its columns begin
// with, and the name of the section with its options, if it has any.
func Measures() []string {
	return []string{MeasurePlan, MeasureEstimate, MeasureMetrics, MeasurePackets}
}

// options are the sections of a sweep file that axes may change: those of what is measured.
type options struct {
	Plan    Plan    `yaml:"plan,omitempty"`
	Metrics Metrics `yaml:"metrics,omitempty"`
	Packets Packets `yaml:"packets,omitempty"`
}

// language is that of sweep files.
var language = strictyaml.Language{
	Empty:  "it needs a machine and axes; docs/sweep.md has some to start from",
	Second: "a sweep file is a single document: remove what begins with this ---",
	Enum: func(of reflect.Type, key string) []string {
		if of.PkgPath() != reflect.TypeFor[File]().PkgPath() {
			return nil
		}
		return wordsOf()[of.Name()+"."+key]
	},
}

// wordsOf lists the valid words of text, by the type that has the field and its key.
func wordsOf() map[string][]string {
	var metrics []string
	for _, m := range measure.AllMetrics() {
		metrics = append(metrics, string(m))
	}
	return map[string][]string{
		"File.measure": Measures(), "File.engine": Engines(), "Metrics.figures": metrics,
		"Packets.switching": packet.Switchings(), "Packets.arbiter": packet.Arbiters(),
		"Packets.select": packet.Selections(), "Packets.like": packet.Readings(),
	}
}

// Load reads a sweep file and the machine that it names: a study. The error is a diag.List with every mistake of the
// sweep file, and of the machine file with the values of the axes in it.
func Load(path string) (*Study, error) {
	data, err := readLimited(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse is Load of a file that was read, whose path is name. Relative paths in it are from its directory; a machine
// that is not there may be one of the examples.
func Parse(name string, data []byte) (*Study, error) {
	s := &Study{path: name, text: data}
	doc, root := language.Parse(name, data)
	if root == nil {
		return nil, doc.Err()
	}
	s.doc = language.Decode(doc, root, &s.File)
	if syntax := doc.Mistakes(); len(syntax) > 0 {
		return nil, append(syntax, s.doc.Mistakes()...)
	}
	s.options = optionsOf(root)
	return s.prepare()
}

// optionsOf is the mapping of the sections with options of what is measured.
func optionsOf(root *yaml.Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: root.Line, Column: root.Column}
	if root.Kind != yaml.MappingNode {
		return out
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if slices.Contains(Measures(), root.Content[i].Value) {
			out.Content = append(out.Content, root.Content[i], root.Content[i+1])
		}
	}
	return out
}

// readLimited reads a file up to one byte more than strictyaml.MaxFile, which lets the reader refuse larger files.
func readLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, strictyaml.MaxFile+1))
}

// base reads the machine that the sweep file names, or that is a section of it.
func (s *Study) base() (*spec.Draft, error) {
	n := &s.Machine
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.MappingNode {
		return spec.SectionDraft(s.path, s.text, n), nil
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		return nil, errors.New("expected the name of a machine file, or a machine with its sections")
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
			return nil, fmt.Errorf("%s is neither a file beside the sweep file nor an example", n.Value)
		}
		path, err = name, nil
	}
	if err != nil {
		return nil, err
	}
	return spec.ParseDraft(path, data)
}
