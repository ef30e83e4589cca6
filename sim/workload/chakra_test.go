package workload

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/loggops"
)

// traceNode is a node as it is written.
type traceNode struct {
	id, kind, micros uint64
	ctrl, data       []uint64
	ints             map[string]int64
	group            string
	host, packed     bool
	dims             []bool
}

// write is the node in the wire form of et_def.proto.
func (n traceNode) write() []byte {
	var b []byte
	number := func(field protowire.Number, v uint64) {
		b = protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
	}
	text := func(field protowire.Number, v []byte) {
		b = protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
	}
	list := func(field protowire.Number, ids []uint64) {
		if !n.packed {
			for _, id := range ids {
				number(field, id)
			}
			return
		}
		var p []byte
		for _, id := range ids {
			p = protowire.AppendVarint(p, id)
		}
		text(field, p)
	}
	attribute := func(name string, field protowire.Number, kind protowire.Type, v uint64, s []byte) {
		a := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), name)
		a = protowire.AppendTag(a, field, kind)
		if kind == protowire.BytesType {
			a = protowire.AppendBytes(a, s)
		} else {
			a = protowire.AppendVarint(a, v)
		}
		text(10, a)
	}
	number(1, n.id)
	text(2, fmt.Appendf(nil, "node%d", n.id))
	number(3, n.kind)
	list(4, n.ctrl)
	list(5, n.data)
	number(7, n.micros)
	text(8, []byte{})
	fields := []protowire.Number{7, 9, 11, 13}
	i := 0
	for _, name := range []string{"comm_type", "comm_size", "tensor_size", "comm_src", "comm_dst", "comm_tag"} {
		if v, ok := n.ints[name]; ok {
			attribute(name, fields[i%4], protowire.VarintType, uint64(v), nil)
			i++
		}
	}
	if n.group != "" {
		attribute("pg_name", 29, protowire.BytesType, 0, []byte(n.group))
	}
	if n.host {
		attribute("is_cpu_op", 27, protowire.VarintType, 1, nil)
	}
	if n.dims != nil {
		var p []byte
		for _, d := range n.dims {
			p = protowire.AppendVarint(p, protowire.EncodeBool(d))
		}
		attribute("involved_dim", 28, protowire.BytesType, 0,
			protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), p))
	}
	return b
}

// writeTrace writes the traces of all ranks and returns the first.
func writeTrace(t fatal, dir string, ranks [][]traceNode) string {
	for r, nodes := range ranks {
		metadata := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "1.0.0")
		b := append(binary.AppendUvarint(nil, uint64(len(metadata))), metadata...)
		for _, n := range nodes {
			data := n.write()
			b = append(binary.AppendUvarint(b, uint64(len(data))), data...)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("job.v1.%d.et", r)), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "job.v1.0.et")
}

