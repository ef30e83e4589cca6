package mcpcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// Confined is the variable of the environment that has a process of plenum read files below its working directory only.
const Confined = "PLENUM_CONFINED"

// A runner runs a command of plenum in the directory that is served.
type runner func(ctx context.Context, args []string) (outcome, error)

// outcome is what a command leaves.
type outcome struct {
	stdout, stderr []byte
	status         int
}

// The most bytes that are kept of what a command prints: of its document on standard output, and of its messages on
// standard error.
const (
	mostDocument = 64 << 20
	mostMessages = 64 << 10
)

// Beyond its time, a command has this long to end by itself before it is killed.
const grace = 2 * time.Second

// newProcess is a runner of this program itself.
func newProcess(dir string) (runner, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	return func(ctx context.Context, args []string) (outcome, error) {
		cmd := exec.CommandContext(ctx, self, args...)
		cmd.Args[0] = os.Args[0]
		cmd.Dir, cmd.WaitDelay = dir, grace
		cmd.Env = append(os.Environ(), Confined+"=1")
		stdout, stderr := limited{most: mostDocument}, limited{most: mostMessages, cut: true}
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		out := outcome{stdout: stdout.kept.Bytes(), stderr: stderr.kept.Bytes(), status: cmd.ProcessState.ExitCode()}
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case stdout.full:
			return out, fmt.Errorf("the document is larger than %d MiB; ask for less, such as a summary",
				mostDocument>>20)
		case errors.As(err, new(*exec.ExitError)):
			return out, nil
		}
		return out, err
	}, nil
}

// limited keeps the first bytes of what is written. Beyond them, writing fails, or the rest is cut. The buffer is not
// embedded: its ReadFrom, which copying prefers to Write, knows no limit.
type limited struct {
	kept      bytes.Buffer
	most      int
	cut, full bool
}

func (l *limited) Write(p []byte) (int, error) {
	left := l.most - l.kept.Len()
	if len(p) <= left {
		return l.kept.Write(p)
	}
	l.full = true
	l.kept.Write(p[:left])
	if l.cut {
		return len(p), nil
	}
	return left, errors.New("too much is printed")
}

// call runs a command, as soon as it is its turn.
func (s *server) call(ctx context.Context, args []string) (*mcp.CallToolResult, error) {
	select {
	case s.queue <- struct{}{}:
		defer func() { <-s.queue }()
	default:
		return nil, fmt.Errorf("%d calls wait already; try again later", cap(s.queue)-cap(s.turns))
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	limits := []string{"--max-time=" + s.time.String()}
	if s.memory > 0 {
		limits = append(limits, fmt.Sprintf("--max-memory=%d kB", s.memory/1000))
	}
	ctx, cancel := context.WithTimeout(ctx, s.time+grace)
	defer cancel()
	out, err := s.run(ctx, append(limits, args...))
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("ended after the %s of --call-time", s.time)
	case err != nil:
		return nil, err
	}
	return result(out)
}

// result is the result of a tool: the document, and what is said beside it.
func result(out outcome) (*mcp.CallToolResult, error) {
	messages := strings.TrimSpace(strings.ToValidUTF8(string(out.stderr), "?"))
	messages = strings.TrimPrefix(messages, "plenum: ")
	if out.status != cli.ExitDone && out.status != cli.ExitBroken {
		if messages == "" {
			messages = fmt.Sprintf("plenum ended with status %d", out.status)
		}
		return nil, errors.New(messages)
	}
	document := bytes.TrimSpace(out.stdout)
	if !json.Valid(document) {
		return nil, errors.New("plenum printed no JSON document")
	}
	r := &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(document)}},
		StructuredContent: json.RawMessage(document),
	}
	if messages != "" {
		r.Content = append(r.Content, &mcp.TextContent{Text: messages})
	}
	return r, nil
}
