package machine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// The ports of a box are used in the order that the file lists.
func TestPortOrder(t *testing.T) {
	const text = `
topology: {family: fat-tree, nodes: 8, radix: 8}
packaging:
  leaf: {part: sw, ports: [up2, up1, 3-4, 1-2, up3-4]}
  node: {part: generic-node-1u}
parts:
  - id: sw
    kind: switch
    units: 1
    ports:
      - {count: 4, connector: qsfp112, rate: 400G}
      - {count: 4, connector: qsfp112, rate: 400G, label: "up#"}
`
	spec, err := machine.Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	leafKind := slices.IndexFunc(r.Schedule.Kinds, func(k topology.Kind) bool { return k.Name == "leaf" })
	want := strings.Fields("up2 up1 3 4 1 2 up3 up4")
	for i, p := range r.Schedule.Boxes[leafKind].Ports {
		if p.Name != want[i] {
			t.Errorf("port %d is %s, want %s", i, p.Name, want[i])
		}
	}
	leaf := int32(r.Schedule.Kinds[leafKind].First)
	if label := r.Schedule.Label(leaf, 1); !strings.HasSuffix(label, "-up1") {
		t.Error(label)
	}
	box := r.Schedule.Boxes[leafKind]
	plain := cabling.NewBox(box.Part)
	if box.Box.Port(0) != plain.Box.Port(5) || box.Box.Port(2) != plain.Box.Port(2) || box.Cages() != 8 {
		t.Error("the ports are not where the part has them")
	}
}

func TestPortOrderMistakes(t *testing.T) {
	for list, want := range map[string]string{
		"[1-4, 7, 65]": "65: generic-switch-64x400g has no port \"65\"",
		"[1-4, 4]":     `port "4" is named twice`,
		"[4-1]":        `"4-1" is not a range of ports`,
		"[1-999999]":   `"1-999999" is not a range of ports`,
		"[swp1]":       `generic-switch-64x400g has no port "swp1"`,
	} {
		_, err := machine.Parse("x.yaml", []byte("topology: {family: fat-tree, nodes: 8, radix: 8}\n"+
			"packaging: {leaf: {part: generic-switch-64x400g, ports: "+list+"}}\n"))
		want = want[strings.Index(want, ": ")+1:]
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) ||
			!strings.Contains(err.Error(), "x.yaml:2:") {
			t.Errorf("%s: %v", list, err)
		}
	}
}
