package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// said writes a wiring in a line a link.
func said(w *Wiring) string {
	var b strings.Builder
	end := func(e End) string {
		if e.Lane > 0 {
			return fmt.Sprintf("%s %s lane %d", w.Boxes[e.Box].Name, e.Port, e.Lane)
		}
		return w.Boxes[e.Box].Name + " " + e.Port
	}
	for _, l := range w.Links {
		b.WriteString(end(l.A) + " - " + end(l.B))
		for _, more := range []string{l.Rate, l.Product} {
			if more != "" {
				b.WriteString(", " + more)
			}
		}
		b.WriteString("\n")
	}
	for _, x := range w.Boxes {
		if x.Listed {
			b.WriteString(x.Name + " " + x.Role + "\n")
		}
	}
	return b.String()
}

const discovered = `#
# Topology file: generated on Mon Nov 23 05:24:26 2026
#
# Initiated from node 0000000000200000 port 0000000000200000

vendid=0x2c9
devid=0xd2f2
sysimgguid=0x20001f
switchguid=0x20001f(20001f)
Switch	64 "S-000000000020001f"		# "leaf-1" enhanced port 0 lid 4 lmc 0
[1]	"H-0000000000100360"[1](100368) 		# "node-1 HCA-1" lid 9 4xNDR
[33]	"S-0000000000200020"[2]		# "spine-1" lid 2 4xNDR

vendid=0x2c9
switchguid=0x200020(200020)
Switch	64 "S-0000000000200020"		# "spine-1" base port 0 lid 2 lmc 0
[2]	"S-000000000020001f"[33]		# "leaf-1" lid 4 4xNDR

caguid=0x100360
Ca	1 "H-0000000000100360"		# "node-1 HCA-1"
[1](100368) 	"S-000000000020001f"[1]		# lid 9 lmc 0 "leaf-1" lid 4 4xNDR
`

const discoveredSays = `leaf-1 1 - node-1 HCA-1 1, 4xNDR
leaf-1 33 - spine-1 2, 4xNDR
leaf-1 switch
node-1 HCA-1 adapter
spine-1 switch
`

const report = `CA     9  1 0x0000000000100368 4x NDR - SW     4  1 0x000000000020001f ( 'node-1 HCA-1' - 'leaf-1' )
SW     4 33 0x000000000020001f 4x NDR - SW     2  2 0x0000000000200020 ( 'leaf-1' - 'spine-1' )
SW     4 34 0x000000000020001f 4x SDR 'leaf-1'
SW     4  1 0x000000000020001f 4x NDR - CA     9  1 0x0000000000100368 ( 'leaf-1' - 'node-1 HCA-1' )
SW     2  2 0x0000000000200020 4x NDR - SW     4 33 0x000000000020001f ( 'spine-1' - 'leaf-1' )
`

const reportSays = `node-1 HCA-1 1 - leaf-1 1, 4xNDR
leaf-1 33 - spine-1 2, 4xNDR
node-1 HCA-1 adapter
leaf-1 switch
spine-1 switch
`

// neighbours is in the form of lldpctl -f json of lldpd 1.0.
const neighbours = `{"lldp": {"interface": [
  {"eth0": {"via": "LLDP", "rid": "1", "chassis": {"leaf-1": {"id": {"type": "mac", "value": "02:00:00:00:00:01"}}},
            "port": {"id": {"type": "ifname", "value": "swp7"}, "descr": "to node-1"}}},
  {"eth1": {"chassis": {"leaf-2": {"id": {"type": "mac", "value": "02:00:00:00:00:02"}}},
            "port": {"id": {"type": "mac", "value": "02:00:00:00:00:03"}, "descr": "swp8"}}},
  {"eth2": {"chassis": {"id": {"type": "mac", "value": "02:00:00:00:00:04"}},
            "port": {"id": {"type": "mac", "value": "02:00:00:00:00:05"}}}}
]}}`

