package exchange

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ibDevice is a device of a random subnet: switches have one GUID, adapters one more for each port.
type ibDevice struct {
	isSwitch bool
	guid     uint64
	name     string
	lid      int
	far      []ibFar // by port, from 1
}

// ibFar is what is at the far end of a port; device is -1 for a port that is down.
type ibFar struct {
	device, port, lanes, rate int
}

func (d *ibDevice) portGUID(port int) uint64 {
	if d.isSwitch {
		return d.guid
	}
	return d.guid + uint64(port)
}

func (d *ibDevice) portLID(port int) int {
	if d.isSwitch {
		return d.lid
	}
	return d.lid + port
}

func (d *ibDevice) role() string {
	if d.isSwitch {
		return "SW"
	}
	return "CA"
}

// randomSubnet draws devices, some of which have one description, and links between their ports.
func randomSubnet(t *rapid.T) []ibDevice {
	switches, adapters := rapid.IntRange(1, 4).Draw(t, "switches"), rapid.IntRange(0, 8).Draw(t, "adapters")
	devices := make([]ibDevice, switches+adapters)
	places := rapid.Permutation(upTo(len(devices))).Draw(t, "GUIDs")
	type end struct{ device, port int }
	var free []end
	for i := range devices {
		d := &devices[i]
		d.isSwitch, d.guid, d.lid = i < switches, 0x8f10400100000+4*uint64(places[i]), 1+4*places[i]
		names := []string{
			"localhost mlx5_0", "MT4131 ConnectX8   Mellanox Technologies", fmt.Sprintf("node-%d mlx5_0", i),
		}
		ports := rapid.IntRange(1, 2).Draw(t, "ports")
		if d.isSwitch {
			names = []string{
				"Quantum Mellanox Technologies", fmt.Sprintf("MF0;leaf-%d:MQM9700/U1", i), fmt.Sprintf("a %d (c)", i),
			}
			ports = rapid.IntRange(2, 6).Draw(t, "ports")
		}
		d.name = rapid.SampledFrom(names).Draw(t, "name")
		for p := range ports {
			d.far = append(d.far, ibFar{device: -1})
			free = append(free, end{i, p + 1})
		}
	}
	free = rapid.Permutation(free).Draw(t, "ends")
	for i := range rapid.IntRange(0, len(free)/2).Draw(t, "links") {
		a, b := free[2*i], free[2*i+1]
		if !devices[a.device].isSwitch && !devices[b.device].isSwitch {
			continue // a subnet has none, and net_dump could not show it
		}
		lanes := rapid.SampledFrom([]int{1, 2, 4, 8, 12}).Draw(t, "lanes")
		rate := rapid.IntRange(0, len(laneRates)-1).Draw(t, "rate")
		devices[a.device].far[a.port-1] = ibFar{b.device, b.port, lanes, rate}
		devices[b.device].far[b.port-1] = ibFar{a.device, a.port, lanes, rate}
	}
	return devices
}

