package identity

import (
	"strings"
	"testing"
)

// TestMapsInAnyForm reads what a map says in the forms that it may have, YAML with and without commas in braces.
func TestMapsInAnyForm(t *testing.T) {
	for _, text := range []string{
		"boxes: {n7: leaf-1, \"0x2c9\": spine-1}\nports: {\"*\": {mlx5_0: \"8\", mlx5_1: \"7\"}}\n",
		"ports: {\"*\": {mlx5_0: \"8\"}}\nboxes: {n7: leaf-1, 0x02c9: spine-1}\n",
		"boxes:\n  n7: leaf-1\n  \"0x2c9\": spine-1\nports:\n  \"*\":\n    mlx5_0: \"8\"\n",
		"# a map\nname,alias,port,port_alias\nleaf-1,n7,,\nspine-1,0x2c9,,\n,,8,mlx5_0\n",
	} {
		m, err := ReadMap("map", strings.NewReader(text))
		if err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		leaf, _ := m.box(&BoxClaim{Name: "N7 mlx5_0"}, "N7")
		spine, _ := m.box(&BoxClaim{GUIDs: []string{"00000000000002c9"}}, "")
		port, _ := m.port("gpu-1", &Claim{Device: "mlx5_0", Text: "1"})
		if leaf != "leaf-1" || spine != "spine-1" || port != "8" {
			t.Errorf("%s\nis %q, %q, %q", text, leaf, spine, port)
		}
	}
}
