package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
)

// What other programs print, cut short. The report is that of opareport -o links -x, the table that of opaextractlink,
// both of opa-fastfabric 10.10; the JSON that of the REST API of NetBox 4, and its older form.
const (
	linksReport = `<?xml version="1.0" encoding="utf-8" ?>
<Report date="Mon Nov 23 05:24:26 2026" unixtime="1" options="&quot;opareport&quot;">
<LinkSummary>
  <Link id="0x0011750101574d02:1">
    <Rate>100g</Rate>
    <Internal>0</Internal>
    <Port id="0x0011750101574d02:1"><NodeGUID>0x0011750101574d02</NodeGUID><PortNum>1</PortNum>
      <NodeType>FI</NodeType><NodeDesc>n1 hfi1_0</NodeDesc></Port>
    <Port id="0x00117501026a5618:7"><PortNum>7</PortNum><NodeType>SW</NodeType>
      <NodeDesc>edge &lt;1&gt;</NodeDesc></Port>
  </Link>
</LinkSummary>
</Report>
`
	extracted = `Rate;LinkDetails;CableLength;CableLabel;CableDetails;DeviceTechShort;CableInfo.Length;` +
		`CableInfo.VendorName;CableInfo.VendorPN;CableInfo.VendorRev;` +
		`Port.NodeDesc;Port.PortNum;Port.NodeDesc;Port.PortNum

100g;;;;;CopperPass;2m;Vendor;PN;B;n1 hfi1_0;1;edge 1;7
`
	apiCables = `{"count": 3, "next": null, "previous": null, "results": [
 {"id": 7, "label": "C1", "status": {"value": "connected", "label": "Connected"}, "description": "",
  "a_terminations": [{"object_type": "dcim.interface", "object_id": 1,
    "object": {"id": 1, "display": "swp1", "device": {"id": 2, "name": "leaf-1"}, "name": "swp1"}}],
  "b_terminations": [{"object_type": "dcim.interface", "object_id": 3,
    "object": {"id": 3, "device": {"id": 4, "name": "node-1"}, "name": "eth0"}},
   {"object_type": "dcim.interface", "object_id": 4,
    "object": {"id": 4, "device": {"id": 5, "name": "node-2"}, "name": "eth0"}}]},
 {"id": 8, "status": {"value": "planned"},
  "a_terminations": [{"object": {"device": {"name": "leaf-1"}, "name": "swp2"}}],
  "b_terminations": [{"object": {"device": {"name": "node-3"}, "name": "eth0"}}]},
 {"id": 9, "status": {"value": "connected"},
  "termination_a": {"device": {"name": "leaf-1"}, "name": "swp3"}, "termination_b": {"name": "feed", "power_panel": {}}}
]}`
	listedCables = "ID,Label,Device A,Termination A,Device B,Termination B,Status\n" +
		"7,C1,leaf-1,\"swp1,swp2\",\"node-1,node-2\",\"eth0,eth0\",Connected\n" +
		"8,C2,leaf-1,swp3,node-3,eth0,Decommissioning\n9,C3,leaf-2,swp1,node-4,eth0,Connected\n"
	apiDevices = `[
 {"id": 1, "name": "leaf-1", "device_type": {"id": 3}, "rack": {"id": 1, "name": "A01"}, "position": 12.0},
 {"id": 2, "name": null, "device_type": {}}, {"name": "A01", "u_height": 48, "site": {}}]`
	hostSheet = "Source,,,,Destination,,,,Cable Length,Cable Type\n" +
		"Hostname,Tray,Port,Node Type,Hostname,Tray,Port,Node Type,,\nh1,1,3,N300_LB,h2,2,4,N300_LB,2m,400G\n"
	system = `# a comment
hosts { hostname: "h1" hall: 'SC' rack: 1 }  hosts: < hostname: "h" "2" >
unknown { what: [1, 2] }
board_types { board_locations { host_id: 0 tray_id: 1 board_type: "N300" } }
eth_connections { connection { endpoint_a { host_id: 0 tray_id: 1 chan_id: 6 } endpoint_b { host_id: 1 tray_id: 2
  asic_location: 1 chan_id: 7 } } }
`
	found = `# comment
compute_node_specs:
  h1:
    motherboard: B
    asic_info:
      - tray_id: 1
        board_type: P150
        asics:
          - asic_location: 0
            asic_id: 7
  "h2":
    motherboard: B
  idle: {}
local_eth_connections:
 - [{host_name: h1, tray_id: 1, asic_location: 0, chan_id: 4},{host_name: h1, tray_id: 2, asic_location: 0, chan_id: 4}]

global_eth_connections:
  - [` + oneEnd + `, {host_name: "h2", tray_id: 2, asic_location: 1, chan_id: 7}]
  - [{host_name: h2, tray_id: 2, asic_location: 1, chan_id: 7}, ` + oneEnd + `]
  # the same, from its other end, and one in several lines
  -
    - {host_name: h3, tray_id: 1, chan_id: 0, asic_location: 0, more: [1]}
    - host_name: h2
      tray_id: 3
      asic_location: 0
      chan_id: 11
later: {what: [1, 2]}
`
	briefNDT = "StartDevice,StartPort,EndDevice,EndPort,State,Domain\n" +
		"leaf-1,Port 26,node-1 mlx5_0,Port 1,Active,In-Scope\nleaf-1,Port 27,node-2 mlx5_0,Port 1,Disabled,In-Scope\n"
)

