package catalog

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// Limits that keep a hostile or broken file from taking memory and time.
const (
	mostOfferBytes    = 16 << 20 // of the file
	mostOfferUnzipped = 64 << 20 // of what a workbook unpacks to
	mostOfferRows     = 100_000
	mostOfferColumns  = 256
	mostOfferCell     = 10_000 // bytes of a cell
	mostHeaderRow     = 20     // rows among which the header is looked for
)

// LoadOffer reads a supplier's quote from a file. See ReadOffer.
func LoadOffer(path string) (*Offer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostOfferBytes+1))
	if err != nil {
		return nil, err
	}
	return ReadOffer(path, data)
}

// ReadOffer reads a supplier's quote: CSV (with commas, semicolons or tabs) or a
// workbook for Excel. One of its first rows is a header that names the columns
// part, unit price, currency and date and may name length, min qty and supplier;
// description and note are for people. Every row below it prices one piece of a
// part, of a cable in one length if that is given ("id@3 m" or in its column), from
// a least quantity on. The error is a diag.List.
func ReadOffer(name string, data []byte) (*Offer, error) {
	r := &offerReader{file: name}
	switch {
	case len(data) > mostOfferBytes:
		r.found.Addf(r.at(1, 1), "the file is larger than %d MiB", mostOfferBytes>>20)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		r.workbook(data)
	default:
		r.csv(data)
	}
	offer, contradictions := newOffer(filepath.Base(name), r.lines)
	for _, d := range contradictions {
		r.found.Add(d)
	}
	if err := r.found.Err(); err != nil {
		return nil, err
	}
	return offer, nil
}

// offerReader turns rows into lines.
type offerReader struct {
	file   string
	lines  []OfferLine
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
func (r *offerReader) at(line, column int) diag.Position {
	return diag.Position{File: r.file, Line: line, Column: column}
}

// csv reads a text.
func (r *offerReader) csv(data []byte) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if at := invalid(data); at >= 0 {
		line := 1 + bytes.Count(data[:at], []byte("\n"))
		r.found.Addf(r.at(line, at-bytes.LastIndexByte(data[:at], '\n')),
			"the file is not UTF-8 text\nsave it as CSV UTF-8")
		return
	}
	c := csv.NewReader(bytes.NewReader(data))
	c.Comma = separator(data)
	r.semicolons = c.Comma == ';'
	c.FieldsPerRecord = -1
	c.ReuseRecord = true
	for {
		record, err := c.Read()
		if err == io.EOF {
			break
		}
		var wrong *csv.ParseError
		if errors.As(err, &wrong) {
			r.found.Addf(r.at(wrong.Line, wrong.Column), "%v", wrong.Err)
			if r.found.Full() {
				return
			}
			continue
		}
		if err != nil {
			r.found.Addf(r.at(1, 1), "%v", err)
			return
		}
		place := func(column int) diag.Position { return r.at(c.FieldPos(min(column, len(record)-1))) }
		if !r.row(row{record, place}) {
			break
		}
	}
	r.end()
}

