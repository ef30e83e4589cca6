package catalog

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/units"
)

// TestAmountsByHand adds, scales and writes amounts whose three figures differ.
func TestAmountsByHand(t *testing.T) {
	a, b := Amount{1, 2, 4}, Amount{10, 30, 70}
	if got := a.plus(b); got != (Amount{11, 32, 74}) {
		t.Errorf("%+v", got)
	}
	if got := b.times(0.5); got != (Amount{5, 15, 35}) {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		a            Amount
		zero, ranged bool
		json, yaml   string
	}{
		{Amount{}, true, false, "0", "0"},
		{Exactly(7.5), false, false, "7.5", "7.5"},
		{a, false, true, `{"low":1,"likely":2,"high":4}`, "low: 1\nlikely: 2\nhigh: 4"},
		{Amount{0, 0, 3}, false, true, `{"low":0,"likely":0,"high":3}`, "low: 0\nlikely: 0\nhigh: 3"},
	} {
		asJSON, err := json.Marshal(c.a)
		if err != nil || string(asJSON) != c.json || c.a.IsZero() != c.zero || c.a.IsRange() != c.ranged {
			t.Errorf("%+v: %s, %v, zero %v, ranged %v", c.a, asJSON, err, c.a.IsZero(), c.a.IsRange())
		}
		asYAML, err := yaml.Marshal(c.a)
		if err != nil || strings.TrimSpace(string(asYAML)) != c.yaml {
			t.Errorf("%+v: %s, %v", c.a, asYAML, err)
		}
	}
}

// TestAmountsAtTheirLimits checks single amounts and tables by length at and just beyond what they may be.
func TestAmountsAtTheirLimits(t *testing.T) {
	inf := units.Price(math.Inf(1))
	const negative, falls = "must not be negative or infinite", "a range rises from low over likely to high"
	for _, c := range []struct {
		a         Amount
		intercept bool
		want      string
	}{
		{Amount{}, false, ""},
		{Amount{1, 1, 1}, false, ""},
		{Amount{0, 1, 2}, false, ""},
		{Amount{1, 1, 2}, false, ""},
		{Amount{1, 2, 2}, false, ""},
		{Amount{2, 1, 3}, false, falls},
		{Amount{1, 3, 2}, false, falls},
		{Amount{-1, 1, 2}, false, negative},
		{Amount{-1, 1, 2}, true, ""},
		{Amount{-3, -2, -1}, true, ""},
		{Amount{-3, -2, -1}, false, negative},
		{Amount{0, 0, inf}, true, negative},
		{Amount{-inf, 0, 0}, true, negative},
		{Amount{0, units.Price(math.NaN()), 0}, true, negative},
	} {
		k := checker{catalog: Default()}
		k.checkAmount("at", c.a, c.intercept)
		if got := said(k.faults); got != strings.TrimPrefix("at: "+c.want, "at: ") {
			t.Errorf("%+v, intercept %v: %q, expected %q", c.a, c.intercept, got, c.want)
		}
	}
	for _, c := range []struct {
		short, long Amount
		want        string
	}{
		{Exactly(2), Exactly(2), ""},
		{Exactly(2), Exactly(1.9), "2 m costs less than 1 m"},
		{Amount{1, 2, 3}, Amount{1, 2, 3}, ""},
		{Amount{1, 2, 3}, Amount{0.9, 2, 3}, "2 m costs less than 1 m"},
		{Amount{1, 2, 3}, Amount{1, 2, 2.9}, "2 m costs less than 1 m"},
		{Amount{1, 2, 3}, Amount{3, 2, 3}, `the range at "2 m" does not rise from low over likely to high`},
		{Amount{1, 2, 3}, Amount{1, 4, 3}, `the range at "2 m" does not rise from low over likely to high`},
		{Amount{1, 2, 3}, Amount{0, 2, 3}, `the price at "2 m" must be greater than 0`},
		{Amount{1, 2, 3}, Amount{1, 2, inf}, `the price at "2 m" must be greater than 0`},
	} {
		k := checker{catalog: Default()}
		k.checkByLength("at", map[string]Amount{"1 m": c.short, "2 m": c.long})
		if got := said(k.faults); got != c.want {
			t.Errorf("%+v, then %+v: %q, expected %q", c.short, c.long, got, c.want)
		}
	}
}

// said are the messages of faults.
func said(faults []error) string {
	var out []string
	for _, err := range faults {
		out = append(out, err.(*Fault).Message)
	}
	return strings.Join(out, " | ")
}