// oneEnd is an end of what tt-metal discovers.
const oneEnd = "{host_name: h1, tray_id: 1, asic_location: 0, chan_id: 6}"

func TestReadOtherPrograms(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"report.xml", linksReport, "n1 hfi1_0 1 - edge <1> 7, 100g\nn1 hfi1_0 adapter\nedge <1> switch\n"},
		{"links.csv", extracted, "n1 hfi1_0 1 - edge 1 7, 100g\nn1 hfi1_0 \nedge 1 \n"},
		{
			"sheet.csv",
			omniPathHead + "A,A01,n1 hfi1_0,,1,FI,A,A01,core,L01,7,SW,C1,2m,\n,,,,,,\nCore Name:core,,,,\n",
			"n1 hfi1_0 1 - core L01 7\nn1 hfi1_0 adapter\ncore L01 switch\n",
		},
		{
			"cables.json", apiCables,
			"leaf-1 swp1 lane 1 - node-1 eth0\nleaf-1 swp1 lane 2 - node-2 eth0\nleaf-1 \nnode-1 \nnode-2 \nnode-3 \n" +
				"cables.json: passed over is 1 cable of which an end is at no device\n" +
				"cables.json: passed over is 1 cable that is planned only\n",
		},
		{
			"cables.csv", listedCables,
			"leaf-2 swp1 - node-4 eth0\nnode-3 \nleaf-2 \nnode-4 \n" +
				"cables.csv: passed over is 1 cable whose ports at a side the table has in no order, as JSON has " +
				"them\n",
		},
		{
			"import.csv", "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,description\n" +
				"'=leaf,dcim.interface,1,node,dcim.interface,2,dac@1 m\n", "=leaf 1 - node 2, dac@1 m\n=leaf \nnode \n",
		},
		{"devices.json", apiDevices, "leaf-1 in A01 at 12\nrack A01 of 48\n"},
		{
			"devices.csv",
			"name,role,site,rack,position,face\nleaf-1,leaf,S,A01,12.0,front\n,x,S,A01,1,\nnode-1,n,S,,,\n",
			"leaf-1 in A01 at 12\nnode-1 in  at 0\n",
		},
		{"racks.csv", "ID,Name,Site,Height\n1,A01,S,42U\n", "rack A01 of 42\n"},
		{"sheet.csv", hostSheet, "h1 1/3 - h2 2/4\nh1 \nh2 \n"},
		{"x.textproto", system, "h1 1/7 - h2 2/1/7\nh1 \nh2 \n"},
		{
			"y.textproto", strings.Replace(system, "host_id: 1", "host_id: 0", 1),
			"h1 \nh2 \ny.textproto: passed over is 1 connection within a host\n" +
				"y.textproto: has no link, no box that stands anywhere and no rack\n",
		},
		{
			"gsd.yaml", found,
			"h1 1/7 - h2 2/1/7\nh3 1/1 - h2 3/12\nh1 \nh2 \nidle \n" +
				"gsd.yaml: passed over is 1 connection within a host\n",
		},
		{
			"json.yaml",
			`"global_eth_connections": [[` + oneEnd + ", " + strings.Replace(oneEnd, "h1", "h2", 1) + "]]\n" +
				"local_eth_connections:\n  []\ncompute_node_specs:\n  {h1: {},\n  'h2': {}}\n",
			"h1 1/7 - h2 1/7\nh1 \nh2 \n",
		},
		{
			"sorted.yaml", "---\nglobal_eth_connections:\n- - " + oneEnd + "\n  - " +
				strings.Replace(oneEnd, "h1", "h2", 1) + "\nlocal_eth_connections: ~\n...\n", "h1 1/7 - h2 1/7\n",
		},
		{"ndt.csv", briefNDT, "leaf-1 26 - node-1 mlx5_0 1\nleaf-1 \nnode-1 mlx5_0 \n"},
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
		got := said(w)
		for _, p := range w.Places {
			got += fmt.Sprintf("%s in %s at %d\n", p.Box, p.Rack, p.Unit)
		}
		for _, r := range w.Racks {
			got += fmt.Sprintf("rack %s of %d\n", r.Name, r.Units)
		}
		if len(w.Notes) > 0 {
			got += strings.Join(w.Notes, "\n") + "\n"
		}
		if got != tt.want {
			t.Errorf("%s says:\n%s\nexpected:\n%s", tt.name, got, tt.want)
		}
	}
}

