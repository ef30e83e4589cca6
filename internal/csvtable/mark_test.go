package csvtable

import (
	"fmt"
	"strings"
	"testing"
)

func TestMarks(t *testing.T) {
	for _, yes := range []string{
		"x", "X", " x ", "yes", "YES", "ok", "OK!", "done", "Done.", "true", "TRUE", "WAHR", "1",
		"ja", "J", "oui", "sí",
		"✓", "✔️", "☑", "fertig", "gesteckt", "2026-11-26", "26.11.2026", "26.11.", "11/26/26", "46352", "46352.604",
		"2026-11-26T14:30:00Z", "26. Nov 2026", "26-Nov", "26 November", "Nov 26", "done 2026-11-26", "x, 26.11.26 " +
			"14:30",
		"14:30", "100%", "laid", "はい", "済", "да", "[x]", "[X]", "(x)", "100 %", "1.0", "erl.", "Active", "up",
	} {
		if is, ok := Mark(yes); !is || !ok {
			t.Errorf("%q: %v, %v", yes, is, ok)
		}
	}
	for _, no := range []string{
		"", " ", "-", "–", "0", "no", "No", "not yet", "NOT YET", "not-yet", "not done", "not laid " +
			"yet", "todo", "to do",
		"TO-DO", "nein", "noch nicht", "nicht gesteckt", "n/a", "N/A", "n.a.", "na", "open", "offen", "false", "FALSE",
		"FALSCH", "faux", "non", "pas encore", "todavía no", "ancora no", "nog niet", "nej", "нет", "✗", "✘", "❌", "✖️",
		"pending", "tbd", "missing", "未", "none", "in progress",
		"[ ]", "[]", "NOK", "n.i.O.", "0.0", "0 %", "removed",
		"on hold", "cancelled", "disconnected", "partially", "ordered",
	} {
		if is, ok := Mark(no); is || !ok {
			t.Errorf("%q: %v, %v", no, is, ok)
		}
	}
	for _, neither := range []string{
		"JS", "?", "x?", "maybe", "yes no", "ok, wrong port", "2", "12", "50%", "☒", "×", "o", "port " +
			"7", "Nov", "not needed",
		"45", "99999", "no idea", "reserved", "down", "half", "KW 48",
	} {
		if is, ok := Mark(neither); is || ok {
			t.Errorf("%q: %v, %v", neither, is, ok)
		}
	}
}

// TestDoneColumns: a column done counts alone, else all whose names mean as much.
func TestDoneColumns(t *testing.T) {
	for text, want := range map[string]string{
		"cable,done,status": "[1]", "Status": "[0]", "Laid?": "[0]", "cable,Done (x)": "[1]", "Cable status": "[0]",
		"is_installed": "[0]", "Erledigt,Posé": "[0 1]", "gesteckt (j/n)": "[0]", "laid by,laid_on,status date": "[]",
		"a_device,connected to,port status,state of": "[]", "tested,checked": "[]", "x,y,n,cable,link": "[]", "": "[]",
	} {
		if got := fmt.Sprint(DoneColumns(Heads(strings.Split(text, ",")))); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestDatesOfPorts(t *testing.T) {
	for text, want := range map[string]string{
		"01-Jan": "1/1 true", "1-Jan": "1/1 true", "Jan-01": "1/1 true", "Jan-13": "1/13 true", "Jan-32": "1/32 true",
		"1-Feb": "2/1 false", "02-Feb": "2/2 true", "13-Jan": "1/13 false", "1. Jan": "1/1 true", "01.Jan": "1/1 true",
		"1-Mai": "5/1 false", "45292": "1/1 true", "45293": "1/2 false", "2024-01-01": "1/1 true",
		"01/01/2024": "1/1 true", "2024-03-03 00:00:00": "3/3 true", "1-Jan-24": "1/1 true", "3-Mrz": "3/3 true",
		"1": "", "1/1": "", "1/1/4": "", "Ethernet1": "", "out-1": "", "swp1": "", "12": "", "1-foo": "", "99-Jan": "",
		"mlx5_0": "", "1-1": "", "1/2/3": "", "may": "", "eth1.665": "", "4001": "", "p1-1": "",
	} {
		first, second, order, ok := NumbersOfDate(text)
		got := ""
		if ok {
			got = fmt.Sprintf("%d/%d %v", first, second, order)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestHeader finds the names of columns under titles, in any spelling, with any separator and line end.
func TestHeader(t *testing.T) {
	is := func(heads []string) bool { return Has(heads, "a_device", "b_device") }
	for _, test := range []struct{ text, want string }{
		{"a_device,b_device\n1,2\n", "a_device b_device|1 2|2"},
		{"a_device;b_device\r\n1;2\r\n", "a_device b_device|1 2|2"},
		{"a_device\tb_device\r1\t2\r", "a_device b_device|1 2|2"},
		{"sep=;\r\nA Device;B Device\r\n1;2,5\r\n", "a_device b_device|1 2,5|3"},
		{"\"sep=;\"\nA Device;B Device\n1;2\n", "a_device b_device|1 2|3"},
		{"Cables, hall 2; as \"laid\"\n\n;;\nA Device;B-Device;(Note)\n1;2;3\n", "a_device b_device note|1 2 3|5"},
		{"A\nDevice,B\n", "a|Device B|2"},
		{"\"A\nDevice\",B device\n1,2\n", "a_device b_device|1 2|3"},
		{"x;y\n1;2\n", "x y|1 2|2"},
		{"sep=,\na;b\n1,2\n", "a_b|1 2|3"},
		{"", "EOF"},
		{"\n\n", "EOF"},
	} {
		for _, text := range []string{test.text, utf16Text("\ufeff"+test.text, false), utf16Text(test.text, true)} {
			r := NewReader("f", strings.NewReader(text))
			heads, err := r.Header(is)
			got := strings.Join(heads, " ")
			if err == nil {
				var row []string
				row, err = r.Read()
				got += "|" + strings.Join(row, " ")
				if err == nil {
					line, _ := r.FieldPos(0)
					got += fmt.Sprintf("|%d", line)
				}
			}
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("%q: %q, want %q", text, got, test.want)
			}
		}
	}
}
