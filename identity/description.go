// Package identity knows what boxes and ports are called in the tools of clusters.
package identity

import (
	"strings"

	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// AggregationNode is the model that Description returns for the adapter inside a switch that reduces data in the
// network (SHARP). It has a link in the subnet and no cable.
const AggregationNode = "Aggregation Node"

// Description takes the node description of an InfiniBand or Omni-Path device apart. It returns the name of the box,
// the model of the switch or adapter, the chip inside a switch and the adapter's device, each "" where the text does
// not contain it. It knows these forms:
//
//	MF0;leaf-1:MQM9700/U1             managed switch: name leaf-1, model MQM9700, chip U1
//	MF0;core-1:CS7500/L03/U1          director: name core-1, model CS7500, chip L03/U1 (slot, chip of the board)
//	MF0;core-1:CS7500/S01:SPN/U1      the same with the type of the board: chip S01/U1
//	MF0;leaf-1:Q3400_RA/U3            switch of several planes, one chip each: chip U3
//	MF0;leaf-1:Q3400_RA/U3/RT         router inside a switch: chip U3/RT
//	node-7 mlx5_0, node-7 hfi1_0      adapter: name node-7, device mlx5_0 (rdma-ndd)
//	node-7 HCA-1                      adapter, counted from 1: device HCA-1 (OFED)
//	node-7 rocep193s0f0               adapter: device rocep193s0f0, ibp0s12f4, ibP2p3s0, rocex<guid> (rdma-core)
//	MT4131 ConnectX8   Mellanox Technologies     adapter as it leaves the factory: model alone, no name
//	Quantum Mellanox Technologies                switch without management: likewise
//	Mellanox Technologies Aggregation Node       no box: model AggregationNode
//	localhost mlx5_0                             host without a name of its own: device alone
//
// Any other text, such as a single word, is a name as it stands, as maps of GUIDs to names give them. A text that the
// 64 bytes of a node description have cut short has the parts that are left.
func Description(text string) (name, model, chip, device string) {
	text = strings.TrimSpace(text)
	if managed, ok := cutPrefixFold(text, "MF0;"); ok {
		name, model, _ = strings.Cut(managed, ":")
		model, chip, _ = strings.Cut(model, "/")
		if slot, rest, ok := strings.Cut(chip, ":"); ok { // the type of a board
			_, rest, ok = strings.Cut(rest, "/")
			chip = slot
			if ok {
				chip += "/" + rest
			}
		}
		return strings.TrimSpace(name), strings.TrimSpace(model), strings.TrimSpace(chip), ""
	}
	if strings.HasSuffix(strings.ToLower(text), "aggregation node") {
		return "", AggregationNode, "", ""
	}
	if m := factory.FindStringSubmatch(text); m != nil {
		return "", strings.Join(strings.Fields(m[1]+m[2]), " "), "", ""
	}
	name = text
	if i := strings.LastIndexAny(text, " \t"); i > 0 && adapterDevice.MatchString(text[i+1:]) {
		name, device = strings.TrimSpace(text[:i]), text[i+1:]
	}
	if unnamedHost.MatchString(name) {
		name = ""
	}
	return name, "", "", device
}

var (
	// factory is a description that nobody has set: a model and its maker.
	factory = lazyregexp.New(`(?i)^(.*?)\s*-?\s*Mellanox\s+Technologies$|` +
		`^((?:MT\d+|ConnectX|BlueField|Quantum|Switch-?X|Switch-?IB|Infiniscale).*?)\s*-?\s*(?:Mellanox|NVIDIA)$`)
	// adapterDevice is a device of RDMA: as drivers count them, as OFED counts adapters, and by place or GUID as
	// rdma-core renames them.
	adapterDevice = lazyregexp.New(`(?i)^(?:(?:mlx[45]_(?:bond_)?|hfi1_|hfi2_|qib|ipath|mthca|irdma|bnxt_re|` +
		`efa_|hns_|erdma_|rxe|siw|cxgb4_|qedr|ionic_)\d+|HCA-?\d+|` +
		`(?:ib|roce|iw|opa|rdma)(?:(?:P\d+)?(?:p\d+s\d+|s\d+|o\d+)(?:f\d+)?(?:v\d+)?|x[0-9a-f]{12,16}))$`)
	unnamedHost = lazyregexp.New(`(?i)^(?:localhost[46]?(?:\.localdomain[46]?)?|\(none\))$`)
)

// cutPrefixFold is strings.CutPrefix without regard to case.
func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
