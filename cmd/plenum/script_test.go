package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/render"
)

// TestMain has documents name the program alone, so that tests can compare those of different commands. Tests of
// provenance unset the variable.
func TestMain(m *testing.M) {
	if err := os.Setenv(provenanceVariable, "program"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"plenum": main})
}

// command runs the command in this process.
func command(ctx context.Context, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = run(ctx, &out, &errs, args)
	return status, out.String(), errs.String()
}

func TestSchemaTakesEveryExampleAndTheStarter(t *testing.T) {
	status, text, errs := command(context.Background(), "schema")
	if status != cli.ExitDone {
		t.Fatal(status, errs)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("plenum.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("plenum.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if len(cli.ExampleNames()) < 7 {
		t.Fatalf("examples %v", cli.ExampleNames())
	}
	for _, from := range append(cli.ExampleNames(), "") {
		args := []string{"init", "machine-" + from}
		if from != "" {
			args = append(args, "--from", from)
		}
		if status, _, errs := command(context.Background(), args...); status != cli.ExitDone {
			t.Fatal(args, status, errs)
		}
		data, err := os.ReadFile("machine-" + from + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if from != "" {
			if want, _ := examples.Files.ReadFile(from + ".yaml"); !bytes.Equal(data, want) {
				t.Errorf("%s is not a copy", from)
			}
		}
		if err := schema.Validate(instance(t, data)); err != nil {
			t.Errorf("%q: %v", from, err)
		}
		if wrong := append(data, "\nrooms: {}\n"...); schema.Validate(instance(t, wrong)) == nil {
			t.Errorf("%q is taken with a key too many", from)
		}
	}
}

// instance turns YAML into what a schema validator takes.
func instance(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := yaml.Load(data, &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if v, err = jsonschema.UnmarshalJSON(bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return v
}

// countdown is a context that is cancelled when it has been asked often enough
// whether it is.
type countdown struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func (c *countdown) count() {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
}

func (c *countdown) Err() error            { c.count(); return c.Context.Err() }
func (c *countdown) Done() <-chan struct{} { c.count(); return c.Context.Done() }

// An interrupt at any moment leaves the files of an earlier plan as they were,
// and nothing else.
func TestInterruptLeavesNoPartialFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	const old = "of an earlier plan"
	ring := []byte("topology: {family: torus, dims: 8}\n")
	if err := os.WriteFile("ring.yaml", ring, 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := command(context.Background(), "plan", "ring.yaml", "-o", "whole"); status != cli.ExitDone {
		t.Fatal(stderr)
	}
	names := slices.DeleteFunc(render.Names(), func(name string) bool { // files that the plan has
		_, err := os.Stat(filepath.Join("whole", name))
		return err != nil
	})
	interrupted := 0
	for asked := int64(0); ; asked++ {
		for _, name := range append(slices.Clone(names), "manifest.json", "notes.txt") {
			if err := os.MkdirAll("out", 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join("out", name), []byte(old), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		ctx := &countdown{}
		ctx.Context, ctx.cancel = context.WithCancel(context.Background())
		ctx.left.Store(asked)
		status, stdout, stderr := command(ctx, "plan", "ring.yaml", "-o", "out")
		ctx.cancel()
		entries, err := os.ReadDir("out")
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != len(names)+2 {
			t.Fatalf("interrupted at %d: %v", asked, entries)
		}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join("out", e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			want := []byte(old)
			if status == cli.ExitDone && e.Name() != "notes.txt" {
				if want, err = os.ReadFile(filepath.Join("whole", e.Name())); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(data, want) {
				t.Fatalf("interrupted at %d, status %d: %s has %d bytes, want %d", asked, status, e.Name(), len(data),
					len(want))
			}
		}
		if status == cli.ExitDone {
			break
		}
		interrupted++
		if stdout != "" || stderr != "plenum: interrupted\n" || status != cli.ExitFault || asked > 1000 {
			t.Fatalf("interrupted at %d, status %d: %s%s", asked, status, stdout, stderr)
		}
	}
	if interrupted < 2 {
		t.Errorf("interrupted %d times only", interrupted)
	}
}

// An interrupt before anything is written leaves no directory either.
func TestInterruptBeforeWriting(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if status, _, _ := command(ctx, "plan"); status == cli.ExitDone {
		t.Error("an interrupted plan is done")
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("%v %v", entries, err)
	}
}

// brokenWriter panics, as a fault of ours may.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { panic("out of order") }

// A panic is a fault of ours, not of the input, whose status Go would end with.
func TestPanicIsAFaultOfOurs(t *testing.T) {
	var errs bytes.Buffer
	if status := run(context.Background(), brokenWriter{}, &errs, []string{"schema"}); status != cli.ExitFault {
		t.Errorf("status %d", status)
	}
	if !bytes.Contains(errs.Bytes(), []byte("out of order")) {
		t.Errorf("%s", &errs)
	}
}

// fullWriter is a full disk.
type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// Output that cannot be written ends with a status that says so.
func TestFullOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"schema"}, {"plan"}, {"plan", "--json"}, {"init", "x"}, {"catalog", "list"}} {
		var errs bytes.Buffer
		if status := run(context.Background(), fullWriter{}, &errs, args); status != cli.ExitFault {
			t.Errorf("%v: status %d", args, status)
		}
	}
}