const oneNeighbour = `{"lldp": {"interface": {"eth0": {"chassis": {"leaf-1": {}},
  "port": {"id": {"type": "ifname", "value": "swp7"}}}}}}`

func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"ibnetdiscover.txt", discovered, discoveredSays},
		{
			"simulator.net", "Switch 36 \"L00\"\n[1] \"N000\"[1]\n\nHca 1 \"N000\"\n[1] \"L00\"[1]\n",
			"L00 1 - N000 1\nL00 switch\nN000 adapter\n",
		},
		{"ports.txt", report, reportSays},
		{"node-1.json", neighbours, "node-1 eth0 - leaf-1 swp7\nnode-1 eth1 - leaf-2 02:00:00:00:00:03\n" +
			"node-1 eth2 - 02:00:00:00:00:04 02:00:00:00:00:05\nnode-1 \n"},
		{"node-1.json", oneNeighbour, "node-1 eth0 - leaf-1 swp7\nnode-1 \n"},
		{
			"cables.csv", "\ufeffcable_id,a_device,a_port,b_device,b_port,product,done\r\n" +
				"C1,leaf-1,1,node-1,1,x@1 m,yes\r\nC2,leaf-1,2,node-2,1,x@1 m,\r\nC3,,,,,,\r\n" +
				"C4,leaf-1,4,node-2,1,x@1 m,No\r\nC5,leaf-1,5,node-2,1,x@1 m,0\r\n",
			"leaf-1 1 - node-1 1, x@1 m\nleaf-1 \nnode-1 \nnode-2 \n",
		},
	} {
		path := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(path, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := Read(path)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := said(w); got != tt.want {
			t.Errorf("%s says:\n%s\nexpected:\n%s", tt.name, got, tt.want)
		}
	}
}