// invalid returns where a text stops being UTF-8 without control characters, -1
// if it does not.
func invalid(data []byte) int {
	for i := 0; i < len(data); {
		c, n := utf8.DecodeRune(data[i:])
		if c == utf8.RuneError && n == 1 || unicode.IsControl(c) && !strings.ContainsRune("\t\r\n", c) {
			return i
		}
		i += n
	}
	return -1
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
func (r *offerReader) workbook(data []byte) {
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
// tells whether to go on with the next.
func (r *offerReader) sheet(f *excelize.File, name string) bool {
	rows, err := f.Rows(name)
	if err != nil {
		return true // a chart
	}
	defer rows.Close()
	for n := 1; rows.Next(); n++ {
		place := func(column int) diag.Position {
			return diag.Position{File: r.file, Sheet: name, Line: n, Column: column + 1}
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
func (r *offerReader) end() {
	if r.column == nil && len(r.found) == 0 {
		r.found.Addf(r.at(1, 1),
			"no header: one of the first rows names the columns part, unit price, currency and date")
	} else if len(r.lines) == 0 && len(r.found) == 0 {
		r.found.Addf(r.at(1, 1), "no prices below the header")
	}
}

// row reads one row. It tells whether to go on.
func (r *offerReader) row(in row) bool {
	if !slices.ContainsFunc(in.cells, func(c string) bool { return strings.TrimSpace(c) != "" }) {
		return true
	}
	r.rows++
	long := slices.IndexFunc(in.cells, func(c string) bool { return len(c) > mostOfferCell })
	switch {
	case long >= 0:
		r.found.Addf(in.place(long), "a text of %d bytes; at most %d are read", len(in.cells[long]), mostOfferCell)
		return !r.found.Full()
	case len(in.cells) > mostOfferColumns:
		r.found.Addf(in.place(0), "more than %d columns", mostOfferColumns)
		return false
	case r.rows > mostOfferRows:
		r.found.Addf(in.place(0), "more than %d rows", mostOfferRows)
		return false
	case r.column != nil:
		r.price(in)
		return !r.found.Full()
	case isHeader(in.cells):
		r.header(in)
		return true
	}
	return r.rows < mostHeaderRow || r.serial != nil
}

// columns are the known columns, with the words that stand for them.
var columns = map[string][]string{
	"part":        {"part", "part_id", "part_number", "id"},
	"length":      {"length", "length_m"},
	"unit price":  {"unit_price", "price", "price_each"},
	"currency":    {"currency"},
	"date":        {"date", "quote_date"},
	"min qty":     {"min_qty", "minimum_quantity", "min_quantity", "from_qty", "from"},
	"supplier":    {"supplier", "vendor"},
	"description": {"description"},
	"note":        {"note", "notes", "comment"},
}

var gaps = regexp.MustCompile(`[\s_-]+`)

// columnOf finds the column that a heading names, or "".
func columnOf(heading string) string {
	word := gaps.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "_")
	for name, words := range columns {
		if slices.Contains(words, word) {
			return name
		}
	}
	return ""
}

// isHeader tells whether a row names the two columns that no quote is without.
func isHeader(cells []string) bool {
	var found []string
	for _, c := range cells {
		found = append(found, columnOf(c))
	}
	return slices.Contains(found, "part") && slices.Contains(found, "unit price")
}

func (r *offerReader) header(in row) {
	r.column = map[string]int{}
	for i, heading := range in.cells {
		if strings.TrimSpace(heading) == "" {
			continue
		}
		name := columnOf(heading)
		if _, again := r.column[name]; name != "" && again {
			r.found.Addf(in.place(i), "the column %s comes twice", name)
		} else if name != "" {
			r.column[name] = i
		} else {
			r.found.Addf(in.place(i), "unknown column %q\n%s", clip(heading), nearColumn(heading))
		}
	}
	for _, name := range []string{"currency", "date"} {
		if _, ok := r.column[name]; !ok {
			r.found.Addf(in.place(0), "the column %s is missing", name)
		}
	}
}

func nearColumn(heading string) string {
	var words []string
	for name := range columns {
		words = append(words, name)
	}
	return cmp.Or(diag.Suggest(heading, words, ""),
		"there are part, length, min qty, unit price, currency, date, supplier, description, note")
}

// price reads a row below the header.
func (r *offerReader) price(in row) {
	before := len(r.found)
	cell := func(name string) (string, diag.Position) {
		i, ok := r.column[name]
		if !ok || i >= len(in.cells) {
			return "", in.place(max(0, min(i, len(in.cells)-1)))
		}
		return strings.TrimSpace(in.cells[i]), in.place(i)
	}
	l := OfferLine{Pos: in.place(0), From: 1}
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
	l.Item = item
	if text, place := cell("min qty"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 || n > 1e12 {
			r.found.Addf(place, "%q is not a number of pieces", clip(text))
		}
		l.From = n
	}
	text, place = cell("unit price")
	r.amount(&l, text, place)
	if _, ok := r.column["currency"]; ok {
		text, place = cell("currency")
		if l.Currency = text; !currencyPattern.MatchString(text) {
			r.found.Addf(place, "%s", wrongCurrency(text))
		}
	}
	if _, ok := r.column["date"]; ok {
		text, place = cell("date")
		l.Date = r.date(text, place)
	}
	l.Supplier, _ = cell("supplier")
	l.Supplier = clip(l.Supplier)
	if len(r.found) == before {
		r.lines = append(r.lines, l)
	}
}

var (
	currencyPattern = regexp.MustCompile(`^[A-Z]{3}$`)
	amountPattern   = regexp.MustCompile(`^(\d+(\.\d+)?([eE][-+]?\d{1,2})?|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,})$`)
	commaPattern    = regexp.MustCompile(`^(\d+|\d{1,3}(\.\d{3})+),\d+$`)
	eitherComma     = regexp.MustCompile(`^[1-9]\d{0,2},\d{3}$`)
	eitherPoint     = regexp.MustCompile(`^[1-9]\d{0,2}\.\d{3}$`)
)

func wrongCurrency(text string) string {
	switch upper := strings.ToUpper(text); {
	case text == "":
		return "no currency; write the three letters of ISO 4217, such as USD"
	case currencyPattern.MatchString(upper):
		return fmt.Sprintf("%q is no ISO 4217 code; write %s", text, upper)
	}
	return fmt.Sprintf("%q is no ISO 4217 code, such as USD", clip(text))
}

// amount reads a price. Marks of thousands are taken only where nothing else can
// be meant: "1,250" is a thousand times more in one country than in the next.
func (r *offerReader) amount(l *OfferLine, text string, place diag.Position) {
	switch {
	case text == "":
		r.found.Addf(place, "no price")
	case eitherComma.MatchString(text), eitherPoint.MatchString(text) && r.semicolons:
		r.found.Addf(place, "%q may mean thousands or thousandths; write it without a mark, or with two decimals", text)
	case commaPattern.MatchString(text):
		pointed := strings.ReplaceAll(strings.ReplaceAll(clip(text), ".", ""), ",", ".")
		r.found.Addf(place, "%q has a decimal comma\nwrite %s", clip(text), pointed)
	case !amountPattern.MatchString(text):
		r.found.Addf(place, "%q is not an amount of money, such as 1250 or 1,250.00", clip(text))
	default:
		v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
		switch {
		case err != nil || math.IsInf(v, 0) || v > mostOffered:
			r.found.Addf(place, "a price of more than %d", mostOffered)
		case v == 0:
			r.found.Addf(place,
				"a price of nothing\nleave the row out, or price the part in the machine file if it is free")
		}
		l.Price = units.Price(v)
	}
}

// Numbers of days in date cells that are taken for dates: of this century.
const (
	firstSerial = 36526
	lastSerial  = 73051
)

// date reads an ISO date, in a workbook also a date cell.
func (r *offerReader) date(text string, place diag.Position) string {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.Format(time.DateOnly)
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && r.serial != nil && n >= firstSerial && n < lastSerial {
		if day, err := r.serial(math.Floor(n)); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	if text == "" {
		r.found.Addf(place, "no date")
	} else {
		r.found.Addf(place, "%q is not a date; write it like 2025-06-01", clip(text))
	}
	return ""
}

// clip shortens a text for a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}
