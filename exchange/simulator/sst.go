package simulator

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/units"
)

// WriteSST writes a Python module for SST, the Structural Simulation Toolkit, that adds the network to a simulation as
// merlin.hr_router components, each link with its planned latency. Its function build takes what no plan knows: the
// endpoints, the topology of the routers, such as merlin.anytopo, and their buffers. Each port of a host is an
// endpoint, and parallel channels are links of their own. The first ports of a router lead to routers, as
// merlin.anytopo has them.
//
// Links between two hosts, links that carry one way only, and channels of different rates are refused with an
// exchange.LimitError before anything is written. The link between a host and its own switch has the rate of the
// others.
func WriteSST(ctx context.Context, w io.Writer, n *Network) error {
	if err := n.checkDuplex("SST"); err != nil {
		return err
	}
	rate, err := n.channelRate()
	if err != nil {
		return err
	}
	ports := make([]int, len(n.Vertices)) // that lead to routers, and then all that are used
	for i := range n.Links {
		l := &n.Links[i]
		a, b := int(l.A) < n.Hosts, int(l.B) < n.Hosts
		if a && b {
			return exchange.LimitError(fmt.Sprintf("an endpoint of SST has a router, and %s - %s join two hosts",
				n.Vertices[l.A].Name, n.Vertices[l.B].Name))
		}
		if !a && !b {
			ports[l.A] += n.channels(l, rate)
			ports[l.B] += n.channels(l, rate)
		}
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n", sstHead)
	fmt.Fprintf(out, "TITLE = %s\nRATE = \"%sGb/s\"  # of every link, each way\n\n", strconv.QuoteToASCII(n.Title),
		number(rate))
	out.WriteString("# Name of each router and its number of ports that lead to routers, which are its first.\n")
	out.WriteString("ROUTERS = [\n")
	for v := n.Hosts; v < len(n.Vertices); v++ {
		fmt.Fprintf(out, "    (%s, %d),\n", strconv.QuoteToASCII(n.Vertices[v].Name), ports[v])
	}
	out.WriteString("]\n\n# Between routers: router, port, router, port, latency.\nLINKS = [\n")
	next := make([]int, len(n.Vertices))
	port := func(v int32) int {
		next[v]++
		return next[v] - 1
	}
	err = n.lines(ctx, func(l *Link) error {
		if int(l.A) < n.Hosts || int(l.B) < n.Hosts {
			return nil
		}
		for range n.channels(l, rate) {
			fmt.Fprintf(out, "    (%d, %d, %d, %d, \"%sns\"),\n", int(l.A)-n.Hosts, port(l.A), int(l.B)-n.Hosts,
				port(l.B), number(n.Latency(l)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	out.WriteString("]\n\n# Endpoints, by number: node, router, port, latency.\nENDPOINTS = [\n")
	err = n.lines(ctx, func(l *Link) error {
		host, router := l.A, l.B
		if int(router) < n.Hosts {
			host, router = router, host
		}
		if int(host) >= n.Hosts {
			return nil
		}
		for range n.channels(l, rate) {
			fmt.Fprintf(out, "    (%s, %d, %d, \"%sns\"),\n", strconv.QuoteToASCII(n.Vertices[host].Name),
				int(router)-n.Hosts, port(router), number(n.Latency(l)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "]\n%s", sstBuild)
	return out.Flush()
}

// channelRate returns the rate that every channel of the links has, but for those between hosts and their own switches.
// The error is an exchange.LimitError where a rate is not a multiple of the least.
func (n *Network) channelRate() (units.Rate, error) {
	rate := units.Rate(math.Inf(1))
	for i := range n.Links {
		if l := &n.Links[i]; l.Of >= 0 {
			rate = min(rate, l.Rate)
		}
	}
	for i := range n.Links {
		l := &n.Links[i]
		if many := float64(l.Rate / rate); l.Of >= 0 && many != math.Trunc(many) {
			return 0, exchange.LimitError(fmt.Sprintf("routers of SST have links of one rate, and %s - %s has %v, "+
				"where others have %v", n.Vertices[l.A].Name, n.Vertices[l.B].Name, l.Rate, rate))
		}
	}
	return rate, nil
}

// channels is the links of a rate that a link is in SST.
func (n *Network) channels(l *Link, rate units.Rate) int {
	if l.Of < 0 {
		return 1
	}
	return int(l.Rate / rate)
}

// sstHead begins the module of WriteSST, and sstBuild ends it.
const sstHead = `"""A planned network for SST: routers of merlin and links with planned latencies.

    import network
    network.build(endpoint, topology, {"flit_size": "16B", "xbar_bw": "400Gb/s",
                                       "input_buf_size": "64KiB", "output_buf_size": "64KiB"})

endpoint(number) returns the component of an endpoint and the name of its port. topology(router, number) gives a router
its topology, such as merlin.anytopo. The third argument has the parameters of merlin.hr_router that no plan knows.

The latency of a link has half the delay of the router at either end in it, so that latencies along a path add up to
its delay: leave input_latency and output_latency of the routers at 0.
"""

import sst
`

const sstBuild = `

def build(endpoint, topology, parameters):
    """Adds the routers and links to the simulation, and returns the routers."""
    ports = [count for _, count in ROUTERS]
    for _, router, _, _ in ENDPOINTS:
        ports[router] += 1
    routers = []
    for number, (name, _) in enumerate(ROUTERS):
        router = sst.Component(name, "merlin.hr_router")
        router.addParams({**parameters, "id": number, "num_ports": ports[number], "link_bw": RATE})
        topology(router, number)
        routers.append(router)
    for number, (a, port_a, b, port_b, latency) in enumerate(LINKS):
        link = sst.Link("link-%d" % number)
        link.connect((routers[a], "port%d" % port_a, latency), (routers[b], "port%d" % port_b, latency))
    for number, (_, router, port, latency) in enumerate(ENDPOINTS):
        component, name = endpoint(number)
        link = sst.Link("endpoint-%d" % number)
        link.connect((component, name, latency), (routers[router], "port%d" % port, latency))
    return routers
`
