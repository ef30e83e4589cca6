package traffic_test

import (
	"fmt"

	"github.com/plenum-planner/plenum/sim/traffic"
)

// A pattern without chance: terminals send to the terminal of the complement of their number.
func ExampleBitComplement() {
	pattern := traffic.BitComplement(8)
	for src := range int32(4) {
		fmt.Println(src, "sends to", pattern.Destination(src, nil))
	}
	// Output:
	// 0 sends to 7
	// 1 sends to 6
	// 2 sends to 5
	// 3 sends to 4
}

// A workload says what may be sent next when a message has arrived.
func ExampleWorkload() {
	ring, err := traffic.NewRing(3, 1024)
	if err != nil {
		fmt.Println(err)
		return
	}
	var queue []traffic.Message
	send := func(m traffic.Message) { queue = append(queue, m) }
	ring.Start(send)
	for n := 0; len(queue) > 0; n++ {
		m := queue[0]
		queue = queue[1:]
		fmt.Printf("%d: %d to %d, %d bytes\n", n, m.Src, m.Dst, m.Bytes)
		ring.Delivered(m, send)
	}
	// Output:
	// 0: 0 to 1, 342 bytes
	// 1: 1 to 2, 342 bytes
	// 2: 2 to 0, 342 bytes
	// 3: 1 to 2, 342 bytes
	// 4: 2 to 0, 342 bytes
	// 5: 0 to 1, 342 bytes
	// 6: 2 to 0, 342 bytes
	// 7: 0 to 1, 342 bytes
	// 8: 1 to 2, 342 bytes
	// 9: 0 to 1, 342 bytes
	// 10: 1 to 2, 342 bytes
	// 11: 2 to 0, 342 bytes
}
