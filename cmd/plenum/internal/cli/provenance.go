package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/provenance"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
)

// neutral are the flags that change no byte of a document, but for whether and where it is written: they are left out
// of the command line of its provenance.
var neutral = []string{"json", "output", "only", "jobs", "resume", "shard", "max-memory", "max-time", ColourFlag}

// written are flags that name files to write. Of them, the command line has the last element.
var written = []string{"chart", "data", "draw", "places", "save", "work-order"}

// Provenance is the record of the documents of a command, given the arguments of the program and those of the command
// that are not flags. Files that cannot be read are left out: the command says so.
func Provenance(cmd *cobra.Command, arguments, operands []string) provenance.Record {
	m := maker{Record: provenance.Program(), names: strings.Fields(cmd.CommandPath())}
	m.Command = m.commandLine(cmd.Flags(), arguments)
	if f := cmd.Flags(); len(operands) == 0 && m.names[len(m.names)-1] == "plan" && !f.Changed("check") &&
		!f.Changed("rules") {
		operands = []string{examples.Default}
	}
	for _, o := range operands {
		m.named(o)
	}
	for _, v := range m.values {
		m.file(v, shownPath(v))
	}
	if f := cmd.Flags().Lookup("seed"); f != nil {
		if seed, err := strconv.ParseUint(f.Value.String(), 10, 64); err == nil {
			m.Seeds = append([]provenance.Seed{{Of: "--seed", Seed: seed}}, m.Seeds...)
		}
	}
	return m.Record
}

// mostDocument bounds the size of documents that are asked for what made them.
const mostDocument = 256 << 20

// maker makes a record.
type maker struct {
	provenance.Record
	names  []string // of the program, of the command and of those that it is below
	values []string // of flags, which may be files
}

// commandLine is the command line, for a shell, as far as it decides what is written.
func (m *maker) commandLine(flags *pflag.FlagSet, arguments []string) string {
	line, names := []string{m.names[0]}, m.names[1:]
	for i := 0; i < len(arguments); i++ {
		a := arguments[i]
		switch {
		case a == "--":
			for _, rest := range arguments[i:] {
				line = append(line, quote(shown(rest)))
			}
			return strings.Join(line, " ")
		case len(a) > 1 && a[0] == '-':
			f, value, whole := flagOf(flags, a)
			if f == nil {
				continue
			}
			if !whole && f.NoOptDefVal == "" && i+1 < len(arguments) {
				i++
				value, whole = arguments[i], true
			}
			line = append(line, m.flag(f, value, whole)...)
		case len(names) > 0 && a == names[0]:
			line, names = append(line, a), names[1:]
		default:
			line = append(line, quote(shown(a)))
		}
	}
	return strings.Join(line, " ")
}

// flagOf finds the flag that an argument begins with, and its value where the argument has it.
func flagOf(flags *pflag.FlagSet, argument string) (f *pflag.Flag, value string, whole bool) {
	if name, long := strings.CutPrefix(argument, "--"); long {
		name, value, whole = strings.Cut(name, "=")
		return flags.Lookup(name), value, whole
	}
	if f = flags.ShorthandLookup(argument[1:2]); f != nil && f.NoOptDefVal == "" && len(argument) > 2 {
		return f, strings.TrimPrefix(argument[2:], "="), true
	}
	return f, "", false
}

// flag is a flag as the command line has it.
func (m *maker) flag(f *pflag.Flag, value string, whole bool) []string {
	switch {
	case slices.Contains(neutral, f.Name):
		return nil
	case !whole:
		return []string{"--" + f.Name}
	case slices.Contains(written, f.Name):
		value = filepath.Base(value)
	case f.NoOptDefVal != "":
		return []string{"--" + f.Name + "=" + quote(value)}
	default:
		m.values = append(m.values, value)
		if list := strings.Split(value, ","); len(list) > 1 {
			m.values = append(m.values, list...)
		}
	}
	return []string{"--" + f.Name, quote(shown(value))}
}

// inside finds absolute paths in a value, such as one of a list or of a topology.
var inside = regexp.MustCompile(`(^|[\s,=:"'\[{])/[^/\s,"'\]}][^\s,"'\]}]*`)

// shown is an argument without the directories of absolute paths.
func shown(value string) string {
	if filepath.IsAbs(value) {
		return filepath.Base(value)
	}
	return inside.ReplaceAllStringFunc(value, func(found string) string {
		at := strings.IndexByte(found, '/')
		return found[:at] + filepath.Base(found[at:])
	})
}

// shownPath is the path of a file as a record has it.
func shownPath(path string) string { return filepath.ToSlash(shown(path)) }

// plain are the arguments that no shell changes.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quote is an argument for a shell.
func quote(a string) string {
	if plain.MatchString(a) {
		return a
	}
	return "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
}

