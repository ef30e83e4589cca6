package catalog

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

const goodOffer = `Quote 4711,,,,,
Part,Min Qty,Unit Price,Currency,Date,Supplier
dac-400g-qsfp112@1 m,,95.50,USD,2025-06-01,Acme
dac-400g-qsfp112@1 m,100,90,USD,2025-06-01,Acme
"dac-400g-qsfp112 @ 200 cm",,"1,105.25",EUR,2025-06-02,
dac-400g-qsfp112,50,80.005,USD,2025-06-01,

install-in-rack,,6.5,USD,2025-06-01,
`

func TestOfferPricesByLengthAndQuantity(t *testing.T) {
	o, err := ReadOffer("dir/quote.csv", []byte(goodOffer))
	if err != nil {
		t.Fatal(err)
	}
	if errs := o.Check(Default(), []string{"install-in-rack"}); len(errs) > 0 {
		t.Error(errs)
	}
	for _, test := range []struct {
		item   Item
		qty    int64
		want   units.Money
		source string
	}{
		{Item{"dac-400g-qsfp112", 1}, 0, 9550, "quote.csv:3:1, Acme, 2025-06-01"},
		{Item{"dac-400g-qsfp112", 1}, 1, 9550, "quote.csv:3:1, Acme, 2025-06-01"},
		{Item{"dac-400g-qsfp112", 1}, 99, 9550, "quote.csv:3:1, Acme, 2025-06-01"},
		{Item{"dac-400g-qsfp112", 1}, 100, 9000, "quote.csv:4:1, Acme, 2025-06-01, from 100 pieces"},
		{Item{"dac-400g-qsfp112", 1}, 1e9, 9000, "quote.csv:4:1, Acme, 2025-06-01, from 100 pieces"},
		{Item{"dac-400g-qsfp112", 2}, 7, 110525, "quote.csv:5:1, 2025-06-02"},
		{Item{"dac-400g-qsfp112", 3}, 0, 8001, "quote.csv:6:1, 2025-06-01, from 50 pieces"},
		{Item{"dac-400g-qsfp112", 3}, 49, -1, ""},
		{Item{"dac-400g-qsfp112", 3}, 50, 8001, "quote.csv:6:1, 2025-06-01, from 50 pieces"},
		{Item{"install-in-rack", 0}, 3, 650, "quote.csv:8:1, 2025-06-01"},
		{Item{"nvidia-qm9700", 0}, 3, -1, ""},
	} {
		q := o.Quote(test.item, test.qty)
		if !q.Priced {
			q.Unit = -1
		}
		if q.Unit != test.want || q.Source != test.source || q.Priced &&
			(q.From != "quote.csv" || q.Confidence != User || q.Low != q.Unit || q.High != q.Unit) {
			t.Errorf("%d x %s: %+v, want %v from %q", test.qty, test.item, q, test.want, test.source)
		}
	}
	if least := o.Least(Item{"dac-400g-qsfp112", 3}); least != 50 {
		t.Errorf("offered from %d pieces", least)
	}
	if least := o.Least(Item{Part: "nvidia-qm9700"}); least != 0 {
		t.Errorf("offered from %d pieces", least)
	}
}

func TestOfferInAnotherCurrency(t *testing.T) {
	o, err := ReadOffer("quote.csv", []byte(goodOffer))
	if err != nil {
		t.Fatal(err)
	}
	in, errs := o.In(&Exchange{Currency: "EUR", Rates: map[string]float64{"USD": 0.9}, Date: "2025-06-03"})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if q := in.Quote(Item{"dac-400g-qsfp112", 1}, 1); q.Unit != 8595 ||
		q.Source != "quote.csv:3:1, Acme, 2025-06-01; USD at 0.9 EUR, 2025-06-03" {
		t.Errorf("%+v", q)
	}
	if q := in.Quote(Item{"dac-400g-qsfp112", 2}, 1); q.Unit != 110525 || strings.Contains(q.Source, " at ") {
		t.Errorf("%+v", q)
	}
	if q := o.Quote(Item{"dac-400g-qsfp112", 1}, 1); q.Unit != 9550 {
		t.Errorf("the offer changed: %+v", q)
	}
	_, errs = o.In(&Exchange{Currency: "GBP", Rates: map[string]float64{"EUR": 0.85}})
	if len(errs) != 1 || errs[0].Error() != "quote.csv:3:1: no rate from USD to GBP" {
		t.Errorf("%v", errs)
	}
}

