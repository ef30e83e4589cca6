package catalog

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// Limits that keep a hostile or broken file from taking memory and time.
const (
	mostOfferBytes    = 16 << 20 // of the file
	mostOfferUnzipped = 64 << 20 // of what a workbook unpacks to
	mostOfferRows     = 100_000
	mostOfferCell     = 10_000 // bytes of a cell
	mostHeaderRow     = 20     // rows among which the header is looked for
)

// tableForm is what a table has to look like.
type tableForm struct {
	columns map[string][]string // the known columns, with the words that stand for them
	key     []string            // columns that every such table has: a row that names them is the header
	needed  []string            // columns that may not be missing from the header
	others  bool                // other columns are passed over
	// second is what a heading means beside another that means the same as it: the column that both would be, and the
	// one that it is.
	second map[string][2]string
	list   string // all columns, for messages
	// What to say of a file without a header, and of one with nothing below it.
	headless, empty string
}

// tableReader reads a table from CSV or a workbook, row by row.
type tableReader struct {
	form   tableForm
	take   func(row)   // reads a row below the header
	taken  func() bool // reports whether any was
	file   string
	found  diag.List
	column map[string]int // of every known column; nil before the header
	rows   int            // seen, blank ones left out
	// serial reads the number in a date cell of a workbook; nil for a text.
	serial func(float64) (time.Time, error)
	// semicolons says that semicolons part the fields: in countries where they
	// do, a point may mark thousands.
	semicolons bool
}

// row is one row of a table.
type row struct {
	cells []string
	place func(column int) diag.Position
}

// at is a place in a text.
func (r *tableReader) at(line, column int) diag.Position {
	return diag.Position{File: r.file, Line: line, Column: column}
}

// csv reads a text.
func (r *tableReader) csv(data []byte) {
	var wrong *diag.Diagnostic
	data, err := io.ReadAll(csvtable.Text(r.file, bytes.NewReader(data)))
	if errors.As(err, &wrong) {
		r.found.Add(*wrong)
		return
	}
	c := csvtable.NewReader(r.file, bytes.NewReader(data))
	c.Comma = separator(data)
	r.semicolons = c.Comma == ';'
	c.ReuseRecord = true
	for {
		record, err := c.Read()
		if err == io.EOF {
			break
		}
		if errors.As(err, &wrong) {
			r.found.Add(*wrong)
			if r.found.Full() {
				return
			}
			continue
		}
		if err != nil {
			r.found.Addf(r.at(1, 1), "%v", err)
			return
		}
		place := func(column int) diag.Position { return c.Place(record, column) }
		if !r.row(row{record, place}) {
			break
		}
	}
	r.end()
}

// separator is the most frequent separator of the header line: the first that
// speaks of a part.
func separator(data []byte) rune {
	line := []byte(nil)
	rest := data
	for i := 0; i < mostHeaderRow && len(rest) > 0; i++ {
		var l []byte
		l, rest, _ = bytes.Cut(rest, []byte("\n"))
		if line == nil || bytes.Contains(bytes.ToLower(l), []byte("part")) {
			line = l
		}
		if bytes.Contains(bytes.ToLower(l), []byte("part")) {
			break
		}
	}
	best, most := ',', 0
	for _, c := range ",;\t" {
		if n := bytes.Count(line, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}

// workbook reads the first sheet that has a header.
func (r *tableReader) workbook(data []byte) {
	// The library reads hostile files beyond its care in places.
	defer func() {
		if p := recover(); p != nil {
			r.found.Addf(r.at(1, 1), "the workbook cannot be read: %v", p)
		}
	}()
	f, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{
		UnzipSizeLimit: mostOfferUnzipped, UnzipXMLSizeLimit: mostOfferUnzipped, RawCellValue: true,
	})
	if err != nil {
		r.found.Addf(r.at(1, 1), "the workbook cannot be read: %v", err)
		return
	}
	defer f.Close()
	props, err := f.GetWorkbookProps()
	epoch := err == nil && props.Date1904 != nil && *props.Date1904
	r.serial = func(n float64) (time.Time, error) { return excelize.ExcelDateToTime(n, epoch) }
	for _, sheet := range f.GetSheetList() {
		if !r.sheet(f, sheet) || r.column != nil {
			break
		}
		r.rows = 0
	}
	r.end()
}

// sheet reads a sheet, up to the row where it is sure to have no header. It
// reports whether to go on with the next.
func (r *tableReader) sheet(f *excelize.File, name string) bool {
	rows, err := f.Rows(name)
	if err != nil {
		return true // a chart
	}
	defer rows.Close()
	for n := 1; rows.Next(); n++ {
		place := func(column int) diag.Position {
			return diag.Position{File: r.file, Sheet: name, Line: n, Column: column + 1}
		}
		if n > excelize.TotalRows { // a row may be numbered beyond any sheet, and the library counts up to it
			r.found.Addf(diag.Position{File: r.file, Sheet: name}, "sheet %s: more than %d rows", name,
				excelize.TotalRows)
			return false
		}
		cells, err := rows.Columns()
		if err != nil {
			r.found.Addf(place(0), "%v", err)
			return false
		}
		if !r.row(row{cells, place}) {
			return false
		}
		if r.column == nil && r.rows >= mostHeaderRow {
			return true
		}
	}
	if err := rows.Error(); err != nil {
		r.found.Addf(diag.Position{File: r.file, Sheet: name, Line: 1, Column: 1}, "%v", err)
	}
	return true
}

// end reports what a whole file lacks.
func (r *tableReader) end() {
	if r.column == nil && len(r.found) == 0 {
		r.found.Addf(r.at(1, 1), "%s", r.form.headless)
	} else if !r.taken() && len(r.found) == 0 {
		r.found.Addf(r.at(1, 1), "%s", r.form.empty)
	}
}

// row reads one row. It reports whether to go on.
func (r *tableReader) row(in row) bool {
	if !slices.ContainsFunc(in.cells, func(c string) bool { return strings.TrimSpace(c) != "" }) {
		return true
	}
	r.rows++
	long := slices.IndexFunc(in.cells, func(c string) bool { return len(c) > mostOfferCell })
	switch {
	case long >= 0:
		r.found.Addf(in.place(long), "a text of %d bytes; at most %d are read", len(in.cells[long]), mostOfferCell)
		return !r.found.Full()
	case len(in.cells) > csvtable.MostColumns:
		r.found.Addf(in.place(0), "more than %d columns", csvtable.MostColumns)
		return false
	case r.rows > mostOfferRows:
		r.found.Addf(in.place(0), "more than %d rows", mostOfferRows)
		return false
	case r.column != nil:
		r.take(in)
		return !r.found.Full()
	case r.isHeader(in.cells):
		r.header(in)
		return true
	}
	return r.rows < mostHeaderRow || r.serial != nil
}

var gaps = lazyregexp.New(`[\s_-]+`)

// wordOf is a heading as the words of columns are written.
func wordOf(heading string) string {
	return gaps.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "_")
}