// TestQuotesByHand prices parts by line, by port, by length and by a spread.
func TestQuotesByHand(t *testing.T) {
	cable := &Part{ID: "c", Kind: KindCable, Cable: &Cable{}}
	box := &Part{ID: "s", Kind: KindSwitch, Ports: []PortGroup{{Count: 32}, {Count: 2}, {Count: 1, ByName: true}}}
	line := Price{Part: "*", Unit: Amount{1, 2, 3}, PerMetre: Amount{10, 20, 40}, PerPort: Amount{100, 200, 300}}
	spread := &Spread{Low: 0.6, High: 1.5}
	for _, c := range []struct {
		price          Price
		spread         *Spread
		part           *Part
		length         units.Length
		unit, low, top float64
		priced         bool
	}{
		{line, nil, cable, 2.5, 2 + 50, 1 + 25, 3 + 100, true},
		{line, spread, cable, 2.5, 2 + 50, 1 + 25, 3 + 100, true}, // a range needs no spread
		{line, nil, box, 0, 2 + 34*200, 1 + 34*100, 3 + 34*300, true},
		{Price{Part: "c", Unit: Exactly(50)}, spread, cable, 3, 50, 30, 75, true},
		{Price{Part: "s", Unit: Exactly(-900), PerPort: Exactly(25)}, nil, box, 0, 0, 0, 0, false}, // -50
		{Price{Part: "s", Unit: Exactly(-850), PerPort: Exactly(25)}, nil, box, 0, 0, 0, 0, true},
		{Price{Part: "s", Unit: Amount{-900, 0, 5}, PerPort: Exactly(1)}, nil, box, 0, 34, 0, 39, true},
		{Price{Part: "s", Unit: Exactly(mostMoney)}, nil, box, 0, mostMoney, mostMoney, mostMoney, true},
		{Price{Part: "s", Unit: Exactly(mostMoney)}, spread, box, 0, mostMoney, mostMoney * 0.6, mostMoney, true},
		{Price{Part: "s", Unit: Exactly(mostMoney * 1.001)}, nil, box, 0, 0, 0, 0, false},
		{
			Price{Part: "c", ByLength: map[string]Amount{"1 m": {4, 5, 6}, "150 cm": {7, 8, 9}}},
			nil, cable, 1.5, 8, 7,
			9, true,
		},
		{Price{Part: "c", ByLength: map[string]Amount{"1 m": {4, 5, 6}}}, nil, cable, 1.0001, 0, 0, 0, false},
		{Price{Part: "d*", Unit: Exactly(1)}, nil, cable, 1, 0, 0, 0, false},
	} {
		s := &PriceSet{Name: "set", Prices: []Price{c.price}, Spread: c.spread}
		q := s.Quote(c.part, c.length)
		want := Quote{}
		if c.priced {
			want = Quote{
				Unit: units.MoneyOf(c.unit), Low: units.MoneyOf(c.low), High: units.MoneyOf(c.top), Priced: true,
				From: "set",
			}
		}
		if q != want {
			t.Errorf("%s of %v by %+v: %+v, expected %+v", c.part.ID, c.length, c.price, q, want)
		}
	}
	// The own id wins, then the longest beginning.
	s := &PriceSet{Prices: []Price{
		{Part: "*", Unit: Exactly(1)}, {Part: "ab*", Unit: Exactly(3)}, {Part: "a*", Unit: Exactly(2)}, {
			Part: "abc",
			Unit: Exactly(4),
		},
	}}
	for id, want := range map[string]units.Money{"x": 100, "a": 200, "ax": 200, "abx": 300, "abc": 400} {
		if q := s.Quote(&Part{ID: id}, 0); q.Unit != want {
			t.Errorf("%s costs %v, expected %v", id, q.Unit, want)
		}
	}
}

