package spec

import (
	_ "embed"
	"reflect"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/topology"
)

//go:embed fields.txt
var fieldsText string

// descriptions say what each field is for, by the name of the type that has it and
// its key: "Box.place".
var descriptions = Descriptions(fieldsText)

// Descriptions reads names of fields, each with its description in indented
// lines below.
func Descriptions(text string) map[string]string {
	out := map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		words := strings.TrimSpace(line)
		switch {
		case words == "" || strings.HasPrefix(line, "#"):
		case words != strings.TrimRight(line, "\n"): // indented
			out[name] = strings.TrimPrefix(out[name]+" "+words, " ")
		default:
			name = words
		}
	}
	return out
}

// described is what a field of a type is for: of a topology's parameter, what it is in each family that takes it.
func described(t reflect.Type, f *strictyaml.Field) string {
	if t == topologyType || t == localType {
		return parameter(f.Key)
	}
	return descriptions[t.Name()+"."+f.Key]
}

// common says what the keys are for that a topology of any family takes.
var common = map[string]string{
	"family": "The family of topologies. plenum topology list describes each with its parameters.",
	"ports_per_node": "How many times the ports that the family gives a node. Once when left out. attach says where " +
		"they lead.",
	"attach": "Where the ports of a node lead: spread puts them on different switches of one network, rails gives " +
		"each a network of its own, port after port, planes in turn. spread when left out.",
	"capacity": "Capacity of the links of a level, by its name, in units of the rate of a port. 1 when left out, but " +
		"for the upper levels of a bundled clex.",
}

// parameter is what a key of a topology is for.
func parameter(key string) string {
	if text := common[key]; text != "" {
		return text
	}
	var texts []string
	families := map[string][]string{}
	for _, f := range topology.Families() {
		for _, p := range f.Params {
			if p.Name != key {
				continue
			}
			if families[p.Doc] == nil {
				texts = append(texts, p.Doc)
			}
			families[p.Doc] = append(families[p.Doc], f.Name)
		}
	}
	for i, text := range texts {
		texts[i] = english.List(families[text]) + ": " + text + "."
	}
	return strings.Join(texts, " ")
}