// book makes a workbook of sheets, each with its rows.
func book(t testing.TB, sheets ...[][]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for i, rows := range sheets {
		name := []string{"Cables", "Cables 2", "Notes"}[i]
		if i == 0 && len(sheets) == 1 {
			name = "Sheet1"
		} else if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for k, row := range rows {
			if err := f.SetSheetRow(name, fmt.Sprintf("A%d", k+1), &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(sheets) > 1 {
		f.DeleteSheet("Sheet1")
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadCableBook(t *testing.T) {
	head := []any{"Cable_ID", "a_device", "a_port", "b_device", "b_port", "Done"}
	first := [][]any{head, {"C1", "leaf-1", 1, "node-1", "1", "x"}, {"C2", "leaf-1", 2, "node-2", 1}, {"C3"}}
	second := [][]any{{"b_port", "b_device", "a_port", "a_device"}, {}, {7, "spine-1", 8, "leaf-1"}}
	want := "leaf-1 1 - node-1 1\nleaf-1 \nnode-1 \nnode-2 \n"
	for _, tt := range []struct {
		sheets [][][]any
		want   string
	}{
		{[][][]any{first}, want},
		{
			[][][]any{first, second, {{"anything"}}},
			"leaf-1 1 - node-1 1\nleaf-1 8 - spine-1 7\n" + want[20:] + "spine-1 \n",
		},
		{[][][]any{{head, {"C1", "leaf", 1, "node"}}}, "x.xlsx:Sheet1!A2: one end of the cable is not named in full"},
		{[][][]any{{}}, "x.xlsx:Sheet1!A1: the table is empty"},
		{[][][]any{{{"anything"}}}, "x.xlsx:Sheet1!A1: there is no column a_device"},
		{[][][]any{{head}, {{"nothing"}}}, "x.xlsx:Cables 2!A1: there is no column a_device"},
	} {
		path := filepath.Join(t.TempDir(), "x.xlsx")
		if err := os.WriteFile(path, book(t, tt.sheets...), 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := Read(path)
		got := ""
		if err == nil {
			got = said(w)
		} else {
			got, _, _ = strings.Cut(strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""), ";")
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("got:\n%s\nexpected:\n%s", got, tt.want)
		}
	}
	if _, err := ReadCableBook("x", strings.NewReader("PK\x03\x04 and no more")); !errors.As(err, new(diag.List)) {
		t.Errorf("a broken workbook: %v", err)
	}
}

// TestCutOff: what is plugged into the last device of a text that ends too early is not known.
func TestCutOff(t *testing.T) {
	const whole = "Switch 36 \"a\"\n[1] \"n1\"[1]\n[2] \"b\"[1]\n\nSwitch 36 \"b\"\n[1] \"a\"[2]\n[2] \"n2\"[1]\n\n" +
		"Ca 1 \"n1\"\n[1] \"a\"[1]\n\nCa 1 \"n2\"\n[1] \"b\"[2]\n"
	for _, end := range []int{len(whole), strings.Index(whole, "[2] \"n2")} {
		w, err := ReadIBNetDiscover("x", strings.NewReader(whole[:end]))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range w.Boxes {
			want := end == len(whole) || b.Name == "a" // n1 has no record, and that of b may go on
			if b.Listed != want {
				t.Errorf("%d bytes: %s is listed: %v", end, b.Name, b.Listed)
			}
		}
		if (len(w.Notes) == 0) != (end == len(whole)) {
			t.Errorf("%d bytes: %q", end, w.Notes)
		}
	}
}

// TestDoneColumnsCount: cables are not laid where a column such as status says so, in tables of all kinds.
func TestDoneColumnsCount(t *testing.T) {
	const ours = "a_device,a_port,b_device,b_port,%s\nl,1,n,1,%s\n"
	const sheet = "Rack,U,Name,Port,Rack,U,Name,Port,%s\nA,1,l,1,A,2,n,1,%s\n"
	const shcd = "Source,Rack,Location,Slot,,Port,Destination,Rack,Location,,Port,%s\nn,A,u1,ocp,,1,l,A,u2,,1,%s\n"
	for _, form := range []string{ours, sheet, shcd} {
		for _, tt := range []struct{ heads, values, want string }{
			{"done", "x", "1 laid, 0 not"},
			{"Status", "not yet", "0 laid, 1 not"},
			{"Laid?", "yes", "1 laid, 0 not"},
			{"Erledigt", "", "0 laid, 1 not"},
			{"done,status", "x,open", "1 laid, 0 not"},
			{"laid,status", "x,", "1 laid, 0 not"},
			{"laid,status", "x,open", "one says that the cable is laid"},
			{"status", "JS", "status is \"JS\", which says neither"},
			{"remark", "not yet", "1 laid, 0 not"},
		} {
			w, err := ReadFrom("x", strings.NewReader(fmt.Sprintf(form, tt.heads, tt.values)))
			got := fmt.Sprint(err)
			if err == nil {
				got = fmt.Sprintf("%d laid, %d not", len(w.Links), len(w.Absent))
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("%s %s: %s, want %s", tt.heads, tt.values, got, tt.want)
			}
		}
	}
}

func TestReadMistakes(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"hello\n", "is in none of the forms"},
		{"", "the file is empty"},
		{
			"----\nLLDP neighbors:\n----\nInterface: eth0\n",
			"is what lldpctl prints as text; ask for JSON: lldpctl -f json",
		},
		{"lldp.eth0.via=LLDP\n", "is what lldpctl prints as text"},
		{"<?xml version=\"1.0\"?>\n<lldp label=\"LLDP neighbors\"/>", "is what lldpctl prints as text"},
		{
			"Port          Neighbor Device ID       Neighbor Port ID    TTL\nEt1 n1 eth1 120\n",
			"is what show lldp neighbors prints as text",
		},
		{
			"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x1,1,0x2,1\n",
			"x:3:1: the file ends within the table LINKS",
		},
		{"Switch 36 \"L\"\n[x] \"N\"[1]\nwhat\n", "x:2:1: is neither a record nor a port"},
		{"Switch 36 \"L\"\nwhat\nSwitch x\n", "x:3:1: is neither"},
		{"Switch 36 \"L\"\n\nSwitch 36 \"L\"\n", "x:3:1: \"L\" is listed twice"},
		{report + "CA 1\n", "x:6:1: is not a line of a ports report"},
		{`{"lldp": {"interface": [1]}}`, "an interface is not as lldpctl writes it"},
		{`{"lldp": {"interface": [}}`, "x:1:25:"},
		{"a_device,a_port,b_device,b_port\nleaf,1,node,\n", "x:2:1: one end of the cable is not named in full"},
		{"a_device,a_port,b_device,b_port\n\"leaf,1,node,\n", "x:2:"},
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path)
		if err == nil || !errors.As(err, new(diag.List)) ||
			!strings.Contains(strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""), tt.want) {
			t.Errorf("%q: %v, expected %s", tt.text, err, tt.want)
		}
	}
}

func TestWriteAndReadBack(t *testing.T) {
	w := &Wiring{
		Boxes: []Box{{Name: "leaf", Role: "switch", Ports: 4}, {Name: "a \"b\"", Role: "adapter"}, {Name: "idle"}},
		Links: []Link{
			{A: End{Box: 0, Port: "2"}, B: End{Box: 1, Port: "1"}},
			{A: End{Box: 0, Port: "1"}, B: End{Box: 0, Port: "4"}},
		},
	}
	var b bytes.Buffer
	if err := WriteIBNetDiscover(t.Context(), &b, w); err != nil {
		t.Fatal(err)
	}
	again, err := ReadIBNetDiscover("x", &b)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := said(again), "leaf 1 - leaf 4\nleaf 2 - a _b_ 1\nleaf switch\na _b_ adapter\n"; got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
	w.Links[0].A.Port = "swp1"
	if err := WriteIBNetDiscover(t.Context(), &b, w); err == nil {
		t.Error("a port without a number is written")
	}
}

// FuzzRead feeds anything to all readers: no text makes one panic or take a box that it does not list.
func FuzzRead(f *testing.F) {
	table := "a_device,a_port,b_device,b_port\na,1,b,2\n"
	for _, seed := range []string{
		discovered, report, neighbours, oneNeighbour, table, linksReport, extracted,
		omniPathHead + "A,A01,n,,1,FI,A,A01,s,,7,SW",
		apiCables, listedCables, apiDevices, hostSheet, system, found, briefNDT,
	} {
		f.Add([]byte(seed))
	}
	for _, text := range infiniBandTexts(f) {
		f.Add(text)
	}
	f.Add(bookOfOthers(f))
	f.Add(book(f, [][]any{{"a_device", "a_port", "b_device", "b_port"}, {"a", 1, "b", 2}}))
	paths, err := filepath.Glob("testdata/tables/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, form := range formats {
			w, err := form.read("x", bytes.NewReader(text))
			if err != nil {
				continue
			}
			for _, l := range w.Links {
				for _, e := range []End{l.A, l.B} {
					if e.Box < 0 || e.Box >= len(w.Boxes) {
						t.Fatalf("%s: box %d of %d", form.name, e.Box, len(w.Boxes))
					}
				}
			}
			if form.name == "ibnetdiscover" {
				var b bytes.Buffer
				if err := WriteIBNetDiscover(t.Context(), &b, w); err != nil {
					continue // a port 0
				}
				if _, err := ReadIBNetDiscover("x", bytes.NewReader(b.Bytes())); err != nil && !doubled(w) {
					t.Fatalf("%v\n%s", err, b.Bytes())
				}
			}
		}
	})
}

