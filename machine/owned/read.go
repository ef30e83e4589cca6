package owned

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/units"
)

// mostRows bounds the rows of a table.
const mostRows = 40_000_000

// table is a table whose columns are found by name.
type table struct {
	at    map[string]int // of the columns
	row   []string
	found *diag.List
	rows  int // that were read, blank ones as well
	// read reads a row, io.EOF after the last one. The row is good until the next is read.
	read  func() ([]string, error)
	place func(column int) diag.Position // in the row at hand
	text  func(field string) string      // what a field stands for
}

// open reads the header of a table in comma-separated values, which must have some columns.
func open(path string, needed ...string) (*table, io.Closer, error) {
	f, err := infile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	in := csvtable.NewReader(path, f)
	in.ReuseRecord, in.LazyQuotes = true, true
	t := &table{found: &diag.List{}, text: csvtable.Unguard}
	t.read = in.Read
	t.place = func(column int) diag.Position { return in.Place(t.row, column) }
	heads, err := in.Header(func(heads []string) bool { return csvtable.Has(heads, needed...) })
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: the first line does not name columns: %w", path, err)
	}
	t.row = heads
	t.header(needed)
	if err := t.found.Err(); err != nil {
		f.Close()
		return nil, nil, err
	}
	return t, f, nil
}

// header finds the columns in the row at hand.
func (t *table) header(needed []string) {
	t.at = map[string]int{}
	for i, name := range t.row {
		t.at[csvtable.Head(name)] = i
	}
	for _, name := range needed {
		if _, ok := t.at[name]; !ok {
			t.found.Addf(t.place(0), "there is no column %s", name)
		}
	}
}

