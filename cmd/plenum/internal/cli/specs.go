package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/topology/names"
)

// LoadSpec reads the machine file or the example that the arguments name, or the
// default example.
func LoadSpec(args []string) (*spec.Spec, error) {
	name, text, err := Text(args)
	if err != nil {
		return nil, InputError(err)
	}
	return machine.Parse(name, text)
}

// Text reads the text of the machine file or the example that the arguments name, or
// the default example, and tells the name of its file.
func Text(args []string) (name string, text []byte, err error) {
	name = examples.Default
	if len(args) > 0 {
		name = args[0]
	}
	if len(args) > 0 && !meansExample(name) && exists(name) {
		text, err = machine.Text(name)
		return name, text, err
	}
	file := strings.TrimSuffix(name, ".yaml") + ".yaml"
	if text, err = examples.Files.ReadFile(file); err != nil {
		return "", nil, NoMachine(name)
	}
	return file, text, nil
}

// NamedSpec reads a machine file, or an example by its name.
func NamedSpec(name string) (*spec.Spec, error) {
	file, text, err := Text([]string{name})
	if err != nil {
		return nil, err
	}
	return machine.Parse(file, text)
}

// NamedSpecs reads machine files and examples; all that is wrong is in one error.
func NamedSpecs(names []string) ([]*spec.Spec, error) {
	var specs []*spec.Spec
	var wrong diag.List
	var missing []error
	for _, name := range names {
		s, err := NamedSpec(name)
		var d diag.List
		switch {
		case errors.As(err, &d):
			wrong = append(wrong, d...)
		case err != nil:
			missing = append(missing, err)
		}
		specs = append(specs, s)
	}
	if len(missing) > 0 {
		return nil, InputError(errors.Join(missing...))
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return specs, nil
}

// PlannedSpec reads the machine of a saved plan, a machine file, or an example by
// its name.
func PlannedSpec(name string) (*spec.Spec, error) {
	if meansExample(name) && !exists(filepath.Join(name, "plan.json")) {
		return NamedSpec(name)
	}
	s, err := machine.LoadPlan(name)
	err = missingMachine(name, err)
	if errors.As(err, new(*fs.PathError)) || err != nil && !errors.As(err, new(diag.List)) {
		return nil, InputError(err)
	}
	return s, err
}

// ExampleNames are the names of the machines that come along.
func ExampleNames() []string {
	var names []string
	entries, _ := examples.Files.ReadDir(".")
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// exists reports whether an argument names a file or a directory.
func exists(arg string) bool {
	_, err := os.Stat(arg)
	return err == nil
}

// meansExample reports whether an argument names an example: no file has the name. A directory does not count, for that
// of the files of a plan often has the name of its example.
func meansExample(arg string) bool {
	info, err := os.Stat(arg)
	return (err != nil || info.IsDir()) && slices.Contains(ExampleNames(), strings.TrimSuffix(arg, ".yaml"))
}

// MachineNamed reads the machine file or the example that an argument names, nil if it names none.
func MachineNamed(arg string) (*spec.Spec, error) {
	if !exists(arg) && !meansExample(arg) {
		return nil, nil
	}
	m, err := NamedSpec(arg)
	if err != nil {
		return nil, InputUnlessDiagnosed(err)
	}
	return m, nil
}

// TopologySpec reads an inline topology, or that of a machine file or an example.
func TopologySpec(arg string) (topology.Spec, error) {
	switch m, err := MachineNamed(arg); {
	case err != nil:
		return topology.Spec{}, err
	case m != nil && len(m.Fabrics) > 0:
		return topology.Spec{}, Inputf("%s has several fabrics, each with a topology of its own: %s", arg,
			strings.Join(m.FabricNames(), ", "))
	case m != nil:
		return m.Topology, nil
	}
	if strings.TrimSpace(arg) == "" {
		arg = "{}" // whose error names the families
	}
	if !strings.ContainsAny(arg, "{:[") {
		if _, near := diag.Closest(arg, ExampleNames()); near || IsFileName(arg) {
			return topology.Spec{}, InputError(NoMachine(arg))
		}
		var families []string
		for _, f := range topology.Families() {
			families = append(families, f.Name)
		}
		if best, near := diag.Closest(arg, families); near {
			return topology.Spec{}, Inputf("%s is neither a file nor a topology; did you mean '{family: %s, ...}'? "+
				"plenum topology sizes --family %s shows some", arg, best, best)
		}
		return topology.Spec{}, Inputf("%s is neither a file nor a topology like '{family: torus, "+
			"dims: [8, 8]}'; plenum topology list shows the families", arg)
	}
	return spec.ParseTopology(arg)
}

// TopologyOf builds an inline topology, or that of a machine file or an example, or one of its fabrics, with the names
// of its vertices.
func TopologyOf(arg, fabric string) (topology.Graph, *names.Names, error) {
	m, err := MachineNamed(arg)
	if err != nil {
		return nil, nil, err
	}
	if m == nil {
		m = &spec.Spec{}
		if m.Topology, err = TopologySpec(arg); err != nil {
			return nil, nil, err
		}
	}
	g, called, err := machine.Topology(m, fabric)
	if err != nil {
		return nil, nil, InputUnlessDiagnosed(Spelled(err, FabricFlags))
	}
	return g, called, nil
}

// Walkable refuses a graph whose links are too many for what is to be done with them.
func Walkable(g topology.Graph, what string) error {
	if topology.AtMostLinks(g, measure.MaxWalked) {
		return nil
	}
	return Inputf("%s: there are more than the %s links %s", g.Family(),
		english.Grouped(measure.MaxWalked), what)
}

// FabricFlag names one of the fabrics of a machine.
func FabricFlag(f *pflag.FlagSet, name *string) {
	f.StringVar(name, "fabric", "", "the fabric of a machine that has several")
}

// FabricFlags are the flags that name a fabric, by the field that a mistake in its name points at.
var FabricFlags = map[string]string{"Fabric": "fabric"}

// PacketFlags are the flags that set fields of the options of package sim/packet, by field.
var PacketFlags = map[string]string{
	"Graph": "", "VCs": "vcs", "PacketPhits": "packet-phits", "PhitBytes": "phit-bytes",
	"BufferPackets": "buffer-packets", "BufferPhits": "buffer-phits", "SharedBuffers": "shared-buffers",
	"InjectionPackets": "injection-packets", "Switching": "switching", "Arbiter": "arbiter", "Select": "select",
	"Pipeline": "pipeline", "Inject": "inject", "Eject": "eject", "NodeLink": "node-link",
	"Routing": "routing", "Threshold": "threshold",
	"Failures.Links": "faults", "Failures.Vertices": "fail-nodes", "Latency": "clock-ghz", "Clock": "clock-ghz",
	"Propagation": "beta-ns-per-m", "Load": "load", "Pattern": "", "Sizes": "sizes", "Injection": "injection",
	"Warmup": "warmup", "Batches": "batches", "Batch": "batch", "Tolerance": "tolerance", "Workloads": "workload",
	"Weights": "weights", "Tasks": "tasks", "Jobs": "jobs", "Placement": "placement", "Seeds": "seeds",
	"Like": "like", "Pairs": "pairs",
}

// Free complains about a file that is there, or a directory that is not.
func Free(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return fmt.Errorf("there is no directory %s", filepath.Dir(path))
	}
	return nil
}

// PlanArgument plans the machine of a saved plan, a machine file or an example, or the default example, with all of its
// cables.
func PlanArgument(cmd *cobra.Command, args []string) (*machine.Result, error) {
	name := examples.Default
	if len(args) > 0 {
		name = args[0]
	}
	s, err := PlannedSpec(name)
	if err != nil {
		return nil, err
	}
	progress := meter.New(cmd.ErrOrStderr())
	plan, err := machine.PlanWith(cmd.Context(), s, machine.Options{Progress: progress.Stage})
	progress.Clear()
	if err != nil {
		return nil, AsInput(err)
	}
	return plan, nil
}