// upTo are the numbers below n.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// ibForms write a subnet as programs do, devices in an order.
var ibForms = map[string]func(devices []ibDevice, order []int) string{
	"ibnetdiscover": func(devices []ibDevice, order []int) string {
		var b strings.Builder
		id := func(d *ibDevice) string {
			return fmt.Sprintf("%c-%016x", "HS"[map[bool]int{true: 1}[d.isSwitch]], d.guid)
		}
		for _, i := range order {
			d := &devices[i]
			word, key := "Ca", "ca"
			if d.isSwitch {
				word, key = "Switch", "switch"
			}
			fmt.Fprintf(&b, "\nvendid=0x2c9\n%sguid=0x%x\n%s\t%d \"%s\"\t\t# \"%s\"\n", key, d.guid, word, len(d.far),
				id(d), d.name)
			for p, f := range d.far {
				if f.device < 0 {
					continue
				}
				e := &devices[f.device]
				near, far := "", ""
				if !d.isSwitch {
					near = fmt.Sprintf("(%x) ", d.portGUID(p+1))
				}
				if !e.isSwitch {
					far = fmt.Sprintf("(%x) ", e.portGUID(f.port))
				}
				fmt.Fprintf(&b, "[%d]%s\t\"%s\"[%d]%s\t\t# \"%s\" lid 7 %dx%s\n", p+1, near, id(e), f.port, far, e.name,
					f.lanes, laneRates[f.rate].word)
			}
		}
		return b.String()
	},
	"ibnetdiscover -p": func(devices []ibDevice, order []int) string {
		var b strings.Builder
		for _, i := range order {
			d := &devices[i]
			for p := len(d.far) - 1; p >= 0; p-- {
				f := d.far[p]
				fmt.Fprintf(&b, "%2s %5d %2d 0x%016x ", d.role(), d.portLID(p+1), p+1, d.portGUID(p+1))
				if f.device < 0 {
					fmt.Fprintf(&b, "4x SDR%36s'%s'\n", "", d.name)
					continue
				}
				e := &devices[f.device]
				fmt.Fprintf(&b, "%dx %s - %2s %5d %2d 0x%016x ( '%s' - '%s' )\n", f.lanes, laneRates[f.rate].word,
					e.role(), e.portLID(f.port), f.port, e.portGUID(f.port), d.name, e.name)
			}
		}
		return b.String()
	},
	"iblinkinfo":        func(devices []ibDevice, order []int) string { return linkInfoText(devices, order, false) },
	"iblinkinfo --line": func(devices []ibDevice, order []int) string { return linkInfoText(devices, order, true) },
	"net_dump": func(devices []ibDevice, order []int) string {
		var b strings.Builder
		for _, i := range order {
			d := &devices[i]
			if !d.isSwitch {
				continue
			}
			fmt.Fprintf(&b, "\n\"%s\", Mellanox, 0x%016x, LID %d\n # : IB# : Sta\n", d.name, d.guid, d.lid)
			for p, f := range d.far {
				if f.device < 0 {
					fmt.Fprintf(&b, " 1/%d : %d : DOWN : POLLING : N/A : N/A : N/A : N/A : N/A : : : :\n", p+1, p+1)
					continue
				}
				e := &devices[f.device]
				number := fmt.Sprint(f.port)
				if e.isSwitch {
					number = "1/" + number
				}
				fmt.Fprintf(&b, " 1/%d : %d : ACT : LINK UP : 5 : %dx : %v : X : NO-RTR : 0x%016x : %s : 9 : \"%s\"\n",
					p+1, p+1, f.lanes, float64(laneRates[f.rate].nominal), e.portGUID(f.port), number, e.name)
			}
		}
		return b.String()
	},
	"db_csv": func(devices []ibDevice, order []int) string {
		var nodes, ports, links strings.Builder
		code := func(codes map[int64]string, word string) (out int64) {
			for k, w := range codes {
				if w == word {
					out = k
				}
			}
			return out
		}
		for _, i := range order {
			d := &devices[i]
			kind := 1
			if d.isSwitch {
				kind = 2
			}
			fmt.Fprintf(&nodes, "\"%s\",%d,0x%016x,0x%016x\n", d.name, kind, d.guid, d.portGUID(1))
			for p, f := range d.far {
				if f.device < 0 {
					fmt.Fprintf(&ports, "0x%016x,0x%016x,%d,1,1,1\n", d.guid, d.portGUID(p+1), p+1)
					continue
				}
				width := map[int]int{1: 1, 4: 2, 8: 4, 12: 8, 2: 16}[f.lanes]
				fmt.Fprintf(&ports, "0x%016x,0x%016x,%d,%d,%d,4\n", d.guid, d.portGUID(p+1), p+1, width,
					code(diagnetSpeeds, laneRates[f.rate].word))
				if i < f.device || i == f.device && p+1 < f.port {
					fmt.Fprintf(&links, "0x%016x,%d,0x%016x,%d\n", d.guid, p+1, devices[f.device].guid, f.port)
				}
			}
		}
		return "START_NODES\nNodeDesc,NodeType,NodeGUID,PortGUID\n" + nodes.String() + "END_NODES\nSTART_PORTS\n" +
			"NodeGuid,PortGuid,PortNum,LinkWidthActv,LinkSpeedActv,PortState\n" + ports.String() + "END_PORTS\n\n" +
			"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n" + links.String() + "END_LINKS\n"
	},
	"lst": func(devices []ibDevice, order []int) string {
		b := strings.Builder{}
		b.WriteString("# links\n")
		end := func(d *ibDevice, port int) string {
			const form = "{ %s Ports:%02X SystemGUID:%016x NodeGUID:%016x PortGUID:%016x V:0 {%s} LID:%04X PN:%02X }"
			return fmt.Sprintf(form, d.role(), len(d.far), d.guid, d.guid, d.portGUID(port), d.name, d.lid, port)
		}
		for _, i := range order {
			for p, f := range devices[i].far {
				if f.device >= 0 {
					fmt.Fprintf(&b, "%s %s PHY=%dx LOG=ACT SPD=%v\n", end(&devices[i], p+1),
						end(&devices[f.device], f.port), f.lanes, float64(laneRates[f.rate].nominal))
				}
			}
		}
		return b.String()
	},
}

