package exchange

import (
	"io"
	"regexp"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// inventoryOf reads the inventory of a fabric: the rack of each host.
func inventoryOf(t *testing.T, r *machine.Result, fabric string) map[string]string {
	t.Helper()
	var groups map[string]struct {
		Hosts map[string]map[string]any `yaml:"hosts"`
	}
	text := written(t, r, fabric, func(w io.Writer, r *machine.Result, fabric string) error {
		return WriteAnsible(t.Context(), w, r, fabric)
	})
	if err := yaml.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for group, g := range groups {
		if !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(group) || len(g.Hosts) == 0 {
			t.Errorf("group %q has %d hosts", group, len(g.Hosts))
		}
		for host, vars := range g.Hosts {
			if out[host] != "" || vars["plenum_part"] == "" {
				t.Errorf("%s: %v", host, vars)
			}
			rack, _ := vars["plenum_rack"].(string)
			if rack == "" {
				rack = vars["plenum_container"].(string)
			}
			out[host] = rack
		}
	}
	return out
}

func TestAnsibleInventories(t *testing.T) {
	for _, path := range []string{
		"../examples/basepod.yaml", "../machine/testdata/structured.yaml", "../examples/torus-4096-cubes.yaml",
	} {
		r := resultOf(t, path)
		all := inventoryOf(t, r, "")
		if len(all) != topology.Vertices(r.Graph) {
			t.Errorf("%s: %d hosts of %d", path, len(all), topology.Vertices(r.Graph))
		}
		for l := range namedLinks(r, "") {
			for _, e := range []place{l.a, l.b} {
				if all[e.box] != e.rack {
					t.Fatalf("%s: %s is in %q, not %q", path, e.box, e.rack, all[e.box])
				}
			}
		}
		for _, f := range r.Fabrics {
			want := map[string]bool{}
			for l := range namedLinks(r, f.Name) {
				want[l.a.box], want[l.b.box] = true, true
			}
			if got := inventoryOf(t, r, f.Name); len(got) != len(want) {
				t.Errorf("%s: %s has %d hosts of %d", path, f.Name, len(got), len(want))
			}
		}
	}
	if got := groupName("in-band leaf", []string{"in_band_leaf"}); got != "in_band_leaf_" {
		t.Error(got)
	}
	for text, want := range map[string][2]string{
		"a{{ x }}": {`!unsafe "a{{ x }}"`, `"a{ { x }}"`}, "{%if": {`!unsafe "{%if"`, `"{ %if"`},
		"{{{#": {`!unsafe "{{{#"`, `"{ { { #"`}, "a{b}": {`"a{b}"`, `"a{b}"`},
	} {
		if got := [2]string{unsafe(text), hostName(text)}; got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := groupName("all", nil); got != "_all" {
		t.Error(got)
	}
}
