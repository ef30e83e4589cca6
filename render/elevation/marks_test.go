package elevation

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestMarkedRacks: a rack with marks has a frame round what they are about, on both sides, and lists them as far as
// there is room; racks without any are left out, and a book without any rack says so.
func TestMarkedRacks(t *testing.T) {
	r := planned(t, small)
	all := Of(r)
	rack := all[len(all)-1]
	var box *Mounted
	for i := range rack.Stack {
		if rack.Stack[i].Kind != Free && rack.Stack[i].Unit > 0 {
			box = &rack.Stack[i]
		}
	}
	var marks []Mark
	for i := range 200 {
		marks = append(marks, Mark{
			Place: rack.Place, Unit: box.Unit, Box: box.What, Port: fmt.Sprint(i + 1), Kind: "swapped",
			Text: "is LF1 1; planned LF2 1, C0001, and so many words that they do not fit a line of the page",
		})
	}
	text := page(t, r, Options{Marks: marks[:2]})
	for _, want := range []string{
		"2 ports to look at", box.What + " 1: swapped", box.What + " 2: swapped", "is LF1 1;",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	plain := page(t, r, Options{Racks: []string{rack.Name}})
	if n := strings.Count(text, "frame") - strings.Count(plain, "frame"); n != 2 {
		t.Errorf("%d frames more than without marks", n)
	}
	if many := page(t, r, Options{Marks: marks}); !strings.Contains(many, "more") ||
		strings.Contains(many, box.What+" 200: swapped") {
		t.Error("200 marks fit a page")
	}
	groups, err := Chosen(r, Options{Marks: marks})
	if err != nil || len(groups) != 1 || groups[0][0].Name != rack.Name {
		t.Errorf("%v, %v", groups, err)
	}
	var b bytes.Buffer
	err = Book(t.Context(), &b, r, Options{Marks: []Mark{}, Unmarked: "Nothing differs."})
	if err != nil || b.Len() == 0 {
		t.Error(err)
	}
	if _, err := Draw(r, Options{Marks: []Mark{}}); err == nil {
		t.Error("a picture of no rack")
	}
}