// columnOf finds the column that a heading names, or "".
func (f *tableForm) columnOf(heading string) string {
	word := wordOf(heading)
	for name, words := range f.columns {
		if slices.Contains(words, word) {
			return name
		}
	}
	return ""
}

// isHeader reports whether a row names the columns that no such table is without.
func (r *tableReader) isHeader(cells []string) bool {
	var found []string
	for _, c := range cells {
		found = append(found, r.form.columnOf(c))
	}
	return !slices.ContainsFunc(r.form.key, func(name string) bool { return !slices.Contains(found, name) })
}

func (r *tableReader) header(in row) {
	r.column = map[string]int{}
	times := map[string]int{}
	for _, heading := range in.cells {
		times[r.form.columnOf(heading)]++
	}
	for i, heading := range in.cells {
		if strings.TrimSpace(heading) == "" {
			continue
		}
		name := r.form.columnOf(heading)
		if s := r.form.second[wordOf(heading)]; s[0] == name && times[name] > 1 {
			name = s[1]
		}
		if _, again := r.column[name]; name != "" && again {
			r.found.Addf(in.place(i), "the column %s comes twice", name)
		} else if name != "" {
			r.column[name] = i
		} else if !r.form.others {
			r.found.Addf(in.place(i), "unknown column %q\n%s", clip(heading), r.form.near(heading))
		}
	}
	for _, name := range r.form.needed {
		if _, ok := r.column[name]; !ok {
			r.found.Addf(in.place(0), "the column %s is missing", name)
		}
	}
}

func (f *tableForm) near(heading string) string {
	var words []string
	for name := range f.columns {
		words = append(words, name)
	}
	return cmp.Or(diag.Suggest(heading, words, ""), "there are "+f.list)
}

// cells returns a function that returns the trimmed text of a row in a known column, and its place. The text is ""
// where the file has no such column or the row is shorter; the place is then another cell of the row.
func (r *tableReader) cells(in row) func(column string) (string, diag.Position) {
	return func(column string) (string, diag.Position) {
		i, ok := r.column[column]
		if !ok || i >= len(in.cells) {
			return "", in.place(max(0, min(i, len(in.cells)-1)))
		}
		return strings.TrimSpace(in.cells[i]), in.place(i)
	}
}

// item reads the part of a row, of a cable with the length, which may have a column of its own.
func (r *tableReader) item(cell func(string) (string, diag.Position)) Item {
	text, place := cell("part")
	item, _ := ParseItem(text)
	item.Part = strings.TrimSpace(item.Part)
	_, length, hasLength := strings.Cut(text, itemSeparator)
	if item.Part == "" {
		r.found.Addf(place, "no part")
	}
	if column, where := cell("length"); column != "" {
		if hasLength {
			r.found.Addf(where, "the part has a length already")
		}
		item.Length, _ = parseItemLength(column)
		length, hasLength, place = column, true, where
	}
	if hasLength && item.Length == 0 {
		r.found.Addf(place, "%q is not the length of a cable", clip(length))
	}
	return item
}

// read reads a whole file.
func (r *tableReader) read(data []byte) {
	switch {
	case len(data) > mostOfferBytes:
		r.found.Addf(r.at(1, 1), "the file is larger than %d MiB", mostOfferBytes>>20)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		r.workbook(data)
	default:
		r.csv(data)
	}
}

// loadTable reads a file up to one byte beyond mostOfferBytes, by which read sees that it is too large.
func loadTable(path string) ([]byte, error) {
	f, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostOfferBytes+1))
}

// clip shortens a text for a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}
