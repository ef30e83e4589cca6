package exchange_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/golden"
)

// forms are texts in the forms of other programs in which what is easily mistaken differs: the number of ports at both
// sides of a cable, blanks in the first or the second of two names, halves of rack units.
var forms = map[string]string{
	"sides.json": `[
 {"id": 1, "status": "connected",
  "a_terminations": [{"object": {"device": {"name": "a"}, "name": "1"}}, {"object": {"device": {"name": "a"}, "name": "2"}}],
  "b_terminations": [{"object": {"device": {"name": "b"}, "name": "1"}}, {"object": {"device": {"name": "c"}, "name": "2"}}]},
 {"id": 2, "status": "connected", "description": "dac@2 m",
  "a_terminations": [{"object": {"device": {"name": "a"}, "name": "3"}}, {"object": {"device": {"name": "a"}, "name": "4"}},
   {"object": {"device": {"name": "a"}, "name": "5"}}],
  "b_terminations": [{"object": {"device": {"name": "d"}, "name": "1"}}, {"object": {"device": {"name": "d"}, "name": "2"}}]},
 {"id": 3, "status": "connected",
  "a_terminations": [{"object": {"device": {"name": "e"}, "name": "1"}}, {"object": {"device": {"name": "e"}, "name": "2"}}],
  "b_terminations": [{"object": {"device": {"name": "f"}, "name": "1"}}, {"object": {"device": {"name": "f"}, "name": "2"}},
   {"object": {"device": {"name": "f"}, "name": "3"}}]},
 {"id": 4, "status": "connected", "a_terminations": [{"object": {"device": {"name": "g"}, "name": "1"}},
   {"object": {"device": {"name": "g"}, "name": "2"}}, {"object": {"device": {"name": "h"}, "name": "2"}}],
  "b_terminations": [{"object": {"device": {"name": "i"}, "name": "1"}}]},
 {"id": 5, "status": "connected", "a_terminations": [], "b_terminations": [{"object": {"device": {"name": "j"}, "name": "1"}}]},
 {"id": 6, "status": "connected", "a_terminations": [{"object": {"device": {"name": "k"}, "name": "1"}}], "b_terminations": []},
 {"id": 7, "status": "connected", "a_terminations": [{"object": {"device": {"name": "l"}, "name": "1"}}]},
 {"id": 8, "status": "planned", "a_terminations": [{"object": {"device": {"name": "m"}, "name": "1"}}],
  "b_terminations": [{"object": {"device": {"name": "n"}, "name": "1"}}]},
 {"id": 9, "status": "planned", "a_terminations": [{"object": {"device": {"name": "m"}, "name": "2"}}],
  "b_terminations": [{"object": {"device": {"name": "n"}, "name": "2"}}]},
 {"id": 10, "status": "connected",
  "termination_a": {"device": {"name": "o"}, "name": "1"}, "termination_b": {"device": {"name": "p"}, "name": "9"}}
]`,
	"unordered.csv": "ID,Label,Device A,Termination A,Device B,Termination B,Status\n" +
		"1,C1,a,1,b,1,Connected\n2,C2,\"a,c\",\"2,3\",d,1,Connected\n3,C3,c,1,e,1,Connected\n" +
		"4,C4,e,2,\"f,g\",\"1,2\",Connected\n5,C5,f,3,h,1,Connected\n6,C6,h,7,i,1,Planned\n",
	"devices.csv": "name,role,site,rack,position,face\na,x,S,A01,12.5,front\nb,x,S,A01,0,\nc,x,S,A02,999,\n",
	"devices.json": `[{"name": "a", "device_type": {}, "rack": {"name": "A01"}, "position": 12.5},
 {"name": "b", "device_type": {}, "rack": {"name": "A01"}, "position": -1},
 {"name": "c", "device_type": {}, "rack": {"name": "A01"}, "position": 1000}, {"name": "A01", "u_height": 1001}]`,
	"extracted.csv": "Rate;LinkDetails;CableLength;CableLabel;CableDetails;DeviceTechShort;CableInfo.Length;" +
		"CableInfo.VendorName;CableInfo.VendorPN;CableInfo.VendorRev;Port.NodeDesc;Port.PortNum;Port.NodeDesc;" +
		"Port.PortNum\n100g;;;;;;;;;;n1 hfi1_0;1;edge 1;7\n",
	"sheet.csv": "Source,,,,,,Destination,,,,,,Cable,,\n" +
		"Rack Group,Rack,Name,Name-2,Port,Type,Rack Group,Rack,Name,Name-2,Port,Type,Label,Length,Details\n" +
		"A,A01,n1,hfi1_0,1,FI,A,A02,core,L01,7,SW,C1,2m,\nA,A01,edge,,4,SW,A,A02,core,,8,SW,C2,2m,\n",
	"truncated.json": "[\n {\"id\": 1, \"a_terminations\": [], \"b_terminations\": []},\n {\"id\": 2,\n",
	"newline.json":   "{\"lldp\": {\n  \"interface\": [\n x\n ]}}\n",
	"last.json":      "{\"lldp\": {\n  \"interface\": [ 1, ]\n}}\n",
	"found.yaml": "compute_node_specs:\n   h1:\n     motherboard: B\n   h2:\n     motherboard: B\nglobal_eth_connections:\n" +
		"   - [{host_name: h1, tray_id: 1, asic_location: 0, chan_id: 6}, {host_name: h2, tray_id: 2, asic_location: 1, " +
		"chan_id: 7}]\n   - - {host_name: h1, tray_id: 1, asic_location: 0, chan_id: 7}\n     - {host_name: h2, tray_id: 2, " +
		"asic_location: 1, chan_id: 8}\n",
	"cables.csv": "a_device,a_port,b_device,b_port,product,done\na,1,b,2,dac@1 m,yes\nb,3,a,4,,no\nb,2,a,1,x,1\n" +
		",,,,\na,9,e,1,y,x\n",
	"torn.csv": "a_device,a_port,b_device,b_port\na,1,b,2\nc,,d,\n",
}

