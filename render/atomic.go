package render

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/plenum-planner/plenum/machine"
)

// Writer writes a plan in one format. It stops with the context's error soon
// after the context is cancelled.
type Writer func(ctx context.Context, w io.Writer, r *machine.Result) error

// output is one file of a plan.
type output struct {
	name  string
	write Writer
	// lacks says why a plan has no such file; empty where it has one. Nil where
	// every plan has it.
	lacks func(r *machine.Result) string
}

var outputs = []output{
	{name: "floor.png", write: Floor},
	{name: "floor.svg", write: FloorSVG},
	{name: "floor.pdf", write: FloorPDF},
	{name: "floor.dxf", write: FloorDXF, lacks: rackless("floor.dxf")},
	{name: "bom.xlsx", write: Workbook},
	{name: "bom.csv", write: BOM},
	{name: "orders.csv", write: Orders},
	{name: "install.csv", write: Install},
	{name: "elevations.csv", write: Elevations, lacks: rackless("elevations.csv")},
	{name: "ports.csv", write: Ports, lacks: func(r *machine.Result) string {
		if r.Schedule.Segments == nil {
			return "a summary has no ports.csv"
		}
		return ""
	}},
	{name: "cables.csv", write: Cables, lacks: func(r *machine.Result) string {
		if r.Schedule.Segments == nil {
			return "a summary has no cables.csv"
		}
		return ""
	}},
	{name: "labels.csv", write: Labels, lacks: func(r *machine.Result) string {
		if r.Schedule.Segments == nil {
			return "a summary has no labels.csv"
		}
		return ""
	}},
	{name: "trays.csv", write: Trays, lacks: func(r *machine.Result) string {
		if r.Schedule.Trays == nil {
			return "a plan whose cables do not run on trays has no trays.csv"
		}
		return ""
	}},
	{name: "trays.png", write: TrayPlan, lacks: func(r *machine.Result) string {
		if r.Schedule.Trays == nil {
			return "a plan whose cables do not run on trays has no trays.png"
		}
		return ""
	}},
	{name: "trays.svg", write: TrayPlanSVG, lacks: func(r *machine.Result) string {
		if r.Schedule.Trays == nil {
			return "a plan whose cables do not run on trays has no trays.svg"
		}
		return ""
	}},
	{name: "bundles.csv", write: Bundles, lacks: rackless("bundles.csv")},
	{name: "panels.csv", write: Panels, lacks: func(r *machine.Result) string {
		switch k := r.Schedule.Patching; {
		case k == nil || len(k.Panels) == 0:
			return "a plan without patch panels (cabling.structured) has no panels.csv"
		case r.Schedule.Segments == nil:
			return "a summary has no panels.csv"
		}
		return ""
	}},
	{name: "placement.csv", write: Placement},
	{name: "plan.json", write: JSON},
}

// rackless says that a plan without racks lacks a file.
func rackless(name string) func(r *machine.Result) string {
	return func(r *machine.Result) string {
		if r.Room() == nil {
			return "a plan without racks has no " + name
		}
		return ""
	}
}

// Names lists the files of a plan in the order in which Files returns them.
func Names() []string {
	names := make([]string, len(outputs))
	for i, o := range outputs {
		names[i] = o.name
	}
	return names
}

// Lacks says why a plan has no file of that name; empty where it has one.
func Lacks(r *machine.Result, name string) string {
	for _, o := range outputs {
		if o.name == name && o.lacks != nil {
			return o.lacks(r)
		}
	}
	return ""
}

// Options changes what Files writes.
type Options struct {
	// Only lists the files to write, by name; all of them when empty.
	Only []string
}

// Files writes the files of a plan into dir, which is created if need be, and
// returns their paths. The files are first written beside their final names and
// take those only after every one is complete and on disk: if writing fails, or
// the context is cancelled, dir keeps the files it had and nothing else.
//
// With plan.json come copies of the files that the machine file names, under inputs.
// Some files only are not written beside the plan of another machine: an
// *OtherMachineError.
//
// What a plan lacks (see Lacks) is not written; a file of that name of an earlier
// plan is removed, since it would contradict the others.
func Files(ctx context.Context, r *machine.Result, dir string, opt Options) ([]string, error) {
	for _, name := range opt.Only {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("no output %q; there are %s", name, strings.Join(Names(), ", "))
		}
	}
	var wanted []output
	var stale []string
	for _, o := range outputs {
		switch {
		case len(opt.Only) > 0 && !slices.Contains(opt.Only, o.name):
		case Lacks(r, o.name) != "":
			stale = append(stale, filepath.Join(dir, o.name))
		default:
			wanted = append(wanted, o)
		}
	}
	if err := alone(r, dir, opt); err != nil {
		return nil, err
	}
	paths, err := writeFiles(ctx, r, dir, wanted, stale)
	if err != nil || !slices.ContainsFunc(wanted, func(o output) bool { return o.name == "plan.json" }) {
		return paths, err
	}
	for _, in := range r.Inputs() {
		to := filepath.Join(dir, filepath.FromSlash(in.Copy))
		if err := copyInput(ctx, in.Path, to); err != nil {
			return paths, err
		}
	}
	return paths, nil
}

