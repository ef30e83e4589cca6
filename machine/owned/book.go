package owned

import (
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/units"
)

// Sheets of a workbook that say what exists.
const (
	BoxesSheet  = "Boxes"
	CablesSheet = "Cables" // "Cables 2" and so on go on with it
	PartsSheet  = "BOM"
)

// Limits that keep a hostile or broken workbook from taking memory and time.
const (
	mostBookBytes    = 256 << 20 // of the file
	mostBookUnzipped = 512 << 20 // of what it unpacks to, some 300,000 cables
	mostSheetInRAM   = 32 << 20  // a sheet that unpacks to more is read from a temporary file
	mostBookColumns  = 256
	mostBookText     = 32767 // bytes of a cell; spreadsheets hold as many characters
)

// Book is what a workbook says of what exists.
type Book struct {
	Boxes  []Box
	Cables []Cable
	Parts  []Part

	path string
	at   map[string]int // columns of the sheet of boxes
}

// OnSheet has mistakes in the table that Machine.Places made of the boxes tell the cells of the workbook.
func (b *Book) OnSheet(err error, places string) error {
	var found diag.List
	if !errors.As(err, &found) {
		return err
	}
	lines := strings.Split(places, "\n")
	for i := range found {
		pos := &found[i].Pos
		column := placeColumns[0]
		if n := pos.Line - 1; n >= 0 && n < len(lines) {
			in := csvtable.NewReader(places, strings.NewReader(lines[n]))
			if row, err := in.Read(); err == nil {
				for k := range min(len(row), len(placeColumns)) {
					_, at := in.FieldPos(k)
					if utf8.RuneCountInString(lines[n][:at-1])+1 <= pos.Column {
						column = placeColumns[k]
					}
				}
			}
		}
		*pos = diag.Position{File: b.path, Sheet: BoxesSheet, Line: pos.Line, Column: b.at[column] + 1}
	}
	return found
}

// ReadBook reads the workbook of a plan, as edited: its sheets Boxes, Cables and BOM. A row that was deleted, or that a
// column owned does not mark, is of what is not there; cables plugged into boxes that are listed and not marked are not
// there either. Pieces of cables are those on the sheet Cables, with the spares of the sheet BOM; of all other parts,
// quantity and spares of the sheet BOM, or the number in its column owned. The error is a diag.List, or that of
// reading.
func ReadBook(path string) (*Book, error) {
	f, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBook(path, io.LimitReader(f, mostBookBytes+1), mostBookUnzipped)
}

// readBook reads a workbook that unpacks to so many bytes at the most.
func readBook(path string, in io.Reader, most int64) (out *Book, err error) {
	r := &bookReader{
		Book: Book{path: path}, listed: map[string]bool{}, laid: map[catalog.Item]int64{},
		first: map[catalog.Item]diag.Position{}, ids: map[string]bool{}, linked: map[string]bool{},
		taken: map[string]diag.Position{},
	}
	// The library reads hostile files beyond its care in places.
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, diag.List{*diag.Position{File: path}.Errorf("the workbook cannot be read: %v", p)}
		}
	}()
	f, err := excelize.OpenReader(in, excelize.Options{
		UnzipSizeLimit: most, UnzipXMLSizeLimit: min(most, mostSheetInRAM), RawCellValue: true,
	})
	if err != nil {
		return nil, diag.List{*diag.Position{File: path}.Errorf("the workbook cannot be read: %v\n"+
			"save it as .xlsx; of a large machine, name placement, cables and parts", err)}
	}
	defer f.Close()
	r.f = f
	r.boxes()
	r.cables()
	r.parts()
	if err := r.found.Err(); err != nil {
		return nil, err
	}
	return &r.Book, nil
}

// bookReader reads a workbook.
type bookReader struct {
	Book
	f      *excelize.File
	found  diag.List
	listed map[string]bool // boxes on their sheet, whether they are there
	laid   map[catalog.Item]int64
	first  map[catalog.Item]diag.Position // where a cable is named first
	ids    map[string]bool                // of cables that were counted
	linked map[string]bool                // numbers of links that were read
	taken  map[string]diag.Position       // ports, by box and name
	open   link
}

// link is a link while its rows are read.
type link struct {
	number string
	ends   [2]diag.Position // of the names of its boxes
	parts  []laidPart
}

// laidPart is the product of a cable, with the id of the cable, "" if the sheet has none.
type laidPart struct {
	Part
	id string
}

