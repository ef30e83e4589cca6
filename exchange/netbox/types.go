package netbox

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// deviceType is a part as NetBox has it.
type deviceType struct {
	part         *catalog.Part
	maker, model string
	panel        bool
}

// newType makes a part a device type.
func (x *Export) newType(part *catalog.Part, panel bool) (*deviceType, error) {
	maker := strings.TrimSpace(shorter(csvtable.OneLine(part.Maker), longestName))
	t := &deviceType{part: part, maker: maker, panel: panel}
	if t.maker == "" {
		t.maker = "Generic"
	}
	t.model = shorter(part.ID, longestName)
	if panel {
		return t, nil
	}
	seen := map[string]bool{}
	for i := range part.Ports {
		for p := range part.Ports[i].Count {
			called := part.Ports[i].Identity(p)
			name := called.System()
			if seen[name] {
				return t, fmt.Errorf("the part %s has two ports named %q, and NetBox takes one: name them by "+
					"interface, label, names or first otherwise", part.ID, name)
			}
			if utf8.RuneCountInString(name) > longestInterface {
				return t, fmt.Errorf("the part %s has a port named %q, and NetBox takes at most %d characters",
					part.ID, name, longestInterface)
			}
			seen[name] = true
		}
	}
	return t, nil
}

// Keys of device types, in the order and the words of the library that NetBox users share.
type (
	typeDocument struct {
		Manufacturer string        `yaml:"manufacturer"`
		Model        string        `yaml:"model"`
		Slug         string        `yaml:"slug"`
		PartNumber   string        `yaml:"part_number,omitempty"`
		Height       int           `yaml:"u_height"`
		FullDepth    bool          `yaml:"is_full_depth"`
		Weight       float64       `yaml:"weight,omitempty"`
		WeightUnit   string        `yaml:"weight_unit,omitempty"`
		Description  string        `yaml:"description,omitempty"`
		Power        []powerPort   `yaml:"power-ports,omitempty"`
		Outlets      []powerOutlet `yaml:"power-outlets,omitempty"`
		Interfaces   []port        `yaml:"interfaces,omitempty"`
		Rear         []rearPort    `yaml:"rear-ports,omitempty"`
		Front        []frontPort   `yaml:"front-ports,omitempty"`
		Mappings     []portMapping `yaml:"port-mappings,omitempty"`
	}
	powerPort struct {
		Name      string `yaml:"name"`
		Type      string `yaml:"type"`
		Allocated int    `yaml:"allocated_draw,omitempty"`
	}
	powerOutlet struct {
		Name string `yaml:"name"`
		Type string `yaml:"type"`
	}
	port struct {
		Name           string `yaml:"name"`
		Label          string `yaml:"label,omitempty"`
		Type           string `yaml:"type"`
		ManagementOnly bool   `yaml:"mgmt_only,omitempty"`
	}
	rearPort struct {
		Name      string `yaml:"name"`
		Type      string `yaml:"type"`
		Positions int    `yaml:"positions"`
	}
	// frontPort names its rear port as releases before 4.5 ask for it; later ones read portMapping.
	frontPort struct {
		Name             string `yaml:"name"`
		Type             string `yaml:"type"`
		RearPort         string `yaml:"rear_port"`
		RearPortPosition int    `yaml:"rear_port_position"`
	}
	portMapping struct {
		FrontPort         string `yaml:"front_port"`
		FrontPortPosition int    `yaml:"front_port_position"`
		RearPort          string `yaml:"rear_port"`
		RearPortPosition  int    `yaml:"rear_port_position"`
	}
)

// writeTypes writes a document for each part. Names are guarded against formulas as in the tables, so that they agree.
func (x *Export) writeTypes(w io.Writer) error {
	taken := slugs{}
	for _, t := range x.types {
		name := t.model
		if maker := slug(t.maker) + "-"; !strings.HasPrefix(slug(name), maker) {
			name = maker + name
		}
		data, err := yaml.Marshal(x.document(t, taken.of(name)))
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, "---\n"+string(data)); err != nil {
			return err
		}
	}
	return nil
}

func (x *Export) document(t *deviceType, slug string) *typeDocument {
	p := t.part
	d := &typeDocument{
		Manufacturer: csvtable.Guard(t.maker), Model: csvtable.Guard(t.model), Slug: slug,
		PartNumber: csvtable.Guard(clip(p.PartNumber, 50)),
		Height:     p.Units, FullDepth: !t.panel, Description: csvtable.Guard(clip(p.Description, longestText)),
	}
	if kg := math.Round(float64(p.Weight)*100) / 100; kg > 0 {
		d.Weight, d.WeightUnit = kg, "kg"
	}
	if t.panel {
		x.panelPorts(d, p.Panel)
		return d
	}
	for i := range p.Ports {
		g := &p.Ports[i]
		for n := range g.Count {
			called := g.Identity(n)
			x := port{
				Name: csvtable.Guard(called.System()), Type: catalog.InterfaceType(g.Connector, g.Rate),
				ManagementOnly: g.ByName && g.Connector == "rj45",
			}
			if called.Label != called.System() {
				x.Label = csvtable.Guard(called.Label)
			}
			d.Interfaces = append(d.Interfaces, x)
		}
	}
	inlets := 0
	for _, n := range p.Inlets {
		inlets += n
	}
	draw := 0
	if inlets > 0 {
		draw = int(math.Round(float64(p.Power) / float64(inlets)))
	}
	for _, kind := range slices.Sorted(maps.Keys(p.Inlets)) {
		for range p.Inlets[kind] {
			d.Power = append(d.Power, powerPort{inletName(len(d.Power) + 1), inletType(kind), draw})
		}
	}
	d.Outlets = powerOutlets(p)
	return d
}

// panelPorts gives a panel a front and a rear port for each of its adapters. A shuffle has rear ports alone: NetBox
// joins each position of a rear port to a front port, and no two rear ports to each other.
func (x *Export) panelPorts(d *typeDocument, panel *catalog.Panel) {
	names := x.s.Patching.PortNames()
	kind := portType(panel.Connector)
	if panel.Shuffle > 0 {
		for i := range panel.Ports {
			d.Rear = append(d.Rear, rearPort{csvtable.Guard(names[i]), kind, 1})
		}
		return
	}
	for i := range panel.Ports {
		front, rear := csvtable.Guard(names[i]), csvtable.Guard(names[panel.Ports+i])
		d.Rear = append(d.Rear, rearPort{rear, kind, 1})
		d.Front = append(d.Front, frontPort{front, kind, rear, 1})
		d.Mappings = append(d.Mappings, portMapping{front, 1, rear, 1})
	}
}

// portType is what NetBox calls the plug of a panel.
func portType(connector string) string {
	family, polish, _ := strings.Cut(connector, "-")
	switch {
	case strings.HasPrefix(family, "mpo"):
		return "mpo"
	case slices.Contains([]string{"lc", "sc", "fc", "mu"}, family):
		if slices.Contains([]string{"pc", "upc", "apc"}, polish) {
			return family + "-" + polish
		}
		return family
	case slices.Contains([]string{"cs", "sn", "mdc"}, family):
		return family
	case family == "rj45":
		return "8p8c"
	}
	return "other"
}
