package clusters_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/measure"
)

// TestSpiNNakerWiring: 4 x 2 and 8 x 5 triads are the published lists of cables of 24 and 120 boards, socket by socket:
// walking both from one board gives every board a node of its own, and every cable a link between the same sockets.
func TestSpiNNakerWiring(t *testing.T) {
	sockets := []string{"east", "north", "north-east", "west", "south", "south-west"} // by port
	for boards, dims := range map[int]topology.Ints{24: {4, 2}, 120: {8, 5}} {
		f, err := os.Open(filepath.Join("..", "..", "examples", "spinnaker", fmt.Sprintf("boards-%d.csv", boards)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		published := map[[2]string]string{} // board at the other end, by board and socket
		for _, row := range rows[1:] {
			a, b := strings.Join(row[:3], "."), strings.Join(row[4:7], ".")
			published[[2]string{a, row[3]}], published[[2]string{b, row[7]}] = b, a
		}
		g := graphtest.New(t, clusters.HexagonalTorus{Dims: dims, Triads: true})
		n := topology.Vertices(g)
		next := make([][6]int, n)
		for l := range g.Links() {
			next[l.A][l.PortA], next[l.B][l.PortB] = int(l.B), int(l.A)
			if l.PortB != l.PortA+3 {
				t.Fatalf("%+v joins sockets that are not opposite", l)
			}
		}
		at := map[string]int{"0.0.0": 0} // node of each board
		boardOf := map[int]string{0: "0.0.0"}
		for queue := []string{"0.0.0"}; len(queue) > 0; queue = queue[1:] {
			board := queue[0]
			for port, socket := range sockets {
				b, v := published[[2]string{board, socket}], next[at[board]][port]
				if _, ok := at[b]; !ok && boardOf[v] == "" {
					at[b], boardOf[v] = v, b
					queue = append(queue, b)
				}
				if at[b] != v || boardOf[v] != b {
					t.Fatalf("%d boards: %s of %s leads to %s, of %s to %s", boards, socket, board, b,
						g.Label(at[board]), g.Label(v))
				}
			}
		}
		if len(at) != boards || n != boards || len(published) != 6*boards {
			t.Errorf("%d boards of %d, %d nodes, %d sockets", len(at), boards, n, len(published))
		}
	}
}

// TestHexagonalHops holds the distances against those of steps counted in the plane: of x east and y north, as many
// are saved as both go the same way.
func TestHexagonalHops(t *testing.T) {
	g := graphtest.New(t, clusters.HexagonalTorus{Dims: topology.Ints{7, 5}})
	longest, sum := 0, 0
	for x := range 7 {
		for y := range 5 {
			least := math.MaxInt
			for _, dx := range []int{x, x - 7} {
				for _, dy := range []int{y, y - 5} {
					hops := max(dx, -dx, dy, -dy, dx-dy, dy-dx)
					least = min(least, hops)
				}
			}
			longest, sum = max(longest, least), sum+least
		}
	}
	h := graphtest.Hops(t, g, measure.Routers)
	if h.Diameter != longest || math.Abs(h.Mean-float64(sum)/34) > 1e-9 {
		t.Errorf("diameter %d, mean %v; expected %d and %v", h.Diameter, h.Mean, longest, float64(sum)/34)
	}
}

// TestZCube: accelerators g and h share a switch if they agree in g div n or g mod n, and are three links apart if they
// do not.
func TestZCube(t *testing.T) {
	const n = 4
	g := graphtest.New(t, clusters.ZCube{Side: n})
	c := topology.NewCSR(g)
	dist := make([]int32, c.Vertices())
	for a := range n * n {
		topology.HopDistances(c, 2*n+a, dist, nil)
		for b := range n * n {
			want := int32(3)
			switch {
			case a == b:
				want = 0
			case a/n == b/n || a%n == b%n:
				want = 2
			}
			if got := dist[2*n+b]; got != want {
				t.Errorf("%d hops from %d to %d, expected %d", got, a, b, want)
			}
		}
	}
}
