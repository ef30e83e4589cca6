package render

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/solid"
)

// Writer writes a plan in one format. It stops with the context's error soon
// after the context is cancelled.
type Writer func(ctx context.Context, w io.Writer, r *machine.Result) error

// output is one file of a plan.
type output struct {
	name  string
	write Writer
	// listing is write with what several files need alike; nil where it needs nothing.
	listing func(ctx context.Context, w io.Writer, r *machine.Result, ends *endText) error
	// paths says that it tells delays over paths.
	paths bool
	// long is how long it takes, beside the others, in large machines.
	long int
	// lacks says why a plan has no such file; empty where it has one. Nil where
	// every plan has it.
	lacks func(r *machine.Result) string
	// asked says that it is written only where it is asked for by name.
	asked bool
}

var outputs = []output{
	{name: "floor.png", long: 2, write: Floor},
	{name: "floor.svg", long: 1, write: FloorSVG},
	{name: "floor.pdf", long: 1, write: FloorPDF},
	{name: "floor.dxf", long: 3, write: FloorDXF, lacks: rackless("floor.dxf")},
	{name: "bom.xlsx", long: 5, paths: true, write: Workbook},
	{name: "bom.csv", write: BOM},
	{name: "orders.csv", write: Orders},
	{name: "install.csv", long: 2, write: Install},
	{name: "elevations.csv", long: 3, write: Elevations, lacks: rackless("elevations.csv")},
	{name: "elevations.pdf", long: 4, write: ElevationBook, lacks: rackless("elevations.pdf")},
	{name: "ports.csv", long: 7, write: Ports, listing: ports, lacks: func(r *machine.Result) string {
		if r.Schedule.Segments == nil {
			return "a summary has no ports.csv"
		}
		return ""
	}},
	{name: "cables.csv", long: 6, write: Cables, listing: cables, lacks: func(r *machine.Result) string {
		if r.Schedule.Segments == nil {
			return "a summary has no cables.csv"
		}
		return ""
	}},
	{name: "labels.csv", long: 6, write: Labels, listing: labels, lacks: func(r *machine.Result) string {
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
	{name: "trays.png", long: 4, write: TrayPlan, lacks: func(r *machine.Result) string {
		if r.Schedule.Trays == nil {
			return "a plan whose cables do not run on trays has no trays.png"
		}
		return ""
	}},
	{name: "trays.svg", long: 2, write: TrayPlanSVG, lacks: func(r *machine.Result) string {
		if r.Schedule.Trays == nil {
			return "a plan whose cables do not run on trays has no trays.svg"
		}
		return ""
	}},
	{name: "bundles.csv", long: 1, write: Bundles, lacks: rackless("bundles.csv")},
	{name: "panels.csv", write: Panels, lacks: func(r *machine.Result) string {
		switch k := r.Schedule.Patching; {
		case k == nil || len(k.Panels) == 0:
			return "a plan without panels (cabling.structured, cabling.shuffle) has no panels.csv"
		case r.Schedule.Segments == nil:
			return "a summary has no panels.csv"
		}
		return ""
	}},
	{name: "power.csv", long: 1, write: Power, lacks: noPower("power.csv")},
	{name: "power-loads.csv", write: PowerLoads, lacks: noPower("power-loads.csv")},
	{name: "cooling.csv", write: Cooling, lacks: func(r *machine.Result) string {
		if r.Cooling == nil {
			return "a plan without boxes that state cooling has no cooling.csv"
		}
		return ""
	}},
	{name: "placement.csv", long: 3, write: Placement},
	{name: "report.html", long: 5, paths: true, write: Report},
	{name: planName, paths: true, write: JSON},
	{name: "deliveries.csv", write: Deliveries, asked: true, lacks: func(r *machine.Result) string {
		switch {
		case r.Room() == nil:
			return "a plan without racks has no deliveries.csv"
		case r.Schedule.Segments == nil:
			return "a summary has no deliveries.csv"
		}
		return ""
	}},
	{name: "model.glb", write: solid.GLTF, asked: true},
	{name: "model.ifc", write: solid.IFC, asked: true},
	{name: "plan.usda", write: solid.USD, asked: true},
}

const planName = "plan.json"

// rackless says that a plan without racks lacks a file.
func rackless(name string) func(r *machine.Result) string {
	return func(r *machine.Result) string {
		if r.Room() == nil {
			return "a plan without racks has no " + name
		}
		return ""
	}
}

// Names lists the files of a plan in the order in which Files returns them, those last that are written only where
// they are asked for.
func Names() []string {
	names := make([]string, len(outputs))
	for i, o := range outputs {
		names[i] = o.name
	}
	return names
}

// Asked lists the files of a plan that are written only where they are asked for by name.
func Asked() []string {
	var names []string
	for _, o := range outputs {
		if o.asked {
			names = append(names, o.name)
		}
	}
	return names
}

// Lacks says why a plan has no file of that name; empty where it has one, and for a name that is not one of Names.
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
	// Only lists the files to write, by name; when empty, and More has none, all of them but those of Asked.
	Only []string
	More More
	// Pending, if set, says that the plan lacks the delays over paths yet: what tells them is written when they are
	// known, and everything else meanwhile.
	Pending *Pending
}

// Pending is a plan whose delays over paths are being measured.
type Pending struct {
	known chan struct{} // closed once whole is set
	whole *machine.Result
}

// NewPending is a plan that is not whole yet.
func NewPending() *Pending { return &Pending{known: make(chan struct{})} }

// Known makes the plan whole, once: it is the plan given to Files, with the delays over paths.
func (p *Pending) Known(whole *machine.Result) {
	p.whole = whole
	close(p.known)
}

// File is a file of another package.
type File struct {
	Name  string // its path below the folder of the plan, with slashes
	Write func(ctx context.Context, w io.Writer) error
}

// More is files of other packages that are written with those of a plan, whole or not at all with them, and names that
// these had in an earlier plan and have not now.
type More struct {
	Files []File
	Stale []string
}

// all reports whether all files are written.
func (o *Options) all() bool { return len(o.Only)+len(o.More.Files) == 0 }

// Files writes the files of a plan into dir, which is created if need be, and
// returns the paths of those that stand in dir itself. The files are first written beside their final names and
// take those only after every one is complete and on disk: if writing fails, or
// the context is cancelled, dir keeps the files it had and nothing else.
//
// With plan.json come copies of the files that the machine file names, under inputs. A manifest, written last, says
// which files belong together; some files only, without plan.json and beside no manifest, get none.
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
	if err := alone(r, dir, opt); err != nil {
		return nil, err
	}
	ends := sync.OnceValue(func() *endText { return newEndText(r.Schedule) })
	var wanted []outfile.File
	var stale []string
	for _, o := range outputs {
		switch {
		case !opt.all() && !slices.Contains(opt.Only, o.name):
		case opt.all() && o.asked:
			stale = append(stale, o.name)
		case Lacks(r, o.name) != "":
			stale = append(stale, o.name)
		default:
			wanted = append(wanted, o.file(r, ends, opt.Pending))
			if o.name == planName {
				wanted = append(wanted, inputs(r, dir)...)
			}
		}
	}
	for _, f := range opt.More.Files {
		wanted = append(wanted, outfile.File{Name: f.Name, Write: f.Write})
	}
	stale = append(stale, opt.More.Stale...)
	m := &outfile.Manifest{Plenum: machine.Version, Machine: r.Spec.Name, Plan: r.ID()}
	if _, err := os.Stat(filepath.Join(dir, outfile.ManifestName)); err != nil && !opt.hasPlan() {
		m = nil // of single files that stand by themselves
	}
	paths, err := outfile.Set(ctx, dir, wanted, stale, m)
	return slices.DeleteFunc(paths, func(p string) bool { return filepath.Dir(p) != filepath.Clean(dir) }), err
}

