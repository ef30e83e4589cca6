package cli

import (
	"context"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/topology"
)

// walked is a graph without closed forms, which counts how many of its links were looked at.
type walked struct {
	topology.Graph
	looked *int
}

func (w walked) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for l := range w.Graph.Links() {
			if *w.looked++; !yield(l) {
				return
			}
		}
	}
}

func (w walked) Kinds() []topology.Kind {
	kinds := append([]topology.Kind(nil), w.Graph.Kinds()...)
	for i := range kinds {
		kinds[i].Ports = 0 // not known
	}
	return kinds
}

func TestGraphsAreAffordable(t *testing.T) {
	torus, err := topology.New(topology.Spec{Params: topology.Torus{Dims: topology.Ints{32, 32}}})
	if err != nil {
		t.Fatal(err)
	}
	const vertices, links = 1024, 2048
	per := PerGraph{
		Vertex: budget.Need{Bytes: 10, Seconds: 1}, Link: budget.Need{Bytes: 100, Seconds: 10},
		Besides: budget.Need{Bytes: 1000},
	}
	all := int64(10*vertices + 100*links + 1000)
	for _, c := range []struct {
		b          budget.Budget
		want, walk string // said of the torus, and of one whose links have to be counted
		most       int    // links that are looked at for that
	}{
		{budget.Budget{}, "", "", 0},
		{budget.Budget{Memory: all}, "", "", links},
		{
			budget.Budget{Memory: all - 1},
			"1,024 vertices and 2,048 links would take about 220 kB",
			"1,024 vertices and more than 2,047 links would", links,
		},
		{
			budget.Budget{Memory: 20_000},
			"1,024 vertices and 2,048 links would take about 220 kB",
			"1,024 vertices and more than 87 links would take about 20 kB", 88,
		},
		{budget.Budget{Memory: 11_000}, "doing 1,024 vertices would take", "doing 1,024 vertices would take", 0},
		{budget.Budget{Time: time.Second}, "--max-time allows 1s", "--max-time allows 1s", 0},
		{budget.Budget{Memory: all, Time: 100 * time.Hour}, "", "", links},
	} {
		ctx := budget.With(context.Background(), c.b)
		looked := 0
		for g, want := range map[topology.Graph]string{torus: c.want, walked{torus, &looked}: c.walk} {
			got := ""
			if err := per.Afford(ctx, "doing", g); err != nil {
				got = err.Error()
				if Status(err) != ExitInput {
					t.Errorf("%+v: status %d", c.b, Status(err))
				}
			}
			if (got == "") != (want == "") || !strings.Contains(got, want) {
				t.Errorf("%+v: %q, expected %q", c.b, got, want)
			}
		}
		if looked != c.most {
			t.Errorf("%+v: %d links were looked at, expected %d", c.b, looked, c.most)
		}
	}
}