// TestChakra reads drawn traces: the operations, times and order are those written.
func TestChakra(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		sub, err := os.MkdirTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.IntRange(2, 5).Draw(t, "ranks")
		groups := Groups{"some": {int32(n - 1), 0}}
		ranks := make([][]traceNode, n)
		clock, untimed, shared := make([]uint64, n), 0, 0
		packed := rapid.Bool().Draw(t, "packed")
		add := func(r int, node traceNode) {
			node.id, node.packed = uint64(10*len(ranks[r])+r), packed
			if k := len(ranks[r]); k > 0 { // each waits for the one before, so times add up
				on := []uint64{ranks[r][k-1].id}
				if k%2 == 0 && !rapid.Bool().Draw(t, "by data") {
					node.ctrl = on
				} else {
					node.data = on
				}
			}
			ranks[r] = append(ranks[r], node)
		}
		meet := func(rs []int32) {
			most := uint64(0)
			for _, r := range rs {
				most = max(most, clock[r])
			}
			for _, r := range rs {
				clock[r] = most
			}
		}
		for range rapid.IntRange(1, 8).Draw(t, "nodes") {
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				r := rapid.IntRange(0, n-1).Draw(t, "rank")
				micros := rapid.Uint64Range(0, 50).Draw(t, "duration")
				if micros == 0 {
					untimed++
				}
				clock[r] += micros
				add(r, traceNode{kind: computeNode, micros: micros, host: rapid.Bool().Draw(t, "host")})
			case 1:
				a := rapid.IntRange(0, n-1).Draw(t, "from")
				b := (a + rapid.IntRange(1, n-1).Draw(t, "to")) % n
				size := map[string]int64{"comm_size": 100, "comm_src": int64(a), "comm_dst": int64(b), "comm_tag": 3}
				add(a, traceNode{kind: sendNode, ints: size})
				add(b, traceNode{kind: receiveNode, ints: size})
				clock[b] = max(clock[a], clock[b])
			case 2:
				shared++
				of, name := []int32{}, ""
				for r := range n {
					of = append(of, int32(r))
				}
				if rapid.Bool().Draw(t, "of some") {
					of, name = groups["some"], "some"
				}
				for _, r := range of {
					add(int(r), traceNode{
						kind: groupNode, group: name, dims: []bool{true, true},
						ints: map[string]int64{"comm_type": int64(Barrier), "comm_size": 8},
					})
				}
				meet(of)
			}
		}
		// A trace without nodes is of no use, but allowed.
		trace, err := ReadChakra(writeTrace(t, sub, ranks), groups)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{"jsonizer", "feeder"} {
			again, err := ReadChakra(writeJSONTrace(t, sub, ranks, form == "feeder"), groups)
			if err != nil {
				t.Fatalf("%s: %v", form, err)
			}
			if got, want := goalText(t, again.Schedule), goalText(t, trace.Schedule); got != want ||
				again.Untimed != trace.Untimed {
				t.Fatalf("%s: %d untimed\n%s\nwant %d\n%s", form, again.Untimed, got, trace.Untimed, want)
			}
		}
		if trace.Untimed != untimed || trace.Collectives != shared || trace.Schedule.Ranks() != n {
			t.Fatalf("%d untimed, %d collectives; want %d, %d", trace.Untimed, trace.Collectives, untimed, shared)
		}
		want := uint64(0)
		for _, c := range clock {
			want = max(want, c)
		}
		if got := took(t, trace.Schedule, loggops.Params{Rendezvous: 1 << 40}, 0); float64(got) != float64(want)*1000 {
			t.Fatalf("%v; want %d us", got, want)
		}
	})
}