// TestFormsAreReadAsTheyAre compares what texts say, or why they are refused, with a file.
func TestFormsAreReadAsTheyAre(t *testing.T) {
	var got strings.Builder
	dir := t.TempDir()
	for _, name := range []string{
		"sides.json", "unordered.csv", "devices.csv", "devices.json", "extracted.csv", "sheet.csv", "truncated.json",
		"newline.json", "last.json", "found.yaml", "cables.csv", "torn.csv",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(forms[name]), 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "--- %s\n", name)
		w, err := exchange.Read(path)
		if err != nil {
			fmt.Fprintf(&got, "error: %s\n", strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
			continue
		}
		for _, b := range w.Boxes {
			fmt.Fprintf(&got, "%+v\n", b)
		}
		for _, l := range w.Links {
			fmt.Fprintf(&got, "%+v\n", l)
		}
		fmt.Fprintf(&got, "places %+v, racks %+v\n%s\n", w.Places, w.Racks, strings.Join(w.Notes, "\n"))
	}
	golden.Compare(t, "small/read/forms.txt", got.String())
}

// TestExportsReadBack reads what small machines are exported to: the links between the boxes are those of the plan.
func TestExportsReadBack(t *testing.T) {
	for name, r := range smallPlans(t) {
		var got strings.Builder
		files := exported(t, r, "")
		for _, format := range []string{"ndt", "omnipath"} {
			if strings.HasPrefix(files[format], "error") {
				continue
			}
			path := filepath.Join(t.TempDir(), format+".csv")
			if err := os.WriteFile(path, []byte(files[format]), 0o666); err != nil {
				t.Fatal(err)
			}
			w, err := exchange.Read(path)
			if err != nil {
				t.Fatal(name, format, err)
			}
			planned, err := exchange.Planned(r, "")
			if err != nil {
				t.Fatal(err)
			}
			if len(w.Links) != len(planned.Links) {
				t.Errorf("%s: %s has %d links of %d", name, format, len(w.Links), len(planned.Links))
			}
			for _, l := range w.Links {
				fmt.Fprintf(&got, "%s %s %s - %s %s %s, line %d\n", w.Boxes[l.A.Box].Name, w.Boxes[l.A.Box].Role, l.A.Port,
					w.Boxes[l.B.Box].Name, w.Boxes[l.B.Box].Role, l.B.Port, l.Line)
			}
		}
		golden.Compare(t, "small/read/"+name+".txt", got.String())
	}
}
