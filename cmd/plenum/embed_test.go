package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// An interrupt at any moment ends with the best permutation so far.
func TestEmbedQAPInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	const line = "4\n 0 9 1 1\n 9 0 1 1\n 1 1 0 9\n 1 1 9 0\n\n 0 3 1 2\n 3 0 2 1\n 1 2 0 1\n 2 1 1 0\n"
	if err := os.WriteFile("line.dat", []byte(line), 0o666); err != nil {
		t.Fatal(err)
	}
	unbounded, stopped := 0, 0
	for asked := int64(0); ; asked += 1 + asked/4 {
		ctx := &countdown{}
		ctx.Context, ctx.cancel = context.WithCancel(context.Background())
		ctx.left.Store(asked)
		status, stdout, stderr := command(ctx, "embed", "qap", "line.dat", "--json", "--effort", "quick",
			"--best-known", "0")
		ctx.cancel()
		var got struct {
			Cost        int64
			Permutation []int
			Interrupted bool
			LowerBound  *int64   `json:"lower_bound"`
			Gap         *float64 `json:"gap_to_bound"`
			Known       *float64 `json:"gap_to_best_known"`
		}
		if err := json.Unmarshal([]byte(stdout), &got); status != cli.ExitDone || stderr != "" || err != nil {
			t.Fatalf("interrupted at %d: status %d, %v: %s%s", asked, status, err, stdout, stderr)
		}
		slices.Sort(got.Permutation)
		if !slices.Equal(got.Permutation, []int{1, 2, 3, 4}) || (got.LowerBound == nil) != (got.Gap == nil) ||
			got.Known != nil {
			t.Fatalf("interrupted at %d: %s", asked, stdout)
		}
		if !got.Interrupted {
			if got.Cost != 52 {
				t.Errorf("cost %d", got.Cost)
			}
			break
		}
		stopped++
		if got.LowerBound == nil {
			unbounded++
		}
		if asked > 1_000_000 {
			t.Fatal("it never ends")
		}
	}
	if unbounded < 1 || stopped <= unbounded {
		t.Errorf("interrupted %d times, %d of them before the bound", stopped, unbounded)
	}
	if status := run(context.Background(), fullWriter{}, io.Discard,
		[]string{"embed", "qap", "line.dat"}); status != cli.ExitFault {
		t.Errorf("full disk: status %d", status)
	}
}
