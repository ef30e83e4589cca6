package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
)

// TestEmbeddingPageShowsRealFigures plans the machines that docs/embedding.md
// shows before and after, after with PLENUM_LONG=1 only.
func TestEmbeddingPageShowsRealFigures(t *testing.T) {
	page, err := os.ReadFile("../../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("\\]\\((placement/[a-z-]+\\.yaml)\\).*: `[a-z-]+` ([0-9,]+ m, longest [0-9.]+ m); " +
		"optimised ([0-9,]+ m, longest [0-9.]+ m)")
	rows := row.FindAllStringSubmatch(string(page), -1)
	files, err := filepath.Glob("../../docs/placement/*.yaml")
	if err != nil || len(rows) != len(files) || len(rows) == 0 {
		t.Fatalf("%d rows for %d files, %v", len(rows), len(files), err)
	}
	for _, r := range rows {
		check := func(want string, flags ...string) {
			t.Helper()
			var out, errs bytes.Buffer
			args := append([]string{"plan", filepath.Join("../../docs", r[1]), "--json", "-o", t.TempDir()}, flags...)
			if status := run(context.Background(), &out, &errs, args); status != cli.ExitDone {
				t.Fatalf("status %d: %s", status, &errs)
			}
			var plan struct {
				Length struct {
					Total   float64 `json:"total"`
					Longest float64 `json:"max"`
				} `json:"length_m"`
			}
			if err := json.Unmarshal(out.Bytes(), &plan); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%s m, longest %.1f m", english.Grouped(int64(plan.Length.Total+0.5)),
				plan.Length.Longest)
			if got != want {
				t.Errorf("%s %v: %s; the page says %s", r[1], flags, got, want)
			}
		}
		check(r[2])
		if os.Getenv("PLENUM_LONG") != "" {
			check(r[3], "--effort", "normal", "--objective", "length")
		}
	}
}
