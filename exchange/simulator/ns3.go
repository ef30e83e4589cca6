package simulator

import (
	"bufio"
	"context"
	"fmt"
	"io"
)

// WriteNS3 writes the topology file of the ns-3 network of ASTRA-sim and of HPCC's simulator: the numbers of vertices,
// switches and links; the switches; and a line for each link with its rate, its delay in milliseconds and an error rate
// of 0. Hosts are numbered first, in the order of the plan. Links that carry one way only are refused with an
// exchange.LimitError before anything is written.
//
// ns-3 keeps times in whole nanoseconds.
func WriteNS3(ctx context.Context, w io.Writer, n *Network) error {
	if err := n.checkDuplex("ns-3"); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%d %d %d\n", len(n.Vertices), len(n.Vertices)-n.Hosts, len(n.Links))
	for v := n.Hosts; v < len(n.Vertices); v++ {
		if v > n.Hosts {
			out.WriteByte(' ')
		}
		fmt.Fprintf(out, "%d", v)
	}
	out.WriteByte('\n')
	err := n.lines(ctx, func(l *Link) error {
		_, err := fmt.Fprintf(out, "%d %d %sGbps %sms 0\n", l.A, l.B, number(l.Rate), milliseconds(n.Latency(l)))
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}