// sheet opens a sheet, whose first row names columns: some that it must have, and others that it may have.
func (r *bookReader) sheet(name string, needed []string, others ...string) (*table, func()) {
	if !slices.Contains(r.f.GetSheetList(), name) {
		r.found.Addf(diag.Position{File: r.path}, "there is no sheet %s\n%s", name,
			diag.Suggest(name, r.f.GetSheetList(), "there are "))
		return nil, nil
	}
	rows, err := r.f.Rows(name)
	if err != nil {
		r.found.Addf(diag.Position{File: r.path}, "sheet %s: %v", name, err)
		return nil, nil
	}
	closing := func() { rows.Close() }
	line := 0
	t := &table{found: &r.found, text: func(field string) string { return field }}
	t.place = func(column int) diag.Position {
		return diag.Position{File: r.path, Sheet: name, Line: line, Column: column + 1}
	}
	t.read = func() ([]string, error) {
		if !rows.Next() {
			if err := rows.Error(); err != nil {
				return nil, err
			}
			return nil, io.EOF
		}
		line++
		cells, err := rows.Columns()
		if err != nil {
			return nil, err
		}
		if len(cells) > mostBookColumns {
			return nil, t.place(mostBookColumns).Errorf("more than %d columns", mostBookColumns)
		}
		if i := slices.IndexFunc(cells, func(c string) bool { return len(c) > mostBookText }); i >= 0 {
			return nil, t.place(i).Errorf("a text of %d bytes; at most %d are read", len(cells[i]), mostBookText)
		}
		return cells, nil
	}
	if !t.next() {
		if !r.found.Full() && line == 0 {
			r.found.Addf(diag.Position{File: r.path}, "the sheet %s is empty", name)
		}
		closing()
		return nil, nil
	}
	before := len(r.found)
	t.header(needed)
	t.misspelt(slices.Concat(needed, others, []string{ownedColumn}))
	if len(r.found) > before {
		closing()
		return nil, nil
	}
	return t, closing
}

// misspelt reports columns that come twice, and those whose name is nearly one that is read.
func (t *table) misspelt(known []string) {
	seen := map[string]bool{}
	for i, name := range t.row {
		name = strings.ToLower(strings.TrimSpace(name))
		if slices.Contains(known, name) && seen[name] {
			t.found.Addf(t.place(i), "the column %s comes twice", name)
		}
		seen[name] = true
	}
	for i, name := range t.row {
		name = strings.ToLower(strings.TrimSpace(name))
		if near, ok := diag.Closest(name, known); ok && !slices.Contains(known, name) && !seen[near] &&
			!strings.Contains(name, near) && !strings.Contains(near, name) {
			t.found.Addf(t.place(i), "unknown column %q\n%s", name, diag.DidYouMean(near))
		}
	}
}

// boxReads are the other columns that the sheet of boxes may have.
var boxReads = []string{"cell", "unit", "face", "address", nameColumn, "lock"}

// boxes reads where boxes stand.
func (r *bookReader) boxes() {
	t, end := r.sheet(BoxesSheet, boxColumns, boxReads...)
	if t == nil {
		return
	}
	defer end()
	r.at = t.at
	r.Boxes = t.boxes(func(name string, is bool) {
		if _, twice := r.listed[name]; twice {
			t.fail("label", "there are two boxes called %q", name)
		}
		r.listed[name] = is
	})
}

// cableSheets names the sheets of cables.
var cableSheets = regexp.MustCompile(`^` + CablesSheet + `( \d+)?$`)

// cables reads which cable is in which port.
func (r *bookReader) cables() {
	names := slices.DeleteFunc(r.f.GetSheetList(), func(name string) bool { return !cableSheets.MatchString(name) })
	if len(names) == 0 {
		names = []string{CablesSheet}
	}
	var all links
	for _, name := range names {
		t, end := r.sheet(name, cableColumns, "cable_id", "level", "product", "stock_length_m", "link", "leg")
		if t == nil {
			continue
		}
		for t.next() {
			if t.marked() {
				r.cable(t, &all)
			}
		}
		end()
	}
	r.close(&all)
	r.Cables = all.cables
}

// cable reads a row of the cables.
func (r *bookReader) cable(t *table, all *links) {
	before := len(r.found)
	if !slices.ContainsFunc(cableColumns, func(column string) bool { return t.get(column) != "" }) {
		t.fail("a_device", "no box and no port: %s", clip(t.get("cable_id"))) // a sheet of a summary says why
		return
	}
	for _, column := range cableColumns {
		if t.get(column) == "" {
			t.fail(column, "nothing is named; write a box and a port, or delete the row")
		}
	}
	part := r.product(t)
	if len(r.found) > before {
		return
	}
	for _, end := range []string{"a", "b"} {
		at := t.where(end + "_port")
		key := t.get(end+"_device") + "\n" + t.get(end+"_port")
		if old, twice := r.taken[key]; twice {
			t.fail(end+"_port", "port %s of %s is taken: a cable is plugged into it in %s", t.get(end+"_port"),
				t.get(end+"_device"), old.Place())
		}
		r.taken[key] = at
	}
	number := t.get("link")
	if number == "" || number != r.open.number {
		r.close(all)
		if number != "" && r.linked[number] {
			t.fail("link", "the rows of link %s stand apart\nsort the sheet by link", number)
		}
		r.linked[number] = true
		r.open = link{number: number, ends: [2]diag.Position{t.where("a_device"), {}}}
	}
	r.open.ends[1] = t.where("b_device")
	t.cable(all)
	if part.Item.Part != "" {
		r.open.parts = append(r.open.parts, laidPart{part, t.get("cable_id")})
	}
}

