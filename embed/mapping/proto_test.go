package mapping

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

func readEdges(t *testing.T, path string) *Graph {
	f, err := os.Open(path)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	var edges []Edge
	n := int32(0)
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		var a, b int32
		fmt.Sscan(sc.Text(), &a, &b)
		edges = append(edges, Edge{A: a, B: b})
		n = max(n, a+1, b+1)
	}
	g, err := NewGraph(int(n), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func torus3(k int) *Graph {
	var edges []Edge
	id := func(x, y, z int) int32 { return int32(x%k + k*(y%k+k*(z%k))) }
	for x := range k {
		for y := range k {
			for z := range k {
				edges = append(edges, Edge{A: id(x, y, z), B: id(x+1, y, z)}, Edge{A: id(x, y, z), B: id(x, y+1, z)}, Edge{A: id(x, y, z), B: id(x, y, z+1)})
			}
		}
	}
	g, _ := NewGraph(k*k*k, edges)
	return g
}

func TestProto(t *testing.T) {
	rr := readEdges(t, "../../../shared/data/graphs/rr8_1024.edges")
	to := torus3(16)
	for _, tt := range []struct {
		name   string
		g      *Graph
		w, cap int
	}{{"rr16", rr, 16, 4}, {"rr8", rr, 8, 16}, {"t16", to, 16, 16}, {"t8", to, 8, 64}, {"t4", to, 4, 256}} {
		for _, e := range []Effort{Quick, Normal} {
			p := &Problem{Graph: tt.g, Costs: Grid(tt.w, tt.w)}
			for range tt.w * tt.w {
				p.Capacity = append(p.Capacity, int64(tt.cap))
			}
			begin := time.Now()
			r, err := Map(context.Background(), p, Options{Effort: e, Progress: func(p Progress) {
				if os.Getenv("V") != "" {
					t.Log(p, time.Since(begin))
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(tt.name, e, r.Score, r.Steps, time.Since(begin))
		}
	}
}
