package identity

import (
	"strings"
	"testing"
)

func TestDescription(t *testing.T) {
	for _, tt := range []struct{ text, name, model, chip, device string }{
		{"MF0;leaf-1:MQM9700/U1", "leaf-1", "MQM9700", "U1", ""},
		{" MF0;ib-leaf.example.org:MQM8700/U1 ", "ib-leaf.example.org", "MQM8700", "U1", ""},
		{"MF0;switch 7:MQM9700/U1", "switch 7", "MQM9700", "U1", ""},
		{"MF0;core-1:CS7500/L03/U1", "core-1", "CS7500", "L03/U1", ""},
		{"MF0;core-1:CS8500/S01/U2", "core-1", "CS8500", "S01/U2", ""},
		{"MF0;core-1:SX6536/L36:LB/U1", "core-1", "SX6536", "L36/U1", ""},
		{"MF0;core-1:SX6536/L36:LB", "core-1", "SX6536", "L36", ""},
		{"MF0;x1:Q3400_RA/U4", "x1", "Q3400_RA", "U4", ""},
		{"MF0;x1:Q3400_RA/U2/RT", "x1", "Q3400_RA", "U2/RT", ""},
		{"MF0;a-very-long-name-of-a-switch", "a-very-long-name-of-a-switch", "", "", ""},
		{"MF0;a-very-long-name:MQM97", "a-very-long-name", "MQM97", "", ""},
		{"MF0;:MQM9700/U1", "", "MQM9700", "U1", ""},
		{"node-7 mlx5_0", "node-7", "", "", "mlx5_0"},
		{"node-7.example.org mlx5_11", "node-7.example.org", "", "", "mlx5_11"},
		{"node-7 mlx5_bond_0", "node-7", "", "", "mlx5_bond_0"},
		{"rack 3 node 7 mlx4_0", "rack 3 node 7", "", "", "mlx4_0"},
		{"node-7\tHCA-2", "node-7", "", "", "HCA-2"},
		{"node-7 hfi1_0", "node-7", "", "", "hfi1_0"},
		{"node-7 rocep193s0f0", "node-7", "", "", "rocep193s0f0"},
		{"node-7 ibp0s12f4", "node-7", "", "", "ibp0s12f4"},
		{"node-7 ibP2p3s0", "node-7", "", "", "ibP2p3s0"},
		{"node-7 ibp220s0v3", "node-7", "", "", "ibp220s0v3"},
		{"node-7 roceo1", "node-7", "", "", "roceo1"},
		{"node-7 rocex525400c0fe123455", "node-7", "", "", "rocex525400c0fe123455"},
		{"mlx5_0", "mlx5_0", "", "", ""},
		{"localhost mlx5_0", "", "", "", "mlx5_0"},
		{"localhost.localdomain HCA-1", "", "", "", "HCA-1"},
		{"(none) mlx5_3", "", "", "", "mlx5_3"},
		{"localhost", "", "", "", ""},
		{"localhost-7 mlx5_0", "localhost-7", "", "", "mlx5_0"},
		{"MT4131 ConnectX8   Mellanox Technologies", "", "MT4131 ConnectX8", "", ""},
		{"Quantum Mellanox Technologies", "", "Quantum", "", ""},
		{"SwitchX -  Mellanox Technologies", "", "SwitchX", "", ""},
		{"Switch IB 2 Mellanox Technologies", "", "Switch IB 2", "", ""},
		{"Mellanox Technologies Aggregation Node", "", AggregationNode, "", ""},
		{"Mellanox Technologies", "", "", "", ""},
		{"leaf-1", "leaf-1", "", "", ""},
		{"Quantum", "Quantum", "", "", ""}, // a machine may be called so
		{"quantum-3 mlx5_1", "quantum-3", "", "", "mlx5_1"},
		{"node 7", "node 7", "", "", ""},
		{"core L01", "core L01", "", "", ""},
		{"ibs1", "ibs1", "", "", ""}, // a switch may be called so
		{"Quantum-2 NVIDIA", "", "Quantum-2", "", ""},
		{"", "", "", "", ""},
	} {
		name, model, chip, device := Description(tt.text)
		if name != tt.name || model != tt.model || chip != tt.chip || device != tt.device {
			t.Errorf("%q: %q, %q, %q, %q; expected %q, %q, %q, %q", tt.text, name, model, chip, device, tt.name,
				tt.model, tt.chip, tt.device)
		}
	}
}

// FuzzDescription takes any text apart: it never panics, and returns no part that the text does not contain.
func FuzzDescription(f *testing.F) {
	for _, text := range []string{"MF0;a:b/L03:c/U1", "node-7 mlx5_0", "Quantum Mellanox Technologies", "MF0;/:/"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, _, _, device := Description(text)
		for _, part := range []string{name, device} {
			if !strings.Contains(text, part) {
				t.Errorf("%q has no part %q", text, part)
			}
		}
	})
}
