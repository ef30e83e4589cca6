package scheduler

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestHostLists expands lists again: the same names, whatever their order and leading zeros.
func TestHostLists(t *testing.T) {
	for names, want := range map[string]string{
		"a": "a", "n1 n2 n3": "n[1-3]", "n08 n09 n10": "n[08-10]", "n8 n9 n10": "n[8-10]", "n1 m1 n2": "n[1-2],m1",
		"n1 n3 n4 x": "n[1,3-4],x", "n01 n2": "n01,n2", "n99999999999999999": "n99999999999999999",
		"a1b": "a1b", "9 10": "[9-10]", "n099 n100": "n[099-100]", "n99 n100": "n[99-100]",
	} {
		if got := hostList(strings.Fields(names)); got != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("%s%0*d", rapid.SampledFrom([]string{"n", "m-", "r1s"}).Draw(t, "prefix"),
				rapid.IntRange(1, 3).Draw(t, "width"), rapid.IntRange(0, 12).Draw(t, "number"))
		}), 1, 20, func(s string) string { return s }).Draw(t, "names")
		got := expandList(t, hostList(names))
		slices.Sort(got)
		slices.Sort(names)
		if !slices.Equal(got, names) {
			t.Fatalf("%v became %s, which is %v", names, hostList(names), got)
		}
	})
}

func expandList(t *rapid.T, list string) []string {
	var out []string
	for item := range strings.SplitSeq(strings.ReplaceAll(list, ",", "\x00"), "\x00") {
		out = append(out, item)
	}
	// Commas within brackets part ranges.
	var joined []string
	for i := 0; i < len(out); i++ {
		item := out[i]
		for strings.Contains(item, "[") && !strings.Contains(item, "]") {
			i++
			item += "," + out[i]
		}
		joined = append(joined, item)
	}
	out = nil
	for _, item := range joined {
		prefix, ranges, is := strings.Cut(item, "[")
		if !is {
			out = append(out, item)
			continue
		}
		for r := range strings.SplitSeq(strings.TrimSuffix(ranges, "]"), ",") {
			from, to, is := strings.Cut(r, "-")
			if !is {
				to = from
			}
			var a, b int
			if _, err := fmt.Sscanf(from+" "+to, "%d %d", &a, &b); err != nil {
				t.Fatal(item, err)
			}
			for n := a; n <= b; n++ {
				out = append(out, fmt.Sprintf("%s%0*d", prefix, len(from), n))
			}
		}
	}
	return out
}