// next reads a row that is not empty.
func (t *table) next() bool {
	for !t.found.Full() && t.rows < mostRows {
		row, err := t.read()
		if errors.Is(err, io.EOF) {
			return false
		}
		if wrong := (*diag.Diagnostic)(nil); errors.As(err, &wrong) {
			t.found.Add(*wrong)
			return false
		} else if err != nil {
			at := t.place(0)
			t.found.Addf(diag.Position{File: at.File, Sheet: at.Sheet}, "%v", err)
			return false
		}
		t.rows++
		t.row = row
		if slices.ContainsFunc(row, func(field string) bool { return strings.TrimSpace(field) != "" }) {
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
	return t.text(strings.TrimSpace(t.row[i]))
}

// where is the place of the value of a column, of one that is not there that of the row.
func (t *table) where(column string) diag.Position { return t.place(t.at[column]) }

// fail reports a mistake in the value of a column.
func (t *table) fail(column, format string, args ...any) {
	t.found.Addf(t.where(column), format, args...)
}

// Box is a box that exists.
type Box struct {
	Name, Address, Kind         string
	Container, Cell, Unit, Face string
	Pos                         diag.Position // of the name
}

// ReadBoxes reads where boxes stand: a table as placement.csv. Absent is the names of the boxes that the table lists
// and does not mark as there. The error is a diag.List, or that of reading.
func ReadBoxes(path string) (boxes []Box, absent []string, err error) {
	t, f, err := open(path, boxColumns...)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	boxes = t.boxes(func(name string, is bool) {
		if !is {
			absent = append(absent, name)
		}
	})
	return boxes, absent, t.found.Err()
}

// Columns that tables cannot do without.
var (
	boxColumns   = []string{"label", "kind", "container"}
	cableColumns = []string{"a_device", "a_port", "b_device", "b_port"}
	partColumns  = []string{"part", "quantity"}
)

// boxes reads the rows of a table of boxes. List receives the name of each, and whether it is there.
func (t *table) boxes(list func(name string, is bool)) []Box {
	var out []Box
	for t.next() {
		is := t.marked()
		if list(t.get("label"), is); !is {
			continue
		}
		b := Box{
			Name: t.get("label"), Address: t.get("address"), Kind: t.get("kind"), Container: t.get("container"),
			Cell: t.get("cell"), Unit: t.get("unit"), Face: t.get("face"), Pos: t.where("label"),
		}
		if b.Name == "" {
			t.fail("label", "no label")
			continue
		}
		b.Address = cmp.Or(b.Address, b.Name)
		out = append(out, b)
	}
	return out
}

// Cable is a link of a cable that exists, from box to box, over panels or not.
type Cable struct {
	Level       string
	Box, Port   [2]string
	Part        string
	Length      units.Length
	shared, via bool    // carries several links; runs over panels
	Over        []Piece // the cables of a link over panels

	row     diag.Position // where the cable stands
	columns [2][2]int32   // of the box and the port of both ends, in the row of each
	lines   [2]int32      // the rows of both ends
}

// Piece is a cord or trunk of a link over panels that exists.
type Piece struct {
	Ends   [2]PieceEnd
	Part   string
	Length units.Length
}

// PieceEnd is the port of a box or panel, with the rack and unit in which that stands.
type PieceEnd struct{ Box, Port, Rack, Unit string }

// at is where the box of an end stands, or its port.
func (c *Cable) at(end, column int) diag.Position {
	return diag.Position{
		File: c.row.File, Sheet: c.row.Sheet, Line: int(c.lines[end]), Column: int(c.columns[end][column]),
	}
}

// ReadCables reads which cable is in which port, from a table as cables.csv. The error is a diag.List, or that of
// reading.
func ReadCables(path string) ([]Cable, error) {
	t, f, err := open(path, cableColumns...)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out links
	for t.next() {
		if t.marked() {
			t.cable(&out)
		}
	}
	return out.cables, t.found.Err()
}

// links puts the rows of cables together.
type links struct {
	cables   []Cable
	link, id string // of the row before
	last     Piece
}

// cable reads a row of a table of cables.
func (t *table) cable(all *links) {
	c := Cable{
		Level: t.get("level"), Box: [2]string{t.get("a_device"), t.get("b_device")},
		Port: [2]string{t.get("a_port"), t.get("b_port")}, Part: t.get("product"),
	}
	for i, column := range []string{"a_device", "b_device"} {
		if c.Box[i] == "" {
			t.fail(column, "no box")
		}
	}
	for i, end := range []string{"a", "b"} {
		c.row = t.where(end + "_device")
		c.lines[i] = int32(c.row.Line)
		c.columns[i] = [2]int32{int32(c.row.Column), int32(t.where(end + "_port").Column)}
	}
	item, err := catalog.ParseItem(c.Part)
	if err == nil && c.Part != "" {
		c.Part, c.Length = item.Part, item.Length
	}
	piece, before := Piece{Part: c.Part, Length: c.Length}, all.last
	for i, end := range []string{"a", "b"} {
		piece.Ends[i] = PieceEnd{c.Box[i], c.Port[i], t.get(end + "_rack"), t.get(end + "_unit")}
	}
	all.last = piece
	if n := t.get("link"); n != "" && n == all.link { // over panels: cord, trunk, cord
		last := &all.cables[len(all.cables)-1]
		if last.Over == nil {
			last.Over = []Piece{before}
		}
		last.Over = append(last.Over, piece)
		last.Box[1], last.Port[1], last.via = c.Box[1], c.Port[1], true
		last.lines[1], last.columns[1] = c.lines[1], c.columns[1]
		return
	}
	if n := t.get("cable_id"); n != "" {
		if c.shared = n == all.id; c.shared {
			all.cables[len(all.cables)-1].shared = true
		}
		all.id = n
	}
	c.shared = c.shared || t.get("leg") != "" && t.get("leg") != "1"
	all.link = t.get("link")
	all.cables = append(all.cables, c)
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

// Cooled is a rack that a coolant distribution unit of a loop cools; Rack is empty for a unit without racks.
type Cooled struct{ Rack, Loop, CDU string }

// ReadCooling reads which units of which loops cool which racks: a table as cooling.csv. Racks without a unit are left
// out. The error is a diag.List, or that of reading.
func ReadCooling(path string) ([]Cooled, error) {
	t, f, err := open(path, "rack", "loop", "cdu")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Cooled
	for t.next() {
		if c := (Cooled{t.get("rack"), t.get("loop"), t.get("cdu")}); c.CDU != "" && t.marked() {
			out = append(out, c)
		}
	}
	return out, t.found.Err()
}

// Cord is an inlet of a box that is plugged into an outlet of a supply, or clipped to the busbar of its rack: PDU is
// catalog.Busbar then. Inlet and Outlet count from 1.
type Cord struct {
	Box    string
	Inlet  int
	PDU    string
	Outlet int
}

// ReadPower reads which inlets are plugged into which outlets: a table as power.csv. Boxes and inlets without an outlet
// are left out. The error is a diag.List, or that of reading.
func ReadPower(path string) ([]Cord, error) {
	t, f, err := open(path, "box", "inlet", "pdu", "outlet")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Cord
	for t.next() {
		if t.get("pdu") == "" || !t.marked() {
			continue
		}
		out = append(out, Cord{t.get("box"), t.number("inlet"), t.get("pdu"), t.number("outlet")})
	}
	return out, t.found.Err()
}

// number reads the number of an inlet or outlet, 0 after a mistake.
func (t *table) number(column string) int {
	n, err := strconv.Atoi(t.get(column))
	if err != nil || n < 1 {
		t.fail(column, "%q is not the number of an %s\nnumbers count from 1", t.get(column), column)
		return 0
	}
	return n
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
	t, f, err := open(path, partColumns...)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Part
	for t.next() {
		if p, ok := t.part(); ok {
			p.Quantity = t.pieces("quantity") + t.pieces("spares")
			out = append(out, p)
		}
	}
	return out, t.found.Err()
}

// part reads the part of a row of a bill, but not how many there are. It reports whether the row is of one: not if it
// is of work, a surcharge or a total.
func (t *table) part() (Part, bool) {
	work := []catalog.Kind{catalog.KindLabour, catalog.KindFreight, catalog.KindContingency}
	if t.get("part") == "" || slices.Contains(work, catalog.Kind(t.get("kind"))) {
		return Part{}, false
	}
	item, err := catalog.ParseItem(t.get("part"))
	if err != nil {
		t.fail("part", "%v", err)
	}
	return Part{Item: item, Pos: t.where("part")}, err == nil
}

// pieces reads a number of pieces, 0 where none is given.
func (t *table) pieces(column string) int64 {
	text := t.get(column)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > catalog.MostStocked {
		t.fail(column, "%q is not a number of pieces", text)
		return 0
	}
	return n
}

// ownedColumn marks what is there, in a table that lists other things too.
const ownedColumn = "owned"

// marked reports whether the thing of a row is there: all are where no column marks them.
func (t *table) marked() bool {
	if _, ok := t.at[ownedColumn]; !ok {
		return true
	}
	is, ok := csvtable.Mark(t.get(ownedColumn))
	if !ok {
		t.fail(ownedColumn, "%q is not a mark\nwrite yes or no", t.get(ownedColumn))
	}
	return is
}
