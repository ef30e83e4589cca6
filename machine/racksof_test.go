package machine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/machine"
)

// TestRacksOf compares what entries stand for with the names of all racks, in rooms of drawn halls.
func TestRacksOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perRow := rapid.IntRange(2, 12).Draw(t, "racks")
		halls := rapid.SliceOfN(rapid.IntRange(1, 3), 1, 3).Draw(t, "halls")
		var list, want []string
		rows := 0
		hallOf := map[string]int{}
		for i, n := range halls {
			list = append(list, fmt.Sprintf("{name: hall-%d, rows: %d}", i, n))
			for range n {
				for k := range perRow {
					name := fmt.Sprintf("%c%02d", 'A'+rows, k+1)
					hallOf[name] = i
					want = append(want, name)
				}
				rows++
			}
		}
		var paths []string
		for row := 1; row < rows; row++ {
			paths = append(paths, fmt.Sprintf("{name: p%d, from: %c01, to: %c01}", row, 'A'+row-1, 'A'+row))
		}
		s, err := machine.Parse("m.yaml", []byte(fmt.Sprintf("topology: {family: torus, dims: [4]}\nroom:\n"+
			"  rows: %d\n  racks_per_row: %d\n  halls: [%s]\n  trays: {paths: [%s]}\n", rows, perRow,
			strings.Join(list, ", "), strings.Join(paths, ", "))))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		check := func(entry string, has func(rack string) bool) {
			expected := slices.DeleteFunc(slices.Clone(want), func(rack string) bool { return !has(rack) })
			if got := r.RacksOf(entry); !slices.Equal(got, expected) {
				t.Errorf("%s: %v, not %v", entry, got, expected)
			}
		}
		hall := rapid.IntRange(0, len(halls)-1).Draw(t, "hall")
		check(fmt.Sprintf("hall-%d", hall), func(rack string) bool { return hallOf[rack] == hall })
		first := rapid.IntRange(0, rows-1).Draw(t, "first row")
		last := rapid.IntRange(first, rows-1).Draw(t, "last row")
		check(string(rune('A'+first)), func(rack string) bool { return int(rack[0]) == 'A'+first })
		check(fmt.Sprintf("%c-%c", 'A'+first, 'A'+last), func(rack string) bool {
			return 'A'+first <= int(rack[0]) && int(rack[0]) <= 'A'+last
		})
		from := rapid.IntRange(1, perRow).Draw(t, "from")
		to := rapid.IntRange(from, perRow).Draw(t, "to")
		check(fmt.Sprintf("%c%02d-%c%02d", 'A'+first, from, 'A'+first, to), func(rack string) bool {
			var n int
			fmt.Sscan(strings.TrimLeft(rack[1:], "0"), &n)
			return int(rack[0]) == 'A'+first && from <= n && n <= to
		})
		check("nowhere", func(string) bool { return false })
	})
}
