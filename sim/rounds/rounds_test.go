package rounds_test

import (
	"context"
	"testing"
	"encoding/json"
	"time"

	"plenum/sim/rounds"
	"plenum/topology"
)

func TestTry(t *testing.T) {
	for _, o := range []rounds.Options{
		{Load: 28},
		{Load: 28, Reading: rounds.Reading{Copies:2}},
		{Load: 28, Reading: rounds.Reading{CopyGrowth:2}},
		{Load: 28, Reading: rounds.Reading{Unbalanced:true}},
		{Load: 4, Mode: rounds.Light},
		{Load: 4, Mode: rounds.Light, Reading: rounds.Reading{Copies:4}},
		{Load: 4, Mode: rounds.Light, Reading: rounds.Reading{Unbalanced:true}},
	} {
		o.Topology = topology.Spec{Family: "clex", Clique: 32, Levels: 4}
		o.Seed = 1
		start := time.Now()
		r, err := rounds.Run(context.Background(), o)
		if err != nil { t.Fatal(err) }
		took := time.Since(start)
		t.Logf("%v %+v", took, o.Reading)
		for _, l := range r.Levels { t.Logf("%+v", l) }
		j, _ := json.Marshal(r)
		t.Logf("%s", j)
	}
}
