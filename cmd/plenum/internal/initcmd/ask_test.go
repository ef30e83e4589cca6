package initcmd

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// TestAsk gives answers to the questions in turn.
func TestAsk(t *testing.T) {
	for _, tt := range []struct {
		name, answers string
		flags         given
		want, told    []string // in the file, in the questions
		status        int
	}{
		{
			name: "defaults", answers: "\n\n\n\n\n",
			want: []string{`name: "my-machine"`, "nodes: 128", "generic-switch-64x400g"},
			told: []string{"[128]", "[auto]"},
		},
		{
			name: "too many ports, asked again", answers: "big\n60000\n2\n\n64\n2\n\nauto\n",
			want: []string{"nodes: 64", "rails: 2"}, told: []string{"more than 65,536 ports", "[60000]"},
		},
		{
			name: "a room by a flag that is too small", flags: given{room: "5x5", rate: "100G"},
			answers: "\n900\n\n2\n1\n",
			want:    []string{"nodes: 2\n", "depth: 5 m"}, told: []string{"racks for"},
		},
		{
			name: "all by flags, and no way", answers: "\n", status: cli.ExitInput,
			flags: given{nodes: "900", ports: "1", rate: "100G", room: "4x4"},
		},
		{name: "no more answers", answers: "\n20\n", status: cli.ExitInput},
		{name: "no directory", answers: "none/such\n", told: []string{"no directory none"}, status: cli.ExitInput},
	} {
		t.Chdir(t.TempDir())
		if err := tt.flags.answers(); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		path, data, err := newAsker(t.Context(), strings.NewReader(tt.answers), &out).machine(&tt.flags)
		if got := cli.Status(err); got != tt.status {
			t.Errorf("%s: %s, %v\n%s", tt.name, path, err, &out)
		}
		for _, w := range tt.want {
			if !strings.Contains(string(data), w) {
				t.Errorf("%s: no %q in\n%s", tt.name, w, data)
			}
		}
		for _, w := range tt.told {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%s: no %q in\n%s", tt.name, w, &out)
			}
		}
	}
}

// An interrupt ends the waiting for an answer, and a terminal that fails the asking.
func TestAskEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	silent, w := io.Pipe()
	defer w.Close()
	a := newAsker(ctx, silent, io.Discard)
	cancel()
	if err := a.ask("?", "x", func(string) error { return nil }); err != context.Canceled {
		t.Error(err)
	}
	a = newAsker(t.Context(), iotest.ErrReader(io.ErrClosedPipe), io.Discard)
	if err := a.ask("?", "x", func(string) error { return nil }); err != io.ErrClosedPipe {
		t.Error(err)
	}
}
