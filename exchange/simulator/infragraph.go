package simulator

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/topology"
)

// infraDevice is a device: its name, its switch or adapter, and its ports, all of which that joins.
const infraDevice = `
    {"name": %[1]s, "components": [{"name": %[2]s, "count": 1, "choice": %[2]s, %[2]s: {}},
      {"name": "port", "count": %[3]d, "choice": "port", "port": {}}], "links": [{"name": "inner"}],
     "edges": [{"ep1": {"component": %[2]s}, "ep2": {"component": "port"}, "scheme": "many2many", "link": "inner"}]}`

// infraLinkText is a link: its name, rate and latency.
const infraLinkText = `
    {"name": %s, "physical": {
      "bandwidth": {"choice": "gigabits_per_second", "gigabits_per_second": %s},
      "latency": {"choice": "ns", "ns": %s}}}`

// WriteInfraGraph writes an infrastructure of InfraGraph 2.4 (JSON): a device and an instance for each kind of vertex,
// a link for each rate and latency, and an edge for each channel. Instances count in the order of the plan, leaf[0]
// the first, and ports as the topology does, from 0. The latency of a link is that of Latency.
func WriteInfraGraph(ctx context.Context, w io.Writer, n *Network) error {
	if err := n.checkDuplex("InfraGraph"); err != nil {
		return err
	}
	kinds := n.graph.Kinds()
	names := infraNames(kinds)
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "{\n  \"name\": %s,\n  \"devices\": [", jsonText(infraName(n.Title)))
	for i, k := range kinds {
		core := "switch"
		if k.Role != topology.Switch {
			core = "nic"
		}
		if i > 0 {
			out.WriteByte(',')
		}
		ports := max(k.Ports, 1)
		fmt.Fprintf(out, infraDevice, jsonText(names[i]), jsonText(core), ports)
	}
	link, links := n.infraLinks()
	out.WriteString("\n  ],\n  \"links\": [")
	for i, l := range links {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, infraLinkText, jsonText(l.name), l.rate, l.latency)
	}
	out.WriteString("\n  ],\n  \"instances\": [")
	for i, k := range kinds {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, "\n    {\"name\": %[1]s, \"device\": %[1]s, \"count\": %[2]d}", jsonText(names[i]), k.Count)
	}
	out.WriteString("\n  ],\n  \"edges\": [")
	first := true
	at, ends := 0, 0
	end := func(v, port, c int32) string {
		ends = topology.KindNear(kinds, ends, int(v))
		return fmt.Sprintf(`{"instance": "%s[%d]", "component": "port[%d]"}`, names[ends], int(v)-kinds[ends].First,
			port+c)
	}
	err := n.lines(ctx, func(l *Link) error {
		at++
		if l.Of < 0 { // within a node
			return nil
		}
		for c := range l.Channels {
			if !first {
				out.WriteByte(',')
			}
			first = false
			_, err := fmt.Fprintf(out, "\n    {\"ep1\": %s, \"ep2\": %s, \"scheme\": \"one2one\", \"link\": %s}",
				end(n.Vertices[l.A].Of, l.PortA, c), end(n.Vertices[l.B].Of, l.PortB, c),
				jsonText(links[link[at-1]].name))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	out.WriteString("\n  ]\n}\n")
	return out.Flush()
}

// infraLink is a kind of link: one rate and latency.
type infraLink struct{ name, rate, latency string }

// infraLinks are the kinds of links, and that of each link of the network.
func (n *Network) infraLinks() ([]int32, []infraLink) {
	of := make([]int32, len(n.Links))
	var all []infraLink
	index := map[[2]string]int32{}
	for i := range n.Links {
		l := &n.Links[i]
		key := [2]string{number(float64(l.Rate) / float64(l.Channels)), number(n.Latency(l))}
		k, ok := index[key]
		if !ok && l.Of >= 0 {
			k = int32(len(all))
			index[key] = k
			all = append(all, infraLink{"link-" + strconv.Itoa(len(all)+1), key[0], key[1]})
		}
		of[i] = k
	}
	return of, all
}

// infraNames are the names of kinds, made different.
func infraNames(kinds []topology.Kind) []string {
	var out []string
	taken := map[string]bool{}
	for _, k := range kinds {
		name := infraName(k.Name)
		for taken[name] {
			name += "_"
		}
		taken[name] = true
		out = append(out, name)
	}
	return out
}

// infraName is a text in the letters of names: slices and dots are InfraGraph's own.
func infraName(text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, text)
	if name == "" {
		return "plan"
	}
	return name
}

func jsonText(text string) string {
	data, _ := json.Marshal(text) // a string has no error
	return string(data)
}
