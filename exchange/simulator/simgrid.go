package simulator

import (
	"bufio"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// simGridHead begins a platform.
const simGridHead = `<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- The latency of a link is the delay of its cable plus half the hop delay of the switch at either end.
     Run with cfg=network/model:CM02 for exactly these latencies: the default model multiplies them. -->
<platform version="4.1">
<zone id="%s" routing="%s">
`

// What a platform has: a link, the beginning of a route, and a link of it in a direction.
const (
	simGridLink  = "<link id=\"l%d\" bandwidth=\"%sGbps\" latency=\"%sns\" sharing_policy=\"%s\"/>\n"
	simGridRoute = `<route src="%s" dst="%s" symmetrical="NO">`
	simGridOver  = `<link_ctn id="l%d"%s/>`
)

// SimGridRoutedHosts is how many hosts a platform of SimGrid has at most for its routes to be in the file.
const SimGridRoutedHosts = 512

// WriteSimGrid writes the platform file (XML) of SimGrid 3: hosts, routers, and links in full duplex with rate and
// latency. The speed of hosts is 1 Gflop/s, as plans do not know it.
//
// With up to SimGridRoutedHosts hosts, the file has the route of every pair: one with the fewest links and, of these,
// the least latency, which is the least delay of the pair in the plan. With more, SimGrid finds routes with the fewest
// links itself (Dijkstra), whichever of several it comes upon, and may lead them over hosts with several ports.
func WriteSimGrid(ctx context.Context, w io.Writer, n *Network) error {
	routed := n.Hosts <= SimGridRoutedHosts
	out := bufio.NewWriter(w)
	routing := "Dijkstra"
	if routed {
		routing = "Full"
	}
	fmt.Fprintf(out, simGridHead, xmlText(n.Title), routing)
	for i := range n.Vertices {
		if i < n.Hosts {
			fmt.Fprintf(out, "<host id=\"%s\" speed=\"1Gf\"/>\n", xmlText(n.Vertices[i].Name))
			continue
		}
		fmt.Fprintf(out, "<router id=\"%s\"/>\n", xmlText(n.Vertices[i].Name))
	}
	link := 0
	err := n.lines(ctx, func(l *Link) error {
		link++
		policy := "SPLITDUPLEX"
		if l.Simplex {
			policy = "SHARED"
		}
		_, err := fmt.Fprintf(out, simGridLink, link, number(l.Rate), number(n.Latency(l)), policy)
		return err
	})
	if err == nil && routed {
		err = n.simGridRoutes(ctx, out)
	} else if err == nil {
		err = n.simGridHops(ctx, out)
	}
	if err != nil {
		return err
	}
	io.WriteString(out, "</zone>\n</platform>\n")
	return out.Flush()
}

// simGridRoutes writes the route of every pair of hosts.
func (n *Network) simGridRoutes(ctx context.Context, out *bufio.Writer) error {
	finder := newPathFinder(n)
	var path []int32
	for from := range int32(n.Hosts) {
		if err := ctx.Err(); err != nil {
			return err
		}
		finder.search(from)
		for to := range int32(n.Hosts) {
			if path = finder.path(path[:0], to); to == from || len(path) == 0 {
				continue
			}
			fmt.Fprintf(out, simGridRoute, xmlText(n.Vertices[from].Name),
				xmlText(n.Vertices[to].Name))
			at := from
			for _, link := range path {
				l := &n.Links[link]
				fmt.Fprintf(out, simGridOver, link+1, simGridWay(l, at))
				at = l.A + l.B - at
			}
			if _, err := io.WriteString(out, "</route>\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

// simGridHops writes a route for each link, both ways.
func (n *Network) simGridHops(ctx context.Context, out *bufio.Writer) error {
	link := 0
	return n.lines(ctx, func(l *Link) error {
		link++
		for _, from := range []int32{l.A, l.B} {
			if l.Simplex && from == l.B {
				continue
			}
			_, err := fmt.Fprintf(out, simGridRoute+simGridOver+"</route>\n", xmlText(n.Vertices[from].Name),
				xmlText(n.Vertices[l.A+l.B-from].Name), link, simGridWay(l, from))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// simGridWay is the direction in which a route leaves a vertex over a link.
func simGridWay(l *Link, from int32) string {
	switch {
	case l.Simplex:
		return ""
	case from == l.A:
		return ` direction="UP"`
	}
	return ` direction="DOWN"`
}

// xmlText is a text in an attribute of XML.
func xmlText(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder has no errors
	return b.String()
}