// TestStockByHand finds the next length that is stocked or made.
func TestStockByHand(t *testing.T) {
	ladder := Cable{Lengths: []units.Length{1, 2, 5}}
	made := Cable{MadeToMeasure: 10, Step: 0.25}
	both := Cable{Lengths: []units.Length{1, 3, 20}, MadeToMeasure: 10}
	for _, c := range []struct {
		cable Cable
		need  units.Length
		want  units.Length
		ok    bool
	}{
		{ladder, -1, 1, true},
		{ladder, 0, 1, true},
		{ladder, 1, 1, true},
		{ladder, 1 + 0.5e-9, 1, true},
		{ladder, 1.0001, 2, true},
		{ladder, 2.1, 5, true},
		{ladder, 5, 5, true},
		{ladder, 5.1, 0, false},
		{made, 0, 0.25, true},
		{made, 0.25, 0.25, true},
		{made, 0.2501, 0.5, true},
		{made, 9.9, 10, true},
		{made, 10, 10, true},
		{made, 10.01, 0, false},
		{both, 0.5, 1, true},
		{both, 1.5, 2, true},
		{both, 2.5, 3, true},
		{both, 9.5, 10, true},
		{both, 10.5, 20, true},
		{both, 20.5, 0, false},
		{Cable{MadeToMeasure: 9.9}, 9.5, 9.9, true}, // steps of a metre, up to the longest
	} {
		p := &Part{ID: "c", Kind: KindCable, Cable: &c.cable}
		if got, ok := p.Stock(c.need); ok != c.ok || math.Abs(float64(got-c.want)) > 1e-12 {
			t.Errorf("%v of %+v: %v %v, expected %v %v", c.need, c.cable, got, ok, c.want, c.ok)
		}
		for _, d := range []units.Length{-0.1, 0.1, 0.01} {
			item := Item{"c", (c.want + d).Round4()}
			sold := slices.Contains(c.cable.Lengths, item.Length)
			if step := max(c.cable.Step, 0); c.cable.MadeToMeasure > 0 && item.Length <= c.cable.MadeToMeasure &&
				item.Length > 0 {
				if step == 0 {
					step = 1
				}
				n := float64(item.Length / step)
				sold = sold || math.Abs(n-math.Round(n)) < 1e-9 || item.Length == c.cable.MadeToMeasure
			}
			if p.Sells(item) != sold {
				t.Errorf("%v is sold: %v, expected %v, by %+v", item, p.Sells(item), sold, c.cable)
			}
		}
	}
}

// TestCablesByHand: ends, plugs, power and ports of parts.
func TestCablesByHand(t *testing.T) {
	splitter := &Part{
		ID: "y", Kind: KindCable, Power: 2,
		Cable: &Cable{Connector: "a", Links: 4, Far: &FarEnd{Connector: "b", Plugs: 4, Power: 0.5}},
	}
	plain := &Part{ID: "p", Kind: KindCable, Power: 1.5, Cable: &Cable{Connector: "a"}}
	half := &Part{ID: "h", Kind: KindCable, Power: 3, Cable: &Cable{
		Connector: "a", Links: 2,
		Far: &FarEnd{Connector: "b", Plugs: 2},
	}}
	for _, c := range []struct {
		p         *Part
		near, far units.Power
		plugs     int
		all       units.Power
	}{{splitter, 2, 0.5, 4, 4}, {plain, 1.5, 1.5, 1, 3}, {half, 3, 3, 2, 9}} {
		near, far := c.p.EndPower()
		if near != c.near || far != c.far || c.p.Cable.FarPlugs() != c.plugs || c.p.CablePower() != c.all {
			t.Errorf("%s: %v and %v, %d plugs, %v in all", c.p.ID, near, far, c.p.Cable.FarPlugs(), c.p.CablePower())
		}
	}
	for _, c := range []struct {
		cable             Cable
		connector         string
		perCage           int
		fills             bool
		ordinary, isTrunk bool
	}{
		{*splitter.Cable, "a", 4, true, false, false},
		{*splitter.Cable, "a", 2, false, false, false},
		{*splitter.Cable, "b", 1, true, false, false},
		{*splitter.Cable, "b", 4, false, false, false},
		{*plain.Cable, "a", 0, true, true, false},
		{*plain.Cable, "a", 2, false, true, false},
		{Cable{Connector: "m", Legs: 2}, "m", 1, true, false, true},
		{Cable{Connector: "m", Legs: 1}, "m", 1, true, true, false},
	} {
		g := &PortGroup{Connector: c.connector, PerCage: c.perCage}
		if c.cable.fills(g) != c.fills || c.cable.Ordinary() != c.ordinary || c.cable.Trunk() != c.isTrunk {
			t.Errorf("%+v: fills %+v %v, ordinary %v, trunk %v", c.cable, g, c.cable.fills(g), c.cable.Ordinary(),
				c.cable.Trunk())
		}
	}
	for _, c := range []struct {
		g     PortGroup
		i     int
		name  string
		split [2]string
	}{
		{PortGroup{}, 0, "1", [2]string{"1/1", "1/2"}},
		{PortGroup{First: 49}, 3, "52", [2]string{"52/1", "52/2"}},
		{PortGroup{Label: "swp#", First: 5}, 2, "swp7", [2]string{"swp7/1", "swp7/2"}},
		{PortGroup{Label: "{cage}/{lane}", PerCage: 2, First: 3}, 5, "5/2", [2]string{"5/2/1", "5/2/2"}},
		{PortGroup{Label: "{cage}/{lane}", PerCage: 4}, 4, "2/1", [2]string{"2/1/1", "2/1/2"}},
		{PortGroup{Split: "e#.{lane}-{lane0}", First: 9}, 1, "10", [2]string{"e10.1-0", "e10.2-1"}},
		{PortGroup{Split: "e#"}, 2, "3", [2]string{"e3", "e3"}},
		{PortGroup{Names: []string{"x", "y"}, Count: 2}, 1, "y", [2]string{"y/1", "y/2"}},
	} {
		if got := c.g.PortName(c.i); got != c.name {
			t.Errorf("port %d of %+v is %s, expected %s", c.i, c.g, got, c.name)
		}
		for lane, want := range c.split {
			if got := c.g.SplitName(c.i, lane, 2); got != want {
				t.Errorf("lane %d of port %d of %+v is %s, expected %s", lane, c.i, c.g, got, want)
			}
		}
	}
}

