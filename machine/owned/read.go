package owned

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/units"
)

// mostRows bounds the rows of a table.
const mostRows = 40_000_000

// table is a table whose columns are found by name.
type table struct {
	name  string
	in    *csv.Reader
	at    map[string]int
	row   []string
	found diag.List
	rows  int
}

// open reads the header of a table, which must have some columns.
func open(path string, needed ...string) (*table, io.Closer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		f.Close()
		return nil, nil, fmt.Errorf("%s is not a regular file", path)
	}
	t := &table{name: path, in: csv.NewReader(f), at: map[string]int{}}
	t.in.FieldsPerRecord, t.in.ReuseRecord, t.in.LazyQuotes = -1, true, true
	header, err := t.in.Read()
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: the first line does not name columns: %w", path, err)
	}
	for i, name := range header {
		t.at[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))] = i
	}
	for _, name := range needed {
		if _, ok := t.at[name]; !ok {
			t.found.Addf(diag.Position{File: path, Line: 1, Column: 1}, "there is no column %s", name)
		}
	}
	if err := t.found.Err(); err != nil {
		f.Close()
		return nil, nil, err
	}
	return t, f, nil
}

// next reads a row that is not empty.
func (t *table) next() bool {
	for !t.found.Full() && t.rows < mostRows {
		row, err := t.in.Read()
		if errors.Is(err, io.EOF) {
			return false
		}
		if err != nil {
			t.found.Addf(diag.Position{File: t.name, Line: t.rows + 2, Column: 1}, "%v", err)
			return false
		}
		t.rows++
		t.row = row
		if len(row) > 1 || strings.TrimSpace(row[0]) != "" {
			return true
		}
	}
	return false
}

// get is the value of a column, "" where there is none.
func (t *table) get(column string) string {
	i, ok := t.at[column]
	if !ok || i >= len(t.row) {
		return ""
	}
	return csvtable.Unguard(strings.TrimSpace(t.row[i]))
}

// fail reports a mistake in the value of a column.
func (t *table) fail(column, format string, args ...any) {
	line, at := t.in.FieldPos(min(t.at[column], len(t.row)-1))
	t.found.Addf(diag.Position{File: t.name, Line: line, Column: at}, format, args...)
}

// Box is a box that exists.
type Box struct {
	Name, Address, Kind         string
	Container, Cell, Unit, Face string
	Line                        int
}

// ReadBoxes reads where boxes stand: a table as placement.csv. The error is a diag.List, or that of reading.
func ReadBoxes(path string) ([]Box, error) {
	t, f, err := open(path, "label", "kind", "container")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Box
	for t.next() {
		b := Box{
			Name: t.get("label"), Address: t.get("address"), Kind: t.get("kind"), Container: t.get("container"),
			Cell: t.get("cell"),
			Unit: t.get("unit"), Face: t.get("face"),
		}
		b.Line, _ = t.in.FieldPos(0)
		if b.Name == "" {
			t.fail("label", "no label")
			continue
		}
		b.Address = cmp.Or(b.Address, b.Name)
		out = append(out, b)
	}
	return out, t.found.Err()
}

// Cable is a link of a cable that exists, from box to box, over panels or not.
type Cable struct {
	Level       string
	Box, Port   [2]string
	Part        string
	Length      units.Length
	shared, via bool // carries several links; runs over panels
}

// ReadCables reads what is plugged in where: a table as cables.csv. The error is a diag.List, or that of reading.
func ReadCables(path string) ([]Cable, error) {
	t, f, err := open(path, "a_device", "a_port", "b_device", "b_port")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Cable
	link, id := "", ""
	for t.next() {
		c := Cable{
			Level: t.get("level"), Box: [2]string{t.get("a_device"), t.get("b_device")},
			Port: [2]string{t.get("a_port"), t.get("b_port")}, Part: t.get("product"),
		}
		for i, column := range []string{"a_device", "b_device"} {
			if c.Box[i] == "" {
				t.fail(column, "no box")
			}
		}
		item, err := catalog.ParseItem(c.Part)
		if err == nil && c.Part != "" {
			c.Part, c.Length = item.Part, item.Length
		}
		if n := t.get("link"); n != "" && n == link { // over panels: cord, trunk, cord
			last := &out[len(out)-1]
			last.Box[1], last.Port[1], last.via = c.Box[1], c.Port[1], true
			continue
		}
		if n := t.get("cable_id"); n != "" {
			if c.shared = n == id; c.shared {
				out[len(out)-1].shared = true
			}
			id = n
		}
		c.shared = c.shared || t.get("leg") != "" && t.get("leg") != "1"
		link = t.get("link")
		out = append(out, c)
	}
	return out, t.found.Err()
}

// Pieces counts cables that carry one link from box to box, by product.
func Pieces(cables []Cable) map[catalog.Item]int64 {
	out := map[catalog.Item]int64{}
	for i := range cables {
		if k := &cables[i]; k.Part != "" && !k.shared && !k.via {
			out[catalog.Item{Part: k.Part, Length: k.Length}]++
		}
	}
	return out
}

// Part is pieces that exist.
type Part struct {
	Item     catalog.Item
	Quantity int64
	Pos      diag.Position
}

// ReadParts reads what there is of each part: a table as bom.csv, whose pieces and spares count, without its lines of
// work and surcharges. The error is a diag.List, or that of reading.
func ReadParts(path string) ([]Part, error) {
	t, f, err := open(path, "part", "quantity")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Part
	for t.next() {
		kind := catalog.Kind(t.get("kind"))
		if t.get("part") == "" || slices.Contains([]catalog.Kind{
			catalog.KindLabour, catalog.KindFreight,
			catalog.KindContingency,
		}, kind) {
			continue // totals, work and surcharges
		}
		item, err := catalog.ParseItem(t.get("part"))
		if err != nil {
			t.fail("part", "%v", err)
			continue
		}
		p := Part{Item: item}
		for _, column := range []string{"quantity", "spares"} {
			text := t.get(column)
			n, err := strconv.ParseInt(text, 10, 64)
			if text != "" && (err != nil || n < 0 || n > catalog.MostStocked) {
				t.fail(column, "%q is not a number of pieces", text)
			}
			p.Quantity += n
		}
		line, at := t.in.FieldPos(0)
		p.Pos = diag.Position{File: path, Line: line, Column: at}
		out = append(out, p)
	}
	return out, t.found.Err()
}

// numbered is a name whose numbers are without leading zeros, so that names compare as their numbers do.
func numbered(name string) string {
	var b strings.Builder
	digits := false
	for i := range len(name) {
		c := name[i]
		next := i+1 < len(name) && name[i+1] >= '0' && name[i+1] <= '9'
		if c == '0' && !digits && next {
			continue
		}
		digits = c >= '0' && c <= '9'
		b.WriteByte(c)
	}
	return b.String()
}
