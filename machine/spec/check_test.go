package spec

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/topology"
)

// What a file says must make sense as a whole. The lines follow a line with a
// good topology.
func TestMistakesInMeaning(t *testing.T) {
	const containers = "room: {containers: [{name: cube, count: [2, 2, 2]}]"
	for _, c := range []struct{ text, want string }{
		{containers + ", rows: 2}", "2:60+1 room.rows: cannot be combined with room.containers | remove one of them"},
		{containers + ", width: 3}", "2:61+1 room.width: cannot be combined with room.containers | remove one of them"},
		{containers + ", trays: {height: 2}}", "2:54+5 room.trays: cannot be combined with room.containers | remove " +
			"one of them"},
		{containers + ", facing: same, margin: 1}", "2:62+4 room.facing: cannot be combined with room.containers | " +
			"remove one of them\n" +
			"2:76+1 room.margin: cannot be combined with room.containers | remove one of them"},
		{containers + "}\ncabling: {route: tray}", "3:18+4 cabling.route: containers have no trays | choose " +
			"manhattan or direct"},
		{
			containers + "}\ncabling: {media: [{within: rack, use: any}]}",
			`3:28+4 cabling.media[0].within: the layout has no level "rack" | it is one of cube`,
		},
		{
			"room: {containers: [{name: a, count: 2}, {name: a, count: 2}]}",
			"2:49+1 room.containers[1].name: every container needs a name of its own",
		},
		{
			"room: {containers: [{name: a, count: [1, 2, 3, 4]}]}",
			"2:31+5 room.containers[0].count: 4 numbers for three axes",
		},
		{
			"room: {containers: [{name: a, count: [1, 2, 3], pitch: [1, 2]}]}",
			"2:49+5 room.containers[0].pitch: 2 distances for 3 axes | give one for all or one for each",
		},
		{
			"room: {rows: [{racks: 2}, {racks: 2, spare: true}, {racks: 2}]}",
			"2:52+1 room.rows[2]: row C is not spare, and the row before it is | write spare: true in all rows after " +
				"the first spare row",
		},
		{
			"room: {rows: [{racks: 2, spare: true}]}",
			"2:33+4 room.rows[0].spare: the first row cannot be spare | leave spare out of it: racks stand there first",
		},
		{
			"room: {containers: [{name: a, count: 2, is: racks}]}",
			`2:45+5 room.containers[0].is: "racks" is not one of hall, row, rack | did you mean "rack"?`,
		},
		{
			"room: {containers: [{name: a, count: 2, is: rack}, {name: b, count: 2}, {name: c, count: 2, is: rack}]}",
			"2:97+4 room.containers[2].is: container a is a rack already, and this level is inside it | at most one " +
				"level is a rack",
		},
		{
			"room: {containers: [{name: a, count: 2, is: row}, {name: b, count: 2, is: hall}]}",
			"2:75+4 room.containers[1].is: a hall inside container a, which is a row | a rack stands in a row, and a " +
				"row in a hall",
		},
		{"room: {containers: [{name: a, is: hall, count: 2}, {name: b, count: 2}, {name: c, is: rack, count: 2}]}", ""},
		{
			"room: {containers: [{name: a, count: 2, pitch: 1, gap: 1}]}",
			"2:56+1 room.containers[0].gap: cannot be combined with a pitch | remove one of them",
		},
		{
			"room: {containers: [{name: a, count: 2}]}\npackaging: {chassis: {a: {units: 1, slots: 1}}}",
			`3:13+7 packaging.chassis: containers have no racks for chassis | describe them as containers`,
		},
		{
			"room: {containers: [{name: a, count: 2}]}\npackaging: {node: {per_rack: 3}}\nembedding: {effort: quick}",
			"3:30+1 packaging.node.per_rack: containers have no racks | remove it",
		},
		{
			"packaging: {chassis: {a: {units: 1, slots: [1073741824, 1073741824, 16]}}}",
			"2:37+5 packaging.chassis.a.slots: more than 1048576 boxes in a chassis",
		},
		{
			"room: {containers: [{name: a, count: 2}]}\npackaging: {switch: {racks: own}}",
			"3:29+3 packaging.switch.racks: containers have no racks | remove it",
		},
		{
			"packaging: {leaf: {racks: own, place: in-rack}, spine: {racks: own}, " +
				"core: {racks: own, place: end-of-row}}",
			`2:96+10 packaging.core.place: end-of-row, and packaging.leaf shares the racks "own" and has in-rack` +
				" | racks of one name have one place",
		},
		{
			"racks: [{name: a, count: 4, growth: {to: 4}, holds: [{switch: leaf, units: 1}]},\n" +
				"  {name: b, growth: {to: 4}, holds: [{switch: spine, units: 1}]}]",
			"2:42+1 racks[0].growth.to: 4 racks are not more than the 4 of count | write how many there will be\n" +
				"3:13+6 racks[1].growth: grows from no stated number of racks | write count: how many there are",
		},
		{
			"packaging: {leaf: {racks: our own}}",
			`2:27+7 packaging.leaf.racks: "our own" has blanks, commas or slashes | names of racks are single words`,
		},
		{
			"room: {cold_aisle: 1200 m, hot_aisle: 0.9 mm}",
			"2:20+6 room.cold_aisle: 1200 m is impossible for an aisle, which is usually from 0.5 m to 10 m | write " +
				"1200 mm if millimetres are meant\n" +
				"2:39+6 room.hot_aisle: 0.0009 m is impossible for an aisle, which is usually from 0.5 m to 10 m | " +
				"write 0.9 m if metres are meant",
		},
		{
			"parts: [{id: r, kind: rack, units: 42, width: 600, depth: 12 m, height: 2, rack: {}}]",
			"2:47+3 parts[0].width: 600 is too large | it is at most 100 m; write 600 mm if millimetres are meant\n" +
				"2:59+4 parts[0].depth: 12 m is impossible for the depth of a rack, which is usually from 0.4 m to 2 m",
		},
		{
			"parts: [{id: n, kind: node, units: 1, power: 6200 kW, ports: [{count: 1, connector: rj45, rate: 1G}]}]",
			"2:46+7 parts[0].power: 6.2 MW is impossible for a box, which usually draws up to 20 kW for each rack " +
				"unit | write 6200 W if watts are meant",
		},
		{
			"parts: [{id: n, kind: node, units: 1, weight: 32 t, ports: [{count: 1, connector: rj45, rate: 1G}]}]",
			"2:47+4 parts[0].weight: 32000 kg is impossible for a box, which usually weighs up to 75 kg for each " +
				"rack unit | write 32 kg if kilograms are meant",
		},
		{
			"room: {columns: [{x: 1, y: 1, width: 500, depth: 0.5}]}",
			"2:38+3 room.columns[0].width: 500 m is impossible for a column, which is usually from 0.05 m to 3 m | " +
				"write 500 mm if millimetres are meant",
		},
		{"room: {margin: 11 km}", "2:16+5 room.margin: 11 km is too large | it is at most 10000 m"},
		{"prices: {unit: {x: 9e14}}", "2:20+4 prices.unit.x: a price of more than 100,000,000.00"},

		{"packaging: {node: {units: [4, 2, 2]}}", "2:31+1 packaging.node.units[1]: 2 comes after 4 | list them in " +
			"ascending order, each once\n" +
			"2:34+1 packaging.node.units[2]: 2 comes after 2 | list them in ascending order, each once"},
		{
			"packaging: {node: {chassis: blad}, chassis: {blade: {units: 1, slots: 1}}}",
			`2:29+4 packaging.node.chassis: no chassis "blad" under packaging.chassis | did you mean "blade"?`,
		},
		{
			"packaging: {chassis: {blade: {units: 1, slots: [1, 1, 1, 1]}}}",
			"2:41+5 packaging.chassis.blade.slots: 4 numbers for three axes",
		},
		{
			"packaging: {chassis: {blade: {units: 1, slots: 4, pitch: 0}}}",
			"2:58+1 packaging.chassis.blade.pitch[0]: the distance is zero",
		},

		{
			"room: {width: 12, doors: [{wall: south, at: 1, width: 1}]}",
			"2:15+2 room.width: a room has a width and a depth | give room.depth too",
		},
		{
			"room: {rows: 2, doors: [{wall: south, at: 1, width: 1}]}",
			"2:32+5 room.doors[0].wall: the room has no walls | give its width and depth",
		},
		{
			"room: {width: 12, depth: 9, halls: [{name: a, rows: 1}]}",
			"2:29+5 room.halls: cannot be combined with room.width and room.depth, which are of one hall | give " +
				"every hall its own width and depth",
		},
		{
			"room: {halls: [{name: a, rows: 1, width: 9, depth: 6}, {name: b, rows: 1, doors: [{wall: east, at: 1, " +
				"width: 1}]}]}",
			"2:56+1 room.halls[1]: hall a has walls and hall b has none | give every hall a width and a depth, or " +
				"none\n" +
				"2:90+4 room.halls[1].doors[0].wall: hall b has no walls | give its width and depth",
		},
		{
			"room: {halls: [{name: a, rows: 1, width: 9}, {name: b, rows: 1, depth: 6}]}",
			"2:42+1 room.halls[0].width: a hall has a width and a depth | give its depth too\n" +
				"2:72+1 room.halls[1].depth: a hall has a width and a depth | give its width too",
		},
		{
			"room: {halls: [{name: a, rows: 1, width: 9, depth: 6, doors: [{wall: east, at: 5.5, width: 1}]}, " +
				"{name: b, rows: 1, width: 9, depth: 6}], trays: {paths: [" +
				"{name: p, from: {hall: c, wall: east, at: 1}, to: {hall: b, x: 1}}, " +
				"{name: q, from: {hall: a, wall: east, at: 7}, to: {hall: a, x: 1, y: 1}}, " +
				"{name: r, from: {hall: a, wall: east, x: 1}, to: {hall: b, at: 1}, width: 0.3}, " +
				"{name: s, from: A01, to: B01, width: 0.3, height: 0.1}]}}",
			"2:80+3 room.halls[0].doors[0].at: the door ends 6.5 m along a wall of 6 m\n" +
				"2:178+1 room.trays.paths[0].from.hall: there is no hall \"c\" under room.halls | it is one of a, b\n" +
				"2:205+1 room.trays.paths[0].to: it is not said where the opening is | give wall and at, or x and y\n" +
				"2:239+1 room.trays.paths[1].from: x 9 m, y 7 m is outside hall a of 9 m x 6 m\n" +
				"2:273+1 room.trays.paths[1].to: both ends are in hall a, whose cross trays join its rows\n" +
				"2:297+1 room.trays.paths[2]: an opening has a width and a height | give both, or neither for one as " +
				"large as the trays\n" +
				"2:329+4 room.trays.paths[2].from.wall: cannot be combined with x and y | write wall and at for an " +
				"opening in a wall, x and y for one in the floor or ceiling\n" +
				"2:360+1 room.trays.paths[2].to.at: the opening is in no wall | give the wall: south, east, north or " +
				"west\n" +
				"2:377+1 room.trays.paths[3]: width and height are of an opening in a wall or floor, and neither end " +
				"is one | write an end as {hall: NAME, wall: north, at: 2 m}",
		},
		{
			"room: {width: 12, depth: 9, doors: [{wall: east, at: 8, width: 1.2}, {wall: south, at: 8, width: 1.2}]}",
			"2:54+1 room.doors[0].at: the door ends 9.2 m along a wall of 9 m",
		},
		{
			"room: {width: 12, depth: 9, columns: [{x: 12, y: 1, width: 1, depth: 1}, " +
				"{x: -1, y: 1, width: 2, depth: 1}]}",
			"2:39+1 room.columns[0]: the column is outside the room of 12 m x 9 m",
		},
		{
			"room: {width: 12, depth: 9, keep_outs: [{points: [[0, 9], [3, 9], [3, 12]]}]}",
			"2:41+1 room.keep_outs[0]: the area is outside the room of 12 m x 9 m",
		},
		{
			"room: {racks_per_row: 4, gaps: [{after: 4, width: 1}]}",
			"2:41+1 room.gaps[0].after: no rack follows position 4 of 4",
		},
		{
			"room: {gaps: [{after: 4, width: 1}, {after: 4, width: 1}]}",
			"2:45+1 room.gaps[1].after: 4 comes after 4 | list the gaps in ascending order",
		},
		{"room: {gaps: [{after: 4, width: 0}]}", "2:33+1 room.gaps[0].width: the width is zero"},
		{"room: {tile: {width: 0, depth: 1}}", "2:22+1 room.tile.width: the width is zero"},
		{"room: {tile: {depth: 0}}", "2:22+1 room.tile.depth: the depth is zero"},
		{
			"room: {tile: {depth: 60}}", "2:22+2 room.tile.depth: 60 m is impossible for a tile of a raised floor, " +
				"which is usually from 0.3 m to 2 m",
		},
		{"room: {columns: [{x: 1, y: 1, width: 0, depth: 1}]}", "2:38+1 room.columns[0].width: the width is zero"},
		{
			"room: {keep_outs: [{points: [[0, 0], [1, 1]]}]}",
			"2:21+6 room.keep_outs[0].points: an area has at least three corners, not 2",
		},
		{
			"room: {keep_outs: [{points: [[0, 0], [1, 1], [2]]}]}",
			"2:46+1 room.keep_outs[0].points[2]: a corner has two coordinates, not 1 | write [x, y]",
		},
		{"room: {racks_per_row: 4, trays: {cross: [0, 5]}}", "2:45+1 room.trays.cross[1]: a row has only 4 positions"},

		{"parts: [{id: a, kind: node}, {id: a, kind: node}]", `2:35+1 parts[1].id: parts[0] has the id "a" already`},
		{"parts: [{id: a@b, kind: node}]", "2:14+3 parts[0].id: an id has no @: it separates id and length in " +
			"prices.unit"},
		{"parts: [{id: copper, kind: cable}]", `2:14+6 parts[0].id: "copper" has a meaning of its own in machine ` +
			`files | choose another id`},

		{"cabling: {round_up: 0.5 mm}", "2:21+6 cabling.round_up: less than a millimetre"},
		{"cabling: {manager: left, door: left}", "2:32+4 cabling.door: says the same as manager in another way | " +
			"remove one of them"},
		{"cabling: {route: direct, manager: left}", "2:35+4 cabling.manager: only for cables on trays: route direct " +
			"measures from port to port | remove it"},
		{containers + "}\ncabling: {crossing: 1}", "3:21+1 cabling.crossing: only for cables on trays: route " +
			"manhattan measures from port to port | remove it"},
		{"cabling: {slack: {loop: 1e5}}", "2:25+3 cabling.slack.loop: 1e5 is too large | it is at most 10000 m; " +
			"write 1e5 mm if millimetres are meant"},
		{
			"cabling: {media: [{beyond: rackk, use: any}]}",
			`2:28+5 cabling.media[0].beyond: the layout has no level "rackk" | did you mean "rack"?`,
		},
		{
			"cabling: {media: [{within: row, beyond: row, use: any}]}",
			"2:41+3 cabling.media[0].beyond: no link is within a row and leaves it",
		},
		{
			"cabling: {media: [{use: any}, {within: row, use: any}]}",
			"2:19+1 cabling.media[0]: the rule matches every link, so that no later rule is ever used | move it to " +
				"the end",
		},
		{
			"cabling: {media: [{longest: far, use: any}, {within: row, use: any}]}",
			`2:29+3 cabling.media[0].longest: "far" is not a length (a number and one of mm, cm, km, m, in, ft, U)`,
		},

		{"delay: {propagation: {fiber: 5}}", `2:23+5 delay.propagation.fiber: "fiber" is not a medium | did you mean ` +
			`"fibre"?`},
		{"delay: {ends: {vacuum: 5}}", `2:16+6 delay.ends.vacuum: "vacuum" is not a medium | it is one of ` +
			`passive-copper, active-copper, active-optical, multimode, single-mode, any, copper, fibre, optical, ` +
			`trace`},
		{"prices: {spares: {labour: " +
			"5}}", `2:19+6 prices.spares.labour: "labour" is not a kind of part | it is one of ` +
			`node, service, switch, adapter, cable, optic, panel, midplane, chassis, frame, rack, tray, hose`},
		{"prices: {spares: {cable: 1001}}", "2:26+4 prices.spares.cable: at most 1000 per cent"},
		{"prices: {unit: {dac@3 yd: 1}}", `2:17+8 prices.unit["dac@3 yd"]: "3 yd" is not the length of a cable | ` +
			`write id@3 m`},
		{"prices: {unit: {'@3 m': 1}}", `2:17+6 prices.unit["@3 m"]: no part id before the @`},
		{"embedding: {blocks: {rak: [2, 2]}}", `2:22+3 embedding.blocks.rak: the layout has no level "rak" | did you ` +
			`mean "rack"?`},

		{"embedding: {blocks: {hall: [2, 2], blade: 4}}\npackaging: {chassis: {blade: {units: 1, slots: 4}}}", ""},
		{"prices: {unit: {dac@3 m: 1, dac: 2}, spares: {cable: 1000}}", ""},
		{"cabling: {media: [{use: copper, longest: 3}, {use: my-cable}]}\ndelay: {ends: {trace: 1, optical: 2}}", ""},
	} {
		if got := strings.Join(mistakes(t, head+c.text), "\n"); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestMistakesAgainstTheCatalog(t *testing.T) {
	kinds := map[string]catalog.Kind{
		"server": catalog.KindNode, "qm9700": catalog.KindSwitch, "dac": catalog.KindCable,
		"nic": catalog.KindAdapter, "shelf": catalog.KindFrame, "rack-42u": catalog.KindRack,
	}
	for _, c := range []struct{ text, want string }{
		{"packaging: {node: {part: servr}}", `2:26+5 packaging.node.part: there is no part "servr" | did you mean ` +
			`"server"?`},
		{"packaging: {node: {part: qm9700}}", `2:26+6 packaging.node.part: part "qm9700" is of kind switch, not node`},
		{
			"packaging: {switch: {part: server, adapter: dac}}",
			`2:28+6 packaging.switch.part: part "server" is of kind node, not switch` + "\n" +
				`2:45+3 packaging.switch.adapter: part "dac" is of kind cable, not adapter`,
		},
		{"room: {rack: dac}", `2:14+3 room.rack: part "dac" is of kind cable, not rack`},
		{"room: {trays: {part: dac}}", `2:22+3 room.trays.part: part "dac" is of kind cable, not tray`},
		{
			"cabling: {media: [{use: [coper, dac, server]}]}",
			`2:26+5 cabling.media[0].use[0]: "coper" is neither a medium nor a part | did you mean "copper"?` + "\n" +
				`2:38+6 cabling.media[0].use[2]: part "server" is of kind node, not cable`,
		},
		{"prices: {unit: {dca: 1, server@3 m: 1}}", `2:17+3 prices.unit.dca: there is no part "dca" | did you mean ` +
			`"dac"?` + "\n" +
			`2:25+10 prices.unit["server@3 m"]: part "server" is of kind node, not cable`},
		{
			"room: {containers: [{name: a, count: 2, part: dac}, {name: b, count: 2, part: shelv}]}",
			`2:47+3 room.containers[0].part: part "dac" is of kind cable | a level of packaging takes a part of one ` +
				"of these kinds: midplane, chassis, frame\n" +
				`2:79+5 room.containers[1].part: there is no part "shelv" | did you mean "shelf"?`,
		},
		{
			"room: {containers: [{name: a, count: 2, part: rack-42u}]}",
			`2:47+8 room.containers[0].part: part "rack-42u" is of kind rack, and this level is not a rack | ` +
				"add is: rack, or name a part of one of these kinds: midplane, chassis, frame",
		},
		{
			"packaging: {chassis: {a: {units: 1, slots: 1, part: rack-42u}}}",
			`2:53+8 packaging.chassis.a.part: part "rack-42u" is of kind rack, and this level is not a rack | ` +
				"add is: rack, or name a part of one of these kinds: midplane, chassis, frame",
		},
		{
			"room: {containers: [{name: h, count: 2, is: hall, part: none}, {name: a, is: rack, count: 2, " +
				"part: rack-42u}, {name: b, count: 2, part: shelf}]}", "",
		},
		{"prices: {set: recnt}", `2:15+5 prices.set: there is no price set "recnt" | did you mean "recent"?`},
		{"packaging: {node: {part: server, adapter: none}, switch: {part: qm9700, adapter: nic}}\n" +
			"prices: {set: recent, unit: {nic: 1}}", ""},
	} {
		f, err := parse("machine.yaml", []byte(head+c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		f.Spec.CheckCatalog(func(id string) catalog.Kind { return kinds[id] },
			[]string{"server", "qm9700", "dac", "nic", "shelf"}, []string{"recent"}, f.At)
		if got := strings.Join(brief(t, f.Err()), "\n"); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// grid has what checks ask of a topology: two dimensions, or a tree's kinds.
type grid struct{ topology.Graph }

func (grid) Family() string                 { return "torus" }
func (grid) Kinds() []topology.Kind         { return []topology.Kind{{Name: "node", Count: 16}} }
func (grid) Levels() []topology.Level       { return []topology.Level{{Name: "dim1"}, {Name: "dim2"}} }
func (grid) Links() iter.Seq[topology.Link] { return nil }
func (grid) Dims() []int                    { return []int{4, 4} }
func (grid) Wraps(int) bool                 { return true }
func (grid) TerminalsPerRouter() int        { return 0 }

type tree struct{ topology.Graph }

func (tree) Family() string { return "fat-tree" }
func (tree) Kinds() []topology.Kind {
	return []topology.Kind{{Name: "node", Role: topology.Terminal}, {Name: "leaf", Role: topology.Switch}}
}

func (tree) Levels() []topology.Level { return []topology.Level{{Name: "terminal"}, {Name: "tier1"}} }

func TestMistakesAgainstTheTopology(t *testing.T) {
	for _, c := range []struct {
		graph      topology.Graph
		text, want string
	}{
		{
			grid{},
			"packaging: {leaf: {per_rack: 1}, switch: {per_rack: 1}}",
			"2:13+4 packaging.leaf: a torus has no leaf | its kinds of vertices are node\n" +
				"2:34+6 packaging.switch: a torus has no switch | its kinds of vertices are node",
		},
		{grid{}, "delay: {hop: {nod: 1}}", `2:15+3 delay.hop.nod: a torus has no nod | did you mean "node"?`},
		{
			grid{},
			"cabling: {media: [{levels: [dim1, dim3], use: any}]}",
			`2:35+4 cabling.media[0].levels[1]: a torus has no level "dim3" | did you mean "dim1"?`,
		},
		{
			grid{},
			"embedding: {blocks: {row: [2, 2, 2], rack: [2, 2]}}",
			"2:22+3 embedding.blocks.row: 3 numbers for 2 dimensions",
		},
		{
			tree{},
			"embedding: {blocks: {row: [2, 2]}}",
			"2:13+6 embedding.blocks: blocks are of lattices, and a fat-tree is none",
		},
		{tree{}, "packaging: {switch: {per_rack: 1}, leaf: {}, node: {}}\ndelay: {hop: {switch: 1, leaf: 2}}\n" +
			"cabling: {media: [{levels: terminal, use: any}]}", ""},
	} {
		f, err := parse("machine.yaml", []byte(head+c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		f.Spec.CheckTopology(c.graph, func(string) bool { return false }, f.At)
		if diff := cmp.Diff(c.want, strings.Join(brief(t, f.Err()), "\n")); diff != "" {
			t.Errorf("%s\n%s", c.text, fmt.Sprint(diff))
		}
	}
}

// What is odd but possible is reported with its field; what is usual is not.
func TestUnusualAmounts(t *testing.T) {
	f, err := parse("machine.yaml", []byte(`
topology: {family: torus, dims: [4, 4]}
room: {width: 600, depth: 30, cold_aisle: 12, hot_aisle: 0.9, trays: {height: 120 mm}}
cabling: {slack: {fixed: 150}}
parts:
  - {id: c, kind: cable, power: 61 W,
     cable: {medium: passive-copper, connector: qsfp112, rate: 400G, lengths: [1, 100]}}
  - {id: n, kind: node, units: 2, power: 40 kW, ports: [{count: 1, connector: rj45, rate: 1G}]}
  - {id: m, kind: node, units: 2, power: 200 kW, ports: [{count: 1, connector: rj45, rate: 1G}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"parts[0].power: 61 W is unusual for a plug, which usually draws up to 60 W",
		"parts[2].power: 200 kW is unusual for a box, which usually draws up to 20 kW for each rack unit: write 200 " +
			"W if watts are meant",
		"room.width: 600 m is unusual for a room, which is usually from 2 m to 300 m",
		"room.cold_aisle: 12 m is unusual for an aisle, which is usually from 0.5 m to 10 m",
		"cabling.slack.fixed: 150 m is unusual for the slack of a cable, which is usually from 0.01 m to 30 m: write " +
			"150 mm if millimetres are meant",
		"parts[0].cable.lengths[1]: 100 m is unusual for a copper cable for data, which is usually from 0.2 m to 20 m",
	}
	if diff := cmp.Diff(want, f.Spec.Unusual()); diff != "" {
		t.Error(diff)
	}
}
