package spec

import (
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
)

// InStore is pieces of a part in stock, or a file that lists some, whose name may stand alone.
type InStore struct {
	// Part is an id, of a cable with the length: "id@3 m".
	Part     string `yaml:"part,omitempty" json:"part,omitempty"`
	Quantity int    `yaml:"quantity,omitempty" json:"quantity,omitempty" most:"1000000000"`
	File     string `yaml:"file,omitempty" json:"file,omitempty"`
}

// Written has the name of a file read as such.
func (s *InStore) Written(tag string) (target any, take func()) {
	if tag != "!!str" {
		return nil, nil
	}
	return &s.File, func() {}
}

// checkStock checks how what is in stock is written.
func (s *Spec) checkStock(report Reporter) {
	for i := range s.Stock {
		in, path := &s.Stock[i], diag.Elem("stock", i)
		switch {
		case in.File != "" && (in.Part != "" || in.Quantity != 0):
			report(path, "names a file and a part\nwrite two entries")
		case in.File != "":
		case in.Part == "":
			report(path, "no part and no file\nwrite {part: id, quantity: 10}, or the name of a file")
		case in.Quantity == 0:
			report(path, "no quantity\nwrite {part: %s, quantity: 10}", in.Part)
		default:
			_, err := catalog.ParseItem(in.Part)
			for _, e := range diag.Fields(err) {
				report(path+".part", "%s\n%s", e.Message, e.Suggestion)
			}
		}
	}
}