func linkInfoText(devices []ibDevice, order []int, inLines bool) string {
	var b strings.Builder
	for _, i := range order {
		d := &devices[i]
		switch {
		case inLines:
		case d.isSwitch:
			fmt.Fprintf(&b, "Switch: 0x%016x %s:\n", d.guid, d.name)
		default:
			fmt.Fprintf(&b, "CA: %s:\n", d.name)
		}
		for p, f := range d.far {
			if inLines {
				fmt.Fprintf(&b, "0x%016x \"%30s\" ", d.portGUID(p+1), d.name)
			} else if b.WriteString("      "); !d.isSwitch {
				fmt.Fprintf(&b, "0x%016x ", d.portGUID(p+1))
			}
			fmt.Fprintf(&b, "%6d %4d[  ] ==", d.portLID(p+1), p+1)
			if f.device < 0 {
				b.WriteString("(                Down/ Polling)==>             [  ] \"\" ( )\n")
				continue
			}
			e := &devices[f.device]
			speed := fmt.Sprintf("%v Gbps", float64(laneRates[f.rate].signal))
			fmt.Fprintf(&b, "(%2dX %18s Active/  LinkUp)==>  ", f.lanes, speed)
			if inLines {
				fmt.Fprintf(&b, "0x%016x ", e.portGUID(f.port))
			}
			fmt.Fprintf(&b, "%6d %4d[  ] \"%s\" (Could be 12X )\n", e.portLID(f.port), f.port, e.name)
		}
	}
	return b.String()
}

// TestSubnetsInAllForms holds that all forms of a random subnet, devices in any order, say the same links between the
// same ports, with width and rate, and tell all devices apart.
func TestSubnetsInAllForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		devices := randomSubnet(t)
		device := map[string]int{} // by GUID
		var want []string
		for i := range devices {
			d := &devices[i]
			device[fmt.Sprintf("%016x", d.guid)] = i
			for p, f := range d.far {
				device[fmt.Sprintf("%016x", d.portGUID(p+1))] = i
				if f.device >= 0 {
					want = append(want, fmt.Sprintf("%d/%d %d/%d %d x %v", i, p+1, f.device, f.port, f.lanes,
						laneRates[f.rate].nominal))
				}
			}
		}
		slices.Sort(want)
		for _, name := range slices.Sorted(maps.Keys(ibForms)) {
			text := ibForms[name](devices, rapid.Permutation(upTo(len(devices))).Draw(t, "order"))
			if len(want) == 0 && (name == "iblinkinfo" || name == "lst" || name == "net_dump") {
				continue
			}
			read := slices.IndexFunc(formats, func(f format) bool { return f.is([]byte(text)) })
			if read < 0 {
				t.Fatalf("%s is not a form:\n%s", name, text)
			}
			w, err := formats[read].read("x", bytes.NewReader([]byte(text)))
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			boxes, taken := make([]int, len(w.Boxes)), map[int]bool{}
			for i, b := range w.Boxes {
				boxes[i] = device[b.GUIDs[0]]
				for _, g := range b.GUIDs {
					if at, ok := device[g]; !ok || at != boxes[i] {
						t.Fatalf("%s: %+v mixes devices\n%s", name, b, text)
					}
				}
				if d := &devices[boxes[i]]; taken[boxes[i]] || b.Name != d.name || b.Role == "switch" != d.isSwitch {
					t.Fatalf("%s: %+v is not all of %+v\n%s", name, b, d, text)
				}
				taken[boxes[i]] = true
			}
			var got []string
			for _, l := range w.Links {
				for _, e := range [][2]End{{l.A, l.B}, {l.B, l.A}} {
					got = append(got, fmt.Sprintf("%d/%s %d/%s %d x %v", boxes[e[0].Box], e[0].Port, boxes[e[1].Box],
						e[1].Port, l.Lanes, l.LaneRate))
				}
				if l.A.Form != Subnet || l.B.Form != Subnet {
					t.Fatalf("%s: %+v is not a link of a subnet", name, l)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) || len(w.Notes) > 0 {
				t.Fatalf("%s says %q, not %q, %q\n%s", name, got, want, w.Notes, text)
			}
		}
	})
}