// TestStockFiles reads lists of what is in stock at the limits of their cells.
func TestStockFiles(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"part,quantity\nx,1\n", "[{x 1}]"},
		{"part,quantity\nx,0\ny,2\n", "[{y 2}]"},
		{"part,quantity\nx,1000000000\n", "[{x 1000000000}]"},
		{"part,quantity\nx,1000000001\n", `s.csv:2:3: "1000000001" is not a number of pieces`},
		{"part,quantity\nx,-1\n", `s.csv:2:3: "-1" is not a number of pieces`},
		{"part,quantity\nx,many\n", `s.csv:2:3: "many" is not a number of pieces`},
		{"part,quantity\nx,\n", `s.csv:2:3: no quantity`},
		{"part;length;qty;note\nc;3 m;4;hello\n", "[{c@3 m 4}]"},
		{"on hand\tpart id\n7\tc@2.5 m\n", "[{c@2.5 m 7}]"},
		{"part,length,quantity\nc@1 m,3 m,4\n", "s.csv:2:7: the part has a length already"},
		{"part,length,quantity\nc,x,4\n", `s.csv:2:3: "x" is not the length of a cable`},
		{"part,quantity\n,4\n", "s.csv:2:1: no part"},
		{"note,part,quantity\n-,x\n", "s.csv:2:3: no quantity"}, // at the last cell that there is
		{"part,quantity\n", "s.csv:1:1: nothing below the header"},
		{"x,y\n1,2\n", "s.csv:1:1: no header: one of the first rows names the columns part and quantity"},
		{"part,part,quantity\nx,y,1\n", "s.csv:1:6: the column part comes twice"},
		{strings.Repeat("title\n", 19) + "part,quantity\nx,5\n", "[{x 5}]"},
		{
			strings.Repeat("title\n", 20) + "part,quantity\nx,5\n",
			"s.csv:1:1: no header: one of the first rows names the columns part and quantity",
		},
		{"part,quantity\n" + strings.Repeat("x", 10_000) + ",5\n", "[{" + strings.Repeat("x", 10_000) + " 5}]"},
		{
			"part,quantity\n" + strings.Repeat("x", 10_001) + ",5\n",
			"s.csv:2:1: a text of 10001 bytes; at most 10000 are read",
		},
	} {
		list, err := ReadStock("s.csv", []byte(c.text))
		var got []string
		for _, s := range list {
			got = append(got, fmt.Sprintf("{%v %d}", s.Item, s.Quantity))
		}
		is := fmt.Sprint(got)
		if err != nil {
			is = err.Error()
		}
		if is != c.want {
			t.Errorf("%.80q: %.200s, expected %.200s", c.text, is, c.want)
		}
	}
	if _, err := LoadStock("testdata/none.csv"); err == nil {
		t.Error("a file that is not there")
	}
	if _, err := LoadOffer("testdata/none.csv"); err == nil {
		t.Error("a file that is not there")
	}
	c := newSorted([]Part{
		{ID: "box", Kind: KindSwitch},
		{ID: "ladder", Kind: KindCable, Cable: &Cable{Lengths: []units.Length{1, 3}}},
		{ID: "made", Kind: KindCable, Cable: &Cable{Lengths: []units.Length{1, 3}, MadeToMeasure: 8}},
		{ID: "reach", Kind: KindCable, Cable: &Cable{Lengths: []units.Length{1, 3}, Reach: 5}},
	}, nil)
	for _, s := range []struct{ item, want string }{
		{"box", ""},
		{"box@1 m", "box is not a cable and has no length"},
		{"bos", `there is no part "bos"; did you mean "box"?`},
		{"ladder", "no length; write ladder@1 m, a line for every length"},
		{"ladder@3 m", ""},
		{"ladder@2.2 m", ""},
		{"ladder@3.1 m", "ladder reaches 3 m, and 3.1 m is longer"},
		{"made@8 m", ""},
		{"made@8.1 m", "made reaches 8 m, and 8.1 m is longer"},
		{"reach@5 m", ""},
		{"reach@5.1 m", "reach reaches 5 m, and 5.1 m is longer"},
	} {
		item, err := ParseItem(s.item)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := c.Storable(item); err != nil {
			got = strings.TrimPrefix(err.Error(), ": ")
		}
		if got != s.want {
			t.Errorf("%s: %q, expected %q", s.item, got, s.want)
		}
	}
}