// hasPlan reports whether the plan itself is among the files to write.
func (o *Options) hasPlan() bool { return o.all() || slices.Contains(o.Only, planName) }

// file is an output of one plan, which may be pending.
func (o output) file(r *machine.Result, ends func() *endText, p *Pending) outfile.File {
	f := outfile.File{Name: o.name, Long: o.long}
	switch {
	case o.listing != nil:
		f.Write = func(ctx context.Context, w io.Writer) error { return o.listing(ctx, w, r, ends()) }
	case o.paths && p != nil:
		f.Ready = p.known
		f.Write = func(ctx context.Context, w io.Writer) error { return o.write(ctx, w, p.whole) }
	default:
		f.Write = func(ctx context.Context, w io.Writer) error { return o.write(ctx, w, r) }
	}
	return f
}

// inputs are copies of the files that a plan was made from, but for those that stand there already or are not ordinary
// files, which could be read once only.
func inputs(r *machine.Result, dir string) []outfile.File {
	var out []outfile.File
	for _, in := range r.Inputs() {
		info, err := os.Stat(in.Path)
		if err != nil || !info.Mode().IsRegular() {
			continue // it was there when the plan was made: the plan needs it no more
		}
		if there, err := os.Stat(filepath.Join(dir, filepath.FromSlash(in.Copy))); err == nil &&
			os.SameFile(info, there) {
			continue
		}
		out = append(out, outfile.File{Name: in.Copy, Write: func(_ context.Context, w io.Writer) error {
			f, err := infile.Open(in.Path)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(w, f)
			return err
		}})
	}
	return out
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
	if opt.all() {
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