// Every mistake of a quote is reported in one run, each at its place.
func TestOfferReportsEveryMistake(t *testing.T) {
	const text = `part;length;unit price;curency;currency;date;part;min qty
dac-400g-qsfp112@1 m;2 m;95,50;;USD;2025-06-01;;
;;5;;usd;01.06.2025;;x
rack-42u;-3 m;;;Dollar;;;0
rack-42u;;1.250;;USD;2025-06-01;;
rack-42u;;1.250,75;;USD;2025-06-01;;
rack-42u;;1,250;;USD;2025-06-01;;
rack-42u;;$5;;;2025-13-01;;1.5
rack-42u;;0;;USD;2025-06-01;;
rack-42u;;1e9;;USD;2025-06-01;;
rack-42u;;5;;USD;2025-06-01;;
rack-42u;;4;;USD;2025-06-01;;1
rack-42u;;6;;USD;2025-06-01;;10
ra"ck-42u;;6;;USD;2025-06-01;;10
`
	_, err := ReadOffer("quote.csv", []byte(text))
	if err == nil {
		t.Fatal("the quote was taken")
	}
	want := strings.Split(strings.TrimSpace(`
quote.csv:1:24: unknown column "curency"; did you mean "currency"?
quote.csv:1:46: the column part comes twice
quote.csv:2:22: the part has a length already
quote.csv:2:26: "95,50" has a decimal comma; write 95.50
quote.csv:3:1: no part
quote.csv:3:22: "x" is not a number of pieces
quote.csv:3:6: "usd" is not an ISO 4217 code; write USD
quote.csv:3:10: "01.06.2025" is not a date; write it like 2025-06-01
quote.csv:4:10: "-3 m" is not the length of a cable
quote.csv:4:26: "0" is not a number of pieces
quote.csv:4:15: no price
quote.csv:4:17: "Dollar" is not an ISO 4217 code, such as USD
quote.csv:4:24: no date
quote.csv:5:11: "1.250" may mean thousands or thousandths; write it without a mark, or with two decimals
quote.csv:6:11: "1.250,75" has a decimal comma; write 1250.75
quote.csv:7:11: "1,250" may mean thousands or thousandths; write it without a mark, or with two decimals
quote.csv:8:28: "1.5" is not a number of pieces
quote.csv:8:11: "$5" is not an amount of money, such as 1250 or 1,250.00
quote.csv:8:15: no currency; write the three letters of ISO 4217, such as USD
quote.csv:8:16: "2025-13-01" is not a date; write it like 2025-06-01
quote.csv:9:11: a price of nothing; leave the row out, or price the part in the machine file if it is free
quote.csv:10:11: a price of more than 100000000
quote.csv:14:3: bare " in non-quoted-field
quote.csv:12:1: rack-42u from 1 pieces has a price at 11:1 already
quote.csv:13:1: rack-42u costs more from 10 pieces than from 1 at 12:1
`), "\n")
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Error(diff)
	}
}

