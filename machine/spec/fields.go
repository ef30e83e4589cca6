package spec

import (
	"reflect"
	"slices"
	"sync"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/layout/drawing"
	"github.com/plenum-planner/plenum/topology"
	_ "github.com/plenum-planner/plenum/topology/clusters" // registers its families
)

// What the types of Spec and their tags ask of a file: the reader and the
// schema both follow it.

// wordsOf lists the valid words of text, by the type that has the field and its
// key. Where there are two or three they stand in the tag.
var wordsOf = map[string][]string{
	"Box.place":           {InRack, EndOfRow, MiddleOfRow, NetworkRow},
	"RackTemplate.place":  {InRack, EndOfRow, MiddleOfRow, NetworkRow},
	"Boxes.place":         {InRack, EndOfRow, MiddleOfRow, NetworkRow},
	"Cabling.route":       {Direct, Manhattan, Tray},
	"Cabling.manager":     {string(cabling.Nearest), string(cabling.Left), string(cabling.Right)},
	"Delay.length":        {Routed, Stocked},
	"Drawing.unit":        drawing.UnitNames(),
	"Embedding.effort":    Efforts(),
	"Embedding.fill":      Fills(),
	"Embedding.objective": Objectives(),
	"Prices.model":        cost.ModelNames(),
}

// fieldWords lists the valid words of a field of a type of this package.
func fieldWords(of reflect.Type, key string) []string {
	if of.PkgPath() != reflect.TypeFor[Spec]().PkgPath() {
		return nil
	}
	return wordsOf[of.Name()+"."+key]
}

// families are the words for topology.family.
func families() []string {
	var names []string
	for _, f := range topology.Families() {
		names = append(names, f.Name)
	}
	return names
}

// topologyType is read and described by the parameters of all families, as those that are
// taken depend on the family.
var topologyType = reflect.TypeFor[topology.Spec]()

// localType is read as a topology section without a key for local networks.
var localType = reflect.TypeFor[topology.Local]()

// localFields lists the keys of the section of a local network.
func localFields() []strictyaml.Field {
	return slices.DeleteFunc(slices.Clone(topologyFields()), func(f strictyaml.Field) bool {
		return f.Type == reflect.PointerTo(localType)
	})
}

// topologyFields lists the keys of a topology section. Asking all families takes as long as reading a small file.
var topologyFields = sync.OnceValue(func() []strictyaml.Field {
	out := []strictyaml.Field{{
		Key: "family", Type: reflect.TypeFor[string](), Required: true, Rule: strictyaml.Rule{Enum: families()},
	}}
	for _, k := range topology.Keys() {
		out = append(out, strictyaml.Field{Key: k.Name, Type: k.Type})
	}
	for _, k := range topology.CommonKeys() {
		f := strictyaml.Field{Key: k.Name, Type: k.Type}
		if k.Type.Kind() == reflect.String {
			f.Rule.Enum = topology.Attachments()
		}
		out = append(out, f)
	}
	return out
})

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}
