package handout

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPartsKeepGroupsTogether holds that parts are all rows in their order, none longer than it may be, and that a part
// ends within a group only where it consists of that group.
func TestPartsKeepGroupsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOf(rapid.IntRange(0, 8)).Draw(t, "rows")
		slices.Sort(rows)
		most := rapid.IntRange(1, 10).Draw(t, "most")
		got := parts(rows, most, func(a, b *int) bool { return *a == *b })
		if len(got) == 0 || !slices.Equal(slices.Concat(got...), rows) {
			t.Fatalf("%v", got)
		}
		for i, part := range got {
			if len(part) > most || len(part) == 0 && len(rows) > 0 {
				t.Fatalf("part %d of %v", i, got)
			}
			if i+1 == len(got) {
				continue
			}
			next := got[i+1]
			if last := part[len(part)-1]; last == next[0] && (part[0] != last || len(part) < most) {
				t.Fatalf("part %d of %v ends within a group", i, got)
			}
			end := 0 // of the first group of the next part
			for end < len(next) && next[end] == next[0] {
				end++
			}
			if part[len(part)-1] != next[0] && len(part)+end <= most {
				t.Fatalf("part %d of %v has room for a group", i, got)
			}
		}
	})
}

func TestTitlesOfParts(t *testing.T) {
	if one, second := (Part{1, 1}).String(), (Part{2, 3}).String(); one != "" || second != ", part 2 of 3" {
		t.Errorf("%q, %q", one, second)
	}
}
