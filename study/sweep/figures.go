package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology/measure"
)

// column is a cell of a row: its name, and its value as JSON.
type column struct{ name, value string }

// figures are the cells that a measure adds to a row, with its name before theirs.
type figures struct {
	prefix string
	cells  []column
}

// one adds a figure.
func (f *figures) one(name, value string) {
	f.cells = append(f.cells, column{f.prefix + "." + name, value})
}

// unlike names what differs from run to run, or from version to version, and is not a figure.
var unlike = []string{"wall_s", "version"}

// add adds the numbers and truth values of a document under the names that it has in docs/reference/json.md; those
// inside others are joined by a dot. Lists and texts are left out, but for the currency.
func (f *figures) add(document any) error {
	data, err := json.Marshal(document)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(err, errors.New("sweep: a document that is not an object"))
	}
	return f.object(d, "")
}

// object adds the figures of an object, whose opening brace was read.
func (f *figures) object(d *json.Decoder, path string) error {
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name := path + key.(string)
		value, err := d.Token()
		if err != nil {
			return err
		}
		switch v := value.(type) {
		case json.Delim:
			if v == '{' {
				err = f.object(d, name+".")
			} else {
				err = skip(d)
			}
		case json.Number:
			if !slices.Contains(unlike, name) {
				f.one(name, v.String())
			}
		case bool:
			f.one(name, map[bool]string{false: "false", true: "true"}[v])
		case string:
			if name == "currency" {
				f.one(name, quoteJSON(v))
			}
		}
		if err != nil {
			return err
		}
	}
	_, err := d.Token() // the closing brace
	return err
}

// skip reads to the end of a list.
func skip(d *json.Decoder) error {
	for depth := 1; depth > 0; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		if mark, ok := t.(json.Delim); ok {
			if strings.ContainsRune("[{", rune(mark)) {
				depth++
			} else {
				depth--
			}
		}
	}
	return nil
}

// plan adds the figures of a plan, without making the lists that add would skip, and how often it breaks design rules
// of severity error.
func (f *figures) plan(p *machine.Result) error {
	r := *p.Report()
	fabrics := r.Fabrics
	r.Spec, r.BOM, r.Media, r.Lengths, r.Levels, r.LayoutLevels = nil, nil, nil, nil, nil, nil
	r.Violations, r.Notes, r.Fabrics, r.Boxes = nil, nil, nil, nil
	if r.Trays != nil {
		own := *r.Trays
		own.Segments = nil
		r.Trays = &own
	}
	if err := f.add(&r); err != nil {
		return err
	}
	f.one("breaches", strconv.Itoa(p.Violations.Errors()))
	for i := range fabrics {
		if err := f.under("fabrics."+fabrics[i].Name, &fabrics[i]); err != nil {
			return err
		}
	}
	return nil
}

// under adds a document under a name.
func (f *figures) under(name string, document any) error {
	inner := figures{prefix: f.prefix + "." + name}
	err := inner.add(document)
	f.cells = append(f.cells, inner.cells...)
	return err
}

// metrics adds those of a topology. Of failures there is one kind.
func (f *figures) metrics(m *measure.Metrics) error {
	if err := f.add(m); err != nil || len(m.Failures) == 0 {
		return err
	}
	return f.under("failures", m.Failures[0])
}