func TestMistakesOfOtherPrograms(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{strings.Replace(linksReport, "<PortNum>7</PortNum>", "", 1), "x:4:1: a port of the link has no NodeDesc"},
		{strings.Replace(linksReport, "</Link>", "<Port></Port></Link>", 1), "x:4:1: a link has 3 ports"},
		{strings.Replace(linksReport, "</LinkSummary>", "</Links>", 1), "x:12:"},
		{extracted + "100g;x\n", "x:4:1: the row has 2 fields, expected the 14 of the head"},
		{strings.Replace(extracted, ";1;edge", ";;edge", 1), "x:3:1: one end of the link is not named in full"},
		{omniPathHead + "A,A01,n1,,1,FI,A,A01,sw,,,SW,C1,2m,\n", "x:3:1: one end of the link is not named in full"},
		{strings.Replace(apiCables, `"id": 8`, `"id": "eight"`, 1), "x:9:"},
		{apiCables[:len(apiCables)-4], "the text ends too early"},
		{`{"results": 7}`, "x:1:1: expected a list"},
		{strings.Replace(listedCables, "8,C2", "eight,C2", 1), `x:3:1: the id "eight" is not a number`},
		{"name,site,rack,position\na,S,A01,low\n", `x:2:9: the position "low"`},
		{"name,site,u_height\na,S,high\n", `x:2:5: the height "high"`},
		{strings.Replace(hostSheet, "h1,1,3", "h1,one,3", 1), `x:3:1: tray "one", port "3"; expected two numbers`},
		{
			strings.Replace(hostSheet, "Hostname,Tray,Port,Node Type,,", "Hostname,Port,Node Type,,", 1),
			"x:2:1: there is no column tray",
		},
		{strings.Replace(system, "chan_id: 7", "chan_id: seven", 1), "x:6:"},
		{strings.Replace(system, "host_id: 1", "host_id: 9", 1), "connection 0, counted from 0, ends at host 9"},
		{strings.Replace(found, "chan_id: 6", "chan_id: six", 1), `x:18:61: chan_id "six"; expected a whole number`},
		{strings.Replace(found, "chan_id: 6", "chan_id: -1", 1), `x:18:61: chan_id "-1"`},
		{strings.Replace(found, "chan_id: 6}", "tray_id: 6}", 1), "x:18:52: tray_id is there twice"},
		{strings.Replace(found, "tray_id: 3", "tray_is: 3", 1), "x:23:7: an end of the connection has no tray_id"},
		{strings.Replace(found, "host_name: h3", "host_name: ~", 1), "x:22:19: host_name has no value"},
		{strings.Replace(found, `  "h2":`, "  h1:", 1), `x:11:3: host "h1" is there twice`},
		{strings.Replace(found, "chan_id: 4}]", "chan_id: 4}", 1), "x:15:4: this bracket is never closed"},
		{strings.Replace(found, "},{host_name: h1, tray_id: 2", "}], [{host_name: h1, tray_id: 2", 1), "x:15:"},
		{strings.Replace(found, "  - [{host_name: h1,", "  - [{host_name: *h,", 1), "x:18:18: unknown anchor"},
		{strings.Replace(found, "local_eth_connections:", "local_eth_connections: 7 #", 1), "x:15:2:"},
		{strings.Replace(found, "later:", "later", 1), "x:27:1: the line begins no section"},
		{found + "---\n" + found, "x:28:1: a second document"},
		{"local_eth_connections: 7\n", "x:1:24: local_eth_connections are not connections; expected a list"},
		{"  - x\n" + found, "x:1:1: the line is in no section"},
		{"compute_node_specs:\n  - h1\n", "x:2:3: compute_node_specs are not hosts"},
		{"global_eth_connections:\n  - [1, 2]\n  - 3\n", "x:3:5: the connection has not two ends"},
		{
			"global_eth_connections:\n" + strings.Repeat("  ["+strings.Repeat(" ", 1<<15)+"\n", 40),
			"an entry of global_eth_connections has more than 1048576 bytes",
		},
		{"global_eth_connections:\n  - " + strings.Repeat("[", 2000) + "\n", "more than 64 levels of nesting"},
		{"graph g {\n\"a\":\"1\" -- \"b\"\n}\n", `x:2:12: the link names no port of "b"`},
		{"graph g {\n\"a\":\"1\" -- ;\n}\n", `x:2:12: ";" is not an end of a link`},
		{"graph g {\n\"a\":\"1\" -- \"b\":\"2\"\n", "x:3:1: the text ends within the graph"},
		{"graph g { \"a\n", "x:1:11: this quotation mark is never closed"},
		{"graph g { /* a\n", "x:1:11: this comment is never closed"},
		{"graph g { a:1 -- {b:1 c:1} }\n", `x:1:18: "{" is not an end of a link`},
		{"SW a\n P1 -> SW b P2\n P2 -> SW b\n", "x:3:1: the line is neither a system nor a port"},
		{"Rack,U,Name,Port,Rack,U,Name,Port\n1,2,a,1,1,3,b,\n", "x:2:1: one end of the link is not named in full"},
		{
			"a_device,a_port,b_device,b_port,done\na,1,b,2,later or never\n",
			`x:2:9: done is "later or never", which says`,
		},
		{"a_device,a_port,b_device,b_port\na,1-Feb,b,2\n", `x:2:3: "1-Feb" is a date, which a spreadsheet has made of`},
		{`[{"count": 1, "results": []}]`, "x:1:1: an answer within a list"},
		{strings.Replace(briefNDT, "Port 26", "", 1), "x:2:1: one end of the link is not named in full"},
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path)
		if err == nil || !errors.As(err, new(diag.List)) ||
			!strings.Contains(strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""), tt.want) {
			t.Errorf("%.300q: %v, expected %s", tt.text, err, tt.want)
		}
	}
}

