package catalog_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
)

// TestPortPatterns names the ports of switches as their operating systems do, whole and broken out.
func TestPortPatterns(t *testing.T) {
	for system, c := range map[string]struct {
		g            catalog.PortGroup
		whole, split string
		port         int // from 0, and how many parts it is broken out into
		into         int
		want         string
		parts        []string
	}{
		"Cumulus": {
			whole: "swp#", split: "swp#s{lane0}", port: 0, into: 4, want: "swp1",
			parts: []string{"swp1s0", "swp1s1", "swp1s2", "swp1s3"},
		},
		"SONiC": {
			whole: "Ethernet{n0*8}", split: "Ethernet{n0*8+lane0/8}", port: 1, into: 2, want: "Ethernet8",
			parts: []string{"Ethernet8", "Ethernet12"},
		},
		"SONiC 8x": {
			whole: "Ethernet{n0*8}", split: "Ethernet{n0*8+lane0/8}", port: 0, into: 8, want: "Ethernet0",
			parts: strings.Fields("Ethernet0 Ethernet1 Ethernet2 Ethernet3 Ethernet4 Ethernet5 Ethernet6 Ethernet7"),
		},
		"SONiC 4x": {
			whole: "etp#", split: "etp#{letter}", port: 1, into: 4, want: "etp2",
			parts: []string{"etp2a", "etp2b", "etp2c", "etp2d"},
		},
		"SONiC of 4 lanes behind ports of 1": {
			g: catalog.PortGroup{First: 49}, whole: "Ethernet{n0*4-144}", split: "Ethernet{n0*4-144+lane0/4}",
			port: 1, into: 2, want: "Ethernet52", parts: []string{"Ethernet52", "Ethernet54"},
		},
		"EOS": {
			whole: "Ethernet#/1", split: "Ethernet#/{lane/8}", port: 2, into: 2, want: "Ethernet3/1",
			parts: []string{"Ethernet3/1", "Ethernet3/5"},
		},
		"EOS with more parts than lanes": {
			whole: "Ethernet#/1", split: "Ethernet#/{lane/4}", port: 2, into: 8, want: "Ethernet3/1",
			parts: []string{"", "", "", "", "", "", "", ""},
		},
		"NX-OS": {
			whole: "Ethernet1/#", split: "Ethernet1/#/{lane}", port: 2, into: 2, want: "Ethernet1/3",
			parts: []string{"Ethernet1/3/1", "Ethernet1/3/2"},
		},
		"Junos": {
			whole: "et-0/0/{n0}", split: "et-0/0/{n0}:{lane0}", port: 2, into: 2, want: "et-0/0/2",
			parts: []string{"et-0/0/2:0", "et-0/0/2:1"},
		},
		"SR Linux": {
			whole: "ethernet-1/#", split: "ethernet-1/#/{lane}", port: 2, into: 2, want: "ethernet-1/3",
			parts: []string{"ethernet-1/3/1", "ethernet-1/3/2"},
		},
		"NVOS": {
			g: catalog.PortGroup{PerCage: 2}, whole: "sw{cage}p{port}", split: "sw{cage}p{port}s{lane}", port: 17,
			into: 2, want: "sw9p2", parts: []string{"sw9p2s1", "sw9p2s2"},
		},
		"MLNX-OS": {
			g: catalog.PortGroup{PerCage: 2}, whole: "ib 1/{cage}/{port}", split: "", port: 17, into: 2,
			want: "ib 1/9/2", parts: []string{"", ""},
		},
	} {
		c.g.Interface, c.g.InterfaceSplit = []string{c.whole}, c.split
		c.g.Aliases, c.g.AliasesSplit = [][]string{{c.whole}}, []string{c.split}
		got := c.g.Identity(c.port)
		if got.Interface != c.want || !slices.Equal(got.Aliases, []string{c.want}) {
			t.Errorf("%s: %+v, want %s", system, got, c.want)
		}
		for lane, want := range c.parts {
			got := c.g.SplitIdentity(c.port, lane, c.into)
			if got.Interface != want || strings.Join(got.Aliases, " ") != want {
				t.Errorf("%s, part %d: %+v, want %s", system, lane, got, want)
			}
		}
	}
}

// TestNamesByList takes names from lists, where "" is not known.
func TestNamesByList(t *testing.T) {
	g := catalog.PortGroup{
		Count: 2, Label: "OSFP{cage}P{port}", PerCage: 2, Device: []string{"mlx5_11", "mlx5_6"},
		Interface: []string{"ibp220s0", ""}, PCI: []string{"dc:00.0", "9a:00.0"},
		Aliases: [][]string{{"", "enp154s0np0"}, {"rail{n0}"}},
	}
	want := []catalog.PortIdentity{
		{Label: "OSFP1P1", Interface: "ibp220s0", Device: "mlx5_11", PCI: "dc:00.0", Aliases: []string{"rail0"}},
		{Label: "OSFP1P2", Device: "mlx5_6", PCI: "9a:00.0", Aliases: []string{"enp154s0np0", "rail1"}},
	}
	for i := range want {
		if diff := cmp.Diff(want[i], g.Identity(i)); diff != "" {
			t.Errorf("port %d: %s", i, diff)
		}
	}
}

