package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/units"
)

// TestQuotesSayHowToOrder reads what a quote has besides prices, under the headings that suppliers use.
func TestQuotesSayHowToOrder(t *testing.T) {
	const end = ",currency,date,vendor,Lead time,Pack size\n" +
		"x@1 m,%,5,USD,2025-06-01,Acme,8 weeks,10\ny,,6,USD,2025-06-01,,,\n"
	for _, heading := range []string{"part,MPN,price", "part,Part number,price", "id,SKU,price"} {
		o, err := ReadOffer("q.csv", []byte(heading+strings.ReplaceAll(end, "%", "A-1")))
		if err != nil {
			t.Fatalf("%s: %v", heading, err)
		}
		want := Order{Supplier: "Acme", PartNumber: "A-1", Lead: 56, Pack: 10}
		if diff := cmp.Diff(want, o.Quote(Item{"x", 1}, 1).Order); diff != "" {
			t.Errorf("%s: %s", heading, diff)
		}
		if got := o.Quote(Item{Part: "y"}, 1).Order; got != (Order{}) {
			t.Errorf("%s: %+v", heading, got)
		}
	}
	_, err := ReadOffer("q.csv", []byte("part,price,currency,date,lead time,pack\nx,5,USD,2025-06-01,soon,0\n"))
	for _, want := range []string{
		`q.csv:2:20: "soon" is not a time of delivery`,
		`"0" is not a number of pieces in a pack`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v has no %s", err, want)
		}
	}
}

// TestReadStock reads lists as stores keep them.
func TestReadStock(t *testing.T) {
	got, err := ReadStock("s.csv", []byte("Bin;Part;Length;On hand\nA;x;3 m;4\n\nB;y;;0\nC;z@50 cm;;7\nD;w;;2\n"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, s := range got {
		lines = append(lines, s.Item.String()+" "+string(rune('0'+s.Quantity)))
	}
	if diff := cmp.Diff([]string{"x@3 m 4", "z@0.5 m 7", "w 2"}, lines); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"part,length\nx,1 m\n": "no header", "part,qty\n": "nothing below",
		"part,qty\nx,-1\n": "not a number of pieces",
		"part,qty\n,1\n":   "no part", "part,qty\nx,\n": "no quantity", "part,qty,qty\nx,1,1\n": "comes twice",
	} {
		if _, err := ReadStock("s.csv", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzReadStock(f *testing.F) {
	f.Add([]byte("part;length;qty\nx;3 m;4\n"))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = ReadStock("s.csv", data)
	})
}

func TestInletsAreOfIEC60320(t *testing.T) {
	part := Part{
		ID: "x", Kind: KindSwitch, Units: 1, Source: "test", Confidence: User,
		Inlets: map[string]int{"c14": 2, "C13": 1, "c20": 0, "c13": 1, "c99": 1},
		Ports:  []PortGroup{{Count: 1, Connector: "osfp", Rate: 400}},
	}
	_, err := New([]Part{part}, nil)
	for _, want := range []string{
		`inlets.C13: "C13" is not a type of inlet`, "inlets.c20: 0 inlets",
		`inlets.c13: "c13" is not a type of inlet but of the outlets for it`,
		`inlets.c99: "c99" is not a type of inlet`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v has no %s", err, want)
		}
	}
}

// TestOutletsAreConnectors: outlets are called by the connectors that fit them; no inlet and no other number is one.
func TestOutletsAreConnectors(t *testing.T) {
	for kind, right := range map[string]bool{
		"c1": true, "c13": true, "c19": true, "c23": true, "c39": true, "c14": false, "c20": false, "c25": false,
		"c99": false, "c": false, "c131": false,
	} {
		_, err := New([]Part{{
			ID: "x", Kind: KindNode, ZeroU: true, Height: 1.8, Source: "test", Confidence: User,
			Supply: &Supply{Volts: 230, Outlets: []OutletGroup{{Type: kind, Count: 4}}},
		}}, nil)
		if refused := err != nil && strings.Contains(err.Error(), "is not a type of outlet"); refused == right {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// TestOpeningsAreInTheRack: an opening is no wider and no deeper than its rack.
func TestOpeningsAreInTheRack(t *testing.T) {
	for _, o := range []struct {
		width, depth units.Length
		want         string
	}{
		{0.6, 1.2, ""},
		{0.7, 0.1, "rack.openings[0].width: 0.7 m is more than the rack is wide, 0.6 m"},
		{0.1, 1.3, "rack.openings[0].depth: 1.3 m is more than the rack is deep, 1.2 m"},
	} {
		_, err := New([]Part{{
			ID: "x", Kind: KindRack, Units: 42, Width: 0.6, Depth: 1.2, Height: 2, Source: "test", Confidence: User,
			Rack: &RackSpec{Openings: []Opening{{At: "top", Width: o.width, Depth: o.depth}}},
		}}, nil)
		if got := fmt.Sprint(err); (err == nil) != (o.want == "") || !strings.Contains(got, o.want) {
			t.Errorf("%v x %v: %v, want %s", o.width, o.depth, err, o.want)
		}
	}
}