// TestOffersAtTheirLimits reads quotes whose cells are at and beyond what they may be.
func TestOffersAtTheirLimits(t *testing.T) {
	const head = "part,min qty,unit price,currency,date,lead time,pack\n"
	for _, c := range []struct{ row, want string }{
		{"x,1,5,USD,2025-06-01,,", ""},
		{"x,0,5,USD,2025-06-01,,", `q.csv:2:3: "0" is not a number of pieces`},
		{"x,1000000000000,5,USD,2025-06-01,,", ""},
		{"x,1000000000001,5,USD,2025-06-01,,", `q.csv:2:3: "1000000000001" is not a number of pieces`},
		{"x,1,100000000,USD,2025-06-01,,", ""},
		{"x,1,100000001,USD,2025-06-01,,", "q.csv:2:5: a price of more than 100000000"},
		{"x,1,5,USD,2025-06-01,0 days,", ""},
		{"x,1,5,USD,2025-06-01,,1", ""},
		{"x,1,5,USD,2025-06-01,,0", `q.csv:2:23: "0" is not a number of pieces in a pack`},
		{"x,1,5,USD,2025-06-01,,100000", ""},
		{"x,1,5,USD,2025-06-01,,100001", `q.csv:2:23: "100001" is not a number of pieces in a pack`},
		{"x,1,5,USD,40000,,", `q.csv:2:11: "40000" is not a date; write it like 2025-06-01`},
	} {
		_, err := ReadOffer("q.csv", []byte(head+c.row+"\n"))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, expected %q", c.row, got, c.want)
		}
	}
	o, err := ReadOffer("q.csv", []byte("part,min qty,unit price,currency,date\nc,20,5,USD,2025-06-01\n"+
		"c@3 m,10,4,USD,2025-06-01\nc@3 m,30,3,USD,2025-06-01\nd,5,9,USD,2025-06-01\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		item  string
		least int64
		unit  map[int64]units.Money // by quantity, 0 for no price
	}{
		{"c@3 m", 10, map[int64]units.Money{0: 400, 9: 0, 10: 400, 29: 400, 30: 300, 99: 300}},
		{"c@1 m", 20, map[int64]units.Money{0: 500, 19: 0, 20: 500}},
		{"d", 5, map[int64]units.Money{0: 900, 4: 0, 5: 900}},
		{"e", 0, map[int64]units.Money{0: 0, 100: 0}},
	} {
		item, err := ParseItem(c.item)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Least(item); got != c.least {
			t.Errorf("%s is offered from %d, expected %d", c.item, got, c.least)
		}
		for qty, want := range c.unit {
			if q := o.Quote(item, qty); q.Unit != want || q.Priced != (want > 0) {
				t.Errorf("%d of %s: %+v, expected %v", qty, c.item, q, want)
			}
		}
	}
	if !o.ByQuantity() {
		t.Error("prices do not depend on the quantity")
	}
	// A family that is offered from fewer pieces than the length itself.
	o, err = ReadOffer("q.csv", []byte("part,min qty,unit price,currency,date\nc,2,5,USD,2025-06-01\n"+
		"c@3 m,10,4,USD,2025-06-01\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Least(Item{"c", 3}); got != 2 {
		t.Errorf("offered from %d, expected 2", got)
	}
}

// TestDatesOfWorkbooks: the number in a date cell counts days, a fraction is a time of that day.
func TestDatesOfWorkbooks(t *testing.T) {
	for text, want := range map[string]string{
		"45809": "2025-06-01", "45809.75": "2025-06-01", "36526": "2000-01-01", "73050": "2099-12-31", "36525": "",
		"73051": "",
	} {
		r := &offerReader{}
		r.serial = func(n float64) (time.Time, error) { return excelize.ExcelDateToTime(n, false) }
		if got := r.date(text, r.at(1, 1)); got != want || (len(r.found) == 0) != (want != "") {
			t.Errorf("%s is %q, expected %q: %v", text, got, want, r.found)
		}
	}
}

// TestPartsAtTheirLimits checks parts whose figures are at and just beyond what they may be, against a file.
func TestPartsAtTheirLimits(t *testing.T) {
	base := Default().Parts()
	var b strings.Builder
	try := func(what string, part Part) {
		part.Source, part.Confidence = "s", Estimate
		k := checker{catalog: newSorted(append(slices.Clone(base), part), nil)}
		k.part = part.ID
		k.checkPart(&part)
		fmt.Fprintf(&b, "%s:", what)
		for _, err := range k.faults {
			fmt.Fprintf(&b, " %v;", err)
		}
		b.WriteString("\n")
	}
	const qsfp = "qsfp112"
	group := func(change func(g *PortGroup)) Part {
		g := PortGroup{Count: 4, Connector: qsfp, Rate: 400}
		change(&g)
		return Part{ID: "box", Kind: KindSwitch, Units: 1, Ports: []PortGroup{g}}
	}
	for _, n := range []int{0, 1, mostPorts, mostPorts + 1} {
		try(fmt.Sprint(n, " ports"), group(func(g *PortGroup) { g.Count = n }))
		try(fmt.Sprint(n, " ports with a label"), group(func(g *PortGroup) { g.Count, g.Label = n, "p#" }))
	}
	for _, n := range []int{-1, 0, 1, 2, 3, 4, 8} {
		try(fmt.Sprint("cages of ", n), group(func(g *PortGroup) { g.PerCage = n }))
	}
	for _, n := range []int{3, 4, 5} {
		try(fmt.Sprint(n, " places"), group(func(g *PortGroup) {
			g.At = slices.Repeat([][]units.Length{{0.1, 0.2}},
				n)
		}))
		try(fmt.Sprint(n, " names"), group(func(g *PortGroup) { g.Names = []string{"a", "b", "c", "d", "e"}[:n] }))
	}
	try("a place of one length", group(func(g *PortGroup) { g.At = slices.Repeat([][]units.Length{{0.1}}, 4) }))
	try("names and a label", group(func(g *PortGroup) { g.Names, g.Label = []string{"a", "b", "c", "d"}, "#" }))
	try("labels that are alike", group(func(g *PortGroup) { g.Label = "p" }))
	try("labels of cages", group(func(g *PortGroup) { g.Label, g.PerCage = "{cage}", 2 }))
	try("labels of lanes", group(func(g *PortGroup) { g.Label, g.PerCage = "{cage}/{lane}", 2 }))
	try("split names that are alike", group(func(g *PortGroup) { g.Split = "#" }))
	try("split names", group(func(g *PortGroup) { g.Split = "#-{lane}" }))
	try("a name with a blank", group(func(g *PortGroup) { g.Label = "p #" }))
	for _, h := range []units.Length{0, 1.96, 1.9669, 1.967, 2} { // 0.1 + 42 x 0.04445 = 1.9669
		try(fmt.Sprint("a rack of ", float64(h)), Part{
			ID: "rack", Kind: KindRack, Units: 42, Height: h,
			Rack: &RackSpec{Base: 0.1},
		})
		try(fmt.Sprint("a rack without a base of ", float64(h)), Part{ID: "rack", Kind: KindRack, Units: 44, Height: h})
	}
	for _, n := range []int{-1, 0, 1} {
		try(fmt.Sprint(n, " inlets"), Part{
			ID: "box", Kind: KindNode, Units: 1, Inlets: map[string]int{"c14": n},
			Ports: []PortGroup{{Count: 1, Connector: qsfp, Rate: 400}},
		})
		try(fmt.Sprint("zero-U of ", n, " units"), Part{
			ID: "box", Kind: KindNode, Units: n, ZeroU: true, Ports: []PortGroup{{
				Count: 1, Connector: qsfp,
				Rate: 400,
			}},
		})
		try(fmt.Sprint("section of ", n), Part{ID: "tray", Kind: KindTray, Section: units.Length(n)})
		try(fmt.Sprint("units of ", n), Part{
			ID: "box", Kind: KindNode, Units: n, Ports: []PortGroup{{Count: 1, Connector: qsfp, Rate: 400}},
		})
	}
	cable := func(change func(c *Cable)) Part {
		c := Cable{Medium: PassiveCopper, Connector: qsfp, Rate: 400, Lengths: []units.Length{1, 3}, Propagation: 4.5}
		change(&c)
		return Part{ID: "dac", Kind: KindCable, Cable: &c}
	}
	for _, n := range []int{-1, 0, 1, mostLinks, mostLinks + 1} {
		try(fmt.Sprint(n, " links"), cable(func(c *Cable) { c.Links = n }))
		try(fmt.Sprint(n, " legs"), cable(func(c *Cable) { c.Legs = n }))
		try(fmt.Sprint(n, " far plugs"), cable(func(c *Cable) {
			c.Links, c.Far = max(n, 1), &FarEnd{
				Connector: qsfp,
				Plugs:     n,
			}
		}))
	}
	for _, n := range []int{1, 2, 3, 4, 6} {
		try(fmt.Sprint("four links to ", n), cable(func(c *Cable) {
			c.Links, c.Far = 4, &FarEnd{
				Connector: qsfp,
				Plugs:     n,
			}
		}))
		try(fmt.Sprint("trunk to ", n), cable(func(c *Cable) { c.Legs, c.Far = 2, &FarEnd{Connector: qsfp, Plugs: n} }))
	}
	for _, r := range []units.Length{0, 2.9, 3, 4} {
		try(fmt.Sprint("reach ", float64(r)), cable(func(c *Cable) { c.Reach = r }))
		try(fmt.Sprint("made to measure, reach ", float64(r)), cable(func(c *Cable) {
			c.Reach, c.MadeToMeasure,
				c.Lengths = r, 3, nil
		}))
	}
	for _, m := range []units.Length{4095, 4096, 4097} {
		try(fmt.Sprint("made to ", float64(m)), cable(func(c *Cable) { c.MadeToMeasure = m }))
		try(fmt.Sprint("made to half of ", float64(m)), cable(func(c *Cable) { c.MadeToMeasure, c.Step = m/2, 0.5 }))
	}
	for _, l := range [][]units.Length{{0, 1}, {-1}, {1, 1}, {2, 1}, {1, 1.1}, nil} {
		try(fmt.Sprint("lengths ", l), cable(func(c *Cable) { c.Lengths = l }))
	}
	optic := func(change func(o *Optic)) Part {
		o := *Default().Part("nvidia-mma4z00-ns").Optic
		change(&o)
		return Part{ID: "optic", Kind: KindOptic, Optic: &o}
	}
	for _, loss := range []units.Loss{-1, 0, 0.1, 0.15, 0.2, 9} { // of 50 m of fibre at 3 dB/km
		try(fmt.Sprint("loss ", float64(loss)), optic(func(o *Optic) { o.Loss = loss }))
	}
	for _, n := range []int{-1, 0, 1} {
		try(fmt.Sprint("optic of ", n, " ports"), optic(func(o *Optic) { o.Ports = n }))
		try(fmt.Sprint("optic that reaches ", n), optic(func(o *Optic) { o.Reach = units.Length(n) }))
		try(fmt.Sprint("panel of ", n), Part{ID: "panel", Kind: KindPanel, Units: 1, Panel: &Panel{
			Connector: "lc",
			Fibre:     SingleMode, Ports: n,
		}})
	}
	golden.Compare(t, "limits.txt", b.String())
}

// TestSetsAtTheirLimits checks spreads and labour at and just beyond what they may be.
func TestSetsAtTheirLimits(t *testing.T) {
	for _, c := range []struct {
		spread Spread
		want   string
	}{
		{Spread{0, 1, "s"}, ""},
		{Spread{1, 1, "s"}, ""},
		{Spread{-0.1, 1, "s"}, "must be between 0 and 1"},
		{Spread{1.1, 2, "s"}, "must be between 0 and 1"},
		{Spread{0.5, 0.9, "s"}, "must be at least 1"},
		{Spread{0.5, math.Inf(1), "s"}, "must be at least 1"},
		{Spread{math.NaN(), 1, "s"}, "must be between 0 and 1"},
		{Spread{0.5, 2, ""}, "missing"},
	} {
		k := checker{catalog: Default()}
		k.checkSet(&PriceSet{Name: "s", Currency: "USD", Date: "2025", Source: "s", Spread: &c.spread})
		if got := said(k.faults); got != c.want {
			t.Errorf("%+v: %q, expected %q", c.spread, got, c.want)
		}
	}
	k := checker{catalog: Default()}
	k.checkSet(&PriceSet{Name: "s", Currency: "USD", Date: "2025", Source: "s", Labour: LabourRates{
		InRack: -1, BetweenRacks: -1, InRow: -1, CrossRow: -1, Fibre: -1, Source: "s", Confidence: User,
	}})
	if len(k.faults) != 5 {
		t.Errorf("%q", said(k.faults))
	}
}

// TestDevicesAtTheirLimits imports device types whose figures are at and beyond what they may be, against a file.
func TestDevicesAtTheirLimits(t *testing.T) {
	var b strings.Builder
	try := func(what, text string) {
		part, remarks, err := ImportDevice([]byte("manufacturer: A\nmodel: B\nslug: a-b\n"+text), "d.yaml", "")
		fmt.Fprintf(&b, "%s: %v\n", what, err)
		if part != nil {
			fmt.Fprintf(&b,
				"  %s of %d units, %v m high, %v W, %v kg, ports %+v, panel %+v, inlets %v, estimated %v\n", part.Kind,
				part.Units,
				float64(part.Height), float64(part.Power), float64(part.Weight), part.Ports, part.Panel, part.Inlets,
				part.Estimated)
		}
		for _, r := range remarks {
			fmt.Fprintf(&b, "  %v\n", r.Error())
		}
	}
	for _, h := range []string{"-1", "0", "0.5", "0.7", "1", "1.5", "100", "100.5", "x"} {
		try("height "+h, "u_height: "+h+"\n")
	}
	for _, w := range []string{"0", "1", "100000", "100001", "-1", "x"} {
		for _, unit := range []string{"kg", "g", "lb", "oz", "t"} {
			if w == "1" || unit == "kg" {
				try("weight "+w+" "+unit, "u_height: 1\nweight: "+w+"\nweight_unit: "+unit+"\n")
			}
		}
	}
	named := func(pattern string, from, n int) string {
		out := "u_height: 1\nweight: 1\nweight_unit: kg\ninterfaces:\n"
		for i := range n {
			out += fmt.Sprintf("- {name: "+pattern+", type: 100gbase-x-qsfp28}\n", from+i)
		}
		return out
	}
	for _, n := range []int{1, 15, 16, 18, 20, 21} {
		try(fmt.Sprint(n, " ports"), named("swp%d", 1, n))
		try(fmt.Sprint(n, " ports, of 20 by the text"), "description: 20-port switch\n"+named("swp%d", 3, n))
	}
	try("every third port", strings.NewReplacer("swp3,", "x,", "swp6,", "y,").Replace(named("swp%d", 1, 7)))
	try("more holes than ports",
		"u_height: 1\ninterfaces:\n- {name: p1, type: 10gbase-t}\n- {name: p9, type: 10gbase-t}\n")
	try("one hole in two ports",
		"u_height: 1\ninterfaces:\n- {name: p1, type: 10gbase-t}\n- {name: p3, type: 10gbase-t}\n")
	try("two rows with holes", "u_height: 1\ninterfaces:\n"+strings.Join([]string{
		"- {name: p1/1, type: 10gbase-t}", "- {name: p1/2, type: 10gbase-t}", "- {name: p1/4, type: 10gbase-t}",
		"- {name: p3/1, type: 10gbase-t}", "- {name: p3/2, type: 10gbase-t}", "- {name: p3/4, type: 10gbase-t}",
		"- {name: p2/1, type: 10gbase-t}", "",
	}, "\n"))
	try("twin cages",
		"u_height: 1\ninterfaces:\n- {name: p1/1, type: 400gbase-x-osfp}\n- {name: p1/2, type: 400gbase-x-osfp}\n"+
			"- {name: p2/1, type: 400gbase-x-osfp}\n")
	try("two ports of a twin cage", "u_height: 1\ninterfaces:\n- {name: p1/1, type: 400gbase-x-osfp}\n"+
		"- {name: p1/2, type: 400gbase-x-osfp}\n")
	try("two ports with one unnamed",
		"u_height: 1\ninterfaces:\n- {type: 400gbase-x-osfp}\n- {name: a, type: 400gbase-x-osfp}\n"+
			"- {name: a, type: 400gbase-x-osfp}\n- {name: l, type: lag}\n"+
			"- {name: q, type: 100gbase-x-qsfp2}\n- {name: r, type: 100gbase-x-qsfp2}\n")
	try("many inlets",
		"u_height: 1\npower-ports:\n- {name: a, type: iec-60320-c14, maximum_draw: 100, allocated_draw: 70}\n"+
			"- {name: b, type: iec-60320-c14, maximum_draw: 30}\n"+
			"- {name: c, type: iec-60320-c20, maximum_draw: 1000000}\n")
	for _, draw := range []string{"999999", "1000000", "0", "-1"} {
		try("a draw of "+draw, "u_height: 1\npower-ports:\n- {name: a, type: iec-60320-c14, maximum_draw: "+draw+"}\n")
	}
	for _, said := range []string{"70 W", "71 W", "0.07 kW", "0.071 kW", "1,000 watts"} {
		try("the text speaks of "+said, "u_height: 1\ndescription: up to "+said+
			"\npower-ports:\n- {name: a, maximum_draw: 40}\n- {name: b, maximum_draw: 30}\n")
	}
	try("a mistake behind line 4", "u_height: 1\n  weight: [\n")
	try("a panel",
		"u_height: 1\nfront-ports:\n- {name: a, type: lc}\n- {name: b, type: lc-apc}\n- {name: c, type: mpo}\n"+
			"- {name: d, type: sc}\n- {name: e, type: sc}\n")
	golden.Compare(t, "devices.txt", b.String())
}