// A text of protocol buffers takes much more memory than its letters, so that a long one is refused unread.
func TestLongTextprotoIsRefused(t *testing.T) {
	long := append([]byte(system), bytes.Repeat([]byte("#\n"), mostProto/2)...)
	_, err := ReadTTSystem("x", bytes.NewReader(long))
	if err == nil || !strings.Contains(err.Error(), "bytes that are read") {
		t.Error(err)
	}
}

// Entries are parsed some at a time, so that many take no more memory than few; their lines are right all the same.
func TestManyDiscoveredConnections(t *testing.T) {
	const many = 3 * someEntries / len(oneEnd)
	text := strings.Builder{}
	text.WriteString(ttGlobal + ":\n")
	for i := range many {
		fmt.Fprintf(&text, "  - [%s, {host_name: x%d, tray_id: 1, asic_location: 0, chan_id: 0}]\n", oneEnd, i)
	}
	w, err := ReadTTDiscovered("x", strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Links) != many {
		t.Fatalf("%d links of %d", len(w.Links), many)
	}
	for i, l := range w.Links {
		if l.Line != i+2 {
			t.Fatalf("link %d stands in line %d", i, l.Line)
		}
	}
	_, err = ReadTTDiscovered("x", strings.NewReader(text.String()+"  - 7\n"))
	if want := fmt.Sprintf("x:%d:5:", many+2); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, expected %s", err, want)
	}
}
