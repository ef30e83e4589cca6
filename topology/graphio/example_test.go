package graphio_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/plenum-planner/plenum/topology/graphio"
)

// A graph read as an edge list and written as DOT.
func Example() {
	g, err := graphio.Read("triangle", "edges", strings.NewReader("0 1\n1 2\n2 0\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := graphio.WriteDOT(os.Stdout, g); err != nil {
		fmt.Println(err)
	}
	// Output:
	// graph "file" {
	// 	0 [kind="node", role="node", label="0"];
	// 	1 [kind="node", role="node", label="1"];
	// 	2 [kind="node", role="node", label="2"];
	// 	0 -- 1;
	// 	1 -- 2;
	// 	2 -- 0;
	// }
}