// What a quote says of parts is held against the catalog, all at once.
func TestOfferIsCheckedAgainstTheCatalog(t *testing.T) {
	o, err := ReadOffer("dir/quote.csv", []byte(`part,unit price,currency,date
nvidia-qm9070,1,USD,2025-06-01
instal-in-rack,1,USD,2025-06-01
rack-42u@3 m,1,USD,2025-06-01
dac-400g-qsfp112@7 m,1,USD,2025-06-01
custom-40g-qsfp-copper@2.3 m,1,USD,2025-06-01
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, err := range o.Check(Default(), []string{"install-in-rack"}) {
		got = append(got, err.Error())
	}
	want := []string{
		`dir/quote.csv:2:1: there is no part "nvidia-qm9070"; did you mean "nvidia-qm9700"?`,
		`dir/quote.csv:3:1: there is no part "instal-in-rack"; did you mean "install-in-rack"?`,
		`dir/quote.csv:4:1: rack-42u is not a cable and has no length`,
		`dir/quote.csv:5:1: dac-400g-qsfp112 is not stocked in 7 m`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOfferWithoutHeader(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":        "",
		"blank":          " , \n\n",
		"rows only":      strings.Repeat("a,1\n", 30),
		"no price":       "part,currency,date\nx,USD,2025-06-01\n",
		"no currency":    "part,price\nx,1\n",
		"no rows":        "part,price,currency,date\n",
		"not UTF-8":      "part,price,currency,date\nx\xff,1,USD,2025-06-01\n",
		"control":        "part,price,currency,date\nx\x00,1,USD,2025-06-01\n",
		"unclosed quote": "part,price,currency,date\n\"x,1,USD,2025-06-01\n",
		"no workbook":    "PK\x03\x04",
	} {
		if _, err := ReadOffer("q", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "q:") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := LoadOffer(filepath.Join(t.TempDir(), "none.csv")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// workbook makes a quote as a workbook whose second sheet has it.
func workbook(t testing.TB, rows [][]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	if err := f.SetCellValue("Sheet1", "B2", "Dear customer"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.NewSheet("Prices"); err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if err := f.SetSheetRow("Prices", fmt.Sprintf("A%d", i+3), &r); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestOfferFromAWorkbook(t *testing.T) {
	data := workbook(t, [][]any{
		{"Part", "Unit price", "Currency", "Date", "Min qty"},
		{"rack-42u", 1250.5, "USD", time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC), 1},
		{"rack-42u", "1,200.00", "USD", "2025-06-01", 10},
		nil,
		{"dac-400g-qsfp112@0.5 m", 95, "USD", "2025-06-01"},
	})
	o, err := ReadOffer("quote.xlsx", data)
	if err != nil {
		t.Fatal(err)
	}
	if q := o.Quote(Item{"rack-42u", 0}, 3); q.Unit != 125050 || q.Source != "quote.xlsx:Prices!A4, 2025-06-01" {
		t.Errorf("%+v", q)
	}
	if q := o.Quote(Item{"rack-42u", 0}, 30); q.Unit != 120000 {
		t.Errorf("%+v", q)
	}
	if q := o.Quote(Item{"dac-400g-qsfp112", 0.5}, 1); q.Unit != 9500 ||
		q.Source != "quote.xlsx:Prices!A7, 2025-06-01" {
		t.Errorf("%+v", q)
	}
	_, err = ReadOffer("quote.xlsx", workbook(t, [][]any{
		{"Part", "Unit price", "Currency", "Date", "Min qty"},
		{"rack-42u", "95,50", "USD", true, -1},
	}))
	want := "quote.xlsx:Prices!E4: \"-1\" is not a number of pieces\n" +
		"quote.xlsx:Prices!B4: \"95,50\" has a decimal comma; write 95.50\n" +
		"quote.xlsx:Prices!D4: \"1\" is not a date; write it like 2025-06-01"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if _, err := ReadOffer("quote.xlsx", workbook(t, nil)); err == nil || !strings.Contains(err.Error(), "no header") {
		t.Errorf("%v", err)
	}
}

// A workbook that unpacks to far more than it weighs is refused before it is
// unpacked.
func TestOfferRefusesABomb(t *testing.T) {
	good, err := zip.NewReader(bytes.NewReader(workbook(t, nil)), int64(len(workbook(t, nil))))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	z.RegisterCompressor(zip.Deflate,
		func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	for _, f := range good.File {
		if f.Name != "xl/worksheets/sheet1.xml" {
			if err := z.Copy(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	w, err := z.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		t.Fatal(err)
	}
	for range 80 {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 1<<20 {
		t.Fatalf("%d bytes are not bomb", out.Len())
	}
	if _, err := ReadOffer("quote.xlsx", out.Bytes()); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("%v", err)
	}
}

// A damaged workbook is refused or read, and does no other harm.
func TestDamagedWorkbooks(t *testing.T) {
	good := workbook(t, [][]any{{"Part", "Unit price", "Currency", "Date"}, {"rack-42u", 1250.5, "USD", "2025-06-01"}})
	rapid.Check(t, func(t *rapid.T) {
		data := bytes.Clone(good)
		for range rapid.IntRange(1, 20).Draw(t, "bytes") {
			data[rapid.IntRange(4, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		data = data[:rapid.IntRange(4, len(data)).Draw(t, "length")]
		o, err := ReadOffer("quote.xlsx", data)
		if err == nil && len(o.Lines) == 0 || err != nil && !strings.HasPrefix(err.Error(), "quote.xlsx:") {
			t.Fatalf("%v %v", o, err)
		}
	})
}

// The price of a quantity is that of the last break that it reaches.
func TestOfferBreaksAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		breaks := rapid.SliceOfNDistinct(rapid.Int64Range(1, 200), 1, 8, rapid.ID[int64]).Draw(t, "breaks")
		text := "part,min qty,price,currency,date\n"
		slices.Sort(breaks)
		prices := map[int64]int64{}
		for i, b := range breaks {
			prices[b] = int64(1000 - i)
		}
		for _, b := range rapid.Permutation(breaks).Draw(t, "order") {
			text += fmt.Sprintf("rack-42u,%d,%d,USD,2025-06-01\n", b, prices[b])
		}
		o, err := ReadOffer("q.csv", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		qty := rapid.Int64Range(1, 250).Draw(t, "qty")
		best, want := int64(-1), int64(-1)
		for b, price := range prices {
			if b <= qty && b > best {
				best, want = b, price
			}
		}
		q := o.Quote(Item{"rack-42u", 0}, qty)
		if q.Priced != (want >= 0) || q.Priced && q.Unit != units.Money(want*100) {
			t.Fatalf("%d of %v: %+v, want %d", qty, prices, q, want)
		}
	})
}

func FuzzReadOffer(f *testing.F) {
	f.Add([]byte(goodOffer))
	f.Add([]byte("part;unit price;currency;date\nx;1;USD;2025-06-01\n"))
	f.Add([]byte("part\tunit price\tcurrency\tdate\tlength\tmin qty\nx\t1,250.00\tUSD\t2025-06-01\t3 m\t7\n"))
	f.Add([]byte("\ufeffpart,price,currency,date\n\"x\ny\",1e3,USD,2025-06-01\n\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := ReadOffer("q", data)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "q:") {
					t.Fatalf("an error without its place: %q", err)
				}
			}
			return
		}
		if len(o.Lines) == 0 {
			t.Fatal("an offer of nothing")
		}
		o.Check(Default(), nil)
		for i := range o.Lines {
			l := &o.Lines[i]
			if l.Item.Part == "" || !(l.Price > 0) || math.IsInf(float64(l.Price), 0) || l.From < 1 ||
				len(l.Currency) != 3 || len(l.Date) != 10 || l.Item.Length < 0 {
				t.Fatalf("%+v", l)
			}
			if q := o.Quote(l.Item, l.From); !q.Priced || q.Unit != l.Price.Money() {
				t.Fatalf("%+v is quoted as %+v", l, q)
			}
		}
	})
}