// named adds what an argument names: a file, the plan or the results in a directory, or an example. Of a topology it
// adds the seeds.
func (m *maker) named(argument string) {
	if m.file(argument, shownPath(argument)) {
		return
	}
	for _, name := range []string{"plan.json", "sweep.json"} {
		if path := filepath.Join(argument, name); m.file(path, shownPath(argument)+"/"+name) {
			return
		}
	}
	if strings.ContainsAny(argument, "{") {
		m.seeds("", []byte(argument))
		return
	}
	m.example(argument)
}

// example adds a machine that comes along.
func (m *maker) example(name string) {
	name = strings.TrimSuffix(name, ".yaml") + ".yaml"
	if text, err := examples.Files.ReadFile(name); err == nil && m.add(name, sha256.Sum256(text)) {
		m.text(name, name, text)
	}
}

// add adds a file; false where it is there already.
func (m *maker) add(name string, sum [sha256.Size]byte) bool {
	f := provenance.File{Name: name, SHA256: hex.EncodeToString(sum[:])}
	if slices.Contains(m.Files, f) {
		return false
	}
	m.Files = append(m.Files, f)
	return true
}

// file adds an ordinary file, and what it names or was made from. It reports whether the file is there.
func (m *maker) file(path, name string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // what is read from a pipe could not be read again
	}
	f, err := infile.OpenArgument(path)
	if err != nil {
		return false
	}
	defer f.Close()
	h := sha256.New()
	var text bytes.Buffer
	to := io.Writer(h)
	extension := strings.ToLower(filepath.Ext(path))
	switch extension {
	case ".yaml", ".yml":
		to = io.MultiWriter(h, &upTo{&text, spec.MaxSize})
	case ".json":
		to = io.MultiWriter(h, &upTo{&text, mostDocument})
	}
	if _, err := io.Copy(to, f); err != nil {
		return false
	}
	if !m.add(name, [sha256.Size]byte(h.Sum(nil))) {
		return true
	}
	if extension == ".json" {
		m.made(text.Bytes())
	} else if text.Len() > 0 {
		m.text(path, name, text.Bytes())
	}
	return true
}

// upTo keeps the first bytes of what is written, as many as left.
type upTo struct {
	*bytes.Buffer
	left int
}

func (u *upTo) Write(p []byte) (int, error) {
	n := min(u.left, len(p))
	u.left -= n
	u.Buffer.Write(p[:n])
	return len(p), nil
}

// made adds the files and seeds of what made a document of Plenum. Those of earlier versions do not say.
func (m *maker) made(document []byte) {
	var d struct {
		Provenance provenance.Record `json:"provenance"`
	}
	if json.Unmarshal(document, &d) != nil {
		return
	}
	for _, f := range d.Provenance.Files {
		if !slices.Contains(m.Files, f) {
			m.Files = append(m.Files, f)
		}
	}
	for _, s := range d.Provenance.Seeds {
		if !slices.Contains(m.Seeds, s) {
			m.Seeds = append(m.Seeds, s)
		}
	}
}

// text adds the seeds of a machine file, a sweep or a search, and the files that it names.
func (m *maker) text(path, name string, text []byte) {
	m.seeds(name+": ", text)
	var file struct {
		Machine yaml.Node `yaml:"machine"`
	}
	if bytes.Contains(text, []byte("machine:")) && yaml.Unmarshal(text, &file) == nil && file.Machine.Value != "" {
		beside := file.Machine.Value
		if !filepath.IsAbs(beside) {
			beside = filepath.Join(filepath.Dir(path), beside)
		}
		if !m.file(beside, shownPath(file.Machine.Value)) {
			m.example(file.Machine.Value)
		}
		return
	}
	s, _ := spec.Read(path, text)
	if s == nil {
		return
	}
	for _, in := range machine.Inputs(s) {
		m.file(in.Path, filepath.Base(in.Path))
	}
}

// seeds adds the seeds of a text in YAML, whose keys are called after a prefix.
func (m *maker) seeds(prefix string, text []byte) {
	var root yaml.Node
	if !bytes.Contains(text, []byte("seed")) || yaml.Unmarshal(text, &root) != nil {
		return
	}
	var walk func(path []string, n *yaml.Node)
	walk = func(path []string, n *yaml.Node) {
		switch n.Kind {
		case yaml.DocumentNode:
			for _, c := range n.Content {
				walk(path, c)
			}
		case yaml.SequenceNode:
			for i, c := range n.Content {
				walk(append(slices.Clone(path), strconv.Itoa(i)), c)
			}
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				key, value := n.Content[i].Value, n.Content[i+1]
				at := append(slices.Clone(path), key)
				if seed, err := strconv.ParseUint(value.Value, 0, 64); key == "seed" && err == nil {
					m.Seeds = append(m.Seeds, provenance.Seed{Of: prefix + strings.Join(at, "."), Seed: seed})
				}
				walk(at, value)
			}
		}
	}
	walk(nil, &root)
}
