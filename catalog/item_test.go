package catalog

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

func TestParseItem(t *testing.T) {
	for _, test := range []struct {
		text  string
		want  Item
		fault string
	}{
		{"rack-42u", Item{Part: "rack-42u"}, ""},
		{"dac@3 m", Item{"dac", 3}, ""},
		{"dac@300 cm", Item{"dac", 3}, ""},
		{"dac@7 ft", Item{"dac", 2.1336}, ""},
		{"dac@.5", Item{"dac", 0.5}, ""},
		{"@3 m", Item{Length: 3}, "Part: no part id before the @"},
		{"", Item{}, "Part: no part id before the @"},
		{"dac@", Item{Part: "dac"}, `Length: "" is not the length of a cable; write id@3 m`},
		{"dac@3 yd", Item{Part: "dac"}, `Length: "3 yd" is not the length of a cable; write id@3 m`},
		{"dac@-1", Item{Part: "dac"}, `Length: "-1" is not the length of a cable; write id@3 m`},
		{"dac@0.01 mm", Item{Part: "dac"}, `Length: "0.01 mm" is not the length of a cable; write id@3 m`},
		{"dac@1e308", Item{Part: "dac"}, `Length: "1e308" is not the length of a cable; write id@3 m`},
		{"@x", Item{}, "Part: no part id before the @\nLength: \"x\" is not the length of a cable; write id@3 m"},
	} {
		got, err := ParseItem(test.text)
		fault := ""
		if err != nil {
			fault = err.Error()
		}
		if got != test.want || fault != test.fault {
			t.Errorf("%q is %+v, %q; want %+v, %q", test.text, got, fault, test.want, test.fault)
		}
	}
}

func TestOnlyCablesHaveALength(t *testing.T) {
	if i := Default().Part("rack-42u").Item(3); i != (Item{Part: "rack-42u"}) {
		t.Error(i)
	}
	if i := Default().Part("dac-400g-qsfp112").Item(3.00001); i != (Item{"dac-400g-qsfp112", 3}) {
		t.Error(i)
	}
}

// An item is read back from its text, and stands in documents as a string.
func TestItemsAreTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		item := Item{Part: rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._+-]{0,9}`).Draw(t, "part")}
		item.Length = units.Length(rapid.IntRange(0, 1e9).Draw(t, "tenths of a millimetre")) / 1e4
		back, err := ParseItem(item.String())
		if err != nil || back != item {
			t.Fatalf("%+v is written %q and read %+v, %v", item, item, back, err)
		}
		document, err := json.Marshal(map[Item]Item{item: item})
		var read map[Item]Item
		if err != nil || string(document) != `{"`+item.String()+`":"`+item.String()+`"}` {
			t.Fatalf("%s, %v", document, err)
		}
		if err := json.Unmarshal(document, &read); err != nil || read[item] != item {
			t.Fatalf("%v, %v", read, err)
		}
	})
}

func TestItemsByPartAndLength(t *testing.T) {
	ascending := []Item{{"a", 0}, {"a", 2}, {"a", 10}, {"a-1", 1}, {"b", 0}}
	for i, x := range ascending {
		for j, y := range ascending {
			if got := x.Compare(y); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%v beside %v: %d", x, y, got)
			}
		}
	}
}
