package exchange_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/golden"
)

// brief is the fields of a value that are not zero.
func brief(x any) string {
	var out []string
	v := reflect.ValueOf(x)
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
			value := fmt.Sprintf("%v", v.Field(i))
			if v.Field(i).Kind() == reflect.Struct {
				value = brief(v.Field(i).Interface())
			}
			out = append(out, f.Name+" "+value)
		}
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// wiringText is a wiring in words.
func wiringText(w *exchange.Wiring) string {
	var b strings.Builder
	if w.Partial {
		b.WriteString("partial\n")
	}
	for _, x := range w.Boxes {
		fmt.Fprintf(&b, "box %s\n", brief(x))
	}
	for _, x := range w.Links {
		fmt.Fprintf(&b, "link %s\n", brief(x))
	}
	for _, x := range w.Places {
		fmt.Fprintf(&b, "place %s\n", brief(x))
	}
	for _, x := range w.Racks {
		fmt.Fprintf(&b, "rack %s\n", brief(x))
	}
	for _, x := range w.Notes {
		fmt.Fprintf(&b, "note %s\n", x)
	}
	return b.String()
}

// TestTablesAreReadAsTheyAre compares what tables and texts say, as people save them and as other programs write them,
// with a file.
func TestTablesAreReadAsTheyAre(t *testing.T) {
	var got strings.Builder
	paths, err := filepath.Glob("testdata/tables/*")
	if err != nil || len(paths) < 20 {
		t.Fatal(len(paths), err)
	}
	pages := map[string]*exchange.Wiring{}
	for _, path := range paths {
		w, err := exchange.Read(path)
		fmt.Fprintf(&got, "--- %s\n", filepath.Base(path))
		if err != nil {
			fmt.Fprintf(&got, "error: %s\n", filepath.ToSlash(err.Error()))
			continue
		}
		got.WriteString(wiringText(w))
		pages[filepath.Base(path)] = w
	}
	for _, order := range [][]string{{"page1.json", "page2.json"}, {"page2.json", "power.csv", "page1.json"}} {
		var sources []*exchange.Wiring
		for _, name := range order {
			sources = append(sources, pages[name])
		}
		for _, w := range exchange.JoinPages(sources) {
			fmt.Fprintf(&got, "--- joined %s\n%s", w.Source, wiringText(w))
		}
	}
	golden.Compare(t, "small/read/tables.txt", got.String())
}

// TestUnitsFromTheTop goes the way back from the lowest unit above the floor to the number that NetBox shows: the least
// that the box covers.
func TestUnitsFromTheTop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &exchange.Rack{
			Units: rapid.IntRange(1, 60).Draw(t, "units"), FromTop: rapid.Bool().Draw(t, "from top"),
			Start: rapid.IntRange(0, 20).Draw(t, "start"),
		}
		height := rapid.IntRange(1, r.Units).Draw(t, "height")
		lowest := rapid.IntRange(1, r.Units-height+1).Draw(t, "lowest")
		var shown []int // numbers of the units that the box covers
		for unit := lowest; unit < lowest+height; unit++ {
			number := unit
			if r.FromTop {
				number = r.Units + 1 - unit
			}
			shown = append(shown, number+max(r.Start, 1)-1)
		}
		p := exchange.Place{Unit: slices.Min(shown)}
		if unit, half := p.FromFloor(r, float64(height)); unit != lowest || half {
			t.Fatalf("%d, %v, want %d", unit, half, lowest)
		}
	})
}

// TestHalfUnits: a box that begins half a unit higher does so from the floor as well, in racks that count from either
// end.
func TestHalfUnits(t *testing.T) {
	for _, c := range []struct {
		r    exchange.Rack
		p    exchange.Place
		unit int
	}{
		{exchange.Rack{Units: 42}, exchange.Place{Unit: 7, Half: true}, 7},
		{exchange.Rack{Units: 42, Start: 5}, exchange.Place{Unit: 7, Half: true}, 3},
		{exchange.Rack{Units: 42, FromTop: true}, exchange.Place{Unit: 7, Half: true}, 35}, // 42 - 7.5 + 1
	} {
		if unit, half := c.p.FromFloor(&c.r, 1); unit != c.unit || !half {
			t.Errorf("%+v in %+v: %d, %v, want %d and a half", c.p, c.r, unit, half, c.unit)
		}
	}
}

