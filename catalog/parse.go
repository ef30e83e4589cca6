package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
)

// file is the shape of a catalog file. Either list may be left out.
type file struct {
	Parts     []Part     `yaml:"parts"`
	PriceSets []PriceSet `yaml:"price_sets"`
}

// Parse reads a catalog file: a mapping with the lists parts and price_sets. The
// error joins one error for every mistake, each "file:line:column: message".
// Keys must be known and unique. Parse judges the form only; New checks what
// the figures say.
func Parse(data []byte, name string) ([]Part, []PriceSet, error) {
	if len(strings.TrimSpace(string(data))) == 0 {
		return nil, nil, fmt.Errorf("%s:1:1: the file is empty", name)
	}
	var f file
	err := yaml.Load(data, &f, yaml.WithKnownFields())
	if err == nil {
		return f.Parts, f.PriceSets, nil
	}
	var many *yaml.LoadErrors
	if errors.As(err, &many) && len(many.Errors) > 0 {
		var errs []error
		for _, e := range many.Errors {
			errs = append(errs, locate(e, name))
		}
		return nil, nil, errors.Join(errs...)
	}
	var one *yaml.LoadError
	if errors.As(err, &one) {
		return nil, nil, locate(one, name)
	}
	return nil, nil, fmt.Errorf("%s:1:1: %w", name, err)
}

var unknownField = regexp.MustCompile(`^field (.*) not found in type catalog\.(\w+)$`)

// locate words a decoding error. The decoder knows no position for a few faults
// of explicit tags; those are put at the start of the file.
func locate(e *yaml.LoadError, name string) error {
	message := e.Message
	if m := unknownField.FindStringSubmatch(message); m != nil {
		message = fmt.Sprintf("unknown key %q", m[1])
		if near, ok := diag.Closest(m[1], keys[m[2]]); ok {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
	}
	return fmt.Errorf("%s:%d:%d: %s", name, cmp.Or(e.Mark.Line, 1), cmp.Or(e.Mark.Column, 1), message)
}

// keys are the known keys of every mapping in a catalog file, by type name.
var keys = keysOf(file{}, Part{}, PortGroup{}, Cable{}, FarEnd{}, Optic{}, Panel{}, RackSpec{}, PriceSet{}, Price{}, Spread{}, LabourRates{})

func keysOf(values ...any) map[string][]string {
	known := make(map[string][]string)
	for _, v := range values {
		t := reflect.TypeOf(v)
		for i := range t.NumField() {
			key, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
			known[t.Name()] = append(known[t.Name()], key)
		}
	}
	return known
}
