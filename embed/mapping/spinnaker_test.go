package mapping_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/plenum-planner/plenum/embed/mapping"
)

// sockets are the heights of the sockets of a SpiNNaker board above its foot, in
// metres.
var sockets = map[string]float64{
	"south-west": .013, "north-east": .031, "east": .049, "west": .067, "north": .085, "south": .103,
}

// spinnaker reads a machine's published wiring: boards and slots have the same
// numbers, so that the hand-made fold is the identity. A class of edges is a pair
// of sockets; costs are micrometres of straight cable.
func spinnaker(t *testing.T, boards int) (*mapping.Problem, []int32) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "examples", "spinnaker", fmt.Sprintf("boards-%d.csv", boards)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) int {
		i, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	type slot struct{ cabinet, frame, board int }
	index := make(map[slot]int32)
	var x, y []float64
	at := func(row []string) int32 {
		s := slot{number(row[0]), number(row[1]), number(row[2])}
		if _, ok := index[s]; !ok {
			index[s] = int32(len(x))
			x = append(x, 0.600*float64(s.cabinet)+0.085+0.060+float64(s.board)*(0.014+0.00124)+0.008)
			y = append(y, 0.047+float64(s.frame)*(0.266+0.133)+0.017)
		}
		return index[s]
	}
	classes := make(map[[2]string]uint8)
	var pairs [][2]string
	var edges []mapping.Edge
	for _, row := range rows[1:] {
		pair := [2]string{row[3], row[7]}
		if _, ok := classes[pair]; !ok {
			classes[pair] = uint8(len(pairs))
			pairs = append(pairs, pair)
		}
		edges = append(edges, mapping.Edge{A: at(row[0:3]), B: at(row[4:7]), Class: classes[pair]})
	}
	n := len(x)
	tables := make([][]int32, len(pairs))
	for c, pair := range pairs {
		tables[c] = make([]int32, n*n)
		for a := range n {
			for b := range n {
				d := math.Hypot(x[a]-x[b], y[a]+sockets[pair[0]]-y[b]-sockets[pair[1]])
				tables[c][a*n+b] = int32(math.Round(d * 1e6))
			}
		}
	}
	g, err := mapping.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	costs, err := mapping.Tables(n, tables...)
	if err != nil {
		t.Fatal(err)
	}
	fold := make([]int32, n)
	for v := range fold {
		fold[v] = int32(v)
	}
	return &mapping.Problem{Graph: g, Costs: costs, Capacity: repeat(1, n)}, fold
}

// The hand-made folds of SpiNNaker's machines: their published lengths, found
// again from a random start within 3 %, and not made worse from the fold; then
// the longest cable.
func TestSpiNNaker(t *testing.T) {
	tests := []struct {
		boards        int
		mean, longest float64 // metres
	}{{24, 0.074, 0.138}, {120, 0.309, 0.818}}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.boards), func(t *testing.T) {
			effort := mapping.Quick
			if long() {
				effort = mapping.Normal
			}
			p, fold := spinnaker(t, tt.boards)
			cables := float64(len(p.Graph.To) / 2)
			metres := func(s mapping.Score) (mean, longest float64) {
				return float64(s.Sum) / cables / 1e6, float64(s.Longest) / 1e6
			}
			mean, longest := metres(mapping.ScoreOf(p.Graph, p.Costs, fold))
			if math.Abs(mean-tt.mean) > 0.0005 || math.Abs(longest-tt.longest) > 0.0005 {
				t.Fatalf("the fold has mean %.4f and longest %.4f", mean, longest)
			}
			solve := func(o mapping.Objective, start []int32) (float64, float64) {
				q := *p
				q.Objective = o
				options := mapping.Options{Effort: effort, Starts: [][]int32{start}}
				r, err := mapping.Map(context.Background(), &q, options)
				if err != nil {
					t.Fatal(err)
				}
				return metres(r.Score)
			}
			random := mapping.Random(tt.boards, p.Capacity, 1)
			ours, ourLongest := solve(mapping.Objective{}, random)
			t.Logf("fold: mean %.4f, longest %.3f; from random: %.4f (%+.1f %%), %.3f",
				mean, longest, ours, 100*(ours/mean-1), ourLongest)
			if ours > 1.03*mean {
				t.Errorf("from a random start the mean is %.4f, the fold's %.4f", ours, mean)
			}
			ours, _ = solve(mapping.Objective{}, fold)
			t.Logf("from the fold: %.4f", ours)
			if ours > mean {
				t.Errorf("from the fold the mean is %.4f, the fold's %.4f", ours, mean)
			}
			ours, ourLongest = solve(mapping.Objective{LongestFirst: true}, random)
			t.Logf("longest first, from random: mean %.4f, longest %.3f", ours, ourLongest)
			if ourLongest > longest {
				t.Errorf("the longest is %.3f, the fold's %.3f", ourLongest, longest)
			}
		})
	}
}