// TestSavedTablesSayTheSame writes a table of cables in the ways in which spreadsheets save it.
func TestSavedTablesSayTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z][a-z0-9 .-]{0,5}[a-z]`)
		yes := rapid.SampledFrom([]string{"x", "yes", "OK", "ja", "TRUE", "done", "2026-11-26", "✓"})
		no := rapid.SampledFrom([]string{"", "no", "not yet", "todo", "nein", "n/a", "open", "✗", "FALSE"})
		rows := [][]string{{"a_device", "a_port", "b_device", "b_port", "done"}}
		var want []string
		for i := range rapid.IntRange(1, 6).Draw(t, "rows") {
			row := []string{name.Draw(t, "a"), fmt.Sprint(i), name.Draw(t, "b"), fmt.Sprintf("1/%d", i), ""}
			if rapid.Bool().Draw(t, "laid") {
				row[4] = yes.Draw(t, "yes")
				want = append(want, strings.Join(row[:4], "|"))
			} else {
				row[4] = no.Draw(t, "no")
			}
			rows = append(rows, row)
		}
		sep := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(t, "separator")
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "end")
		spelt := rapid.SampledFrom([]func(string) string{
			func(s string) string { return s }, strings.ToUpper,
			func(s string) string { return strings.ReplaceAll(s, "_", " ") },
			func(s string) string { return " " + strings.ReplaceAll(strings.ToUpper(s), "_", "-") + " " },
		}).Draw(t, "spelling")
		for i := range rows[0] {
			rows[0][i] = spelt(rows[0][i])
		}
		text := rapid.SampledFrom([]string{
			"", "sep=" + sep + end, "Cables of the hall" + end + end,
			"\ufeff",
		}).Draw(t, "above")
		for _, row := range rows {
			text += strings.Join(row, sep) + end
		}
		w, err := exchange.ReadCables("x.csv", strings.NewReader(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var got []string
		for _, l := range w.Links {
			got = append(got, strings.Join([]string{
				w.Boxes[l.A.Box].Name, l.A.Port, w.Boxes[l.B.Box].Name,
				l.B.Port,
			}, "|"))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}

// TestOwnExportsAreRead reads the exports of small machines whose ports are names: the links are those that were
// written.
func TestOwnExportsAreRead(t *testing.T) {
	for name, r := range smallPlans(t) {
		files := exported(t, r, "")
		for _, format := range []string{"ptm", "point-to-point"} {
			text := files[format]
			if strings.HasPrefix(text, "error") {
				continue
			}
			path := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			w, err := exchange.Read(path)
			if err != nil {
				t.Fatal(name, format, err)
			}
			planned, err := exchange.PlannedWiring(r, "")
			if err != nil {
				t.Fatal(err)
			}
			if len(w.Links) != len(planned.Links) {
				t.Errorf("%s: %s has %d links of %d", name, format, len(w.Links), len(planned.Links))
			}
			for i, l := range w.Links {
				p := planned.Links[i]
				written := strings.NewReplacer(`"`, "_", `\`, "_").Replace
				if format != "ptm" {
					written = strings.TrimSpace
				}
				a, b := written(planned.Boxes[p.A.Box].Name), written(planned.Boxes[p.B.Box].Name)
				if w.Boxes[l.A.Box].Name != a || w.Boxes[l.B.Box].Name != b {
					t.Errorf("%s: %s: link %d is from %s to %s", name, format, i, w.Boxes[l.A.Box].Name,
						w.Boxes[l.B.Box].Name)
				}
			}
		}
	}
}