// product reads which product a cable is, in which length.
func (r *bookReader) product(t *table) Part {
	text := t.get("product")
	if text == "" {
		return Part{}
	}
	item, err := catalog.ParseItem(text)
	if err != nil {
		t.fail("product", "%v", err)
		return Part{}
	}
	if l := t.get("stock_length_m"); l != "" {
		v, err := strconv.ParseFloat(l, 64)
		switch length := units.Length(v); {
		case err != nil || !(v > 0 && v < 1e6):
			t.fail("stock_length_m", "%q is not the length of a cable in metres", clip(l))
		case item.Length == 0:
			t.fail("product", "the product has no length\nwrite %s", catalog.Item{Part: item.Part, Length: length})
		case length.Round4() != item.Length.Round4():
			t.fail("stock_length_m", "%v, but the product is %s\nwrite the same length in %s", length, item,
				t.where("product").Place())
		}
	}
	return Part{Item: item, Pos: t.where("product")}
}

// close checks the link whose rows were read: both of its ends are boxes, over however many panels. One at a box that
// is not there is left out.
func (r *bookReader) close(all *links) {
	if len(r.open.parts) == 0 && r.open.ends[0].Line == 0 {
		return
	}
	last := &all.cables[len(all.cables)-1]
	there := true
	for i, name := range last.Box {
		is, listed := r.listed[name]
		if !listed && len(r.listed) > 0 {
			r.found.Addf(r.open.ends[i], "there is no box %q on the sheet %s\n%s", clip(name), BoxesSheet, r.near(name))
		}
		there = there && is
	}
	if there {
		for _, p := range r.open.parts {
			if p.id != "" && r.ids[p.id] {
				continue // a cable with several links
			}
			r.ids[p.id] = true
			r.laid[p.Item]++
			if _, ok := r.first[p.Item]; !ok {
				r.first[p.Item] = p.Pos
			}
		}
	} else {
		all.cables, all.link, all.id = all.cables[:len(all.cables)-1], "", ""
	}
	r.open = link{}
}

// mostCompared is how many names are compared with a misspelt one.
const mostCompared = 1 << 14

// near says what to do about a cable whose box is not listed.
func (r *bookReader) near(name string) string {
	if len(r.listed) <= mostCompared {
		if near, ok := diag.Closest(name, slices.Sorted(maps.Keys(r.listed))); ok {
			return diag.DidYouMean(near)
		}
	}
	return "delete the cables of boxes that are not there"
}

// Rows of the sheet of parts that are totals, behind which are remarks.
var totals = []string{"Total", "Network", "Grand total"}

// parts reads what there is of each part. Of cables those count that lie, and spares.
func (r *bookReader) parts() {
	t, end := r.sheet(PartsSheet, partColumns, "kind", "spares")
	if t == nil {
		return
	}
	defer end()
	behind := false
	for t.next() {
		if slices.Contains(totals, t.get("part")) {
			behind = true
			continue
		}
		if behind && t.get("quantity") == "" {
			continue
		}
		if p, ok := t.part(); ok {
			r.part(t, p)
		}
	}
	for _, item := range slices.SortedFunc(maps.Keys(r.laid), catalog.Item.Compare) {
		r.Parts = append(r.Parts, Part{Item: item, Quantity: r.laid[item], Pos: r.first[item]})
	}
}

// part adds a row of the bill.
func (r *bookReader) part(t *table, p Part) {
	kind := catalog.Kind(t.get("kind"))
	cable := kind == catalog.KindCable || p.Item.Length > 0 && kind != catalog.KindHose
	all := t.pieces("quantity") + t.pieces("spares")
	if t.get("quantity") == "" {
		t.fail("quantity", "no quantity")
	}
	_, counted := t.at[ownedColumn]
	is, marks := csvtable.Mark(t.get(ownedColumn))
	switch n, err := strconv.ParseInt(t.get(ownedColumn), 10, 64); {
	case counted && err == nil:
		all = t.pieces(ownedColumn)
		if n < r.laid[p.Item] {
			t.fail(ownedColumn, "%d are fewer than the %d that lie on the sheet %s", n, r.laid[p.Item], CablesSheet)
		}
		all -= r.laid[p.Item]
	case counted && !marks:
		t.fail(ownedColumn, "%q is not a number of pieces", clip(t.get(ownedColumn)))
	case counted && !is:
		all = 0
	case cable:
		all = t.pieces("spares")
	}
	if p.Quantity = all; all > 0 {
		r.Parts = append(r.Parts, p)
	}
}

// clip shortens a text for a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}