// slowly is the twin of patterns: sums of words that are replaced one after the other, by a regular expression.
func slowly(pattern string, words map[string]int) string {
	sum := regexp.MustCompile(`\{(([a-z0-9*]+)([+-][a-z0-9*]+)*)\}`)
	term := regexp.MustCompile(`[+-]?[a-z0-9*]+`)
	return sum.ReplaceAllStringFunc(pattern, func(text string) string {
		total := 0
		if strings.Trim(text, "{}0123456789+-*") == "" {
			return text
		}
		for _, t := range term.FindAllString(text[1:len(text)-1], -1) {
			sign, factor := 1, 1
			if t[0] == '-' {
				sign = -1
			}
			name, times, _ := strings.Cut(strings.TrimLeft(t, "+-"), "*")
			if times != "" {
				factor, _ = strconv.Atoi(times)
			}
			value, err := strconv.Atoi(name)
			if err != nil {
				value = words[name]
			}
			total += sign * value * factor
		}
		if total < 0 {
			return "negative"
		}
		return strconv.Itoa(total)
	})
}

// TestSums holds that sums in braces are what a slow reader makes of them.
func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"n", "n0", "cage", "cage0", "port", "port0", "7", "n*3", "n0*8", "cage0*2"})
		text := "x{" + word.Draw(t, "first")
		for range rapid.IntRange(0, 3).Draw(t, "more") {
			text += rapid.SampledFrom([]string{"+", "-"}).Draw(t, "sign") + word.Draw(t, "word")
		}
		text += "}y"
		g := catalog.PortGroup{
			First:   rapid.IntRange(0, 60).Draw(t, "number of the first"),
			PerCage: rapid.IntRange(0, 4).Draw(t, "per cage"), Interface: []string{text},
		}
		i := rapid.IntRange(0, 70).Draw(t, "port")
		first, per := max(g.First, 1), max(g.PerCage, 1)
		want := slowly(text, map[string]int{
			"n": first + i, "n0": first + i - 1, "cage": first + i/per, "cage0": first + i/per - 1,
			"port": 1 + i%per, "port0": i % per,
		})
		if strings.Contains(want, "negative") {
			want = ""
		}
		if got := g.Identity(i).Interface; got != want {
			t.Fatalf("port %d by %s of %+v is %q, want %q", i, text, g, got, want)
		}
	})
}

// TestFaultsOfNames holds that wrong names are reported with their place and the nearest name.
func TestFaultsOfNames(t *testing.T) {
	head := "parts:\n- id: box\n  kind: switch\n  source: s\n  confidence: user\n  units: 1\n  ports:\n"
	const (
		alike = "ports are distinguished by #, {n0}, {cage} or {port} in a pattern, or by a list with a name for each"
		parts = "parts of a port are distinguished by {lane}, {lane0}, {letter} or, for the first of 8 lanes, " +
			"{lane/8}"
		letters = "letters, digits and . _ + : / -, beginning with a letter or digit"
		form    = ": up to 64 " + letters
	)
	for _, c := range [][2]string{
		{
			"{count: 4, @interface: [a, b, c]}",
			`8:45 ports[0].interface: 3 names for 4 ports; write one pattern, such as swp#, or ` +
				"a name for each port",
		},
		{
			"{count: 4, @interface: eth}",
			`8:45 ports[0].interface: two ports are called "eth"; ` + alike,
		},
		{
			"{count: 2, @device: [mlx5_0, mlx5_0]}",
			`8:62 ports[0].device[1]: two ports are called "mlx5_0"; ` + alike,
		},
		{
			"{count: 2, @device: [mlx5 0, mlx5_1]}",
			`8:54 ports[0].device[0]: "mlx5 0" is not the name of a port` + form + "; ",
		},
		{
			`{count: 2, @interface: "Ethernet{m0*8}"}`,
			`8:45 ports[0].interface: "Ethernet{m0*8}" is not the name of a port` + form + `; did you mean "n0"?`,
		},
		{
			`{count: 2, @label: "p{prt}"}`,
			`8:5 ports[0]: "p{prt}" is not the name of a port: ` + letters + `; did you mean "port"?`,
		},
		{
			"{count: 2, @pci: [dc:00.0, 9A:00]}",
			`8:60 ports[0].pci[1]: "9A:00" is not a PCI address such as dc:00.0; `,
		},
		{
			`{count: 2, @aliases: ["x{n-2}"]}`,
			`8:55 ports[0].aliases[0]: a number in braces is negative; `,
		},
		{
			`{count: 2, @label: "p#", aliases: ["p{n+1}"]}`,
			`8:68 ports[0].aliases[0]: "p2" is printed at another port; `,
		},
		{
			`{count: 2, @interface_split: "p#"}`,
			`8:62 ports[0].interface_split: two parts of a port are called "p1"; ` + parts,
		},
		{
			`{count: 2, @aliases_split: ["p{n+lane}"]}`,
			`8:61 ports[0].aliases_split[0]: two ports are called "p3"; ` + parts,
		},
		{
			`{count: 2, @interface_split: "p#s{lane/1}"}`,
			`8:62 ports[0].interface_split: "p#s{lane/1}" makes no name of any part of a port; `,
		},
		{
			"{count: 1, @interface: eth0}\n  - {count: 1, first: 2, @device: eth0}",
			`9:55 ports[1].device: two ports are called "eth0"; ` + alike,
		},
	} {
		text, want := strings.ReplaceAll(c[0], "@", "connector: osfp, rate: 800G, "), c[1]
		file := catalog.ParseFile([]byte(head+"  - "+text+"\n"), "c.yaml")
		found := catalog.Default().CheckFiles([]*catalog.File{file})
		if len(found) != 1 {
			t.Errorf("%s: %v", text, found)
			continue
		}
		d := &found[0]
		got := fmt.Sprintf("%d:%d %s: %s; %s", d.Pos.Line, d.Pos.Column, d.Path, d.Message, d.Suggestion)
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", text, got, want)
		}
	}
}
