package catalog

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/units"
)

// LoadOffer reads a supplier's quote from a file. See ReadOffer.
func LoadOffer(path string) (*Offer, error) {
	data, err := loadTable(path)
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
// a least quantity on. The error is a diag.List; with it comes what is right, so that Check and In find what else is
// wrong in the same run.
func ReadOffer(name string, data []byte) (*Offer, error) {
	r := &offerReader{tableReader: tableReader{form: offerForm, file: name}}
	r.take, r.taken = r.price, func() bool { return len(r.lines) > 0 }
	r.read(data)
	offer, contradictions := newOffer(filepath.Base(name), r.lines)
	for _, d := range contradictions {
		r.found.Add(d)
	}
	offer.faulty = r.faulty
	return offer, r.found.Err()
}

// offerReader turns the rows of a quote into lines.
type offerReader struct {
	tableReader
	lines, faulty []OfferLine
}

// offerForm is a quote.
var offerForm = tableForm{
	columns: map[string][]string{
		"part":        {"part", "part_id", "part_number", "id"},
		"length":      {"length", "length_m"},
		"unit price":  {"unit_price", "price", "price_each"},
		"currency":    {"currency"},
		"date":        {"date", "quote_date"},
		"min qty":     {"min_qty", "minimum_quantity", "min_quantity", "from_qty", "from"},
		"supplier":    {"supplier", "vendor"},
		"part number": {"maker_part_number", "manufacturer_part_number", "mpn", "sku", "order_code"},
		"lead time":   {"lead_time", "lead_time_days", "delivery", "delivery_time"},
		"pack":        {"pack", "pack_size", "pieces_per_pack"},
		"colours":     {"colours", "colors", "colour", "color"},
		"description": {"description"},
		"note":        {"note", "notes", "comment"},
	},
	key: []string{"part", "unit price"}, needed: []string{"currency", "date"},
	second: map[string][2]string{"part_number": {"part", "part number"}},
	list: "part, length, min qty, unit price, currency, date, supplier, part number, lead time, pack, colours, " +
		"description, note",
	headless: "no header: one of the first rows names the columns part, unit price, currency and date",
	empty:    "no prices below the header",
}

// price reads a row below the header.
func (r *offerReader) price(in row) {
	before := len(r.found)
	cell := r.cells(in)
	l := OfferLine{Pos: in.place(0), From: 1, Item: r.item(cell)}
	if text, place := cell("min qty"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 || n > 1e12 {
			r.found.Addf(place, "%q is not a number of pieces", clip(text))
		}
		l.From = n
	}
	text, place := cell("unit price")
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
	l.Order = r.order(cell)
	if len(r.found) == before {
		r.lines = append(r.lines, l)
	} else if l.Item.Part != "" {
		r.faulty = append(r.faulty, l)
	}
}

// order reads what a row says about ordering.
func (r *offerReader) order(cell func(string) (string, diag.Position)) Order {
	var o Order
	o.Supplier, _ = cell("supplier")
	o.PartNumber, _ = cell("part number")
	o.Supplier, o.PartNumber = clip(o.Supplier), clip(o.PartNumber)
	if text, _ := cell("colours"); text != "" {
		o.Colours = text
	}
	if text, place := cell("lead time"); text != "" {
		lead, err := units.ParseDays(text)
		if err != nil {
			r.found.Addf(place, "%v", err)
		} else if lead < 0 {
			r.found.Addf(place, "%q is less than no time", clip(text))
		}
		o.Lead = lead
	}
	if text, place := cell("pack"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 || n > mostPack {
			r.found.Addf(place, "%q is not a number of pieces in a pack", clip(text))
		}
		o.Pack = n
	}
	return o
}

// mostPack is the most pieces in a pack.
const mostPack = 100_000

var (
	currencyPattern = lazyregexp.New(`^[A-Z]{3}$`)
	amountPattern   = lazyregexp.New(`^(\d+(\.\d+)?([eE][-+]?\d{1,2})?|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,})$`)
	commaPattern    = lazyregexp.New(`^(\d+|\d{1,3}(\.\d{3})+),\d+$`)
	eitherComma     = lazyregexp.New(`^[1-9]\d{0,2},\d{3}$`)
	eitherPoint     = lazyregexp.New(`^[1-9]\d{0,2}\.\d{3}$`)
)

func wrongCurrency(text string) string {
	switch upper := strings.ToUpper(text); {
	case text == "":
		return "no currency; write the three letters of ISO 4217, such as USD"
	case currencyPattern.MatchString(upper):
		return fmt.Sprintf("%q is not an ISO 4217 code; write %s", text, upper)
	}
	return fmt.Sprintf("%q is not an ISO 4217 code, such as USD", clip(text))
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