// TestFormsAreToldApart holds every form against the texts of all: each is taken for one form alone.
func TestFormsAreToldApart(t *testing.T) {
	texts := map[string]string{
		"discovered": discovered, "report": report, "neighbours": neighbours, "linksReport": linksReport,
		"extracted": extracted, "apiCables": apiCables, "listedCables": listedCables, "apiDevices": apiDevices,
		"hostSheet": hostSheet, "system": system, "found": found, "briefNDT": briefNDT,
		"omnipath": omniPathHead + "A,A01,n,,1,FI,A,A01,s,,7,SW",
	}
	for _, pattern := range []string{"testdata/tables/*", "testdata/forms/*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(csvtable.Text(path, f))
			if err != nil {
				t.Fatal(err)
			}
			texts[path] = string(text)
			f.Close()
		}
	}
	for name, text := range texts {
		var forms []string
		for _, form := range formats {
			if form.is([]byte(text)) {
				forms = append(forms, form.name)
			}
		}
		if len(forms) != 1 {
			t.Errorf("%s has the forms %q", name, forms)
		}
	}
}

// bookOfOthers is a workbook of sheets in other forms, with titles, dates and truth values of a spreadsheet.
func bookOfOthers(t testing.TB) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	rows := map[string][][]any{
		"Readme": {{"SHCD of the system"}},
		"10G_25G_40G_100G": {
			{"Cabling"},
			{},
			{nil, "Source", "Rack", "Location", "Slot", nil, "Port", "Destination", "Rack", "Location", nil, "Port"},
			{nil, "mn1", "x3000", "u01", "ocp", "-", 1, "sw-1", "x3000", "u32", "-", "j3"},
		},
		"HMN": {
			{"Source", "Rack", "Location", "Slot", nil, "Port", "Destination", "Rack", "Location", nil, "Port"},
			{"mn1", "x3000", "u01", "bmc", "-", 1, "sw-9", "x3001", "u32", "-", 4},
		},
		"Progress": {
			{"Filled in by crew 2"},
			{"Cable ID", "A Device", "A Port", "B Device", "B Port", "Done"},
			{"C1", "leaf-1", time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), "node-1", 1, true},
			{"C2", "leaf-1", 2, "node-2", 1, false},
			{"C3", "leaf-1", 3, "node-3", 1, time.Date(2026, 11, 26, 14, 30, 0, 0, time.UTC)},
		},
	}
	for _, name := range []string{"Readme", "10G_25G_40G_100G", "HMN", "Progress"} {
		if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for k, row := range rows[name] {
			if err := f.SetSheetRow(name, fmt.Sprintf("A%d", k+1), &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.DeleteSheet("Sheet1")
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadBooksOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shcd.xlsx")
	if err := os.WriteFile(path, bookOfOthers(t), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	got := said(w) + strings.Join(w.Notes, "\n")
	want := `mn1 ocp:1 - sw-1 3
mn1 bmc:1 - sw-9 4
leaf-1 1/1 - node-1 1
leaf-1 3 - node-3 1
mn1 
sw-1 
sw-9 
leaf-1 
node-1 
node-2 
node-3 
shcd.xlsx: line 3: "45292" is a date, which a spreadsheet has made of port 1/1; it is read as that port`
	if got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
}

// doubled reports whether two boxes are written by one name, which makes them one.
func doubled(w *Wiring) bool {
	seen := map[string]bool{}
	for _, b := range w.Boxes {
		name := plainName(b.Name)
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}

// TestTablesBesideWiring: tables of NetBox that tell of no cable are passed over with a note, and nothing else is.
func TestTablesBesideWiring(t *testing.T) {
	for text, passed := range map[string]bool{
		"name,slug\nNVIDIA,nvidia\n": true, "\"name\",\"slug\",\"status\"\r\nx,x,planned\r\n": true,
		"---\nmanufacturer: NVIDIA\nmodel: x\nslug: x\n": true, "name,slugs\nx,y\n": false, "slug,name\nx,y\n": false,
	} {
		w, err := ReadFrom("sites.csv", strings.NewReader(text))
		if passed != (err == nil) || passed && (len(w.Links) > 0 || len(w.Notes) != 1) {
			t.Errorf("%q: %v, %v", text, w, err)
		}
	}
}