// copyInput copies a file that the plan was made from into its directory, unless it
// stands there already or is no ordinary file, which could be read once only.
func copyInput(ctx context.Context, from, to string) error {
	info, err := os.Stat(from)
	if err != nil || !info.Mode().IsRegular() {
		return nil //nolint:nilerr // it was there when the plan was made: the plan needs it no more
	}
	if there, err := os.Stat(to); err == nil && os.SameFile(info, there) {
		return nil
	}
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return WriteFile(ctx, to, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}

// An OtherMachineError refuses to write some files of a plan beside those of another
// machine, which would be taken for one plan.
type OtherMachineError struct {
	Dir, There, Here string // the directory, the machine whose plan it has, and that of the plan
}

// Error says whose files are there and what to do.
func (e *OtherMachineError) Error() string {
	return fmt.Sprintf("%s has the plan of another machine, %q, beside whose files those of %q would stand; "+
		"choose another directory with -o, or write all files", e.Dir, e.There, e.Here)
}

// alone refuses to write some files only into a directory with the plan of another
// machine.
func alone(r *machine.Result, dir string, opt Options) error {
	if len(opt.Only) == 0 {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil {
		return nil //nolint:nilerr // no plan, no other machine
	}
	var plan struct {
		Machine string `json:"machine"`
	}
	if json.Unmarshal(data, &plan) != nil || plan.Machine == "" || plan.Machine == r.Spec.Name {
		return nil
	}
	stays := func(o output) bool {
		_, err := os.Stat(filepath.Join(dir, o.name))
		return err == nil && !slices.Contains(opt.Only, o.name)
	}
	if !slices.ContainsFunc(outputs, stays) {
		return nil
	}
	return &OtherMachineError{Dir: dir, There: plan.Machine, Here: r.Spec.Name}
}

// WriteFile writes one file as Files does: it appears whole or not at all.
func WriteFile(ctx context.Context, path string, write func(io.Writer) error) error {
	o := output{name: filepath.Base(path), write: func(_ context.Context, w io.Writer, _ *machine.Result) error {
		buffered := bufio.NewWriterSize(w, 1<<18)
		return errors.Join(write(buffered), buffered.Flush())
	}}
	_, err := writeFiles(ctx, nil, filepath.Dir(path), []output{o}, nil)
	return err
}

// WriteAll writes files into dir as Files does, each by its name there, and removes those of the stale names. It
// returns their paths, in the order of the names.
func WriteAll(
	ctx context.Context, dir string, files map[string]func(io.Writer) error, stale ...string,
) ([]string, error) {
	var all []output
	for _, name := range slices.Sorted(maps.Keys(files)) {
		all = append(all, output{name: name, write: func(_ context.Context, w io.Writer, _ *machine.Result) error {
			buffered := bufio.NewWriterSize(w, 1<<18)
			return errors.Join(files[name](buffered), buffered.Flush())
		}})
	}
	var old []string
	for _, name := range stale {
		if files[name] == nil {
			old = append(old, filepath.Join(dir, name))
		}
	}
	return writeFiles(ctx, nil, dir, all, old)
}

// writeFiles writes the outputs side by side, then renames them in order.
func writeFiles(
	ctx context.Context, r *machine.Result, dir string, outputs []output, stale []string,
) (paths []string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	temps := make([]string, len(outputs))
	defer func() {
		for _, t := range temps {
			if t != "" {
				os.Remove(t)
			}
		}
	}()
	group, writing := errgroup.WithContext(ctx)
	for i, o := range outputs {
		group.Go(func() (err error) {
			if temps[i], err = writeTemp(writing, r, dir, o); err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(dir, o.name), err)
			}
			return nil
		})
	}
	err = group.Wait()
	if ctx.Err() != nil { // then that is why they could not be written
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	for _, o := range outputs { // what no rename could replace
		path := filepath.Join(dir, o.name)
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a directory", path)
		}
	}
	for i, o := range outputs {
		path := filepath.Join(dir, o.name)
		if err := os.Rename(temps[i], path); err != nil {
			return nil, err
		}
		temps[i] = ""
		paths = append(paths, path)
	}
	for _, path := range stale {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return paths, syncDir(dir)
}

// writeTemp writes one output to a file of its own in dir and returns the name
// of that file, also with an error, unless the file could not be made.
func writeTemp(ctx context.Context, r *machine.Result, dir string, o output) (path string, err error) {
	f, err := createTemp(dir, o.name)
	if err != nil {
		return "", err
	}
	defer func() {
		if p := recover(); p != nil { // a fault of ours must not leave the file behind
			path, err = f.Name(), fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		err = errors.Join(err, f.Close())
	}()
	if err := o.write(ctx, &stoppable{ctx, f}, r); err != nil {
		return f.Name(), err
	}
	return f.Name(), f.Sync()
}

// createTemp makes a new file with the permissions that the final one is to
// have, which os.CreateTemp would not.
func createTemp(dir, name string) (*os.File, error) {
	for n := 0; ; n++ {
		path := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", name, os.Getpid(), n))
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// stoppable is a writer that a context stops.
type stoppable struct {
	ctx context.Context
	w   io.Writer
}

func (s *stoppable) Write(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.w.Write(p)
}