// goalText is a schedule in GOAL.
func goalText(t fatal, s *goal.Schedule) string {
	var b strings.Builder
	if err := goal.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// writeJSONTrace writes the traces of all ranks in a JSON form and returns the first. The feeder has no control
// dependences, so that they are written as those of data.
func writeJSONTrace(t fatal, dir string, ranks [][]traceNode, feeder bool) string {
	texts := func(ids []uint64) []string {
		out := []string{}
		for _, id := range ids {
			out = append(out, fmt.Sprint(id))
		}
		return out
	}
	names := []string{
		"INVALID_NODE", "METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE", "COMM_SEND_NODE",
		"COMM_RECV_NODE", "COMM_COLL_NODE",
	}
	name := "job.jsonizer"
	if feeder {
		name = "job.feeder"
	}
	for r, nodes := range ranks {
		var b strings.Builder
		graph := []map[string]any{}
		b.WriteString("{\n  \"version\": \"1.0.0\"\n}")
		for _, n := range nodes {
			m := map[string]any{}
			if feeder {
				m["Id"], m["Name"], m["NodeType"], m["runtime"] = n.id, "node", n.kind, n.micros
				m["ctrlDeps"], m["data_deps"] = []uint64{1 << 40}, append(append([]uint64{}, n.ctrl...), n.data...)
				m["is_cpu_op"] = n.host
				for k, v := range n.ints {
					m[k] = v
				}
				if n.group != "" {
					m["pg_name"] = n.group
				}
				graph = append(graph, m)
				continue
			}
			if n.id > 0 { // protobuf leaves out what is 0
				m["id"] = fmt.Sprint(n.id)
			}
			if n.micros > 0 {
				m["durationMicros"] = fmt.Sprint(n.micros)
			}
			m["name"], m["type"], m["ctrlDeps"], m["dataDeps"] = "node", names[n.kind], texts(n.ctrl), texts(n.data)
			attr := []map[string]any{{"name": "num_ops", "doubleVal": 1.5}, {"name": "is_cpu_op", "boolVal": n.host}}
			kinds := []string{"int64Val", "uint64Val", "int32Val", "sint64Val"}
			for k, v := range n.ints {
				var value any = fmt.Sprint(v)
				kind := kinds[len(attr)%4]
				if kind == "int32Val" {
					value = v
				}
				attr = append(attr, map[string]any{"name": k, kind: value})
			}
			if n.group != "" {
				attr = append(attr, map[string]any{"name": "pg_name", "stringVal": n.group})
			}
			if n.dims != nil {
				list := map[string]any{"values": n.dims}
				attr = append(attr, map[string]any{"name": "involved_dim", "boolList": list})
			}
			m["attr"] = attr
			data, err := json.MarshalIndent(m, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			b.Write(data)
		}
		data := []byte(b.String())
		if feeder {
			var err error
			if data, err = json.Marshal(map[string]any{"workload_name": "w", "workload_graph": graph}); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s.%d.json", name, r)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, name+".0.json")
}

// TestJSONTraces reads traces as Chakra's own tests have them, and refuses others with the node.
func TestJSONTraces(t *testing.T) {
	const host = `{"Id": 432, "Name": "c10d::broadcast_(0)", "NodeType": 7, "runtime": 85, "data_deps": [],
		"is_cpu_op": true}`
	for text, want := range map[string]string{
		`{"workload_graph": [` + host + `], "ngpus": 8}`:               "",
		`{"workload_graph": [` + host + `, ` + host + `]}`:             "two nodes have the id 432",
		`{"workload_graph": [{"Id": 1, "NodeType": 7}]}`:               "has no comm_type from 0 to 9",
		`{"workload_graph": [null]}`:                                   "node 0: is null",
		`{"workload_graph": []}`:                                       "",
		`{"workload_graph": [{"Id": -1.5}]}`:                           "-1.5 is not a whole number",
		`{} {"name": "a", "type": "COMP_NODE", "durationMicros": "3"}`: "",
		`{"name": "a", "type": "COMP_NODE", "durationMicros": "3"}`:    "",
		`{} {"type": "COMPUTE"}`:                                       "is not a type of nodes; the types are META",
		`{} {"name": "a", "type": 9}`:                                  "is of type 9",
		`{} {"name": "a", "type": 4, "attr": [{"boolVal": true}]}`:     "has an attribute without a name",
		`{} {"type": 7, "attr": [{"name": "b", "int64Val": "x"}]}`:     `whose int64Val is "x"`,
		`{} {"name": "a", "type": 4, "dataDeps": ["7"]}`:               "waits for node 7",
		`{} {"name": "a", `:                                            "is not JSON of a trace",
		`[]`:                                                           "is not JSON of a trace",
	} {
		path := filepath.Join(t.TempDir(), "a.0.json")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := ReadChakra(path, nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
	if !IsTrace("a.3.json") || IsTrace("groups.json") || !IsTrace("a.0.et") || IsTrace("a.yaml") {
		t.Error("traces are those with the number of a rank")
	}
}

// TestChakraMistakes refuses traces that contradict themselves.
func TestChakraMistakes(t *testing.T) {
	all := func(n traceNode) [][]traceNode { return [][]traceNode{{n}, {n}} }
	reduce := func(size int64, group string) traceNode {
		return traceNode{kind: groupNode, group: group, ints: map[string]int64{"comm_type": 0, "comm_size": size}}
	}
	send := func(to, tag, size int64) traceNode {
		return traceNode{kind: sendNode, ints: map[string]int64{"comm_dst": to, "comm_tag": tag, "comm_size": size}}
	}
	for _, tt := range []struct {
		ranks [][]traceNode
		want  string
	}{
		{all(traceNode{kind: 9}), `job.v1.0.et: node 0 ("node0"): is of type 9`},
		{all(traceNode{kind: computeNode, data: []uint64{77}}), "waits for node 77, which the trace does not have"},
		{all(traceNode{kind: computeNode, micros: 1 << 60}), "microseconds; at most"},
		{[][]traceNode{{{kind: computeNode}, {kind: computeNode}}}, "two nodes have the id 0"},
		{all(send(2, 0, 1)), "is a message with rank 2; there are traces of 2 ranks"},
		{all(traceNode{kind: receiveNode}), "is a message with rank -1"},
		{all(send(1, -1, 1)), "has the tag -1"},
		{all(send(1, 0, -1)), "must be from 0 to"},
		{all(reduce(8, "g")), `is of process group "g", of which no file`},
		{all(reduce(8, "one")), `is of process group "one", which rank 1 is not in`},
		{all(traceNode{kind: groupNode}), "has no comm_type from 0 to 9"},
		{[][]traceNode{{reduce(8, "")}, {reduce(9, "")}}, "is all-reduce of 9 bytes, where rank 0 has all-reduce of 8"},
		{[][]traceNode{{}, {reduce(8, "")}}, "is in the traces of 1 of 2 ranks; rank 1 has it"},
		{
			all(traceNode{kind: groupNode, dims: []bool{true, false}, ints: map[string]int64{"comm_type": 0}}),
			"over some dimensions only",
		},
	} {
		_, err := ReadChakra(writeTrace(t, t.TempDir(), tt.ranks), Groups{"one": {0}})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v; want %s", err, tt.want)
		}
	}
	path := writeTrace(t, t.TempDir(), all(traceNode{kind: computeNode, micros: 1}))
	for name, want := range map[string]string{
		"job.v1.0.et": "", "other.0.et": "there is no such file", "job.et": "ends with its rank",
	} {
		_, err := ReadChakra(filepath.Join(filepath.Dir(path), name), nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", name, err, want)
		}
	}
	if _, err := ReadChakra(path, Groups{"far": {0, 2}}); err == nil || !strings.Contains(err.Error(), "has rank 2") {
		t.Error(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	last := strings.Replace(path, ".0.et", ".1.et", 1)
	if _, err := ReadChakra(last, nil); err == nil || !strings.Contains(err.Error(), "none of rank 0") {
		t.Error(err)
	}
}

// TestGroups reads groups.
func TestGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "groups.json")
	for text, want := range map[string]string{
		`{"0": [0, 1], "b": [3]}`: "",
		`{"0": [0, 0]}`:           "has rank 0 twice",
		`{"0": [-1]}`:             "there is no rank -1",
		`[]`:                      "want lists of ranks by name",
		`{"0": [1.5]}`:            "want lists of ranks by name",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := ReadGroups(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %v", text, got, err)
		}
		if err == nil && (len(got) != 2 || got["0"][1] != 1) {
			t.Error(got)
		}
	}
}

// FuzzChakra reads any bytes as the trace of one rank.
func FuzzChakra(f *testing.F) {
	path := writeTrace(f, f.TempDir(), [][]traceNode{{
		{id: 1, kind: computeNode, micros: 5},
		{
			id: 2, kind: groupNode, ctrl: []uint64{1}, packed: true,
			ints: map[string]int64{"comm_type": 0, "comm_size": 9},
		},
		{id: 3, kind: sendNode, data: []uint64{2}, ints: map[string]int64{"comm_dst": 0, "comm_size": 9}},
	}})
	seed, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, fmt.Sprintf("a%d.0.et", os.Getpid()))
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		trace, err := ReadChakra(path, Groups{"g": {0}})
		if err == nil && trace.Schedule.Ranks() != 1 {
			t.Error(trace.Schedule.Ranks())
		}
		if err == nil {
			for _, op := range trace.Schedule.Ops() {
				if op.Kind > goal.Calc {
					t.Error(op)
				}
			}
		}
	})
}

// FuzzJob reads any text as the description of a job.
func FuzzJob(f *testing.F) {
	f.Add([]byte(jobText))
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := ParseJob("job.yaml", data)
		if err == nil && j.Ranks()*int64(j.Batch.Microbatches) < 1000 {
			if _, err := j.Schedule(); err != nil {
				t.Error(err)
			}
		}
	})
}
